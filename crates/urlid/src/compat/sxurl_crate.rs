//! `sxurl-crate-0`, `sxurl-crate-1.0`, `sxurl-crate-1.1`: what the versions of crate `sxurl` emit.
//!
//! They hash the WHATWG-normalised parts, write the effective port, and write zero for an absent part. Versions from
//! 1.0 on have a layout of their own and read the digest's tail little-endian.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::default_ports::default_port;
use crate::digest;
use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::hex::{self, HexError};
use crate::host::{DomainProfile, Host, HostError, domain_to_ascii};
use crate::suffix::{Sections, SuffixList};
use crate::sxurl::Scheme;
use crate::web::{ParseError, Url};

/// Which versions of the crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CrateFormat {
    /// 0.1.0 and 0.2.0: the specification's layout.
    V0,
    /// 1.0.0: a layout of its own.
    V1_0,
    /// 1.1.0: the layout of 1.0.0 under other labels.
    V1_1,
}

/// The parts that are hashed, in the order of both layouts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Tld,
    Domain,
    Sub,
    Path,
    Query,
    Fragment,
}

const PARTS: [Part; 6] = [Part::Tld, Part::Domain, Part::Sub, Part::Path, Part::Query, Part::Fragment];

impl CrateFormat {
    /// The formats, oldest first.
    pub const ALL: [Self; 3] = [Self::V0, Self::V1_0, Self::V1_1];

    /// Returns the name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Self::V0 => "sxurl-crate-0",
            Self::V1_0 => "sxurl-crate-1.0",
            Self::V1_1 => "sxurl-crate-1.1",
        }
    }

    /// Returns the format of a version of the crate.
    pub fn of_version(version: &str) -> Option<Self> {
        match version {
            "0.1.0" | "0.2.0" => Some(Self::V0),
            "1.0.0" => Some(Self::V1_0),
            "1.1.0" => Some(Self::V1_1),
            _ => None,
        }
    }

    fn label(self, part: Part) -> &'static str {
        match (part, self) {
            (Part::Tld, _) => "tld",
            (Part::Domain, _) => "domain",
            (Part::Sub, Self::V1_1) => "subdomain",
            (Part::Sub, _) => "sub",
            (Part::Path, _) => "path",
            (Part::Query, Self::V1_1) => "query",
            (Part::Query, _) => "params",
            (Part::Fragment, Self::V1_1) => "fragment",
            (Part::Fragment, _) => "frag",
        }
    }

    fn hex_range(self, part: Part) -> Range<usize> {
        match (self, part) {
            (Self::V0, Part::Tld) => 3..7,
            (Self::V0, Part::Domain) => 7..22,
            (Self::V0, Part::Sub) => 22..30,
            (Self::V0, Part::Path) => 34..49,
            (Self::V0, Part::Query) => 49..58,
            (Self::V0, Part::Fragment) => 58..64,
            (_, Part::Tld) => 2..9,
            (_, Part::Domain) => 9..24,
            (_, Part::Sub) => 24..32,
            (_, Part::Path) => 38..51,
            (_, Part::Query) => 51..59,
            (_, Part::Fragment) => 59..64,
        }
    }

    /// Returns the hash of a part as its digits.
    fn hash(self, part: Part, value: &str) -> String {
        let digest = digest::sha256(&[self.label(part).as_bytes(), &[0], value.as_bytes()]);
        let tail: [u8; 8] = core::array::from_fn(|index| digest[24 + index]);
        let value = if self == Self::V0 { u64::from_be_bytes(tail) } else { u64::from_le_bytes(tail) };
        let digits = self.hex_range(part).len();
        format!("{:0digits$x}", value & (u64::MAX >> (64 - 4 * digits)))
    }
}

impl fmt::Display for CrateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// An identifier as a version of crate `sxurl` emits it.
///
/// Identifiers of 1.0 and 1.1 have the same form, and some are also valid identifiers of the specification: record the
/// format with the identifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateSxurl {
    format: CrateFormat,
    bytes: [u8; 32],
}

impl CrateSxurl {
    /// Returns the identifier of a URL, by the compiled public suffix list.
    ///
    /// # Errors
    /// [`CrateSxurlError`] where the crate returns an error.
    pub fn encode(url: &str, format: CrateFormat) -> Result<Self, CrateSxurlError> {
        Self::encode_with(url, format, SuffixList::compiled(Sections::All))
    }

    /// Returns the identifier of a URL, by the given public suffix list.
    ///
    /// # Errors
    /// [`CrateSxurlError`] where the crate returns an error.
    pub fn encode_with(text: &str, format: CrateFormat, list: &SuffixList) -> Result<Self, CrateSxurlError> {
        if text.split_once("://").is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with('/')) {
            return Err(CrateSxurlError::NoHost);
        }
        let url = Url::parse(text).map_err(CrateSxurlError::Url)?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(CrateSxurlError::NoHost)?;
        let scheme = Scheme::from_name(url.scheme())
            .ok_or_else(|| CrateSxurlError::Scheme { found: Excerpt::of(url.scheme()) })?;
        check_host(&url, host)?;
        let [sub, domain, tld] = split(host, list)?;

        let port = url
            .port()
            .or_else(|| default_port(url.scheme()))
            .expect("http, https and ftp have default ports");
        let (query, fragment) = (url.query().unwrap_or_default(), url.fragment().unwrap_or_default());
        let is_present = [sub, query, fragment].map(|part| !part.is_empty());
        let mut digits = "0".repeat(64);
        match format {
            CrateFormat::V0 => {
                digits.replace_range(..3, &header_v0(scheme, is_present, url.port().is_some()));
                digits.replace_range(30..34, &format!("{port:04x}"));
            }
            CrateFormat::V1_0 | CrateFormat::V1_1 => {
                digits.replace_range(..2, &format!("{:x}0", scheme.code()));
                let flags = flags_v1(is_present, url.port().is_some(), url.path() != "/");
                digits.replace_range(32..38, &format!("{flags:02x}{port:04x}"));
            }
        }
        for (part, value) in PARTS.into_iter().zip([tld, domain, sub, url.path(), query, fragment]) {
            if !value.is_empty() {
                digits.replace_range(format.hex_range(part), &format.hash(part, value));
            }
        }
        Self::from_hex(&digits, format)
    }

    /// Reads 64 hexadecimal digits, with the checks that the crate's decoder makes: version and scheme, or scheme and
    /// the reserved digit.
    ///
    /// # Errors
    /// [`CrateSxurlError`] where the crate's decoder returns an error.
    pub fn from_hex(text: &str, format: CrateFormat) -> Result<Self, CrateSxurlError> {
        let bytes: [u8; 32] = hex::decode(text).map_err(|error| match error {
            HexError::Length(found) => CrateSxurlError::Length { found },
            HexError::Digit(offset) => CrateSxurlError::Digit { offset },
        })?;
        let (version, code) = match format {
            CrateFormat::V0 => (bytes[0] >> 4, bytes[0] >> 1 & 7),
            CrateFormat::V1_0 | CrateFormat::V1_1 => (bytes[0] & 15, bytes[0] >> 4),
        };
        let id = Self { format, bytes };
        match (format, version) {
            (CrateFormat::V0, 1) | (CrateFormat::V1_0 | CrateFormat::V1_1, 0) => {
                match Scheme::from_code(code) {
                    Some(_) => Ok(id),
                    None => Err(CrateSxurlError::SchemeCode { found: code }),
                }
            }
            (CrateFormat::V0, found) => Err(CrateSxurlError::Version { found }),
            (_, found) => Err(CrateSxurlError::Reserved { found }),
        }
    }

    /// Returns the format.
    pub fn format(&self) -> CrateFormat {
        self.format
    }

    /// Returns the bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Returns the 64 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.bytes)
    }

    /// Returns the digits with everything but scheme and host cleared: the crate's `extract_host_from_full_sxurl`,
    /// which only 1.x has.
    pub fn host_id(&self) -> Option<String> {
        let digits = (self.format != CrateFormat::V0).then(|| self.to_hex())?;
        let flags = self.bytes[16] & 0x80;
        Some(format!("{}{flags:02x}{}", &digits[..32], "0".repeat(30)))
    }
}

impl fmt::Display for CrateSxurl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(&self.bytes, f)
    }
}

impl fmt::Debug for CrateSxurl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CrateSxurl({}, {self})", self.format)
    }
}

/// The crate's rules for hosts: names of letters, digits and inner hyphens, with valid Punycode.
fn check_host(url: &Url, host: &str) -> Result<(), CrateSxurlError> {
    if !matches!(url.host(), Some(Host::Domain(_))) {
        return Err(CrateSxurlError::NotDns { host: Excerpt::of(host) });
    }
    domain_to_ascii(host, DomainProfile::CheckedPunycode).map_err(CrateSxurlError::Host)?;
    if host.len() > 255 || host.split('.').any(|label| label.is_empty() || label.len() > 63) {
        return Err(CrateSxurlError::HostLength { host: Excerpt::of(host) });
    }
    let is_name = |label: &str| {
        label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    match host.split('.').all(is_name) {
        true => Ok(()),
        false => Err(CrateSxurlError::NotDns { host: Excerpt::of(host) }),
    }
}

/// Splits a host as the crate does: a public suffix by itself counts as last label and the one before it.
fn split<'h>(host: &'h str, list: &SuffixList) -> Result<[&'h str; 3], CrateSxurlError> {
    let split = list.split(host);
    if !split.domain.is_empty() {
        return Ok([split.sub, split.domain, split.tld]);
    }
    let (rest, tld) =
        host.rsplit_once('.').ok_or_else(|| CrateSxurlError::NotDns { host: Excerpt::of(host) })?;
    let (sub, domain) = rest.rsplit_once('.').unwrap_or(("", rest));
    Ok([sub, domain, tld])
}

/// Returns the three digits of the header: version 1, scheme, then subdomain, query, fragment, port, 0.
fn header_v0(scheme: Scheme, [sub, query, fragment]: [bool; 3], port: bool) -> String {
    let flags = u16::from(sub) << 4 | u16::from(query) << 3 | u16::from(fragment) << 2 | u16::from(port) << 1;
    format!("{:03x}", 1 << 8 | u16::from(scheme.code()) << 5 | flags)
}

/// Returns the flags from the top bit down: subdomain, port, path, query, fragment.
fn flags_v1([sub, query, fragment]: [bool; 3], port: bool, path: bool) -> u8 {
    [sub, port, path, query, fragment, false, false, false]
        .iter()
        .fold(0, |flags, &flag| flags << 1 | u8::from(flag))
}

/// Why there is no identifier of the crate's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CrateSxurlError {
    /// The text is no absolute URL.
    Url(ParseError),
    /// The scheme is not `https`, `http` or `ftp`.
    Scheme {
        /// The scheme.
        found: Excerpt,
    },
    /// There is no host.
    NoHost,
    /// The host is an address, a single label, or has other characters than letters, digits and inner hyphens.
    NotDns {
        /// The host.
        host: Excerpt,
    },
    /// The host is no valid internationalised name.
    Host(HostError),
    /// The host has more than 255 bytes, or a label not 1 to 63.
    HostLength {
        /// The host.
        host: Excerpt,
    },
    /// The text has not 64 characters.
    Length {
        /// Its length in bytes.
        found: usize,
    },
    /// A character is no hexadecimal digit.
    Digit {
        /// Its byte offset.
        offset: usize,
    },
    /// The version is not 1.
    Version {
        /// The version.
        found: u8,
    },
    /// The scheme code is none of 0, 1 and 2.
    SchemeCode {
        /// The code.
        found: u8,
    },
    /// The second digit is not 0.
    Reserved {
        /// The digit.
        found: u8,
    },
}

impl Coded for CrateSxurlError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Url(error) => error.code(),
            Self::Scheme { .. } | Self::SchemeCode { .. } => ErrorCode::InvalidScheme,
            Self::NoHost | Self::NotDns { .. } | Self::Host(_) => ErrorCode::HostNotDns,
            Self::HostLength { .. } => ErrorCode::HostLen,
            Self::Length { .. } => ErrorCode::IdLength,
            Self::Digit { .. } => ErrorCode::IdHex,
            Self::Version { .. } => ErrorCode::IdVersion,
            Self::Reserved { .. } => ErrorCode::IdReserved,
        }
    }
}

impl fmt::Display for CrateSxurlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(f),
            Self::Scheme { found } => write!(f, "only https, http, ftp: found scheme {found}"),
            Self::NoHost => f.write_str("host is missing"),
            Self::NotDns { host } => {
                write!(
                    f,
                    "host is no DNS name of the crate's: found {host}, expected two labels of letters, digits and inner hyphens"
                )
            }
            Self::Host(error) => error.fmt(f),
            Self::HostLength { host } => {
                write!(
                    f,
                    "host has a bad length: found {host}, expected labels of 1 to 63 and at most 255 bytes"
                )
            }
            Self::Length { found } => {
                write!(f, "id has the wrong length: found {found} characters, expected 64 digits")
            }
            Self::Digit { offset } => {
                write!(f, "id has a character at byte {offset} that is no hexadecimal digit")
            }
            Self::Version { found } => write!(f, "id has version {found}, expected 1"),
            Self::SchemeCode { found } => {
                write!(f, "id has scheme code {found}, expected 0 (https), 1 (http) or 2 (ftp)")
            }
            Self::Reserved { found } => write!(f, "id has {found:x} as its second digit, expected 0"),
        }
    }
}

impl core::error::Error for CrateSxurlError {}
