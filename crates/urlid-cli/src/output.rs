//! Standard output.

use std::io::{self, BufWriter, IsTerminal, Write};

use crate::escape::Escaped;
use crate::exit::Failure;

/// Standard output.
pub(crate) struct Output {
    writer: BufWriter<Box<dyn Write + Send>>,
    is_terminal: bool,
}

impl Output {
    /// Opens standard output.
    pub(crate) fn stdout() -> Result<Self, Failure> {
        let is_terminal = io::stdout().is_terminal();
        let stream = raw_stdout().map_err(|error| Failure::output(&error))?;
        Ok(Output { writer: BufWriter::with_capacity(64 << 10, stream), is_terminal })
    }

    /// Returns whether standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.writer.write_all(bytes).map_err(|error| Failure::output(&error))
    }

    /// Writes a line of text for people; control characters are escaped on a terminal.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        let written = match self.is_terminal {
            true => writeln!(self.writer, "{}", Escaped(text.as_bytes())),
            false => writeln!(self.writer, "{text}"),
        };
        written.map_err(|error| Failure::output(&error))
    }

    /// Returns a writer of bytes as they are.
    pub(crate) fn writer(&mut self) -> &mut impl Write {
        &mut self.writer
    }

    /// Writes out the buffer.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(|error| Failure::output(&error))
    }

    /// Writes out the buffer, and fails if the reader has closed the output by now.
    pub(crate) fn deliver(&mut self) -> Result<(), Failure> {
        self.flush()?;
        // The write may have succeeded just before: a pipe takes bytes that its reader then leaves in it.
        if is_closed() { Err(Failure::ClosedPipe) } else { Ok(()) }
    }
}

/// Returns whether standard output is a pipe, socket or terminal that nobody will read.
#[cfg(unix)]
fn is_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    // The kernel reports these without a request, so none is made.
    let closed = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    let mut polled = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut polled, Some(&now)).is_ok() && polled[0].revents().intersects(closed)
}

#[cfg(not(unix))]
fn is_closed() -> bool {
    false
}

/// Returns the descriptor itself: `io::Stdout` buffers by lines, which is a write for every line.
#[cfg(unix)]
fn raw_stdout() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd;
    Ok(Box::new(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn raw_stdout() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}
