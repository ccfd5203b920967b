//! Why a column of comma-separated values cannot be read, or not to its end.

use std::fmt;

use urlid::{Coded, ErrorCode};

use crate::error::ReadError;

/// The most columns that a header may name.
pub(super) const MOST_COLUMNS: usize = 10_000;
/// The most bytes of a column's name.
pub(super) const MOST_NAME: usize = 4 << 10;
/// The columns that a message names.
const NAMED: usize = 20;

/// Why a column cannot be read, or not to its end.
#[non_exhaustive]
#[derive(Debug)]
pub enum CsvError {
    /// The input cannot be read.
    Read(ReadError),
    /// The input is empty, where the first line should name the columns.
    NoHeader,
    /// The first record names more columns than any table has, or one with a name of no end.
    Header,
    /// No column has the name.
    Missing {
        /// The name that was looked for.
        column: String,
        /// The names that there are.
        found: Vec<String>,
    },
    /// Two columns have the name.
    Twice {
        /// The name.
        column: String,
    },
    /// A quote is not closed at the end of the input.
    Unclosed {
        /// The line of the quote, from 1.
        line: u64,
    },
    /// A quote is closed in the middle of a field.
    AfterQuote {
        /// The line, from 1.
        line: u64,
    },
    /// A record has more or fewer fields than the first.
    Fields {
        /// The line of the record's end, from 1.
        line: u64,
        /// How many fields it has.
        found: usize,
        /// How many columns are named.
        expected: usize,
    },
}

impl Coded for CsvError {
    fn code(&self) -> ErrorCode {
        match self {
            CsvError::Read(error) => error.code(),
            CsvError::Missing { .. } | CsvError::Twice { .. } => ErrorCode::Column,
            _ => ErrorCode::Table,
        }
    }
}

impl fmt::Display for CsvError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CsvError::Read(error) => error.fmt(out),
            CsvError::NoHeader => {
                out.write_str("no column is named: found an empty input, expected a line of names")
            }
            CsvError::Header => write!(
                out,
                "first line names no columns: expected at most {MOST_COLUMNS} names of at most {MOST_NAME} bytes"
            ),
            CsvError::Missing { column, found } => {
                let names: Vec<String> = found.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
                let more = if found.len() > NAMED { ", …" } else { "" };
                write!(out, "no column `{column}`: found {}{more}", names.join(", "))
            }
            CsvError::Twice { column } => write!(out, "column `{column}` is named twice"),
            CsvError::Unclosed { line } => {
                write!(out, "quote is not closed: found the end of the input in a field of line {line}")
            }
            CsvError::AfterQuote { line } => {
                write!(
                    out,
                    "field goes on after its quotes in line {line}: expected a comma or the line's end"
                )
            }
            CsvError::Fields { line, found, expected } => {
                write!(out, "record has {found} fields in line {line}: expected {expected}, as the first has")
            }
        }
    }
}

impl std::error::Error for CsvError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CsvError::Read(error) => error.source(),
            _ => None,
        }
    }
}

impl From<ReadError> for CsvError {
    fn from(error: ReadError) -> Self {
        CsvError::Read(error)
    }
}
