//! Putting URLs into an index: parse lines, sort rows, write them.

mod delivery;
pub(crate) mod insert;
pub(crate) mod parse;
pub(crate) mod pipeline;
pub(crate) mod seen_set;
mod sorted_batches;
pub(crate) mod writer;
