//! What is published beside the crates: `cargo xtask dist`, `cargo xtask build wheel` and `cargo xtask book`.

mod archive;
mod book;
mod install;
mod program;
mod third_party;
mod wheel;

pub(crate) use book::run as book;
pub(crate) use install::run as install;
pub(crate) use program::run as dist;
pub(crate) use wheel::run as wheel;

use std::path::PathBuf;
use std::process::Command;

use crate::command::{cache, finish, root};

/// Returns the folder of everything that is published.
pub(crate) fn folder() -> Result<PathBuf, String> {
    let folder = root()?.join("target/dist");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// Installs a program from the registry under the cache, unless it is there, and returns its path.
///
/// It is built without optimisation: it runs for seconds, and building it otherwise takes minutes.
fn tool(name: &str, version: &str, options: &[&str]) -> Result<PathBuf, String> {
    let folder = cache()?.join("tools");
    let program = folder.join("bin").join(name);
    let found = Command::new(&program).arg("--version").output();
    if found.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(version)) {
        return Ok(program);
    }
    let mut cargo = Command::new("cargo");
    cargo.args(["install", "--quiet", "--locked", "--force", "--debug", name, "--version", version]);
    cargo.args(options).arg("--root").arg(&folder).env("CARGO_TARGET_DIR", folder.join("target"));
    cargo.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").env("CARGO_PROFILE_DEV_DEBUG", "0").env_remove("RUSTFLAGS");
    finish(&mut cargo)?;
    Ok(program)
}
