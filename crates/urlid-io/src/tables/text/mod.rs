//! Tables of text: CSV (RFC 4180), tab-separated values and ndjson.
//!
//! Rows keep their bytes as written. `chunk` reads whole records, `layout` finds the columns, `row` returns
//! the values of a record; `fields` and `object` parse records with separators and JSON.

mod chunk;
mod fields;
mod layout;
mod object;
mod row;

pub use chunk::{RecordChunk, RecordReader};
pub use fields::{Cell, ColumnChoice, Dialect, HeaderRow, Separator};
pub use layout::TableLayout;
pub use row::TableRow;
