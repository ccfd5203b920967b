//! The file of an index that is being made: held while its maker lives, and private until it is complete.

pub(super) use platform::{Leftover, LoadingFile};

#[cfg(unix)]
mod platform {
    use std::fs::{File, OpenOptions, Permissions, TryLockError};
    use std::io;
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    use std::path::Path;

    use urlid_files::Identity;

    /// The file, held by a lock.
    #[derive(Debug)]
    pub(crate) struct LoadingFile {
        file: File,
        /// What the umask leaves of the usual mode: the finished file will have it.
        mode: u32,
    }

    impl LoadingFile {
        /// Makes the file and holds it; nothing if another maker has made it, or taken it for a leftover in between.
        pub(crate) fn create(path: &Path) -> io::Result<Option<Self>> {
            let made = OpenOptions::new().write(true).create_new(true).mode(0o666).open(path);
            let Some(file) = unless(io::ErrorKind::AlreadyExists, made)? else { return Ok(None) };
            if !is_locked(&file)? || !names(path, &file)? {
                return Ok(None);
            }
            let mode = file.metadata()?.permissions().mode();
            file.set_permissions(Permissions::from_mode(mode & 0o600))?;
            Ok(Some(LoadingFile { file, mode }))
        }

        /// Brings the file to the disk and renames it while it is still held.
        pub(crate) fn publish(self, rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
            self.file.sync_all()?;
            self.file.set_permissions(Permissions::from_mode(self.mode))?;
            rename()
        }
    }

    /// A file whose maker was killed, held so that nobody else takes it.
    #[derive(Debug)]
    pub(crate) struct Leftover {
        _file: File,
    }

    impl Leftover {
        /// Takes the file; nothing if its maker lives, or has given it its name in between.
        pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
            let Some(file) = unless(io::ErrorKind::NotFound, File::open(path))? else { return Ok(None) };
            let is_taken = is_locked(&file)? && names(path, &file)?;
            Ok(is_taken.then_some(Leftover { _file: file }))
        }
    }

    /// Locks a file, and returns whether nobody else has.
    fn is_locked(file: &File) -> io::Result<bool> {
        match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Returns whether `path` still names an open file.
    fn names(path: &Path, file: &File) -> io::Result<bool> {
        let named = unless(io::ErrorKind::NotFound, Identity::of_path(path))?;
        Ok(named == Some(Identity::of_file(file)?))
    }

    fn unless<T>(kind: io::ErrorKind, result: io::Result<T>) -> io::Result<Option<T>> {
        match result {
            Err(error) if error.kind() == kind => Ok(None),
            result => result.map(Some),
        }
    }
}

#[cfg(windows)]
mod platform {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::os::windows::fs::OpenOptionsExt;
    use std::path::Path;

    const SHARE_READ_AND_WRITE: u32 = 3;
    const ERROR_SHARING_VIOLATION: i32 = 32;

    /// The file, held by being open: a lock would keep SQLite out too.
    #[derive(Debug)]
    pub(crate) struct LoadingFile(File);

    impl LoadingFile {
        /// Makes the file and holds it: nobody can remove it while it is open. Nothing if another maker has made it.
        pub(crate) fn create(path: &Path) -> io::Result<Option<Self>> {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).share_mode(SHARE_READ_AND_WRITE);
            match options.open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
                made => made.map(|file| Some(LoadingFile(file))),
            }
        }

        /// Brings the file to the disk and renames it; an open file could not be renamed.
        pub(crate) fn publish(self, rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
            self.0.sync_all()?;
            drop(self);
            rename()
        }
    }

    /// A file whose maker was killed.
    #[derive(Debug)]
    pub(crate) struct Leftover;

    impl Leftover {
        /// Looks whether the file is open anywhere; nothing if it is, because then its maker lives.
        pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
            match OpenOptions::new().read(true).share_mode(0).open(path) {
                Ok(_) => Ok(Some(Leftover)),
                Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        }
    }
}
