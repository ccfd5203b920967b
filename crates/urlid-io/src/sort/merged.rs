//! The rows of sorted runs as one sorted sequence, each row once.
//!
//! A heap of readers, ordered by their current rows. More than `FAN_IN` runs are merged in passes, each of which writes a new
//! file that replaces the one before, so memory and open files stay bounded for any number of runs.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::sort::runs::Key;
use crate::sort::runs::{Run, RunReader, RunWriter, Runs};

/// The most runs that are merged at once. With buffers of at least [`LEAST_BUFFER`] they take 16 MiB.
const FAN_IN: usize = 256;
/// The least buffer of a run, in bytes.
const LEAST_BUFFER: usize = 64 << 10;
/// The largest buffer of a run, in bytes.
const MOST_BUFFER: usize = 1 << 20;

/// A sorted sequence that is being read. Its current row is the least that is left.
#[derive(Debug)]
pub struct SortedRows {
    heap: BinaryHeap<Reverse<Head>>,
    // `BinaryHeap` pops the greatest element; `Reverse` makes that the least row.
}

/// A reader, ordered by its current row.
#[derive(Debug)]
struct Head(RunReader);

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.row().cmp(&other.0.row())
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

impl SortedRows {
    /// Begins to read `runs` with `memory` bytes of buffers in all; passes go into files in `directory`.
    pub fn read(mut runs: Runs, directory: &Path, memory: usize) -> io::Result<Self> {
        while runs.places.len() > FAN_IN {
            let mut joined = RunWriter::create(directory)?;
            for group in runs.places.chunks(FAN_IN) {
                let mut rows = Self::of(&runs.file, group, memory)?;
                while let Some((id, url)) = rows.row() {
                    joined.push(id, std::str::from_utf8(url).map_err(io::Error::other)?)?;
                    rows.advance()?;
                }
                joined.end_run();
            }
            runs = joined.finish()?;
        }
        Self::of(&runs.file, &runs.places, memory)
    }

    fn of(file: &Arc<File>, runs: &[Run], memory: usize) -> io::Result<Self> {
        let buffer_len = (memory / runs.len().max(1)).clamp(LEAST_BUFFER, MOST_BUFFER);
        let mut heap = BinaryHeap::with_capacity(runs.len());
        for run in runs {
            let reader = RunReader::open(file, *run, buffer_len)?;
            if reader.row().is_some() {
                heap.push(Reverse(Head(reader)));
            }
        }
        Ok(Self { heap })
    }

    /// Returns the least row that is left.
    pub fn row(&self) -> Option<(&Key, &[u8])> {
        let Reverse(Head(reader)) = self.heap.peek()?;
        reader.row()
    }

    /// Steps to the next row that differs from this one.
    pub fn advance(&mut self) -> io::Result<()> {
        let Some((id, url)) = self.row() else { return Ok(()) };
        // The row is copied because advancing its reader overwrites the buffer. Repeats are in other runs: a run has each row
        // once.
        let (id, url) = (*id, url.to_vec());
        while self.row() == Some((&id, url.as_slice())) {
            let Some(mut first) = self.heap.peek_mut() else { return Ok(()) };
            // `PeekMut` restores the order of the heap when it is dropped: one sift instead of a pop and a push.
            let Reverse(Head(reader)) = &mut *first;
            reader.advance()?;
            if reader.row().is_none() {
                std::collections::binary_heap::PeekMut::pop(first);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn merged(runs: &[BTreeSet<(u8, String)>]) -> Vec<(u8, String)> {
        let directory = tempfile::tempdir().expect("a directory");
        let mut written = RunWriter::create(directory.path()).expect("creates");
        for rows in runs {
            let rows: Vec<(Key, &str)> =
                rows.iter().map(|(first, url)| ([*first; 32], url.as_str())).collect();
            written.push_run(rows.iter().map(|(id, url)| (id, *url))).expect("writes");
        }
        let mut sorted =
            SortedRows::read(written.finish().expect("writes"), directory.path(), 0).expect("begins");
        let mut rows = Vec::new();
        while let Some((id, url)) = sorted.row() {
            rows.push((id[0], String::from_utf8(url.to_vec()).expect("is text")));
            sorted.advance().expect("steps");
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
