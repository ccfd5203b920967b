//! The lines to deliver: those of records that were not acknowledged.

use std::ops::Range;

/// The records whose lines are to be delivered, by their sequence numbers.
#[derive(Debug, Default)]
pub(crate) struct Delivery {
    /// Left by earlier sets, and not yet taken over.
    left: Vec<Range<u64>>,
    /// Of this set, or taken over by it.
    due: Vec<Range<u64>>,
    /// Whether the log does not have the last acknowledgement yet.
    is_behind: bool,
}

impl Delivery {
    /// Begins with the records that earlier sets left.
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

    /// Notes that a record was written, with lines or without. Each record states what was pending before it.
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
