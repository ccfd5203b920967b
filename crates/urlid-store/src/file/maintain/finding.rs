//! The faults that a verification finds.

use std::fmt;

use urlid::{Coded, ErrorCode};

/// The table and number of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowNumber {
    /// A row of the table `url`, numbered from 1 in the order of the table.
    Url(u64),
    /// A row of the table `other`, also numbered from 1 in the order of the table.
    Other(u64),
}

impl fmt::Display for RowNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(row) => write!(f, "row {row}"),
            Self::Other(row) => write!(f, "row {row} of `other`"),
        }
    }
}

/// One fault of an index.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// A key is not 32 bytes.
    Key {
        /// Its table, and its number there.
        row: RowNumber,
    },
    /// A text is not UTF-8.
    Text {
        /// Its table, and its number there.
        row: RowNumber,
    },
    /// A text of `url` lacks an SXURL.
    Url {
        /// Its table, and its number there.
        row: RowNumber,
        /// The text.
        url: String,
        /// The error of encoding it.
        source: urlid::Error,
    },
    /// A text of `other` is not an absolute URL.
    OtherUrl {
        /// Its table, and its number there.
        row: RowNumber,
        /// The text.
        url: String,
        /// The error of parsing it.
        source: urlid::Error,
    },
    /// A text of `other` has an SXURL, so it belongs in `url`.
    OtherTable {
        /// Its table, and its number there.
        row: RowNumber,
        /// The text.
        url: String,
    },
    /// A text is a URL, but not in the form in which the URL is stored.
    NotNormal {
        /// Its table, and its number there.
        row: RowNumber,
        /// The text.
        url: String,
    },
    /// An identifier or the key of a host does not match its URL.
    Id {
        /// Its table, and its number there.
        row: RowNumber,
        /// The text.
        url: String,
    },
    /// A row is not greater than the previous one.
    Order {
        /// Its table, and its number there.
        row: RowNumber,
    },
    /// A table does not have the number of rows that the last writer recorded.
    Rows {
        /// The counted rows.
        found: u64,
        /// The recorded number.
        recorded: u64,
    },
    /// The stored suffix list is not the one that the snapshot names.
    List,
    /// A line of SQLite's `integrity_check`.
    Structure(String),
    /// Reading ended early with this error.
    Unreadable(String),
}

impl std::error::Error for Finding {}

impl Coded for Finding {
    fn code(&self) -> ErrorCode {
        ErrorCode::IndexDamaged
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { row } => write!(f, "{row} has a key that is not 32 bytes long"),
            Self::Text { row } => write!(f, "{row} has a text that is not UTF-8"),
            Self::Url { row, url, source } => {
                write!(f, "{row} has `{url}`, which cannot have an SXURL: {source}")
            }
            Self::OtherUrl { row, url, source } => {
                write!(f, "{row} has a text that is not a URL: found `{url}`: {source}")
            }
            Self::OtherTable { row, url } => {
                write!(f, "{row} belongs in the table `url`: found `{url}`, which has an SXURL")
            }
            Self::NotNormal { row, url } => write!(f, "{row} is not in normal form: found `{url}`"),
            Self::Id { row: row @ RowNumber::Url(_), url } => {
                write!(f, "{row} has an id that does not match `{url}`")
            }
            Self::Id { row, url } => write!(f, "{row} has a host key that does not match `{url}`"),
            Self::Order { row } => {
                write!(f, "{row} is out of order: its key is not greater than the previous one")
            }
            Self::Rows { found, recorded } => {
                write!(
                    f,
                    "number of rows was changed outside the program: found {found}, expected {recorded}"
                )
            }
            Self::List => f.write_str("suffix list does not match the snapshot"),
            Self::Structure(text) => write!(f, "file structure is damaged: {text}"),
            Self::Unreadable(text) => write!(f, "rows cannot be read to the end: {text}"),
        }
    }
}

/// Returns the message of the innermost source of an error.
pub(super) fn cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), cause)
}
