//! Files that are read whole, up to a limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::exit::Failure;

/// The most bytes of a public suffix list, a key, a file of queries or a file of vectors.
const MOST: u64 = 64 << 20;

/// Reads a text file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let text = read(path).and_then(|bytes| {
        String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "file is not UTF-8"))
    });
    text.map_err(|error| Failure::read(path, &error))
}

/// Reads a file.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    read(path).map_err(|error| Failure::read(path, &error))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte over the limit tells a larger file from one at the limit. The size is not looked up, because a pipe has none.
    let read = File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    if read as u64 > MOST {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("file is too large: expected at most {} MiB", MOST >> 20),
        ));
    }
    Ok(bytes)
}
