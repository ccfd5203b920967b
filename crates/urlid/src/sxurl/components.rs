//! The eight components of a URL that an SXURL is made of (SXURL, section 3).
//!
//! The text is taken as given, in generic (RFC 3986) syntax: no cleaning, no dot removal, no encoding. The host alone
//! is mapped. Errors come in the order scheme, host, port (docs/spec/sxurl.md, S-3).

use std::borrow::Cow;

use super::dns;
use super::error::EncodeError;
use super::layout::{self, Field, Scheme, Slice};
use super::value::Sxurl;
use crate::excerpt::Excerpt;
use crate::reference::{Authority, Context, Reference};
use crate::suffix;

/// What an identifier is made of: scheme, host split at its public suffix, port, path, query and fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components<'a> {
    scheme: Scheme,
    host: Cow<'a, str>,
    /// Byte offset of the registrable label in `host`; its end if there is none.
    domain_start: usize,
    /// Byte offset of the public suffix in `host`.
    tld_start: usize,
    port: Option<u16>,
    path: &'a str,
    query: &'a str,
    fragment: &'a str,
    has_userinfo: bool,
}

impl<'a> Components<'a> {
    /// Takes a URL apart, its host by a public suffix list.
    ///
    /// # Errors
    /// [`EncodeError`] if the URL has no identifier.
    pub fn parse(text: &'a str, list: &suffix::List) -> Result<Self, EncodeError> {
        let url = Reference::parse(text, Context::Rfc3986)
            .map_err(|error| EncodeError::TooLong { length: error.length })?;
        let scheme = url
            .scheme()
            .and_then(Scheme::from_name)
            .ok_or_else(|| EncodeError::Scheme { found: url.scheme().map(Excerpt::of) })?;
        let authority = url.authority().ok_or(EncodeError::NoAuthority)?;
        let host = map_host(&authority)?;
        let port = port(&authority)?;

        let split = list.split(&host);
        let tld_start = host.len() - split.tld.len();
        let domain_start = match split.domain {
            "" => tld_start,
            domain => tld_start - 1 - domain.len(),
        };
        Ok(Self {
            scheme,
            host,
            domain_start,
            tld_start,
            port,
            path: if url.path().is_empty() { "/" } else { url.path() },
            query: url.query().unwrap_or_default(),
            fragment: url.fragment().unwrap_or_default(),
            has_userinfo: authority.user.is_some(),
        })
    }

    /// Returns the scheme.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the whole host in ASCII.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Returns the public suffix.
    pub fn tld(&self) -> &str {
        &self.host[self.tld_start..]
    }

    /// Returns the label left of the public suffix; empty if the host is a public suffix itself.
    pub fn domain(&self) -> &str {
        self.host[self.domain_start..self.tld_start].trim_end_matches('.')
    }

    /// Returns everything left of the domain; may be empty.
    pub fn sub(&self) -> &str {
        self.host[..self.domain_start].trim_end_matches('.')
    }

    /// Returns the port, if one is written.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// Returns the path as written; `/` if it is empty.
    pub fn path(&self) -> &'a str {
        self.path
    }

    /// Returns the query as written, without its `?`; empty if there is none.
    pub fn query(&self) -> &'a str {
        self.query
    }

    /// Returns the fragment as written, without its `#`; empty if there is none.
    pub fn fragment(&self) -> &'a str {
        self.fragment
    }

    /// Returns whether a user was written. It is in no slice, and not in the normal text.
    pub fn has_userinfo(&self) -> bool {
        self.has_userinfo
    }

    /// Returns the part that a slice is the hash of.
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
        let flag = |is_present: bool, flag: u16| if is_present { flag } else { 0 };
        let header = layout::header(self.scheme)
            | flag(!self.sub().is_empty(), layout::SUB_PRESENT)
            | flag(!self.query.is_empty(), layout::PARAMS_PRESENT)
            | flag(!self.fragment.is_empty(), layout::FRAG_PRESENT)
            | flag(self.port.is_some(), layout::PORT_PRESENT);

        let mut id = [0; 32];
        Field::Header.set(&mut id, u64::from(header));
        Field::Port.set(&mut id, u64::from(self.port.unwrap_or(0)));
        for slice in Slice::ALL {
            slice.field().set(&mut id, slice.hash(self.part(slice)));
        }
        Sxurl::from_encoder(id)
    }

    /// Returns the SXURL normal text: equal components have one text, different components different ones, whatever
    /// their identifiers.
    pub fn to_normal_text(&self) -> String {
        let mut text = [self.scheme.name(), "://", &self.host].concat();
        if let Some(port) = self.port {
            text.push(':');
            text.push_str(&port.to_string());
        }
        text.push_str(self.path);
        for (delimiter, part) in [('?', self.query), ('#', self.fragment)] {
            if !part.is_empty() {
                text.push(delimiter);
                text.push_str(part);
            }
        }
        text
    }
}

fn map_host<'a>(authority: &Authority<'a>) -> Result<Cow<'a, str>, EncodeError> {
    match authority.port.is_some_and(|port| port.contains(':')) {
        true => Err(EncodeError::AddressLiteral { host: Excerpt::of(authority.host) }),
        false => dns::map(authority.host),
    }
}

/// Reads the port: decimal digits, leading zeros allowed, 1 to 65535; an empty text is none.
fn port(authority: &Authority<'_>) -> Result<Option<u16>, EncodeError> {
    match authority.port {
        None | Some("") => Ok(None),
        Some(text) => match authority.port_number() {
            Some(port) if port > 0 => Ok(Some(port)),
            _ => Err(EncodeError::Port { found: Excerpt::of(text) }),
        },
    }
}
