//! Questions about identifiers: mapped values, and the key ranges that a public suffix and a domain span (SXURL,
//! section 7).

use std::borrow::Cow;
use std::ops::RangeInclusive;

use super::error::EncodeError;
use super::layout::{self, Field, Scheme, Slice};
use crate::excerpt::Excerpt;
use crate::host::{DomainProfile, domain_to_ascii};

/// A part of a host, mapped as a URL's host is: lower case, ASCII (section 7, "normalize the probe value the same
/// way").
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostPart<'a>(Cow<'a, str>);

impl<'a> HostPart<'a> {
    /// Maps a label, or several joined by dots.
    ///
    /// # Errors
    /// [`EncodeError`] if no host can hold the text, a leading or trailing dot included.
    pub fn map(text: &'a str) -> Result<Self, EncodeError> {
        if text.is_empty() {
            return Ok(Self(Cow::Borrowed(text)));
        }
        let mapped = domain_to_ascii(text, DomainProfile::CheckedPunycode)?;
        match mapped.split('.').find(|label| label.is_empty() || label.len() > 63) {
            Some(label) => Err(EncodeError::LabelLength { host: Excerpt::of(text), length: label.len() }),
            None => Ok(Self(mapped)),
        }
    }

    /// Returns the mapped text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The 48 ranges of identifiers that have one public suffix and one domain, ascending and apart.
///
/// One range for each header: three schemes, 16 combinations of flags.
#[derive(Clone, Debug)]
pub struct KeyRanges {
    tld: u64,
    domain: u64,
    next: u16,
}

/// Returns the ranges of identifiers whose slices are the hashes of a mapped public suffix and domain.
pub fn key_ranges(tld: &HostPart<'_>, domain: &HostPart<'_>) -> KeyRanges {
    KeyRanges { tld: Slice::Tld.hash(tld.as_str()), domain: Slice::Domain.hash(domain.as_str()), next: 0 }
}

impl Iterator for KeyRanges {
    type Item = RangeInclusive<[u8; 32]>;

    fn next(&mut self) -> Option<Self::Item> {
        let scheme = Scheme::from_code((self.next / 16) as u8)?;
        let flags = self.next % 16 * 2;
        self.next += 1;

        let mut first = [0; 32];
        Field::Header.set(&mut first, u64::from(layout::header(scheme) | flags));
        Field::Tld.set(&mut first, self.tld);
        Field::Domain.set(&mut first, self.domain);
        let mut last = [0xff; 32];
        let prefix = Field::Domain.hex_range().end / 2;
        last[..prefix].copy_from_slice(&first[..prefix]);
        Some(first..=last)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = 48 - usize::from(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for KeyRanges {}
