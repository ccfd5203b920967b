//! The rows of all runs in a range of keys, in order and each once; and the ranges, which hold about the same number of rows.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;
use std::sync::Arc;

use super::runs::{Run, RunReader, SAMPLE_ROWS};
use crate::key::Place;

/// A range of keys: from the first, and before the second.
pub(super) type KeyRange = (Option<Arc<[u8]>>, Option<Arc<[u8]>>);

/// Returns ranges that hold about `rows` rows each, and hardly more: whole row groups are not followed by one of a few rows.
pub(super) fn ranges(runs: &[Run], rows: u64) -> Vec<KeyRange> {
    let mut keys: Vec<&[u8]> =
        runs.iter().flat_map(|run| run.samples.iter().map(|(key, _)| key.as_slice())).collect();
    keys.sort_unstable();
    // A sample stands for the rows up to the next one of its run, so a range may have that many more of each run.
    let step = (rows / SAMPLE_ROWS).saturating_sub(runs.len() as u64).max(1) as usize;
    let mut bounds: Vec<Arc<[u8]>> =
        keys.iter().skip(step).step_by(step).map(|key| Arc::from(*key)).collect();
    bounds.dedup();
    let starts = std::iter::once(None).chain(bounds.iter().cloned().map(Some));
    let ends = bounds.iter().cloned().map(Some).chain([None]);
    starts.zip(ends).collect()
}

/// Calls `each` with the rows of a range.
pub(super) fn merge(
    runs: &[Run],
    (from, behind): &KeyRange,
    buffer_len: usize,
    each: &mut dyn FnMut(Place<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut heap = BinaryHeap::with_capacity(runs.len());
    for run in runs {
        let reader = RunReader::open(run, from.as_deref(), behind.as_ref(), buffer_len)?;
        if reader.place().is_some() {
            heap.push(Reverse(Head(reader)));
        }
    }
    let mut last = Vec::new();
    let mut is_first = true;
    let mut runs_left = heap.len();
    // `PeekMut` restores the order of the heap when it is dropped: one sift instead of a pop and a push.
    while let Some(mut first) = heap.peek_mut() {
        let Reverse(Head(reader)) = &mut *first;
        if let Some(place) = reader.place()
            && (is_first || place.text != last)
        {
            each(place)?;
            is_first = false;
            // A run has each text once.
            if runs_left > 1 {
                place.text.clone_into(&mut last);
            }
        }
        reader.advance()?;
        if reader.place().is_none() {
            PeekMut::pop(first);
            runs_left -= 1;
        }
    }
    Ok(())
}

/// A reader, ordered by its current row.
struct Head(RunReader);

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.place().cmp(&other.0.place())
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}
