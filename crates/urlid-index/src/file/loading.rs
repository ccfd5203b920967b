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
        /// Makes the file and holds it; nothing if another maker has taken it for a leftover in between.
        pub(crate) fn create(path: &Path) -> io::Result<Option<Self>> {
            let file = OpenOptions::new().write(true).create_new(true).mode(0o666).open(path)?;
            file.try_lock()?;
            if Identity::of_path(path)? != Identity::of_file(&file)? {
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
        /// Takes the file; nothing if its maker lives.
        pub(crate) fn take(path: &Path) -> io::Result<Option<Self>> {
            let file = File::open(path)?;
            match file.try_lock() {
                Ok(()) if Identity::of_path(path)? == Identity::of_file(&file)? => {
                    Ok(Some(Leftover { _file: file }))
                }
                Ok(()) | Err(TryLockError::WouldBlock) => Ok(None),
                Err(TryLockError::Error(error)) => Err(error),
            }
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
        /// Makes the file and holds it: nobody can remove it while it is open.
        pub(crate) fn create(path: &Path) -> io::Result<Option<Self>> {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).share_mode(SHARE_READ_AND_WRITE);
            options.open(path).map(|file| Some(LoadingFile(file)))
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
                Err(error) => Err(error),
            }
        }
    }
}
