//! Files that are read whole, up to a limit.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::exit::Failure;

/// The most bytes of a public suffix list, a file of queries or a file of vectors.
const MOST: u64 = 256 << 20;

/// Reads a text file.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    read(path).map_err(|error| Failure::read(path, &error))
}

fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(MOST + 1).read_to_string(&mut text)?;
    if read as u64 > MOST {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("file is too large: expected at most {} MiB", MOST >> 20),
        ));
    }
    Ok(text)
}
