//! Reads whole records of an input, one buffer at a time.

use crate::error;
use crate::lines::{Content, FileKind, Input};
use memchr::{memchr, memchr_iter, memchr2, memrchr};
use urlid::Error;

use super::fields::{Before, NoField, field};
use super::fields::{ColumnChoice, Dialect, HeaderRow};
use super::layout::{TableLayout, json_array, json_document};
use super::log::LogFormat;

/// The bytes up to which a buffer is filled, unless a record is longer.
const CHUNK: usize = 512 << 10;
/// The most bytes of a record, without its line end.
const MOST_RECORD: usize = 64 << 20;
/// The most bytes of a buffer: the longest record and its line end. A record that is too long is therefore
/// never whole.
const MOST_CHUNK: usize = MOST_RECORD + 2;
/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A buffer of whole records, which a reader fills again and again.
#[derive(Debug, Default)]
pub struct RecordChunk {
    pub(super) bytes: Vec<u8>,
    /// The line at which the first record starts, from 1.
    pub(super) line: u64,
}

/// Reads whole records.
pub struct RecordReader {
    content: Content,
    dialect: Dialect,
    /// Whether a lone CR ended the first line. Then each CR is read as an LF.
    ends_at_cr: bool,
    /// The start of a record whose end was not read yet.
    carry: Vec<u8>,
    /// The line at which the next record starts.
    line: u64,
    is_at_end: bool,
    /// The error that ended reading. It is returned after the records before it.
    failed: Option<Error>,
}

impl std::fmt::Debug for RecordReader {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("RecordReader").field("dialect", &self.dialect).finish_non_exhaustive()
    }
}

impl RecordReader {
    /// Starts to read a table. Finds its columns, and returns its first record as written if that names them.
    ///
    /// # Errors
    /// If the columns are missing, or the input cannot be read.
    pub fn open(
        mut input: Input,
        dialect: Option<Dialect>,
        header: HeaderRow,
        choices: &[ColumnChoice],
    ) -> Result<(Self, TableLayout, Vec<u8>), Error> {
        match input.other_kind()? {
            Some(FileKind::Parquet) if dialect.is_none() => return Err(error::PARQUET.error()),
            Some(kind) => return Err(error::KIND.error().with_shown(kind)),
            None => {}
        }
        let mut reader = RecordReader {
            content: input.content(),
            dialect: dialect.unwrap_or(Dialect::CSV),
            ends_at_cr: false,
            carry: Vec::new(),
            line: 1,
            is_at_end: false,
            failed: None,
        };
        // More bytes than the mark are needed, because the shortest record is shorter than it.
        while reader.carry.len() <= MARK.len() && !reader.is_at_end {
            reader.fill_once()?;
        }
        let mark = if reader.carry.starts_with(MARK) { MARK } else { b"" };
        reader.carry.drain(..mark.len());
        reader.decide_line_end(dialect)?;
        if dialect.is_none() {
            while memchr(b'\n', &reader.carry).is_none()
                && !reader.is_at_end
                && reader.carry.len() < MOST_RECORD
            {
                reader.fill_once()?;
            }
            let line = memchr(b'\n', &reader.carry).map_or(&reader.carry[..], |end| &reader.carry[..end]);
            reader.dialect = Dialect::of_line(line);
        }
        if reader.dialect == Dialect::Ndjson {
            let line = memchr(b'\n', &reader.carry).map_or(&reader.carry[..], |end| &reader.carry[..end]);
            json_document(line).map_or(Ok(()), Err)?;
            return Ok((reader, TableLayout::of_objects(choices)?, mark.to_vec()));
        }
        if let Dialect::Log(format) = reader.dialect {
            let head = reader.log_head()?;
            let layout = TableLayout::of_log(format, &head, choices)?;
            return Ok((reader, layout, [mark, &head].concat()));
        }
        let first = reader.first_record(header)?;
        let layout = TableLayout::of_record(&first, reader.dialect, header, choices)?;
        let written = if header == HeaderRow::Names { [mark, &first].concat() } else { mark.to_vec() };
        Ok((reader, layout, written))
    }

    /// Reads until the end of the first line, which decides whether a lone CR ends the lines.
    fn decide_line_end(&mut self, dialect: Option<Dialect>) -> Result<(), Error> {
        let end = loop {
            match memchr2(b'\n', b'\r', &self.carry) {
                // The byte after a CR is also needed.
                Some(end) if self.carry[end] == b'\n' || end + 1 < self.carry.len() => break end,
                _ if self.is_at_end || self.carry.len() >= MOST_RECORD => return Ok(()),
                _ => self.fill_once()?,
            }
        };
        let line = &self.carry[..end];
        // Within quotes a CR is part of a field, so it does not show how lines end.
        let is_quoted = matches!(dialect.unwrap_or_else(|| Dialect::of_line(line)), Dialect::Csv(_))
            && memchr_iter(b'"', line).count() % 2 == 1;
        self.ends_at_cr = !is_quoted && self.carry[end] == b'\r' && self.carry[end + 1] != b'\n';
        if self.ends_at_cr {
            end_lines_at_cr(&mut self.carry);
        }
        Ok(())
    }

    /// Reads some bytes of the table.
    fn read_some(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        let n = self.content.read(room)?;
        if self.ends_at_cr {
            end_lines_at_cr(&mut room[..n]);
        }
        Ok(n)
    }

    /// Returns the lines before the first row of a log, and removes them from the input. Only Zeek has such
    /// lines, which start with `#`.
    fn log_head(&mut self) -> Result<Vec<u8>, Error> {
        let mut end = 0;
        while self.dialect == Dialect::Log(LogFormat::Zeek) {
            match self.carry.get(end) {
                Some(b'#') | None => {}
                Some(_) => break,
            }
            match memchr(b'\n', &self.carry[end..]) {
                Some(line) => end += line + 1,
                None if self.is_at_end || self.carry.len() >= MOST_RECORD => break,
                None => self.fill_once()?,
            }
        }
        let rest = self.carry.split_off(end);
        let head = std::mem::replace(&mut self.carry, rest);
        self.line += memchr_iter(b'\n', &head).count() as u64;
        Ok(head)
    }

    /// Returns the first record, and removes it from the input if it names the columns.
    fn first_record(&mut self, header: HeaderRow) -> Result<Vec<u8>, Error> {
        loop {
            match record_end(&self.carry, 0, self.dialect, self.is_at_end) {
                Ok(Some(end)) if is_too_long(&self.carry[..end]) => return Err(self.too_long()),
                Ok(Some(end)) if header == HeaderRow::Names => {
                    let rest = self.carry.split_off(end);
                    let first = std::mem::replace(&mut self.carry, rest);
                    self.line += memchr_iter(b'\n', &first).count() as u64;
                    return Ok(first);
                }
                Ok(Some(end)) => return Ok(self.carry[..end].to_vec()),
                Ok(None) if self.carry.is_empty() && self.is_at_end => return Err(error::NO_HEADER.error()),
                Err(error) if self.is_at_end || error == NoField::AfterQuote => {
                    return Err(json_array(&self.carry).unwrap_or_else(|| self.error(error)));
                }
                _ if self.carry.len() >= MOST_CHUNK => return Err(self.too_long()),
                _ => self.fill_once()?,
            }
        }
    }

    /// Reads the next records: as many as fit, or as are available without waiting. Returns whether there is
    /// one. `false` is the end of the input.
    ///
    /// # Errors
    /// Once, after all records before it.
    pub fn read(&mut self, chunk: &mut RecordChunk) -> Result<bool, Error> {
        chunk.bytes.clear();
        chunk.line = self.line;
        std::mem::swap(&mut chunk.bytes, &mut self.carry);
        // Twice the present size, because a long record that is read in small steps would be searched many
        // times.
        let mut target = CHUNK.max(chunk.bytes.len() * 2).min(MOST_CHUNK);
        // The first records may have arrived together with the header. If their writer waits for answers,
        // reading more would deadlock.
        let mut is_there = self.whole_records(&chunk.bytes).0 > 0 && !self.content.is_ready();
        loop {
            if !std::mem::take(&mut is_there) {
                self.fill(&mut chunk.bytes, target);
            }
            let (whole, error) = self.whole_records(&chunk.bytes);
            // Only the first record can be longer than half of a full buffer.
            let is_too_long = match whole {
                0 => chunk.bytes.len() >= MOST_CHUNK,
                _ => chunk.bytes.len() > MOST_RECORD && self.begins_too_long(&chunk.bytes[..whole]),
            };
            if is_too_long {
                chunk.bytes.clear();
                self.is_at_end = true;
                return Err(self.too_long());
            }
            if whole > 0 {
                self.carry.extend_from_slice(&chunk.bytes[whole..]);
                chunk.bytes.truncate(whole);
                self.line += memchr_iter(b'\n', &chunk.bytes).count() as u64;
                return Ok(true);
            }
            let is_final = self.is_at_end || self.failed.is_some();
            // More bytes do not mend text after a closing quote.
            if is_final || error == Some(NoField::AfterQuote) {
                let is_empty = chunk.bytes.is_empty();
                chunk.bytes.clear();
                self.is_at_end = true;
                return match (self.failed.take(), error) {
                    (Some(error), _) => Err(error),
                    (None, Some(error)) if !is_empty => Err(self.error(error)),
                    _ => Ok(false),
                };
            }
            target = (chunk.bytes.len() * 2).min(MOST_CHUNK);
        }
    }

    /// Returns whether more can be read without waiting, as far as is known.
    pub fn is_ready(&mut self) -> bool {
        !self.is_at_end && self.content.is_ready()
    }

    fn error(&self, error: NoField) -> Error {
        error.at(self.line, self.dialect)
    }

    /// Returns whether the first of these whole records is too long.
    fn begins_too_long(&self, records: &[u8]) -> bool {
        let end = match record_end(records, 0, self.dialect, true) {
            Ok(Some(end)) => end,
            // An unclosed quote in JSON or TSV is a character. Whole records of CSV cannot have one.
            Ok(None) | Err(_) => records.len(),
        };
        is_too_long(&records[..end])
    }

    fn too_long(&self) -> Error {
        let expected = format!("at most {} MiB", MOST_RECORD >> 20);
        error::RECORD_LENGTH.error().with_number(self.line).with_expected(expected)
    }

    fn fill_once(&mut self) -> Result<(), Error> {
        let mut carry = std::mem::take(&mut self.carry);
        let start = carry.len();
        carry.resize(start + CHUNK, 0);
        let n = self.read_some(&mut carry[start..]);
        carry.truncate(start + *n.as_ref().unwrap_or(&0));
        self.carry = carry;
        self.is_at_end = n? == 0;
        Ok(())
    }

    /// Fills a buffer to `target`, or with the available bytes if they may contain a whole record.
    fn fill(&mut self, bytes: &mut Vec<u8>, target: usize) {
        let mut length = bytes.len();
        bytes.resize(target.max(length), 0);
        while length < target && !self.is_at_end && self.failed.is_none() {
            match self.read_some(&mut bytes[length..]) {
                Ok(0) => self.is_at_end = true,
                Ok(n) => {
                    let has_line = memchr(b'\n', &bytes[length..length + n]).is_some();
                    length += n;
                    if has_line && !self.content.is_ready() {
                        break;
                    }
                }
                Err(error) => self.failed = Some(error),
            }
        }
        bytes.truncate(length);
    }

    /// Returns the length of the whole records at the start, and the error of the next one.
    fn whole_records(&self, bytes: &[u8]) -> (usize, Option<NoField>) {
        // Every LF ends a record if the bytes lack a quote, so searching for the last one is enough.
        if !matches!(self.dialect, Dialect::Csv(_)) || memchr(b'"', bytes).is_none() {
            let whole = match self.is_at_end {
                true => bytes.len(),
                false => memrchr(b'\n', bytes).map_or(0, |end| end + 1),
            };
            return (whole, None);
        }
        let mut whole = 0;
        loop {
            match record_end(bytes, whole, self.dialect, self.is_at_end) {
                Ok(Some(end)) => whole = end,
                Ok(None) => return (whole, None),
                Err(error) => return (whole, Some(error)),
            }
        }
    }
}

/// Turns each CR into an LF.
fn end_lines_at_cr(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
}

/// Returns whether a record, with its line end, is too long.
fn is_too_long(record: &[u8]) -> bool {
    let text = record.strip_suffix(b"\n").unwrap_or(record);
    text.strip_suffix(b"\r").unwrap_or(text).len() > MOST_RECORD
}

/// Returns the end of the record at `start`, with its line end. Returns `None` if the bytes end before a
/// record, or before its end.
fn record_end(
    bytes: &[u8],
    start: usize,
    dialect: Dialect,
    is_at_end: bool,
) -> Result<Option<usize>, NoField> {
    if start == bytes.len() {
        return Ok(None);
    }
    let mut at = start;
    loop {
        let field = field(bytes, at, dialect)?;
        match field.before {
            Before::Field => at = field.next,
            Before::Record => return Ok(Some(field.next)),
            Before::End => return Ok(is_at_end.then_some(field.next)),
        }
    }
}
