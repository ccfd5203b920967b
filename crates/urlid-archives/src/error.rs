//! The kinds of errors of this crate, for [`Error::is`].

use std::io;

use urlid::ErrorCode::{Archive, Canon, Compressed, FileKind, Io, LineLen};
use urlid::{Error, ErrorKind};

/// An input cannot be read. The source is the error of the operating system.
pub const READ: ErrorKind = ErrorKind::new(Io, "cannot read");

/// A compressed member of a WARC file is damaged or cut. The number is its offset in bytes, as stored.
pub const MEMBER: ErrorKind =
    ErrorKind::new(Compressed, "compressed member at byte {place} is damaged: {found}");
/// A record of a WARC or ARC file is malformed, so the start of the next one is unknown. The subject is its
/// number from 1, all types counted, and the number of the error its offset in bytes, decompressed.
pub const RECORD: ErrorKind =
    ErrorKind::new(Archive, "record {subject} at byte {place} is malformed: {found}");
/// The date of a record is missing or not a date.
pub const DATE: ErrorKind =
    ErrorKind::new(Archive, "record has the WARC-Date `{found}`, expected year-month-dayThour:minute:second");
/// A record has a value that a line of CDX cannot hold.
pub const CDX_FIELD: ErrorKind =
    ErrorKind::new(Archive, "field has a space or a line end, which only CDXJ can hold: found `{found}`");
/// The request of a record has a body that cannot be part of its key.
pub const BODY: ErrorKind = ErrorKind::new(Archive, "body of the request cannot be part of the key: {found}");
/// The date of a record of an ARC file is not a date.
pub const ARC_DATE: ErrorKind =
    ErrorKind::new(Archive, "record of ARC has the date `{found}`, expected 14 digits from year to second");
/// A ZIP archive is damaged, or built to use more memory than it should.
pub const ZIP: ErrorKind = ErrorKind::new(Archive, "directory of the ZIP archive cannot be read: {found}");
/// A file in a ZIP archive is damaged, or stored in a way that is not read. The subject is its name.
pub const ENTRY: ErrorKind =
    ErrorKind::new(Compressed, "file `{subject}` of the ZIP archive cannot be read: {found}");
/// A ZIP archive lacks the files that are read of a WACZ file.
pub const NO_WACZ: ErrorKind =
    ErrorKind::new(FileKind, "not a WACZ file: expected {expected} in the ZIP archive");
/// The ZIP archive only names the WACZ files that belong together.
pub const MULTI_WACZ: ErrorKind = ErrorKind::new(
    FileKind,
    "a multi-WACZ package without its WACZ files: expected these, which its datapackage.json names",
);
/// The file of a block of a ZipNum index cannot be read.
pub const PART: ErrorKind = ErrorKind::new(Io, "cannot read the blocks in {subject}");
/// A block of a ZipNum index is not gzip, or is cut. The number is its offset in the file.
pub const BLOCK: ErrorKind =
    ErrorKind::new(Compressed, "block at byte {place} of {subject} is damaged: {found}");
/// The first line of a file that is searched is not the first line of an index.
pub const NO_INDEX: ErrorKind =
    ErrorKind::new(Archive, "first line is not a line of a CDX, CDXJ or ZipNum index: found `{found}`");
/// A line of an index that is searched has too many bytes.
pub const LONG_LINE: ErrorKind =
    ErrorKind::new(LineLen, "line is too long: expected at most {expected} bytes");
/// A key of an index is less than the one before it.
pub const UNSORTED: ErrorKind = ErrorKind::new(
    Archive,
    "index is not sorted by its keys, and a search would miss lines: found `{found}` after `{expected}`",
);
/// The first column of an index is not its key.
pub const NO_KEYS: ErrorKind =
    ErrorKind::new(Archive, "index cannot be searched because it lacks keys: found the header `{found}`");
/// A line of a ZipNum index lacks the place of its block, or names a file in a different directory.
pub const NO_BLOCK: ErrorKind = ErrorKind::new(
    Archive,
    "line of a ZipNum index lacks its block: expected file, offset and length, found `{found}`",
);
/// The key of a URL does not start with a host.
pub const NO_HOST: ErrorKind =
    ErrorKind::new(Canon, "key `{found}` lacks a host: expected a key like `com,example)/`");

/// Returns the error of an input that cannot be read, or the error of this crate that passed through a
/// [`Read`](io::Read).
pub fn read(source: io::Error) -> Error {
    source.downcast::<Error>().unwrap_or_else(|source| READ.error().with_source(source))
}

/// Wraps an error for a [`Read`](io::Read), so that [`read`] can unwrap it.
pub fn wrapped(error: Error) -> io::Error {
    // The kind is kept, because readers continue after some kinds, such as `Interrupted`.
    io::Error::new(system_error(&error).map_or(io::ErrorKind::Other, io::Error::kind), error)
}

/// Returns the error of the operating system or of a decoder, if it is the source.
pub fn system_error(error: &Error) -> Option<&io::Error> {
    std::error::Error::source(error)?.downcast_ref()
}
