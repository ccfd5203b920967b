//! The identity of the file that a path names, however the path is spelled.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::Path;

/// The identity of an existing file, independent of its names: device and inode, on Windows volume and file
/// index.
///
/// It is unique only as long as the file exists, because a file system reuses the inode of a removed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    device: u64,
    inode: u64,
}

impl Identity {
    /// Returns the identity of the file that `path` names, links followed.
    ///
    /// # Errors
    /// If the file is not there or cannot be examined.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        platform::of_path(path).map(|(identity, _)| identity)
    }

    /// Returns the identity of an open file.
    ///
    /// # Errors
    /// If the file cannot be examined.
    pub fn of_file(file: &File) -> io::Result<Self> {
        platform::of_file(file)
    }

    /// Returns the identity of the file that `path` names, and the number of its hard links.
    ///
    /// # Errors
    /// If the file is not there or cannot be examined.
    pub fn with_names(path: &Path) -> io::Result<(Self, u64)> {
        platform::of_path(path)
    }
}

#[cfg(unix)]
mod platform {
    use std::fs::{File, Metadata};
    use std::io;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    use super::Identity;

    fn of(metadata: &Metadata) -> Identity {
        Identity { device: metadata.dev(), inode: metadata.ino() }
    }

    pub(super) fn of_path(path: &Path) -> io::Result<(Identity, u64)> {
        let metadata = path.metadata()?;
        Ok((of(&metadata), metadata.nlink()))
    }

    pub(super) fn of_file(file: &File) -> io::Result<Identity> {
        file.metadata().map(|metadata| of(&metadata))
    }
}

#[cfg(windows)]
mod platform {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    use winapi_util::Handle;
    use winapi_util::file::{Information, information};

    use super::Identity;

    fn of(information: &Information) -> Identity {
        Identity { device: information.volume_serial_number(), inode: information.file_index() }
    }

    pub(super) fn of_path(path: &Path) -> io::Result<(Identity, u64)> {
        let information = information(Handle::from_path_any(path)?)?;
        Ok((of(&information), information.number_of_links()))
    }

    pub(super) fn of_file(file: &File) -> io::Result<Identity> {
        information(file).map(|information| of(&information))
    }
}

/// A key of the file that a path names. Two paths with equal keys name the same file.
///
/// The key of an existing file is its [`Identity`], so links do not hide it. The key of a missing file is the
/// identity of its directory and the name in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileKey(Key);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    There(Identity),
    Missing { directory: Identity, name: OsString },
}

impl FileKey {
    /// Returns the key of the file that `path` names. Links are followed.
    ///
    /// # Errors
    /// If neither the file nor its directory can be examined.
    pub fn of_path(path: &Path) -> io::Result<Self> {
        match Identity::of_path(path) {
            Ok(identity) => Ok(FileKey(Key::There(identity))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // The directory is compared by identity, so that `out` and `./out` are one file before it
                // exists.
                let name = path.file_name().ok_or(error)?.to_owned();
                let directory = Identity::of_path(directory_of(path))?;
                Ok(FileKey(Key::Missing { directory, name }))
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the key of an open file.
    ///
    /// # Errors
    /// If the file cannot be examined.
    pub fn of_file(file: &File) -> io::Result<Self> {
        Identity::of_file(file).map(|identity| FileKey(Key::There(identity)))
    }

    /// Returns whether one of the paths names this file. A path that cannot be examined does not.
    pub fn is_of_any(&self, paths: impl IntoIterator<Item: AsRef<Path>>) -> bool {
        paths.into_iter().any(|path| FileKey::of_path(path.as_ref()).is_ok_and(|other| other == *self))
    }
}

/// Returns the directory of a file. For a bare name, whose [`Path::parent`] is the empty path, this is `.`.
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
        assert_eq!(FileKey::of_path(&link).expect("it is there"), key);
        let open = File::open(&link).expect("it is there");
        assert_eq!(FileKey::of_file(&open).expect("it is open"), key);
        assert_eq!(Identity::with_names(&path).expect("it is there").1, 2);
        assert!(FileKey::of_path(Path::new("/nowhere/at/all")).is_err());
    }
}
