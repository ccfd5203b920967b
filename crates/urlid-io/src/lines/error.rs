//! The error of reading an input.

use std::fmt;
use std::io;

use crate::archives::ArchiveError;
use urlid::{Coded, ErrorCode};

use crate::lines::format::{Compression, MAX_ZSTD_WINDOW};
use crate::lines::kind::FileKind;

/// Error of opening an input or reading it to its end.
#[non_exhaustive]
#[derive(Debug)]
pub enum ReadError {
    /// The operating system reports an error.
    Io(io::Error),
    /// Compressed data ends before its end mark.
    Truncated {
        /// The format of the data.
        format: Compression,
        /// The number of bytes that were decoded before.
        decoded: u64,
    },
    /// Compressed data is inconsistent, or followed by other data.
    Damaged {
        /// The format of the data.
        format: Compression,
        /// The number of bytes that were decoded before.
        decoded: u64,
        /// The message of the decoder, in lower case.
        detail: String,
    },
    /// A zstd frame requires a window larger than [`MAX_ZSTD_WINDOW`].
    Window,
    /// A record of a WARC file is malformed.
    Archive(ArchiveError),
    /// The content is not lines of text.
    Kind(FileKind),
}

impl Coded for ReadError {
    fn code(&self) -> ErrorCode {
        match self {
            ReadError::Io(_) => ErrorCode::Io,
            ReadError::Truncated { .. } | ReadError::Damaged { .. } | ReadError::Window => {
                ErrorCode::Compressed
            }
            ReadError::Archive(error) => error.code(),
            ReadError::Kind(_) => ErrorCode::FileKind,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(_) => out.write_str("cannot read"),
            ReadError::Truncated { format, decoded } => {
                write!(out, "{format} data ends too early: {decoded} bytes were decoded")
            }
            ReadError::Damaged { format, decoded, detail } => {
                write!(out, "{format} data is damaged: {detail}: {decoded} bytes were decoded")
            }
            ReadError::Window => {
                write!(out, "zstd window is too large: expected at most {} MiB", MAX_ZSTD_WINDOW >> 20)
            }
            ReadError::Archive(error) => error.fmt(out),
            ReadError::Kind(kind) => write!(out, "not lines of text: found {kind}"),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::Io(error) => Some(error),
            ReadError::Archive(error) => error.source(),
            ReadError::Truncated { .. }
            | ReadError::Damaged { .. }
            | ReadError::Window
            | ReadError::Kind(_) => None,
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Io(error)
    }
}
