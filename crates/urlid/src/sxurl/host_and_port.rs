//! The host of an authority, split at the public suffix, and its port (SXURL, section 3).
//!
//! Both depend on the authority's text and the list alone, so `batch` caches their hashes.

use alloc::borrow::Cow;

use super::dns::{self, PlainName};
use crate::error::Error;
use crate::reference::Authority;
use crate::suffix;
use crate::sxurl::error;

/// A host in ASCII with its three parts, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostAndPort<'a> {
    host: Cow<'a, str>,
    /// Byte offset of the registrable label in `host`, or that of the public suffix without one.
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

    /// Takes an authority that is a plain name.
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

    /// Returns the label left of the public suffix; empty if the host is a public suffix itself.
    pub(crate) fn domain(&self) -> &str {
        without_dot(&self.host[self.domain_start..self.tld_start])
    }

    /// Returns everything left of the domain; may be empty.
    pub(crate) fn sub(&self) -> &str {
        without_dot(&self.host[..self.domain_start])
    }

    /// Returns the slice of the public suffix, if it is precomputed.
    pub(crate) fn tld_hash(&self) -> Option<u64> {
        self.tld_hash.map(u64::from)
    }

    /// Returns the port, if one is written.
    pub(crate) fn port(&self) -> Option<u16> {
        self.port
    }
}

fn without_dot(text: &str) -> &str {
    text.strip_suffix('.').unwrap_or(text)
}

fn map_host<'a>(authority: &Authority<'a>) -> Result<Cow<'a, str>, Error> {
    // Without brackets, two colons are an address and not a port out of range (S-7).
    if authority.port.is_some_and(|port| port.contains(':')) {
        Err(error::ADDRESS_LITERAL.found(authority.host))
    } else {
        dns::map(authority.host)
    }
}

/// Reads the port: decimal digits, leading zeros allowed, 1 to 65535. An empty text counts as no port.
fn port(authority: &Authority<'_>) -> Result<Option<u16>, Error> {
    match authority.port {
        // An empty port counts as none (RFC 3986, 3.2.3).
        None | Some("") => Ok(None),
        Some(text) => match authority.port_number() {
            // A port of 0 in an SXURL means that none is written (S-12), so it cannot be a port.
            Some(port) if port > 0 => Ok(Some(port)),
            _ => Err(error::PORT.found(text)),
        },
    }
}
