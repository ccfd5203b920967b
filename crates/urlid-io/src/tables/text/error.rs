//! The errors of tables of text and of their rows.

use std::fmt;

use crate::lines::ReadError;
use urlid::{Coded, ErrorCode};

/// The most columns that a header may name.
pub(super) const MOST_COLUMNS: usize = 10_000;
/// The most bytes of a column's name.
pub(super) const MOST_NAME: usize = 4 << 10;
/// The most bytes of a record.
pub(super) const MOST_RECORD: usize = 64 << 20;
/// The most columns that a message names.
const NAMED: usize = 20;

/// Error of opening a table or reading it to its end.
#[non_exhaustive]
#[derive(Debug)]
pub enum TextTableError {
    /// The input cannot be read.
    Read(ReadError),
    /// The input is empty, where the first line should name the columns.
    NoHeader,
    /// The input is a Parquet file, which can only be read by its name.
    Parquet,
    /// The first record has too many columns, or a name that is too long.
    Header,
    /// No column has the chosen name or number.
    Missing {
        /// The chosen name or number.
        column: String,
        /// The names of the columns.
        found: Vec<String>,
    },
    /// No object has the member.
    NoMember {
        /// The name of the member.
        column: String,
    },
    /// Two columns have the name.
    Twice {
        /// The name.
        column: String,
    },
    /// A column to be added exists already.
    Exists {
        /// The name.
        column: String,
    },
    /// A member of objects was chosen by number.
    Numbered,
    /// A record is longer than 64 MiB.
    TooLong {
        /// The line where the record begins, from 1.
        line: u64,
    },
    /// A quote is not closed at the end of the input.
    Unclosed {
        /// The line where the record begins, from 1.
        line: u64,
    },
    /// A quote is closed in the middle of a field.
    AfterQuote {
        /// The line where the record begins, from 1.
        line: u64,
    },
    /// A record has more or fewer fields than the first.
    Fields {
        /// The line where the record begins, from 1.
        line: u64,
        /// The number of its fields.
        found: usize,
        /// The number of fields of the first record.
        expected: usize,
    },
}

impl Coded for TextTableError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Read(error) => error.code(),
            Self::Missing { .. }
            | Self::NoMember { .. }
            | Self::Twice { .. }
            | Self::Exists { .. }
            | Self::Numbered => ErrorCode::Column,
            _ => ErrorCode::Table,
        }
    }
}

impl fmt::Display for TextTableError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(out),
            Self::NoHeader => {
                out.write_str("no column is named: found an empty input, expected a line of names")
            }
            Self::Parquet => out.write_str(
                "input is a Parquet file, whose footer is at its end: expected the name of the file",
            ),
            Self::Header => write!(
                out,
                "first line names no columns: expected at most {MOST_COLUMNS} names of at most {MOST_NAME} bytes"
            ),
            Self::Missing { column, found } => {
                let names: Vec<String> = found.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
                let more = if found.len() > NAMED { ", …" } else { "" };
                write!(out, "no column `{column}`: found {}{more}", names.join(", "))
            }
            Self::NoMember { column } => write!(out, "no object has the member `{column}`"),
            Self::Twice { column } => write!(out, "column `{column}` is named twice"),
            Self::Exists { column } => write!(out, "column `{column}` is there already"),
            Self::Numbered => {
                out.write_str("columns of ndjson have no numbers: expected the name of a member")
            }
            Self::TooLong { line } => {
                write!(out, "record of line {line} is too long: expected at most {} MiB", MOST_RECORD >> 20)
            }
            Self::Unclosed { line } => {
                write!(out, "quote is not closed: found the end of the input in the record of line {line}")
            }
            Self::AfterQuote { line } => write!(
                out,
                "field goes on after its quotes in the record of line {line}: expected a comma or the line's end"
            ),
            Self::Fields { line, found, expected } => {
                write!(out, "record of line {line} has {found} fields: expected {expected}, as the first has")
            }
        }
    }
}

impl std::error::Error for TextTableError {}

impl From<ReadError> for TextTableError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

/// The reason an object has no value for a column. The rows around it are still read.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowError {
    /// The line is not a JSON object.
    NoObject {
        /// The message of the JSON parser.
        detail: String,
    },
    /// The member is neither a text nor null.
    NoText {
        /// The name of the member.
        column: String,
    },
    /// The object has the member twice, or has one that is to be added.
    Twice {
        /// The name of the member.
        column: String,
    },
}

impl Coded for RowError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::NoObject { .. } => ErrorCode::Table,
            Self::NoText { .. } | Self::Twice { .. } => ErrorCode::Column,
        }
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoObject { detail } => write!(out, "line is no JSON object: {detail}"),
            Self::NoText { column } => write!(out, "member `{column}` is no text: expected a string or null"),
            Self::Twice { column } => {
                write!(out, "object has the member `{column}` twice, or before it is added")
            }
        }
    }
}

impl std::error::Error for RowError {}
