//! The footer of a Parquet file: checked, then read.
//!
//! The reader of the `parquet` crate makes room for what a footer claims and descends as deep as its schema does; what it would
//! make room for is checked here first.

use std::fs::File;
use std::os::unix::fs::FileExt;

use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::ColumnError;
use super::thrift::{Seen, walk};

/// Length and magic number, at the end of a file.
const TAIL_LEN: u64 = 8;
/// The magic number of Parquet, at both ends of a file.
pub(super) const MAGIC: &[u8; 4] = b"PAR1";
/// A footer that takes more is not read; one of ten thousand columns in a thousand row groups takes it.
const MOST_FOOTER: u64 = 256 << 20;
/// Row groups are counted with 16 bits.
const MOST_ROW_GROUPS: u64 = 32_767;
/// Groups of columns, at most; a schema is as deep as it has groups, in the worst case.
const MOST_SCHEMA_GROUPS: u64 = 1_000;

/// Reads what a file says of itself.
pub(super) fn read(file: &File) -> Result<ParquetMetaData, ColumnError> {
    let len = file.metadata()?.len();
    let mut tail = [0; TAIL_LEN as usize];
    let Some(end) = len.checked_sub(TAIL_LEN) else { return Err(ColumnError::NotParquet) };
    file.read_exact_at(&mut tail, end)?;
    let [a, b, c, d, magic @ ..] = tail;
    if &magic != MAGIC {
        return Err(ColumnError::NotParquet);
    }
    let footer_len = u64::from(u32::from_le_bytes([a, b, c, d]));
    if footer_len > end || footer_len > MOST_FOOTER {
        return Err(damaged(format!("it claims {footer_len} bytes in a file of {len}")));
    }
    let mut bytes = vec![0; footer_len as usize];
    file.read_exact_at(&mut bytes, end - footer_len)?;
    check(&bytes)?;
    ParquetMetaDataReader::decode_metadata(&bytes).map_err(|e| damaged(e.to_string()))
}

fn damaged(detail: String) -> ColumnError {
    ColumnError::Footer { detail }
}

/// Checks all that the reader relies on: lists that are there, few row groups, and a schema that cannot be deep.
fn check(bytes: &[u8]) -> Result<(), ColumnError> {
    let (mut row_groups, mut schema_groups) = (0, 0);
    let walked = walk(bytes, &mut |path, seen| match (path, seen) {
        // FileMetaData: 2 is the list of schema elements, whose 5 is their number of children; 4 is the list of row groups.
        ([2, _, 5], Seen::Integer(children)) => schema_groups += u64::from(children != 0),
        ([4], Seen::List(len)) => row_groups = len,
        _ => {}
    });
    walked.map_err(|malformed| damaged(malformed.to_string()))?;
    for (what, found, most) in
        [("row", row_groups, MOST_ROW_GROUPS), ("schema", schema_groups, MOST_SCHEMA_GROUPS)]
    {
        if found > most {
            return Err(damaged(format!("it has {found} {what} groups, expected at most {most}")));
        }
    }
    Ok(())
}
