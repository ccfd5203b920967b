//! The output of a command: standard output, or the file that `--out` names.

pub(crate) mod aligned;
pub(crate) mod color;
pub(crate) mod enrich;
pub(crate) mod escape;
pub(crate) mod files;
pub(crate) mod json;
pub(crate) mod progress;
pub(crate) mod rows;
pub(crate) mod table;

use std::ffi::OsStr;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::write::GzEncoder;
use urlid_io::files::NewFile;
use urlid_stdio::Standard;

use crate::output::aligned::AlignedRows;
use crate::output::escape::Escaped;

use crate::report::exit::Failure;

/// Returns the format that a name of a file ends in, and whether the file is compressed.
pub(crate) fn name_format(path: &Path) -> (Option<&'static str>, bool) {
    let extension = |path: &Path| path.extension().and_then(OsStr::to_str).map(str::to_owned);
    let is_compressed = matches!(extension(path).as_deref(), Some("gz" | "zst"));
    let path = if is_compressed { path.with_extension("") } else { path.to_owned() };
    let extension = extension(&path);
    let formats = ["csv", "tsv", "ndjson", "parquet"];
    (formats.into_iter().find(|format| extension.as_deref() == Some(*format)), is_compressed)
}

/// The choice of the output.
#[derive(Debug, Args)]
pub(crate) struct OutArg {
    /// Write to this file instead of standard output
    ///
    /// It replaces an existing file when it is complete. A name that ends in .csv, .tsv, .ndjson or .parquet
    /// selects this format, and is an error if the verb does not write it. Text is compressed if .gz or .zst
    /// follows.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl OutArg {
    /// Returns the path of the file.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.out.as_deref()
    }
}

/// The output of a command.
pub(crate) struct Output {
    writer: BufWriter<Sink>,
    /// The path of the file.
    path: Option<PathBuf>,
    is_terminal: bool,
    /// The rows that are aligned, on a terminal.
    aligned: Option<AlignedRows>,
}

/// The destination of the bytes.
enum Sink {
    Stdout(Box<dyn Write + Send>),
    /// A file that has its name when it is published.
    File(NewFile),
    /// Such a file, compressed.
    Gzip(GzEncoder<NewFile>),
    Zstd(zstd::Encoder<'static, NewFile>),
}

impl Sink {
    /// Makes a file, which is compressed if its name ends in `.gz` or `.zst`.
    fn create(path: &Path) -> Result<Self, Failure> {
        let file = files::create(path)?;
        match path.extension().and_then(OsStr::to_str) {
            Some("gz") => Ok(Sink::Gzip(GzEncoder::new(file, flate2::Compression::default()))),
            Some("zst") => {
                let encoder = zstd::Encoder::new(file, zstd::DEFAULT_COMPRESSION_LEVEL);
                encoder.map(Sink::Zstd).map_err(|error| Failure::write(path, &error))
            }
            _ => Ok(Sink::File(file)),
        }
    }

    /// Puts a file in its place.
    fn publish(self) -> io::Result<()> {
        match self {
            Sink::Stdout(_) => Ok(()),
            Sink::File(file) => file.publish(),
            Sink::Gzip(encoder) => encoder.finish()?.publish(),
            Sink::Zstd(encoder) => encoder.finish()?.publish(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Sink::Stdout(stream) => stream.write(bytes),
            Sink::File(file) => file.write(bytes),
            Sink::Gzip(encoder) => encoder.write(bytes),
            Sink::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Sink::Stdout(stream) => stream.flush(),
            Sink::File(file) => file.flush(),
            Sink::Gzip(encoder) => encoder.flush(),
            Sink::Zstd(encoder) => encoder.flush(),
        }
    }
}

impl Output {
    /// Opens standard output.
    pub(crate) fn stdout() -> Result<Self, Failure> {
        let is_terminal = io::stdout().is_terminal();
        let stream = raw_stdout().map_err(|error| Failure::output(&error))?;
        Ok(Output { writer: buffered(Sink::Stdout(stream)), path: None, is_terminal, aligned: None })
    }

    /// Opens a file, or standard output without a path. The file has its name when it is
    /// [published](Self::publish).
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Self::stdout() };
        let sink = Sink::create(path)?;
        Ok(Output { writer: buffered(sink), path: Some(path.to_owned()), is_terminal: false, aligned: None })
    }

    /// Returns the path of the file, unless it is standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns whether the output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Returns the most columns of a line, which is the width of the terminal. Lines in a file or a pipe are
    /// not broken, because programs search them.
    pub(crate) fn width(&self) -> usize {
        match self.is_terminal {
            true => terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)),
            false => usize::MAX,
        }
    }

    /// Starts to align rows on a terminal. Rows are the lines that are written from now on, with tabs between
    /// their fields. Only people see the header.
    pub(crate) fn align(&mut self, header: &[&str]) -> Result<(), Failure> {
        if self.is_terminal {
            self.write_aligned()?;
            let header = header.iter().map(ToString::to_string).collect();
            self.aligned = Some(AlignedRows::new(header, self.width()));
        }
        Ok(())
    }

    /// Writes the rows that wait to be aligned.
    fn write_aligned(&mut self) -> Result<(), Failure> {
        let Some(rows) = &mut self.aligned else { return Ok(()) };
        let text = color::for_stdout(rows.take());
        self.writer.write_all(text.as_bytes()).map_err(|error| self.failure(&error))
    }

    /// Writes bytes unchanged, except for rows that are [aligned](Self::align).
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(rows) = &mut self.aligned {
            return if rows.push(bytes) { self.write_aligned() } else { Ok(()) };
        }
        self.writer.write_all(bytes).map_err(|error| self.failure(&error))
    }

    /// Writes a line of text for people. Control characters are escaped on a terminal.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        if self.is_terminal {
            return self.write(format!("{}\n", Escaped(text.as_bytes())).as_bytes());
        }
        writeln!(self.writer, "{text}").map_err(|error| self.failure(&error))
    }

    /// Writes lines of text. Control characters in them are escaped on a terminal.
    pub(crate) fn lines(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if !self.is_terminal {
            return self.write(bytes);
        }
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            let end = if text.len() < line.len() { "\n" } else { "" };
            self.write(format!("{}{end}", Escaped(text)).as_bytes())?;
        }
        Ok(())
    }

    /// Returns a writer that writes bytes unchanged.
    pub(crate) fn writer(&mut self) -> &mut impl Write {
        &mut self.writer
    }

    /// Returns the failure to write.
    pub(crate) fn failure(&self, error: &io::Error) -> Failure {
        match &self.path {
            None => Failure::output(error),
            Some(path) => Failure::write(path, error),
        }
    }

    /// Writes out the buffer.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.write_aligned()?;
        self.writer.flush().map_err(|error| self.failure(&error))
    }

    /// Returns the last `len` bytes of the file to which standard output appends, and the byte before them.
    /// Returns an empty vector if standard output is anything else.
    pub(crate) fn tail(&self, len: usize) -> Vec<u8> {
        if self.path.is_some() { Vec::new() } else { tail(len).unwrap_or_default() }
    }

    /// Writes out the buffer and puts the file in its place.
    pub(crate) fn publish(mut self) -> Result<(), Failure> {
        self.flush()?;
        let Output { writer, path, .. } = self;
        // The buffer is empty after the flush, so bytes are not dropped with it.
        let published = writer.into_parts().0.publish();
        path.map_or(Ok(()), |path| published.map_err(|error| Failure::write(&path, &error)))
    }

    /// Writes out the buffer, and fails if the reader has closed standard output by now.
    pub(crate) fn deliver(&mut self) -> Result<(), Failure> {
        self.flush()?;
        // The write may have succeeded just before, because a pipe accepts bytes that its reader then leaves
        // unread.
        if self.path.is_none() && is_closed() { Err(Failure::ClosedPipe) } else { Ok(()) }
    }
}

fn buffered(sink: Sink) -> BufWriter<Sink> {
    BufWriter::with_capacity(64 << 10, sink)
}

/// Returns whether standard output is a pipe, socket or terminal whose other end is closed.
#[cfg(unix)]
fn is_closed() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    // The kernel reports these without a request, so the request is empty.
    let closed = PollFlags::ERR | PollFlags::HUP | PollFlags::NVAL;
    let mut polled = [PollFd::new(&stdout, PollFlags::empty())];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut polled, Some(&now)).is_ok() && polled[0].revents().intersects(closed)
}

#[cfg(not(unix))]
fn is_closed() -> bool {
    false
}

/// Standard output that was closed when the program started. The runtime has opened `/dev/null` in its place,
/// where bytes would wrongly count as delivered.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::Error::other("standard output is closed"))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The most bytes that are read back.
const MOST_TAIL: usize = 64 << 20;

/// Reads the last bytes of standard output, if it is a file. `>>` opens it only for writing, so it is opened
/// again by the name that Linux has for it.
#[cfg(target_os = "linux")]
fn tail(len: usize) -> io::Result<Vec<u8>> {
    use std::fs::{File, metadata};
    use std::io::{Read, Seek, SeekFrom};
    const STDOUT: &str = "/proc/self/fd/1";
    // Examined before it is opened, because opening a pipe would add a reader and keep it open without the
    // right one.
    let data = metadata(STDOUT)?;
    if !data.is_file() || data.len() == 0 {
        return Ok(Vec::new());
    }
    let mut file = File::open(STDOUT)?;
    // Includes the byte before them, which may be the end of the previous line.
    let len = data.len().min(len.min(MOST_TAIL) as u64 + 1);
    file.seek(SeekFrom::Start(data.len() - len))?;
    let mut bytes = Vec::new();
    file.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(not(target_os = "linux"))]
fn tail(_: usize) -> io::Result<Vec<u8>> {
    Ok(Vec::new())
}

/// Returns the descriptor itself, because `io::Stdout` buffers by lines and writes each line separately.
#[cfg(unix)]
fn raw_stdout() -> io::Result<Box<dyn Write + Send>> {
    use std::os::fd::AsFd;
    if Standard::Output.was_closed() {
        return Ok(Box::new(Closed));
    }
    Ok(Box::new(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?)))
}

#[cfg(not(unix))]
fn raw_stdout() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(io::stdout()))
}
