//! Building a dataset: lines are parsed and sorted in batches, batches become runs in memory or in files
//! without names, and ranges of keys of all runs are merged and encoded side by side.

pub(crate) mod adder;
mod batch;
pub(crate) mod builder;
mod encode;
mod rows;
mod shared;
mod write;
