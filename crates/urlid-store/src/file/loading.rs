//! The file `NAME.loading` of an index that is being made. It is locked while its maker lives, and private
//! until it is complete.

pub(super) use platform::{Leftover, LoadingFile};

#[cfg(unix)]
mod platform {
    use std::fs::{File, OpenOptions, Permissions, TryLockError};
    use std::io;
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    use std::path::Path;

    use urlid_io::files::Identity;

    /// The file, held by `flock`, which does not conflict with SQLite's POSIX locks.
    #[derive(Debug)]
    pub(crate) struct LoadingFile {
        file: File,
        /// The mode of the finished file: 0666 without the bits of the umask.
        mode: u32,
    }

    impl LoadingFile {
        /// Creates and locks the file. Returns `None` if a different maker has created it, or removed it as a
        /// leftover between creation and lock.
        pub(crate) fn create(path: &Path) -> io::Result<Option<Self>> {
            let made = OpenOptions::new().write(true).create_new(true).mode(0o666).open(path);
            let Some(file) = unless(io::ErrorKind::AlreadyExists, made)? else { return Ok(None) };
            if !is_locked(&file)? || !names(path, &file)? {
                return Ok(None);
            }
            let mode = file.metadata()?.permissions().mode();
            // The umask is read from the mode of the created file, because `umask(2)` returns it only by
            // replacing it.
            file.set_permissions(Permissions::from_mode(mode & 0o600))?;
            Ok(Some(LoadingFile { file, mode }))
        }

        /// Syncs the file and renames it while it is still locked.
        pub(crate) fn publish(self, rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
            // The mode is set before the sync, so that a power cut never leaves a finished index that only
            // its maker can read.
            self.file.set_permissions(Permissions::from_mode(self.mode))?;
            self.file.sync_all()?;
            rename()
        }
    }

    /// The file of a killed maker, locked so that other loads cannot remove it.
    #[derive(Debug)]
    pub(crate) struct Leftover {
        _file: File,
    }

    impl Leftover {
        /// Locks the file. Returns `None` if its maker lives, or has published or removed it in between.
        pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
            let Some(file) = unless(io::ErrorKind::NotFound, File::open(path))? else { return Ok(None) };
            let is_taken = is_locked(&file)? && names(path, &file)?;
            Ok(is_taken.then_some(Leftover { _file: file }))
        }
    }

    /// Locks a file without waiting, and returns whether that succeeded.
    fn is_locked(file: &File) -> io::Result<bool> {
        match file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Returns whether `path` still names the open file.
    fn names(path: &Path, file: &File) -> io::Result<bool> {
        let named = unless(io::ErrorKind::NotFound, Identity::of_path(path))?;
        Ok(named == Some(Identity::of_file(file)?))
    }

    /// Turns one kind of error into `None`.
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

    /// `FILE_SHARE_READ | FILE_SHARE_WRITE` without `FILE_SHARE_DELETE`. SQLite may open the file, but no
    /// process may remove it.
    const SHARE_READ_AND_WRITE: u32 = 3;
    const ERROR_SHARING_VIOLATION: i32 = 32;

    /// The file, held by being open. Locks are mandatory on Windows, so a lock would exclude SQLite as well.
    #[derive(Debug)]
    pub(crate) struct LoadingFile(File);

    impl LoadingFile {
        /// Creates the file, which cannot be removed while it is open. Returns `None` if a different maker
        /// has created it.
        pub(crate) fn create(path: &Path) -> io::Result<Option<Self>> {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).share_mode(SHARE_READ_AND_WRITE);
            match options.open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
                made => made.map(|file| Some(LoadingFile(file))),
            }
        }

        /// Syncs, closes and renames the file. An open file cannot be renamed.
        pub(crate) fn publish(self, rename: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
            self.0.sync_all()?;
            drop(self);
            rename()
        }
    }

    /// The file of a killed maker.
    #[derive(Debug)]
    pub(crate) struct Leftover;

    impl Leftover {
        /// Opens the file without sharing. Returns `None` if a process has it open, because then its maker
        /// lives.
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
