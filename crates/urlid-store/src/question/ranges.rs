//! Ranges of identifiers.

use std::ops::RangeInclusive;

use urlid::sxurl::{Header, Pattern};

use crate::question::row::Id;

/// Identifiers from one to another, both included.
pub(crate) type KeyRange = RangeInclusive<Id>;

/// Sorts ranges and joins those that overlap: suffixes may share a slice.
pub(crate) fn ascending(mut ranges: Vec<KeyRange>) -> Vec<KeyRange> {
    ranges.sort_unstable_by_key(|range| *range.start());
    let mut joined: Vec<KeyRange> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start() <= last.end() => {
                *last = *last.start()..=*last.end().max(range.end());
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// Joins the ranges of whole headers that are neighbours. The last bit of a header is 0, so headers differ by 2, and no
/// identifier lies between two neighbours.
pub(crate) fn joined(ranges: impl Iterator<Item = (Header, KeyRange)>) -> Vec<KeyRange> {
    // There are 48 headers. Their bits begin with the version, which is not 0, so 2 can be subtracted.
    let mut joined: Vec<KeyRange> = Vec::with_capacity(48);
    let mut before = None;
    for (header, range) in ranges {
        let is_whole = range == Pattern::ANY.with_header(header).range();
        match joined.last_mut() {
            Some(last) if is_whole && before == Some(header.bits() - 2) => {
                *last = *last.start()..=*range.end()
            }
            _ => joined.push(range),
        }
        before = is_whole.then(|| header.bits());
    }
    joined
}
