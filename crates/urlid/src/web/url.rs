//! A URL in its WHATWG normal form, and its parts.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use super::query_pairs::QueryPairs;
use crate::host::{Host, HostKind};
use crate::reference::{Class, Context, Reference};

/// A URL in its WHATWG normal form.
///
/// Only the parser makes one, so a hashed text is always in normal form. The text is ASCII, and parsing it gives the same
/// value again.
///
/// ```
/// use urlid::web::Url;
///
/// let url = Url::parse("HTTPS://Example.COM:443/a/../b c?q#f")?;
/// assert_eq!(url.as_str(), "https://example.com/b%20c?q#f");
/// assert_eq!(url.join("../d")?.as_str(), "https://example.com/d");
/// # Ok::<(), urlid::web::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url {
    text: String,
    parts: Parts,
}

/// Byte offsets into the text, the kind of the host, and the port.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Parts {
    /// After the scheme's colon.
    pub(super) scheme_end: usize,
    pub(super) user_end: usize,
    pub(super) host_start: usize,
    pub(super) host_end: usize,
    pub(super) path_start: usize,
    pub(super) path_end: usize,
    pub(super) query_end: usize,
    pub(super) host: Option<HostKind>,
    pub(super) port: Option<u16>,
}

impl Parts {
    /// Sets the offsets of an authority that is not there.
    pub(super) fn set_no_authority(&mut self, at: usize) {
        (self.user_end, self.host_start, self.host_end) = (at, at, at);
    }
}

impl Url {
    pub(super) fn from_parts(text: String, parts: Parts) -> Self {
        Self { text, parts }
    }

    /// Returns the normal text (the standard's "href").
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the normal text, giving up the parts.
    pub fn into_string(self) -> String {
        self.text
    }

    /// Returns the text as a [`Reference`].
    pub fn as_reference(&self) -> Reference<'_> {
        Reference::parse(&self.text, Context::Whatwg(Class::Generic))
            .expect("the text of a Url is shorter than 4 GiB: normalise checks it")
    }

    /// Returns the scheme, in lower case and without its colon.
    pub fn scheme(&self) -> &str {
        &self.text[..self.parts.scheme_end - 1]
    }

    /// Returns the user, percent-encoded; empty if there is none.
    pub fn username(&self) -> &str {
        match self.has_authority() {
            true => &self.text[self.parts.scheme_end + 2..self.parts.user_end],
            false => "",
        }
    }

    /// Returns the password, percent-encoded.
    pub fn password(&self) -> Option<&str> {
        self.text.get(self.parts.user_end..self.parts.host_start)?.strip_prefix(':')?.strip_suffix('@')
    }

    /// Returns whether there is an authority, which may be empty.
    pub fn has_authority(&self) -> bool {
        self.parts.host.is_some()
    }

    /// Returns the host.
    pub fn host(&self) -> Option<Host<'_>> {
        Some(self.parts.host?.with_text(&self.text[self.parts.host_start..self.parts.host_end]))
    }

    /// Returns the text of the host; an IPv6 address has its brackets.
    pub fn host_str(&self) -> Option<&str> {
        self.parts.host.map(|_| &self.text[self.parts.host_start..self.parts.host_end])
    }

    /// Returns the host if it is a domain name.
    pub fn domain(&self) -> Option<&str> {
        match self.host()? {
            Host::Domain(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the host as a [`SuffixList`](crate::suffix::SuffixList) splits it: a domain name without the dot at its end.
    /// None if the host is anything else, or has an empty label.
    ///
    /// ```
    /// use urlid::suffix::{Sections, SuffixList};
    ///
    /// let url = urlid::Url::parse("https://www.Example.co.uk./")?;
    /// let name = url.dns_name().expect("it is a domain name");
    /// assert_eq!(name, "www.example.co.uk");
    /// assert_eq!(SuffixList::compiled(Sections::All).registered_domain(name), Some("example.co.uk"));
    /// assert_eq!(urlid::Url::parse("http://127.0.0.1/")?.dns_name(), None);
    /// # Ok::<(), urlid::web::ParseError>(())
    /// ```
    pub fn dns_name(&self) -> Option<&str> {
        dns_name(self.domain()?)
    }

    /// Returns the origin as the standard serialises it, scheme, host and port; none if it is opaque, as that of a
    /// `file` URL is.
    pub fn origin(&self) -> Option<Cow<'_, str>> {
        match self.scheme() {
            "blob" => {
                let inner = Self::parse(self.path()).ok()?;
                let origin = matches!(inner.scheme(), "http" | "https").then(|| inner.origin())??;
                Some(Cow::Owned(origin.into_owned()))
            }
            "http" | "https" | "ws" | "wss" | "ftp" => {
                let Parts { scheme_end, host_start, path_start, .. } = self.parts;
                let authority = scheme_end + "//".len();
                Some(match host_start == authority {
                    true => Cow::Borrowed(&self.text[..path_start]),
                    false => {
                        Cow::Owned([&self.text[..authority], &self.text[host_start..path_start]].concat())
                    }
                })
            }
            _ => None,
        }
    }

    /// Returns the segments of the path; none if the path is opaque.
    ///
    /// ```
    /// let url = urlid::Url::parse("https://example.com/a/b%20c/")?;
    /// assert!(url.path_segments().expect("it is rooted").eq(["a", "b%20c", ""]));
    /// # Ok::<(), urlid::web::ParseError>(())
    /// ```
    pub fn path_segments(&self) -> Option<core::str::Split<'_, char>> {
        self.path().strip_prefix('/').map(|path| path.split('/'))
    }

    /// Returns the names and values of the query, decoded as `application/x-www-form-urlencoded`.
    ///
    /// ```
    /// let url = urlid::Url::parse("https://example.com/?a=b+c&d=%C3%A9&e")?;
    /// let pairs: Vec<_> = url.query_pairs().collect();
    /// assert_eq!(pairs, [("a", "b c"), ("d", "é"), ("e", "")].map(|(name, value)| (name.into(), value.into())));
    /// # Ok::<(), urlid::web::ParseError>(())
    /// ```
    pub fn query_pairs(&self) -> QueryPairs<'_> {
        QueryPairs::of(self.query().unwrap_or_default())
    }

    /// Returns the port, if it is not the scheme's default.
    pub fn port(&self) -> Option<u16> {
        self.parts.port
    }

    /// Returns the path (the standard's "pathname").
    pub fn path(&self) -> &str {
        &self.text[self.parts.path_start..self.parts.path_end]
    }

    /// Returns the query without its `?`.
    pub fn query(&self) -> Option<&str> {
        self.text[self.parts.path_end..self.parts.query_end].strip_prefix('?')
    }

    /// Returns the fragment without its `#`.
    pub fn fragment(&self) -> Option<&str> {
        self.text[self.parts.query_end..].strip_prefix('#')
    }
}

/// Returns a domain name without the dot at its end; none if it has an empty label.
pub(super) fn dns_name(name: &str) -> Option<&str> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let mut before = b'.';
    let is_whole = name.bytes().all(|byte| {
        let is_empty = byte == b'.' && before == b'.';
        before = byte;
        !is_empty
    });
    (is_whole && before != b'.').then_some(name)
}

impl AsRef<str> for Url {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Url({:?})", self.text)
    }
}
