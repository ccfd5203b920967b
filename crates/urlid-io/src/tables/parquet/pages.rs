//! The pages of a column chunk: their headers are checked, then the `parquet` crate decompresses their contents.
//!
//! That crate allocates the compressed and decompressed lengths that a header states, so all headers of a chunk are checked
//! before the first page is read. Does not depend on the values of a page.

use std::fs::File;
use std::io::{self, BufReader};
use std::sync::Arc;

use crate::files::{read_at, read_exact_at};
use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::page::{Page, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::end::End;
use super::shapes::PAGE_HEADER;
use super::thrift::{Malformed, Seen, walk};

/// The most bytes that a page may decompress to. DuckDB writes pages of up to 100 MB.
const MOST_PAGE: i64 = 128 << 20;
/// The most bytes of a page in the file: the longest that SNAPPY makes of `MOST_PAGE` bytes (`snappy_max_compressed_length`).
const MOST_PACKED: i64 = MOST_PAGE + MOST_PAGE / 6 + 32;
/// The bytes that are read for a page header: first few, then, if it is longer, many.
const HEADER_WINDOWS: [u64; 2] = [512, 1 << 20];

/// The pages of one column in one row group.
pub(super) enum Pages {
    InFile(SerializedPageReader<FileAt>),
    InMemory(SerializedPageReader<Bytes>),
}

impl Pages {
    /// Checks all pages and begins to read them.
    pub(super) fn open(file: &Arc<File>, chunk: &ColumnChunkMetaData, rows: usize) -> Result<Self, End> {
        let is_packed = is_packed(chunk)?;
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let (Ok(start), Ok(len)) = (u64::try_from(start), u64::try_from(chunk.compressed_size())) else {
            return Err("its place in the file is negative".to_owned().into());
        };
        check(file, start, len, is_packed)?;
        Ok(Self::InFile(SerializedPageReader::new(Arc::new(FileAt(Arc::clone(file))), chunk, rows, None)?))
    }

    /// Checks one page, given as its bytes, and begins to read it. The offsets of `chunk` are those in the bytes.
    pub(super) fn of_bytes(bytes: Bytes, chunk: &ColumnChunkMetaData, rows: usize) -> Result<Self, End> {
        let (header_len, header) = read_header(&bytes).map_err(|what| what.to_string())?;
        header.check(is_packed(chunk)?)?;
        if header_len + header.packed.unsigned_abs() != bytes.len() as u64 {
            return Err(format!("it has {} bytes and claims others", bytes.len()).into());
        }
        Ok(Self::InMemory(SerializedPageReader::new(Arc::new(bytes), chunk, rows, None)?))
    }

    /// Returns the next page, or `None` behind the last.
    pub(super) fn next(&mut self) -> Result<Option<Page>, End> {
        Ok(match self {
            Self::InFile(pages) => pages.get_next_page()?,
            Self::InMemory(pages) => pages.get_next_page()?,
        })
    }
}

/// Returns whether the pages of a column are compressed, or an error for a method without a limit on its output.
pub(super) fn is_packed(chunk: &ColumnChunkMetaData) -> Result<bool, End> {
    match chunk.compression() {
        Compression::UNCOMPRESSED => Ok(false),
        Compression::SNAPPY | Compression::ZSTD(_) => Ok(true),
        other => {
            let name = other.to_string();
            let name = name.split_once('(').map_or(name.as_str(), |(name, _)| name);
            Err(format!("it is compressed by {name}, expected nothing, SNAPPY or ZSTD").into())
        }
    }
}

/// A file that is read at offsets, by several threads at once.
pub(super) struct FileAt(Arc<File>);

/// A reader from an offset on.
pub(super) struct ReadAt {
    file: Arc<File>,
    offset: u64,
}

impl io::Read for ReadAt {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let n = read_at(&self.file, room, self.offset)?;
        self.offset += n as u64;
        Ok(n)
    }
}

impl Length for FileAt {
    fn len(&self) -> u64 {
        self.0.metadata().map_or(0, |data| data.len())
    }
}

impl ChunkReader for FileAt {
    type T = BufReader<ReadAt>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(BufReader::new(ReadAt { file: Arc::clone(&self.0), offset: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let mut bytes = vec![0; length];
        read_exact_at(&self.0, &mut bytes, start)?;
        Ok(bytes.into())
    }
}

impl From<ParquetError> for End {
    /// Separates errors of the system from malformed data, which decoders also report as an [`io::Error`].
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(cause) => match cause.downcast::<io::Error>() {
                Ok(error) if error.raw_os_error().is_some() => Self::Io(*error),
                Ok(error) => Self::Damaged(error.to_string()),
                Err(cause) => Self::Damaged(cause.to_string()),
            },
            other => Self::Damaged(other.to_string()),
        }
    }
}

/// Checks the headers of all pages between `start` and `start + len`.
fn check(file: &File, start: u64, len: u64, is_packed: bool) -> Result<(), End> {
    let file_len = file.metadata()?.len();
    let end = start.checked_add(len).filter(|end| *end <= file_len);
    let Some(end) = end else {
        return Err(format!("it claims {len} bytes at {start} in a file of {file_len}").into());
    };
    let mut offset = start;
    while offset < end {
        let (header_len, header) = header_at(file, offset, end)?;
        header.check(is_packed).map_err(|what| format!("page at {offset}: {what}"))?;
        // `check` rejected negative lengths.
        let packed = header.packed.unsigned_abs();
        offset = offset.saturating_add(header_len).saturating_add(packed);
    }
    if offset == end { Ok(()) } else { Err(format!("its last page ends at {offset}, expected {end}").into()) }
}

/// The claims of a page header.
#[derive(Default)]
struct Header {
    unpacked: i64,
    packed: i64,
    /// The least number of values that it claims, or 0. A malformed header may describe several kinds of pages, so a negative
    /// number in any of them counts.
    values: i64,
    /// The lengths in bytes of both kinds of levels, in pages of version 2.
    levels: [i64; 2],
    /// Whether it states that its values are not compressed, as pages of version 2 may.
    is_plain: bool,
}

impl Header {
    fn check(&self, is_packed: bool) -> Result<(), String> {
        let Self { unpacked, packed, values, levels, is_plain } = self;
        if [unpacked, packed, values, &levels[0], &levels[1]].into_iter().any(|number| *number < 0) {
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
        if levels.iter().any(|len| len > unpacked) {
            return Err("its levels are longer than itself".to_owned());
        }
        Ok(())
    }
}

/// Reads the header of a page, and returns its length too.
fn header_at(file: &File, offset: u64, end: u64) -> Result<(u64, Header), End> {
    let mut result = Err(Malformed::Short);
    for window in HEADER_WINDOWS {
        let mut bytes = vec![0; window.min(end - offset) as usize];
        read_exact_at(file, &mut bytes, offset)?;
        result = read_header(&bytes);
        // The first window may cut a text of the statistics, which are in the header.
        if !matches!(result, Err(Malformed::Short | Malformed::Claim { .. })) {
            break;
        }
    }
    result.map_err(|malformed| format!("page at {offset}: its header is malformed: {malformed}").into())
}

/// Reads the header at the beginning of some bytes, and returns its length too.
fn read_header(bytes: &[u8]) -> Result<(u64, Header), Malformed> {
    let mut header = Header::default();
    // PageHeader: 2 and 3 are its lengths; 5, 7 and 8 describe the kinds of pages, and 1 in each is the number of values.
    let len = walk(bytes, PAGE_HEADER, &mut |path, seen| match (path, seen) {
        ([2], Seen::Integer(len)) => header.unpacked = len,
        ([3], Seen::Integer(len)) => header.packed = len,
        ([5 | 7 | 8, 1], Seen::Integer(count)) => header.values = header.values.min(count),
        ([8, 5], Seen::Integer(len)) => header.levels[0] = len,
        ([8, 6], Seen::Integer(len)) => header.levels[1] = len,
        ([8, 7], Seen::Bool(is_packed)) => header.is_plain = !is_packed,
        _ => {}
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
            (Header { values: -1, ..Header::default() }, "its header has a negative length"),
        ];
        for (header, message) in table {
            assert_eq!(header.check(true), Err(message.to_owned()));
        }
        let unpacked = Header { unpacked: 9, packed: 8, ..Header::default() };
        assert!(unpacked.check(true).is_ok() && unpacked.check(false).is_err());
    }
}
