//! Putting URLs into an index: parse, sort, insert.

pub(crate) mod batch;
pub(crate) mod external_sort;
pub(crate) mod parse;
pub(crate) mod pipeline;
pub(crate) mod seen_set;
pub(crate) mod writer;
