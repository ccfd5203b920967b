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

/// The bytes of one read.
const STEP: usize = 64 << 10;

/// Reads the records of a WARC or ARC file.
///
/// Content that was not consumed is skipped. After an error there are no more records: the start of the next one would be a
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
        self.number += 1;
        self.record_offset = self.offset;
        if self.number == 1 && self.begins_with(arc::MAGIC)? {
            self.arc = Some(ArcFields::One);
        }
        let len = if self.arc.is_some() { self.line_len()? } else { self.head_len()? };
        let head = &self.buffer[self.start..self.start + len];
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
        if self.arc.is_some() && record.record_type == RecordType::Warcinfo {
            self.arc = Some(ArcFields::of_version(self.peek_content(2)?));
        }
        Ok(true)
    }

    /// Returns whether the unread bytes begin so.
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

    /// Returns the next bytes of the content, or none at its end. [`WarcReader::consume`] marks them as read.
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
        self.is_over = false;
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

    /// Skips the rest of the content and the empty lines after it. Returns whether another record follows.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::archives::Records;

    /// A reader that gives one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let n = room.len().min(1);
            self.0.read(&mut room[..n])
        }
    }

    fn urls(source: impl Read) -> (Vec<String>, Option<String>) {
        let (mut reader, mut record, mut urls) = (WarcReader::new(source), Record::default(), Vec::new());
        loop {
            match reader.next_record(&mut record) {
                Ok(true) => urls.push(record.url().unwrap_or_default().escape_ascii().to_string()),
                Ok(false) => return (urls, None),
                Err(error) => {
                    assert!(!reader.next_record(&mut record).expect("an error is reported once"));
                    return (urls, Some(error.to_string()));
                }
            }
        }
    }

    fn record(url: &str, content: &str) -> String {
        format!(
            "WARC/1.0\r\nwarc-target-uri : {url}\r\nContent-Length: {}\r\n\r\n{content}\r\n\r\n",
            content.len()
        )
    }

    #[test]
    fn records_are_read_however_they_arrive() {
        let file = [
            record("http://a/", "WARC/1.0\r\n\r\n"),
            "WARC/1.1\nContent-Length: 0\n\n\n\n".to_owned(),
            record("<http://b/\r\n c>", ""),
        ]
        .concat();
        let expected = (vec!["http://a/".to_owned(), String::new(), "http://b/ c".to_owned()], None);
        assert_eq!(urls(file.as_bytes()), expected);
        assert_eq!(urls(Slow(file.as_bytes())), expected);
    }

    #[test]
    fn fields_are_read_by_name_and_the_first_one_counts() {
        let head = "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/warc-fields\r\nnonsense\r\n\
                    WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Date: 1999\r\nWARC-Payload-Digest: sha1:X\r\n\
                    Content-Length: 3\r\n\r\nabc";
        let (mut reader, mut record) = (WarcReader::new(head.as_bytes()), Record::default());
        assert!(reader.next_record(&mut record).expect("it is well-formed"));
        assert_eq!((record.record_type, record.length, record.number), (RecordType::Metadata, 3, 1));
        assert_eq!(record.date(), Some(&b"2026-01-02T03:04:05Z"[..]));
        assert_eq!((record.url(), record.payload_digest()), (None, Some(&b"sha1:X"[..])));
        assert!(!Records::default().contains(record.record_type, record.content_type()));
        assert_eq!(reader.content().expect("it is there"), b"abc");
        reader.consume(1);
        assert_eq!(reader.content().expect("it is there"), b"bc");
        assert!(!reader.next_record(&mut record).expect("content is skipped"));
    }

    #[test]
    fn malformed_records_are_reported_with_their_place() {
        let good = record("http://a/", "x");
        let at = good.len();
        for (bad, message) in [
            ("HTTP/1.1 200".to_owned(), "expected `WARC/`, found `HTTP/1.1 200`".to_owned()),
            ("WARC/1.0\r\nContent-Length: 1".to_owned(), "the file ends in its head".to_owned()),
            ("WARC/1.0\r\n\r\n".to_owned(), "it has no Content-Length".to_owned()),
            (
                "WARC/1.0\r\nContent-Length: -1\r\n\r\n".to_owned(),
                "its Content-Length is `-1`, expected a number of bytes".to_owned(),
            ),
            (
                "WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n".to_owned(),
                "its Content-Length is `99999999999999999999`, expected a number of bytes".to_owned(),
            ),
            (
                format!("WARC/1.0\r\nX: {}", "x".repeat(MAX_HEAD + STEP)),
                "its head has no end: expected an empty line within 1024 KiB".to_owned(),
            ),
        ] {
            let (found, error) = urls(format!("{good}{bad}").as_bytes());
            assert_eq!(found, ["http://a/"]);
            assert_eq!(error, Some(format!("record 2 at byte {at} is malformed: {message}")));
        }
        let (found, error) = urls(&good.as_bytes()[..at - 5]);
        assert_eq!(found, ["http://a/"]);
        let message = "record 1 at byte 0 is malformed: the file ends in its content: 0 of 1 bytes are there";
        assert_eq!(error.as_deref(), Some(message));
    }

    #[test]
    fn a_length_that_lies_is_an_error_at_the_next_record() {
        let file = record("http://a/", "content").replace("Content-Length: 7", "Content-Length: 3");
        let (found, error) = urls(format!("{file}{file}").as_bytes());
        assert_eq!(found, ["http://a/"]);
        let error = error.expect("the content is not a record");
        assert!(error.contains("expected `WARC/`, found `tent\\r\\n"), "{error}");
    }

    proptest! {
        #[test]
        fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), keep in 0_usize..120) {
            let file = record("http://a/", "x");
            let mixed = [&file.as_bytes()[..keep.min(file.len())], &bytes].concat();
            prop_assert_eq!(urls(&mixed[..]), urls(Slow(&mixed)));
        }
    }
}
