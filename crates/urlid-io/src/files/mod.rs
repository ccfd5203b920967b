//! Files that appear under their names when they are complete.
//!
//! A [`NewFile`] is written under a random name in the directory of its target, synced, and renamed. A reader
//! never sees a partial file, concurrent writers do not mix their bytes, and a failed writer leaves the
//! previous file. A [`NewFolder`] is the same for a folder, and replaces nothing. [`FileKey`] compares files
//! by identity, whatever their names; [`read_at()`] reads them at offsets.
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

// A file without a name (`O_TMPFILE`) would need no removal, but only Linux has it, and replacing a file
// still needs a name.
mod key;
mod new_file;
mod new_folder;
mod read_at;

pub use key::{FileKey, Identity, directory_of};
pub use new_file::{Existing, NewFile, remove_unpublished, sync_directory};
pub use new_folder::NewFolder;
pub use read_at::{read_at, read_exact_at};
