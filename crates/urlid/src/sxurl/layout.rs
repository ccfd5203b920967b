//! The layout of the 256 bits: the position of each field, and the label under which it is hashed (SXURL,
//! sections 4 and 5).
//!
//! ```text
//! Bits:    12    16      60        32      16      60       36      24
//!        ┌────┬─────┬─────────┬────────┬─────┬─────────┬────────┬──────┐
//!        │hdr │ tld │ domain  │  sub   │port │  path   │ params │ frag │
//!        └────┴─────┴─────────┴────────┴─────┴─────────┴────────┴──────┘
//! Hex:   [0-3)[3-7) [7-22)   [22-30) [30-34)[34-49)  [49-58) [58-64)
//! ```

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::ops::Range;

use super::error;
use crate::digest;
use crate::error::Error;
use crate::host::{DomainProfile, domain_to_ascii};

/// A part of a URL that is hashed into its own slice.
///
/// ```
/// use urlid::sxurl::Slice;
///
/// assert_eq!((Slice::Tld.label(), Slice::Tld.hex_range()), ("tld", 3..7));
/// assert_eq!(Slice::Path.hash_hex("/"), "98911d784580332");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slice {
    /// The public suffix: 16 bits.
    Tld,
    /// The label left of the public suffix: 60 bits.
    Domain,
    /// The labels left of the domain, with dots: 32 bits.
    Sub,
    /// The path, with its leading slash: 60 bits.
    Path,
    /// The query: 36 bits.
    Params,
    /// The fragment: 24 bits.
    Frag,
}

impl Slice {
    /// The slices in the order of the layout.
    pub const ALL: [Self; 6] = [Self::Tld, Self::Domain, Self::Sub, Self::Path, Self::Params, Self::Frag];

    /// Returns the label under which the part is hashed.
    pub fn label(self) -> &'static str {
        match self {
            Self::Tld => "tld",
            Self::Domain => "domain",
            Self::Sub => "sub",
            Self::Path => "path",
            Self::Params => "params",
            Self::Frag => "frag",
        }
    }

    /// Returns the slice with this label.
    pub fn from_label(label: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|slice| slice.label() == label)
    }

    /// Returns the field that holds the slice.
    pub fn field(self) -> Field {
        match self {
            Self::Tld => Field::Tld,
            Self::Domain => Field::Domain,
            Self::Sub => Field::Sub,
            Self::Path => Field::Path,
            Self::Params => Field::Params,
            Self::Frag => Field::Frag,
        }
    }

    /// Returns the width in bits.
    pub fn bits(self) -> u32 {
        self.field().bits()
    }

    /// Returns the range of hexadecimal digits.
    pub fn hex_range(self) -> Range<usize> {
        self.field().hex_range()
    }

    /// Returns the hash of a part (H_n, section 4): the low bits of SHA-256 over label, a zero byte and
    /// value.
    ///
    /// The value is hashed unchanged, so host parts must first be mapped by [`HostPart`].
    pub fn hash(self, value: &str) -> u64 {
        hash(self.label(), value.as_bytes(), self.bits())
    }

    /// Returns the hash as the hexadecimal digits of an identifier.
    pub fn hash_hex(self, value: &str) -> String {
        let digits = self.bits() as usize / 4;
        format!("{:0digits$x}", self.hash(value))
    }
}

impl core::fmt::Display for Slice {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.label())
    }
}

/// Returns the low `bits` bits, at most 64, of SHA-256 over `label`, a zero byte and `value`, read
/// big-endian.
pub(crate) fn hash(label: &str, value: &[u8], bits: u32) -> u64 {
    // Labels do not contain zero bytes, so different pairs of label and value have different messages.
    let digest = digest::sha256(&[label.as_bytes(), &[0], value]);
    // The last eight of 32 bytes contain every slice, because the widest slice has 60 bits.
    let low = u64::from_be_bytes(core::array::from_fn(|index| digest[24 + index]));
    low & (u64::MAX >> (64 - bits))
}

/// A field of the layout, hashed or not.
///
/// ```
/// use urlid::sxurl::{Field, Sxurl};
///
/// assert_eq!(Sxurl::encode("https://docs.rs:8080/")?.field(Field::Port), 8080);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// Version, scheme and flags.
    Header,
    /// Hash of the public suffix.
    Tld,
    /// Hash of the registrable label.
    Domain,
    /// Hash of the subdomain.
    Sub,
    /// The port as a number. 0 if the port is absent.
    Port,
    /// Hash of the path.
    Path,
    /// Hash of the query.
    Params,
    /// Hash of the fragment.
    Frag,
}

impl Field {
    /// The fields in the order of the layout.
    pub const ALL: [Self; 8] =
        [Self::Header, Self::Tld, Self::Domain, Self::Sub, Self::Port, Self::Path, Self::Params, Self::Frag];

    /// Returns the field's name in the specification's slice map.
    pub fn name(self) -> &'static str {
        match self {
            Self::Header => "header",
            Self::Tld => "tld",
            Self::Domain => "domain",
            Self::Sub => "sub",
            Self::Port => "port",
            Self::Path => "path",
            Self::Params => "params",
            Self::Frag => "frag",
        }
    }

    /// Returns the range of hexadecimal digits (section 5.2).
    pub fn hex_range(self) -> Range<usize> {
        match self {
            Self::Header => 0..3,
            Self::Tld => 3..7,
            Self::Domain => 7..22,
            Self::Sub => 22..30,
            Self::Port => 30..34,
            Self::Path => 34..49,
            Self::Params => 49..58,
            Self::Frag => 58..64,
        }
    }

    /// Returns the width in bits.
    pub fn bits(self) -> u32 {
        4 * self.hex_range().len() as u32
    }

    /// Returns the range of bytes that hold only this field. A digit that shares its byte with a different
    /// field is left out.
    pub fn byte_range(self) -> Range<usize> {
        let digits = self.hex_range();
        digits.start.div_ceil(2)..digits.end / 2
    }

    /// Reads the field from the unchecked bytes of an identifier.
    #[inline]
    pub fn get(self, id: &[u8; 32]) -> u64 {
        let digits = self.hex_range();
        // Every field fits in the eight bytes that start with its first digit.
        let first = (digits.start / 2).min(24);
        let word = u64::from_be_bytes(core::array::from_fn(|index| id[first + index]));
        // The digits of the word start at `2 * first`. The shift moves the field's last digit to the lowest
        // four bits.
        word >> (64 - 4 * (digits.end - 2 * first)) & (u64::MAX >> (64 - self.bits()))
    }

    /// Writes the field. Bits of `value` beyond the width are ignored.
    pub(crate) fn set(self, id: &mut [u8; 32], value: u64) {
        let range = self.hex_range();
        for index in range.clone() {
            let shift = 4 * (range.end - 1 - index);
            let digit = (value >> shift) as u8 & 15;
            let byte = &mut id[index / 2];
            *byte = if index.is_multiple_of(2) { *byte & 0x0f | digit << 4 } else { *byte & 0xf0 | digit };
        }
    }
}

/// A part of a host, mapped like a URL's host to lower-case ASCII (section 7, "normalize the probe value the
/// same way").
///
/// ```
/// use urlid::sxurl::HostPart;
///
/// assert_eq!(HostPart::map("B\u{fc}cher")?.as_str(), "xn--bcher-kva");
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostPart<'a>(Cow<'a, str>);

impl<'a> HostPart<'a> {
    /// Maps a label, or several labels joined by dots.
    ///
    /// # Errors
    /// [`Error`] if the text cannot be part of a host, or has a leading or trailing dot.
    pub fn map(text: &'a str) -> Result<Self, Error> {
        // An absent subdomain is the empty string (S-f), which mapping would reject.
        if text.is_empty() {
            return Ok(Self(Cow::Borrowed(text)));
        }
        let mapped = domain_to_ascii(text, DomainProfile::CheckedPunycode)?;
        match mapped.split('.').find(|label| label.is_empty() || label.len() > 63) {
            Some(label) => Err(error::label_length(label, text)),
            None => Ok(Self(mapped)),
        }
    }

    /// Returns the mapped text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Slice {
    /// Maps a value to the text that this slice hashes. Host parts are mapped like a URL's host, and all
    /// other values stay unchanged.
    ///
    /// ```
    /// use urlid::Sxurl;
    /// use urlid::sxurl::Slice;
    ///
    /// let id = Sxurl::encode("https://docs.rs/")?;
    /// let domain = Slice::Domain.map_value("Docs")?;
    /// assert_eq!(id.slice(Slice::Domain), Slice::Domain.hash(&domain));
    /// # Ok::<(), urlid::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error`] if the value cannot be part of a host.
    pub fn map_value(self, value: &str) -> Result<Cow<'_, str>, Error> {
        match self {
            Slice::Tld | Slice::Domain | Slice::Sub => HostPart::map(value).map(|part| part.0),
            Slice::Path | Slice::Params | Slice::Frag => Ok(Cow::Borrowed(value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_as_it_was_written_whatever_the_others_hold() {
        for field in Field::ALL {
            let widest = u64::MAX >> (64 - field.bits());
            for value in
                [0, 1, 0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, u64::MAX].map(|value| value & widest)
            {
                for others in [0, 0x5a, 0xff] {
                    let mut id = [others; 32];
                    field.set(&mut id, value);
                    assert_eq!(field.get(&id), value, "{field:?}");
                }
            }
        }
    }
}
