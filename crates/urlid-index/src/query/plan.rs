//! How a question is answered: which ranges of identifiers hold every answer (docs/index-format.md, section 6).
//!
//! Identifiers are ordered, and a slice is at a fixed place; so a question is a set of prefixes, one for each header that
//! its answers can have. Reads nothing.

use std::fmt;

use urlid::sxurl::{Scheme, Slice};

use crate::file::schema::SliceIndex;
use crate::id::{Id, Ids};
use crate::query::question::Question;

const HEADER_DIGITS: usize = 3;
const PORT_DIGITS: std::ops::Range<usize> = 30..34;
/// Hex digits that hold header and public suffix.
pub(crate) const TLD_DIGITS: usize = 7;

/// The identifiers from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyRange {
    pub(crate) first: Id,
    pub(crate) last: Id,
}

/// Which digits of an identifier are known, and what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    mask: Id,
    value: Id,
}

impl Pattern {
    fn any() -> Self {
        Self { mask: [0; 32], value: [0; 32] }
    }

    /// Fixes the digits from `start` to `end` to the low bits of `bits`.
    fn fix(&mut self, digits: std::ops::Range<usize>, mut bits: u64) {
        for digit in digits.rev() {
            let shift = if digit.is_multiple_of(2) { 4 } else { 0 };
            let (mask, value) = (&mut self.mask[digit / 2], &mut self.value[digit / 2]);
            *mask |= 0xf << shift;
            *value = *value & !(0xf << shift) | ((bits & 0xf) as u8) << shift;
            bits >>= 4;
        }
    }

    /// Tells whether an identifier has the known digits.
    pub(crate) fn matches(&self, id: &Id) -> bool {
        id.iter().zip(&self.mask).zip(&self.value).all(|((id, mask), value)| id & mask == *value)
    }

    /// Returns the known bytes from `start` on.
    pub(crate) fn bytes(&self, start: usize, len: usize) -> &[u8] {
        &self.value[start..start + len]
    }

    /// Returns the number of digits that are known from the first on.
    fn prefix_digits(&self) -> usize {
        (0..64).take_while(|digit| self.mask[digit / 2] & digit_mask(*digit) != 0).count()
    }

    fn range(&self) -> KeyRange {
        let (mut first, mut last) = ([0; 32], [0xff; 32]);
        for digit in 0..self.prefix_digits() {
            let mask = digit_mask(digit);
            first[digit / 2] |= self.value[digit / 2] & mask;
            last[digit / 2] &= self.value[digit / 2] | !mask;
        }
        KeyRange { first, last }
    }
}

/// Returns where a digit is in its byte.
fn digit_mask(digit: usize) -> u8 {
    if digit.is_multiple_of(2) { 0xf0 } else { 0x0f }
}

/// What is done to find every candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Reads these ranges, which ascend.
    Ranges(Vec<KeyRange>),
    /// Reads these ranges of an optional index, where its bytes are those of the pattern.
    Indexed(SliceIndex, Vec<KeyRange>),
    /// Skips from one header and public suffix to the next and reads one domain's rows in each.
    Skip {
        /// Headers that answers can have, ascending, in the low 12 bits.
        headers: Vec<u16>,
        /// The domain's slice.
        domain: u64,
    },
}

/// A question's way through the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(crate) access: Access,
    /// What every candidate's identifier has, whatever its header.
    pub(crate) pattern: Pattern,
    prefix_digits: usize,
}

impl Plan {
    pub(crate) fn of(question: &Question, ids: Ids, indexes: &[SliceIndex]) -> Self {
        let pattern = pattern(question, ids);
        let headers = headers(question);
        let by_header: Vec<Pattern> =
            headers.iter().map(|&header| with_header(question, ids, pattern, header)).collect();
        let prefix_digits = by_header.iter().map(Pattern::prefix_digits).min().unwrap_or(HEADER_DIGITS);
        let ranges = joined(by_header.iter().map(Pattern::range));
        let access = if question.tld.is_some() && question.domain.is_some() {
            Access::Ranges(ranges)
        } else if let Some(domain) = &question.domain {
            Access::Skip { headers, domain: ids.hash(Slice::Domain, domain) }
        } else if let Some(index) = usable(question, indexes) {
            Access::Indexed(index, ranges)
        } else {
            Access::Ranges(ranges)
        };
        Self { access, pattern, prefix_digits }
    }
}

impl fmt::Display for Plan {
    /// Says in one line what will be read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.prefix_digits;
        match &self.access {
            Access::Ranges(ranges) if digits <= HEADER_DIGITS => {
                write!(f, "scan of every row in {} of headers", Count(ranges.len(), "range"))
            }
            Access::Ranges(ranges) => {
                write!(
                    f,
                    "{} with at least {digits} of 64 hex digits known",
                    Count(ranges.len(), "key range")
                )
            }
            Access::Indexed(index, ranges) => {
                write!(f, "index on {}, {} in it", index.name(), Count(ranges.len(), "range"))
            }
            Access::Skip { headers, .. } => {
                write!(f, "skip scan over {} and the public suffixes in use", Count(headers.len(), "header"))
            }
        }?;
        f.write_str("; every candidate is compared with its own URL")
    }
}

/// A number of things, in words.
struct Count(usize, &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, thing) = self;
        write!(f, "{count} {thing}{}", if *count == 1 { "" } else { "s" })
    }
}

/// What is known of every answer's identifier.
fn pattern(question: &Question, ids: Ids) -> Pattern {
    let mut pattern = Pattern::any();
    let slices = [
        (Slice::Tld, &question.tld),
        (Slice::Domain, &question.domain),
        (Slice::Sub, &question.sub),
        (Slice::Path, &question.path),
        (Slice::Params, &question.query),
        (Slice::Frag, &question.fragment),
    ];
    for (slice, value) in slices {
        if let Some(value) = value {
            pattern.fix(slice.hex_range(), ids.hash(slice, value));
        }
    }
    if let Some(port) = question.port {
        pattern.fix(PORT_DIGITS, u64::from(port));
    }
    pattern
}

/// Returns the headers that answers can have, ascending.
fn headers(question: &Question) -> Vec<u16> {
    let schemes = [Scheme::Https, Scheme::Http, Scheme::Ftp];
    let presence = |value: &Option<String>| value.as_ref().map(|value| !value.is_empty());
    let flags = [
        (4, presence(&question.sub)),
        (3, presence(&question.query)),
        (2, presence(&question.fragment)),
        (1, question.port.map(|_| true)),
    ];
    let mut headers = Vec::with_capacity(48);
    for (code, scheme) in schemes.into_iter().enumerate() {
        if question.scheme.is_some_and(|asked| asked != scheme) {
            continue;
        }
        for low in (0..32_u16).step_by(2) {
            if flags.iter().all(|(bit, asked)| asked.is_none_or(|asked| asked == (low >> bit & 1 == 1))) {
                headers.push(0x100 | (code as u16) << 5 | low);
            }
        }
    }
    headers
}

/// Adds what a header says: its own digits, and the slices of the parts that are absent under it.
fn with_header(question: &Question, ids: Ids, mut pattern: Pattern, header: u16) -> Pattern {
    pattern.fix(0..HEADER_DIGITS, u64::from(header));
    let absent = |bit: u16| header >> bit & 1 == 0;
    for (bit, slice, asked) in [
        (4, Slice::Sub, question.sub.is_some()),
        (3, Slice::Params, question.query.is_some()),
        (2, Slice::Frag, question.fragment.is_some()),
    ] {
        if absent(bit) && !asked {
            pattern.fix(slice.hex_range(), ids.hash(slice, ""));
        }
    }
    if absent(1) {
        pattern.fix(PORT_DIGITS, 0);
    }
    pattern
}

/// Joins whole headers that are neighbours: between two of them, whose last bits are 0, no identifier lies.
fn joined(ranges: impl Iterator<Item = KeyRange>) -> Vec<KeyRange> {
    let mut joined: Vec<KeyRange> = Vec::with_capacity(48);
    for range in ranges {
        if let Some(before) = joined.last_mut()
            && header_of(&range.first) == header_of(&before.last) + 2
            && is_whole_header(&range)
            && before.last[1..] == whole_end(header_of(&before.last))[1..]
        {
            before.last = range.last;
            continue;
        }
        joined.push(range);
    }
    joined
}

fn header_of(id: &Id) -> u16 {
    u16::from(id[0]) << 4 | u16::from(id[1] >> 4)
}

fn whole_end(header: u16) -> Id {
    let mut pattern = Pattern::any();
    pattern.fix(0..HEADER_DIGITS, u64::from(header));
    pattern.range().last
}

fn is_whole_header(range: &KeyRange) -> bool {
    let mut pattern = Pattern::any();
    pattern.fix(0..HEADER_DIGITS, u64::from(header_of(&range.first)));
    pattern.range() == *range
}

/// Returns the optional index that narrows a question most, among those that the file has.
fn usable(question: &Question, indexes: &[SliceIndex]) -> Option<SliceIndex> {
    let present = |value: &Option<String>| value.as_ref().is_some_and(|value| !value.is_empty());
    let order = [
        (SliceIndex::Query, present(&question.query)),
        (SliceIndex::Fragment, present(&question.fragment)),
        (SliceIndex::Path, question.path.is_some()),
        (SliceIndex::Sub, present(&question.sub)),
    ];
    order.into_iter().find(|(index, asked)| *asked && indexes.contains(index)).map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use urlid::suffix::SuffixList;
    use urlid::sxurl::{HostPart, key_ranges};

    use super::*;
    use crate::query::question::Ask;

    fn plan(ask: Ask<'_>, indexes: &[SliceIndex]) -> Plan {
        let question = Question::of(&ask, <&SuffixList>::default()).expect("is possible");
        Plan::of(&question, Ids::Sxurl, indexes)
    }

    #[test]
    fn tld_and_domain_are_within_the_48_ranges_of_the_codec() {
        let plan = plan(Ask { tld: Some("com"), domain: Some("google"), ..Ask::default() }, &SliceIndex::ALL);
        let Access::Ranges(ranges) = &plan.access else { panic!("no ranges: {plan}") };
        let part = |text| HostPart::map(text).expect("is a label");
        let codec: Vec<_> = key_ranges(&part("com"), &part("google")).collect();
        assert_eq!((ranges.len(), codec.len()), (48, 48));
        for (ours, whole) in ranges.iter().zip(codec) {
            assert!(whole.contains(&ours.first) && whole.contains(&ours.last));
        }
    }

    #[test]
    fn ranges_ascend_and_do_not_overlap() {
        let asks = [
            Ask::default(),
            Ask { tld: Some("com"), ..Ask::default() },
            Ask { host: Some("a.example.com"), path: Some("/"), ..Ask::default() },
            Ask { scheme: Some(Scheme::Http), port: Some(8080), ..Ask::default() },
            Ask {
                host: Some("a.com"),
                port: Some(1),
                path: Some("/"),
                query: Some("q"),
                fragment: Some("f"),
                ..Ask::default()
            },
        ];
        for ask in asks {
            let plan = plan(ask, &[]);
            let Access::Ranges(ranges) = plan.access else { panic!("no ranges") };
            assert!(!ranges.is_empty() && ranges.iter().all(|range| range.first <= range.last));
            assert!(ranges.windows(2).all(|pair| pair[0].last < pair[1].first));
        }
    }

    #[test]
    fn each_question_has_its_way() {
        let table: [(Ask<'_>, &[SliceIndex], &str); 9] = [
            (Ask::default(), &SliceIndex::ALL, "scan of every row in 1 range of headers"),
            (
                Ask { scheme: Some(Scheme::Ftp), ..Ask::default() },
                &[],
                "scan of every row in 1 range of headers",
            ),
            (Ask { path: Some("/a"), ..Ask::default() }, &[], "scan of every row in 1 range of headers"),
            (Ask { path: Some("/a"), ..Ask::default() }, &[SliceIndex::Path], "index on path, 1 range in it"),
            (
                Ask { path: Some("/a"), query: Some("q"), ..Ask::default() },
                &SliceIndex::ALL,
                "index on query, 6 ranges in it",
            ),
            (
                Ask { query: Some(""), ..Ask::default() },
                &SliceIndex::ALL,
                "scan of every row in 6 ranges of headers",
            ),
            (
                Ask { domain: Some("google"), path: Some("/a"), ..Ask::default() },
                &SliceIndex::ALL,
                "skip scan over 48 headers and the public suffixes in use",
            ),
            (
                Ask { tld: Some("com"), ..Ask::default() },
                &[],
                "48 key ranges with at least 7 of 64 hex digits known",
            ),
            (
                Ask { host: Some("www.google.com"), port: Some(80), path: Some("/"), ..Ask::default() },
                &[],
                "12 key ranges with at least 49 of 64 hex digits known",
            ),
        ];
        for (ask, indexes, expected) in table {
            let expected = format!("{expected}; every candidate is compared with its own URL");
            assert_eq!(plan(ask, indexes).to_string(), expected);
        }
    }

    #[test]
    fn a_pattern_is_its_digits() {
        let mut pattern = Pattern::any();
        pattern.fix(7..22, 0x0123_4567_89ab_cdef);
        let mut id = [0xff; 32];
        assert!(!pattern.matches(&id));
        id[3] = 0xf1;
        id[4..11].copy_from_slice(&[0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef]);
        assert!(pattern.matches(&id));
        id[3] = 0x01;
        assert!(pattern.matches(&id), "the digit beside the slice is free");
    }
}
