//! The error of reading a column of a Parquet file.

use std::fmt;
use std::io;

use urlid::{Coded, ErrorCode};

/// The most columns that a message names.
const NAMED: usize = 20;

/// Error of opening a column or reading it to its end.
#[non_exhaustive]
#[derive(Debug)]
pub enum ColumnError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file does not end like a Parquet file.
    NotParquet,
    /// The footer is malformed.
    Footer {
        /// The fault.
        detail: String,
    },
    /// The file lacks the column.
    Missing {
        /// The column that was chosen.
        column: String,
        /// The columns of the file.
        found: Vec<String>,
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
    /// The column does not have one text a row.
    Kind {
        /// The column.
        column: String,
        /// The type of its values.
        found: String,
    },
    /// The values are malformed.
    Values {
        /// The row group, from 0.
        row_group: usize,
        /// The number of rows of the file that were read before.
        rows: u64,
        /// The fault.
        detail: String,
    },
}

impl Coded for ColumnError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Io(_) => ErrorCode::Io,
            Self::Missing { .. } | Self::Twice { .. } | Self::Exists { .. } | Self::Kind { .. } => {
                ErrorCode::Column
            }
            Self::NotParquet | Self::Footer { .. } | Self::Values { .. } => ErrorCode::Table,
        }
    }
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(_) => f.write_str("file cannot be read"),
            Self::NotParquet => f.write_str("not a whole Parquet file: found no `PAR1` at its end"),
            Self::Footer { detail } => write!(f, "footer is damaged: {detail}"),
            Self::Missing { column, found } => {
                let names: Vec<String> = found.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
                let more = if found.len() > NAMED { ", …" } else { "" };
                write!(f, "no column `{column}`: found {}{more}", names.join(", "))
            }
            Self::Twice { column } => write!(f, "column `{column}` is named twice"),
            Self::Exists { column } => write!(f, "column `{column}` is there already"),
            Self::Kind { column, found } => {
                write!(f, "column `{column}` holds no texts: found {found}, expected one UTF-8 text a row")
            }
            Self::Values { row_group, rows, detail } => {
                write!(f, "row group {row_group} cannot be read: {detail}: {rows} rows were read before")
            }
        }
    }
}

impl std::error::Error for ColumnError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ColumnError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The reason that reading a row group ended early.
#[derive(Debug)]
pub(super) enum End {
    Io(io::Error),
    Damaged(String),
    Stopped,
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<String> for End {
    fn from(detail: String) -> Self {
        Self::Damaged(detail)
    }
}
