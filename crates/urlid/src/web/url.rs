//! A URL in its WHATWG normal form, and its parts.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::view::{Parts, UrlView};
use crate::escape::escaped_byte;
use crate::host::Host;
use crate::reference::{Class, Context, Reference};
use crate::suffix::SuffixList;

/// A URL in its WHATWG normal form.
///
/// Only the parser makes a `Url`, so a hashed text is always in normal form. The text is ASCII, and parsing
/// it again gives the same value.
///
/// ```
/// use urlid::web::Url;
///
/// let url = Url::parse("HTTPS://Example.COM:443/a/../b c?q#f")?;
/// assert_eq!(url.as_str(), "https://example.com/b%20c?q#f");
/// assert_eq!(url.join("../d")?.as_str(), "https://example.com/d");
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Url {
    text: String,
    parts: Parts,
}

impl Url {
    pub(super) fn from_parts(text: String, parts: Parts) -> Self {
        Self { text, parts }
    }

    /// Returns the text and the parts.
    #[inline(always)]
    pub(super) fn view(&self) -> UrlView<'_> {
        UrlView { text: &self.text, parts: self.parts }
    }

    /// Returns the normal text (the standard's "href").
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the normal text and drops the parts.
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
        self.view().scheme()
    }

    /// Returns the percent-encoded user, or an empty text if it is absent.
    pub fn username(&self) -> &str {
        self.view().username()
    }

    /// Returns the percent-encoded password.
    pub fn password(&self) -> Option<&str> {
        self.text.get(self.parts.user_end..self.parts.host_start)?.strip_prefix(':')?.strip_suffix('@')
    }

    /// Returns whether there is an authority, which may be empty.
    pub fn has_authority(&self) -> bool {
        self.parts.host.is_some()
    }

    /// Returns the host by its kind, or `None` without an authority.
    pub fn host(&self) -> Option<Host<'_>> {
        self.view().host()
    }

    /// Returns the text of the host. An IPv6 address keeps its brackets.
    pub fn host_str(&self) -> Option<&str> {
        self.view().host_str()
    }

    /// Returns the range of the user information with its `@`, and the range of the host. The range of an
    /// absent part is empty.
    #[doc(hidden)]
    pub fn user_and_host(&self) -> (Range<usize>, Range<usize>) {
        let Parts { scheme_end, host_start, host_end, .. } = self.parts;
        let user = if self.has_authority() { scheme_end + "//".len() } else { host_start };
        (user..host_start, host_start..host_end)
    }

    /// Returns the host if it is a domain name.
    pub fn domain(&self) -> Option<&str> {
        match self.host()? {
            Host::Domain(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the host in the form that a [`SuffixList`] splits: a domain name without its trailing dot.
    /// Returns `None` if the host is not a domain name or has an empty label.
    ///
    /// ```
    /// let url = urlid::Url::parse("https://www.Example.co.uk./")?;
    /// let name = url.dns_name().expect("it is a domain name");
    /// assert_eq!(name, "www.example.co.uk");
    /// assert_eq!(urlid::Url::parse("http://127.0.0.1/")?.dns_name(), None);
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn dns_name(&self) -> Option<&str> {
        self.view().dns_name()
    }

    /// Returns the registered domain: the public suffix of the host and the label before it. Returns `None`
    /// if the host is a public suffix or not a domain name.
    ///
    /// ```
    /// use urlid::suffix::SuffixList;
    ///
    /// let url = urlid::Url::parse("https://www.Example.co.uk./")?;
    /// assert_eq!(url.registered_domain(SuffixList::compiled()), Some("example.co.uk"));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn registered_domain(&self, list: &SuffixList) -> Option<&str> {
        let name = self.dns_name()?;
        list.split_normal(name).registered_domain(name)
    }

    /// Returns the origin as the standard serialises it: scheme, host and port. Returns `None` for an opaque
    /// origin, such as the origin of a `file` URL.
    pub fn origin(&self) -> Option<Cow<'_, str>> {
        origin_of(self.view())
    }

    /// Returns the segments of the path, or `None` if the path is opaque.
    ///
    /// ```
    /// let url = urlid::Url::parse("https://example.com/a/b%20c/")?;
    /// assert!(url.path_segments().expect("it is rooted").eq(["a", "b%20c", ""]));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn path_segments(&self) -> Option<core::str::Split<'_, char>> {
        self.path().strip_prefix('/').map(|path| path.split('/'))
    }

    /// Returns the names and values of the query, decoded as `application/x-www-form-urlencoded`.
    ///
    /// ```
    /// let url = urlid::Url::parse("https://example.com/?a=b+c&d=%C3%A9&e")?;
    /// let pairs: Vec<_> = url.query_pairs().collect();
    /// let expected = [("a", "b c"), ("d", "é"), ("e", "")];
    /// assert_eq!(pairs, expected.map(|(name, value)| (name.into(), value.into())));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn query_pairs(&self) -> QueryPairs<'_> {
        QueryPairs::new(self.query().unwrap_or_default())
    }

    /// Returns the port, if it is not the scheme's default.
    pub fn port(&self) -> Option<u16> {
        self.parts.port
    }

    /// Returns the path (the standard's "pathname").
    pub fn path(&self) -> &str {
        self.view().path()
    }

    /// Returns the query without its `?`.
    pub fn query(&self) -> Option<&str> {
        self.view().query()
    }

    /// Returns the fragment without its `#`.
    pub fn fragment(&self) -> Option<&str> {
        self.view().fragment()
    }
}

pub(super) fn origin_of(url: UrlView<'_>) -> Option<Cow<'_, str>> {
    if let Some(origin) = url.origin_in_text() {
        return Some(Cow::Borrowed(origin));
    }
    if url.has_tuple_origin() {
        // User information is between scheme and host, and is not part of an origin.
        let Parts { scheme_end, host_start, path_start, .. } = url.parts;
        let scheme = &url.text[..scheme_end + "//".len()];
        return Some(Cow::Owned([scheme, &url.text[host_start..path_start]].concat()));
    }
    if url.scheme() != "blob" {
        return None;
    }
    let inner = Url::parse(url.path()).ok()?;
    // Inside a `blob` URL, every other scheme has an opaque origin, so `blob:ftp://h/` has no tuple origin.
    let origin = matches!(inner.scheme(), "http" | "https").then(|| inner.origin())??;
    Some(Cow::Owned(origin.into_owned()))
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

/// The decoded names and values of a query (WHATWG URL, "application/x-www-form-urlencoded parsing"). Bytes
/// that are not UTF-8 become U+FFFD.
///
/// ```
/// let url = urlid::Url::parse("https://example.com/?a=1&b+c=%41")?;
/// let pairs: Vec<(String, String)> = url.query_pairs().collect();
/// assert_eq!(pairs[1], ("b c".to_owned(), "A".to_owned()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct QueryPairs<'a>(core::str::Split<'a, char>);

impl<'a> QueryPairs<'a> {
    pub(super) fn new(query: &'a str) -> Self {
        Self(query.split('&'))
    }
}

impl Iterator for QueryPairs<'_> {
    type Item = (String, String);

    fn next(&mut self) -> Option<Self::Item> {
        // The standard skips empty sequences, so `a&&b` has two pairs.
        let pair = self.0.find(|pair| !pair.is_empty())?;
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        Some((decode(name), decode(value)))
    }
}

/// Decodes `+` and `%XX`. Bytes that are not UTF-8 become U+FFFD.
pub(crate) fn decode(text: &str) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match (byte, escaped_byte(tail)) {
            (b'+', _) => decoded.push(b' '),
            (b'%', Some(value)) => {
                decoded.push(value);
                rest = &tail[2..];
            }
            _ => decoded.push(byte),
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
