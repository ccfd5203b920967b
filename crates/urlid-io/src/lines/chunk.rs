//! A line with its number and its error, and a chunk of whole lines in a reusable buffer.

use std::fmt;

use memchr::memchr;
use urlid::{Coded, ErrorCode};
use urlid_archives::cdx::CdxError;

/// The byte order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// The number of bytes that are kept of a line over the cap, for messages.
pub(crate) const HEAD: usize = 64;

/// A line of input, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The number of the line in its input, from 1.
    pub number: u64,
    /// The bytes of the line. For a line over the cap, only the first few, to recognise it by. For an
    /// archive, the URL of a record, or the whole line of an index that lacks a URL.
    pub bytes: &'a [u8],
    /// The same as text, or the reason the line is rejected.
    pub text: Result<&'a str, LineError>,
    /// Whether it is of an archive, its index, a sitemap or bookmarks, and not a line of text.
    pub is_of_archive: bool,
}

impl<'a> Line<'a> {
    /// Returns a line that does not come from an input, such as an argument. Its text is `bytes` if they are
    /// UTF-8.
    pub fn new(number: u64, bytes: &'a [u8]) -> Self {
        let text = str::from_utf8(bytes).map_err(|error| LineError::Utf8 { offset: error.valid_up_to() });
        Line { number, bytes, text, is_of_archive: false }
    }
}

/// The reason a line is rejected. The lines after it are still read.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineError {
    /// The line has more bytes than the cap allows, its line end not counted.
    TooLong {
        /// The cap in bytes.
        limit: usize,
    },
    /// The line is not UTF-8.
    Utf8 {
        /// The offset in bytes of the first bad byte, from the start of the line.
        offset: usize,
    },
    /// The line has text next to its URL and is rejected because of
    /// [`TrailingText::Reject`](crate::lines::TrailingText::Reject).
    TrailingText {
        /// The offset in bytes of the TAB or blank after the URL, from the start of the line.
        offset: usize,
    },
    /// The line is a name, a colon, a blank and a value, such as a header or a field of YAML, which is rejected
    /// with [`TrailingText::Reject`](crate::lines::TrailingText::Reject).
    Field {
        /// The offset in bytes of the colon, from the start of the line.
        offset: usize,
    },
    /// The line is more than a URL, and rejected with
    /// [`TrailingText::OnlyUrls`](crate::lines::TrailingText::OnlyUrls).
    NotOneUrl {
        /// The offset in bytes of the first character that is not of a URL, from the start of the line.
        offset: usize,
        /// The character, which is ASCII.
        found: u8,
    },
    /// The line of an archive's index lacks a URL.
    Index(CdxError),
    /// The location of a sitemap has an element, or an entity that XML does not define.
    Location,
}

impl Coded for LineError {
    fn code(&self) -> ErrorCode {
        match self {
            LineError::TooLong { .. } => ErrorCode::LineLen,
            LineError::Utf8 { .. } => ErrorCode::Utf8,
            LineError::TrailingText { .. } | LineError::Field { .. } | LineError::NotOneUrl { .. } => {
                ErrorCode::NotUri
            }
            LineError::Index(error) => error.code(),
            LineError::Location => ErrorCode::Archive,
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::TooLong { limit } => write!(out, "line is too long: expected at most {limit} bytes"),
            LineError::Utf8 { offset } => write!(out, "line is not UTF-8: bad byte at byte {offset}"),
            LineError::TrailingText { offset } => {
                write!(
                    out,
                    "line has text next to the URL: found it after byte {offset}, expected one URL per line"
                )
            }
            LineError::Field { offset } => {
                write!(
                    out,
                    "line starts with a name and a value: found `: ` at byte {offset}, expected a URL"
                )
            }
            LineError::NotOneUrl { offset, found } => {
                let found = found.escape_ascii();
                write!(out, "line is more than a URL: found `{found}` at byte {offset}")
            }
            LineError::Index(error) => error.fmt(out),
            LineError::Location => {
                out.write_str("location is not a text: found a tag or an entity that XML does not define")
            }
        }
    }
}

impl std::error::Error for LineError {}

/// Returns the bytes of a line without its LF and without one CR before that.
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    match line.strip_suffix(b"\n") {
        Some(text) => text.strip_suffix(b"\r").unwrap_or(text),
        None => line,
    }
}

/// The number of unspecified bytes before the lines of a chunk, so that a vector load may start before a
/// line.
pub const SLACK_BEFORE: usize = 64;

/// The number of unspecified bytes after the lines of a chunk, so that vector loads may end after a line.
pub const SLACK_AFTER: usize = 256;

/// Whole lines of an input in one buffer, which readers fill again and again.
///
/// Each line of the input is one line of the chunk and ends with LF, which only the last of the input may
/// lack. A line that is rejected as a whole is an empty line here, and [`Chunk::lines`] reports it.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Padding, lines, padding.
    buffer: Vec<u8>,
    /// The length of the lines in bytes.
    len: usize,
    /// The lines that are rejected as a whole, in order.
    rejected: Vec<RejectedLine>,
    /// Whether the lines come from an archive, its index, a sitemap or bookmarks.
    is_of_archive: bool,
}

/// A line that is rejected as a whole, because it is over the cap or is a line of an archive's index without
/// a URL.
#[derive(Debug)]
pub(crate) struct RejectedLine {
    /// The index of the line in its chunk, from 0.
    pub(crate) index: usize,
    /// The line, or the first [`HEAD`] bytes of one over the cap.
    pub(crate) head: Box<[u8]>,
    /// The reason.
    pub(crate) error: LineError,
}

impl Chunk {
    /// Returns an empty chunk. Readers set its size.
    pub fn new() -> Self {
        Chunk::default()
    }

    /// Returns the bytes of the lines.
    pub fn bytes(&self) -> &[u8] {
        self.padded().get(SLACK_BEFORE..SLACK_BEFORE + self.len).unwrap_or_default()
    }

    /// Returns the bytes of the lines with [`SLACK_BEFORE`] unspecified bytes before and [`SLACK_AFTER`]
    /// after them. Empty if the chunk was never filled.
    pub fn padded(&self) -> &[u8] {
        self.buffer.get(..SLACK_BEFORE + self.len + SLACK_AFTER).unwrap_or_default()
    }

    /// Returns whether the chunk contains zero lines.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of lines, in one pass over the bytes.
    pub fn count_lines(&self) -> usize {
        let bytes = self.bytes();
        let unfinished = bytes.last().is_some_and(|&last| last != b'\n');
        memchr::memchr_iter(b'\n', bytes).count() + usize::from(unfinished)
    }

    /// Iterates over the bytes of the lines without their ends, in one pass. One that is rejected as a whole
    /// is empty.
    pub fn raw_lines(&self) -> impl Iterator<Item = &[u8]> {
        let bytes = self.bytes();
        let unfinished = bytes.last().is_some_and(|&last| last != b'\n').then_some(bytes.len());
        let mut start = 0;
        memchr::memchr_iter(b'\n', bytes)
            .map(|end| end + 1)
            .chain(unfinished)
            .map(move |end| without_end(&bytes[std::mem::replace(&mut start, end)..end]))
    }

    /// Returns the lines that are rejected as a whole, by index from 0 and ascending. They are empty in
    /// [`Chunk::bytes`].
    pub fn rejected_lines(&self) -> impl Iterator<Item = (usize, LineError)> + '_ {
        self.rejected.iter().map(|line| (line.index, line.error))
    }

    /// Iterates over the lines and numbers them from `first`.
    pub fn lines(&self, first: u64) -> Lines<'_> {
        // Validating the whole chunk is much faster than validating its lines one by one. If it fails, the
        // lines are validated singly to find those that are not UTF-8.
        Lines { chunk: self, text: str::from_utf8(self.bytes()).ok(), cursor: Cursor::at(first) }
    }

    /// Returns the line at `cursor` and moves the cursor past it. `text` is the whole chunk, if it was found
    /// to be UTF-8.
    pub(crate) fn line_at<'a>(&'a self, cursor: &mut Cursor, text: Option<&'a str>) -> Option<Line<'a>> {
        let start = cursor.offset;
        let rest = self.bytes().get(cursor.offset..).filter(|rest| !rest.is_empty())?;
        let len = memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
        let number = cursor.number;
        let index = cursor.index;
        cursor.offset += len;
        cursor.number += 1;
        cursor.index += 1;
        let is_of_archive = self.is_of_archive;
        if let Some(rejected) = self.rejected.get(cursor.rejected).filter(|line| line.index == index) {
            cursor.rejected += 1;
            return Some(Line { number, bytes: &rejected.head, text: Err(rejected.error), is_of_archive });
        }
        let bytes = without_end(&rest[..len]);
        match text.and_then(|text| text.get(start..start + bytes.len())) {
            // The text is not validated again. Slicing only checks that both ends are at characters.
            Some(text) => Some(Line { number, bytes, text: Ok(text), is_of_archive }),
            None => Some(Line { is_of_archive, ..Line::new(number, bytes) }),
        }
    }

    /// Empties the chunk and returns space for `capacity` bytes of lines, with unspecified content.
    pub(crate) fn room(&mut self, capacity: usize) -> &mut [u8] {
        self.len = 0;
        self.rejected.clear();
        let whole = SLACK_BEFORE + capacity + SLACK_AFTER;
        if self.buffer.len() < whole {
            // `resize` would copy the old bytes and write zeros. A fresh zeroed vector comes from the system,
            // and its pages occupy memory only once they are written.
            self.buffer = vec![0; whole];
        }
        &mut self.buffer[SLACK_BEFORE..SLACK_BEFORE + capacity]
    }

    /// Sets the length of the lines at the start of the space.
    pub(crate) fn set(&mut self, len: usize, rejected: Vec<RejectedLine>, is_of_archive: bool) {
        self.len = len;
        self.rejected = rejected;
        self.is_of_archive = is_of_archive;
    }
}

/// A position in a chunk.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    /// The offset in bytes from the first line.
    offset: usize,
    /// The index of the line in the chunk, from 0.
    index: usize,
    /// The number of the line in the input.
    number: u64,
    /// The index of the next rejected line.
    rejected: usize,
}

impl Cursor {
    /// Returns the start of a chunk whose first line has this number.
    pub(crate) fn at(number: u64) -> Self {
        Cursor { number, ..Cursor::default() }
    }

    /// Returns the number of the line at the cursor.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Returns whether all lines of the chunk were read.
    pub(crate) fn is_at_end_of(&self, chunk: &Chunk) -> bool {
        self.offset >= chunk.len
    }
}

/// The lines of a [`Chunk`], in order.
#[derive(Debug)]
pub struct Lines<'a> {
    chunk: &'a Chunk,
    /// The bytes of the chunk, if they are UTF-8.
    text: Option<&'a str>,
    cursor: Cursor,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        self.chunk.line_at(&mut self.cursor, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_carriage_return_before_the_line_feed_is_dropped() {
        for (line, text) in [
            (&b"a\n"[..], &b"a"[..]),
            (b"a\r\n", b"a"),
            (b"a\r\r\n", b"a\r"),
            (b"a\r", b"a\r"),
            (b"\r\n", b""),
            (b"\n", b""),
            (b"", b""),
        ] {
            assert_eq!(without_end(line), text, "{line:?}");
        }
    }

    #[test]
    fn messages_and_codes_are_stable() {
        for (error, code, message) in [
            (
                LineError::TooLong { limit: 10 },
                ErrorCode::LineLen,
                "line is too long: expected at most 10 bytes",
            ),
            (LineError::Utf8 { offset: 3 }, ErrorCode::Utf8, "line is not UTF-8: bad byte at byte 3"),
            (
                LineError::TrailingText { offset: 9 },
                ErrorCode::NotUri,
                "line has text next to the URL: found it after byte 9, expected one URL per line",
            ),
            (
                LineError::NotOneUrl { offset: 9, found: b'\t' },
                ErrorCode::NotUri,
                "line is more than a URL: found `\\t` at byte 9",
            ),
            (
                LineError::Location,
                ErrorCode::Archive,
                "location is not a text: found a tag or an entity that XML does not define",
            ),
        ] {
            assert_eq!((error.code(), error.to_string().as_str()), (code, message));
        }
    }

    fn chunk_of(lines: &[u8], rejected: Vec<RejectedLine>) -> Chunk {
        let mut chunk = Chunk::new();
        chunk.room(lines.len()).copy_from_slice(lines);
        chunk.set(lines.len(), rejected, false);
        chunk
    }

    #[test]
    fn lines_are_numbered_and_rejected_ones_are_reported_in_place() {
        let error = LineError::TooLong { limit: 9 };
        let rejected = vec![RejectedLine { index: 1, head: (*b"xxxx").into(), error }];
        let chunk = chunk_of(b"a\r\n\n\nb", rejected);
        let lines: Vec<_> = chunk.lines(7).map(|line| (line.number, line.bytes, line.text)).collect();
        let expected: [(u64, &[u8], _); 4] =
            [(7, b"a", Ok("a")), (8, b"xxxx", Err(error)), (9, b"", Ok("")), (10, b"b", Ok("b"))];
        assert_eq!(lines, expected);
        assert_eq!(chunk.count_lines(), 4);
        assert_eq!(chunk.rejected_lines().collect::<Vec<_>>(), [(1, error)]);
    }

    #[test]
    fn the_slack_is_there_on_both_sides() {
        let chunk = chunk_of(b"a\n", Vec::new());
        assert_eq!(chunk.padded().len(), SLACK_BEFORE + 2 + SLACK_AFTER);
        assert_eq!(&chunk.padded()[SLACK_BEFORE..][..2], b"a\n");
        assert!(Chunk::new().padded().is_empty() && Chunk::new().is_empty());
    }
}
