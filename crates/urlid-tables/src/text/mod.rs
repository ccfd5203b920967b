//! Tables of text: CSV (RFC 4180), tab-separated values and ndjson.
//!
//! Rows are kept as they are written. `chunk` reads whole records, `layout` finds the columns, `row` gives the values of a
//! record; `fields` and `object` are the syntax of records with separators and of JSON.

mod cell;
mod choice;
mod chunk;
mod error;
mod fields;
mod layout;
mod object;
mod row;

pub use cell::Cell;
pub use choice::{ColumnChoice, Dialect, HeaderRow};
pub use chunk::{RecordChunk, RecordReader};
pub use error::{RowError, TextTableError};
pub use layout::Layout;
pub use row::Row;
