//! The footer of a Parquet file, which is checked before the `parquet` crate reads it.
//!
//! That crate allocates as much as a footer claims, recurses as deep as its schema, and expands the path of
//! every column, so all of these are bounded here first.

use std::fs::File;
use std::io;

use parquet::file::metadata::{
    ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader, ParquetStatisticsPolicy,
};
use urlid::Error;

use super::shapes::FOOTER;
use super::thrift::{Seen, walk};
use crate::error;
use crate::files::read_exact_at;

/// The bytes at the end of a file: the length of the footer and the magic number.
const TAIL_LEN: u64 = 8;
/// The magic number of Parquet, at both ends of a file.
pub(super) const MAGIC: &[u8; 4] = b"PAR1";
/// The magic number of a file with an encrypted footer.
const ENCRYPTED: &[u8; 4] = b"PARE";
/// The longest footer that is read. A footer for a thousand columns in a thousand row groups, with
/// statistics, is about as long.
const MOST_FOOTER: u64 = 256 << 20;
/// The most row groups. The format numbers them with a signed integer of 16 bits.
const MOST_ROW_GROUPS: u64 = 32_767;
/// The most columns of all row groups together. The crate keeps about half a kilobyte for each.
const MOST_CHUNKS: u64 = 1_000_000;
/// The most elements of any other list, such as the columns and groups of a schema.
const MOST_ELEMENTS: u64 = 100_000;
/// The deepest nesting of groups of columns. The crate descends by recursion.
const DEEPEST_SCHEMA: u64 = 100;
/// The most bytes of the paths of all columns. The path of each column repeats the names of its groups.
const MOST_PATHS: u64 = 64 << 20;
/// The bytes that a name in a path costs in addition to its text.
const NAME_COST: u64 = 48;

/// Whether statistics are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statistics {
    Skipped,
    Kept,
}

/// Reads the footer. Returns it with its offset.
pub(super) fn read(file: &File, statistics: Statistics) -> Result<(ParquetMetaData, u64), Error> {
    let (bytes, offset) = bytes_of(file)?;
    Ok((decode(&bytes, statistics)?, offset))
}

/// Returns the bytes of the footer, and its offset.
fn bytes_of(file: &File) -> Result<(Vec<u8>, u64), Error> {
    let len = file.metadata().map_err(error::file)?.len();
    let mut tail = [0; TAIL_LEN as usize];
    let Some(end) = len.checked_sub(TAIL_LEN) else { return Err(error::NOT_PARQUET.error()) };
    read_exact_at(file, &mut tail, end).map_err(error::file)?;
    let [a, b, c, d, magic @ ..] = tail;
    if &magic == ENCRYPTED {
        return Err(error::ENCRYPTED.error());
    }
    if &magic != MAGIC {
        return Err(error::NOT_PARQUET.error());
    }
    let footer_len = u64::from(u32::from_le_bytes([a, b, c, d]));
    // Compared with the file before the footer is allocated.
    if footer_len > end || footer_len > MOST_FOOTER {
        return Err(damaged(format!("it claims {footer_len} bytes in a file of {len}")));
    }
    let mut bytes = vec![0; footer_len as usize];
    read_exact_at(file, &mut bytes, end - footer_len).map_err(error::file)?;
    Ok((bytes, end - footer_len))
}

/// Decodes the bytes of a footer.
fn decode(bytes: &[u8], statistics: Statistics) -> Result<ParquetMetaData, Error> {
    let claims = check(bytes).map_err(damaged)?;
    if claims.is_encrypted {
        return Err(error::ENCRYPTED.error());
    }
    let policy = match statistics {
        Statistics::Skipped => ParquetStatisticsPolicy::SkipAll,
        Statistics::Kept => ParquetStatisticsPolicy::KeepAll,
    };
    let options = ParquetMetaDataOptions::new()
        .with_encoding_stats_as_mask(false)
        .with_column_stats_policy(policy.clone())
        .with_encoding_stats_policy(policy.clone())
        .with_size_stats_policy(policy);
    let metadata = ParquetMetaDataReader::decode_metadata_with_options(bytes, Some(&options));
    metadata.map_err(|error| damaged(error.to_string()))
}

pub(super) fn damaged(detail: String) -> Error {
    error::FOOTER.error().with_shown(detail)
}

/// Checks all claims that the crate's reader relies on.
fn check(bytes: &[u8]) -> Result<Claims, String> {
    let mut claims = Claims::default();
    walk(bytes, FOOTER, &mut |path, seen| claims.take(path, seen))?;
    let Claims { row_groups, chunks, longest, schema, .. } = &claims;
    for (what, found, most) in [
        ("row groups", *row_groups, MOST_ROW_GROUPS),
        ("columns in all row groups", *chunks, MOST_CHUNKS),
        ("elements in a list", *longest, MOST_ELEMENTS),
        ("groups within groups", schema.deepest, DEEPEST_SCHEMA),
        ("bytes of column paths", schema.paths, MOST_PATHS),
        ("children of groups", schema.children, schema.elements),
    ] {
        if found > most {
            return Err(format!("it has {found} {what}, expected at most {most}"));
        }
    }
    Ok(claims)
}

/// The claims of a footer.
#[derive(Default)]
struct Claims {
    row_groups: u64,
    chunks: u64,
    longest: u64,
    schema: Schema,
    /// Whether the file or one of its columns is encrypted.
    is_encrypted: bool,
    /// The current element of the schema.
    element: Element,
}

impl Claims {
    /// Records a value in a field of FileMetaData. Field 2 is the list of schema elements, each with name 4
    /// and number of children 5. Field 4 is the list of row groups, each with the list 1 of columns. Field 8
    /// is the encryption of the file, and of a column.
    fn take(&mut self, path: &[i16], seen: Seen<'_>) {
        if let Seen::List(len) = seen {
            self.longest = self.longest.max(len);
        }
        match (path, seen) {
            ([2, _, 4], Seen::Binary(name)) => self.element.name_len = name.len() as u64,
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

/// A schema in the order of its elements. The children of each group follow it, to any depth.
#[derive(Default)]
struct Schema {
    elements: u64,
    children: u64,
    deepest: u64,
    paths: u64,
    /// The groups around the next element: the number of their remaining children, and the bytes of their
    /// path.
    groups: Vec<(u64, u64)>,
}

impl Schema {
    fn push(&mut self, element: Element) {
        self.elements += 1;
        // Leaves the groups whose children are complete.
        self.groups.truncate(self.groups.iter().rposition(|(left, _)| *left > 0).map_or(0, |last| last + 1));
        let above = self.groups.last_mut().map_or(0, |(left, path)| {
            *left -= 1;
            *path
        });
        // The sum cannot overflow: the names are in the footer, and at most `DEEPEST_SCHEMA` groups enclose
        // the element.
        let path = above + NAME_COST + element.name_len;
        match u64::try_from(element.children) {
            Ok(children @ 1..) => {
                self.children += children;
                let depth = self.groups.len() as u64 + 1;
                self.deepest = self.deepest.max(depth);
                // `check` rejects deeper groups. Here they must only not grow the list.
                if depth <= DEEPEST_SCHEMA {
                    self.groups.push((children, path));
                }
            }
            // A leaf. The crate's reader rejects a negative number.
            _ => self.paths = self.paths.saturating_add(path),
        }
    }
}

/// The reason that reading a row group ended early.
#[derive(Debug)]
pub(super) enum End {
    Io(io::Error),
    Damaged(String),
    Stopped,
}

impl From<io::Error> for End {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<String> for End {
    fn from(detail: String) -> Self {
        Self::Damaged(detail)
    }
}

impl End {
    /// Returns the error of a row group, counted from 0, after `rows` rows of the file were read.
    pub(super) fn into_error(self, row_group: usize, rows: u64) -> Error {
        match self {
            End::Io(source) => error::file(source),
            End::Damaged(detail) => {
                let error = error::VALUES.error().with_subject(row_group.to_string());
                error.with_shown(detail).with_number(rows)
            }
            End::Stopped => error::file(io::ErrorKind::Interrupted.into()),
        }
    }
}
