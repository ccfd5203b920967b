//! The imports among the files of a crate or package.
//!
//! A file imports a second file if it names an item that is defined there, by `use` or by a path. A
//! declaration (`mod a;`) is not an import, and neither is the re-export of an item by a module above it.
//! Code that names a re-exported item imports the file that defines it. Unit tests (`#[cfg(test)]`) are
//! exempt.

mod python;
mod rust;

use crate::circles::Imports;
use crate::{File, files};

/// Returns the imports inside every crate and Python package of the repository.
///
/// # Panics
/// Panics if a source file is not valid Rust.
pub fn all() -> Imports {
    of(&files(&[".rs", ".py"]))
}

/// Returns the imports among files.
///
/// # Panics
/// Panics if a source file is not valid Rust.
pub fn of(sources: &[File]) -> Imports {
    let mut imports = Imports::default();
    let is_root = |path: &str| {
        ["/src/lib.rs", "/src/main.rs"].iter().any(|root| path.ends_with(root))
            || path.contains("/tests/") && path.ends_with("/main.rs")
    };
    for root in sources.iter().filter(|file| is_root(&file.path)) {
        rust::read(root, sources, &mut imports);
    }
    python::read(sources, &mut imports);
    imports
}
