//! The faults of a record of a WARC or ARC file.

use std::fmt;

/// The most bytes of the head of a record, so that a head without end does not fill the memory.
pub const MAX_HEAD: usize = 1 << 20;

/// A fault of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// The record does not start with `WARC/`.
    NoVersion {
        /// The first bytes, escaped.
        found: String,
    },
    /// The head does not end within [`MAX_HEAD`] bytes.
    HeadTooLong,
    /// The line of a record of ARC does not end within [`MAX_HEAD`] bytes.
    LineTooLong,
    /// The line of a record of ARC has too few fields.
    ArcFields {
        /// The start of the line, escaped.
        found: String,
        /// The number of fields in the version of the file.
        expected: usize,
    },
    /// A line end is missing between the record of ARC and the content before it, whose length may be wrong.
    NoLineEnd {
        /// The start of the line, escaped.
        found: String,
    },
    /// The file ends in the head.
    HeadCut,
    /// The length of the content is missing or not a number.
    Length {
        /// The value of the field, escaped. Empty if the field is missing.
        found: String,
    },
    /// The file ends in the content.
    ContentCut {
        /// The number of bytes stated in the head.
        expected: u64,
        /// The number of bytes before the end of the file.
        found: u64,
    },
    /// The compressed member contains a second record, so this one cannot be read separately.
    NotAlone {
        /// The command that writes the file again, with a member for each record.
        repair: &'static str,
    },
}

impl fmt::Display for Malformed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::NoVersion { found } => write!(out, "expected `WARC/`, found `{found}`"),
            Malformed::HeadTooLong => {
                write!(out, "its head does not end: expected an empty line within {} KiB", MAX_HEAD >> 10)
            }
            Malformed::LineTooLong => {
                write!(out, "its line does not end: expected a line end within {} KiB", MAX_HEAD >> 10)
            }
            Malformed::ArcFields { found, expected } => write!(
                out,
                "its line has too few fields: expected {expected} from URL to length, found `{found}`"
            ),
            Malformed::NoLineEnd { found } => {
                write!(out, "expected a line end after the content before it, found `{found}`")
            }
            Malformed::HeadCut => out.write_str("the file ends in its head"),
            Malformed::Length { found } if found.is_empty() => out.write_str("it lacks a Content-Length"),
            Malformed::Length { found } => {
                write!(out, "its Content-Length is `{found}`, expected a number of bytes")
            }
            Malformed::ContentCut { expected, found } => {
                write!(out, "the file ends in its content: {found} of {expected} bytes are there")
            }
            Malformed::NotAlone { repair } => {
                write!(
                    out,
                    "its compressed member has a second record: expected one record per member, as after `{repair}`"
                )
            }
        }
    }
}
