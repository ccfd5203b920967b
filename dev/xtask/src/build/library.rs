//! The libraries of bindings, and the folders in which they are built.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, finish, root};

/// The environment variable that names the folder of a build of all crates with all features, whose libraries
/// are taken as they are. `cargo xtask test` sets it, so that no binding compiles again what the crates' own
/// tests have compiled.
pub(crate) const BUILT: &str = "URLID_BUILT";

/// Copies a file; a failure is reported with the path of the copy.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", to.display()))
}

/// Makes a folder with those it lies in, if it is not there.
pub(super) fn create_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Builds the library of `bindings/NAME`, crate `urlid-NAME`, as it is published, and returns its path. The
/// next build of the crate replaces the file.
pub(super) fn library(name: &str) -> Result<PathBuf, String> {
    let file = file_name(name);
    if let Some(built) = std::env::var_os(BUILT) {
        return Ok(Path::new(&built).join(file));
    }
    let target = command::target()?;
    Ok(build(&Path::new("bindings").join(name).join("Cargo.toml"), &target)?.join(file))
}

/// Returns the name that Cargo gives the library of crate `urlid-NAME`.
pub(super) fn file_name(name: &str) -> String {
    format!("{}urlid_{name}{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// Runs `cargo build` for the crate of a manifest and returns the folder of its library: in the profile of
/// what is published, or for `cargo xtask test` in the one of all other tests.
pub(super) fn build(manifest: &Path, target: &Path) -> Result<PathBuf, String> {
    let is_for_tests = std::env::var_os(BUILT).is_some();
    let (profile, folder) = if is_for_tests { ("dev", "debug") } else { ("dist", "dist") };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--profile", profile, "--manifest-path"]).arg(root()?.join(manifest));
    finish(cargo.env("CARGO_TARGET_DIR", target))?;
    Ok(target.join(folder))
}

/// Returns the folder for what is made of a binding.
pub(super) fn target(name: &str) -> Result<PathBuf, String> {
    let folder = command::target()?.join("bindings").join(name);
    create_folder(&folder)?;
    Ok(folder)
}
