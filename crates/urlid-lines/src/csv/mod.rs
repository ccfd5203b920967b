//! One column of comma-separated values (RFC 4180).
//!
//! The first record names the columns. A field may be in quotes, with commas, line ends and doubled quotes in it; records
//! end by LF or CRLF.

mod column;
mod error;
mod fields;

pub use column::CsvColumn;
pub use error::CsvError;
