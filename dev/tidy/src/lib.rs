//! The house rules, as tests. They check properties that compilers do not check and readers rely on.
//!
//! This crate reads the inputs of the rules, which are the files that git tracks and their imports. Each
//! rule is a test in `tests/`.

pub mod circles;
pub mod imports;
pub mod repeats;

use std::path::{Path, PathBuf};
use std::process::Command;

/// A tracked text file.
pub struct File {
    /// Its path from the root, with forward slashes.
    pub path: String,
    /// Its whole text.
    pub text: String,
}

/// Returns the root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is in `dev`")
}

/// Returns the tracked files whose path ends with one of `endings` and that are UTF-8.
///
/// # Panics
/// Panics if git does not answer, because the rules are for a checkout.
pub fn files(endings: &[&str]) -> Vec<File> {
    let output =
        Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().expect("git answers");
    assert!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
    let paths = String::from_utf8(output.stdout).expect("paths are UTF-8");
    let is_wanted = |path: &&str| endings.iter().any(|ending| path.ends_with(ending));
    paths.split('\0').filter(is_wanted).filter_map(read).collect()
}

fn read(path: &str) -> Option<File> {
    let full: PathBuf = root().join(path);
    Some(File { path: path.to_owned(), text: std::fs::read_to_string(full).ok()? })
}
