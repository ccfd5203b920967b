//! The rows of one adder: a batch in memory, and runs in a file.

use std::io;
use std::path::Path;

use super::batch::Batch;
use super::runs::{Run, RunFile};

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
    /// Writes the batch as a run.
    pub(super) fn write_run(&mut self, folder: &Path) -> io::Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(RunFile::create(folder)?),
        };
        let mut run = file.begin();
        self.batch.drain_sorted(|place| run.push(place))?;
        self.runs.push(run.finish()?);
        Ok(())
    }
}
