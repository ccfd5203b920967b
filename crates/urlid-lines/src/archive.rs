//! Web archives as lines: the URL of each record of a WARC file, and of each line of a CDX or CDXJ index.
//!
//! Both are recognised by their first bytes, after decompression, and so is what is neither an archive nor a text. A WARC file
//! becomes a stream of lines before these are framed; a line of an index is replaced by its URL after that.

use std::io::{self, Read};

use memchr::memchr;
use urlid_archives::cdx::{CdxLayout, MAX_FIRST_LINE};
use urlid_archives::{ArchiveError, Record, Records, WarcReader};

use crate::chunk::RefusedLine;
use crate::error::ReadError;
use crate::framing::Framed;
use crate::head;
use crate::kind::Content;
use crate::line::{BOM, LineError, without_end};
use crate::options::{Archives, LineOptions};
use crate::stream::{ByteStream, CountedStream};

/// The bytes of a file that show what it is: its first line.
pub(crate) const MAX_HEAD: usize = BOM.len() + MAX_FIRST_LINE + 2;

/// A stream that may turn out to be a WARC file, or not to be read here.
pub(crate) enum Archive {
    /// Nothing was read.
    Start { stream: Option<Box<dyn ByteStream>>, records: Records },
    /// Lines, as they are.
    Lines(Box<dyn ByteStream>),
    /// A line for each record.
    Warc(Box<WarcLines>),
}

impl Archive {
    pub(crate) fn new(stream: Box<dyn ByteStream>, archives: Archives) -> Self {
        match archives {
            Archives::Urls(records) => Archive::Start { stream: Some(stream), records },
            Archives::Text => Archive::Lines(stream),
        }
    }

    /// Reads as few bytes as show what this is.
    fn recognise(&mut self) -> Result<(), ReadError> {
        let Archive::Start { stream, records } = self else { return Ok(()) };
        let Some(mut stream) = stream.take() else { return Ok(()) };
        let (head, content) = head::recognise(stream.as_mut())?;
        let stream: Box<dyn ByteStream> = Box::new(CountedStream::uncounted(head, stream));
        *self = match content {
            Content::Lines => Archive::Lines(stream),
            Content::Warc => Archive::Warc(Box::new(WarcLines::new(stream, *records))),
            Content::Other(kind) => return Err(ReadError::Kind(kind)),
        };
        Ok(())
    }
}

impl ByteStream for Archive {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, ReadError> {
        self.recognise()?;
        match self {
            // Only after an error.
            Archive::Start { .. } => Ok(0),
            Archive::Lines(stream) => stream.read(room),
            Archive::Warc(lines) => lines.read(room),
        }
    }

    fn is_ready(&mut self) -> bool {
        match self {
            Archive::Start { stream, .. } => stream.as_mut().is_none_or(|stream| stream.is_ready()),
            Archive::Lines(stream) => stream.is_ready(),
            Archive::Warc(lines) => lines.is_ready(),
        }
    }
}

/// The URLs of the records of a WARC file, a line each.
pub(crate) struct WarcLines {
    reader: WarcReader<AsRead>,
    records: Records,
    record: Record,
    line: Vec<u8>,
    /// How much of `line` was read.
    used: usize,
}

impl WarcLines {
    fn new(stream: Box<dyn ByteStream>, records: Records) -> Self {
        let (reader, record) = (WarcReader::new(AsRead(stream)), Record::default());
        WarcLines { reader, records, record, line: Vec::new(), used: 0 }
    }

    /// Makes the line of the next record that is wanted; it stays empty at the end of the file.
    fn next_line(&mut self) -> Result<(), ReadError> {
        self.line.clear();
        self.used = 0;
        while self.reader.next_record(&mut self.record).map_err(read_error)? {
            let is_wanted = self.records.contains(self.record.record_type, self.record.content_type());
            if let Some(url) = self.record.url().filter(|_| is_wanted) {
                self.line.extend_from_slice(url);
                self.line.push(b'\n');
                return Ok(());
            }
        }
        Ok(())
    }
}

impl ByteStream for WarcLines {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, ReadError> {
        if self.used == self.line.len() {
            self.next_line()?;
        }
        let n = room.len().min(self.line.len() - self.used);
        room[..n].copy_from_slice(&self.line[self.used..self.used + n]);
        self.used += n;
        Ok(n)
    }

    fn is_ready(&mut self) -> bool {
        self.used < self.line.len() || self.reader.source().0.is_ready()
    }
}

/// A stream for a reader of the standard library; its errors pass through `io::Error`.
struct AsRead(Box<dyn ByteStream>);

impl Read for AsRead {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.read(room).map_err(|error| match error {
            ReadError::Io(error) => error,
            other => io::Error::other(other),
        })
    }
}

/// Returns the error of the stream if it was that which failed.
fn read_error(error: ArchiveError) -> ReadError {
    match error {
        ArchiveError::Read(error) => error.downcast().unwrap_or_else(ReadError::Io),
        other => ReadError::Archive(other),
    }
}

/// Whether lines are those of an index, of which only the URLs are wanted.
#[derive(Clone, Debug)]
pub(crate) enum IndexLines {
    /// The first line was not seen.
    Unknown,
    No,
    Yes(CdxLayout),
}

impl IndexLines {
    /// Returns what is known before anything was read.
    pub(crate) fn new(archives: Archives) -> Self {
        match archives {
            Archives::Urls(_) => IndexLines::Unknown,
            Archives::Text => IndexLines::No,
        }
    }

    /// Looks at the first bytes of a file.
    pub(crate) fn of_file(head: &[u8], options: LineOptions) -> Self {
        if options.archives == Archives::Text {
            return IndexLines::No;
        }
        let head = head.strip_prefix(BOM).unwrap_or(head);
        let first = memchr(b'\n', head).map_or(head, |end| &head[..end + 1]);
        Self::of_first_line(first, options.max_line)
    }

    fn of_first_line(line: &[u8], limit: usize) -> Self {
        let line = without_end(line);
        let layout = CdxLayout::recognise(line).filter(|_| line.len() <= limit);
        layout.map_or(IndexLines::No, IndexLines::Yes)
    }

    /// Replaces the lines of an index by their URLs. `data` begins with the lines of `framed`.
    pub(crate) fn replace_by_urls(&mut self, data: &mut [u8], framed: &mut Framed) {
        let lines = &data[..framed.lines];
        if matches!(self, IndexLines::Unknown) && !lines.is_empty() {
            let first = memchr(b'\n', lines).map_or(lines, |end| &lines[..end + 1]);
            *self = Self::of_first_line(first, usize::MAX);
        }
        let IndexLines::Yes(layout) = *self else { return };
        let mut long = std::mem::take(&mut framed.refused).into_iter().peekable();
        let mut urls = Vec::with_capacity(lines.len());
        for (index, line) in lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let (text, start) = (without_end(line), urls.len());
            if let Some(line) = long.next_if(|line| line.index == index) {
                framed.refused.push(line);
            } else {
                match layout.url(text) {
                    Ok(url) => urls.extend_from_slice(&url.unwrap_or_default()),
                    Err(error) => {
                        let error = LineError::Index(error);
                        framed.refused.push(RefusedLine { index, head: text.into(), error });
                    }
                }
            }
            // The last line may lack its end, but not if nothing else shows that it is there.
            if line.ends_with(b"\n") || urls.len() == start {
                urls.push(b'\n');
            }
        }
        // A URL is no longer than the line that it is in.
        framed.lines = urls.len();
        data[..urls.len()].copy_from_slice(&urls);
    }
}
