//! The value of an authority token: a named tuple of user, password, host and port (Theory of URLs, "URLs").
//!
//! The specification names the kinds of host but not the texts of each kind. Here the characters decide
//! (T-11) and not the scheme, so an authority means the same in every place.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::net::{Ipv4Addr, Ipv6Addr};

use crate::reference::authority::{Authority, Presence};
use crate::reference::error::Violation;

/// An authority with a typed host and a numeric port.
///
/// ```
/// use urlid::reference::{Authority, TypedAuthority};
///
/// let authority = TypedAuthority::try_from(Authority::split("u@h:0080"))?;
/// assert_eq!((authority.port, authority.to_string().as_str()), (Some(80), "u@h:80"));
/// # Ok::<(), urlid::reference::Violation>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypedAuthority {
    /// The user as written, before any `:`.
    pub user: Option<String>,
    /// The password. Present only with a user.
    pub password: Option<String>,
    /// The host. If it is empty, the other three parts are absent.
    pub host: TypedHost,
    /// The port as a number, so leading zeros are lost.
    pub port: Option<u16>,
}

impl TypedAuthority {
    /// Returns which parts are there.
    pub(super) fn presence(&self) -> Presence {
        Presence {
            has_user: self.user.is_some(),
            has_password: self.password.is_some(),
            has_host: !self.host.is_empty(),
            has_port: self.port.is_some(),
            is_port_in_range: true,
        }
    }
}

impl From<TypedHost> for TypedAuthority {
    /// Returns an authority with only this host.
    fn from(host: TypedHost) -> Self {
        Self { user: None, password: None, host, port: None }
    }
}

impl TryFrom<Authority<'_>> for TypedAuthority {
    type Error = Violation;

    fn try_from(authority: Authority<'_>) -> Result<Self, Violation> {
        authority.check()?;
        Ok(Self {
            user: authority.user.map(str::to_owned),
            password: authority.password.map(str::to_owned),
            host: TypedHost::new(authority.host),
            port: authority.port_number(),
        })
    }
}

impl fmt::Display for TypedAuthority {
    /// Writes the text of the token. A password without a user cannot be written and is omitted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(user) = &self.user {
            f.write_str(user)?;
            if let Some(password) = &self.password {
                write!(f, ":{password}")?;
            }
            f.write_str("@")?;
        }
        self.host.fmt(f)?;
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

/// A host of one of the kinds that the specification names.
///
/// ```
/// use urlid::reference::TypedHost;
///
/// assert_eq!(TypedHost::new("1.2.3.4"), TypedHost::Ipv4([1, 2, 3, 4].into()));
/// assert_eq!(TypedHost::new("example.com").kind(), "domain");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypedHost {
    /// The empty string.
    Empty,
    /// A domain name: letters, digits, `-`, `_`, dots and characters that are not ASCII. Its case is kept.
    Domain(String),
    /// An IPv4 address, written as four decimal numbers without leading zeros.
    Ipv4(Ipv4Addr),
    /// An IPv6 address, written in brackets.
    Ipv6(Ipv6Addr),
    /// Any other text.
    Opaque(String),
}

impl TypedHost {
    /// Returns the host that is written as `text`.
    pub fn new(text: &str) -> Self {
        let in_brackets = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if text.is_empty() {
            Self::Empty
        } else if let Some(address) = in_brackets.and_then(|address| address.parse().ok()) {
            Self::Ipv6(address)
        // Addresses are tried before domains, because digits and dots are also allowed in domains.
        } else if let Ok(address) = text.parse() {
            Self::Ipv4(address)
        } else if text.bytes().all(is_domain_byte) {
            Self::Domain(text.to_owned())
        } else {
            Self::Opaque(text.to_owned())
        }
    }

    /// Returns whether the text of the host is empty.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Empty => true,
            // The variants are public, so a caller may have made one with an empty text.
            Self::Domain(name) | Self::Opaque(name) => name.is_empty(),
            Self::Ipv4(_) | Self::Ipv6(_) => false,
        }
    }

    /// Returns the name of the kind: `empty`, `domain`, `ipv4`, `ipv6` or `opaque`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Domain(_) => "domain",
            Self::Ipv4(_) => "ipv4",
            Self::Ipv6(_) => "ipv6",
            Self::Opaque(_) => "opaque",
        }
    }
}

fn is_domain_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.') || !byte.is_ascii()
}

impl fmt::Display for TypedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Domain(name) | Self::Opaque(name) => f.write_str(name),
            Self::Ipv4(address) => address.fmt(f),
            Self::Ipv6(address) => write!(f, "[{address}]"),
        }
    }
}
