//! Reads sorted runs as one sorted sequence, with each row once.
//!
//! The readers are in a heap that is ordered by their current rows. More than `FAN_IN` runs are merged in
//! passes. Each pass writes a new file that replaces the previous one, so memory and open files stay bounded
//! for any number of runs.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;
use std::path::Path;

use crate::sort::runs::{RowRange, RunReader, RunWriter, SortRow, SortedRun};

/// The most runs that are merged at once. With buffers of at least [`LEAST_BUFFER`] they need 16 MiB.
const FAN_IN: usize = 256;
/// The least buffer of a run, in bytes.
const LEAST_BUFFER: usize = 64 << 10;
/// The largest buffer of a run, in bytes.
const MOST_BUFFER: usize = 1 << 20;

/// A sorted sequence that is being read.
#[derive(Debug)]
pub struct SortedRows<R: SortRow> {
    heap: BinaryHeap<Head<R>>,
    /// The bytes of the last row that was returned while a second run could have the same row.
    last: Vec<u8>,
    /// Whether the current row of the first reader was returned.
    is_returned: bool,
}

/// A reader, ordered by its current row in reverse, because `BinaryHeap` has the greatest first.
#[derive(Debug)]
struct Head<R>(RunReader<R>);

impl<R: SortRow> Ord for Head<R> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.row().cmp(&self.0.row())
    }
}

impl<R: SortRow> PartialOrd for Head<R> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<R: SortRow> PartialEq for Head<R> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<R: SortRow> Eq for Head<R> {}

impl<R: SortRow> SortedRows<R> {
    /// Starts to read `runs` with `memory` bytes for all buffers. Passes write files in `directory`.
    pub fn read(mut runs: Vec<SortedRun>, directory: &Path, memory: usize) -> io::Result<Self> {
        let buffer_len = |runs: &[SortedRun]| (memory / runs.len().max(1)).clamp(LEAST_BUFFER, MOST_BUFFER);
        while runs.len() > FAN_IN {
            let mut joined = RunWriter::<R>::create(directory)?;
            for group in runs.chunks(FAN_IN) {
                let mut rows = Self::open(group, &RowRange::default(), buffer_len(group))?;
                while let Some(row) = rows.next_row()? {
                    joined.push(row)?;
                }
                joined.end_run();
            }
            runs = joined.finish()?;
        }
        Self::open(&runs, &RowRange::default(), buffer_len(&runs))
    }

    /// Starts to read the rows of a range with a buffer of about `buffer_len` bytes for each run. All runs
    /// are open at once.
    pub fn open(runs: &[SortedRun], range: &RowRange, buffer_len: usize) -> io::Result<Self> {
        let mut heap = BinaryHeap::with_capacity(runs.len());
        for run in runs {
            let reader = RunReader::open(run, range, buffer_len)?;
            if reader.current()?.is_some() {
                heap.push(Head(reader));
            }
        }
        Ok(Self { heap, last: Vec::new(), is_returned: false })
    }

    /// Returns the next row, or `None` after the last.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn next_row(&mut self) -> io::Result<Option<R::Row<'_>>> {
        // The reader moves past the last returned row only when the next row is wanted, because that row
        // borrows from the reader.
        let mut is_returned = std::mem::replace(&mut self.is_returned, true);
        while let Some(mut first) = self.heap.peek_mut() {
            // A run has each row once, so repeated rows are in different runs.
            if !is_returned && first.0.bytes() != self.last {
                break;
            }
            is_returned = false;
            first.0.advance()?;
            // Dropping `PeekMut` restores the order of the heap, with one sift instead of a pop and a push.
            if first.0.current()?.is_none() {
                PeekMut::pop(first);
            }
        }
        let Some(Head(first)) = self.heap.peek() else { return Ok(None) };
        // With a single run left, no row can repeat, so the last row need not be remembered.
        if self.heap.len() > 1 {
            first.bytes().clone_into(&mut self.last);
        }
        Ok(first.row())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::sort::runs::KeyedRow;

    fn merged(runs: &[BTreeSet<(u8, String)>]) -> Vec<(u8, String)> {
        let directory = tempfile::tempdir().expect("a directory");
        let mut written = RunWriter::<KeyedRow>::create(directory.path()).expect("creates");
        for rows in runs {
            let rows: Vec<_> = rows.iter().map(|(first, url)| ([*first; 32], url.as_bytes())).collect();
            written.push_run(rows.iter().map(|(id, url)| (id, *url))).expect("writes");
        }
        let runs = written.finish().expect("writes");
        let mut sorted = SortedRows::<KeyedRow>::read(runs, directory.path(), 0).expect("begins");
        let mut rows = Vec::new();
        while let Some((id, url)) = sorted.next_row().expect("steps") {
            rows.push((id[0], str::from_utf8(url).expect("is text").to_owned()));
        }
        rows
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn sorted_rows_are_the_union(
            runs in prop::collection::vec(prop::collection::btree_set((0_u8..5, "[ab]{0,2}"), 0..20), 0..6)
        ) {
            let union: BTreeSet<_> = runs.iter().flatten().cloned().collect();
            prop_assert_eq!(merged(&runs), union.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn more_runs_than_are_read_at_once_are_joined_in_passes() {
        let runs: Vec<BTreeSet<(u8, String)>> =
            (0..FAN_IN * 3 + 9).map(|n| BTreeSet::from([(3, format!("u{:03}", n % 100))])).collect();
        assert_eq!(merged(&runs).len(), 100);
    }
}
