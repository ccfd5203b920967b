//! The pages of a column chunk: checks their headers and decompresses their contents.
//!
//! The page reader of the `parquet` crate is not used, because it allocates as much as a header states and
//! decompresses without a limit. This module does not depend on the values of a page.

use std::fmt;
use std::fs::File;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};

use super::footer::End;
use super::shapes::PAGE_HEADER;
use super::thrift::{Seen, walk};
use super::unpack::{is_packed, unpack};
use crate::files::read_exact_at;

/// The most bytes that a page may decompress to. DuckDB writes pages of up to 100 MB.
const MOST_PAGE: i64 = 128 << 20;
/// The most bytes of a page in the file: the longest SNAPPY output for `MOST_PAGE` bytes
/// (`snappy_max_compressed_length`). SNAPPY has the largest worst case of all methods.
const MOST_PACKED: i64 = MOST_PAGE + MOST_PAGE / 6 + 32;
/// The bytes that are read for a page header: a few at first, then many if the header is longer.
const HEADER_WINDOWS: [u64; 2] = [512, 1 << 20];

/// A page, decompressed.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) kind: PageKind,
    /// The number of its values, including nulls.
    pub(super) values: u32,
    pub(super) encoding: Encoding,
    pub(super) bytes: Vec<u8>,
}

/// A page as stored in the file. Any thread can decompress it.
pub(super) struct PackedPage {
    page: Page,
    /// The offset of its header in the file.
    start: u64,
    compression: Compression,
    /// The lengths of its levels, which are not compressed, and of all its bytes, if the others are
    /// compressed.
    unpacked: Option<(usize, usize)>,
}

impl PackedPage {
    /// Returns the number of its values, including nulls.
    pub(super) fn values(&self) -> u32 {
        self.page.values
    }

    pub(super) fn is_dictionary(&self) -> bool {
        self.page.kind == PageKind::Dictionary
    }

    /// Decompresses the page, unless it was decompressed before.
    pub(super) fn unpack(&mut self) -> Result<&Page, End> {
        let Some((levels, len)) = self.unpacked.take() else { return Ok(&self.page) };
        let start = self.start;
        let unpacked = || -> Result<Vec<u8>, String> {
            let split = self.page.bytes.split_at_checked(levels);
            let (before, rest) = split.ok_or("it is shorter than its levels")?;
            let mut bytes = Vec::with_capacity(len);
            bytes.extend_from_slice(before);
            // A page of nulls may be stored without compressed bytes.
            if len > levels {
                unpack(self.compression, rest, len - levels, &mut bytes)?;
            }
            Ok(bytes)
        };
        self.page.bytes = unpacked().map_err(|what| End::Damaged(format!("page at {start}: {what}")))?;
        Ok(&self.page)
    }

    /// Returns the page, which is decompressed if [`unpack`](Self::unpack) was called.
    pub(super) fn into_page(self) -> Page {
        self.page
    }
}

/// The kind of a page, and the place of its levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    Dictionary,
    /// Levels with this encoding come before the values, with their length.
    Data {
        levels: Encoding,
    },
    /// Repetition levels of this many bytes come first, then definition levels, then the values.
    DataV2 {
        repetition: usize,
        definition: usize,
    },
}

/// The pages of one column in one row group.
pub(super) struct Pages<'f> {
    source: Source<'f>,
    compression: Compression,
    is_packed: bool,
    /// The offset of the next page.
    offset: u64,
    /// The end of the last page.
    end: u64,
}

/// The source of pages.
enum Source<'f> {
    File(&'f File),
    Shared(Arc<File>),
    Bytes(Bytes),
}

impl Source<'_> {
    fn read_exact_at(&self, room: &mut [u8], offset: u64) -> Result<(), End> {
        match self {
            Source::File(file) => Ok(read_exact_at(file, room, offset)?),
            Source::Shared(file) => Ok(read_exact_at(file, room, offset)?),
            Source::Bytes(bytes) => {
                let start = usize::try_from(offset).ok();
                let found = start.and_then(|start| bytes.get(start..start.checked_add(room.len())?));
                room.copy_from_slice(found.ok_or_else(|| "it ends too early".to_owned())?);
                Ok(())
            }
        }
    }
}

impl<'f> Pages<'f> {
    /// Starts to read the pages of a chunk.
    pub(super) fn open(file: &'f File, chunk: &ColumnChunkMetaData) -> Result<Self, End> {
        let (start, end) = place_of(file, chunk)?;
        Self::new(Source::File(file), chunk, start, end)
    }

    /// Opens a shared file. Like [`open`](Self::open) otherwise.
    pub(super) fn open_shared(file: &Arc<File>, chunk: &ColumnChunkMetaData) -> Result<Pages<'static>, End> {
        let (start, end) = place_of(file, chunk)?;
        Pages::new(Source::Shared(Arc::clone(file)), chunk, start, end)
    }

    /// Starts to read one page of a chunk, given as its bytes.
    pub(super) fn of_bytes(bytes: Bytes, chunk: &ColumnChunkMetaData) -> Result<Self, End> {
        let end = bytes.len() as u64;
        Self::new(Source::Bytes(bytes), chunk, 0, end)
    }

    fn new(source: Source<'f>, chunk: &ColumnChunkMetaData, offset: u64, end: u64) -> Result<Self, End> {
        let compression = chunk.compression();
        Ok(Pages { source, compression, is_packed: is_supported(chunk)?, offset, end })
    }

    /// Returns the next page, or `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<Page>, End> {
        let Some(mut page) = self.next_packed()? else { return Ok(None) };
        page.unpack()?;
        Ok(Some(page.into_page()))
    }

    /// Returns the next page as stored in the file.
    pub(super) fn next_packed(&mut self) -> Result<Option<PackedPage>, End> {
        while self.offset < self.end {
            let start = self.offset;
            let of_page = |what: String| End::Damaged(format!("page at {start}: {what}"));
            let (header_len, header) = self.header()?;
            header.check(self.is_packed).map_err(of_page)?;
            // `check` rejected negative lengths.
            let packed_len = header.number(PACKED, 0).unsigned_abs();
            let body = start.saturating_add(header_len);
            self.offset = body.saturating_add(packed_len);
            if self.offset > self.end {
                return Err(format!("its last page ends at {}, expected {}", self.offset, self.end).into());
            }
            if header.0[KIND][0] == Some(INDEX_PAGE) {
                continue;
            }
            let (kind, values, encoding) = header.page().map_err(of_page)?;
            // At most `MOST_PACKED` bytes, and at most as many as the chunk has.
            let mut packed = vec![0; packed_len as usize];
            self.source.read_exact_at(&mut packed, body)?;
            let page = Page { kind, values, encoding, bytes: packed };
            let unpacked = (self.is_packed && !header.is_plain())
                .then(|| (header.levels_len(), header.number(UNPACKED, 0).unsigned_abs() as usize));
            return Ok(Some(PackedPage { page, start, compression: self.compression, unpacked }));
        }
        Ok(None)
    }

    /// Reads the header of the next page. Returns its length and the header.
    fn header(&self) -> Result<(u64, Header), End> {
        let mut result = Err(String::new());
        for window in HEADER_WINDOWS {
            let mut bytes = vec![0; window.min(self.end - self.offset) as usize];
            self.source.read_exact_at(&mut bytes, self.offset)?;
            result = Header::read(&bytes);
            // The first window may cut a text of the statistics, which are in the header.
            if result.is_ok() {
                break;
            }
        }
        let offset = self.offset;
        result.map_err(|malformed| format!("page at {offset}: its header is malformed: {malformed}").into())
    }
}

/// Returns the place of a chunk in a file: the offset of its first page and the end of its last page.
fn place_of(file: &File, chunk: &ColumnChunkMetaData) -> Result<(u64, u64), End> {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    let (Ok(start), Ok(len)) = (u64::try_from(start), u64::try_from(chunk.compressed_size())) else {
        return Err("its place in the file is negative".to_owned().into());
    };
    let file_len = file.metadata()?.len();
    let end = start.checked_add(len).filter(|end| *end <= file_len);
    let Some(end) = end else {
        return Err(format!("it claims {len} bytes at {start} in a file of {file_len}").into());
    };
    Ok((start, end))
}

/// Returns whether the pages of a column are compressed, or an error for a method that is not supported.
pub(super) fn is_supported(chunk: &ColumnChunkMetaData) -> Result<bool, End> {
    is_packed(chunk.compression()).map_err(|name| {
        let methods = "SNAPPY, GZIP, ZSTD, BROTLI, LZ4 or LZ4_RAW";
        format!("it is compressed by {name}, expected no compression, {methods}").into()
    })
}

impl From<ParquetError> for End {
    /// The errors of encoders, and of the footer's reader.
    fn from(error: ParquetError) -> Self {
        Self::Damaged(error.to_string())
    }
}

// The numbers of `PageType` in `parquet.thrift`.
const DATA_PAGE: i64 = 0;
const INDEX_PAGE: i64 = 1;
const DICTIONARY_PAGE: i64 = 2;
const DATA_PAGE_V2: i64 = 3;

// The fields of `PageHeader` in `parquet.thrift`: its kind, its lengths, and the fields that describe a page
// of each kind.
const KIND: usize = 1;
const UNPACKED: usize = 2;
const PACKED: usize = 3;
const DATA: usize = 5;
const DICTIONARY: usize = 7;
const DATA_V2: usize = 8;

/// The claims of a page header: the integers and truth values of its fields and of the fields within them,
/// indexed by field numbers. The value of a field itself is at 0.
#[derive(Default)]
struct Header([[Option<i64>; 9]; 9]);

impl Header {
    /// Reads the header at the start of the bytes. Returns its length and the header.
    fn read(bytes: &[u8]) -> Result<(u64, Self), String> {
        let mut header = Self::default();
        let len = walk(bytes, PAGE_HEADER, &mut |path, seen| {
            let (field, within) = match *path {
                [field] => (field, 0),
                [field, within] => (field, within),
                _ => return,
            };
            let number = match seen {
                Seen::Integer(number) => number,
                Seen::Bool(is_true) => i64::from(is_true),
                // The statistics of a page, and structures that hold the other numbers.
                Seen::End => 1,
                _ => return,
            };
            // Only the fields of `PAGE_HEADER` are seen, at most 8 with 1 to 8 within it.
            header.0[field as usize][within as usize] = Some(number);
        })?;
        Ok((len as u64, header))
    }

    /// Returns the number of a field, or 0.
    fn number(&self, field: usize, within: usize) -> i64 {
        self.0[field][within].unwrap_or(0)
    }

    fn check(&self, is_packed: bool) -> Result<(), String> {
        let (unpacked, packed) = (self.number(UNPACKED, 0), self.number(PACKED, 0));
        // A malformed header may describe several kinds of pages.
        let values = [DATA, DICTIONARY, DATA_V2].map(|kind| self.number(kind, 1));
        let levels = [5, 6].map(|levels| self.number(DATA_V2, levels));
        if [unpacked, packed].iter().chain(&values).chain(&levels).any(|number| *number < 0) {
            return Err("its header has a negative length".to_owned());
        }
        if unpacked > MOST_PAGE {
            return Err(format!("it unpacks to {unpacked} bytes, expected at most {MOST_PAGE}"));
        }
        if packed > MOST_PACKED {
            return Err(format!("it takes {packed} bytes, expected at most {MOST_PACKED}"));
        }
        if packed != unpacked && (self.is_plain() || !is_packed) {
            return Err(format!("it takes {packed} bytes, expected the {unpacked} that it unpacks to"));
        }
        if levels.iter().sum::<i64>() > unpacked {
            return Err("its levels are longer than itself".to_owned());
        }
        Ok(())
    }

    /// Returns whether it states that its values are not compressed, as pages of version 2 may.
    fn is_plain(&self) -> bool {
        self.0[DATA_V2][7] == Some(0)
    }

    /// Returns the bytes of all levels of a page of version 2, or 0.
    fn levels_len(&self) -> usize {
        // `check` compared them with the length of the page.
        let len = |field| self.number(DATA_V2, field) as usize;
        if self.0[KIND][0] == Some(DATA_PAGE_V2) { len(5) + len(6) } else { 0 }
    }

    /// Returns the kind of the page, the number of its values, and their encoding.
    fn page(&self) -> Result<(PageKind, u32, Encoding), String> {
        let encoding = |field: usize, within: usize| {
            let number = self.0[field][within].ok_or("its header does not describe it")?;
            encoding(number).ok_or_else(|| format!("its encoding {number} is unknown"))
        };
        let (kind, field, encoded) = match self.0[KIND][0] {
            Some(DATA_PAGE) => (PageKind::Data { levels: encoding(DATA, 3)? }, DATA, 2),
            Some(DICTIONARY_PAGE) => (PageKind::Dictionary, DICTIONARY, 2),
            Some(DATA_PAGE_V2) => {
                let [definition, repetition] = [5, 6].map(|field| self.number(DATA_V2, field) as usize);
                (PageKind::DataV2 { repetition, definition }, DATA_V2, 4)
            }
            other => return Err(format!("its kind {} is unknown", other.unwrap_or(-1))),
        };
        // `walk` read an integer of 32 bits, and `check` rejected negative ones.
        Ok((kind, self.number(field, 1) as u32, encoding(field, encoded)?))
    }
}

/// Returns an encoding by its number in `parquet.thrift`.
fn encoding(number: i64) -> Option<Encoding> {
    Some(match number {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        #[expect(deprecated, reason = "old files have levels in it, which the message names")]
        4 => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        7 => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => return None,
    })
}

/// The pages of a column in memory. A clone shares them, because the column's writer owns its sink and does
/// not return it.
#[derive(Clone)]
pub(super) struct PagesInMemory(Arc<Mutex<TrackedWrite<Vec<u8>>>>);

impl Default for PagesInMemory {
    fn default() -> Self {
        PagesInMemory(Arc::new(Mutex::new(TrackedWrite::new(Vec::new()))))
    }
}

impl PagesInMemory {
    fn lock(&self) -> MutexGuard<'_, TrackedWrite<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the bytes of the pages.
    ///
    /// # Errors
    /// Fails when the writer of the crate does.
    pub(super) fn take(self) -> Result<Vec<u8>, ParquetError> {
        std::mem::replace(&mut *self.lock(), TrackedWrite::new(Vec::new())).into_inner()
    }
}

impl PageWriter for PagesInMemory {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        SerializedPageWriter::new(&mut self.lock()).write_page(page)
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        Ok(self.lock().flush()?)
    }
}

impl fmt::Debug for PagesInMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PagesInMemory").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_claims_no_more_than_a_page_may_take() {
        let header = |numbers: &[(usize, usize, i64)]| {
            let mut header = Header::default();
            numbers.iter().for_each(|(field, within, number)| header.0[*field][*within] = Some(*number));
            header
        };
        let plain = header(&[(UNPACKED, 0, 9), (PACKED, 0, 9)]);
        let most = header(&[(UNPACKED, 0, MOST_PAGE), (PACKED, 0, MOST_PACKED)]);
        assert_eq!([plain.check(false), plain.check(true), most.check(true)], [Ok(()), Ok(()), Ok(())]);
        let table = [
            (
                header(&[(UNPACKED, 0, MOST_PAGE + 1)]),
                "it unpacks to 134217729 bytes, expected at most 134217728",
            ),
            (header(&[(PACKED, 0, MOST_PACKED + 1)]), "it takes 156587382 bytes, expected at most 156587381"),
            (
                header(&[(UNPACKED, 0, 9), (PACKED, 0, 8), (DATA_V2, 7, 0)]),
                "it takes 8 bytes, expected the 9 that it unpacks to",
            ),
            (header(&[(UNPACKED, 0, 9), (DATA_V2, 6, 10)]), "its levels are longer than itself"),
            (header(&[(DICTIONARY, 1, -1)]), "its header has a negative length"),
        ];
        for (header, message) in table {
            assert_eq!(header.check(true), Err(message.to_owned()));
        }
        let unpacked = header(&[(UNPACKED, 0, 9), (PACKED, 0, 8)]);
        assert!(unpacked.check(true).is_ok() && unpacked.check(false).is_err());
    }
}
