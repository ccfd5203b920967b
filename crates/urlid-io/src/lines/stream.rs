//! Sources of bytes: a file, a pipe, any reader, and rows of JSON with a line for each.
//!
//! A [`ByteStream`] is a reader that also reports whether reading more would wait. An [`Interrupt`] ends
//! reads that wait.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use urlid::Error;

use crate::error;

/// A source of bytes.
pub(crate) trait ByteStream: Send {
    /// Reads some bytes into `room` and returns their number. 0 is the end of the input.
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
            Some(_) => open_without_waiting(path)?,
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
    /// Reads a piece and appends its lines. Returns whether there was a piece.
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
            // A signal. An interrupt of this module ends the wait in `poll` instead.
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
    /// Returns `head` first, without counting it, because a stream below counts.
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
        // Relaxed, because only a progress bar reads the count.
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

/// Implemented for the decoders, which require a [`Read`].
impl Read for CountedStream {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        ByteStream::read(self, room).map_err(error::wrapped)
    }
}

/// Ends reads that wait for a pipe, a socket or a terminal.
///
/// Clones share one state. After it is triggered, waiting reads and later reads that would wait return an
/// error. Regular files are read as before. It has an effect only on Unix.
#[derive(Clone, Debug)]
pub struct Interrupt(platform::Interrupt);

impl Interrupt {
    /// Makes an interrupt that is not triggered yet.
    ///
    /// # Errors
    /// If the system has run out of descriptors.
    pub fn new() -> io::Result<Self> {
        platform::Interrupt::new().map(Interrupt)
    }

    /// Ends the reads, for good.
    pub fn trigger(&self) {
        self.0.trigger();
    }

    /// Waits until `file` can be read.
    pub(crate) fn wait_for_input(&self, file: &File) -> io::Result<()> {
        self.0.wait_for_input(file)
    }
}

/// Opens a file. Opening a FIFO does not wait for its writer.
pub(crate) fn open_without_waiting(path: &Path) -> io::Result<File> {
    platform::open_without_waiting(path)
}

#[cfg(unix)]
mod platform {
    use std::fs::{File, OpenOptions};
    use std::io::{self, PipeReader, PipeWriter};
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
    use std::path::Path;
    use std::sync::{Arc, Mutex, PoisonError};

    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::fs::{OFlags, fcntl_setfl};
    use rustix::io::Errno;

    /// A pipe that is never written to. Closing its writing end makes its reading end ready, for good and for
    /// every `poll` on it.
    #[derive(Clone, Debug)]
    pub(super) struct Interrupt {
        reader: Arc<PipeReader>,
        writer: Arc<Mutex<Option<PipeWriter>>>,
    }

    impl Interrupt {
        pub(super) fn new() -> io::Result<Self> {
            let (reader, writer) = io::pipe()?;
            Ok(Interrupt { reader: Arc::new(reader), writer: Arc::new(Mutex::new(Some(writer))) })
        }

        pub(super) fn trigger(&self) {
            *self.writer.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }

        pub(super) fn wait_for_input(&self, file: &File) -> io::Result<()> {
            let mut polled = [PollFd::new(file, PollFlags::IN), PollFd::new(&*self.reader, PollFlags::IN)];
            loop {
                match poll(&mut polled, None) {
                    Err(Errno::INTR) => {}
                    // If polling fails, the read reports the reason.
                    Err(_) => return Ok(()),
                    // The interrupt counts before input, so that a fast writer cannot delay it.
                    Ok(_) if !polled[1].revents().is_empty() => {
                        return Err(io::Error::other("reading was interrupted"));
                    }
                    Ok(_) => return Ok(()),
                }
            }
        }
    }

    pub(super) fn open_without_waiting(path: &Path) -> io::Result<File> {
        if !path.metadata()?.file_type().is_fifo() {
            return File::open(path);
        }
        let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits() as i32).open(path)?;
        // Only the opening must not wait. Reads wait in `poll`, which the interrupt ends.
        fcntl_setfl(&file, OFlags::empty())?;
        Ok(file)
    }
}

#[cfg(not(unix))]
mod platform {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    #[derive(Clone, Debug)]
    pub(super) struct Interrupt;

    impl Interrupt {
        pub(super) fn new() -> io::Result<Self> {
            Ok(Interrupt)
        }

        pub(super) fn trigger(&self) {}

        pub(super) fn wait_for_input(&self, _: &File) -> io::Result<()> {
            Ok(())
        }
    }

    pub(super) fn open_without_waiting(path: &Path) -> io::Result<File> {
        File::open(path)
    }
}

/// The bytes that are read at once.
const STEP: usize = 64 << 10;

/// An array of arrays, with a line end after each row and without spaces outside of texts.
///
/// A row that lacks its end does not hide the next row. A row never contains an array and a text never
/// contains a line end, so either of them shows the missing end.
pub(crate) struct RowLines {
    stream: Box<dyn ByteStream>,
    read: Vec<u8>,
    lines: Vec<u8>,
    /// The bytes of `lines` that were returned.
    used: usize,
    depth: u32,
    text: Text,
}

/// The place of the next byte in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Text {
    Outside,
    Inside,
    /// After a backslash.
    Escaped,
}

impl RowLines {
    pub(crate) fn new(stream: Box<dyn ByteStream>) -> Self {
        let (read, lines) = (vec![0; STEP], Vec::new());
        RowLines { stream, read, lines, used: 0, depth: 0, text: Text::Outside }
    }

    fn push(&mut self, byte: u8) {
        match (self.text, byte) {
            (Text::Outside, b'"') => self.text = Text::Inside,
            (Text::Outside, b'[') => {
                // A row cannot contain an array, so the previous row lacks its end.
                if self.depth == 2 {
                    self.lines.push(b'\n');
                } else {
                    self.depth += 1;
                }
            }
            (Text::Outside, b']') if self.depth == 1 => {
                // The line of the last row ends here, so that it is whole even if reading fails after it.
                self.depth = 0;
                self.lines.extend(b"]\n");
                return;
            }
            (Text::Outside, b']') => self.depth = self.depth.saturating_sub(1),
            (Text::Outside, b',') if self.depth < 2 => {
                self.lines.extend(b",\n");
                return;
            }
            (Text::Outside, byte) if byte.is_ascii_whitespace() => return,
            (Text::Inside, b'"') => self.text = Text::Outside,
            // A text cannot contain a line end, so the text and its row are cut off here.
            (_, b'\n' | b'\r') => (self.text, self.depth) = (Text::Outside, self.depth.min(1)),
            (Text::Inside, b'\\') => self.text = Text::Escaped,
            (Text::Escaped, _) => self.text = Text::Inside,
            _ => {}
        }
        self.lines.push(byte);
    }
}

impl ByteStream for RowLines {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        while self.used == self.lines.len() && !room.is_empty() {
            self.used = 0;
            self.lines.clear();
            let n = self.stream.read(&mut self.read)?;
            if n == 0 {
                return Ok(0);
            }
            for index in 0..n {
                self.push(self.read[index]);
            }
        }
        let n = room.len().min(self.lines.len() - self.used);
        room[..n].copy_from_slice(&self.lines[self.used..self.used + n]);
        self.used += n;
        Ok(n)
    }

    fn is_ready(&mut self) -> bool {
        self.used < self.lines.len() || self.stream.is_ready()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what is read a few bytes at a time.
    fn lines(rows: &str, step: usize) -> String {
        let stream = Box::new(ReaderStream(std::io::Cursor::new(rows.to_owned())));
        let (mut rows, mut out, mut room) = (RowLines::new(stream), Vec::new(), vec![0; step]);
        loop {
            match rows.read(&mut room).expect("memory can be read") {
                0 => return String::from_utf8(out).expect("it was text"),
                n => out.extend_from_slice(&room[..n]),
            }
        }
    }

    #[test]
    fn each_row_is_a_line() {
        for (rows, expected) in [
            (r#"[["a","b"],["c","d"]]"#, "[[\"a\",\"b\"],\n[\"c\",\"d\"]]\n"),
            ("[[\"a\", \"b\"],\n [\"c\",\n\t\"d\"]\r\n]\n", "[[\"a\",\"b\"],\n[\"c\",\"d\"]]\n"),
            (r#"[["a [\", ],["],["\\"],["]"]]"#, "[[\"a [\\\", ],[\"],\n[\"\\\\\"],\n[\"]\"]]\n"),
            ("[[\"a\"],\n[\"b\",\n[\"c\"]]", "[[\"a\"],\n[\"b\",\n[\"c\"]]\n"),
            ("[[\"a\"],\n[\"b\n[\"c\"]]", "[[\"a\"],\n[\"b\n[\"c\"]]\n"),
            ("[[\"a\"],\r[\"b\r[\"c\"]]\r", "[[\"a\"],\n[\"b\r[\"c\"]]\n"),
            ("[[\"a\"]]\n[[\"b\"]]", "[[\"a\"]]\n[[\"b\"]]\n"),
            ("[]", "[]\n"),
            ("]],x", "]],\nx"),
            ("", ""),
        ] {
            for step in [1, 3, 100] {
                assert_eq!(lines(rows, step), expected, "{rows}");
            }
        }
    }
}
