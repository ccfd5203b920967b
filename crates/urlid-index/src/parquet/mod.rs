//! Parquet files that an index is exported to.

pub(crate) mod export;
mod layout;
mod order;
mod row_group;
