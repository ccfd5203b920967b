//! The kinds of errors of this crate, for [`Error::is`]. Lines and tables fail with a [`urlid::Error`]. The
//! kinds of archives are in `urlid_archives`.
//!
//! ```
//! use urlid_io::{error, lines::Input};
//!
//! let error = Input::open("no/such/file").unwrap_err();
//! assert!(error.is(error::READ));
//! assert_eq!(error.to_string(), "cannot read");
//! ```

use std::io;

use urlid::ErrorCode::{Archive, Column, Compressed, FileKind, Io, Table};
use urlid::{Error, ErrorKind};
pub use urlid_archives::error::{READ, read};
pub(crate) use urlid_archives::error::{system_error, wrapped};

/// Compressed data ends before its end mark. The number is the count of bytes that were decoded.
pub const TRUNCATED: ErrorKind =
    ErrorKind::new(Compressed, "{subject} data ends too early: {place} bytes were decoded");
/// Compressed data is inconsistent or followed by other data. The number is the count of bytes that were
/// decoded.
pub const DAMAGED: ErrorKind =
    ErrorKind::new(Compressed, "{subject} data is damaged: {found}: {place} bytes were decoded");
/// Data of zstd or xz requires a window larger than [`MAX_ZSTD_WINDOW`](crate::lines::MAX_ZSTD_WINDOW).
pub const WINDOW: ErrorKind =
    ErrorKind::new(Compressed, "{subject} window is too large: expected {expected}");
/// The content is not lines of text.
pub const KIND: ErrorKind = ErrorKind::new(FileKind, "not lines of text: found {found}");

/// A sitemap or a list of bookmarks, which is the subject, is malformed. The number is the count of decoded
/// bytes before the fault.
pub const MARKUP: ErrorKind = ErrorKind::new(Archive, "{subject} is malformed at byte {place}: {found}");
/// A sitemap declares an encoding that its protocol does not allow.
pub const ENCODING: ErrorKind =
    ErrorKind::new(Archive, "sitemap is in the encoding {found}: expected UTF-8 or UTF-16");
/// The input is a ZIP archive, which can only be read by its name.
pub const ZIP_PIPE: ErrorKind = ErrorKind::new(
    FileKind,
    "stream has a ZIP archive, whose directory is at its end: expected the name of an uncompressed file",
);
/// The file of a table cannot be read. The source is the error of the operating system.
pub const FILE: ErrorKind = ErrorKind::new(Io, "file cannot be read");
/// The input is empty, but its first line should name the columns.
pub const NO_HEADER: ErrorKind =
    ErrorKind::new(Table, "names of columns are missing: found an empty input, expected a line of names");
/// The input is a Parquet file, which can only be read by its name.
pub const PARQUET: ErrorKind = ErrorKind::new(
    Table,
    "stream has a Parquet file, whose footer is at its end: expected the name of the file",
);
/// The first record has too many columns, or a name that is too long.
pub const HEADER: ErrorKind = ErrorKind::new(Table, "first line does not name columns: expected {expected}");
/// The table does not have a column with the chosen name or number.
pub const MISSING: ErrorKind = ErrorKind::new(Column, "no column `{subject}`: found {found}");
/// The table has a column of that name only if it is read with a different delimiter.
pub const DELIMITER: ErrorKind = ErrorKind::new(
    Column,
    "no column `{subject}` with the delimiter `{found}`: expected the delimiter `{expected}`",
);
/// The input is not a table, by its first line.
pub const NO_TABLE: ErrorKind = ErrorKind::new(Table, "not a table: found {found}, expected {expected}");
/// The member is missing in every object.
pub const NO_MEMBER: ErrorKind = ErrorKind::new(Column, "no object has the member `{subject}`");
/// Two columns have the name.
pub const TWICE: ErrorKind = ErrorKind::new(Column, "column `{subject}` is named twice");
/// A column to be added exists already.
pub const EXISTS: ErrorKind = ErrorKind::new(Column, "column `{subject}` exists already");
/// A member of objects was chosen by number.
pub const NUMBERED: ErrorKind =
    ErrorKind::new(Column, "columns of ndjson have no numbers: expected the name of a member");
/// A record is too long. The number of this error and of the next three is the line at which the record
/// starts, from 1.
pub const RECORD_LENGTH: ErrorKind =
    ErrorKind::new(Table, "record of line {place} is too long: expected {expected}");
/// A quote is not closed at the end of the input.
pub const UNCLOSED: ErrorKind =
    ErrorKind::new(Table, "quote is not closed: found the end of the input in the record of line {place}");
/// A quote is closed in the middle of a field.
pub const AFTER_QUOTE: ErrorKind = ErrorKind::new(
    Table,
    "field continues after its closing quote in the record of line {place}: expected {expected}",
);
/// A record has more or fewer fields than the first.
pub const FIELDS: ErrorKind = ErrorKind::new(
    Table,
    "record of line {place} has {found} fields: expected {expected}, like the first record",
);
/// A line is not a JSON object. The rows around it are still read.
pub const NO_OBJECT: ErrorKind = ErrorKind::new(Table, "line is not a JSON object: {found}");
/// A line is not in the format of the log. The rows around it are still read.
pub const LOG_LINE: ErrorKind = ErrorKind::new(Table, "line does not have the fields of the log's format");
/// A member is something other than a text or null.
pub const NO_TEXT: ErrorKind =
    ErrorKind::new(Column, "member `{subject}` is not a text: expected a string or null");
/// An object has the member twice, or already has one that would be added.
pub const MEMBER_TWICE: ErrorKind =
    ErrorKind::new(Column, "object has the member `{subject}` twice, or already has the member to be added");
/// The file does not end like a Parquet file.
pub const NOT_PARQUET: ErrorKind =
    ErrorKind::new(Table, "not a complete Parquet file: expected `PAR1` at its end");
/// A Parquet file, or a column of it, is encrypted.
pub const ENCRYPTED: ErrorKind = ErrorKind::new(Table, "file is encrypted, which is not supported");
/// The footer of a Parquet file is malformed.
pub const FOOTER: ErrorKind = ErrorKind::new(Table, "footer is damaged: {found}");
/// A column of a Parquet file does not have one text a row.
pub const NO_TEXTS: ErrorKind = ErrorKind::new(
    Column,
    "column `{subject}` does not hold texts: found {found}, expected one UTF-8 text per row",
);
/// The values of a Parquet file are malformed. The subject is the number of the row group, from 0.
pub const VALUES: ErrorKind =
    ErrorKind::new(Table, "row group {subject} cannot be read: {found}: {place} rows were read before");

/// The most columns that a message names.
#[cfg(feature = "tables")]
const NAMED: usize = 20;

/// Returns the error of a table's file that cannot be read.
pub fn file(source: io::Error) -> Error {
    FILE.error().with_source(source)
}

#[cfg(feature = "tables")]
pub(crate) fn missing(column: String, names: &[String]) -> Error {
    let shown: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > NAMED { ", …" } else { "" };
    MISSING.error().with_subject(column).with_shown(format_args!("{}{more}", shown.join(", ")))
}
