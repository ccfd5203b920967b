//! Where bytes come from, and how that fails.
//!
//! A [`Feed`] is a reader that can also say whether asking it for more would wait. Knows nothing about lines.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::decode::{Format, MAX_ZSTD_WINDOW};
use urlid::{Coded, ErrorCode};

/// Why an input cannot be read, or not to its end.
#[non_exhaustive]
#[derive(Debug)]
pub enum ReadError {
    /// The system refused.
    Io(io::Error),
    /// Compressed data ends before its end mark.
    Truncated {
        /// The format of the data.
        format: Format,
        /// How many bytes could be decoded.
        decoded: u64,
    },
    /// Compressed data contradicts itself, or something else follows it.
    Damaged {
        /// The format of the data.
        format: Format,
        /// How many bytes could be decoded.
        decoded: u64,
        /// What the decoder found.
        detail: String,
    },
    /// Decoding would take more memory than [`MAX_ZSTD_WINDOW`].
    Window,
}

impl Coded for ReadError {
    fn code(&self) -> ErrorCode {
        match self {
            ReadError::Io(_) => ErrorCode::Io,
            ReadError::Truncated { .. } | ReadError::Damaged { .. } | ReadError::Window => {
                ErrorCode::Compressed
            }
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io(error) => write!(out, "cannot read: {error}"),
            ReadError::Truncated { format, decoded } => {
                write!(out, "{format} data ends too early: {decoded} bytes were decoded")
            }
            ReadError::Damaged { format, decoded, detail } => {
                write!(out, "{format} data is damaged: {detail}: {decoded} bytes were decoded")
            }
            ReadError::Window => {
                write!(out, "zstd window is too large: expected at most {} MiB", MAX_ZSTD_WINDOW >> 20)
            }
        }
    }
}

impl std::error::Error for ReadError {}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Io(error)
    }
}

/// A source of bytes.
pub(crate) trait Feed: Send {
    /// Reads some bytes into `room`; 0 is the end of the input.
    fn read(&mut self, room: &mut [u8]) -> Result<usize, ReadError>;

    /// Whether `read` would answer without waiting for someone else, as far as is known.
    fn ready(&mut self) -> bool;
}

/// A file, pipe, socket or terminal.
pub(crate) struct FileFeed {
    file: File,
    regular: bool,
}

impl FileFeed {
    /// Reads `file` from where it stands.
    pub(crate) fn new(file: File) -> io::Result<Self> {
        let kind = file.metadata()?.file_type();
        if kind.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        Ok(FileFeed { file, regular: kind.is_file() })
    }

    /// Returns the file if it is a regular one.
    pub(crate) fn regular(&self) -> Option<&File> {
        self.regular.then_some(&self.file)
    }
}

impl Feed for FileFeed {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, ReadError> {
        Ok(uninterrupted(&mut self.file, room)?)
    }

    fn ready(&mut self) -> bool {
        self.regular || has_input(&self.file)
    }
}

#[cfg(unix)]
fn has_input(file: &File) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut asked = [PollFd::new(file, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // Where polling fails, reading will say why.
    !matches!(poll(&mut asked, Some(&now)), Ok(0))
}

#[cfg(not(unix))]
fn has_input(_file: &File) -> bool {
    true
}

/// Any reader.
pub(crate) struct ReaderFeed<R>(pub(crate) R);

impl<R: Read + Send> Feed for ReaderFeed<R> {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, ReadError> {
        Ok(uninterrupted(&mut self.0, room)?)
    }

    fn ready(&mut self) -> bool {
        true
    }
}

fn uninterrupted(reader: &mut impl Read, room: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// A feed that gives `head` first and counts what it reads for a progress bar.
pub(crate) struct Counted {
    /// Bytes read while the format was looked for.
    pub(crate) head: Vec<u8>,
    pub(crate) feed: Box<dyn Feed>,
    pub(crate) count: Arc<AtomicU64>,
}

impl Feed for Counted {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, ReadError> {
        let n = if self.head.is_empty() {
            self.feed.read(room)?
        } else {
            let n = self.head.len().min(room.len());
            room[..n].copy_from_slice(&self.head[..n]);
            self.head.drain(..n);
            n
        };
        self.count.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }

    fn ready(&mut self) -> bool {
        !self.head.is_empty() || self.feed.ready()
    }
}

/// For the decoders, which want a reader.
impl Read for Counted {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        Feed::read(self, room).map_err(|error| match error {
            ReadError::Io(error) => error,
            other => io::Error::other(other),
        })
    }
}
