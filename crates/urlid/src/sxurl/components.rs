//! The eight components of a URL that an SXURL is made of (SXURL, section 3).
//!
//! The text is read unchanged, in generic (RFC 3986) syntax: it is not cleaned or encoded, and dots are not
//! removed. Only the host is mapped. Errors are reported in the order scheme, host, port (S-3). The host and
//! its port depend only on the authority's text and the list, so `batch` caches their hashes.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};

use super::dns::{self, PlainName};
use super::error;
use super::hash::hash_parts;
use super::header::{Flags, Header, Scheme};
use super::layout::Slice;
use super::pack::pack;
use super::value::Sxurl;
use crate::error::Error;
use crate::reference::{Authority, Context, Reference};
use crate::suffix;

/// The parts of a URL in an identifier: scheme, host split at its public suffix, port, path, query and
/// fragment.
///
/// ```
/// use urlid::suffix::SuffixList;
/// use urlid::sxurl::{Components, Sxurl};
///
/// let components = Components::parse("https://docs.rs?q", SuffixList::compiled())?;
/// assert_eq!((components.tld(), components.domain(), components.path()), ("rs", "docs", "/"));
/// assert_eq!(components.encode(), Sxurl::encode("https://docs.rs/?q")?);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components<'a> {
    scheme: Scheme,
    host: HostAndPort<'a>,
    path: &'a str,
    query: &'a str,
    fragment: &'a str,
    has_userinfo: bool,
}

impl<'a> Components<'a> {
    /// Splits a URL into its components, and its host by a public suffix list.
    ///
    /// # Errors
    /// [`Error`] if the URL has no identifier.
    pub fn parse(text: &'a str, list: &suffix::SuffixList) -> Result<Self, Error> {
        let url = Reference::parse(text, Context::Rfc3986)?;
        let scheme = url.scheme().and_then(Scheme::from_name).ok_or_else(|| error::scheme(url.scheme()))?;
        // This check is after the scheme and before host and port: S-3 defines the order of errors.
        let authority = url.authority_text().ok_or_else(|| error::NO_AUTHORITY.error())?;
        Ok(Self {
            scheme,
            host: HostAndPort::parse(authority, list)?,
            // S-2: `https://h` and `https://h/` have the same identifier.
            path: if url.path().is_empty() { "/" } else { url.path() },
            query: url.query().unwrap_or_default(),
            fragment: url.fragment().unwrap_or_default(),
            has_userinfo: authority.contains('@'),
        })
    }

    /// Returns the scheme, which is one of the three with a code.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the whole host in ASCII.
    pub fn host(&self) -> &str {
        self.host.host()
    }

    /// Returns the public suffix.
    pub fn tld(&self) -> &str {
        self.host.tld()
    }

    /// Returns the label left of the public suffix. It is empty if the host is a public suffix.
    pub fn domain(&self) -> &str {
        self.host.domain()
    }

    /// Returns the labels left of the domain. May be empty.
    pub fn sub(&self) -> &str {
        self.host.sub()
    }

    /// Returns the port, if the URL has one.
    pub fn port(&self) -> Option<u16> {
        self.host.port()
    }

    /// Returns the path as written, or `/` if it is empty.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Returns the query as written, without its `?`. It is empty if the query is absent.
    pub fn query(&self) -> &'a str {
        self.query
    }

    /// Returns the fragment as written, without its `#`. It is empty if the fragment is absent.
    pub fn fragment(&self) -> &'a str {
        self.fragment
    }

    /// Returns whether a user was written. Slices and the normal text ignore the user.
    pub fn has_userinfo(&self) -> bool {
        self.has_userinfo
    }

    /// Returns the part that is hashed into a slice.
    pub fn part(&self, slice: Slice) -> &str {
        match slice {
            Slice::Tld => self.tld(),
            Slice::Domain => self.domain(),
            Slice::Sub => self.sub(),
            Slice::Path => self.path,
            Slice::Params => self.query,
            Slice::Frag => self.fragment,
        }
    }

    /// Returns the identifier (section 6).
    pub fn encode(&self) -> Sxurl {
        let flags = Flags::SUB.when(!self.sub().is_empty())
            | Flags::PARAMS.when(!self.query.is_empty())
            | Flags::FRAG.when(!self.fragment.is_empty())
            | Flags::PORT.when(self.port().is_some());
        let header = Header { scheme: self.scheme, flags };
        let hashes = hash_parts(|slice| self.part(slice), self.host.tld_hash());
        Sxurl::from_encoder(pack(header, self.port().unwrap_or(0), hashes))
    }

    /// Returns the SXURL normal text. Equal components have the same text, and different components have
    /// different texts, even if their identifiers are equal.
    pub fn to_normal_text(&self) -> String {
        let mut text = [self.scheme.name(), "://", self.host()].concat();
        if let Some(port) = self.port() {
            text.push(':');
            text.push_str(&port.to_string());
        }
        text.push_str(self.path);
        for (delimiter, part) in [('?', self.query), ('#', self.fragment)] {
            // An empty part has the same flag and hash as an absent part, so it must have the same text.
            if !part.is_empty() {
                text.push(delimiter);
                text.push_str(part);
            }
        }
        text
    }
}

impl Sxurl {
    /// Returns the identifier of a URL, using the compiled public suffix list with all sections.
    ///
    /// # Errors
    /// [`Error`] if the URL does not have an identifier.
    pub fn encode(url: &str) -> Result<Self, Error> {
        Self::encode_with(url, suffix::SuffixList::compiled_with(suffix::Sections::All))
    }

    /// Returns the identifier of a URL, using the given public suffix list.
    ///
    /// # Errors
    /// [`Error`] if the URL does not have an identifier.
    pub fn encode_with(url: &str, list: &suffix::SuffixList) -> Result<Self, Error> {
        Ok(Components::parse(url, list)?.encode())
    }
}

/// A host in ASCII with its three parts, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostAndPort<'a> {
    host: Cow<'a, str>,
    /// Byte offset of the registrable label in `host`, or of the public suffix if there is no such label.
    domain_start: usize,
    /// Byte offset of the public suffix in `host`.
    tld_start: usize,
    tld_hash: Option<u16>,
    port: Option<u16>,
}

impl<'a> HostAndPort<'a> {
    /// Maps and checks the host of an authority, then its port (S-3).
    pub(crate) fn parse(text: &'a str, list: &suffix::SuffixList) -> Result<Self, Error> {
        match PlainName::parse(text) {
            Some(name) => Ok(Self::of_plain_name(name, list)),
            None => {
                let authority = Authority::split(text);
                let (host, port) = (map_host(&authority)?, port(&authority)?);
                Ok(Self::split(host, port, list))
            }
        }
    }

    /// Splits an authority that is a plain name.
    #[inline]
    pub(crate) fn of_plain_name(name: PlainName<'a>, list: &suffix::SuffixList) -> Self {
        Self::split(Cow::Borrowed(name.as_str()), None, list)
    }

    #[inline]
    fn split(host: Cow<'a, str>, port: Option<u16>, list: &suffix::SuffixList) -> Self {
        let split = list.split_offsets(&host);
        Self { host, domain_start: split.domain, tld_start: split.tld, tld_hash: split.tld_hash, port }
    }

    /// Returns the whole host in ASCII.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns the public suffix.
    pub(crate) fn tld(&self) -> &str {
        &self.host[self.tld_start..]
    }

    /// Returns the label left of the public suffix. It is empty if the host is a public suffix.
    pub(crate) fn domain(&self) -> &str {
        without_dot(&self.host[self.domain_start..self.tld_start])
    }

    /// Returns the labels left of the domain. May be empty.
    pub(crate) fn sub(&self) -> &str {
        without_dot(&self.host[..self.domain_start])
    }

    /// Returns the slice of the public suffix, if it is precomputed.
    pub(crate) fn tld_hash(&self) -> Option<u64> {
        self.tld_hash.map(u64::from)
    }

    /// Returns the port, if the URL has one.
    pub(crate) fn port(&self) -> Option<u16> {
        self.port
    }
}

fn without_dot(text: &str) -> &str {
    text.strip_suffix('.').unwrap_or(text)
}

fn map_host<'a>(authority: &Authority<'a>) -> Result<Cow<'a, str>, Error> {
    // Two colons outside brackets are an address, not a port out of range (S-7).
    if authority.port.is_some_and(|port| port.contains(':')) {
        Err(error::ADDRESS_LITERAL.found(authority.host))
    } else {
        dns::map(authority.host)
    }
}

/// Reads the port: decimal digits from 1 to 65535, with leading zeros allowed. An empty text counts as
/// absent.
fn port(authority: &Authority<'_>) -> Result<Option<u16>, Error> {
    match authority.port {
        // An empty port counts as absent (RFC 3986, 3.2.3).
        None | Some("") => Ok(None),
        Some(text) => match authority.port_number() {
            // In an SXURL, port 0 means that the port is absent (S-12), so it cannot be a port.
            Some(port) if port > 0 => Ok(Some(port)),
            _ => Err(error::PORT.found(text)),
        },
    }
}
