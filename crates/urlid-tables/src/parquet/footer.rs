//! The footer of a Parquet file: checked, then read.
//!
//! The reader of the `parquet` crate makes room for what a footer claims, descends as deep as its schema does, and writes the path of
//! every column out; what it would make room for is checked here first.

use std::fs::File;

use parquet::file::metadata::{
    ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader, ParquetStatisticsPolicy,
};
use urlid_files::read_exact_at;

use super::error::ColumnError;
use super::shapes::FOOTER;
use super::thrift::{Seen, walk};

/// Length and magic number, at the end of a file.
const TAIL_LEN: u64 = 8;
/// The magic number of Parquet, at both ends of a file.
pub(super) const MAGIC: &[u8; 4] = b"PAR1";
/// A footer that takes more is not read; one of a thousand columns in a thousand row groups, with statistics, takes it.
const MOST_FOOTER: u64 = 256 << 20;
/// Row groups are counted with 16 bits.
const MOST_ROW_GROUPS: u64 = 32_767;
/// Columns of all row groups together; half a kilobyte each is kept.
const MOST_CHUNKS: u64 = 1_000_000;
/// The elements of any other list, such as the columns and groups of a schema.
const MOST_ELEMENTS: u64 = 100_000;
/// Groups of columns within groups.
const DEEPEST_SCHEMA: u64 = 100;
/// The bytes of the paths of all columns.
const MOST_PATHS: u64 = 64 << 20;
/// What a name takes in a path besides its text.
const NAME_COST: u64 = 48;

/// Whether statistics are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statistics {
    Skipped,
    Kept,
}

/// Reads what a file says of itself, and where it says so.
pub(super) fn read(file: &File, statistics: Statistics) -> Result<(ParquetMetaData, u64), ColumnError> {
    let len = file.metadata()?.len();
    let mut tail = [0; TAIL_LEN as usize];
    let Some(end) = len.checked_sub(TAIL_LEN) else { return Err(ColumnError::NotParquet) };
    read_exact_at(file, &mut tail, end)?;
    let [a, b, c, d, magic @ ..] = tail;
    if &magic != MAGIC {
        return Err(ColumnError::NotParquet);
    }
    let footer_len = u64::from(u32::from_le_bytes([a, b, c, d]));
    if footer_len > end || footer_len > MOST_FOOTER {
        return Err(damaged(format!("it claims {footer_len} bytes in a file of {len}")));
    }
    let mut bytes = vec![0; footer_len as usize];
    read_exact_at(file, &mut bytes, end - footer_len)?;
    check(&bytes).map_err(damaged)?;
    let policy = match statistics {
        Statistics::Skipped => ParquetStatisticsPolicy::SkipAll,
        Statistics::Kept => ParquetStatisticsPolicy::KeepAll,
    };
    let options = ParquetMetaDataOptions::new()
        .with_encoding_stats_as_mask(false)
        .with_column_stats_policy(policy.clone())
        .with_encoding_stats_policy(policy.clone())
        .with_size_stats_policy(policy);
    let metadata = ParquetMetaDataReader::decode_metadata_with_options(&bytes, Some(&options));
    Ok((metadata.map_err(|error| damaged(error.to_string()))?, end - footer_len))
}

fn damaged(detail: String) -> ColumnError {
    ColumnError::Footer { detail }
}

/// Checks all that the reader relies on.
fn check(bytes: &[u8]) -> Result<(), String> {
    let mut claims = Claims::default();
    walk(bytes, FOOTER, &mut |path, seen| claims.take(path, seen))
        .map_err(|malformed| malformed.to_string())?;
    let Claims { row_groups, chunks, longest, schema, is_encrypted, .. } = claims;
    if is_encrypted {
        return Err("it is encrypted".to_owned());
    }
    for (what, found, most) in [
        ("row groups", row_groups, MOST_ROW_GROUPS),
        ("columns in all row groups", chunks, MOST_CHUNKS),
        ("elements in a list", longest, MOST_ELEMENTS),
        ("groups within groups", schema.deepest, DEEPEST_SCHEMA),
        ("bytes of column paths", schema.paths, MOST_PATHS),
        ("children of groups", schema.children, schema.elements),
    ] {
        if found > most {
            return Err(format!("it has {found} {what}, expected at most {most}"));
        }
    }
    Ok(())
}

/// What a footer claims.
#[derive(Default)]
struct Claims {
    row_groups: u64,
    chunks: u64,
    longest: u64,
    schema: Schema,
    /// Whether the file, or a column of it, is encrypted.
    is_encrypted: bool,
    /// The element of the schema that is walked over.
    element: Element,
}

impl Claims {
    /// Takes what was seen in a field of FileMetaData: 2 is the list of schema elements, with the name 4 and the number of children 5;
    /// 4 is the list of row groups, with the list 1 of columns.
    fn take(&mut self, path: &[i16], seen: Seen) {
        if let Seen::List(len) = seen {
            self.longest = self.longest.max(len);
        }
        match (path, seen) {
            ([2, _, 4], Seen::Binary(len)) => self.element.name_len = len,
            ([2, _, 5], Seen::Integer(children)) => self.element.children = children,
            ([2, _], Seen::End) => self.schema.push(std::mem::take(&mut self.element)),
            ([4], Seen::List(len)) => self.row_groups = len,
            ([4, _, 1], Seen::List(len)) => self.chunks += len,
            ([8] | [4, _, 1, _, 8], _) => self.is_encrypted = true,
            _ => {}
        }
    }
}

#[derive(Default)]
struct Element {
    name_len: u64,
    children: i64,
}

/// A schema, element by element: each group is followed by what is in it.
#[derive(Default)]
struct Schema {
    elements: u64,
    children: u64,
    deepest: u64,
    paths: u64,
    /// The groups that the next element is in: how many of their children are to come, and the bytes of their path.
    groups: Vec<(u64, u64)>,
}

impl Schema {
    fn push(&mut self, element: Element) {
        self.elements += 1;
        self.groups.truncate(self.groups.iter().rposition(|(left, _)| *left > 0).map_or(0, |last| last + 1));
        let above = self.groups.last_mut().map_or(0, |(left, path)| {
            *left -= 1;
            *path
        });
        let path = above + NAME_COST + element.name_len;
        match u64::try_from(element.children) {
            Ok(children @ 1..) => {
                self.children += children;
                let depth = self.groups.len() as u64 + 1;
                self.deepest = self.deepest.max(depth);
                if depth <= DEEPEST_SCHEMA {
                    self.groups.push((children, path));
                }
            }
            // The reader refuses a negative number.
            _ => self.paths = self.paths.saturating_add(path),
        }
    }
}
