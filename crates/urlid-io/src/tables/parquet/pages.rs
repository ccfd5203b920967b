//! The pages of a column chunk: their headers are checked, and their contents decompressed.
//!
//! The page reader of the `parquet` crate is not used: it allocates what a header states, and decompresses without a limit.
//! Does not depend on the values of a page.

use std::fs::File;
use std::sync::Arc;

use crate::files::read_exact_at;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;

use super::end::End;
use super::shapes::PAGE_HEADER;
use super::thrift::{Malformed, Seen, walk};
use super::unpack::{is_packed, unpack};

/// The most bytes that a page may decompress to. DuckDB writes pages of up to 100 MB.
const MOST_PAGE: i64 = 128 << 20;
/// The most bytes of a page in the file: the longest that SNAPPY, whose worst case is the worst of all methods, makes of
/// `MOST_PAGE` bytes (`snappy_max_compressed_length`).
const MOST_PACKED: i64 = MOST_PAGE + MOST_PAGE / 6 + 32;
/// The bytes that are read for a page header: first few, then, if it is longer, many.
const HEADER_WINDOWS: [u64; 2] = [512, 1 << 20];

/// A page, decompressed.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) kind: PageKind,
    /// The number of its values, nulls too.
    pub(super) values: u32,
    pub(super) encoding: Encoding,
    pub(super) bytes: Vec<u8>,
}

/// The kind of a page, and where its levels are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PageKind {
    Dictionary,
    /// Levels, encoded like this, come before the values, with their length.
    Data {
        levels: Encoding,
    },
    /// Repetition levels of so many bytes come first, then definition levels, then the values.
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

/// Where pages are read from.
enum Source<'f> {
    File(&'f File),
    Bytes(Bytes),
}

impl Source<'_> {
    fn read_exact_at(&self, room: &mut [u8], offset: u64) -> Result<(), End> {
        match self {
            Source::File(file) => Ok(read_exact_at(file, room, offset)?),
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
    /// Begins to read the pages of a chunk.
    pub(super) fn open(file: &'f Arc<File>, chunk: &ColumnChunkMetaData) -> Result<Self, End> {
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let (Ok(start), Ok(len)) = (u64::try_from(start), u64::try_from(chunk.compressed_size())) else {
            return Err("its place in the file is negative".to_owned().into());
        };
        let file_len = file.metadata()?.len();
        let end = start.checked_add(len).filter(|end| *end <= file_len);
        let Some(end) = end else {
            return Err(format!("it claims {len} bytes at {start} in a file of {file_len}").into());
        };
        Self::new(Source::File(file), chunk, start, end)
    }

    /// Begins to read one page of a chunk, given as its bytes.
    pub(super) fn of_bytes(bytes: Bytes, chunk: &ColumnChunkMetaData) -> Result<Self, End> {
        let end = bytes.len() as u64;
        Self::new(Source::Bytes(bytes), chunk, 0, end)
    }

    fn new(source: Source<'f>, chunk: &ColumnChunkMetaData, offset: u64, end: u64) -> Result<Self, End> {
        let compression = chunk.compression();
        Ok(Pages { source, compression, is_packed: is_supported(chunk)?, offset, end })
    }

    /// Returns the next page, or `None` behind the last.
    pub(super) fn next(&mut self) -> Result<Option<Page>, End> {
        while self.offset < self.end {
            let start = self.offset;
            let of_page = |what: String| End::Damaged(format!("page at {start}: {what}"));
            let (header_len, header) = self.header()?;
            header.check(self.is_packed).map_err(of_page)?;
            // `check` rejected negative lengths.
            let packed_len = header.packed.unsigned_abs();
            let body = start.saturating_add(header_len);
            self.offset = body.saturating_add(packed_len);
            if self.offset > self.end {
                return Err(format!("its last page ends at {}, expected {}", self.offset, self.end).into());
            }
            if header.kind == Some(INDEX_PAGE) {
                continue;
            }
            let (kind, values, encoding) = header.page().map_err(of_page)?;
            let mut packed = vec![0; packed_len as usize];
            self.source.read_exact_at(&mut packed, body)?;
            let bytes = self.unpacked(&header, packed).map_err(of_page)?;
            return Ok(Some(Page { kind, values, encoding, bytes }));
        }
        Ok(None)
    }

    /// Returns the contents of a page, decompressed.
    fn unpacked(&self, header: &Header, packed: Vec<u8>) -> Result<Vec<u8>, String> {
        if !self.is_packed || header.is_plain {
            return Ok(packed);
        }
        // The levels of a page of version 2 are not compressed.
        let levels = header.levels_len();
        let len = header.unpacked.unsigned_abs() as usize;
        let (before, rest) = packed.split_at_checked(levels).ok_or("it is shorter than its levels")?;
        let mut bytes = Vec::with_capacity(len);
        bytes.extend_from_slice(before);
        // Nothing needs no compressed form: a page of nulls may have none.
        if len > levels {
            unpack(self.compression, rest, len - levels, &mut bytes)?;
        }
        Ok(bytes)
    }

    /// Reads the header of the next page, and returns its length too.
    fn header(&self) -> Result<(u64, Header), End> {
        let mut result = Err(Malformed::Short);
        for window in HEADER_WINDOWS {
            let mut bytes = vec![0; window.min(self.end - self.offset) as usize];
            self.source.read_exact_at(&mut bytes, self.offset)?;
            result = read_header(&bytes);
            // The first window may cut a text of the statistics, which are in the header.
            if !matches!(result, Err(Malformed::Short | Malformed::Claim { .. })) {
                break;
            }
        }
        let offset = self.offset;
        result.map_err(|malformed| format!("page at {offset}: its header is malformed: {malformed}").into())
    }
}

/// Returns whether the pages of a column are compressed, or an error for a method that is not supported.
pub(super) fn is_supported(chunk: &ColumnChunkMetaData) -> Result<bool, End> {
    is_packed(chunk.compression()).map_err(|name| {
        let methods = "SNAPPY, GZIP, ZSTD, BROTLI, LZ4 or LZ4_RAW";
        format!("it is compressed by {name}, expected nothing, {methods}").into()
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

/// The claims of a page header.
#[derive(Default)]
struct Header {
    kind: Option<i64>,
    unpacked: i64,
    packed: i64,
    /// The descriptions of a page of data, a dictionary, and a page of data of version 2.
    described: [Described; 3],
    /// The lengths in bytes of repetition and definition levels, in pages of version 2.
    levels: [i64; 2],
    /// Whether it states that its values are not compressed, as pages of version 2 may.
    is_plain: bool,
}

/// The description of a page of some kind.
#[derive(Clone, Copy, Default)]
struct Described {
    values: i64,
    encoding: Option<i64>,
    /// The encoding of definition levels.
    levels: Option<i64>,
}

impl Header {
    fn check(&self, is_packed: bool) -> Result<(), String> {
        let Self { unpacked, packed, described, levels: [repetition, definition], is_plain, .. } = self;
        // A malformed header may describe several kinds of pages.
        let [data, dictionary, data_v2] = described.map(|described| described.values);
        if [*unpacked, *packed, data, dictionary, data_v2, *repetition, *definition].iter().any(|n| *n < 0) {
            return Err("its header has a negative length".to_owned());
        }
        if *unpacked > MOST_PAGE {
            return Err(format!("it unpacks to {unpacked} bytes, expected at most {MOST_PAGE}"));
        }
        if *packed > MOST_PACKED {
            return Err(format!("it takes {packed} bytes, expected at most {MOST_PACKED}"));
        }
        if packed != unpacked && (*is_plain || !is_packed) {
            return Err(format!("it takes {packed} bytes, expected the {unpacked} that it unpacks to"));
        }
        if repetition + definition > *unpacked {
            return Err("its levels are longer than itself".to_owned());
        }
        Ok(())
    }

    /// Returns the bytes of all levels of a page of version 2, or 0.
    fn levels_len(&self) -> usize {
        // `check` compared them with the length of the page.
        if self.kind == Some(DATA_PAGE_V2) { self.levels.map(|len| len as usize).iter().sum() } else { 0 }
    }

    /// Returns the kind of the page, the number of its values, and their encoding.
    fn page(&self) -> Result<(PageKind, u32, Encoding), String> {
        let [data, dictionary, data_v2] = self.described;
        let encoding = |number: Option<i64>| {
            let unknown = || format!("its encoding {} is unknown", number.unwrap_or(0));
            number.and_then(encoding).ok_or_else(unknown)
        };
        let (kind, described) = match self.kind {
            Some(DATA_PAGE) => (PageKind::Data { levels: encoding(data.levels)? }, data),
            Some(DICTIONARY_PAGE) => (PageKind::Dictionary, dictionary),
            Some(DATA_PAGE_V2) => {
                let [repetition, definition] = self.levels.map(|len| len as usize);
                (PageKind::DataV2 { repetition, definition }, data_v2)
            }
            other => return Err(format!("its kind {} is unknown", other.unwrap_or(-1))),
        };
        if described.encoding.is_none() {
            return Err("its header does not describe it".to_owned());
        }
        // `walk` read an integer of 32 bits, and `check` rejected negative ones.
        Ok((kind, described.values as u32, encoding(described.encoding)?))
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

/// Reads the header at the beginning of some bytes, and returns its length too.
fn read_header(bytes: &[u8]) -> Result<(u64, Header), Malformed> {
    let mut header = Header::default();
    // PageHeader: 1 is its kind, 2 and 3 are its lengths; 5, 7 and 8 describe the kinds of pages.
    let len = walk(bytes, PAGE_HEADER, &mut |path, seen| {
        let place = |field: i16| [5, 7, 8].iter().position(|of| *of == field).unwrap_or(0);
        match (path, seen) {
            ([1], Seen::Integer(kind)) => header.kind = Some(kind),
            ([2], Seen::Integer(len)) => header.unpacked = len,
            ([3], Seen::Integer(len)) => header.packed = len,
            ([of @ (5 | 7 | 8), 1], Seen::Integer(count)) => header.described[place(*of)].values = count,
            ([of @ (5 | 7), 2] | [of @ 8, 4], Seen::Integer(encoding)) => {
                header.described[place(*of)].encoding = Some(encoding);
            }
            ([5, 3], Seen::Integer(encoding)) => header.described[0].levels = Some(encoding),
            ([8, 5], Seen::Integer(len)) => header.levels[1] = len,
            ([8, 6], Seen::Integer(len)) => header.levels[0] = len,
            ([8, 7], Seen::Bool(is_packed)) => header.is_plain = !is_packed,
            _ => {}
        }
    })?;
    Ok((len as u64, header))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_claims_no_more_than_a_page_may_take() {
        let plain = Header { unpacked: 9, packed: 9, ..Header::default() };
        let most = Header { unpacked: MOST_PAGE, packed: MOST_PACKED, ..Header::default() };
        assert_eq!([plain.check(false), plain.check(true), most.check(true)], [Ok(()), Ok(()), Ok(())]);
        let table = [
            (
                Header { unpacked: MOST_PAGE + 1, ..Header::default() },
                "it unpacks to 134217729 bytes, expected at most 134217728",
            ),
            (
                Header { packed: MOST_PACKED + 1, ..Header::default() },
                "it takes 156587382 bytes, expected at most 156587381",
            ),
            (
                Header { unpacked: 9, packed: 8, is_plain: true, ..Header::default() },
                "it takes 8 bytes, expected the 9 that it unpacks to",
            ),
            (
                Header { unpacked: 9, levels: [10, 0], ..Header::default() },
                "its levels are longer than itself",
            ),
            (
                Header {
                    described: [
                        Described::default(),
                        Described { values: -1, ..Described::default() },
                        Described::default(),
                    ],
                    ..Header::default()
                },
                "its header has a negative length",
            ),
        ];
        for (header, message) in table {
            assert_eq!(header.check(true), Err(message.to_owned()));
        }
        let unpacked = Header { unpacked: 9, packed: 8, ..Header::default() };
        assert!(unpacked.check(true).is_ok() && unpacked.check(false).is_err());
    }
}
