//! Which file a path names, whatever the path looks like.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

/// The identity of a file: equal keys are one file.
///
/// A file that is there is its device and inode, so that links do not hide it. A name that no file has yet is its
/// directory and the name within it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileKey(Key);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    #[cfg(unix)]
    Inode {
        device: u64,
        inode: u64,
    },
    #[cfg(not(unix))]
    Path(PathBuf),
    Missing {
        directory: Box<FileKey>,
        name: OsString,
    },
}

impl FileKey {
    /// Returns the key of the file that `path` names, links followed.
    ///
    /// # Errors
    /// If neither the file nor its directory can be looked at.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        match path.metadata() {
            Ok(metadata) => Self::of_existing(path, &metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let name = path.file_name().ok_or(error)?.to_owned();
                let directory = directory_of(path);
                let directory = Self::of_existing(directory, &directory.metadata()?)?;
                Ok(FileKey(Key::Missing { directory: Box::new(directory), name }))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the key of an open file; `None` where the platform does not give one.
    ///
    /// # Errors
    /// If the file cannot be looked at.
    pub fn of_file(file: &File) -> io::Result<Option<Self>> {
        let metadata = file.metadata()?;
        #[cfg(unix)]
        return Ok(Some(Self::of_inode(&metadata)));
        #[cfg(not(unix))]
        {
            let _ = metadata;
            Ok(None)
        }
    }

    #[cfg(unix)]
    fn of_inode(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        FileKey(Key::Inode { device: metadata.dev(), inode: metadata.ino() })
    }

    #[cfg(unix)]
    #[expect(clippy::unnecessary_wraps, reason = "other platforms need the path")]
    fn of_existing(_: &Path, metadata: &Metadata) -> io::Result<Self> {
        Ok(Self::of_inode(metadata))
    }

    #[cfg(not(unix))]
    fn of_existing(path: &Path, _: &Metadata) -> io::Result<Self> {
        path.canonicalize().map(|path| FileKey(Key::Path(path)))
    }
}

/// Returns the directory of a file.
pub fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_key_under_all_its_names() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        let missing = FileKey::of_path(&path).expect("the directory is there");
        assert_eq!(FileKey::of_path(&directory.path().join("./file")).expect("the same"), missing);
        assert_ne!(FileKey::of_path(&directory.path().join("other")).expect("another"), missing);
        std::fs::write(&path, "").expect("there is room");
        let key = FileKey::of_path(&path).expect("it is there");
        assert_ne!(key, missing);
        let link = directory.path().join("link");
        std::fs::hard_link(&path, &link).expect("links work");
        #[cfg(unix)]
        assert_eq!(FileKey::of_path(&link).expect("it is there"), key);
        assert!(FileKey::of_path(Path::new("/nowhere/at/all")).is_err());
    }
}
