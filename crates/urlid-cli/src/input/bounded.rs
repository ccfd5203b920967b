//! Files that are read whole, up to a limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::report::exit::Failure;

/// The most bytes of a public suffix list, a key, a file of queries or of vectors, and of the files that
/// accompany a hidden list: a delta, a shard, an index, a signature, a state.
const MOST: u64 = 64 << 20;

/// Reads a text from a file or a pipe.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    read_text_up_to(path, MOST as usize)
}

/// Reads a text of at most `most` bytes from a file or a pipe.
pub(crate) fn read_text_up_to(path: &Path, most: usize) -> Result<String, Failure> {
    let text = File::open(path).and_then(|file| read_up_to(file, most as u64)).and_then(as_text);
    text.map_err(|error| Failure::read(path, &error))
}

/// Reads the lines of a text. Like lines of URLs they end with LF, CR LF or CR, and follow an optional byte
/// order mark.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<String>, Failure> {
    let text = read_text(path)?.replace("\r\n", "\n");
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(text.split(['\n', '\r']).map(str::to_owned).collect())
}

/// Reads a file or a pipe.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    File::open(path).and_then(read).map_err(|error| Failure::read(path, &error))
}

/// Reads a text from a regular file.
pub(crate) fn read_file_text(path: &Path) -> Result<String, Failure> {
    read_file(path).and_then(as_text).map_err(|error| Failure::read(path, &error))
}

/// Reads a regular file.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = open_file(path)?;
    // A larger file is not read at all. One that grows is still read up to the limit only.
    if file.metadata()?.len() > MOST { Err(too_large(MOST)) } else { read(file) }
}

/// Opens a regular file, links followed. Anything else is an error, and a pipe without a writer does not
/// block.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    // The file is opened before it is examined, because the path may name a different file a moment later.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    match (kind.is_file(), kind.is_dir()) {
        (true, _) => Ok(file),
        (false, true) => Err(io::ErrorKind::IsADirectory.into()),
        (false, false) => {
            Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file, found a pipe or a device"))
        }
    }
}

fn as_text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "file is not UTF-8"))
}

fn read(file: File) -> io::Result<Vec<u8>> {
    read_up_to(file, MOST)
}

fn read_up_to(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte over the limit distinguishes a larger file from a file at the limit. The size is not looked
    // up, because a pipe lacks one.
    let read = file.take(most + 1).read_to_end(&mut bytes)?;
    if read as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn too_large(most: u64) -> io::Error {
    let expected = format!("file is too large: expected at most {} MiB", most >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, expected)
}
