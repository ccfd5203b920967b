//! The header of a file, read without SQLite, and the descriptor that it was read by (docs/index-format.md,
//! section 1).
//!
//! The kind of the file and its header decide whether SQLite may open it. A process opens a file only once
//! for as long as it has connections to it. When a process closes any descriptor of a file, POSIX releases
//! all its locks on the file, including SQLite's.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsString;
use std::fs::{File, FileType, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::question::schema::{APPLICATION_ID, FORMAT_VERSION};
use urlid::Error;
use urlid_io::files::Identity;

use crate::file::error;

/// The magic string and the length of the header, from section 1.3 of SQLite's file format.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
const HEADER_LEN: usize = 100;

/// The kind of a regular file, by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileKind {
    /// Length 0.
    Empty,
    /// Not a SQLite database.
    Foreign,
    /// A SQLite database of a different program, with its `application_id`.
    Other(u32),
    /// An index of an unknown format, with its version. The version is 0 if the file has none.
    Version(u32),
    /// An index of this format. `has_log` is true in WAL mode, and false if the index is sealed.
    Index { has_log: bool },
}

impl FileKind {
    fn new(bytes: &[u8]) -> Self {
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
        // SQLite's file format, section 1.3: `application_id` is at byte 68, `user_version` at 60.
        match (word(68), word(60)) {
            // Byte 19 is the version of the format that a reader has to support: 1 for a rollback journal, 2
            // for WAL.
            (APPLICATION_ID, FORMAT_VERSION) => Self::Index { has_log: bytes[19] == 2 },
            (APPLICATION_ID, version) => Self::Version(version),
            (other, _) => Self::Other(other),
        }
    }
}

/// A share in the single descriptor that this process has of a file. Dropping the last share closes the
/// descriptor.
#[derive(Debug)]
pub(crate) struct HeldFile {
    identity: Identity,
}

struct Held {
    file: File,
    /// The number of [`HeldFile`]s that share the descriptor.
    holders: usize,
}

/// All open files of the process. They are not kept for each connection, because POSIX locks belong to the
/// process.
static OPEN: Mutex<Option<HashMap<Identity, Held>>> = Mutex::new(None);

impl HeldFile {
    /// Opens a regular file, or shares the descriptor that is already open, and reads its header.
    pub(crate) fn open(path: &Path) -> io::Result<(Self, FileKind)> {
        // The table is locked until it has the entry, so that no second descriptor is opened, and closed,
        // meanwhile.
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let open = open.get_or_insert_default();
        let identity = Identity::of_path(path)?;
        let held = match open.entry(identity) {
            Entry::Occupied(held) => held.into_mut(),
            Entry::Vacant(place) => {
                let file = File::open(path)?;
                // The name may have been given to a different file in between. The descriptor shows which
                // file was opened.
                if Identity::of_file(&file)? != identity {
                    let message = "the file was replaced while it was opened";
                    return Err(io::Error::new(io::ErrorKind::Interrupted, message));
                }
                place.insert(Held { file, holders: 0 })
            }
        };
        held.holders += 1;
        let mut bytes = Vec::with_capacity(HEADER_LEN);
        // The descriptor is shared, so its position is wherever the last reader left it.
        let read = held
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| (&mut held.file).take(HEADER_LEN as u64).read_to_end(&mut bytes));
        if let Err(error) = read {
            release(open, identity);
            return Err(error);
        }
        Ok((Self { identity }, FileKind::new(&bytes)))
    }

    /// Returns the identity of the file.
    pub(crate) fn identity(&self) -> Identity {
        self.identity
    }

    /// Fails if `path` no longer names this file.
    pub(crate) fn check_name(&self, path: &Path) -> Result<(), Error> {
        self.names(path).map(drop)
    }

    /// Fails if `path` no longer names this file or is not its only name. SQLite finds a log by the name of
    /// its file, so a second name would have a second log.
    pub(crate) fn check_only_name(&self, path: &Path) -> Result<(), Error> {
        match self.names(path)? {
            1 => Ok(()),
            names => Err(error::LINKED.error().with_path(path).with_shown(names)),
        }
    }

    /// Returns the number of names of the file, if `path` is one of them.
    fn names(&self, path: &Path) -> Result<u64, Error> {
        match Identity::with_names(path) {
            Ok((identity, names)) if identity == self.identity => Ok(names),
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error::io(path, error)),
            _ => Err(error::REPLACED.error().with_path(path)),
        }
    }
}

impl Drop for HeldFile {
    fn drop(&mut self) {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = open.as_mut() {
            release(open, self.identity);
        }
    }
}

fn release(open: &mut HashMap<Identity, Held>, identity: Identity) {
    if let Some(held) = open.get_mut(&identity) {
        held.holders -= 1;
        if held.holders == 0 {
            open.remove(&identity);
        }
    }
}

/// Returns a path with `ending` appended to its file name.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}

/// Returns the word for a special file in messages, or `None` for a regular file.
pub(crate) fn special(metadata: &Metadata) -> Option<&'static str> {
    let kind = metadata.file_type();
    if kind.is_file() {
        None
    } else if kind.is_dir() {
        Some("a directory")
    } else {
        Some(special_kind(kind))
    }
}

#[cfg(unix)]
fn special_kind(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special_kind(_: FileType) -> &'static str {
    "a device"
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
            (vec![], FileKind::Empty),
            (b"SQLite format 3\0".to_vec(), FileKind::Foreign),
            (vec![b'x'; 200], FileKind::Foreign),
            (header(0, 1), FileKind::Other(0)),
            (header(7, 1), FileKind::Other(7)),
            (header(APPLICATION_ID, 0), FileKind::Version(0)),
            (header(APPLICATION_ID, 2), FileKind::Version(2)),
            (header(APPLICATION_ID, u32::MAX), FileKind::Version(u32::MAX)),
            (header(APPLICATION_ID, FORMAT_VERSION), FileKind::Index { has_log: false }),
        ];
        for (bytes, expected) in table {
            assert_eq!(FileKind::new(&bytes), expected);
        }
    }

    #[test]
    fn one_file_is_held_once_and_let_go() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a");
        std::fs::write(&path, header(APPLICATION_ID, FORMAT_VERSION)).expect("writes");
        let (first, _) = HeldFile::open(&path).expect("opens");
        let (second, header) = HeldFile::open(&path).expect("opens again");
        assert_eq!((header, first.identity()), (FileKind::Index { has_log: false }, second.identity()));
        let held = |identity| {
            OPEN.lock().expect("not poisoned").as_ref().is_some_and(|open| open.contains_key(&identity))
        };
        let identity = first.identity();
        drop(first);
        assert!(held(identity));
        drop(second);
        assert!(!held(identity));
    }
}
