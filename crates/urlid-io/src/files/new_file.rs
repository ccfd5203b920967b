//! A file that is written under a random name and renamed when it is complete, and the list of unpublished
//! files.

use std::fs::{File, Metadata, Permissions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::{fs, io, mem};

use tempfile::NamedTempFile;

use crate::files::key::directory_of;

/// The treatment of a regular file that already has the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced, and the new file gets its permissions.
    Replace,
    /// The file is kept, and publishing is an error.
    Keep,
}

/// A file that is not published yet. Dropping it removes it.
///
/// A target that is a device, a pipe or a socket is never replaced. It is written to directly, even through
/// links. Any other link at the target is replaced instead of followed, because in a folder that others can
/// write to, it could name one of the user's own files.
///
/// ```
/// use std::io::Write;
/// use urlid_io::files::{Existing, NewFile};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("ids.txt");
/// let mut file = NewFile::create(&path, Existing::Keep)?;
/// file.write_all(b"004817c7e16ca8ef\n")?;
/// drop(file);
/// assert!(!path.exists(), "it was not published");
/// # std::io::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct NewFile(Inner);

#[derive(Debug)]
enum Inner {
    Regular { temporary: Temporary, target: PathBuf, existing: Existing },
    Special(File),
}

impl NewFile {
    /// Makes an empty file that gets the name `target` in [`NewFile::publish`].
    ///
    /// # Errors
    /// If the directory cannot be written to, if `target` is a directory, or if a file or link has the name
    /// and must be kept.
    pub fn create(target: &Path, existing: Existing) -> io::Result<Self> {
        let found = match target.symlink_metadata() {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let is_link = found.as_ref().is_some_and(Metadata::is_symlink);
        // Only the target of a link is examined here. A link to a missing file is replaced like a link to a
        // file.
        let reached = if is_link { target.metadata().ok() } else { found.clone() };
        if reached.as_ref().is_some_and(Metadata::is_dir) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if reached.is_some_and(|reached| !reached.is_file()) || (is_link && is_descriptor(target)) {
            // Renaming over `/dev/null` or a pipe would replace it with a regular file, for all users if root
            // does it. A descriptor may be a regular file that the shell opened with `>>`, so the file is
            // opened for appending and keeps its contents.
            return Ok(NewFile(Inner::Special(File::options().append(true).open(target)?)));
        }
        if found.is_some() && existing == Existing::Keep {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let permissions = found.filter(|_| !is_link).map(|found| found.permissions());
        let temporary = Temporary::create(directory_of(target), permissions)?;
        Ok(NewFile(Inner::Regular { temporary, target: target.to_owned(), existing }))
    }

    /// Creates a file that only its owner can read, from the first byte on. Like [`create`](Self::create) for
    /// a name that is free.
    ///
    /// # Errors
    /// If the directory cannot be written to, or the name exists.
    pub fn create_private(target: &Path) -> io::Result<Self> {
        if target.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        #[cfg(unix)]
        let permissions = Some(std::os::unix::fs::PermissionsExt::from_mode(0o600));
        #[cfg(not(unix))]
        let permissions = None;
        let temporary = Temporary::create(directory_of(target), permissions)?;
        Ok(NewFile(Inner::Regular { temporary, target: target.to_owned(), existing: Existing::Keep }))
    }

    /// Returns the open file.
    pub fn file(&self) -> &File {
        match &self.0 {
            Inner::Regular { temporary, .. } => temporary.file.as_file(),
            Inner::Special(file) => file,
        }
    }

    /// Returns the name of the file until it is published, or `None` for a device, a pipe or a socket.
    pub fn temporary_path(&self) -> Option<&Path> {
        match &self.0 {
            Inner::Regular { temporary, .. } => Some(temporary.file.path()),
            Inner::Special(_) => None,
        }
    }

    /// Gives the file its name. When this returns, the file and its name are on the disk, as far as
    /// [`sync_directory`] can see to it.
    ///
    /// # Errors
    /// If the file cannot be synced or renamed. It is then removed, and the name keeps its previous file, if
    /// any.
    pub fn publish(self) -> io::Result<()> {
        let Inner::Regular { temporary, target, existing } = self.0 else { return Ok(()) };
        temporary.publish(&target, existing)?;
        sync_directory(directory_of(&target))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Returns whether a link names a descriptor of a process, like `/dev/stdout` and `/dev/fd/3`, whatever file
/// is open there.
fn is_descriptor(link: &Path) -> bool {
    let mut path = link.to_owned();
    // The kernel follows at most 40 links as well.
    for _ in 0..40 {
        let Ok(folder) = directory_of(&path).canonicalize() else { return false };
        // On Linux `/dev/stdout` and `/dev/fd/3` lead to `/proc/PID/fd`.
        if folder.starts_with("/proc") {
            return true;
        }
        match path.read_link() {
            Ok(next) => path = folder.join(next),
            Err(_) => return false,
        }
    }
    false
}

/// A file under its random name.
#[derive(Debug)]
struct Temporary {
    // Declared before `unpublished`, and therefore dropped first, so a signal between the two drops still
    // finds the path in the list.
    file: NamedTempFile,
    unpublished: Unpublished,
    /// The permissions of the replaced file, or `None` if the umask decides.
    permissions: Option<Permissions>,
}

impl Temporary {
    fn create(directory: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".urlid-");
        // `tempfile` creates files with mode 0600. A file that replaces a file, which may be private, keeps
        // that mode until `publish` copies the permissions. A new file gets the usual mode, reduced by the
        // umask.
        #[cfg(unix)]
        if permissions.is_none() {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(Permissions::from_mode(0o666));
        }
        let (file, unpublished) =
            Unpublished::create(|| builder.tempfile_in(directory), NamedTempFile::path)?;
        Ok(Temporary { file, unpublished, permissions })
    }

    fn publish(self, target: &Path, existing: Existing) -> io::Result<()> {
        let Temporary { file, unpublished, permissions } = self;
        // Set before the sync, which then also covers the permissions, and before the rename, after which
        // others can open the file.
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.as_file().sync_all()?;
        // The rename follows the sync. In the other order, a power failure could leave the name on an empty
        // file.
        let published = match existing {
            Existing::Replace => file.persist(target),
            // The kernel checks again, because the name may have been created since `create`.
            Existing::Keep => file.persist_noclobber(target),
        };
        let result = published.map(drop).map_err(|error| error.error);
        // A failed `persist` gives the file back in its error, which is dropped above and removes it. Only
        // then is the path forgotten.
        drop(unpublished);
        result
    }
}

/// Syncs the names in a directory, because syncing a file does not sync its name. Does nothing where
/// directories cannot be synced: on Windows, on some file systems, and where this user may write but not
/// read.
///
/// # Errors
/// If the directory cannot be opened or synced.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    match File::open(directory).and_then(|directory| directory.sync_all()) {
        // The file already has its name, so an error would wrongly report that it was not published.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

static PATHS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes every file and folder that is not published yet. Threads that create or publish one afterwards
/// block forever.
///
/// Call it directly before the process ends, in place of the destructors that will not run.
pub fn remove_unpublished() {
    let mut paths = paths();
    for path in paths.drain(..) {
        // Other threads still run. If one of them creates a file in the folder while it is emptied, the
        // removal fails and is repeated. Once the folder is gone, files cannot be created in it.
        for _ in 0..100 {
            let is_folder = path.symlink_metadata().is_ok_and(|found| found.is_dir());
            let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            // Errors are ignored, because the process is ending and cannot report them.
            match removed {
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
                _ => break,
            }
        }
    }
    // The guard is leaked to keep the lock, because a file made after this loop would be left behind.
    mem::forget(paths);
}

/// An entry of the list: a file or folder of this process that only has its temporary name. Dropping it
/// removes only the entry.
#[derive(Debug)]
pub(crate) struct Unpublished(PathBuf);

impl Unpublished {
    /// Makes a file or folder by `create` and lists its path until the value is dropped.
    pub(crate) fn create<T>(
        create: impl FnOnce() -> io::Result<T>,
        path: impl FnOnce(&T) -> &Path,
    ) -> io::Result<(T, Self)> {
        // The lock is held until the path is in the list, so that every path is listed.
        let mut paths = paths();
        let created = create()?;
        let path = path(&created).to_owned();
        paths.push(path.clone());
        Ok((created, Unpublished(path)))
    }
}

impl Drop for Unpublished {
    fn drop(&mut self) {
        paths().retain(|path| *path != self.0);
    }
}

fn paths() -> MutexGuard<'static, Vec<PathBuf>> {
    // A panic elsewhere does not invalidate a list of paths, and clean-up must still work after it.
    PATHS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(target: &Path, existing: Existing, bytes: &[u8]) -> io::Result<()> {
        let mut file = NewFile::create(target, existing)?;
        file.write_all(bytes)?;
        file.publish()
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(directory).expect("it is there");
        let name =
            |entry: io::Result<std::fs::DirEntry>| entry.expect("it is there").file_name().into_string();
        let mut names: Vec<String> = entries.map(|entry| name(entry).expect("names are text")).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_complete_and_leaves_nothing_else() {
        let directory = tempfile::tempdir().expect("a directory");
        let target = directory.path().join("out");
        let mut file = NewFile::create(&target, Existing::Replace).expect("there is room");
        file.write_all(b"half").expect("there is room");
        assert!(
            file.temporary_path().is_some_and(|path| path.starts_with(directory.path()) && path.exists())
        );
        assert!(!target.exists());
        drop(file);
        assert!(names(directory.path()).is_empty());
        write(&target, Existing::Replace, b"one").expect("nothing is in the way");
        write(&target, Existing::Replace, b"two").expect("a file is replaced");
        assert_eq!(std::fs::read(&target).expect("it is there"), b"two");
        assert_eq!(names(directory.path()), ["out"]);
    }

    #[test]
    fn a_file_that_is_kept_is_an_error_also_if_it_comes_late() {
        let directory = tempfile::tempdir().expect("a directory");
        let target = directory.path().join("out");
        let mut late = NewFile::create(&target, Existing::Keep).expect("nothing is in the way");
        late.write_all(b"new").expect("there is room");
        std::fs::write(&target, "old").expect("there is room");
        let kind = |result: io::Result<()>| result.expect_err("it is kept").kind();
        assert_eq!(kind(late.publish()), io::ErrorKind::AlreadyExists);
        assert_eq!(kind(write(&target, Existing::Keep, b"new")), io::ErrorKind::AlreadyExists);
        assert_eq!(std::fs::read(&target).expect("it is there"), b"old");
        assert_eq!(names(directory.path()), ["out"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_of_a_replaced_file_stay() {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().expect("a directory");
        let target = directory.path().join("out");
        std::fs::write(&target, "old").expect("there is room");
        std::fs::set_permissions(&target, Permissions::from_mode(0o640)).expect("it is ours");
        write(&target, Existing::Replace, b"new").expect("a file is replaced");
        assert_eq!(target.metadata().expect("it is there").permissions().mode() & 0o777, 0o640);
        assert!(NewFile::create(directory.path(), Existing::Replace).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_or_to_nothing_is_replaced_and_never_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().expect("a directory");
        let at = |name: &str| directory.path().join(name);
        std::fs::write(at("victim"), "precious").expect("there is room");
        std::fs::set_permissions(at("victim"), Permissions::from_mode(0o600)).expect("it is ours");
        for (name, to) in [("near", "victim"), ("far", "near"), ("dangling", "nowhere"), ("loop", "loop")] {
            let link = at(name);
            symlink(to, &link).expect("links work");
            let kept = NewFile::create(&link, Existing::Keep).expect_err("the name is taken");
            assert_eq!(kept.kind(), io::ErrorKind::AlreadyExists, "{name}");
            write(&link, Existing::Replace, b"new").expect("a link is replaced");
            assert!(!link.is_symlink(), "{name}");
            assert_eq!(std::fs::read(&link).expect("it is there"), b"new");
            assert_ne!(link.metadata().expect("it is there").permissions().mode() & 0o777, 0o600, "{name}");
        }
        assert_eq!(std::fs::read(at("victim")).expect("it is there"), b"precious");
        assert!(!at("nowhere").exists());
        symlink(".", at("folder")).expect("links work");
        assert!(NewFile::create(&at("folder"), Existing::Replace).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_to_a_descriptor_or_a_device_is_written_to_and_stays() {
        use std::os::fd::AsRawFd;
        use std::os::unix::fs::symlink;
        let directory = tempfile::tempdir().expect("a directory");
        let at = |name: &str| directory.path().join(name);
        std::fs::write(at("log"), "old ").expect("there is room");
        let log = File::options().append(true).open(at("log")).expect("it is there");
        for (name, to) in [
            ("fd", format!("/proc/self/fd/{}", log.as_raw_fd())),
            ("dev", format!("/dev/fd/{}", log.as_raw_fd())),
            ("again", "fd".to_owned()),
            ("null", "/dev/null".to_owned()),
        ] {
            symlink(to, at(name)).expect("links work");
            write(&at(name), Existing::Replace, name.as_bytes()).expect("it is written to");
            assert!(at(name).is_symlink(), "{name}");
        }
        assert_eq!(std::fs::read(at("log")).expect("it is there"), b"old fddevagain");
    }

    #[cfg(unix)]
    #[test]
    fn a_special_file_is_written_to_and_stays() {
        use std::os::unix::fs::FileTypeExt;
        write(Path::new("/dev/null"), Existing::Replace, b"gone").expect("it takes everything");
        let kind = Path::new("/dev/null").metadata().expect("it is there").file_type();
        assert!(kind.is_char_device());
    }
}
