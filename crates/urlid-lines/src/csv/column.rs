//! One column of comma-separated values, a field for each record.
//!
//! Only the fields of the one column are kept, and of those no more than the cap: memory does not grow with the input, nor
//! with a quote that is never closed.

use std::fmt;

use super::error::{CsvError, MOST_COLUMNS, MOST_NAME};
use super::fields::{CsvField, FieldEnd, FieldReader};
use crate::line::{HEAD, Line, LineError};
use crate::options::Options;
use crate::stream::ByteStream;

/// Reads the fields of one column.
pub struct CsvColumn {
    fields: FieldReader,
    limit: usize,
    /// Where the column is among the others.
    column: usize,
    columns: usize,
    field: CsvField,
    /// The last field of another column.
    passed: CsvField,
    is_over: bool,
}

impl fmt::Debug for CsvColumn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CsvColumn").field("column", &self.column).finish_non_exhaustive()
    }
}

impl CsvColumn {
    /// Reads the names of the columns and finds one.
    pub(crate) fn open(
        stream: Box<dyn ByteStream>,
        column: &str,
        options: Options,
    ) -> Result<Self, CsvError> {
        let mut fields = FieldReader::new(stream)?;
        if fields.peek()?.is_none() {
            return Err(CsvError::NoHeader);
        }
        let (mut names, mut field) = (Vec::new(), CsvField::default());
        loop {
            let end = fields.read_field(&mut field, MOST_NAME)?;
            if names.len() >= MOST_COLUMNS || field.len > MOST_NAME {
                return Err(CsvError::Header);
            }
            names.push(String::from_utf8_lossy(&field.kept).into_owned());
            if end != FieldEnd::Field {
                break;
            }
        }
        let mut indexes =
            names.iter().enumerate().filter(|(_, name)| *name == column).map(|(index, _)| index);
        let (index, second) = (indexes.next(), indexes.next());
        let columns = names.len();
        match (index, second) {
            (Some(column), None) => {
                let (limit, passed) = (options.max_line, CsvField::default());
                Ok(CsvColumn { fields, limit, column, columns, field, passed, is_over: false })
            }
            (Some(_), Some(_)) => Err(CsvError::Twice { column: column.to_owned() }),
            (None, _) => Err(CsvError::Missing { column: column.to_owned(), found: names }),
        }
    }

    /// Returns the field of the next record, `None` after the last one; its number is that of the line where the record begins.
    ///
    /// A field over the cap or not in UTF-8 is a [`Line`] whose `text` is an error. An empty line is an empty field.
    ///
    /// # Errors
    /// [`CsvError`], once, after all fields before it.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, CsvError> {
        if self.is_over {
            return Ok(None);
        }
        let number = self.fields.line();
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

    /// Whether the next record is in memory, so that getting it does not wait.
    pub fn has_line(&self) -> bool {
        self.fields.has_record()
    }

    /// Reads a record and keeps its field; returns whether there was one.
    fn read_record(&mut self) -> Result<bool, CsvError> {
        let Self { fields, limit, column, columns, field, passed, .. } = self;
        if fields.peek()?.is_none() {
            return Ok(false);
        }
        let mut found = 0;
        loop {
            let (into, limit) = if found == *column { (&mut *field, *limit) } else { (&mut *passed, 0) };
            let end = fields.read_field(into, limit)?;
            let is_empty = into.len == 0 && !into.is_quoted;
            found += 1;
            if end == FieldEnd::Field {
                continue;
            }
            // An empty line has one field, whatever the number of columns; quotes alone are a field as any other.
            if found == 1 && is_empty {
                field.clear();
                return Ok(true);
            }
            // The line end that closes the record is counted already, but for that of the last record.
            let line = fields.line() - u64::from(end == FieldEnd::Record);
            return if found == *columns {
                Ok(true)
            } else {
                Err(CsvError::Fields { line, found, expected: *columns })
            };
        }
    }
}
