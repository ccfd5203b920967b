//! The kind of stored URLs that a path holds, for messages about a path that holds another one.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::question::schema::APPLICATION_ID;

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
