//! Running other programs, and the folder in which tasks keep what they make.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns `URLID_CACHE`, which is `~/.cache/urlid` by default.
pub(crate) fn cache() -> Result<PathBuf, String> {
    match (std::env::var_os("URLID_CACHE"), std::env::var_os("HOME")) {
        (Some(folder), _) => Ok(folder.into()),
        (None, Some(home)) => Ok(Path::new(&home).join(".cache/urlid")),
        (None, None) => Err("neither URLID_CACHE nor HOME is set".into()),
    }
}

/// Runs a command to its end; a failure is an error.
pub(crate) fn finish(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed: {status}")) }
}

/// Returns the root of the repository.
pub(crate) fn root() -> Result<&'static Path, String> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or_else(|| "the crate has no parent folder".into())
}
