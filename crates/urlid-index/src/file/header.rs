//! The first bytes of a file, read without SQLite (docs/index-format.md, section 1).
//!
//! Decides from the kind of the file and its header alone whether SQLite may touch it. A file is opened here once for as long as this
//! process has connections to it: closing any descriptor of a file drops the POSIX locks that the process holds on it,
//! SQLite's too.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::file::schema::{APPLICATION_ID, FORMAT_VERSION};

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER_LEN: usize = 100;

/// What the header of a regular file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Header {
    /// No byte at all.
    Empty,
    /// Something that is no SQLite database.
    Foreign,
    /// A SQLite database of another program, with its `application_id`.
    Other(u32),
    /// An index of a later format, with its version.
    Newer(u32),
    /// An index of this format.
    Ours,
}

impl Header {
    fn of(bytes: &[u8]) -> Self {
        let word = |offset: usize| {
            let bytes: Option<[u8; 4]> = bytes.get(offset..offset + 4).and_then(|b| b.try_into().ok());
            bytes.map_or(0, u32::from_be_bytes)
        };
        if bytes.is_empty() {
            return Self::Empty;
        }
        if bytes.len() < HEADER_LEN || !bytes.starts_with(MAGIC) {
            return Self::Foreign;
        }
        match (word(68), word(60)) {
            (APPLICATION_ID, FORMAT_VERSION) => Self::Ours,
            (APPLICATION_ID, 0) => Self::Other(APPLICATION_ID),
            (APPLICATION_ID, version) => Self::Newer(version),
            (other, _) => Self::Other(other),
        }
    }
}

/// Tells one file from another, whatever its name.
pub(crate) type FileKey = (u64, u64);

/// A file that this process has open, until the last of its probes is dropped.
#[derive(Debug)]
pub(crate) struct Probe {
    key: FileKey,
}

struct Held {
    file: File,
    probes: usize,
}

static OPEN: Mutex<Option<HashMap<FileKey, Held>>> = Mutex::new(None);

impl Probe {
    /// Opens a regular file, or takes the descriptor that is open already, and reads its header.
    pub(crate) fn of(path: &Path) -> io::Result<(Self, Header)> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let open = open.get_or_insert_default();
        let key = file_key(&std::fs::metadata(path)?);
        let held = match open.entry(key) {
            Entry::Occupied(held) => held.into_mut(),
            Entry::Vacant(place) => {
                let file = File::open(path)?;
                // The name may have come to mean another file in between; the descriptor says which one it is.
                if file_key(&file.metadata()?) != key {
                    let message = "the file was replaced while it was opened";
                    return Err(io::Error::new(io::ErrorKind::Interrupted, message));
                }
                place.insert(Held { file, probes: 0 })
            }
        };
        held.probes += 1;
        let mut bytes = Vec::with_capacity(HEADER_LEN);
        let read = held
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| (&mut held.file).take(HEADER_LEN as u64).read_to_end(&mut bytes));
        if let Err(error) = read {
            release(open, key);
            return Err(error);
        }
        Ok((Self { key }, Header::of(&bytes)))
    }

    /// Returns what tells this file from every other.
    pub(crate) fn key(&self) -> FileKey {
        self.key
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = open.as_mut() {
            release(open, self.key);
        }
    }
}

fn release(open: &mut HashMap<FileKey, Held>, key: FileKey) {
    if let Some(held) = open.get_mut(&key) {
        held.probes -= 1;
        if held.probes == 0 {
            open.remove(&key);
        }
    }
}

#[cfg(unix)]
pub(crate) fn file_key(metadata: &std::fs::Metadata) -> FileKey {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

/// Returns what a special file is called, and nothing for a regular one.
pub(crate) fn special(metadata: &std::fs::Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a directory")
    } else if kind.is_fifo() {
        Some("a FIFO")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        Some("a device")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(application: u32, version: u32) -> Vec<u8> {
        let mut bytes = vec![0; HEADER_LEN];
        bytes[..16].copy_from_slice(MAGIC);
        bytes[60..64].copy_from_slice(&version.to_be_bytes());
        bytes[68..72].copy_from_slice(&application.to_be_bytes());
        bytes
    }

    #[test]
    fn headers_are_told_apart() {
        let table = [
            (vec![], Header::Empty),
            (b"SQLite format 3\0".to_vec(), Header::Foreign),
            (vec![b'x'; 200], Header::Foreign),
            (header(0, 1), Header::Other(0)),
            (header(7, 1), Header::Other(7)),
            (header(APPLICATION_ID, 0), Header::Other(APPLICATION_ID)),
            (header(APPLICATION_ID, 2), Header::Newer(2)),
            (header(APPLICATION_ID, u32::MAX), Header::Newer(u32::MAX)),
            (header(APPLICATION_ID, 1), Header::Ours),
        ];
        for (bytes, expected) in table {
            assert_eq!(Header::of(&bytes), expected);
        }
    }

    #[test]
    fn one_file_is_held_once_and_let_go() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a");
        std::fs::write(&path, header(APPLICATION_ID, 1)).expect("writes");
        let (first, _) = Probe::of(&path).expect("probes");
        let (second, header) = Probe::of(&path).expect("probes again");
        assert_eq!((header, first.key()), (Header::Ours, second.key()));
        let held =
            |key| OPEN.lock().expect("not poisoned").as_ref().is_some_and(|open| open.contains_key(&key));
        let key = first.key();
        drop(first);
        assert!(held(key));
        drop(second);
        assert!(!held(key));
    }
}
