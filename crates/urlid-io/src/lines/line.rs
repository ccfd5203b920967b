//! A line and its errors.

use std::fmt;
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
    /// The bytes of the line; of a line over the cap only the first few, to recognise it by. For an archive,
    /// the URL of a record, or the whole line of an index if it has no URL.
    pub bytes: &'a [u8],
    /// The same as text, or the reason the line is refused.
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

/// The reason a line is refused. The lines after it are still read.
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
    /// Text is beside the URL of the line, which is refused with
    /// [`TextBeside::Refuse`](crate::lines::TextBeside::Refuse).
    TextBeside {
        /// The offset in bytes of the TAB or blank after the URL, from the start of the line.
        offset: usize,
    },
    /// The line of an archive's index has no URL.
    Index(CdxError),
    /// The location of a sitemap has an element, or an entity that XML does not define.
    Location,
}

impl Coded for LineError {
    fn code(&self) -> ErrorCode {
        match self {
            LineError::TooLong { .. } => ErrorCode::LineLen,
            LineError::Utf8 { .. } => ErrorCode::Utf8,
            LineError::TextBeside { .. } => ErrorCode::NotUri,
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
            LineError::TextBeside { offset } => {
                write!(out, "text is beside the URL: found it after byte {offset}, expected one URL a line")
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
                LineError::TextBeside { offset: 9 },
                ErrorCode::NotUri,
                "text is beside the URL: found it after byte 9, expected one URL a line",
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
}
