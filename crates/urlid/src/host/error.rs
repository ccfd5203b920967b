//! Why a text is not a host.

use core::fmt;

use crate::excerpt::Excerpt;

/// Why a text is not a host.
///
/// ```
/// let error = urlid::Url::parse("http://a^b/").unwrap_err();
/// assert_eq!(error.to_string(), "host has a forbidden character: found `a^b`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HostError {
    /// A byte that no host may hold, after percent-decoding and mapping.
    ForbiddenByte {
        /// The host as it was given.
        host: Excerpt,
    },
    /// The bytes after percent-decoding are not UTF-8.
    NotUtf8 {
        /// The host as it was given.
        host: Excerpt,
    },
    /// It is not valid under UTS 46, Unicode's processing of internationalised names.
    Idna {
        /// The host as it was given.
        host: Excerpt,
    },
    /// A label is longer than what is mapped: 1,000 characters, or 2,000 in Punycode.
    LongLabel {
        /// The host as it was given.
        host: Excerpt,
    },
    /// Nothing is left after mapping.
    Empty,
    /// The last label is a number and the host is no IPv4 address.
    Ipv4 {
        /// The host as it was given.
        host: Excerpt,
    },
    /// Brackets without an IPv6 address between them.
    Ipv6 {
        /// The host as it was given.
        host: Excerpt,
    },
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ForbiddenByte { host } => write!(f, "host has a forbidden character: found {host}"),
            Self::NotUtf8 { host } => write!(f, "host is not UTF-8 after percent-decoding: found {host}"),
            Self::Idna { host } => write!(f, "host is no valid internationalised name: found {host}"),
            Self::LongLabel { host } => write!(f, "host has a label too long to be mapped: found {host}"),
            Self::Empty => write!(f, "host is empty after mapping"),
            Self::Ipv4 { host } => write!(f, "host ends in a number and is no IPv4 address: found {host}"),
            Self::Ipv6 { host } => write!(f, "host is no IPv6 address in brackets: found {host}"),
        }
    }
}

impl core::error::Error for HostError {}
