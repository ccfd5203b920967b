//! Tables of text: CSV (RFC 4180), tab-separated values, ndjson and logs.
//!
//! Rows keep their bytes as written. `chunk` reads whole records, `layout` finds the columns, and `row`
//! returns the values of a record. `fields`, `object` and `log` parse records with separators, JSON and lines
//! of logs.

mod chunk;
mod fields;
mod layout;
mod log;
mod object;
mod row;

pub use chunk::{RecordChunk, RecordReader};
pub use fields::{Cell, ColumnChoice, Dialect, HeaderRow, Separator};
pub use layout::TableLayout;
pub use log::LogFormat;
pub use row::TableRow;
