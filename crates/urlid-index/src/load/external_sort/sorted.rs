//! Merging sorted runs into one sorted sequence without repeats.
//!
//! A binary heap of readers, ordered by the row each stands on. More runs than `FAN_IN` are merged in groups first, so
//! that memory stays bounded however many there are.

use std::io;
use std::path::Path;

use crate::id::Id;
use crate::load::external_sort::run::{Run, RunReader, RunWriter};

/// The most runs that are read at once.
const FAN_IN: usize = 256;
/// The least buffer that a run is read with, in bytes.
const LEAST_BUFFER: usize = 64 << 10;
const MOST_BUFFER: usize = 1 << 20;

/// A merge in progress; stands on the least row that is left.
#[derive(Debug)]
pub(crate) struct Merge {
    heap: Vec<RunReader>,
}

impl Merge {
    /// Begins to merge `runs`, reading with `memory` bytes of buffers in all.
    pub(crate) fn new(mut runs: Vec<Run>, directory: &Path, memory: usize) -> io::Result<Self> {
        while runs.len() > FAN_IN {
            let group = runs.drain(..FAN_IN).collect();
            let mut merge = Self::of(group, memory)?;
            let mut writer = RunWriter::new(directory)?;
            while let Some((id, url)) = merge.row() {
                let url = std::str::from_utf8(url).map_err(io::Error::other)?;
                writer.push(id, url)?;
                merge.advance()?;
            }
            runs.push(writer.finish()?);
        }
        Self::of(runs, memory)
    }

    fn of(runs: Vec<Run>, memory: usize) -> io::Result<Self> {
        let buffer_len = (memory / runs.len().max(1)).clamp(LEAST_BUFFER, MOST_BUFFER);
        let heap = runs.into_iter().map(|run| run.read(buffer_len)).collect::<io::Result<Vec<_>>>()?;
        let mut merge = Self { heap };
        merge.heap.retain(|reader| reader.row().is_some());
        for root in (0..merge.heap.len() / 2).rev() {
            merge.sift_down(root);
        }
        Ok(merge)
    }

    /// Returns the least row that is left.
    pub(crate) fn row(&self) -> Option<(&Id, &[u8])> {
        self.heap.first()?.row()
    }

    /// Steps to the next row that differs from this one.
    pub(crate) fn advance(&mut self) -> io::Result<()> {
        let Some(first) = self.heap.first() else { return Ok(()) };
        let Some((id, url)) = first.row() else { return Ok(()) };
        // Equal rows are in other runs: within one there are none.
        let (id, url) = (*id, url.to_vec());
        while self.row().is_some_and(|row| row == (&id, url.as_slice())) {
            self.heap[0].advance()?;
            if self.heap[0].row().is_none() {
                self.heap.swap_remove(0);
            }
            self.sift_down(0);
        }
        Ok(())
    }

    fn sift_down(&mut self, mut root: usize) {
        loop {
            let mut least = root;
            for child in [2 * root + 1, 2 * root + 2] {
                if child < self.heap.len() && self.heap[child].row() < self.heap[least].row() {
                    least = child;
                }
            }
            if least == root {
                return;
            }
            self.heap.swap(root, least);
            root = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn merged(runs: &[BTreeSet<(u8, String)>]) -> Vec<(u8, String)> {
        let directory = tempfile::tempdir().expect("a directory");
        let runs = runs
            .iter()
            .map(|rows| {
                let rows: Vec<(Id, &str)> =
                    rows.iter().map(|(first, url)| ([*first; 32], url.as_str())).collect();
                Run::write(directory.path(), rows.iter().map(|(id, url)| (id, *url))).expect("writes")
            })
            .collect();
        let mut merge = Merge::new(runs, directory.path(), 0).expect("begins");
        let mut rows = Vec::new();
        while let Some((id, url)) = merge.row() {
            rows.push((id[0], String::from_utf8(url.to_vec()).expect("is text")));
            merge.advance().expect("steps");
        }
        rows
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_merge_is_the_union(
            runs in prop::collection::vec(prop::collection::btree_set((0_u8..5, "[ab]{0,2}"), 0..20), 0..6)
        ) {
            let union: BTreeSet<_> = runs.iter().flatten().cloned().collect();
            prop_assert_eq!(merged(&runs), union.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn more_runs_than_are_read_at_once_are_merged_in_groups() {
        let runs: Vec<BTreeSet<(u8, String)>> =
            (0..FAN_IN + 9).map(|n| BTreeSet::from([(3, format!("u{:03}", n % 100))])).collect();
        assert_eq!(merged(&runs).len(), 100);
    }
}
