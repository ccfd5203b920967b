//! Parquet files: an index exported to them, and a column of texts read from one.

pub(crate) mod columns;
pub(crate) mod export;
mod layout;
mod order;
