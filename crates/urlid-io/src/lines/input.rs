//! Opening an input: a path, standard input or any reader. The input is decoded if it starts like compressed
//! data.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use memchr::memchr2;
use urlid::Error;
use urlid_archives::cdx::CdxLayout;
use urlid_archives::{Members, Range, Records, Wacz};

use crate::error;
use crate::files::read_at;
use crate::lines::archive::{MAX_HEAD, WarcLines};
use crate::lines::chunk::BOM;
use crate::lines::chunk_reader::{ChunkReader, LineReader};
use crate::lines::decode::{Compression, decoded};
use crate::lines::kind::{self, FileKind, InputKind};
use crate::lines::options::{Archives, LineOptions};
use crate::lines::recovered::{Loss, OnLoss, Recovered};
use crate::lines::sitemap::foreign_namespace;
use crate::lines::splits::FileSplits;
use crate::lines::stream::{
    ByteStream, CountedStream, FileStream, Interrupt, LineStream, ReaderStream, RowLines,
};
use crate::lines::utf16::has_wide_mark;
use crate::lines::wacz::WaczLines;

/// An open input whose compression was recognised.
pub struct Input {
    stream: Box<dyn ByteStream>,
    format: Compression,
    /// The file, if it is a regular one.
    file: Option<RegularFile>,
    count: Arc<AtomicU64>,
    /// Receives the lost ranges of a damaged archive, if reading continues after damage.
    on_loss: Option<OnLoss>,
}

impl std::fmt::Debug for Input {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Input")
            .field("format", &self.format)
            .field("file", &self.file)
            .finish_non_exhaustive()
    }
}

impl Input {
    /// Opens the file at `path`, which may also be a pipe or a device.
    ///
    /// # Errors
    /// If it cannot be opened or is a directory.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::from_stream(FileStream::open(path.as_ref(), None).map_err(error::read)?)
    }

    /// Opens the file at `path` like [`Input::open`]. `interrupt` ends reads that wait.
    ///
    /// # Errors
    /// Like [`Input::open`], and when the interrupt is triggered.
    pub fn open_interruptible(path: impl AsRef<Path>, interrupt: &Interrupt) -> Result<Self, Error> {
        Self::from_stream(FileStream::open(path.as_ref(), Some(interrupt)).map_err(error::read)?)
    }

    /// Opens standard input.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn stdin() -> Result<Self, Error> {
        Self::open_stdin(None)
    }

    /// Opens standard input. `interrupt` ends reads that wait.
    ///
    /// # Errors
    /// Like [`Input::stdin`], and when the interrupt is triggered.
    pub fn stdin_interruptible(interrupt: &Interrupt) -> Result<Self, Error> {
        Self::open_stdin(Some(interrupt))
    }

    #[cfg(unix)]
    fn open_stdin(interrupt: Option<&Interrupt>) -> Result<Self, Error> {
        use std::os::fd::AsFd;
        // A copy of the descriptor, which can be polled, without the buffer and the lock of `io::Stdin`.
        let file = File::from(io::stdin().as_fd().try_clone_to_owned().map_err(error::read)?);
        Self::from_stream(FileStream::new(file, interrupt).map_err(error::read)?)
    }

    #[cfg(not(unix))]
    fn open_stdin(_: Option<&Interrupt>) -> Result<Self, Error> {
        Self::from_reader(io::stdin())
    }

    /// Reads an opened file, from its current position.
    ///
    /// # Errors
    /// If it is a directory or its first bytes cannot be read.
    pub fn from_file(file: File) -> Result<Self, Error> {
        Self::from_stream(FileStream::new(file, None).map_err(error::read)?)
    }

    fn from_stream(stream: FileStream) -> Result<Self, Error> {
        let file = RegularFile::new(&stream).map_err(error::read)?;
        Self::new(Box::new(stream), file)
    }

    /// Reads any reader.
    ///
    /// # Errors
    /// If its first bytes cannot be read.
    pub fn from_reader(reader: impl Read + Send + 'static) -> Result<Self, Error> {
        Self::new(Box::new(ReaderStream(reader)), None)
    }

    fn new(stream: Box<dyn ByteStream>, file: Option<RegularFile>) -> Result<Self, Error> {
        let count = Arc::new(AtomicU64::new(0));
        let (stream, format) = decoded(stream, Arc::clone(&count))?;
        Ok(Input { stream, format, file, count, on_loss: None })
    }

    /// Returns a counter of the stored bytes read so far.
    pub fn bytes_read(&self) -> BytesRead {
        BytesRead(Arc::clone(&self.count))
    }

    /// Continues reading after damage in a WARC or ARC file, including the files in a WACZ file, and passes
    /// each lost range to `on_loss`.
    ///
    /// This requires a regular file whose lines are read as URLs, in a stream. A file that starts with damage
    /// counts as an archive if it is compressed.
    pub fn recover(&mut self, on_loss: impl FnMut(Loss) + Send + 'static) {
        self.on_loss = Some(Arc::new(Mutex::new(on_loss)));
    }

    /// Returns whether the content starts with these bytes. The next reader of the input gets them again.
    ///
    /// # Errors
    /// If the first bytes cannot be read.
    pub fn begins_with(&mut self, start: &[u8]) -> Result<bool, Error> {
        let mut head = vec![0; start.len()];
        let mut length = 0;
        while length < head.len() {
            match self.stream.read(&mut head[length..])? {
                0 => break,
                n => length += n,
            }
        }
        head.truncate(length);
        let is_start = head == start;
        self.read_again(head);
        Ok(is_start)
    }

    /// Returns the kind of the content, or `None` for lines of text and WARC files. The next reader gets the
    /// first bytes again.
    ///
    /// It is for callers of [`Input::content`]. Lines and chunks report such an input as an error without
    /// this call.
    ///
    /// # Errors
    /// If the first bytes cannot be read.
    pub fn other_kind(&mut self) -> Result<Option<FileKind>, Error> {
        let (head, content) = kind::recognise(self.stream.as_mut())?;
        self.read_again(head);
        match content {
            kind::Content::Other(kind) => Ok(Some(kind)),
            kind::Content::Lines | kind::Content::Warc | kind::Content::Rows => Ok(None),
        }
    }

    /// Returns the namespace of a sitemap if it is an older or misspelt one. The next reader gets the first
    /// bytes again.
    ///
    /// # Errors
    /// If the first bytes cannot be read.
    pub fn foreign_namespace(&mut self) -> Result<Option<String>, Error> {
        let (head, _) = kind::recognise(self.stream.as_mut())?;
        let namespace = foreign_namespace(&head);
        self.read_again(head);
        Ok(namespace)
    }

    /// Returns the kind of the content. The next reader gets the first bytes again, with a line end after each
    /// row if these are rows of JSON.
    ///
    /// It waits for the first line of a pipe.
    ///
    /// # Errors
    /// If the first bytes cannot be read.
    pub fn kind(&mut self) -> Result<InputKind, Error> {
        self.split_rows()?;
        let (mut head, content) = kind::recognise(self.stream.as_mut())?;
        let kind = match content {
            kind::Content::Warc => InputKind::Warc,
            kind::Content::Other(kind) => InputKind::Other(kind),
            kind::Content::Lines | kind::Content::Rows => {
                let mut room = [0; kind::MOST_HEAD];
                while memchr2(b'\n', b'\r', &head).is_none() && head.len() < MAX_HEAD {
                    match self.stream.read(&mut room)? {
                        0 => break,
                        n => head.extend_from_slice(&room[..n]),
                    }
                }
                let text = head.strip_prefix(BOM).unwrap_or(&head);
                let first = &text[..memchr2(b'\n', b'\r', text).unwrap_or(text.len())];
                match CdxLayout::recognise(first) {
                    _ if head.is_empty() => InputKind::Empty,
                    Some(layout) => InputKind::Index(layout, first.to_vec()),
                    None => InputKind::Lines(first.to_vec()),
                }
            }
        };
        self.read_again(head);
        Ok(kind)
    }

    /// Returns the compression of the stored content.
    pub fn compression(&self) -> Compression {
        self.format
    }

    /// Puts a line end after each row, if the content is rows of JSON of the Wayback CDX server.
    ///
    /// # Errors
    /// If the first bytes cannot be read.
    fn split_rows(&mut self) -> Result<(), Error> {
        let (head, content) = kind::recognise(self.stream.as_mut())?;
        self.read_again(head);
        if content == kind::Content::Rows {
            let stream = std::mem::replace(&mut self.stream, Box::new(ReaderStream(io::empty())));
            self.stream = Box::new(RowLines::new(stream));
            // Splits of the file would have its own lines.
            self.file = None;
        }
        Ok(())
    }

    /// Puts bytes that were read back in front of the stream.
    fn read_again(&mut self, head: Vec<u8>) {
        let stream = std::mem::replace(&mut self.stream, Box::new(ReaderStream(io::empty())));
        self.stream = Box::new(CountedStream::uncounted(head, stream));
    }

    /// Reads the whole content into memory, decoded.
    ///
    /// # Errors
    /// If it cannot be read to its end.
    pub fn bytes(mut self) -> Result<Vec<u8>, Error> {
        const STEP: usize = 1 << 20;
        let mut bytes = Vec::new();
        loop {
            let start = bytes.len();
            // Memory that cannot be had is an error of the input, and does not end the process.
            bytes.try_reserve(STEP).map_err(|_| error::read(io::ErrorKind::OutOfMemory.into()))?;
            bytes.resize(start + STEP, 0);
            let n = self.stream.read(&mut bytes[start..])?;
            bytes.truncate(start + n);
            if n == 0 {
                return Ok(bytes);
            }
        }
    }

    /// Reads the content as bytes, decoded.
    pub fn content(self) -> Content {
        Content(self.stream)
    }

    /// Returns a reader of lines.
    pub fn lines(self, options: LineOptions) -> LineReader {
        LineReader::new(self.chunks(options))
    }

    /// Returns a reader of chunks of whole lines.
    pub fn chunks(mut self, options: LineOptions) -> ChunkReader {
        let options = options.clamped();
        let Archives::Urls(records) = options.archives else {
            return ChunkReader::new(self.stream, options);
        };
        let format = self.format;
        let is_wacz = |file: &mut RegularFile| {
            format == Compression::Plain && file.head().is_some_and(|head| Wacz::begins(&head))
        };
        if let Some(range) = self.file.take_if(is_wacz).and_then(|file| file.range().ok()) {
            let files = WaczLines::new(range.counted(self.count), records).recovered(self.on_loss);
            return ChunkReader::of_wacz(files, options);
        }
        match self.recovered(records) {
            Some(lines) => ChunkReader::of_records(Box::new(lines), options),
            None => ChunkReader::new(self.stream, options),
        }
    }

    /// Returns the lines of an archive if reading can continue after damage.
    fn recovered(&mut self, records: Records) -> Option<LineStream<WarcLines>> {
        let (format, on_loss) = (self.format, self.on_loss.take()?);
        let file = self.file.take_if(|file| file.may_be_archive(format))?;
        // If this fails, reading the stream reports that.
        let source = Recovered::new(file.range().ok()?, None, on_loss).ok()?;
        Some(WarcLines::of(source.counted(Arc::clone(&self.count)), records))
    }

    /// Returns the splits of a plain regular file, which can be read in any order and by any thread.
    ///
    /// # Errors
    /// The input itself, to be read as a stream, if it is not a plain regular file, is not lines of text, or
    /// has the size 0 like the files of `/proc`.
    pub fn splits(mut self, options: LineOptions) -> Result<FileSplits, Input> {
        let format = self.format;
        let is_text = |file: &RegularFile| file.is_text(options.archives);
        match self.file.take_if(|file| format == Compression::Plain && file.size > 0 && is_text(file)) {
            Some(RegularFile { file, start, size }) => {
                Ok(FileSplits::new(file, start, size, options.clamped()))
            }
            None => Err(self),
        }
    }
}

/// The bytes of an input, decoded.
pub struct Content(Box<dyn ByteStream>);

impl std::fmt::Debug for Content {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Content").finish_non_exhaustive()
    }
}

impl Content {
    /// Reads some bytes into `room` and returns their number. 0 is the end.
    ///
    /// # Errors
    /// If reading fails.
    pub fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        self.0.read(room)
    }

    /// Returns whether reading would return without waiting, as far as is known.
    pub fn is_ready(&mut self) -> bool {
        self.0.is_ready()
    }
}

impl io::Read for Content {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.read(room).map_err(io::Error::other)
    }
}

/// A second handle to a regular file.
#[derive(Debug)]
struct RegularFile {
    file: File,
    /// The offset at which reading starts.
    start: u64,
    /// The number of bytes from there to the end.
    size: u64,
}

impl RegularFile {
    fn new(stream: &FileStream) -> io::Result<Option<Self>> {
        let Some(file) = stream.regular() else { return Ok(None) };
        // The clone shares the position of the stream, so it is only read at offsets.
        let mut file = file.try_clone()?;
        let start = file.stream_position()?;
        let size = file.metadata()?.len().saturating_sub(start);
        Ok(Some(RegularFile { file, start, size }))
    }

    /// Returns whether the file starts like lines of text. If the file cannot be read, the later read reports
    /// the error.
    fn is_text(&self, archives: Archives) -> bool {
        let is_text =
            |head: &[u8]| archives == Archives::Text || kind::of_whole(head) == kind::Content::Lines;
        self.head().is_some_and(|head| !has_wide_mark(&head) && is_text(&head))
    }

    /// Returns the first bytes of the file, if they can be read.
    fn head(&self) -> Option<Vec<u8>> {
        let mut head = vec![0; kind::MOST_HEAD];
        let n = read_at(&self.file, &mut head, self.start).ok()?;
        head.truncate(n);
        Some(head)
    }

    /// Returns whether the file starts like an archive, or is compressed and starts with damage.
    fn may_be_archive(&self, format: Compression) -> bool {
        let content = match format {
            Compression::Plain => self.head().map(|head| kind::of_whole(&head)),
            Compression::Gzip | Compression::Zstd => {
                let Ok(members) = self.range().and_then(|range| Members::new(BufReader::new(range))) else {
                    return false;
                };
                match kind::recognise(&mut ReaderStream(members)) {
                    Ok((_, content)) => Some(content),
                    // Errors of decoders lack an error code of the operating system.
                    Err(error) => {
                        let source = error::system_error(&error);
                        return source.is_none_or(|source| source.raw_os_error().is_none());
                    }
                }
            }
            Compression::Bzip2 | Compression::Xz => None,
        };
        matches!(content, Some(kind::Content::Warc | kind::Content::Other(FileKind::Arc)))
    }

    /// Returns the bytes of the file.
    fn range(&self) -> io::Result<Range> {
        range_of(self.file.try_clone()?, self.start)
    }
}

/// Returns the bytes of a file from an offset, as archives are read. The file's own position is unchanged.
///
/// # Errors
/// If the operating system does not report the length of the file.
pub fn range_of(file: File, start: u64) -> io::Result<Range> {
    let length = file.metadata()?.len().saturating_sub(start);
    Ok(Range::new(Arc::new(move |room, at| read_at(&file, room, at)), start, length))
}

/// A counter of stored bytes that were read, for progress. Clones share the count.
#[derive(Clone, Debug)]
pub struct BytesRead(Arc<AtomicU64>);

impl BytesRead {
    /// Returns the number of bytes read by now.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
