//! Sorting more rows than fit in memory: sorted runs in a file, read back as one sorted sequence.

pub(crate) mod run;
pub(crate) mod sorted;
