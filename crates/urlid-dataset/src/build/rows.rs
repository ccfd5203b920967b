//! The rows of one adder: a batch as they came, and sorted runs.

use std::io;
use std::path::Path;

use super::batch::Batch;
use super::runs::{Run, RunFile, RunMemory, RunWriter};

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

/// The rows of an adder.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) batch: Batch,
    file: Option<RunFile>,
    pub(super) runs: Vec<Run>,
    pub(super) counts: Counts,
}

impl Rows {
    /// Makes a run of the batch, in memory if there is room for it.
    pub(super) fn write_run(&mut self, memory: &RunMemory, folder: &Path) -> io::Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let bytes = self.batch.run_bytes();
        let mut run = match &mut self.file {
            _ if memory.take(bytes) => RunWriter::in_memory(bytes),
            Some(file) => file.begin(),
            None => self.file.insert(RunFile::create(folder)?).begin(),
        };
        self.batch.drain_sorted(|place| run.push(place))?;
        self.runs.push(run.finish()?);
        Ok(())
    }
}
