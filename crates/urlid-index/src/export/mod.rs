//! Copies of an index for other programs: Parquet files, and a SQLite file with readable columns.

#[cfg(feature = "parquet")]
mod groups;
#[cfg(feature = "parquet")]
mod layout;
#[cfg(feature = "parquet")]
mod order;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
#[cfg(feature = "parquet")]
mod row_group;
pub(crate) mod sqlite;
