//! Files that are not lines of text, recognised by as few of their first bytes as possible
//! (docs/spec/lines.md, "Files of other kinds").
//!
//! A magic number that is valid at the start of a text is decisive only together with the bytes after it.

use std::fmt;

use memchr::{memchr3, memmem};
use urlid::Error;
use urlid_archives::MAGIC as WARC;
use urlid_archives::cdx::CdxLayout;
use urlid_archives::{begins_arc_record, without_line_ends};

use crate::lines::bookmarks::begins_bookmarks;
use crate::lines::chunk::BOM;
use crate::lines::decode::{BZIP2, GZIP, XZ, ZSTD, is_bzip2};
use crate::lines::robots::begins_robots;
use crate::lines::sitemap::{self, Document};
use crate::lines::stream::ByteStream;

/// A kind of file that is not lines of text.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// An ARC file, which WARC replaced.
    Arc,
    /// A sitemap, or an index of sitemaps.
    Sitemap,
    /// An RSS or Atom feed.
    Feed,
    /// A robots.txt file, whose sitemaps are read.
    Robots,
    /// Bookmarks in HTML, as browsers export them.
    Bookmarks,
    /// A ZIP archive, such as WACZ, EPUB and office files.
    Zip,
    /// Data that is compressed by gzip, once it is decompressed itself.
    Gzip,
    /// Data that is compressed by Zstandard, once it is decompressed itself.
    Zstd,
    /// Data that is compressed by bzip2, once it is decompressed itself.
    Bzip2,
    /// Data that is compressed by xz, once it is decompressed itself.
    Xz,
    /// Data that is compressed by LZ4.
    Lz4,
    /// A 7z archive.
    SevenZip,
    /// A Parquet file.
    Parquet,
    /// A Parquet file with an encrypted footer.
    EncryptedParquet,
    /// An Arrow file.
    Arrow,
    /// A SQLite database.
    Sqlite,
    /// A PDF file.
    Pdf,
    /// A program or library in the format ELF.
    Elf,
}

impl FileKind {
    /// Returns the noun for messages with its article: `a PDF file`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Arc => "an ARC file",
            FileKind::Sitemap => "a sitemap",
            FileKind::Feed => "a feed",
            FileKind::Robots => "a robots.txt file",
            FileKind::Bookmarks => "a list of bookmarks",
            FileKind::Zip => "a ZIP archive, as WACZ files are",
            FileKind::Gzip => "gzip data",
            FileKind::Zstd => "Zstandard data",
            FileKind::Bzip2 => "bzip2 data",
            FileKind::Xz => "xz data",
            FileKind::Lz4 => "LZ4 data",
            FileKind::SevenZip => "a 7z archive",
            FileKind::Parquet => "a Parquet file",
            FileKind::EncryptedParquet => "an encrypted Parquet file",
            FileKind::Arrow => "an Arrow file",
            FileKind::Sqlite => "a SQLite database",
            FileKind::Pdf => "a PDF file",
            FileKind::Elf => "an ELF file",
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The kind of an input, by its first bytes after decompression.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// The content is empty.
    Empty,
    /// Lines of text, or a table, with the first line. Only the choice of a column tells the two apart.
    Lines(Vec<u8>),
    /// Lines of a CDX or CDXJ index in this layout, with the first line.
    Index(CdxLayout, Vec<u8>),
    /// Records of a WARC file.
    Warc,
    /// Something else, such as an ARC file, a WACZ file, a sitemap, bookmarks, Parquet or SQLite.
    Other(FileKind),
}

/// The condition on the bytes after a magic number.
#[derive(Clone, Copy)]
enum Then {
    /// No further bytes, because a text cannot start with this magic number.
    Anything,
    /// A blank in the first line. The header of an ARC file has fields, but a list of URLs that starts with
    /// the URL of one does not.
    Blank,
    /// A control byte among the next eight bytes, because a Parquet file continues with binary data.
    Binary,
    /// A digit, which is the size of blocks, and the number of a block.
    Bzip2,
}

const MAGICS: &[(&[u8], Then, FileKind)] = &[
    (b"filedesc://", Then::Blank, FileKind::Arc),
    (b"PK\x03\x04", Then::Anything, FileKind::Zip),
    (b"PK\x05\x06", Then::Anything, FileKind::Zip),
    (b"PK\x07\x08", Then::Anything, FileKind::Zip),
    (GZIP, Then::Anything, FileKind::Gzip),
    (ZSTD, Then::Anything, FileKind::Zstd),
    (BZIP2, Then::Bzip2, FileKind::Bzip2),
    (XZ, Then::Anything, FileKind::Xz),
    (b"\x04\x22\x4d\x18", Then::Anything, FileKind::Lz4),
    (b"7z\xbc\xaf\x27\x1c", Then::Anything, FileKind::SevenZip),
    (b"PAR1", Then::Binary, FileKind::Parquet),
    (b"PARE", Then::Binary, FileKind::EncryptedParquet),
    (b"ARROW1\0\0", Then::Anything, FileKind::Arrow),
    (b"SQLite format 3\0", Then::Anything, FileKind::Sqlite),
    (b"%PDF-", Then::Anything, FileKind::Pdf),
    (b"\x7fELF", Then::Anything, FileKind::Elf),
];

/// The bytes after the magic number of Parquet among which a control byte is searched.
const BINARY: usize = 8;

/// The most bytes that are examined. The header of an ARC file starts with its name, which may be long, and a
/// sitemap may start with comments.
pub(crate) const MOST_HEAD: usize = 4 << 10;

/// The content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Lines of text, as far as its first bytes show.
    Lines,
    /// Records of a WARC file.
    Warc,
    /// Rows of JSON of the Wayback CDX server.
    Rows,
    /// Something else.
    Other(FileKind),
}

/// Returns the content of a file that starts with these bytes, or `None` if more bytes are needed.
pub(crate) fn of_start(head: &[u8]) -> Option<Content> {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    // Some programs put line ends in front of the first record.
    let first = without_line_ends(head);
    if first.starts_with(WARC) {
        return Some(Content::Warc);
    }
    let mut is_open = WARC.starts_with(first);
    let document = sitemap::document(head);
    let judged = [
        (begins_arc_record(first), Content::Other(FileKind::Arc)),
        (begins_rows(head), Content::Rows),
        (document.map(|found| found.is_some_and(Document::is_sitemap)), Content::Other(FileKind::Sitemap)),
        (document.map(|found| found.is_some()), Content::Other(FileKind::Feed)),
        (begins_robots(first), Content::Other(FileKind::Robots)),
        (begins_bookmarks(head), Content::Other(FileKind::Bookmarks)),
    ];
    for (begins, content) in judged {
        match begins {
            Some(true) => return Some(content),
            Some(false) => {}
            None => is_open = true,
        }
    }
    for (magic, then, kind) in MAGICS {
        match head.strip_prefix(*magic).map(|rest| decide(rest, *then)) {
            Some(Some(true)) => return Some(Content::Other(*kind)),
            Some(Some(false)) => {}
            Some(None) => is_open = true,
            None => is_open |= magic.starts_with(head),
        }
    }
    (!is_open).then_some(Content::Lines)
}

/// Returns the content of a file from all its bytes, or from all bytes that are examined.
pub(crate) fn of_whole(head: &[u8]) -> Content {
    of_start(head).unwrap_or_else(|| {
        // A file that ends right after this magic number is a cut Parquet file, not a text.
        let cut = MAGICS.iter().find(|(magic, then, _)| head == *magic && matches!(then, Then::Binary));
        cut.map_or(Content::Lines, |(_, _, kind)| Content::Other(*kind))
    })
}

/// Returns whether the bytes start with the column names of rows of JSON, one of which is `original`. Returns
/// `None` if more bytes are needed.
fn begins_rows(head: &[u8]) -> Option<bool> {
    const START: &[u8] = b"[[\"";
    if !head.starts_with(START) {
        return if START.starts_with(head) { None } else { Some(false) };
    }
    let end = memchr3(b']', b'\n', b'\r', head)?;
    Some(head[end] == b']' && memmem::find(&head[..end], b"\"original\"").is_some())
}

/// Returns whether the bytes after a magic number meet its condition, or `None` if more are needed.
fn decide(rest: &[u8], then: Then) -> Option<bool> {
    match then {
        Then::Anything => Some(true),
        Then::Blank => memchr3(b' ', b'\n', b'\r', rest).map(|place| rest[place] == b' '),
        Then::Binary => {
            let next = &rest[..rest.len().min(BINARY)];
            // An LF before any control byte shows a text that merely starts like Parquet.
            let decisive = next.iter().find(|byte| is_control(**byte) || **byte == b'\n');
            decisive.map(|byte| *byte != b'\n').or((next.len() == BINARY).then_some(false))
        }
        Then::Bzip2 => is_bzip2(rest),
    }
}

/// Returns whether a byte is an ASCII control character other than TAB, LF and CR, which lists of URLs do not
/// contain.
#[must_use]
pub fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Recognises the content of a stream from as few bytes as possible and returns these bytes with it.
pub(crate) fn recognise(stream: &mut dyn ByteStream) -> Result<(Vec<u8>, Content), Error> {
    let (mut head, mut room) = (Vec::new(), [0; MOST_HEAD]);
    loop {
        if let Some(content) = of_start(&head).or_else(|| (head.len() >= MOST_HEAD).then(|| of_whole(&head)))
        {
            return Ok((head, content));
        }
        // A writer that sends a blank line and waits for its answer does not send a file of a different kind,
        // and its input is not delayed to look for the sitemaps of robots.txt.
        let is_comment = begins_robots(&head).is_none() && head.ends_with(b"\n");
        if !head.is_empty() && (is_comment || head.trim_ascii().is_empty()) && stream.is_idle() {
            return Ok((head, Content::Lines));
        }
        // The size doubles, so that a long head is examined only a few times, up to the limit for files.
        let more = head.len().max(64).min(MOST_HEAD - head.len());
        match stream.read(&mut room[..more])? {
            0 => {
                let content = of_whole(&head);
                return Ok((head, content));
            }
            n => head.extend_from_slice(&room[..n]),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::*;
    use crate::lines::stream::ReaderStream;

    fn check(head: &[u8], expected: Content) {
        assert_eq!(of_whole(head), expected, "{:?}", head.escape_ascii().to_string());
        // However the bytes arrive, and whatever follows them.
        for len in 0..head.len() {
            let early = of_start(&head[..len]);
            assert!(early.is_none_or(|early| early == expected), "{len} bytes: {early:?}");
        }
    }

    #[test]
    fn files_of_other_kinds_are_recognised() {
        for (head, kind) in [
            (&b"filedesc://x.arc 0.0.0.0 20000101000000 text/plain 76\n"[..], FileKind::Arc),
            (b"http://a.example/ 192.0.2.1 20050616090703 text/html 19\r\nHTTP/1.0", FileKind::Arc),
            (b"dns:a.example 192.0.2.1 20050616090703 text/dns 5\n", FileKind::Arc),
            (b"PK\x03\x04\x14\0", FileKind::Zip),
            (b"PK\x05\x06\0\0", FileKind::Zip),
            (b"\x1f\x8b\x08\0", FileKind::Gzip),
            (b"\x28\xb5\x2f\xfd\x04", FileKind::Zstd),
            (b"BZh91AY&SY\xca\xfe", FileKind::Bzip2),
            (b"BZh1\x17\x72\x45\x38\x50\x90\0", FileKind::Bzip2),
            (b"\xfd7zXZ\0\0\x04", FileKind::Xz),
            (b"\x04\x22\x4d\x18\x64", FileKind::Lz4),
            (b"7z\xbc\xaf\x27\x1c\0\x04", FileKind::SevenZip),
            (b"PAR1\x15\x04\x15", FileKind::Parquet),
            (b"PAR1", FileKind::Parquet),
            (b"PARE\xb2\x01\x00\x00", FileKind::EncryptedParquet),
            (b"ARROW1\0\0", FileKind::Arrow),
            (b"SQLite format 3\0\x10\0", FileKind::Sqlite),
            (b"%PDF-1.7\n%\xe2\xe3", FileKind::Pdf),
            (b"\x7fELF\x02\x01", FileKind::Elf),
            (b"<urlset>", FileKind::Sitemap),
            (
                b"\xef\xbb\xbf\n<?xml version='1.0'?><!-- \xfc > --><?x y?><sitemapindex a='>'/>",
                FileKind::Sitemap,
            ),
            (b"<a:urlset xmlns:a='http://www.sitemaps.org/schemas/sitemap/0.9'>", FileKind::Sitemap),
            (b"<urlset xmlns='http://www.google.com/schemas/sitemap/0.84'>", FileKind::Sitemap),
            (b"<sitemapindex xmlns='//www.sitemaps.org/schemas/sitemap/0.9'/>", FileKind::Sitemap),
            (b"<?xml version='1.0'?>\n<rss version='2.0'>", FileKind::Feed),
            (b"<feed xmlns='http://www.w3.org/2005/Atom'>", FileKind::Feed),
            (b"User-agent: *\nDisallow:\nSitemap:https://h/s.xml", FileKind::Robots),
            (b"# all\r\n\r\nSITEMAP : https://h/s.xml", FileKind::Robots),
            (b"<META http-equiv='Content-Type'>\n<TITLE>B</TITLE>\n<DL><p>\n", FileKind::Bookmarks),
            (b"<html><h1>Unread</h1><ul><li><a href='x' time_added=\"1\">", FileKind::Bookmarks),
            (b"<!DOCTYPE NETSCAPE-Bookmark-file-1>", FileKind::Bookmarks),
            (b"\xef\xbb\xbf\r\n<!doctype netscape-bookmark-file-1>", FileKind::Bookmarks),
        ] {
            check(head, Content::Other(kind));
        }
        check(b"WARC/1.0\r\n", Content::Warc);
        check(b"[[\"urlkey\",\"original\"],[\"", Content::Rows);
        check(b"\r\n\n\r\nWARC/1.0\r\n", Content::Warc);
    }

    #[test]
    fn texts_that_start_like_other_files_are_texts() {
        for text in [
            &b""[..],
            b"\n",
            b"h",
            b"https://example.com/\n",
            b"filedesc://x.arc\nhttp://example.com/ a b\n",
            b"filedesc://x.arc",
            b"http://a.example/ 192.0.2.1 20050616090703 text/html 5\nhttp://b.example/",
            b"http://a.example/ 192.0.2.1 20050616090703 text/html 5\nHTTP",
            b"http://a.example/ 192.0.2.1 20050616090703 text/html 5",
            b"http://a.example/ host 20050616090703 text/html 5\nHTTP/1.0 200 OK",
            b"http://a.example/ 192.0.2.1 2005061609 text/html 5\nHTTP/1.0 200 OK",
            b"http://a.example/ 192.0.2.1 20050616090703 html 5\nHTTP/1.0 200 OK",
            b"http://a.example/ 192.0.2.1 20050616090703 text/html x\nHTTP/1.0 200 OK",
            b"dns:a.example 192.0.2.1 20050616090703 5\nx",
            b"a.example 192.0.2.1 20050616090703 text/html 5\nHTTP/1.0 200 OK",
            b"WARC\n",
            b"\r\n\n\r",
            b"\n\nWARC\n",
            b"\n%PDF-1.7",
            b"PK\n",
            b"PKZIP.example/\n",
            b"BZh",
            b"BZh9",
            b"BZh91.example/\n",
            b"BZhx1AY&SY",
            b"7z.example/\n",
            b"PAR1S.example/\n",
            b"PARENTS.example/\n",
            b"PARE\nx\x01",
            b"PAR1\r\n\x01",
            b"ARROW1.example\n",
            b"SQLite format 3\n",
            b"%PDF\n",
            b"(a",
            b"\x1f\n",
            b"\x04\n",
            b"[",
            b"[::1]\n",
            b"[[\"original\"\n]",
            b"[[\"a\", \"b\"]]\n",
            b"\xef\xbb",
            b"\xef\xbb\xbf",
            b"\xef\xbb\xbfhttps://example.com/\n",
            b"<",
            b"<https://example.com/>\n",
            b"<urlset",
            b"<urlset xmlns='http://x/'>",
            b"<a:urlset>",
            b"<?xml version='1.0'?>\n<rss",
            b"<rss xmlns='http://x/'>",
            b"<feed>",
            b"user-agent:x\n",
            b"User-agent: *\nDisallow: /\nhttps://h/\n",
            b"# comment\nhttps://h/\n",
            b"# comment\n",
            b"sitemap",
            b"host\n: x",
            b"<TITLE>A page</TITLE>\n<DL><DT>x",
            b"<?xml version='1.0'?>x<urlset>",
            b"</urlset>",
            b"<!-- <urlset>",
            b"<!DOCTYPE html>\n",
            b"<!DOCTYPE NETSCAPE-Bookmark\n",
        ] {
            check(text, Content::Lines);
        }
    }

    /// A pipe whose writer waits after each of its writes.
    struct Waits(Vec<&'static [u8]>);

    impl ByteStream for Waits {
        fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
            let Some(next) = self.0.pop() else { return Ok(0) };
            room[..next.len()].copy_from_slice(next);
            Ok(next.len())
        }

        fn is_ready(&mut self) -> bool {
            false
        }
    }

    #[test]
    fn an_empty_line_is_not_waited_after() {
        for (first, content) in [(&b"\r\n"[..], Content::Lines), (b"\r\nWAR", Content::Warc)] {
            let mut stream = Waits(vec![b"WARC/1.0".strip_prefix(&first[2..]).unwrap_or_default(), first]);
            let (_, found) = recognise(&mut stream).expect("memory can be read");
            assert_eq!(found, content);
        }
    }

    /// As of a file, however many bytes a read returns.
    #[test]
    fn only_the_first_bytes_decide() {
        let begins = |count: usize, start: &str, end: &str| {
            [start, &"x".repeat(count - start.len() - end.len()), end, "\nhttp://a/"].concat().into_bytes()
        };
        for (start, end, kind) in
            [("<!--", "--><urlset>", FileKind::Sitemap), ("filedesc://", " ", FileKind::Arc)]
        {
            for (bytes, content) in [
                (begins(MOST_HEAD, start, end), Content::Other(kind)),
                (begins(MOST_HEAD + 1, start, end), Content::Lines),
                (begins(2 * MOST_HEAD, start, end), Content::Lines),
            ] {
                for step in [1, 63, 100, 3_000, MOST_HEAD - 1, MOST_HEAD, 2 * MOST_HEAD] {
                    let mut pipe = bytes
                        .chunks(step)
                        .fold(Box::new(io::empty()) as Box<dyn Read + Send>, |pipe, part| {
                            Box::new(pipe.chain(io::Cursor::new(part.to_vec())))
                        });
                    let mut stream = ReaderStream(&mut pipe);
                    let (head, found) = recognise(&mut stream).expect("memory can be read");
                    assert!(found == content && head.len() <= MOST_HEAD, "{start}: {step}");
                }
            }
        }
    }

    #[test]
    fn a_line_that_may_be_a_header_is_read_up_to_a_limit() {
        let long = [&b"filedesc://"[..], &[b'x'; MOST_HEAD]].concat();
        let mut stream = ReaderStream(std::io::Cursor::new(long));
        let (head, content) = recognise(&mut stream).expect("memory can be read");
        assert!(content == Content::Lines && head.len() == MOST_HEAD);
    }
}
