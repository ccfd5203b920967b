//! One column of comma-separated values (RFC 4180), field by field.
//!
//! The first record names the columns. A field may be in quotes, with commas, line ends and doubled quotes in it; records end by LF or
//! CRLF. Only the fields of the one column are kept, and of those no more than the cap: memory does not grow with the input, nor
//! with a quote that is never closed. Knows nothing of what the fields mean.

use std::fmt;

use crate::csv_fields::{Bytes, Field, Next};
use crate::feed::{Feed, ReadError};
use crate::input::Options;
use crate::line::{Line, LineError};
use urlid::{Coded, ErrorCode};

/// The bytes kept of a field over the cap.
const HEAD: usize = 64;
/// The most columns that a header may name.
const MOST_COLUMNS: usize = 10_000;
/// The most bytes of a column's name.
const MOST_NAME: usize = 4 << 10;
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
        /// The name that was asked for.
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

impl std::error::Error for CsvError {}

impl From<ReadError> for CsvError {
    fn from(error: ReadError) -> Self {
        CsvError::Read(error)
    }
}

/// Reads the fields of one column.
pub struct CsvColumn {
    bytes: Bytes,
    limit: usize,
    /// Where the column is among the others.
    column: usize,
    columns: usize,
    field: Field,
    /// The last field of another column.
    passed: Field,
    is_over: bool,
}

impl fmt::Debug for CsvColumn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CsvColumn").field("column", &self.column).finish_non_exhaustive()
    }
}

impl CsvColumn {
    /// Reads the names of the columns and finds one.
    pub(crate) fn open(feed: Box<dyn Feed>, column: &str, options: Options) -> Result<Self, CsvError> {
        let mut bytes = Bytes::of(feed)?;
        if bytes.peek()?.is_none() {
            return Err(CsvError::NoHeader);
        }
        let (mut names, mut field) = (Vec::new(), Field::default());
        loop {
            let next = bytes.field(&mut field, MOST_NAME)?;
            if names.len() >= MOST_COLUMNS || field.len > MOST_NAME {
                return Err(CsvError::Header);
            }
            names.push(String::from_utf8_lossy(&field.kept).into_owned());
            if next != Next::Field {
                break;
            }
        }
        let mut places = names.iter().enumerate().filter(|(_, name)| *name == column).map(|(place, _)| place);
        let (place, second) = (places.next(), places.next());
        let columns = names.len();
        match (place, second) {
            (Some(column), None) => {
                let (limit, passed) = (options.max_line, Field::default());
                Ok(CsvColumn { bytes, limit, column, columns, field, passed, is_over: false })
            }
            (Some(_), Some(_)) => Err(CsvError::Twice { column: column.to_owned() }),
            (None, _) => Err(CsvError::Missing { column: column.to_owned(), found: names }),
        }
    }

    /// Returns the field of the next record, `None` after the last one; its number is that of the line where the record begins.
    ///
    /// A field over the cap or not in UTF-8 is a [`Line`] whose `text` says so. An empty line is an empty field.
    ///
    /// # Errors
    /// [`CsvError`], once, after all fields before it.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, CsvError> {
        if self.is_over {
            return Ok(None);
        }
        let number = self.bytes.line();
        // Whatever goes wrong, nothing is read after it.
        self.is_over = true;
        if !self.read_record()? {
            return Ok(None);
        }
        self.is_over = false;
        if self.field.len > self.limit {
            let head = &self.field.kept[..self.field.kept.len().min(HEAD)];
            return Ok(Some(Line {
                number,
                bytes: head,
                text: Err(LineError::TooLong { limit: self.limit }),
            }));
        }
        Ok(Some(Line::of(number, &self.field.kept)))
    }

    /// Whether the next record is at hand, so that asking for it waits for nobody.
    pub fn has_line(&self) -> bool {
        self.bytes.has_record()
    }

    /// Reads a record and keeps its field; returns whether there was one.
    fn read_record(&mut self) -> Result<bool, CsvError> {
        let Self { bytes, limit, column, columns, field, passed, .. } = self;
        if bytes.peek()?.is_none() {
            return Ok(false);
        }
        let mut found = 0;
        loop {
            let (into, limit) = if found == *column { (&mut *field, *limit) } else { (&mut *passed, 0) };
            let next = bytes.field(into, limit)?;
            let is_empty = into.len == 0 && !into.is_quoted;
            found += 1;
            if next == Next::Field {
                continue;
            }
            // An empty line has one field, whatever the number of columns; quotes alone are a field as any other.
            if found == 1 && is_empty {
                field.clear();
                return Ok(true);
            }
            // The line end that closes the record is counted already, but for that of the last record.
            let line = bytes.line() - u64::from(next == Next::Record);
            return if found == *columns {
                Ok(true)
            } else {
                Err(CsvError::Fields { line, found, expected: *columns })
            };
        }
    }
}
