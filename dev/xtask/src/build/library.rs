//! The libraries of bindings, and the folders in which they are built.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, finish, root};

/// Copies a file; a failure is reported with the path of the copy.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", to.display()))
}

/// Makes a folder with those it lies in, if it is not there.
pub(super) fn create_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Builds the library of `bindings/NAME`, crate `urlid-NAME`, and returns its path.
pub(super) fn library(name: &str) -> Result<PathBuf, String> {
    library_with(name, &[], &target(name)?)
}

/// As [`library`], with features of the crate, in a folder of its own: each build replaces the files of the one before.
pub(super) fn library_with(name: &str, features: &[&str], target: &Path) -> Result<PathBuf, String> {
    let manifest = Path::new("bindings").join(name).join("Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--manifest-path"]).arg(root()?.join(manifest));
    if !features.is_empty() {
        cargo.arg("--features").arg(features.join(","));
    }
    finish(cargo.env("CARGO_TARGET_DIR", target))?;
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    Ok(target.join("release").join(format!("{prefix}urlid_{name}{suffix}")))
}

/// Returns the folder in which a binding is built.
pub(super) fn target(name: &str) -> Result<PathBuf, String> {
    Ok(command::target()?.join("bindings").join(name))
}
