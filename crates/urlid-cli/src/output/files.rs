//! The files of a command. Checks that its outputs are neither its inputs nor each other.

use std::path::{Path, PathBuf};

use urlid_io::files::{Existing, FileKey, NewFile, directory_of};

use crate::output::escape::Escaped;
use crate::report::exit::Failure;

/// The files that a command reads and writes, compared by identity, so that links and other names of a file
/// do not hide it.
#[derive(Clone, Debug, Default)]
pub(crate) struct FilesInUse {
    read: Vec<PathBuf>,
    reads_stdin: bool,
    /// Each with the option that names it.
    written: Vec<(&'static str, PathBuf)>,
}

impl FilesInUse {
    /// Starts with the files that the command reads. A folder stands for the files in it.
    pub(crate) fn reading<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Self {
        let read: Vec<PathBuf> = paths.into_iter().map(|path| path.as_ref().to_owned()).collect();
        FilesInUse { reads_stdin: read.iter().any(|path| is_stdin(path)), read, written: Vec::new() }
    }

    /// Adds a file that the command reads, or `-`.
    ///
    /// # Errors
    /// If the command writes it.
    pub(crate) fn read(&mut self, path: &Path) -> Result<(), Failure> {
        let other = FilesInUse::reading([path]);
        self.written.iter().try_for_each(|(option, written)| other.check(option, written))?;
        self.read.extend(other.read);
        self.reads_stdin |= other.reads_stdin;
        Ok(())
    }

    /// Adds the file that `option` names and the command writes, if the option is given.
    ///
    /// # Errors
    /// If the command reads the file, or writes other data to it.
    pub(crate) fn write(&mut self, option: &'static str, path: Option<&Path>) -> Result<(), Failure> {
        if let Some(path) = path {
            self.check(option, path)?;
            self.written.push((option, path.to_owned()));
        }
        Ok(())
    }

    /// Returns an error if a file that the command writes is in use.
    pub(crate) fn check(&self, option: &str, path: &Path) -> Result<(), Failure> {
        // A path without a key cannot be opened, and that is reported when it is.
        let Ok(key) = FileKey::of_path(path) else { return Ok(()) };
        let is_in_read_folder =
            || FileKey::of_path(directory_of(path)).is_ok_and(|key| key.is_of_any(&self.read));
        let is_stdin = || self.reads_stdin && is_open(path, &key, &std::io::stdin());
        let is_read = key.is_of_any(&self.read) || is_in_read_folder() || is_stdin();
        let is_written = key.is_of_any(self.written.iter().map(|(_, path)| path));
        let use_of_it = match option {
            // Rejected lines are also data of the user, so they must not go to the place where rows are
            // printed.
            "--rejects" if is_read || is_written || is_standard_stream(path, &key) => {
                "reads or writes this file"
            }
            _ if is_read => "reads this file",
            _ if is_written => "writes something else to this file",
            _ => return Ok(()),
        };
        Err(Failure::usage(format!("{option} {}: the command {use_of_it}", Escaped::path(path))))
    }
}

/// Returns whether a file is standard input or output.
fn is_standard_stream(path: &Path, key: &FileKey) -> bool {
    is_open(path, key, &std::io::stdin()) || is_open(path, key, &std::io::stdout())
}

/// Returns whether a file is a stream that is open. A device such as `/dev/null` may be several without harm.
#[cfg(unix)]
fn is_open(path: &Path, key: &FileKey, stream: &impl std::os::fd::AsFd) -> bool {
    use std::os::unix::fs::FileTypeExt;
    if path.metadata().is_ok_and(|data| data.file_type().is_char_device()) {
        return false;
    }
    let file = stream.as_fd().try_clone_to_owned().map(std::fs::File::from);
    file.and_then(|file| FileKey::of_file(&file)).is_ok_and(|other| other == *key)
}

#[cfg(not(unix))]
fn is_open<S>(_: &Path, _: &FileKey, _: &S) -> bool {
    false
}

/// Returns whether a path is the name of standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Makes a file that receives its name when it is published.
pub(crate) fn create(path: &Path) -> Result<NewFile, Failure> {
    NewFile::create(path, Existing::Replace).map_err(|error| Failure::write(path, &error))
}
