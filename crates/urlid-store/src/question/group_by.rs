//! The parts of a URL by which answers are counted.

use std::borrow::Cow;

use crate::question::condition::Condition;
use crate::question::stored::StoredUrl;

/// A part of a URL to group by.
///
/// ```
/// use urlid_store::question::GroupBy;
///
/// assert_eq!(GroupBy::RegisteredDomain.name(), "registered-domain");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupBy {
    /// The scheme without its colon, in lower case.
    Scheme,
    /// The whole host; empty if there is none.
    Host,
    /// The public suffix.
    Tld,
    /// The one label left of the public suffix, under every suffix; empty if there is none.
    Domain,
    /// Domain and public suffix, as in `example.co.uk`; empty if there is no domain.
    RegisteredDomain,
    /// Everything left of the domain; may be empty.
    Sub,
    /// The port as written; empty if none was.
    Port,
    /// The first directory of the path with its slashes, as in `/docs/`; `/` if there is none.
    FirstDirectory,
    /// The whole path, with its leading slash if it has one.
    Path,
    /// The query; empty if there is none.
    Query,
    /// The fragment; empty if there is none.
    Fragment,
}

impl GroupBy {
    /// Every part, in the order of a URL.
    pub const ALL: [Self; 11] = [
        Self::Scheme,
        Self::Host,
        Self::Tld,
        Self::Domain,
        Self::RegisteredDomain,
        Self::Sub,
        Self::Port,
        Self::FirstDirectory,
        Self::Path,
        Self::Query,
        Self::Fragment,
    ];

    /// Returns its name for users: that of the [`Condition`] on the part, if there is one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scheme => Condition::Scheme.name(),
            Self::Host => Condition::Host.name(),
            Self::Tld => Condition::Tld.name(),
            Self::Domain => Condition::Domain.name(),
            Self::RegisteredDomain => "registered-domain",
            Self::Sub => Condition::Sub.name(),
            Self::Port => Condition::Port.name(),
            Self::FirstDirectory => "first-directory",
            Self::Path => Condition::Path.name(),
            Self::Query => Condition::Query.name(),
            Self::Fragment => Condition::Fragment.name(),
        }
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
            Self::Query => url.query(),
            Self::Fragment => url.fragment(),
        };
        Cow::Borrowed(text)
    }
}

/// Returns the first directory of a path with its slashes; `/` if there is none.
fn first_directory(path: &str) -> &str {
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
