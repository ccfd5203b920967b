//! The libraries of bindings, and the folders in which they are built.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{self, finish, root};

/// The environment variable that names the folder of a build of all crates with all features, whose
/// libraries are used unchanged. `cargo xtask test` sets it, so that bindings do not compile again what the
/// crates' own tests have compiled.
pub(crate) const BUILT: &str = "URLID_BUILT";

/// Copies a file. An error has the path of the copy.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", to.display()))
}

/// Creates a folder and its parents, unless they exist.
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

/// Runs `cargo build` for the crate of a manifest and returns the folder of its library. The profile is the
/// published one, or for `cargo xtask test` the profile of all other tests.
pub(super) fn build(manifest: &Path, target: &Path) -> Result<PathBuf, String> {
    let is_for_tests = std::env::var_os(BUILT).is_some();
    let (profile, folder) = if is_for_tests { ("dev", "debug") } else { ("dist", "dist") };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--profile", profile, "--manifest-path"]).arg(root()?.join(manifest));
    finish(cargo.env("CARGO_TARGET_DIR", target))?;
    Ok(target.join(folder))
}

/// Returns the output folder of a binding.
pub(super) fn target(name: &str) -> Result<PathBuf, String> {
    let folder = command::target()?.join("bindings").join(name);
    create_folder(&folder)?;
    Ok(folder)
}
