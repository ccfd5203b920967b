//! Web archives as lines: the URL of each record of a WARC or ARC file, and of each line of a CDX or CDXJ
//! index.
//!
//! Both are recognised by their first decompressed bytes, as are sitemaps, bookmarks and files that are not
//! text. A WARC file, a sitemap or bookmarks become a stream of lines before framing. A line of an index or
//! of a sitemap is replaced by its URL after framing.

use std::borrow::Cow;
use std::io::{self, Read};

use memchr::{memchr, memchr2};
use urlid_archives::cdx::{CdxLayout, MAX_FIRST_LINE};
use urlid_archives::{Record, Records, WarcReader};

use crate::error;
use crate::lines::bookmarks::Bookmarks;
use crate::lines::chunk::{BOM, LineError, RejectedLine, without_end};
use crate::lines::framing::Framed;
use crate::lines::kind::{self, Content, FileKind};
use crate::lines::options::{Archives, LineOptions};
use crate::lines::robots::RobotLines;
use crate::lines::sitemap::{self, Locations};
use crate::lines::stream::{ByteStream, CountedStream, LineSource, LineStream, RowLines};
use urlid::Error;

/// The most bytes by which an index is recognised: a byte order mark, the first line and the line end.
pub(crate) const MAX_HEAD: usize = BOM.len() + MAX_FIRST_LINE + 2;

/// A stream whose kind is recognised on the first read.
pub(crate) enum Archive {
    /// Unread. `stream` is `None` after an error.
    Start { stream: Option<Box<dyn ByteStream>>, records: Records, options: LineOptions },
    /// Lines of text or of an index, passed through.
    Lines(Box<dyn ByteStream>),
    /// The URLs of records, bookmarks or a sitemap, a line each, and how these are replaced after framing.
    Records(Box<dyn ByteStream>, IndexLines),
}

impl Archive {
    pub(crate) fn new(stream: Box<dyn ByteStream>, options: LineOptions) -> Self {
        match options.archives {
            Archives::Urls(records) => Archive::Start { stream: Some(stream), records, options },
            Archives::Text => Archive::Lines(stream),
        }
    }

    /// Recognises the kind of the stream from as few bytes as possible, so that a pipe is not waited for
    /// longer than needed.
    fn recognise(&mut self) -> Result<(), Error> {
        let Archive::Start { stream, records, options } = self else { return Ok(()) };
        let Some(mut stream) = stream.take() else { return Ok(()) };
        let (head, content) = kind::recognise(stream.as_mut())?;
        let stream = CountedStream::uncounted(head, stream);
        *self = match content {
            Content::Lines => Archive::Lines(Box::new(stream)),
            Content::Rows => Archive::Lines(Box::new(RowLines::new(Box::new(stream)))),
            Content::Warc | Content::Other(FileKind::Arc) => {
                let urls = WarcLines::new(Box::new(stream), *records);
                Archive::Records(Box::new(urls), IndexLines::No)
            }
            Content::Other(FileKind::Sitemap | FileKind::Feed) => {
                Archive::Records(Box::new(Locations::new(stream, *options)), IndexLines::Locations)
            }
            Content::Other(FileKind::Robots) => {
                Archive::Records(Box::new(RobotLines::new(stream, *options)), IndexLines::No)
            }
            Content::Other(FileKind::Bookmarks) => {
                Archive::Records(Box::new(Bookmarks::new(stream, options.max_line)), IndexLines::No)
            }
            Content::Other(FileKind::Zip) => return Err(error::ZIP_PIPE.error()),
            Content::Other(kind) => return Err(error::KIND.error().with_shown(kind)),
        };
        Ok(())
    }
}

impl Archive {
    /// Returns whether the lines are URLs of records, and not lines of text.
    pub(crate) fn has_records(&self) -> bool {
        matches!(self, Archive::Records(..))
    }
}

impl ByteStream for Archive {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        self.recognise()?;
        match self {
            // Only after an error, which was returned before.
            Archive::Start { .. } => Ok(0),
            Archive::Lines(stream) | Archive::Records(stream, _) => stream.read(room),
        }
    }

    fn is_ready(&mut self) -> bool {
        match self {
            Archive::Start { stream, .. } => stream.as_mut().is_none_or(|stream| stream.is_ready()),
            Archive::Lines(stream) | Archive::Records(stream, _) => stream.is_ready(),
        }
    }
}

/// A source of the records of an archive.
pub(crate) trait RecordSource: Send {
    /// Reads the head of the next record and returns whether there is one.
    fn next_record(&mut self, record: &mut Record) -> Result<bool, Error>;

    /// Returns whether reading would return without waiting, as far as is known.
    fn is_ready(&mut self) -> bool;
}

impl RecordSource for WarcReader<AsRead> {
    fn next_record(&mut self, record: &mut Record) -> Result<bool, Error> {
        self.next_record(record)
    }

    fn is_ready(&mut self) -> bool {
        self.source().0.is_ready()
    }
}

/// The URLs of the records of a WARC or ARC file, a line each.
pub(crate) struct WarcLines {
    source: Box<dyn RecordSource>,
    records: Records,
    record: Record,
}

impl WarcLines {
    pub(crate) fn new(stream: Box<dyn ByteStream>, records: Records) -> LineStream<Self> {
        Self::of(WarcReader::new(AsRead(stream)), records)
    }

    pub(crate) fn of(source: impl RecordSource + 'static, records: Records) -> LineStream<Self> {
        LineStream::new(WarcLines { source: Box::new(source), records, record: Record::default() })
    }
}

impl LineSource for WarcLines {
    fn read_piece(&mut self, lines: &mut Vec<u8>) -> Result<bool, Error> {
        let is_read = self.source.next_record(&mut self.record)?;
        let is_wanted = is_read && self.records.contains(self.record.record_type, self.record.content_type());
        if let Some(url) = self.record.url_text().filter(|_| is_wanted) {
            lines.extend_from_slice(url.as_bytes());
            lines.push(b'\n');
        }
        Ok(is_read)
    }

    fn is_ready(&mut self) -> bool {
        self.source.is_ready()
    }
}

/// A stream as a [`Read`].
pub(crate) struct AsRead(Box<dyn ByteStream>);

impl Read for AsRead {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.read(room).map_err(error::wrapped)
    }
}

/// Whether lines belong to an index or a sitemap and are replaced by their URLs.
#[derive(Clone, Debug)]
pub(crate) enum IndexLines {
    /// The first line was not read yet.
    Unknown,
    No,
    Yes(CdxLayout),
    Locations,
}

impl IndexLines {
    /// Returns the state before anything was read.
    pub(crate) fn new(archives: Archives) -> Self {
        match archives {
            Archives::Urls(_) => IndexLines::Unknown,
            Archives::Text => IndexLines::No,
        }
    }

    /// Decides by the first bytes of a file.
    pub(crate) fn of_file(head: &[u8], options: LineOptions) -> Self {
        if options.archives == Archives::Text {
            return IndexLines::No;
        }
        let head = head.strip_prefix(BOM).unwrap_or(head);
        // Splits are framed later, so a CR may end the line here.
        let end = memchr2(b'\n', b'\r', head).unwrap_or(head.len());
        Self::of_first_line(&head[..end], options.max_line)
    }

    fn of_first_line(line: &[u8], limit: usize) -> Self {
        let line = without_end(line);
        let layout = CdxLayout::recognise(line).filter(|_| line.len() <= limit);
        layout.map_or(IndexLines::No, IndexLines::Yes)
    }

    /// Replaces the lines of an index by their URLs. The lines of `framed` are at the start of `data`. Their
    /// lengths and rejected lines are updated.
    pub(crate) fn replace_by_urls(&mut self, data: &mut [u8], framed: &mut Framed) {
        let lines = &data[..framed.lines];
        if matches!(self, IndexLines::Unknown) && !lines.is_empty() {
            let first = memchr(b'\n', lines).map_or(lines, |end| &lines[..end + 1]);
            // Framing has applied the cap already.
            *self = Self::of_first_line(first, usize::MAX);
        }
        if matches!(self, IndexLines::Unknown | IndexLines::No) {
            return;
        }
        // Lines over the cap are already empty here. Their entries are merged, in order, with the entries of
        // lines that lack a URL.
        let mut long = std::mem::take(&mut framed.rejected).into_iter().peekable();
        let mut urls = Vec::with_capacity(lines.len());
        for (index, line) in lines.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let (text, start) = (without_end(line), urls.len());
            if let Some(line) = long.next_if(|line| line.index == index) {
                framed.rejected.push(line);
            } else {
                match self.url(text) {
                    Ok(url) => urls.extend_from_slice(&url),
                    Err(error) => framed.rejected.push(RejectedLine { index, head: text.into(), error }),
                }
            }
            // The last line of the input may lack its LF. If its URL is empty, the line exists only through
            // an LF, so one is added.
            if line.ends_with(b"\n") || urls.len() == start {
                urls.push(b'\n');
            }
        }
        // The replacement works in place, because a URL is never longer than its line: escapes are longer
        // than their characters.
        framed.lines = urls.len();
        data[..urls.len()].copy_from_slice(&urls);
    }

    fn url<'l>(&self, line: &'l [u8]) -> Result<Cow<'l, [u8]>, LineError> {
        match self {
            IndexLines::Yes(layout) => {
                layout.url(line).map(Option::unwrap_or_default).map_err(LineError::Index)
            }
            IndexLines::Locations => sitemap::location(line),
            IndexLines::Unknown | IndexLines::No => Ok(Cow::Borrowed(line)),
        }
    }
}
