//! `Sxurl`: the identifier as a value, and the readers of its fields (SXURL, sections 5, 7 and 8).

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::header::{Flags, Header, Scheme};
use super::layout::{Field, Slice};
use crate::error::Error;
use crate::hex::{self, HexError};
use crate::id::id_traits;
use crate::sxurl::error;

/// A 256-bit identifier with a slice for each part of a URL.
///
/// A value of this type has passed every check of the specification. It displays as 64 lower-case hexadecimal
/// digits. Identifiers are ordered as bytes, which is also the order of the digits.
///
/// ```
/// use urlid::sxurl::{Slice, Sxurl};
///
/// let id = Sxurl::encode("https://www.example.co.uk:8443/a?b#c")?;
/// assert_eq!(id.port(), Some(8443));
/// assert!(id.matches(Slice::Tld, "co.uk") && id.matches(Slice::Domain, "example"));
/// assert_eq!(Sxurl::from_hex(&id.to_hex()), Ok(id));
/// assert_eq!(Sxurl::try_from(id.as_ref()), Ok(id));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sxurl([u8; 32]);

impl Sxurl {
    /// Returns the identifier of bytes that the encoder has packed.
    pub(crate) fn from_encoder(bytes: [u8; 32]) -> Self {
        // The bytes need no check: `pack` writes version 1, the code of a scheme, a reserved bit of 0, and a
        // port only with its flag.
        Self(bytes)
    }

    /// Checks 32 bytes (section 8).
    ///
    /// # Errors
    /// [`Error`] for the first check that fails: version, scheme, reserved bit, port.
    #[inline]
    pub fn from_bytes(bytes: [u8; 32]) -> Result<Self, Error> {
        check(&bytes)?;
        Ok(Self(bytes))
    }

    /// Reads 64 hexadecimal digits of either case, and checks them (section 8).
    ///
    /// # Errors
    /// [`Error`] for the first check that fails.
    pub fn from_hex(text: &str) -> Result<Self, Error> {
        let bytes = hex::decode(text).map_err(|error| match error {
            HexError::Length(found) => error::LENGTH.error().with_shown(found),
            HexError::Digit(offset) => error::DIGIT.error().with_offset(offset),
        })?;
        Self::from_bytes(bytes)
    }

    /// Borrows the 32 bytes. Identifiers are ordered as these bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Returns the 32 bytes, in the order of the hex digits.
    pub fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    /// Returns the 64 lower-case hexadecimal digits.
    pub fn to_hex(&self) -> String {
        hex::encode(&self.0)
    }

    /// Returns the version, which is 1.
    pub fn version(&self) -> u8 {
        Header::VERSION
    }

    /// Returns the header, that is, scheme and flags.
    pub fn header(&self) -> Header {
        Header::from_bits(self.field(Field::Header) as u16)
            .expect("a Sxurl has a valid header: from_bytes checks it")
    }

    /// Returns the scheme, from the code in the header.
    pub fn scheme(&self) -> Scheme {
        self.header().scheme
    }

    /// Returns whether there is a subdomain.
    pub fn has_sub(&self) -> bool {
        self.header().flags.contains(Flags::SUB)
    }

    /// Returns whether there is a query.
    pub fn has_params(&self) -> bool {
        self.header().flags.contains(Flags::PARAMS)
    }

    /// Returns whether there is a fragment.
    pub fn has_frag(&self) -> bool {
        self.header().flags.contains(Flags::FRAG)
    }

    /// Returns whether the URL has a port.
    pub fn has_port(&self) -> bool {
        self.header().flags.contains(Flags::PORT)
    }

    /// Returns the port, if the URL has one.
    pub fn port(&self) -> Option<u16> {
        self.has_port().then(|| self.field(Field::Port) as u16)
    }

    /// Returns a slice as a number.
    pub fn slice(&self, slice: Slice) -> u64 {
        slice.field().get(&self.0)
    }

    /// Returns the bits of any field as a number.
    #[inline]
    pub fn field(&self, field: Field) -> u64 {
        field.get(&self.0)
    }

    /// Returns whether a slice is the hash of `value` (section 7, "Equality filter").
    ///
    /// The value is hashed unchanged, so host parts must first be mapped by [`HostPart`](super::HostPart). A
    /// match is not a proof, because other values can have the same hash, by chance or on purpose.
    pub fn matches(&self, slice: Slice, value: &str) -> bool {
        self.slice(slice) == slice.hash(value)
    }
}

/// Checks 32 bytes in place (section 8): version, scheme, reserved bit, port.
fn check(bytes: &[u8; 32]) -> Result<(), Error> {
    let header = Header::from_bits(Field::Header.get(bytes) as u16)?;
    let (present, port) = (header.flags.contains(Flags::PORT), Field::Port.get(bytes) as u16);
    // S-12: flag and slice must agree, so that a port of 0 always means that the port is absent.
    if present == (port != 0) {
        return Ok(());
    }
    Err(if present { error::PORT_ZERO.error() } else { error::PORT_WITHOUT_FLAG.error().with_shown(port) })
}

id_traits!(Sxurl, 32);

impl TryFrom<[u8; 32]> for Sxurl {
    type Error = Error;

    fn try_from(bytes: [u8; 32]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

impl TryFrom<&[u8]> for Sxurl {
    type Error = Error;

    #[inline]
    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        let bytes = bytes.try_into().map_err(|_| error::BYTE_LENGTH.error().with_shown(bytes.len()))?;
        check(bytes)?;
        Ok(Self(*bytes))
    }
}

impl fmt::Display for Sxurl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex::write(&self.0, f)
    }
}

impl fmt::Debug for Sxurl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sxurl({self})")
    }
}

impl FromStr for Sxurl {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::from_hex(text)
    }
}
