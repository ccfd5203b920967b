//! Sources of bytes: a file, a pipe, any reader.
//!
//! A [`ByteStream`] is a reader that also reports whether reading more would wait.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error;
use crate::lines::interrupt::Interrupt;
use urlid::Error;

/// A source of bytes.
pub(crate) trait ByteStream: Send {
    /// Reads some bytes into `room` and returns their number; 0 is the end of the input.
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error>;

    /// Returns whether `read` would return without waiting, as far as is known.
    fn is_ready(&mut self) -> bool;

    /// Returns whether the writer of a pipe may be waiting.
    fn is_idle(&mut self) -> bool {
        !self.is_ready()
    }
}

/// A file, pipe, socket or terminal.
pub(crate) struct FileStream {
    file: File,
    is_regular: bool,
    interrupt: Option<Interrupt>,
}

impl FileStream {
    /// Opens the file at `path`. With an interrupt, opening a FIFO without a writer does not wait. The first
    /// read does, which the interrupt can end.
    pub(crate) fn open(path: &Path, interrupt: Option<&Interrupt>) -> io::Result<Self> {
        let file = match interrupt {
            Some(_) => crate::lines::interrupt::open_without_waiting(path)?,
            None => File::open(path)?,
        };
        FileStream::new(file, interrupt)
    }

    /// Reads `file` from its current position.
    pub(crate) fn new(file: File, interrupt: Option<&Interrupt>) -> io::Result<Self> {
        let kind = file.metadata()?.file_type();
        if kind.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        Ok(FileStream { file, is_regular: kind.is_file(), interrupt: interrupt.cloned() })
    }

    /// Returns the file if it is a regular one.
    pub(crate) fn regular(&self) -> Option<&File> {
        self.is_regular.then_some(&self.file)
    }
}

impl ByteStream for FileStream {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        if let Some(interrupt) = &self.interrupt
            && !self.is_regular
        {
            interrupt.wait_for_input(&self.file).map_err(error::read)?;
        }
        uninterrupted(&mut self.file, room)
    }

    fn is_ready(&mut self) -> bool {
        self.is_regular || has_input(&self.file)
    }
}

#[cfg(unix)]
fn has_input(file: &File) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut polled = [PollFd::new(file, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    // If polling fails, the read reports the error.
    !matches!(poll(&mut polled, Some(&now)), Ok(0))
}

#[cfg(not(unix))]
fn has_input(_file: &File) -> bool {
    true
}

/// Any reader.
pub(crate) struct ReaderStream<R>(pub(crate) R);

impl<R: Read + Send> ByteStream for ReaderStream<R> {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        uninterrupted(&mut self.0, room)
    }

    fn is_ready(&mut self) -> bool {
        true
    }
}

/// A source of lines that are made of the pieces of a file.
pub(crate) trait LineSource: Send {
    /// Reads a piece, appends what it adds to the lines, and returns whether there was one.
    fn read_piece(&mut self, lines: &mut Vec<u8>) -> Result<bool, Error>;

    /// Returns whether `read_piece` would return without waiting, as far as is known.
    fn is_ready(&mut self) -> bool;
}

/// The lines of a source as bytes.
pub(crate) struct LineStream<S> {
    source: S,
    lines: Vec<u8>,
    /// The bytes of `lines` that were returned.
    used: usize,
}

impl<S: LineSource> LineStream<S> {
    pub(crate) fn new(source: S) -> Self {
        LineStream { source, lines: Vec::new(), used: 0 }
    }
}

impl<S: LineSource> ByteStream for LineStream<S> {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        while self.used == self.lines.len() && !room.is_empty() {
            self.used = 0;
            self.lines.clear();
            if !self.source.read_piece(&mut self.lines)? {
                return Ok(0);
            }
        }
        let n = room.len().min(self.lines.len() - self.used);
        room[..n].copy_from_slice(&self.lines[self.used..self.used + n]);
        self.used += n;
        Ok(n)
    }

    fn is_ready(&mut self) -> bool {
        self.used < self.lines.len() || self.source.is_ready()
    }
}

fn uninterrupted(reader: &mut impl Read, room: &mut [u8]) -> Result<usize, Error> {
    loop {
        match reader.read(room) {
            // A signal; an interrupt of ours ends the wait in `poll` instead.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result.map_err(error::read),
        }
    }
}

/// A stream that returns `head` first, and counts the bytes read for a progress bar.
pub(crate) struct CountedStream {
    /// The bytes that were read for recognising the content and are not returned yet.
    pub(crate) head: Vec<u8>,
    pub(crate) stream: Box<dyn ByteStream>,
    pub(crate) count: Arc<AtomicU64>,
}

impl CountedStream {
    /// Returns `head` first, without a count of its own: a stream below counts.
    pub(crate) fn uncounted(head: Vec<u8>, stream: Box<dyn ByteStream>) -> Self {
        CountedStream { head, stream, count: Arc::default() }
    }
}

impl ByteStream for CountedStream {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        let n = if self.head.is_empty() {
            self.stream.read(room)?
        } else {
            let n = self.head.len().min(room.len());
            room[..n].copy_from_slice(&self.head[..n]);
            self.head.drain(..n);
            n
        };
        // Relaxed: only a progress bar reads the count.
        self.count.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }

    fn is_ready(&mut self) -> bool {
        !self.head.is_empty() || self.stream.is_ready()
    }

    fn is_idle(&mut self) -> bool {
        self.head.is_empty() && self.stream.is_idle()
    }
}

/// For the decoders, which require a [`Read`].
impl Read for CountedStream {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        ByteStream::read(self, room).map_err(error::wrapped)
    }
}
