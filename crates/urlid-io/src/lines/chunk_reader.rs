//! The options of reading lines, and chunks of whole lines from a stream.
//!
//! A buffer is filled and framed, and its unfinished last line is copied to the next buffer.

use memchr::{memchr, memrchr};
use urlid::Error;

use crate::lines::archive::{Archive, IndexLines};
use crate::lines::chunk::{BOM, Chunk, Cursor, Line};
use crate::lines::framing::{After, decisive_len, end_lines_at_cr, frame, reject_trailing_text};
use crate::lines::options::LineOptions;
use crate::lines::stream::{ByteStream, ReaderStream};
use crate::lines::wacz::WaczLines;

/// Reads whole lines of a stream into chunks that the caller reuses.
pub struct ChunkReader {
    stream: Archive,
    /// The files of a WACZ file that follow, and the first error of one before.
    files: Option<Box<WaczLines>>,
    failed: Option<Error>,
    options: LineOptions,
    /// Whether the lines belong to an archive's index.
    index: IndexLines,
    /// The size of a chunk. A chunk with at least one whole line is full at the size in the options. The size
    /// grows if the longest line needs more.
    capacity: usize,
    /// The start of a line whose end was not read yet. It is never over the cap and never contains an LF.
    carry: Vec<u8>,
    /// Whether the next bytes belong to a line that was over the cap, so they are dropped up to its end.
    skipping: bool,
    /// Whether the bytes that were dropped end with a CR, which ends the line unless an LF follows.
    skipped_cr: bool,
    state: Progress,
}

#[derive(Debug)]
enum Progress {
    /// Fewer bytes than a byte order mark were read.
    Start,
    Middle,
    End,
    /// Reading failed. The error is returned after the lines before it.
    Failed(Error),
}

impl std::fmt::Debug for ChunkReader {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ChunkReader").field("state", &self.state).finish_non_exhaustive()
    }
}

impl ChunkReader {
    pub(crate) fn new(stream: Box<dyn ByteStream>, options: LineOptions) -> Self {
        Self::of(Archive::new(stream, options), options)
    }

    /// Reads lines that are the URLs of records.
    pub(crate) fn of_records(stream: Box<dyn ByteStream>, options: LineOptions) -> Self {
        Self::of(Archive::Records(stream, IndexLines::No), options)
    }

    /// Reads the lines of the files of a WACZ file, one after the other.
    pub(crate) fn of_wacz(files: WaczLines, options: LineOptions) -> Self {
        let nothing = Archive::Lines(Box::new(ReaderStream(std::io::empty())));
        ChunkReader { files: Some(Box::new(files)), ..Self::of(nothing, options) }
    }

    fn of(stream: Archive, options: LineOptions) -> Self {
        // Enough bytes to decide that a line is over the cap, so that a full buffer always yields a line, if
        // a rejected one.
        let capacity = options.chunk.max(decisive_len(options.max_line)).max(BOM.len());
        ChunkReader {
            stream,
            files: None,
            failed: None,
            options,
            index: IndexLines::new(options.archives),
            capacity,
            carry: Vec::new(),
            skipping: false,
            skipped_cr: false,
            state: Progress::Start,
        }
    }

    /// Reads the next lines into `chunk`: as many as fit, or as are available without waiting. Returns
    /// whether there is a line; `false` is the end of the input.
    ///
    /// # Errors
    /// Once, after all lines before it. A line that the error cuts off is not returned.
    pub fn read(&mut self, chunk: &mut Chunk) -> Result<bool, Error> {
        loop {
            if !matches!(self.state, Progress::End | Progress::Failed(_)) {
                self.read_lines(chunk);
                if !chunk.is_empty() {
                    return Ok(true);
                }
            }
            chunk.room(0);
            if let Progress::Failed(error) = std::mem::replace(&mut self.state, Progress::End) {
                self.failed.get_or_insert(error);
            }
            // Each file starts like a separate input. An error in one file is returned after the lines of the
            // others.
            match self.files.as_mut().map(|files| files.next_file(self.options)) {
                Some(Ok(Some(stream))) => {
                    (self.stream, self.index) = (stream, IndexLines::new(self.options.archives));
                    (self.skipping, self.skipped_cr) = (false, false);
                    self.carry.clear();
                    self.state = Progress::Start;
                }
                Some(Err(error)) => self.state = Progress::Failed(error),
                Some(Ok(None)) | None => return self.failed.take().map_or(Ok(false), Err),
            }
        }
    }

    /// Fills `chunk` with lines. The chunk is empty afterwards only at the end or if reading fails.
    fn read_lines(&mut self, chunk: &mut Chunk) {
        let room = chunk.room(self.capacity);
        let len = self.fill(room);
        // After a failure, the bytes after the last LF may also be an incomplete line, so they are not read as one.
        let after = if matches!(self.state, Progress::End) { After::End } else { After::More };
        let ends_at_cr = room[..len].ends_with(b"\r");
        let mut done = frame(&mut room[..len], self.options.max_line, after);
        self.carry.clear();
        self.carry.extend_from_slice(&room[done.rest..len]);
        self.skipping = done.skips;
        self.skipped_cr = done.skips && ends_at_cr && !self.keeps_cr();
        // A URL of a record may look like a line of an index.
        if let Archive::Records(_, index) = &self.stream {
            self.index = index.clone();
        }
        self.index.replace_by_urls(room, &mut done);
        let is_text = !self.stream.has_records() && matches!(self.index, IndexLines::No);
        if is_text {
            reject_trailing_text(room, &mut done, self.options.trailing_text);
        }
        chunk.set(done.lines, done.rejected, !is_text);
    }

    /// Returns whether only an LF ends a line.
    fn keeps_cr(&self) -> bool {
        self.stream.has_records() || self.options.as_written
    }

    /// Reads until the stream ends or fails. After at least one line, also stops when the chunk is full or
    /// reading more would wait. Returns the number of bytes.
    fn fill(&mut self, room: &mut [u8]) -> usize {
        let mut len = self.carry.len();
        room[..len].copy_from_slice(&self.carry);
        let mut has_line = false;
        while len < room.len() && (!has_line || (len < self.options.chunk && self.stream.is_ready())) {
            // Beyond the target only if a single line is longer than that.
            let end = if len < self.options.chunk { self.options.chunk.min(room.len()) } else { room.len() };
            let n = match self.stream.read(&mut room[len..end]) {
                Ok(0) => {
                    self.state = Progress::End;
                    break;
                }
                Ok(n) => n,
                Err(error) => {
                    self.state = Progress::Failed(error);
                    break;
                }
            };
            let is_after_cr = std::mem::take(&mut self.skipped_cr) && room[len] != b'\n';
            let mut fresh = len..len + n;
            // The URL of a record is a line, whatever bytes it has.
            if !self.keeps_cr() {
                // The byte after a CR decides whether that ends a line.
                fresh.start -= usize::from(room[..len].ends_with(b"\r"));
                end_lines_at_cr(&mut room[fresh.clone()]);
            }
            if self.skipping {
                // The rest of a line over the cap is dropped, regardless of its length.
                let rest = &room[fresh.clone()];
                let end = if is_after_cr { Some(0) } else { memchr(b'\n', rest).map(|end| end + 1) };
                let Some(end) = end else {
                    self.skipped_cr = rest.ends_with(b"\r") && !self.keeps_cr();
                    continue;
                };
                self.skipping = false;
                room.copy_within(len + end..fresh.end, len);
                fresh.end -= end;
            }
            len = fresh.end;
            if matches!(self.state, Progress::Start) && len >= BOM.len() {
                self.state = Progress::Middle;
                if room.starts_with(BOM) && !self.options.as_written {
                    room.copy_within(BOM.len()..len, 0);
                    len -= BOM.len();
                    fresh.end -= BOM.len();
                    fresh.start = 0;
                }
            }
            has_line = has_line || memrchr(b'\n', &room[fresh]).is_some();
        }
        // The input is over, so a CR at the end is a line end.
        let is_over = matches!(self.state, Progress::End | Progress::Failed(_));
        if is_over && !self.keeps_cr() && room[..len].ends_with(b"\r") {
            room[len - 1] = b'\n';
        }
        if matches!(self.state, Progress::Start) {
            // The input began with a line shorter than a byte order mark.
            self.state = Progress::Middle;
        }
        len
    }
}

/// Reads an input line by line.
#[derive(Debug)]
pub struct LineReader {
    chunks: ChunkReader,
    chunk: Chunk,
    /// The position in `chunk`. Its line number counts through all chunks.
    cursor: Cursor,
}

impl LineReader {
    pub(crate) fn new(chunks: ChunkReader) -> Self {
        LineReader { chunks, chunk: Chunk::new(), cursor: Cursor::at(1) }
    }

    /// Returns the next line, or `None` after the last one.
    ///
    /// A line that is too long or not UTF-8 is a [`Line`] whose `text` is an error. Reading continues after
    /// it.
    ///
    /// # Errors
    /// Once, after all lines before it.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, Error> {
        if self.cursor.is_at_end_of(&self.chunk) {
            if !self.chunks.read(&mut self.chunk)? {
                return Ok(None);
            }
            self.cursor = Cursor::at(self.cursor.number());
        }
        Ok(self.chunk.line_at(&mut self.cursor, None))
    }

    /// Returns whether the next line is in memory, so that `next_line` does not wait.
    pub fn has_line(&self) -> bool {
        !self.cursor.is_at_end_of(&self.chunk)
    }
}
