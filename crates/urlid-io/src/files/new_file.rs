//! A file that is written under a random name and renamed when it is complete.

use std::fs::{File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::files::key::directory_of;
use crate::files::unpublished::Unpublished;

/// How to treat a regular file that already has the name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced, and the new file gets its permissions.
    Replace,
    /// It stays, and publishing is an error.
    Keep,
}

/// A file that is not published yet; dropping it removes it.
///
/// A target that is a device, a pipe or a socket is never replaced: it is written to directly. A link is followed, so
/// that the file it points to is replaced and the link stays.
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
    /// Makes an empty file that [`NewFile::publish`] gives the name `target`.
    ///
    /// # Errors
    /// If the directory cannot be written to, `target` is a directory or a link to nothing, or a file has the name and is
    /// to be kept.
    pub fn create(target: &Path, existing: Existing) -> io::Result<Self> {
        let found = match target.metadata() {
            Ok(metadata) => Some(metadata),
            // A dangling link is also "not found". Publishing would replace the link, so it is an error instead.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !target.is_symlink() => None,
            Err(error) => return Err(error),
        };
        let Some(found) = found else {
            let temporary = Temporary::create(directory_of(target), None)?;
            return Ok(NewFile(Inner::Regular { temporary, target: target.to_owned(), existing }));
        };
        if found.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !found.is_file() {
            // Renaming over `/dev/null` or a pipe would replace it by a regular file, for everybody if root does it.
            return Ok(NewFile(Inner::Special(File::options().write(true).open(target)?)));
        }
        if existing == Existing::Keep {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let target = target.canonicalize()?;
        // The temporary file lies beside the file that a link names: `rename` works within one file system only.
        let temporary = Temporary::create(directory_of(&target), Some(found.permissions()))?;
        Ok(NewFile(Inner::Regular { temporary, target, existing }))
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

    /// Gives the file its name. When this returns, the file and its name are on the disk.
    ///
    /// # Errors
    /// If the file cannot be synced or renamed. It is then removed, and the name keeps its previous file, if any.
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

/// A file under its random name.
#[derive(Debug)]
struct Temporary {
    // Declared, and so dropped, before `unpublished`: a signal in between still finds the path listed.
    file: NamedTempFile,
    unpublished: Unpublished,
    /// The permissions of the replaced file; `None` if the umask decides.
    permissions: Option<Permissions>,
}

impl Temporary {
    fn create(directory: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".urlid-");
        // `tempfile` creates files with mode 0600. That stays for a file that replaces another one, which may be private, until
        // `publish` copies the permissions; a new file gets the usual mode, from which the umask takes bits.
        #[cfg(unix)]
        if permissions.is_none() {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(Permissions::from_mode(0o666));
        }
        let (file, unpublished) = Unpublished::create(|| builder.tempfile_in(directory))?;
        Ok(Temporary { file, unpublished, permissions })
    }

    fn publish(self, target: &Path, existing: Existing) -> io::Result<()> {
        let Temporary { file, unpublished, permissions } = self;
        // Before the sync, which then covers the permissions too, and before the rename, after which others open the file.
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
        }
        file.as_file().sync_all()?;
        // Renamed after the sync: otherwise a power cut could leave the name on an empty file.
        let published = match existing {
            Existing::Replace => file.persist(target),
            // Checked again by the kernel: the name may have been taken since `create`.
            Existing::Keep => file.persist_noclobber(target),
        };
        let result = published.map(drop).map_err(|error| error.error);
        // A failed `persist` gives the file back in its error, which is dropped above and removes it. Only then is the path
        // forgotten.
        drop(unpublished);
        result
    }
}

/// Syncs the names in a directory: syncing a file does not sync its name. Does nothing on Windows, where directories cannot be
/// synced.
///
/// # Errors
/// If the directory cannot be opened or synced.
pub fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(windows) { Ok(()) } else { File::open(directory)?.sync_all() }
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
    fn permissions_stay_and_links_stay_links() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().expect("a directory");
        let target = directory.path().join("out");
        std::fs::write(&target, "old").expect("there is room");
        std::fs::set_permissions(&target, Permissions::from_mode(0o640)).expect("it is ours");
        let link = directory.path().join("link");
        symlink("out", &link).expect("links work");
        write(&link, Existing::Replace, b"new").expect("a link is followed");
        assert!(link.is_symlink());
        assert_eq!(std::fs::read(&target).expect("it is there"), b"new");
        assert_eq!(target.metadata().expect("it is there").permissions().mode() & 0o777, 0o640);
        let dangling = directory.path().join("dangling");
        symlink("nowhere", &dangling).expect("links work");
        assert!(NewFile::create(&dangling, Existing::Replace).is_err());
        assert!(NewFile::create(directory.path(), Existing::Replace).is_err());
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
