//! Counts answers by a part of their URLs.
//!
//! Groups are the parts' own texts, never their slices, because two public suffixes can share a slice.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::question::condition::Condition;
use crate::question::stored::StoredUrl;

/// One group of the answers to a question.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid_store::question::{GroupBy, StoredUrl, Tally};
///
/// let mut tally = Tally::new(GroupBy::Scheme);
/// StoredUrl::read("http://docs.rs/", SuffixList::compiled(), |url, _| tally.add(url))?;
/// let groups = tally.sorted();
/// assert_eq!((groups[0].name.as_str(), groups[0].rows), ("http", 1));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The text of the part that its rows share. Empty if they lack the part.
    pub name: String,
    /// The number of its rows.
    pub rows: u64,
}

/// Counts URLs by one part. Memory grows with the number of groups.
#[derive(Debug)]
pub struct Tally {
    part: GroupBy,
    groups: HashMap<String, u64>,
    // Neighbouring rows of a store repeat their parts, so a run of equal names is counted without the map.
    name: String,
    run: u64,
}

impl Tally {
    /// Makes an empty tally.
    #[must_use]
    pub fn new(part: GroupBy) -> Self {
        Self { part, groups: HashMap::new(), name: String::new(), run: 0 }
    }

    /// Counts a URL.
    pub fn add(&mut self, url: &StoredUrl<'_>) {
        let name = self.part.name_of(url);
        if *name != self.name {
            self.close_run();
            name.as_ref().clone_into(&mut self.name);
        }
        self.run += 1;
    }

    /// Adds the counts of a second tally by the same part.
    pub fn merge(&mut self, mut other: Self) {
        // The open run of this tally is counted when it ends.
        other.close_run();
        for (name, rows) in other.groups {
            *self.groups.entry(name).or_default() += rows;
        }
    }

    fn close_run(&mut self) {
        if self.run == 0 {
            return;
        }
        match self.groups.get_mut(&self.name) {
            Some(rows) => *rows += self.run,
            None => {
                self.groups.insert(self.name.clone(), self.run);
            }
        }
        self.run = 0;
    }

    /// Returns the groups. The largest come first, and equal ones are sorted by name.
    #[must_use]
    pub fn sorted(mut self) -> Vec<Group> {
        self.close_run();
        let mut groups: Vec<Group> =
            self.groups.into_iter().map(|(name, rows)| Group { name, rows }).collect();
        groups.sort_unstable_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.name.cmp(&b.name)));
        groups
    }
}

/// Statistics of a store.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The rows that were read.
    pub rows: u64,
    /// The rows whose URLs lack an SXURL.
    pub without_sxurl: u64,
    /// The total length of all URLs in bytes.
    pub url_bytes: u64,
    /// Public suffixes in use, the largest first.
    pub tlds: Vec<Group>,
    /// Registrable domains in use, the largest first. Hosts without one are under an empty name.
    pub domains: Vec<Group>,
    /// Schemes in use, the largest first.
    pub schemes: Vec<Group>,
}

/// Computes the numbers of [`Stats`].
#[derive(Debug)]
pub struct StatsTally {
    rows: u64,
    without_sxurl: u64,
    url_bytes: u64,
    /// By public suffix, domain and scheme.
    parts: [Tally; 3],
}

impl Default for StatsTally {
    fn default() -> Self {
        let parts = [GroupBy::Tld, GroupBy::RegisteredDomain, GroupBy::Scheme].map(Tally::new);
        Self { rows: 0, without_sxurl: 0, url_bytes: 0, parts }
    }
}

impl StatsTally {
    /// Counts a URL, from its stored text and its parts.
    pub fn add(&mut self, text: &str, url: &StoredUrl<'_>) {
        self.rows += 1;
        self.url_bytes += text.len() as u64;
        self.without_sxurl += u64::from(matches!(url, StoredUrl::Other(_)));
        self.parts.iter_mut().for_each(|tally| tally.add(url));
    }

    /// Adds the counts of a second tally.
    pub fn merge(&mut self, other: Self) {
        self.rows += other.rows;
        self.url_bytes += other.url_bytes;
        self.without_sxurl += other.without_sxurl;
        self.parts.iter_mut().zip(other.parts).for_each(|(tally, other)| tally.merge(other));
    }

    /// Returns the statistics.
    #[must_use]
    pub fn finish(self) -> Stats {
        let Self { rows, without_sxurl, url_bytes, parts } = self;
        let [tlds, domains, schemes] = parts.map(Tally::sorted);
        Stats { rows, without_sxurl, url_bytes, tlds, domains, schemes }
    }
}

/// A part of a URL to group by.
///
/// ```
/// use urlid_store::question::GroupBy;
///
/// assert_eq!(GroupBy::RegisteredDomain.name(), "registered_domain");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupBy {
    /// The scheme without its colon, in lower case.
    Scheme,
    /// The whole host. Empty if there is none.
    Host,
    /// The public suffix.
    Tld,
    /// The label left of the public suffix, under all suffixes together. Empty if there is none.
    Domain,
    /// The domain and the public suffix, as in `example.co.uk`. Empty if there is no domain.
    RegisteredDomain,
    /// The labels left of the domain. Empty if there are none.
    Sub,
    /// The port as written. Empty if there is none.
    Port,
    /// The first directory of the path with its slashes, as in `/docs/`. It is `/` if there is none.
    FirstDirectory,
    /// The whole path, with its leading slash if it has one.
    Path,
    /// The last segment of the path. Empty if the path ends with a slash.
    File,
    /// The query. Empty if there is none.
    Query,
    /// The fragment. Empty if there is none.
    Fragment,
}

impl GroupBy {
    /// Every part, in the order of a URL.
    pub const ALL: [Self; 12] = [
        Self::Scheme,
        Self::Host,
        Self::Tld,
        Self::Domain,
        Self::RegisteredDomain,
        Self::Sub,
        Self::Port,
        Self::FirstDirectory,
        Self::Path,
        Self::File,
        Self::Query,
        Self::Fragment,
    ];

    /// Returns the name for users, which is the name of the [`Condition`] on the part if there is one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scheme => Condition::Scheme.name(),
            Self::Host => Condition::Host.name(),
            Self::Tld => Condition::Tld.name(),
            Self::Domain => Condition::Domain.name(),
            Self::RegisteredDomain => "registered_domain",
            Self::Sub => Condition::Sub.name(),
            Self::Port => Condition::Port.name(),
            Self::FirstDirectory => "first_directory",
            Self::Path => Condition::Path.name(),
            Self::File => "file",
            Self::Query => Condition::Query.name(),
            Self::Fragment => Condition::Fragment.name(),
        }
    }

    /// Returns the part with a name. A `-` is read as `_`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.replace('-', "_");
        Self::ALL.into_iter().find(|part| part.name() == name)
    }

    /// Returns the name of the group of a URL.
    #[must_use]
    pub fn name_of<'u>(self, url: &'u StoredUrl<'_>) -> Cow<'u, str> {
        let text = match self {
            Self::Scheme => url.scheme(),
            Self::Host => url.host(),
            Self::Tld => url.tld(),
            Self::Domain => url.domain(),
            Self::RegisteredDomain => url.registered_domain(),
            Self::Sub => url.sub(),
            Self::Port => {
                return url.port().map_or(Cow::Borrowed(""), |port| Cow::Owned(port.to_string()));
            }
            Self::FirstDirectory => first_directory(url.path()),
            Self::Path => url.path(),
            Self::File => url.path().rsplit_once('/').map_or("", |(_, file)| file),
            Self::Query => url.query(),
            Self::Fragment => url.fragment(),
        };
        Cow::Borrowed(text)
    }
}

/// Returns the first directory of a path with its slashes, or `/` if there is none.
pub fn first_directory(path: &str) -> &str {
    let end = path.strip_prefix('/').and_then(|rest| rest.find('/'));
    end.map_or("/", |end| &path[..end + 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_has_its_group() {
        let url = "http://www.example.co.uk:81/docs/a/b?q#f";
        let groups = StoredUrl::read(url, urlid::suffix::SuffixList::compiled(), |url, _| {
            GroupBy::ALL.map(|part| part.name_of(url).into_owned())
        });
        let expected = [
            "http",
            "www.example.co.uk",
            "co.uk",
            "example",
            "example.co.uk",
            "www",
            "81",
            "/docs/",
            "/docs/a/b",
            "b",
            "q",
            "f",
        ];
        assert_eq!(groups.expect("is a URL"), expected);
        for (path, directory) in
            [("/", "/"), ("/a", "/"), ("//a", "//"), ("/a/", "/a/"), ("x/y", "/"), ("", "/")]
        {
            assert_eq!(first_directory(path), directory, "{path}");
        }
    }
}
