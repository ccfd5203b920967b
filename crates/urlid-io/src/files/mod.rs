//! Files that appear under their names when they are complete.
//!
//! A [`NewFile`] is written under a random name in the directory of its target, synced, and renamed. A reader
//! never sees a partial file, concurrent writers do not mix their bytes, and the previous file survives a
//! failed writer. A [`NewFolder`] does the same for a folder, but never replaces an existing one. [`FileKey`]
//! compares files by identity instead of by name. [`read_at()`] reads at an offset.
//!
//! ```
//! use std::io::Write;
//! use urlid_io::files::{Existing, NewFile};
//!
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("ids.txt");
//! let mut file = NewFile::create(&path, Existing::Replace)?;
//! file.write_all(b"004817c7e16ca8ef\n")?;
//! assert!(!path.exists());
//! file.publish()?;
//! assert_eq!(std::fs::read(&path)?, b"004817c7e16ca8ef\n");
//! # std::io::Result::Ok(())
//! ```

mod key;
mod new_file;
mod new_folder;

use std::fs::File;
use std::io;

// A file without a name (`O_TMPFILE`) would not have to be removed, but only Linux has it, and replacing a
// file still requires a name.

pub use key::{FileKey, Identity, directory_of};
pub use new_file::{Existing, NewFile, remove_unpublished, sync_directory};
pub use new_folder::NewFolder;

/// Reads at an offset until `room` is full or the file ends, and returns the number of bytes read. On Windows
/// this also moves the position of the file.
///
/// # Errors
/// If the file cannot be read.
pub fn read_at(file: &File, room: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut len = 0;
    while len < room.len() {
        match read_some_at(file, &mut room[len..], offset + len as u64) {
            Ok(0) => break,
            Ok(n) => len += n,
            // A signal interrupted the read. `FileExt` leaves the retry to the caller.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(len)
}

/// Fills `room` with the bytes at an offset.
///
/// # Errors
/// If the file cannot be read, and [`io::ErrorKind::UnexpectedEof`] if it ends before `room` is full.
pub fn read_exact_at(file: &File, room: &mut [u8], offset: u64) -> io::Result<()> {
    let is_full = read_at(file, room, offset)? == room.len();
    if is_full { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(unix)]
fn read_some_at(file: &File, room: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, room, offset)
}

#[cfg(windows)]
fn read_some_at(file: &File, room: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, room, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_at_their_offset_and_not_past_the_end() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("file");
        std::fs::write(&path, "0123456789").expect("there is room");
        let file = File::open(&path).expect("it is there");
        let mut room = [0; 4];
        read_exact_at(&file, &mut room, 3).expect("they are there");
        assert_eq!(&room, b"3456");
        let end = read_exact_at(&file, &mut room, 8).expect_err("two are there");
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
        assert_eq!(read_at(&file, &mut room, 8).expect("two are there"), 2);
        assert_eq!(read_at(&file, &mut room, 10).expect("the end"), 0);
    }
}
