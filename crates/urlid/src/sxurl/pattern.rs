//! Patterns of identifiers: the known fields, and the range of keys that they span (SXURL, "Querying").

use core::ops::RangeInclusive;

use super::header::Header;
use super::layout::HostPart;
use super::layout::{Field, Slice};

/// The identifiers with given values in some fields.
///
/// Identifiers are ordered as bytes, so a pattern whose leading fields are known is a range of keys. If `tld`
/// and `domain` are known, there is one range for each header.
///
/// ```
/// use urlid::sxurl::{Field, Pattern, Slice, Sxurl};
///
/// let id = Sxurl::encode("https://docs.rs/")?;
/// let pattern = Pattern::ANY.with(Field::Header, 0x100).with_hash(Slice::Tld, "rs");
/// assert!(pattern.matches(id.as_bytes()));
/// assert!(pattern.range().contains(id.as_bytes()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    mask: [u8; 32],
    value: [u8; 32],
}

impl Pattern {
    /// Matches every identifier.
    pub const ANY: Self = Self { mask: [0; 32], value: [0; 32] };

    /// Adds the value of a field, of which only the low bits are used.
    #[must_use]
    pub fn with(mut self, field: Field, value: u64) -> Self {
        field.set(&mut self.mask, u64::MAX);
        field.set(&mut self.value, value);
        self
    }

    /// Adds the part that is hashed into a slice.
    #[must_use]
    pub fn with_hash(self, slice: Slice, value: &str) -> Self {
        self.with(slice.field(), slice.hash(value))
    }

    /// Adds the header.
    #[must_use]
    pub fn with_header(self, header: Header) -> Self {
        self.with(Field::Header, u64::from(header.bits()))
    }

    /// Returns whether an identifier has the known fields.
    pub fn matches(&self, id: &[u8; 32]) -> bool {
        // Bits of `value` outside the mask are 0, because `Field::set` writes only the digits of its field.
        id.iter().zip(&self.mask).zip(&self.value).all(|((id, mask), value)| id & mask == *value)
    }

    /// Returns the known digits as bytes. Unknown digits are 0.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.value
    }

    /// Returns the number of known hexadecimal digits at the start.
    pub fn prefix_digits(&self) -> usize {
        // A field is a whole number of digits, so one bit of a digit's mask tells whether the digit is known.
        let known = |digit: &usize| self.mask[digit / 2] & digit_mask(*digit) != 0;
        (0..64).take_while(known).count()
    }

    /// Returns the range of identifiers that start with the known digits. It contains every identifier of the
    /// pattern.
    pub fn range(&self) -> RangeInclusive<[u8; 32]> {
        let (mut first, mut last) = ([0; 32], [0xff; 32]);
        // A known digit bounds the keys only if all digits before it are known. After the first unknown
        // digit, the least key has zeros and the greatest key has ones: `known 0000…` to `known ffff…`.
        for digit in 0..self.prefix_digits() {
            let (index, mask) = (digit / 2, digit_mask(digit));
            first[index] |= self.value[index] & mask;
            last[index] &= self.value[index] | !mask;
        }
        first..=last
    }
}

/// Returns the bits of a digit in its byte.
fn digit_mask(digit: usize) -> u8 {
    if digit.is_multiple_of(2) { 0xf0 } else { 0x0f }
}

/// Returns the 48 ranges of identifiers with this public suffix, and with this domain if it is given. There
/// is one for each [`Header`]. The ranges ascend and do not overlap.
///
/// ```
/// use urlid::sxurl::{HostPart, Sxurl, key_ranges};
///
/// let id = Sxurl::encode("https://docs.rs/")?;
/// let (tld, domain) = (HostPart::map("rs")?, HostPart::map("docs")?);
/// assert!(key_ranges(&tld, None).any(|range| range.contains(id.as_bytes())));
/// assert!(key_ranges(&tld, Some(&domain)).any(|range| range.contains(id.as_bytes())));
/// # Ok::<(), urlid::Error>(())
/// ```
pub fn key_ranges(
    tld: &HostPart<'_>,
    domain: Option<&HostPart<'_>>,
) -> impl ExactSizeIterator<Item = RangeInclusive<[u8; 32]>> + Clone + use<> {
    let pattern = Pattern::ANY.with_hash(Slice::Tld, tld.as_str());
    let pattern = match domain {
        Some(domain) => pattern.with_hash(Slice::Domain, domain.as_str()),
        None => pattern,
    };
    Header::all().map(move |header| pattern.with_header(header).range())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_its_digits() {
        let pattern = Pattern::ANY.with(Field::Domain, 0x0123_4567_89ab_cdef);
        let mut id = [0xff; 32];
        assert!(!pattern.matches(&id));
        id[3] = 0xf1;
        id[4..11].copy_from_slice(&[0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]);
        assert!(pattern.matches(&id));
        id[3] = 0x01;
        assert!(pattern.matches(&id), "the digit beside the slice is free");
        assert_eq!(pattern.prefix_digits(), 0);
        assert_eq!(pattern.as_bytes()[Field::Domain.byte_range()], id[4..11]);
    }

    #[test]
    fn a_range_contains_the_ids_that_start_with_the_known_digits() {
        assert_eq!(Pattern::ANY.range(), [0; 32]..=[0xff; 32]);
        let pattern = Pattern::ANY.with(Field::Header, 0x13e).with(Field::Tld, 0xabcd).with(Field::Path, 0);
        assert_eq!(pattern.prefix_digits(), 7);
        let (mut first, mut last) = ([0; 32], [0xff; 32]);
        first[..4].copy_from_slice(&[0x13, 0xea, 0xbc, 0xd0]);
        last[..4].copy_from_slice(&[0x13, 0xea, 0xbc, 0xdf]);
        assert_eq!(pattern.range(), first..=last);
    }

    #[test]
    fn the_key_ranges_of_a_domain_ascend_and_lie_apart() {
        let part = |text| HostPart::map(text).expect("it is a label");
        let ranges: Vec<_> = key_ranges(&part("com"), Some(&part("google"))).collect();
        assert_eq!(ranges.len(), 48);
        assert!(ranges.windows(2).all(|pair| pair[0].end() < pair[1].start()));
    }
}
