//! `sxurl-crate-0`, `sxurl-crate-1.0`, `sxurl-crate-1.1`: the identifiers that the versions of crate `sxurl`
//! emit.
//!
//! They hash the WHATWG-normalised parts, write the effective port, and write zero for an absent part.
//! Versions since 1.0 have their own layout and read the digest's tail little-endian.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::digest;
use crate::error::{Error, ErrorCode, ErrorKind};
use crate::hex::{self, HexError};
use crate::host::{DomainProfile, Host, domain_to_ascii};
use crate::id::id_traits;
use crate::reference::authority::default_port;
use crate::suffix::SuffixList;
use crate::sxurl::{Scheme, error};
use crate::web::Url;

const NO_HOST: ErrorKind = ErrorKind::new(ErrorCode::HostNotDns, "host is missing");
/// The host is an address or a single label, or has characters other than letters, digits and inner hyphens.
const NOT_DNS: ErrorKind = ErrorKind::new(
    ErrorCode::HostNotDns,
    "host is not a DNS name by the rules of the crate: found {found}, expected two labels of letters, digits and inner hyphens",
);
const HOST_LENGTH: ErrorKind = ErrorKind::new(
    ErrorCode::HostLen,
    "host has a bad length: found {found}, expected labels of 1 to 63 and at most 255 bytes",
);
/// The second digit is not 0.
const RESERVED: ErrorKind =
    ErrorKind::new(ErrorCode::IdReserved, "id has {found} as its second digit, expected 0");

/// An identifier as a version of crate `sxurl` emits it.
///
/// Identifiers of 1.0 and 1.1 have the same form, and some are also valid identifiers of the specification.
/// Therefore, record the format with the identifier.
///
/// ```
/// use urlid::compat::{CrateFormat, CrateSxurl};
///
/// let id = CrateSxurl::encode("https://docs.rs/", CrateFormat::V1_0)?;
/// assert_eq!(id.to_hex(), "004817c7e16ca8efb818406f000000000001bb35884d71189f90000000000000");
/// assert_eq!(CrateSxurl::from_bytes(id.to_bytes(), CrateFormat::V1_0), Ok(id));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CrateSxurl {
    format: CrateFormat,
    bytes: [u8; 32],
}

impl CrateSxurl {
    /// Returns the identifier of a URL, using the compiled public suffix list.
    ///
    /// # Errors
    /// [`Error`] where the crate returns an error.
    pub fn encode(url: &str, format: CrateFormat) -> Result<Self, Error> {
        Self::encode_with(url, format, SuffixList::compiled())
    }

    /// Returns the identifier of a URL, using the given public suffix list.
    ///
    /// # Errors
    /// [`Error`] where the crate returns an error.
    pub fn encode_with(text: &str, format: CrateFormat, list: &SuffixList) -> Result<Self, Error> {
        // The crate rejects an empty host before it parses. The standard would read `https:///h/` as
        // `https://h/`.
        if text.split_once("://").is_some_and(|(_, rest)| rest.is_empty() || rest.starts_with('/')) {
            return Err(NO_HOST.error());
        }
        let url = Url::parse(text)?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| NO_HOST.error())?;
        let scheme = Scheme::from_name(url.scheme()).ok_or_else(|| error::scheme(Some(url.scheme())))?;
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
        for (part, value) in HashedPart::ALL.into_iter().zip([tld, domain, sub, url.path(), query, fragment])
        {
            // The crate writes zeros for absent parts, while the specification hashes the empty string.
            if !value.is_empty() {
                digits.replace_range(format.hex_range(part), &format.hash(part, value));
            }
        }
        Self::from_hex(&digits, format)
    }

    /// Reads 64 hexadecimal digits, with the checks of the crate's decoder: version and scheme, or scheme and
    /// the reserved digit.
    ///
    /// # Errors
    /// [`Error`] where the crate's decoder returns an error.
    pub fn from_hex(text: &str, format: CrateFormat) -> Result<Self, Error> {
        let bytes = hex::decode(text).map_err(|error| match error {
            HexError::Length(found) => error::LENGTH.error().with_shown(found),
            HexError::Digit(offset) => error::DIGIT.error().with_offset(offset),
        })?;
        Self::from_bytes(bytes, format)
    }

    /// Checks 32 bytes like the crate's decoder.
    ///
    /// # Errors
    /// [`Error`] where the crate's decoder returns an error.
    pub fn from_bytes(bytes: [u8; 32], format: CrateFormat) -> Result<Self, Error> {
        let (version, code) = match format {
            CrateFormat::V0 => (bytes[0] >> 4, bytes[0] >> 1 & 7),
            // 1.x has no version field. Its second digit is always 0 and is checked in place of the version.
            CrateFormat::V1_0 | CrateFormat::V1_1 => (bytes[0] & 15, bytes[0] >> 4),
        };
        let id = Self { format, bytes };
        match (format, version) {
            (CrateFormat::V0, 1) | (CrateFormat::V1_0 | CrateFormat::V1_1, 0) => {
                match Scheme::from_code(code) {
                    Some(_) => Ok(id),
                    None => Err(error::SCHEME_CODE.error().with_shown(code)),
                }
            }
            (CrateFormat::V0, found) => Err(error::VERSION.error().with_shown(found)),
            (_, found) => Err(RESERVED.error().with_shown(format_args!("{found:x}"))),
        }
    }

    /// Returns the version of the crate that emits this identifier.
    pub fn format(&self) -> CrateFormat {
        self.format
    }

    /// Borrows the 32 bytes, starting with the header.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// Returns the 32 bytes, starting with the header.
    pub fn to_bytes(self) -> [u8; 32] {
        self.bytes
    }

    /// Returns the 64 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.bytes)
    }

    /// Returns the digits with all fields except scheme and host cleared. This is the crate's
    /// `extract_host_from_full_sxurl`, which exists only in 1.x.
    pub fn host_id(&self) -> Option<String> {
        let digits = (self.format != CrateFormat::V0).then(|| self.to_hex())?;
        // Byte 16 is digits 32 and 33, the flags. The highest flag tells whether there is a subdomain.
        let flags = self.bytes[16] & 0x80;
        Some(format!("{}{flags:02x}{}", &digits[..32], "0".repeat(30)))
    }
}

id_traits!(CrateSxurl, 32);

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
fn check_host(url: &Url, host: &str) -> Result<(), Error> {
    if !matches!(url.host(), Some(Host::Domain(_))) {
        return Err(NOT_DNS.found(host));
    }
    domain_to_ascii(host, DomainProfile::CheckedPunycode)
        .map_err(|error| error.with_code(ErrorCode::HostNotDns))?;
    if host.len() > 255 || host.split('.').any(|label| label.is_empty() || label.len() > 63) {
        return Err(HOST_LENGTH.found(host));
    }
    let is_name = |label: &str| {
        label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if host.split('.').all(is_name) { Ok(()) } else { Err(NOT_DNS.found(host)) }
}

/// Splits a host like the crate, which splits a bare public suffix into its last label and the label before
/// it.
fn split<'h>(host: &'h str, list: &SuffixList) -> Result<[&'h str; 3], Error> {
    let split = list.split_normal(host);
    if !split.domain.is_empty() {
        return Ok([split.sub, split.domain, split.tld]);
    }
    let (rest, tld) = host.rsplit_once('.').ok_or_else(|| NOT_DNS.found(host))?;
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

/// The versions of the crate that emit the same identifiers.
///
/// ```
/// use urlid::compat::CrateFormat;
///
/// assert_eq!(CrateFormat::of_version("1.1.0"), Some(CrateFormat::V1_1));
/// assert_eq!(CrateFormat::V1_1.to_string(), "sxurl-crate-1.1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CrateFormat {
    /// 0.1.0 and 0.2.0: the specification's layout.
    V0,
    /// 1.0.0: its own layout.
    V1_0,
    /// 1.1.0: the layout of 1.0.0 with different labels.
    V1_1,
}

/// The parts that are hashed, in the order of both layouts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HashedPart {
    Tld,
    Domain,
    Sub,
    Path,
    Query,
    Fragment,
}

impl HashedPart {
    const ALL: [Self; 6] = [Self::Tld, Self::Domain, Self::Sub, Self::Path, Self::Query, Self::Fragment];
}

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

    fn label(self, part: HashedPart) -> &'static str {
        match (part, self) {
            (HashedPart::Tld, _) => "tld",
            (HashedPart::Domain, _) => "domain",
            (HashedPart::Sub, Self::V1_1) => "subdomain",
            (HashedPart::Sub, _) => "sub",
            (HashedPart::Path, _) => "path",
            (HashedPart::Query, Self::V1_1) => "query",
            (HashedPart::Query, _) => "params",
            (HashedPart::Fragment, Self::V1_1) => "fragment",
            (HashedPart::Fragment, _) => "frag",
        }
    }

    fn hex_range(self, part: HashedPart) -> Range<usize> {
        match (self, part) {
            (Self::V0, HashedPart::Tld) => 3..7,
            (Self::V0, HashedPart::Domain) => 7..22,
            (Self::V0, HashedPart::Sub) => 22..30,
            (Self::V0, HashedPart::Path) => 34..49,
            (Self::V0, HashedPart::Query) => 49..58,
            (Self::V0, HashedPart::Fragment) => 58..64,
            (_, HashedPart::Tld) => 2..9,
            (_, HashedPart::Domain) => 9..24,
            (_, HashedPart::Sub) => 24..32,
            (_, HashedPart::Path) => 38..51,
            (_, HashedPart::Query) => 51..59,
            (_, HashedPart::Fragment) => 59..64,
        }
    }

    /// Returns the digits of a part's hash.
    fn hash(self, part: HashedPart, value: &str) -> String {
        let digest = digest::sha256(&[self.label(part).as_bytes(), &[0], value.as_bytes()]);
        // A slice has at most 60 bits, so the crate reads eight bytes. Versions since 1.0 read them in the
        // wrong order.
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
