//! Tables from anybody: columns of CSV, TSV, ndjson and Parquet files, and the same rows with more columns.
//!
//! A table is untrusted input: nothing that it claims is believed, and memory is bounded. What the values mean is up to the caller.

#![forbid(unsafe_code)]

mod column;
mod parquet;
mod text;

pub use self::column::TextColumn;
pub use self::parquet::{
    ColumnError, Extension, MakeValues, NewColumn, NewGroup, ParquetColumn, ParquetTable,
};
pub use self::text::{
    Cell, ColumnChoice, Dialect, HeaderRow, Layout, RecordChunk, RecordReader, Row, RowError, TextTableError,
};
