//! Putting URLs into an index: parse lines, sort rows, write them.

pub(crate) mod insert;
pub(crate) mod parse;
pub(crate) mod pipeline;
mod sorted_batches;
pub(crate) mod writer;
