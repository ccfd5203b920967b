//! The lines to deliver, by the sequence numbers of their records.
//!
//! In a set that delivers at least once, a line is due until its consumer acknowledges it. Earlier writers
//! may have been killed with lines still due. These lines are `left` until the consumer asks for them, and
//! then they are `due` like the set's own. An acknowledgement empties `due` in memory only. It becomes
//! durable with the next record, because each record lists the records that were pending before it. Until
//! then the set `is_behind`, and a crash delivers the lines again.

use std::ops::Range;

/// The records with lines that are not acknowledged, by their sequence numbers.
#[derive(Debug, Default)]
pub(crate) struct Delivery {
    /// Records of earlier sets that this one has not yet taken over.
    left: Vec<Range<u64>>,
    /// Records of this set, and those that it took over.
    due: Vec<Range<u64>>,
    /// Whether the last acknowledgement is missing from the log.
    is_behind: bool,
}

impl Delivery {
    /// Starts with the records that earlier sets left.
    pub(crate) fn new(left: Vec<Range<u64>>) -> Self {
        Self { left, ..Self::default() }
    }

    /// Takes over the records that are left.
    pub(crate) fn take(&mut self) {
        // Out of order from now on: `has` needs no order, and `pending` sorts.
        self.due.append(&mut self.left);
    }

    pub(crate) fn acknowledge(&mut self) {
        self.is_behind |= !self.due.is_empty();
        self.due.clear();
    }

    pub(crate) fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Notes that a record was written, with lines or without. The record lists the pending ones before it,
    /// so the log is up to date.
    pub(crate) fn wrote(&mut self, sequence: u64, has_lines: bool) {
        self.is_behind = false;
        if has_lines {
            push(&mut self.due, sequence);
        }
    }

    /// Returns all records whose lines are to be delivered, in order.
    pub(crate) fn pending(&self) -> Vec<Range<u64>> {
        let mut ranges = [&self.left[..], &self.due[..]].concat();
        ranges.sort_unstable_by_key(|range| range.start);
        ranges
    }

    pub(crate) fn left(&self) -> &[Range<u64>] {
        &self.left
    }

    pub(crate) fn due(&self) -> &[Range<u64>] {
        &self.due
    }
}

/// Adds a number that is greater than all in the ranges.
pub(crate) fn push(ranges: &mut Vec<Range<u64>>, number: u64) {
    match ranges.last_mut().filter(|last| last.end == number) {
        Some(last) => last.end += 1,
        None => ranges.push(number..number + 1),
    }
}

/// Returns whether a number is in one of the ranges.
pub(crate) fn has(ranges: &[Range<u64>], number: u64) -> bool {
    ranges.iter().any(|range| range.contains(&number))
}
