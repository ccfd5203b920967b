//! WARC files (ISO 28500), in which each record has a head of fields and a content of a stated length, and
//! ARC files, whose heads are single lines.

mod arc;
mod error;
pub(crate) mod http;
pub(crate) mod members;
mod reader;
mod record;
mod recover;
mod stored;
#[cfg(test)]
mod tests;
mod types;

pub use error::MAX_HEAD;
pub(crate) use error::Malformed;
pub use http::{HttpHead, without_chunks};
pub use members::AllMembers;
pub use members::Members;
pub use reader::WarcReader;
pub use record::Record;
pub(crate) use record::{excerpt, text};
pub use recover::Lost;
pub use stored::StoredRecords;
pub use types::{RecordType, Records, UnknownType};

/// The first bytes of every WARC file. The version follows.
pub const MAGIC: &[u8] = b"WARC/";

/// Returns whether bytes start with a record of ARC without the description of its file, such as a record
/// that was fetched by its offset. Returns `None` if more bytes are needed.
#[must_use]
pub fn begins_arc_record(bytes: &[u8]) -> Option<bool> {
    arc::begins_record(bytes).map(|fields| fields.is_some())
}

/// Returns the bytes after the line ends at the start.
pub fn without_line_ends(bytes: &[u8]) -> &[u8] {
    let len = bytes.iter().take_while(|byte| b"\r\n".contains(byte)).count();
    &bytes[len..]
}
