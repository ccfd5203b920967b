//! Reads records one after the other from decompressed bytes.

use std::io::{self, Read};

use memchr::memchr;

use super::MAGIC;
use super::arc::{self, ArcFields};
use super::error::{MAX_HEAD, Malformed};
use super::record::{Record, SHOWN, excerpt};
use super::types::RecordType;
use crate::error;
use urlid::Error;

/// The byte order mark of UTF-8, which may precede the first record as in any text.
const MARK: &[u8] = b"\xef\xbb\xbf";
/// The bytes of one read.
pub(super) const STEP: usize = 64 << 10;

/// Reads the records of a WARC or ARC file.
///
/// Unread content is skipped. Reading ends after an error, because the start of the next record would be a
/// guess.
#[derive(Debug)]
pub struct WarcReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// The part of the buffer, up to `end`, that was read but not consumed.
    start: usize,
    end: usize,
    /// The offset in the file of the byte at `start`.
    offset: u64,
    /// The remaining bytes of the content.
    content: u64,
    /// The number, the offset and the length of content of the current record.
    number: u64,
    record_offset: u64,
    length: u64,
    /// The fields of the lines, in a file of ARC.
    arc: Option<ArcFields>,
    /// Whether a line end, or the start of the source, is before the next record.
    is_at_line: bool,
    is_over: bool,
}

impl<R: Read> WarcReader<R> {
    /// Reads the records of `source`.
    pub fn new(source: R) -> Self {
        WarcReader {
            source,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            offset: 0,
            content: 0,
            number: 0,
            record_offset: 0,
            length: 0,
            arc: None,
            is_at_line: true,
            is_over: false,
        }
    }

    /// Returns the source of the bytes.
    pub fn source(&mut self) -> &mut R {
        &mut self.source
    }

    /// Reads the head of the next record and returns whether there is one.
    ///
    /// # Errors
    /// Once, after all records before it.
    pub fn next_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        if self.is_over {
            return Ok(false);
        }
        let result = self.read_record(record);
        self.is_over = !matches!(result, Ok(true));
        result
    }

    fn read_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        if !self.skip_to_record()? {
            return Ok(false);
        }
        if self.offset == 0 && self.begins_with(MARK)? {
            self.take(MARK.len());
            return self.read_record(record);
        }
        self.number += 1;
        self.record_offset = self.offset;
        if self.number == 1 {
            self.arc = match self.begins_with(arc::MAGIC)? {
                true => Some(ArcFields::One),
                false => self.fields_of_record()?,
            };
        }
        let len = if self.arc.is_some() { self.line_len()? } else { self.head_len()? };
        let head = &self.buffer[self.start..self.start + len];
        // Some writers omit the line end after a content. A wrong length then leaves a part of the content
        // before the head.
        if self.arc.is_some_and(|fields| !self.is_at_line && !arc::is_line_after_content(head, fields)) {
            let found = excerpt(head);
            return Err(self.malformed(Malformed::NoLineEnd { found }));
        }
        record.number = self.number;
        record.offset = self.record_offset;
        let read = match self.arc {
            Some(fields) => arc::read(record, head, fields),
            None => record.read(head),
        };
        read.map_err(|malformed| self.malformed(malformed))?;
        self.take(len);
        self.length = record.length;
        self.content = record.length;
        // The line end after the description of a file of ARC may be part of that.
        self.is_at_line = self.arc.is_some() && record.record_type == RecordType::Warcinfo;
        if self.is_at_line {
            self.arc = Some(ArcFields::of_version(self.peek_content(2)?));
        }
        Ok(true)
    }

    /// Returns whether the unread bytes start with `start`.
    fn begins_with(&mut self, start: &[u8]) -> Result<bool, Error> {
        loop {
            let there = &self.buffer[self.start..self.end];
            if there.starts_with(start) || !start.starts_with(there) {
                return Ok(there.starts_with(start));
            }
            if !self.fill()? {
                return Ok(false);
            }
        }
    }

    /// Returns the fields of the lines if the unread bytes start with a record of ARC that is not the first
    /// one of its file.
    fn fields_of_record(&mut self) -> Result<Option<ArcFields>, Error> {
        loop {
            let there = &self.buffer[self.start..self.end];
            match arc::begins_record(&there[..there.len().min(arc::MAX_START)]) {
                Some(fields) => return Ok(fields),
                None if there.len() >= arc::MAX_START || !self.fill()? => return Ok(None),
                None => {}
            }
        }
    }

    /// Returns the next bytes of the content, which are empty at its end. [`WarcReader::consume`] marks them
    /// as read.
    ///
    /// # Errors
    /// If the file cannot be read or ends in the content.
    pub fn content(&mut self) -> Result<&[u8], Error> {
        if self.content > 0 && self.start == self.end && !self.fill()? {
            let found = self.length - self.content;
            return Err(self.malformed(Malformed::ContentCut { expected: self.length, found }));
        }
        let there = (self.end - self.start) as u64;
        Ok(&self.buffer[self.start..self.start + self.content.min(there) as usize])
    }

    /// Returns the next `len` bytes of the content, or the rest if that is less, without consuming them.
    ///
    /// # Errors
    /// Like [`WarcReader::content`].
    pub(crate) fn peek_content(&mut self, len: usize) -> Result<&[u8], Error> {
        let wanted = self.content.min(len as u64) as usize;
        while self.end - self.start < wanted {
            if !self.fill()? {
                let found = self.length - self.content + (self.end - self.start) as u64;
                return Err(self.malformed(Malformed::ContentCut { expected: self.length, found }));
            }
        }
        Ok(&self.buffer[self.start..self.start + wanted])
    }

    /// Continues after the end of the source, which has more bytes now.
    pub(crate) fn resume(&mut self) {
        self.is_at_line = true;
        self.is_over = false;
    }

    /// Continues with a record at a new place of the source, whose offset is `offset`.
    pub(crate) fn restart(&mut self, offset: u64) {
        self.start = 0;
        self.end = 0;
        self.content = 0;
        self.is_at_line = true;
        self.offset = offset;
        self.record_offset = offset;
        self.is_over = false;
    }

    /// Returns the number of the current record.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Returns the offset of the current record, decompressed.
    pub(crate) fn record_offset(&self) -> u64 {
        self.record_offset
    }

    /// Returns the fields of the lines of a file of ARC.
    pub(crate) fn arc(&self) -> Option<ArcFields> {
        self.arc
    }

    /// Returns the offset of the next byte, decompressed.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Consumes bytes that [`WarcReader::content`] returned.
    pub fn consume(&mut self, len: usize) {
        let there = self.content.min((self.end - self.start) as u64);
        let len = there.min(len as u64);
        self.content -= len;
        self.take(len as usize);
    }

    /// Skips the rest of the content and the empty lines after it. Returns whether a further record follows.
    ///
    /// # Errors
    /// If the file cannot be read or ends in the content.
    pub fn skip_to_record(&mut self) -> Result<bool, Error> {
        loop {
            match self.content()?.len() {
                0 => break,
                len => self.consume(len),
            }
        }
        loop {
            let blank =
                // Any number of line ends, not only the two CRLF of the standard.
                self.buffer[self.start..self.end].iter().take_while(|byte| b"\r\n".contains(byte)).count();
            self.take(blank);
            self.is_at_line |= blank > 0;
            if self.start < self.end {
                return Ok(true);
            }
            if !self.fill()? {
                return Ok(false);
            }
        }
    }

    /// Reads until the head is complete. Returns its length, with the empty line at its end.
    fn head_len(&mut self) -> Result<usize, Error> {
        // The end of the last line that is known not to end the head.
        let mut seen = 0;
        loop {
            let there = &self.buffer[self.start..self.end];
            let version = &there[..there.len().min(MAGIC.len())];
            if !MAGIC.starts_with(version) {
                // Read enough for the excerpt, so that the message does not depend on how the bytes arrive.
                while self.end - self.start < SHOWN && self.fill()? {}
                let found = excerpt(&self.buffer[self.start..self.end]);
                return Err(self.malformed(Malformed::NoVersion { found }));
            }
            while let Some(line) = memchr(b'\n', &there[seen..]) {
                let end = seen + line + 1;
                match &there[end..] {
                    [b'\n', ..] => return Ok(end + 1),
                    [b'\r', b'\n', ..] => return Ok(end + 2),
                    // More bytes are needed to see whether this line ends the head.
                    [] | [b'\r'] => break,
                    _ => seen = end,
                }
            }
            if there.len() >= MAX_HEAD {
                return Err(self.malformed(Malformed::HeadTooLong));
            }
            if !self.fill()? {
                return Err(self.malformed(Malformed::HeadCut));
            }
        }
    }

    /// Reads until the line of a record of ARC is complete. Returns its length, with its end.
    fn line_len(&mut self) -> Result<usize, Error> {
        let mut seen = 0;
        loop {
            let there = &self.buffer[self.start..self.end];
            if let Some(end) = memchr(b'\n', &there[seen..]) {
                return Ok(seen + end + 1);
            }
            seen = there.len();
            if seen >= MAX_HEAD {
                return Err(self.malformed(Malformed::LineTooLong));
            }
            if !self.fill()? {
                return Err(self.malformed(Malformed::HeadCut));
            }
        }
    }

    /// Reads more bytes into the buffer and returns whether there were any.
    fn fill(&mut self) -> Result<bool, Error> {
        // Only a head is kept whole. It is limited, so the buffer never exceeds a head and one step.
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.buffer.len() < self.end + STEP {
            self.buffer.resize(self.end + STEP, 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(n) => {
                    self.end += n;
                    return Ok(n > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error::read(error)),
            }
        }
    }

    fn take(&mut self, len: usize) {
        self.start += len;
        self.offset += len as u64;
    }

    pub(crate) fn malformed(&self, malformed: Malformed) -> Error {
        let record = error::RECORD.error().with_subject(self.number.to_string());
        record.with_number(self.record_offset).with_shown(malformed)
    }
}
