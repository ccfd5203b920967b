//! The log: new keys and the lines to be delivered, one record for each batch.
//!
//! A record is synced before its batch is answered. Its header has the length and the checksum of the
//! payload, and a checksum of these two. The payload has the sequence number, the sequence numbers of
//! undelivered records, the keys, and the lines.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid_io::files::{directory_of, read_exact_at, sync_directory};

use crate::description::check_regular;
use crate::seen::error::{BROKEN, SEEN_SET};
use crate::seen::fault;
use crate::seen::key::SeenKey;

const MAGIC: &[u8; 16] = b"urlid seen log 1";
/// The bytes of a log without records.
pub(crate) const EMPTY: u64 = MAGIC.len() as u64;
const HEADER: usize = 12;
/// The largest payload in bytes. A set ends a batch at 64 MiB of lines, so a record exceeds this only if a
/// single line does.
const MOST_RECORD: u64 = 256 << 20;
/// The number of bytes that are read at a time from data that may be damaged. A longer payload is read into
/// memory only after its checksum was verified, because a damaged or hostile file can claim any length.
const PIECE: u64 = 1 << 20;
/// Zeros, which cannot be a header, because its last four bytes are the checksum of the others.
const ZEROS: [u8; 4096] = [0; 4096];
/// How many headers after a damaged record are examined. If there are more, a later record is assumed to
/// follow.
const MOST_HEADERS: u32 = 64;
/// The bytes that a disk writes atomically.
const SECTOR: u64 = 512;

/// The log that is written to.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    file: File,
    /// The length up to which everything is synced.
    len: u64,
    is_broken: bool,
}

impl Log {
    /// Makes an empty log and syncs it.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let create = || {
            // Append mode: after a failed write was truncated, the next one goes to the new end and not past
            // it.
            let mut file = OpenOptions::new().append(true).create_new(true).open(path)?;
            file.write_all(MAGIC)?;
            fault::point()?;
            file.sync_all()?;
            // The file's name must be on the disk before a description names it.
            sync_directory(directory_of(path))?;
            Ok(file)
        };
        let file = create().map_err(|error| SEEN_SET.unwritten(path, error))?;
        Ok(Self { path: path.to_owned(), file, len: EMPTY, is_broken: false })
    }

    /// Opens a log that was read up to `len`, and removes the bytes after it, which were never answered.
    pub(crate) fn open(path: &Path, len: u64) -> Result<Self, Error> {
        let open = || {
            check_regular(path)?;
            let file = OpenOptions::new().append(true).open(path)?;
            if file.metadata()?.len() > len {
                file.set_len(len)?;
                file.sync_all()?;
            }
            Ok(file)
        };
        let file = open().map_err(|error| SEEN_SET.unwritten(path, error))?;
        Ok(Self { path: path.to_owned(), file, len, is_broken: false })
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns whether it rejects further records.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Rejects all further records, because the description on the disk may name a different log.
    pub(crate) fn break_off(&mut self) {
        self.is_broken = true;
    }

    /// Appends a record and syncs it.
    pub(crate) fn append(&mut self, record: &Record) -> Result<(), Error> {
        if self.is_broken {
            return Err(BROKEN.error().with_path(&self.path));
        }
        let bytes = record.bytes().map_err(|error| SEEN_SET.unwritten(&self.path, error))?;
        if let Err(error) = fault::point().and_then(|()| self.file.write_all(&bytes)) {
            // A part of the record may be on the disk, and the next record must not follow it.
            self.is_broken = self.file.set_len(self.len).is_err();
            return Err(SEEN_SET.unwritten(&self.path, error));
        }
        // `sync_data` is enough. It includes the length of the file, and other metadata do not matter.
        if let Err(error) = fault::point().and_then(|()| self.file.sync_data()) {
            // A failed sync leaves the disk in an unknown state, and a second sync may succeed without
            // writing.
            self.is_broken = true;
            return Err(SEEN_SET.unwritten(&self.path, error));
        }
        self.len += bytes.len() as u64;
        Ok(())
    }
}

/// A record to be written.
pub(crate) struct Record {
    payload: Vec<u8>,
    lines: Vec<u8>,
    keys: u32,
    /// The offset of the number of keys.
    at: usize,
    line_count: u32,
    width: usize,
}

impl Record {
    /// Starts a record with its sequence number and the earlier records with undelivered lines.
    pub(crate) fn new(sequence: u64, pending: &[Range<u64>], width: usize) -> Self {
        let mut payload = sequence.to_le_bytes().to_vec();
        payload.extend((pending.len() as u32).to_le_bytes());
        let ends = pending.iter().flat_map(|range| [range.start, range.end]);
        ends.for_each(|end| payload.extend(end.to_le_bytes()));
        let at = payload.len();
        payload.extend([0; 4]);
        Self { payload, lines: Vec::new(), keys: 0, at, line_count: 0, width }
    }

    pub(crate) fn push_key(&mut self, key: &SeenKey) {
        self.payload.extend(key.bytes(self.width));
        self.keys += 1;
    }

    pub(crate) fn push_line(&mut self, line: &str) {
        // A longer line makes the record too long, which is an error when the record is written.
        self.lines.extend(u32::try_from(line.len()).unwrap_or(u32::MAX).to_le_bytes());
        self.lines.extend(line.as_bytes());
        self.line_count += 1;
    }

    fn bytes(&self) -> io::Result<Vec<u8>> {
        let len = self.payload.len() + 4 + self.lines.len();
        if len as u64 > MOST_RECORD {
            return Err(io::Error::other("a batch has more than 256 MiB of lines"));
        }
        let mut bytes = Vec::with_capacity(HEADER + len);
        bytes.extend([0; HEADER]);
        bytes.extend(&self.payload);
        bytes[HEADER + self.at..][..4].copy_from_slice(&self.keys.to_le_bytes());
        bytes.extend(self.line_count.to_le_bytes());
        bytes.extend(&self.lines);
        let (header, payload) = bytes.split_at_mut(HEADER);
        header[..4].copy_from_slice(&(len as u32).to_le_bytes());
        header[4..8].copy_from_slice(&crc32fast::hash(payload).to_le_bytes());
        // The length has a checksum of its own, so that `read` can distinguish a record that is cut off from
        // a record with a damaged length.
        let sum = crc32fast::hash(&header[..8]);
        header[8..].copy_from_slice(&sum.to_le_bytes());
        Ok(bytes)
    }
}

/// A record that was read.
pub(crate) struct Logged<'a> {
    pub(crate) sequence: u64,
    /// The earlier records whose lines were not delivered.
    pub(crate) pending: Vec<Range<u64>>,
    keys: &'a [u8],
    width: usize,
    lines: &'a [u8],
    pub(crate) line_count: u64,
}

impl<'a> Logged<'a> {
    fn parse(payload: &'a [u8], width: usize) -> Option<Self> {
        let mut rest = payload;
        let sequence = u64::from_le_bytes(*take(&mut rest)?);
        let ranges = u32::from_le_bytes(*take(&mut rest)?);
        // The vector starts without a capacity. A hostile file can claim any number of ranges, and memory
        // should grow only with the ranges that exist.
        let mut pending = Vec::new();
        for _ in 0..ranges {
            let start = u64::from_le_bytes(*take(&mut rest)?);
            pending.push(start..u64::from_le_bytes(*take(&mut rest)?));
        }
        let count = u32::from_le_bytes(*take(&mut rest)?) as usize;
        // The next record needs the number after this one, so that number must exist.
        sequence.checked_add(1)?;
        let (keys, mut rest) = rest.split_at_checked(count.checked_mul(width)?)?;
        let line_count = u64::from(u32::from_le_bytes(*take(&mut rest)?));
        let read = Self { sequence, pending, keys, width, lines: rest, line_count };
        // Lines are checked once, here, so that later passes may ignore the result of `each_line`.
        let mut left = line_count;
        let is_whole = read.each_line(&mut |_| left = left.saturating_sub(1));
        (is_whole && left == 0).then_some(read)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = SeenKey> + use<'_> {
        self.keys.chunks_exact(self.width).map(SeenKey::padded)
    }

    /// Passes the lines to `each`, and returns whether they are well formed.
    pub(crate) fn each_line(&self, each: &mut dyn FnMut(&str)) -> bool {
        let mut rest = self.lines;
        for _ in 0..self.line_count {
            let Some(len) = take(&mut rest) else { return false };
            let Some((line, next)) = rest.split_at_checked(u32::from_le_bytes(*len) as usize) else {
                return false;
            };
            let Ok(line) = str::from_utf8(line) else { return false };
            each(line);
            rest = next;
        }
        rest.is_empty()
    }
}

/// Splits an array off the front of some bytes.
fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}

/// Passes the records of a log to `each`, and returns the length of the undamaged records.
///
/// A record that was cut off while it was written was never answered, so it ends the log. Within the first
/// `synced` bytes a record that is cut off is damage.
pub(crate) fn read(
    path: &Path,
    width: usize,
    synced: u64,
    each: &mut dyn FnMut(&Logged<'_>),
) -> Result<u64, Error> {
    let failed = |error| SEEN_SET.unread(path, error);
    let file = SEEN_SET.open_named(path)?;
    let len = file.metadata().map_err(failed)?.len();
    if len < synced {
        return Err(SEEN_SET.damaged(path, format_args!("{len} bytes of {synced}")));
    }
    // A writer may append meanwhile. Reading ends where the file ended when it was opened.
    let mut reader = BufReader::with_capacity(256 << 10, file).take(len);
    let mut magic = [0; MAGIC.len()];
    reader.read_exact(&mut magic).map_err(failed)?;
    if magic != *MAGIC {
        return Err(SEEN_SET.damaged(path, "no log"));
    }
    let (mut at, mut bytes, mut sequence) = (EMPTY, Vec::new(), 0);
    while at < len {
        let wrong = || SEEN_SET.damaged(path, format_args!("no record at byte {at}"));
        bytes.clear();
        reader.by_ref().take(HEADER as u64).read_to_end(&mut bytes).map_err(failed)?;
        let is_header = bytes.len() == HEADER && bytes[8..] == crc32fast::hash(&bytes[..8]).to_le_bytes();
        let payload = bytes.first_chunk().map_or(0, |len| u64::from(u32::from_le_bytes(*len)));
        // A damaged header can give any number here, so it is used only if `is_header`.
        let end = at + HEADER as u64 + payload;
        let is_header = is_header && payload <= MOST_RECORD;
        let mut is_short = bytes.len() < HEADER || is_header && end > len;
        let mut record = None;
        if is_header && !is_short {
            let sum = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
            let log = reader.get_ref().get_ref();
            if payload <= PIECE || sum_of(log, at + HEADER as u64..end).map_err(failed)? == Some(sum) {
                reader.by_ref().take(payload).read_to_end(&mut bytes).map_err(failed)?;
                let payload = &bytes[HEADER..];
                // A writer may be truncating a failed append at this moment.
                is_short = (bytes.len() as u64) < end - at;
                if sum == crc32fast::hash(payload) {
                    record = Some(Logged::parse(payload, width).ok_or_else(wrong)?);
                }
            }
        }
        match record {
            Some(record) if record.sequence >= sequence => {
                sequence = record.sequence + 1;
                each(&record);
            }
            Some(_) => return Err(wrong()),
            None => {
                let log = reader.get_ref().get_ref();
                let read_end = if is_header { end.min(len) } else { at + bytes.len() as u64 };
                // If the power failed while a record was being written, some of its sectors may be missing.
                // They are read as zeros.
                let is_cut =
                    at >= synced && (is_short || has_empty_sector(log, at..read_end).map_err(failed)?);
                // Nothing is written after a record that was not synced. If a later record follows, this one
                // was answered and is damaged.
                let is_last = is_cut && !has_record(log, at + 1..len, width, sequence).map_err(failed)?;
                return if is_last { Ok(at) } else { Err(wrong()) };
            }
        }
        at = end;
    }
    Ok(at)
}

/// Passes a range of a log to `each` piece by piece, and returns whether the log contains the whole range.
/// Pieces end at sector boundaries.
fn each_piece(log: &File, range: Range<u64>, each: &mut dyn FnMut(u64, &[u8])) -> io::Result<bool> {
    let mut room = vec![0; PIECE.min(range.end - range.start) as usize];
    let mut at = range.start;
    while at < range.end {
        let end = range.end.min((at / PIECE + 1) * PIECE);
        let room = &mut room[..(end - at) as usize];
        match read_exact_at(log, room, at) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        each(at, room);
        at = end;
    }
    Ok(true)
}

/// Returns the checksum of a range of a log, if the log contains the whole range.
fn sum_of(log: &File, range: Range<u64>) -> io::Result<Option<u32>> {
    let mut sum = crc32fast::Hasher::new();
    let is_whole = each_piece(log, range, &mut |_, bytes| sum.update(bytes))?;
    Ok(is_whole.then(|| sum.finalize()))
}

/// Returns whether a whole record with this sequence number or a later one is somewhere in a range of a log.
fn has_record(log: &File, range: Range<u64>, width: usize, sequence: u64) -> io::Result<bool> {
    let (mut headers, mut at, mut room) = (0, range.start, Vec::new());
    while at + HEADER as u64 <= range.end {
        room.resize(PIECE.min(range.end - at) as usize, 0);
        match read_exact_at(log, &mut room, at) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        let mut offset = 0;
        while let Some(header) = room.get(offset..offset + HEADER) {
            if room[offset..].starts_with(&ZEROS) {
                // A header may start in the last bytes of the zeros, so the search includes them again.
                offset += ZEROS.len() - HEADER + 1;
                continue;
            }
            let number =
                |at: usize| header[at..].first_chunk().map_or(0, |number| u32::from_le_bytes(*number));
            if number(8) == crc32fast::hash(&header[..8]) {
                // One in four billion positions looks like a header by chance. Lines that are crafted to
                // contain many of them would cost a checksum each.
                headers += 1;
                let start = at + (offset + HEADER) as u64;
                let payload = start..start + u64::from(number(0));
                if headers > MOST_HEADERS || is_record(log, payload, range.end, number(4), width, sequence)? {
                    return Ok(true);
                }
            }
            offset += 1;
        }
        at += offset as u64;
    }
    Ok(false)
}

/// Returns whether a range of a log with `len` bytes is the payload of a record with this sequence number or
/// a later one.
fn is_record(
    log: &File,
    payload: Range<u64>,
    len: u64,
    sum: u32,
    width: usize,
    sequence: u64,
) -> io::Result<bool> {
    let is_possible = payload.end <= len && payload.end - payload.start <= MOST_RECORD;
    if !is_possible || sum_of(log, payload.clone())? != Some(sum) {
        return Ok(false);
    }
    let mut bytes = vec![0; (payload.end - payload.start) as usize];
    read_exact_at(log, &mut bytes, payload.start)?;
    Ok(Logged::parse(&bytes, width).is_some_and(|record| record.sequence >= sequence))
}

/// Returns whether a sector of a range of a log is empty.
fn has_empty_sector(log: &File, range: Range<u64>) -> io::Result<bool> {
    let mut has_one = false;
    each_piece(log, range, &mut |at, bytes| {
        // Sectors are aligned in the file, so the first and the last may have only some bytes of the record.
        let first = (SECTOR - at % SECTOR) as usize;
        let (head, rest) = bytes.split_at(first.min(bytes.len()));
        let is_empty = |sector: &[u8]| !sector.is_empty() && ZEROS.starts_with(sector);
        has_one |= is_empty(head) || rest.chunks(SECTOR as usize).any(is_empty);
    })?;
    Ok(has_one)
}
