//! The pages of a column chunk: their headers checked, then their contents taken from the `parquet` crate, decompressed.
//!
//! That crate makes room for as much as a header says a page unpacks to, so all headers of a chunk are walked before the first page
//! is read. Knows nothing of the values on a page.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::thrift::{Malformed, Seen, walk};

/// The most that a page may unpack to; DuckDB writes up to 100 MB.
const MOST_PAGE: i64 = 128 << 20;
/// The bytes that a page header is looked for in: first few, then many.
const HEADER_WINDOWS: [u64; 2] = [512, 1 << 20];

/// The pages of one column in one row group.
pub(super) struct Pages(SerializedPageReader<File>);

impl Pages {
    /// Checks all pages and begins to read them; says what is wrong otherwise.
    pub(super) fn open(file: &Arc<File>, chunk: &ColumnChunkMetaData, rows: usize) -> Result<Self, String> {
        let is_known = matches!(
            chunk.compression(),
            Compression::UNCOMPRESSED | Compression::SNAPPY | Compression::ZSTD(_)
        );
        if !is_known {
            let found = chunk.compression().to_string();
            return Err(format!("it is compressed by {found}, expected nothing, SNAPPY or ZSTD"));
        }
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        let (Ok(start), Ok(len)) = (u64::try_from(start), u64::try_from(chunk.compressed_size())) else {
            return Err("its place in the file is negative".to_owned());
        };
        check(file, start, len)?;
        SerializedPageReader::new(Arc::clone(file), chunk, rows, None).map(Self).map_err(|e| e.to_string())
    }

    /// Returns the next page, or nothing behind the last.
    pub(super) fn next(&mut self) -> Result<Option<Page>, String> {
        self.0.get_next_page().map_err(|e| e.to_string())
    }
}

/// Walks over the headers of all pages between `start` and `start + len`.
fn check(file: &File, start: u64, len: u64) -> Result<(), String> {
    let file_len = file.metadata().map_err(|e| e.to_string())?.len();
    let end = start.checked_add(len).filter(|end| *end <= file_len);
    let Some(end) = end else {
        return Err(format!("it claims {len} bytes at {start} in a file of {file_len}"));
    };
    let mut offset = start;
    while offset < end {
        let (header_len, header) =
            header_at(file, offset, end).map_err(|e| format!("page at {offset}: {e}"))?;
        header.check().map_err(|what| format!("page at {offset}: {what}"))?;
        // What a header claims is not negative by now.
        let packed = header.packed.unsigned_abs();
        offset = offset.saturating_add(header_len).saturating_add(packed);
    }
    if offset == end { Ok(()) } else { Err(format!("its last page ends at {offset}, expected {end}")) }
}

/// What a page header claims.
#[derive(Default)]
struct Header {
    unpacked: i64,
    packed: i64,
    /// Values of a page of whichever kind.
    values: i64,
    /// Bytes of the levels before the values, in pages of version 2.
    levels: [i64; 2],
}

impl Header {
    fn check(&self) -> Result<(), String> {
        let Self { unpacked, packed, values, levels } = self;
        if [unpacked, packed, values, &levels[0], &levels[1]].into_iter().any(|number| *number < 0) {
            return Err("its header has a negative length".to_owned());
        }
        if *unpacked > MOST_PAGE {
            return Err(format!("it unpacks to {unpacked} bytes, expected at most {MOST_PAGE}"));
        }
        if levels.iter().any(|len| len > unpacked) {
            return Err("its levels are longer than itself".to_owned());
        }
        Ok(())
    }
}

/// Reads the header of a page and returns its length too.
fn header_at(file: &File, offset: u64, end: u64) -> Result<(u64, Header), String> {
    let mut result = Err(Malformed::Short);
    for window in HEADER_WINDOWS {
        let mut bytes = vec![0; window.min(end - offset) as usize];
        file.read_exact_at(&mut bytes, offset).map_err(|e| e.to_string())?;
        let mut header = Header::default();
        // PageHeader: 2 and 3 are its lengths; 5, 7 and 8 describe the kinds of pages, and 1 in each is the number of values.
        let walked = walk(&bytes, &mut |path, seen| match (path, seen) {
            ([2], Seen::Integer(len)) => header.unpacked = len,
            ([3], Seen::Integer(len)) => header.packed = len,
            ([5 | 7 | 8, 1], Seen::Integer(count)) => header.values = count,
            ([8, 5], Seen::Integer(len)) => header.levels[0] = len,
            ([8, 6], Seen::Integer(len)) => header.levels[1] = len,
            _ => {}
        });
        result = walked.map(|len| (len as u64, header));
        // A text of statistics can be cut by the first window.
        if !matches!(result, Err(Malformed::Short | Malformed::Claim { .. })) {
            break;
        }
    }
    result.map_err(|malformed| format!("its header is malformed: {malformed}"))
}
