//! The rows of one adder: a batch as they came, and sorted runs.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::sort::{Run, RunWriter};

use super::batch::Batch;
use crate::dataset::key::PlaceRow;

/// The numbers of lines by outcome.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) lines: u64,
    pub(super) blank: u64,
    pub(super) refused: u64,
    pub(super) taken: u64,
    pub(super) credentials: u64,
}

impl Counts {
    pub(super) fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.blank += other.blank;
        self.refused += other.refused;
        self.taken += other.taken;
        self.credentials += other.credentials;
    }
}

/// The bytes that runs may still take in memory.
#[derive(Debug)]
pub(super) struct RunMemory(AtomicUsize);

impl RunMemory {
    pub(super) fn new(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Takes bytes for a run, or none if fewer are left.
    fn take(&self, bytes: usize) -> bool {
        // Relaxed: the number is only a budget, and no other memory is published through it.
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

/// The rows of an adder.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) batch: Batch,
    /// The runs for which there was no room in memory.
    file: Option<RunWriter<PlaceRow>>,
    in_memory: Vec<Run>,
    pub(super) counts: Counts,
}

impl Rows {
    /// Makes a run of the batch, in memory if there is room for it.
    pub(super) fn write_run(&mut self, memory: &RunMemory, folder: &Path) -> io::Result<()> {
        let bytes = self.batch.run_bytes();
        if memory.take(bytes) {
            let mut run = RunWriter::<PlaceRow>::in_memory(bytes);
            self.batch.drain_sorted(|place| run.push(place))?;
            self.in_memory.extend(run.finish()?);
            return Ok(());
        }
        let runs = match &mut self.file {
            Some(runs) => runs,
            None => self.file.insert(RunWriter::create(folder)?),
        };
        self.batch.drain_sorted(|place| runs.push(place))?;
        runs.end_run();
        Ok(())
    }

    /// Makes the last run, and returns all with the numbers of lines.
    pub(super) fn finish(mut self, memory: &RunMemory, folder: &Path) -> io::Result<(Vec<Run>, Counts)> {
        self.write_run(memory, folder)?;
        let Self { batch: _, file, in_memory: mut runs, counts } = self;
        if let Some(file) = file {
            runs.extend(file.finish()?);
        }
        Ok((runs, counts))
    }
}
