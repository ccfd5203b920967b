//! Selects the parts of a URL by name.

use alloc::borrow::{Cow, ToOwned};
use core::cell::OnceCell;

use super::plain::view;
use super::url::QueryPairs;
use super::url::{Url, origin_of};
use super::view::{UrlView, dns_name};
use crate::error::Error;
use crate::host::Host;
use crate::plain;
use crate::suffix::{Split, SuffixList};

/// A part of a URL, with the name that tables and templates use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The scheme without its colon, in lower case.
    Scheme,
    /// The user name.
    User,
    /// The host as serialised, with an IPv6 address in brackets. Absent if it is empty.
    Host,
    /// The kind of host: `domain`, `ipv4`, `ipv6` or `opaque`.
    HostKind,
    /// The port, if it is not the scheme's default.
    Port,
    /// The labels left of the registered domain. May be empty. This part and the next three exist only for
    /// domain names.
    Sub,
    /// The label left of the public suffix.
    Domain,
    /// The public suffix. The private section of the list counts, so `github.io` is a public suffix unless
    /// the list was made with [`Sections::Icann`](crate::suffix::Sections::Icann).
    Tld,
    /// The public suffix with the label before it: `a.github.io` with the private section, `github.io` with
    /// [`Sections::Icann`](crate::suffix::Sections::Icann).
    RegisteredDomain,
    /// The path, percent-encoded, with its leading slash unless it is opaque.
    Path,
    /// The last segment of the path. Empty if the path ends with a slash.
    File,
    /// The query without its `?`. An empty query is present.
    Query,
    /// The fragment without its `#`. An empty fragment is present.
    Fragment,
    /// The origin, unless it is opaque.
    Origin,
}

impl Part {
    /// All parts, in the order of a table's columns.
    pub const ALL: [Part; 14] = [
        Part::Scheme,
        Part::User,
        Part::Host,
        Part::HostKind,
        Part::Port,
        Part::Sub,
        Part::Domain,
        Part::Tld,
        Part::RegisteredDomain,
        Part::Path,
        Part::File,
        Part::Query,
        Part::Fragment,
        Part::Origin,
    ];

    /// Returns the name that columns and templates use, such as `scheme`, `host_kind` or `registered_domain`.
    pub fn name(self) -> &'static str {
        match self {
            Part::Scheme => "scheme",
            Part::User => "user",
            Part::Host => "host",
            Part::HostKind => "host_kind",
            Part::Port => "port",
            Part::Sub => "sub",
            Part::Domain => "domain",
            Part::Tld => "tld",
            Part::RegisteredDomain => "registered_domain",
            Part::Path => "path",
            Part::File => "file",
            Part::Query => "query",
            Part::Fragment => "fragment",
            Part::Origin => "origin",
        }
    }

    /// Returns whether tables store an empty value of this part: the empty path of an opaque URL, a bare `?`
    /// and a bare `#`.
    pub fn may_be_empty(self) -> bool {
        matches!(self, Part::Path | Part::Query | Part::Fragment)
    }

    /// Parses a URL and returns this part, like [`UrlParts::get`] for a parsed URL. In most URLs, the parts
    /// of the host are found without reading the rest.
    ///
    /// ```
    /// use urlid::suffix::SuffixList;
    /// use urlid::web::Part;
    ///
    /// let domain = Part::RegisteredDomain.of("https://www.example.co.uk/a/b.html", SuffixList::compiled())?;
    /// assert_eq!(domain.as_deref(), Some("example.co.uk"));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Url::parse`].
    #[inline(always)]
    pub fn of<'t>(self, text: &'t str, list: &SuffixList) -> Result<Option<Cow<'t, str>>, Error> {
        match self {
            Part::Host | Part::Sub | Part::Domain | Part::Tld | Part::RegisteredDomain => {
                if let Some(host) = plain::host_of(text) {
                    return Ok(self.of_plain_host(host, list).map(Cow::Borrowed));
                }
            }
            _ => {}
        }
        self.of_any(text, list)
    }

    /// Returns this part of any URL. A separate function, so that only the short path of `of` is inlined.
    #[inline(never)]
    fn of_any<'t>(self, text: &str, list: &SuffixList) -> Result<Option<Cow<'t, str>>, Error> {
        let url = Url::parse(text)?;
        Ok(UrlParts::new(&url, list).get(self).map(|part| Cow::Owned(part.to_owned())))
    }

    #[inline(always)]
    fn of_plain_host<'h>(self, host: &'h str, list: &SuffixList) -> Option<&'h str> {
        match self {
            Part::Host => Some(host),
            _ => dns_name(host).and_then(|name| self.of_split(name, list.split_normal(name))),
        }
    }

    /// Returns a part of a split name, or `None` for other parts and absent parts.
    #[inline(always)]
    fn of_split<'h>(self, name: &'h str, split: Split<'h>) -> Option<&'h str> {
        match self {
            Part::Sub => Some(split.sub),
            Part::Domain => Some(split.domain).filter(|domain| !domain.is_empty()),
            Part::Tld => Some(split.tld),
            Part::RegisteredDomain => split.registered_domain(name),
            _ => None,
        }
    }

    /// Returns the part with this name. `-` is read as `_`.
    ///
    /// ```
    /// use urlid::web::Part;
    ///
    /// assert_eq!(Part::from_name("registered_domain"), Some(Part::RegisteredDomain));
    /// assert_eq!(Part::from_name("host-kind"), Some(Part::HostKind));
    /// assert_eq!(Part::from_name("url_host_name"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        let underscored = || name.bytes().map(|byte| if byte == b'-' { b'_' } else { byte });
        Self::ALL.into_iter().find(|part| part.name().bytes().eq(underscored()))
    }
}

/// The parts of a URL in its normal form. The host is split at its public suffix once, as soon as a part
/// needs the split.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid::web::{Part, Url, UrlParts};
///
/// let url = Url::parse("https://www.example.co.uk/a/b.html")?;
/// let parts = UrlParts::new(&url, SuffixList::compiled());
/// assert_eq!(parts.get(Part::RegisteredDomain), Some("example.co.uk"));
/// assert_eq!(Part::from_name("file").and_then(|part| parts.get(part)), Some("b.html"));
/// assert_eq!(parts.get(Part::Query), None);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct UrlParts<'u> {
    url: UrlView<'u>,
    list: &'u SuffixList,
    /// The host and its split, if the host is a name.
    name: OnceCell<Option<(&'u str, Split<'u>)>>,
    /// The origin, if it is not a slice of the text.
    origin: OnceCell<Option<Cow<'u, str>>>,
}

impl<'u> UrlParts<'u> {
    /// Returns the parts of a URL. The list splits its host.
    pub fn new(url: &'u Url, list: &'u SuffixList) -> Self {
        Self::of_view(url.view(), list)
    }

    /// Parses an absolute URL. The parts borrow from `text` if a scan recognises it to be in normal form.
    /// Otherwise they borrow from the URL that is stored in `parsed`.
    ///
    /// ```
    /// use urlid::suffix::SuffixList;
    /// use urlid::web::{Part, UrlParts};
    ///
    /// let mut parsed = None;
    /// let parts = UrlParts::parse("https://EXAMPLE.com/a", SuffixList::compiled(), &mut parsed)?;
    /// assert_eq!(parts.get(Part::Host), Some("example.com"));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Url::parse`].
    #[inline]
    pub fn parse(text: &'u str, list: &'u SuffixList, parsed: &'u mut Option<Url>) -> Result<Self, Error> {
        let url = match view(text) {
            Some(url) => url,
            None => parsed.insert(Url::parse(text)?).view(),
        };
        Ok(Self::of_view(url, list))
    }

    #[inline(always)]
    fn of_view(url: UrlView<'u>, list: &'u SuffixList) -> Self {
        Self { url, list, name: OnceCell::new(), origin: OnceCell::new() }
    }

    /// Returns the normal text.
    pub fn as_str(&self) -> &'u str {
        self.url.text
    }

    /// Returns the names and values of the query, decoded as `application/x-www-form-urlencoded`.
    pub fn query_pairs(&self) -> QueryPairs<'u> {
        QueryPairs::new(self.url.query().unwrap_or_default())
    }

    /// Returns a part, or `None` if the URL lacks it.
    ///
    /// A part may be present and empty: `http://h/?` has an empty query. `file:///` does not have a host.
    pub fn get(&self, part: Part) -> Option<&str> {
        self.find(part, || *self.name.get_or_init(|| self.split_name()))
    }

    /// Returns all parts, in the order of [`Part::ALL`].
    #[inline]
    pub fn all(&self) -> [Option<&str>; Part::ALL.len()] {
        let name = self.split_name();
        // Written out one by one, so that the compiler finds each part without a jump.
        let find = |part| self.find(part, || name);
        [
            find(Part::Scheme),
            find(Part::User),
            find(Part::Host),
            find(Part::HostKind),
            find(Part::Port),
            find(Part::Sub),
            find(Part::Domain),
            find(Part::Tld),
            find(Part::RegisteredDomain),
            find(Part::Path),
            find(Part::File),
            find(Part::Query),
            find(Part::Fragment),
            find(Part::Origin),
        ]
    }

    /// Returns the values of a table's columns: all parts, in the order of [`Part::ALL`]. The value is `None`
    /// for a part that is present and empty, unless it [may be empty](Part::may_be_empty).
    #[inline]
    pub fn columns(&self) -> [Option<&str>; Part::ALL.len()] {
        let mut all = self.all();
        // Except for the parts that may be empty, only these can be present and empty.
        for part in [Part::Sub, Part::File] {
            all[part as usize] = all[part as usize].filter(|value| !value.is_empty());
        }
        all
    }

    /// Returns a part. `name` returns the host and its split, if the host is a name.
    #[inline(always)]
    fn find(&self, part: Part, name: impl FnOnce() -> Option<(&'u str, Split<'u>)>) -> Option<&str> {
        let url = &self.url;
        let not_empty = |text: &'u str| Some(text).filter(|text| !text.is_empty());
        match part {
            Part::Scheme => Some(url.scheme()),
            Part::User => not_empty(url.username()),
            Part::Host => not_empty(url.host_str()?),
            Part::HostKind => Some(match url.host()? {
                Host::Empty => return None,
                Host::Domain(_) => "domain",
                Host::Ipv4(_) => "ipv4",
                Host::Ipv6(_) => "ipv6",
                Host::Opaque(_) => "opaque",
            }),
            Part::Port => url.port_str(),
            Part::Sub | Part::Domain | Part::Tld | Part::RegisteredDomain => {
                let (name, split) = name()?;
                part.of_split(name, split)
            }
            Part::Path => Some(url.path()),
            Part::File => url.file(),
            Part::Query => url.query(),
            Part::Fragment => url.fragment(),
            Part::Origin => match url.origin_in_text() {
                Some(origin) => Some(origin),
                None => self.origin.get_or_init(|| origin_of(*url)).as_deref(),
            },
        }
    }

    #[inline]
    fn split_name(&self) -> Option<(&'u str, Split<'u>)> {
        self.url.dns_name().map(|name| (name, self.list.split_normal(name)))
    }
}
