//! The fields of comma-separated values, one by one, as bytes come in.
//!
//! This is where a field and a record end, and what is kept of a field.

use memchr::{memchr, memchr2};

use super::error::CsvError;
use crate::error::ReadError;
use crate::line::BOM;
use crate::stream::ByteStream;

/// Bytes read at once.
const ROOM: usize = 64 << 10;

/// What follows a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldEnd {
    /// Another field of the record.
    Field,
    /// Another record.
    Record,
    /// The end of the input.
    Input,
}

/// A field, without its quotes.
#[derive(Default)]
pub(crate) struct CsvField {
    pub(crate) kept: Vec<u8>,
    /// The length of the whole.
    pub(crate) len: usize,
    pub(crate) is_quoted: bool,
    /// Its last byte, if it has any.
    last: u8,
}

impl CsvField {
    pub(crate) fn clear(&mut self) {
        self.kept.clear();
        self.len = 0;
        self.is_quoted = false;
    }

    /// Adds a byte, and keeps it if no more than `limit` are kept.
    fn push(&mut self, byte: u8, limit: usize) {
        self.len += 1;
        // The one byte more may be the CR of a line end.
        if self.kept.len() <= limit {
            self.kept.push(byte);
        }
        self.last = byte;
    }

    /// Drops the CR of a line end; that of a field over the cap may not be kept.
    fn drop_carriage_return(&mut self) {
        if self.len > 0 && self.last == b'\r' {
            self.len -= 1;
            self.kept.truncate(self.len);
        }
    }
}

/// Reads fields, and counts the lines that they are in.
pub(crate) struct FieldReader {
    stream: Box<dyn ByteStream>,
    room: Box<[u8]>,
    start: usize,
    end: usize,
    line: u64,
}

impl FieldReader {
    /// Begins to read, behind a byte order mark.
    pub(crate) fn new(stream: Box<dyn ByteStream>) -> Result<Self, ReadError> {
        let mut reader = Self { stream, room: vec![0; ROOM].into(), start: 0, end: 0, line: 1 };
        reader.skip_mark()?;
        Ok(reader)
    }

    /// Returns the number of the line that the next byte is in, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Whether the next record can be read, or refused, without reading the stream.
    pub(crate) fn has_record(&self) -> bool {
        holds_record(&self.room[self.start..self.end])
    }

    /// Drops a byte order mark; the room holds more than one.
    fn skip_mark(&mut self) -> Result<(), ReadError> {
        while self.end < BOM.len() && BOM.starts_with(&self.room[..self.end]) {
            let n = self.stream.read(&mut self.room[self.end..])?;
            if n == 0 {
                break;
            }
            self.end += n;
        }
        if self.room[..self.end].starts_with(BOM) {
            self.start = BOM.len();
        }
        Ok(())
    }

    /// Returns the next byte and leaves it there.
    pub(crate) fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        if self.start == self.end {
            self.start = 0;
            self.end = self.stream.read(&mut self.room)?;
        }
        Ok(self.room[self.start..self.end].first().copied())
    }

    fn take(&mut self) -> Result<Option<u8>, ReadError> {
        let byte = self.peek()?;
        self.start += usize::from(byte.is_some());
        self.line += u64::from(byte == Some(b'\n'));
        Ok(byte)
    }

    /// Reads a field, of which a few bytes more than `limit` are kept.
    pub(crate) fn read_field(&mut self, field: &mut CsvField, limit: usize) -> Result<FieldEnd, CsvError> {
        field.clear();
        let line = self.line;
        if self.peek()? == Some(b'"') {
            self.take()?;
            return self.quoted(field, limit, line);
        }
        let end = loop {
            match self.take()? {
                None => break FieldEnd::Input,
                Some(b',') => return Ok(FieldEnd::Field),
                Some(b'\n') => break FieldEnd::Record,
                Some(byte) => field.push(byte, limit),
            }
        };
        if end == FieldEnd::Record {
            field.drop_carriage_return();
        }
        Ok(end)
    }

    /// Reads a field whose first quote is taken.
    fn quoted(&mut self, field: &mut CsvField, limit: usize, line: u64) -> Result<FieldEnd, CsvError> {
        field.is_quoted = true;
        loop {
            match self.take()? {
                None => return Err(CsvError::Unclosed { line }),
                Some(b'"') if self.peek()? == Some(b'"') => {
                    self.take()?;
                    field.push(b'"', limit);
                }
                Some(b'"') => break,
                Some(byte) => field.push(byte, limit),
            }
        }
        let line = self.line;
        match self.take()? {
            None => Ok(FieldEnd::Input),
            Some(b',') => Ok(FieldEnd::Field),
            Some(b'\n') => Ok(FieldEnd::Record),
            Some(b'\r') if self.peek()? == Some(b'\n') => {
                self.take()?;
                Ok(FieldEnd::Record)
            }
            Some(_) => Err(CsvError::AfterQuote { line }),
        }
    }
}

/// Whether `bytes` begin with a whole record, or with what is seen to be none without another byte.
fn holds_record(mut bytes: &[u8]) -> bool {
    loop {
        let Some(mut rest) = bytes.strip_prefix(b"\"") else {
            match memchr2(b',', b'\n', bytes) {
                Some(end) if bytes[end] == b',' => bytes = &bytes[end + 1..],
                end => return end.is_some(),
            }
            continue;
        };
        loop {
            let Some(quote) = memchr(b'"', rest) else { return false };
            rest = &rest[quote + 1..];
            match rest.strip_prefix(b"\"") {
                Some(doubled) => rest = doubled,
                None => break,
            }
        }
        match rest {
            // The quote may be the first of two, and CR the first byte of a line end.
            [] | [b'\r'] => return false,
            [b',', next @ ..] => bytes = next,
            _ => return true,
        }
    }
}
