//! Recovery after damage: finds the next place of a file at which a record starts.
//!
//! In a compressed file this is a member whose first bytes inflate to the start of a record, and in a plain
//! file the head of a record. The stored bytes are searched in windows of `WINDOW` bytes. A candidate is a
//! place with the magic number of the compression, or in a plain file with the first bytes of a record or,
//! for ARC, of a line. Compressed data contains these bytes by chance, so the start of each candidate is
//! decoded and has to be the head of a record. If damage precedes the first record, even the compression is
//! unknown. All kinds are then tried, and the first place counts.

use std::io::{BufRead, Read, Seek};

use flate2::{Decompress, FlushDecompress};
use memchr::memmem::Finder;
use urlid::Error;

use super::arc::{self, ArcFields};
use super::members::{Members, Stored};
use super::record::Record;
use super::stored::StoredRecords;
use super::types::RecordType;
use super::{MAGIC, without_line_ends};
use crate::error;

/// The bytes that are searched at once.
const WINDOW: usize = 1 << 20;
/// The bytes by which a record is recognised: a whole block of a zstd frame, or the head of a plain record.
const AHEAD: usize = 256 << 10;
/// The decompressed bytes by which a member is recognised. They include the URL in the line of a record of
/// ARC.
const START: usize = 4 << 10;
/// The same, for the first bytes of a WARC file.
const MAGIC_AHEAD: usize = 64;

/// A range of stored bytes without a record that could be read, after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The offset of the first byte.
    pub start: u64,
    /// The offset after the last byte.
    pub end: u64,
}

impl<R: BufRead + Seek> StoredRecords<R> {
    /// Moves to the next record after the place of an error, and returns the range between the two. At the
    /// end of the file, there are no more records.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn recover(&mut self) -> Result<Lost, Error> {
        let stored = self.reader.source().stored();
        // The first record of this file was not read, so even its compression is unknown.
        let is_unknown = stored == Stored::Plain && self.reader.number() <= 1;
        let kinds = if is_unknown { &Stored::ALL[..] } else { &[stored] };
        let damaged = match stored {
            Stored::Plain => self.reader.record_offset(),
            Stored::Gzip | Stored::Zstd => self.member,
        };
        // If the length of the record before was damaged, other records were read as its content.
        let from = if stored == Stored::Plain { self.last_record.min(damaged) } else { damaged };
        // A record whose head was read is damaged after the head, and must not be found again. If the head
        // was not read, only its place may be wrong.
        let except = (self.reader.offset() > damaged).then_some(damaged);
        let found = self.find(from, except, kinds)?;
        let end = match found {
            Some((at, _)) => at,
            None => self.reader.source().end().map_err(error::read)?,
        };
        let start = if end < damaged { from } else { damaged };
        match found {
            Some((at, kind)) => {
                self.reader.source().restart(at, kind).map_err(error::read)?;
                self.reader.restart(at);
                self.member = at;
                self.last_record = at;
                self.is_over = false;
            }
            None => self.is_over = true,
        }
        // An error of the file around the archive may come at its end.
        Ok(Lost { start: start.min(end), end })
    }

    /// Returns the first place after `from`, other than `except`, at which a record starts, and how it is
    /// stored.
    fn find(
        &mut self,
        from: u64,
        except: Option<u64>,
        kinds: &[Stored],
    ) -> Result<Option<(u64, Stored)>, Error> {
        // One for all candidates, because a new one allocates its window.
        let mut inflate = Decompress::new(false);
        let arc = self.reader.arc();
        let members = self.reader.source();
        members.seek(from).map_err(error::read)?;
        let mut window = Vec::new();
        // The offset of the window. Its first byte is not a candidate, because it is the damaged place or was
        // examined before.
        let mut offset = from;
        loop {
            let wanted = (WINDOW + AHEAD - window.len()) as u64;
            let n = members.stored_bytes().take(wanted).read_to_end(&mut window).map_err(error::read)?;
            let is_end = (n as u64) < wanted;
            // A place before `WINDOW` has `AHEAD` bytes after it in the window. Others are examined with the
            // next one.
            let searched = if is_end { window.len() } else { WINDOW };
            let found = kinds.iter().filter_map(|kind| {
                let mut places = candidates(*kind, arc, &window, searched);
                let at = places.find_map(|at| {
                    let at = at + if is_arc_line(*kind, arc) { content_before(&window[at..]) } else { 0 };
                    let is_other = Some(offset + at as u64) != except;
                    let is_start = begins_record(*kind, arc, &window[at..], members, &mut inflate);
                    (is_other && is_start).then_some(at)
                })?;
                Some((at, *kind))
            });
            if let Some((at, kind)) = found.min_by_key(|(at, _)| *at) {
                return Ok(Some((offset + at as u64, kind)));
            }
            if is_end {
                return Ok(None);
            }
            // The last byte stays, because a line may start after it.
            window.drain(..WINDOW - 1);
            offset += WINDOW as u64 - 1;
        }
    }
}

/// Returns the places in a window, from 1 to `searched`, at which a record may start.
fn candidates<'w>(
    kind: Stored,
    arc: Option<ArcFields>,
    window: &'w [u8],
    searched: usize,
) -> Box<dyn Iterator<Item = usize> + 'w> {
    let is_line = is_arc_line(kind, arc);
    let magic: &[u8] = match kind {
        Stored::Gzip => b"\x1f\x8b\x08",
        Stored::Zstd => b"\x28\xb5\x2f\xfd",
        // The line end before the line.
        Stored::Plain if is_line => b"\n",
        // Searched even within a line, because the end of the previous line may be damaged.
        Stored::Plain => MAGIC,
    };
    let behind = usize::from(is_line);
    let starts = Finder::new(magic).into_owned();
    let mut at = usize::from(!is_line);
    Box::new(std::iter::from_fn(move || {
        let next = at + starts.find(window.get(at..)?)?;
        at = next + 1;
        let place = next + behind;
        (place < searched).then_some(place)
    }))
}

/// Returns whether records start with a line of ARC in a plain file.
fn is_arc_line(kind: Stored, arc: Option<ArcFields>) -> bool {
    kind == Stored::Plain && arc.is_some()
}

/// Returns whether bytes start with a scheme that occurs in the URLs of archives.
fn begins_with_scheme(bytes: &[u8]) -> bool {
    let schemes: [&[u8]; 5] = [b"http://", b"https://", b"ftp://", b"dns:", b"gopher://"];
    schemes.iter().any(|scheme| bytes.starts_with(scheme))
}

/// Returns the number of bytes before a URL in a line that belong to the end of a content without a line end.
fn content_before(bytes: &[u8]) -> usize {
    if begins_with_scheme(bytes) {
        return 0;
    }
    let line = memchr::memchr(b'\n', &bytes[..bytes.len().min(START)]).map_or(&[][..], |end| &bytes[..end]);
    let urls = [&b"http://"[..], b"https://"].map(|scheme| memchr::memmem::find(line, scheme));
    urls.into_iter().flatten().min().unwrap_or(0)
}

/// Returns whether a record starts at these stored bytes.
fn begins_record<R: BufRead>(
    kind: Stored,
    arc: Option<ArcFields>,
    stored: &[u8],
    members: &mut Members<R>,
    inflate: &mut Decompress,
) -> bool {
    let len = if arc.is_some() { START } else { MAGIC_AHEAD };
    let start = match kind {
        Stored::Plain => return is_head(stored, arc),
        Stored::Gzip => start_of_gzip(stored, len, inflate).unwrap_or_default(),
        Stored::Zstd => members.start_of_frame(&stored[..stored.len().min(AHEAD)], len),
    };
    let start = without_line_ends(&start);
    match arc {
        Some(fields) => begins_line(start, fields),
        None => start.starts_with(MAGIC) || start.starts_with(b"filedesc://"),
    }
}

/// Returns whether bytes start with the head of a record.
fn is_head(bytes: &[u8], arc: Option<ArcFields>) -> bool {
    if let Some(fields) = arc {
        return begins_line(bytes, fields);
    }
    let version = memchr::memchr(b'\n', &bytes[..bytes.len().min(MAGIC_AHEAD)])
        .map(|end| bytes[..end].trim_ascii_end());
    let Some(version) = version.and_then(|line| line.strip_prefix(MAGIC)) else { return false };
    if version.is_empty() || !version.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return false;
    }
    // Line by line, so that the many heads in a hostile file are not all read to their ends.
    let mut end = 0;
    for line in bytes[..bytes.len().min(AHEAD)].split_inclusive(|byte| *byte == b'\n') {
        end += line.len();
        let text = line.trim_ascii_end();
        if text.is_empty() {
            // The magic may also be part of a content, so a type that the standard defines is required.
            let mut record = Record::default();
            return record.read(&bytes[..end]).is_ok() && record.record_type != RecordType::Other;
        }
        if end > line.len() && !text.contains(&b':') && !line.starts_with(b" ") && !line.starts_with(b"\t") {
            return false;
        }
    }
    false
}

/// Returns the first `len` bytes of a gzip member (RFC 1952), or fewer if it is damaged. Returns `None` if it
/// lacks a head of at most [`START`] bytes.
fn start_of_gzip(member: &[u8], len: usize, inflate: &mut Decompress) -> Option<Vec<u8>> {
    const EXTRA: u8 = 4;
    const NAME_AND_COMMENT: [u8; 2] = [8, 16];
    const CHECKSUM: u8 = 2;
    // The head, of at most `START` bytes, and as many bytes of data.
    let member = &member[..member.len().min(2 * START)];
    let (head, mut rest) = member.split_at_checked(10)?;
    let flags = head[3];
    // Reserved bits must be zero (RFC 1952, 2.3.1.2). This check rejects most places that match by chance.
    if flags & 0xe0 != 0 {
        return None;
    }
    if flags & EXTRA != 0 {
        let (length, after) = rest.split_first_chunk()?;
        rest = after.get(usize::from(u16::from_le_bytes(*length))..)?;
    }
    for text in NAME_AND_COMMENT {
        if flags & text != 0 {
            rest = &rest[memchr::memchr(0, rest)? + 1..];
        }
    }
    rest = if flags & CHECKSUM != 0 { rest.get(2..)? } else { rest };
    inflate.reset(false);
    let mut start = vec![0; len];
    // The bytes before an error are kept.
    let _ = inflate.decompress(rest, &mut start, FlushDecompress::None);
    start.truncate(inflate.total_out() as usize);
    Some(start)
}

/// Returns whether bytes start with the line of a record of ARC.
fn begins_line(bytes: &[u8], fields: ArcFields) -> bool {
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(START)]);
    end.is_some_and(|end| arc::is_line(&bytes[..end], fields))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Returns the URLs of the records of a plain file of ARC, read on after damage.
    fn urls(file: &[u8]) -> Vec<String> {
        let mut records = StoredRecords::new(Cursor::new(file)).expect("a file in memory");
        let (mut record, mut urls) = (Record::default(), Vec::new());
        loop {
            match records.next_whole_record(&mut record) {
                Ok(true) => urls.extend(record.url_text().map(|url| url.to_string())),
                Ok(false) => return urls,
                Err(_) => {
                    records.recover().expect("a file in memory");
                }
            }
        }
    }

    #[test]
    fn the_end_of_a_content_is_not_a_part_of_a_url() {
        let about = "1 0 test\nURL IP-address Archive-date Content-type Archive-length\n";
        let first = format!("filedesc://x.arc 0.0.0.0 20000101000000 text/plain {}\n{about}\n", about.len());
        let record = |host: &str, content: &str, more: usize| {
            let length = content.len() + more;
            format!("http://{host}.example/ 192.0.2.1 20050616090703 text/html {length}\n{content}")
        };
        let expected = ["http://a.example/", "http://b.example/", "http://c.example/"];
        let long = "x".repeat(2 * START);
        for end in [
            "hi",
            "end.",
            "\n\nhi",
            "\r\n\r\n{}",
            "\n\0END}",
            "\nSee also ",
            "<a href=\"",
            "\nsee http:",
            &long,
            "\n1.2.3.4 20050101000000 ",
        ] {
            let content = format!("HTTP/1.0 200 OK\r\n\r\n{end}");
            // With the length of the content, and with one that is too small.
            for more in [0, 1] {
                let [a, b] = ["a", "b"].map(|host| {
                    let text = record(host, &content, 0);
                    if more == 0 { text } else { text + "\u{7f}" }
                });
                let file = [first.as_str(), &a, &b, &record("c", "hi", 0), "\n"].concat();
                if more == 1 && end == long {
                    continue;
                }
                assert_eq!(urls(file.as_bytes()), expected, "{end:?} {more}");
            }
        }
    }

    #[test]
    fn records_after_a_line_end_are_found_as_before() {
        let first = "filedesc://x.arc 0.0.0.0 20000101000000 text/plain 9\n1 0 test\n\n";
        let good = "http://b.example/ 192.0.2.1 20050616090703 text/html 2\nhi\n";
        let file = format!("{first}http://a.example/ 192.0.2.1 20050616090703 text/html x\nhi\n{good}");
        assert_eq!(urls(file.as_bytes()), ["http://b.example/"]);
        let dns = "dns:c.example 192.0.2.1 20050616090703 text/dns 2\nhi\n";
        let file = format!("{first}http://a.example/ 192.0.2.1 20050616090703 text/html x\nhi\n{dns}{good}");
        assert_eq!(urls(file.as_bytes()), ["dns:c.example", "http://b.example/"]);
    }
}
