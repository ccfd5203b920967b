//! Shared by all kinds of stored URLs: the kind that a path holds, for messages about a path that holds
//! another one; the name of the program in files; small files of folders, read with limits.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use urlid::{ErrorCode, ErrorKind};

use crate::question::schema::APPLICATION_ID;

/// A canonical form is empty. Some forms return that for white space instead of an error, and all such URLs
/// would become one.
pub const EMPTY_FORM: ErrorKind =
    ErrorKind::new(ErrorCode::UrlParse, "canonical form is empty: expected an absolute URL");
/// The program, as files and descriptions name it.
pub(crate) const TOOL: &str = concat!("urlid ", env!("CARGO_PKG_VERSION"));
/// The file that marks a folder as a dataset.
pub(crate) const OF_DATASET: &str = "_urlid.json";
/// The file that marks a folder as a seen-set.
pub(crate) const OF_SEEN_SET: &str = "seen.json";

/// Returns the words for what is at a path; `None` if it is not urlid's, or cannot be read.
pub(crate) fn stored_kind(path: &Path) -> Option<&'static str> {
    if path.join(OF_DATASET).is_file() {
        Some("a dataset")
    } else if path.join(OF_SEEN_SET).is_file() {
        Some("a seen-set")
    } else {
        is_index(path).then_some("an index")
    }
}

/// Returns whether a regular file is a SQLite database with the `application_id` of an index, which is at
/// byte 68.
fn is_index(path: &Path) -> bool {
    let mut header = [0; 72];
    // A FIFO would block until another process opens it for writing.
    let has_header =
        path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_ok();
    has_header && header.starts_with(b"SQLite format 3\0") && header[68..] == APPLICATION_ID.to_be_bytes()
}

/// Reads a file, and fails if it is longer than so many bytes.
pub(crate) fn read_at_most(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more tells a file that is too long from one of exactly `most` bytes.
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(io::ErrorKind::InvalidData, "it is too long")),
        false => Ok(bytes),
    }
}

/// Decompresses a text of zstd, and cuts it after so many bytes: a small frame may expand to any size. The
/// caller compares the SHA-256, which a text that was cut does not have.
pub(crate) fn unpacked(packed: &[u8], most: u64) -> io::Result<String> {
    let mut text = String::new();
    zstd::Decoder::new(packed)?.take(most).read_to_string(&mut text)?;
    Ok(text)
}
