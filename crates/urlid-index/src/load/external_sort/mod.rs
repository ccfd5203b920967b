//! Sorting more rows than fit in memory: sorted runs in one file, read back as one sorted sequence.

mod merged;
mod runs;

pub(crate) use merged::SortedRows;
pub(crate) use runs::{RunReader, RunWriter, Runs, put, take};
