//! Hosts: domain names, IPv4 and IPv6 addresses, opaque hosts (WHATWG URL, "Host parsing").
//!
//! Maps the text of a host to its normal text, for the normal form of [`web`](crate::web) and the DNS names
//! of [`sxurl`](crate::sxurl). [`reference`](crate::reference) finds the host in a URL.

mod domain;
pub(crate) mod error;
pub(crate) mod ipv4;
pub(crate) mod ipv6;
pub(crate) mod mapping;

use crate::error::Error;
use alloc::string::{String, ToString};
use core::net::{Ipv4Addr, Ipv6Addr};

pub use domain::to_unicode;
pub(crate) use domain::{DomainProfile, domain_to_ascii};

use domain::is_forbidden_host_byte;
pub(crate) use ipv4::ends_in_number;

/// A host in its normal form.
///
/// ```
/// use urlid::{Url, host::Host};
///
/// let url = Url::parse("http://0x7f.1/")?;
/// assert_eq!(url.host(), Some(Host::Ipv4([127, 0, 0, 1].into())));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Host<'a> {
    /// The empty host of `file:///x`.
    Empty,
    /// A domain name in ASCII, lower case.
    Domain(&'a str),
    /// An IPv4 address.
    Ipv4(Ipv4Addr),
    /// An IPv6 address.
    Ipv6(Ipv6Addr),
    /// The percent-encoded host of a scheme that is not special.
    Opaque(&'a str),
}

/// The kind of a host in a normal text: [`Host`] without the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum HostKind {
    Empty,
    Domain,
    Ipv4(Ipv4Addr),
    Ipv6(Ipv6Addr),
    Opaque,
}

impl HostKind {
    /// Returns the host of this kind with its text.
    pub(crate) fn with_text(self, text: &str) -> Host<'_> {
        match self {
            Self::Empty => Host::Empty,
            Self::Domain => Host::Domain(text),
            Self::Ipv4(address) => Host::Ipv4(address),
            Self::Ipv6(address) => Host::Ipv6(address),
            Self::Opaque => Host::Opaque(text),
        }
    }
}

/// Appends the normal form of the host of a special scheme (WHATWG host parser, "isOpaque" false).
pub(crate) fn push_special(raw: &str, out: &mut String) -> Result<HostKind, Error> {
    if raw.starts_with('[') {
        return push_ipv6(raw, out);
    }
    let start = out.len();
    domain::push(raw, out)?;
    // The check needs the mapped host, in which full-width digits and `%31` have become ASCII digits.
    if !ends_in_number(&out[start..]) {
        return Ok(HostKind::Domain);
    }
    let address = ipv4::parse(&out[start..]).ok_or_else(|| error::IPV4.found(raw))?;
    out.truncate(start);
    out.push_str(&address.to_string());
    Ok(HostKind::Ipv4(address))
}

/// Appends the normal form of the host of any other scheme (WHATWG opaque-host parser).
pub(crate) fn push_opaque(raw: &str, out: &mut String) -> Result<HostKind, Error> {
    if raw.starts_with('[') {
        return push_ipv6(raw, out);
    }
    if raw.bytes().any(is_forbidden_host_byte) {
        return Err(error::FORBIDDEN_BYTE.found(raw));
    }
    // URL Standard, opaque-host parser: other characters are not encoded or mapped, and case stays.
    crate::escape::C0_CONTROL.encode(raw, out);
    Ok(HostKind::Opaque)
}

fn push_ipv6(raw: &str, out: &mut String) -> Result<HostKind, Error> {
    let address = raw
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .and_then(ipv6::parse)
        .ok_or_else(|| if ipv6::has_zone(raw) { error::ZONE } else { error::IPV6 }.found(raw))?;
    out.push('[');
    ipv6::push(&address, out);
    out.push(']');
    Ok(HostKind::Ipv6(address))
}
