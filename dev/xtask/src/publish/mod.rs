//! The published artefacts other than crates: `cargo xtask dist` and `cargo xtask build wheel`.

mod archive;
mod install;
mod program;
mod release;
mod third_party;
mod wheel;

pub(crate) use install::run as install;
pub(crate) use program::run as dist;
pub(crate) use release::{formula, run as release};
pub(crate) use wheel::run as wheel;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::command::{cache, finish, root};
use crate::oracles;

/// Returns the folder of all published artefacts.
pub(crate) fn folder() -> Result<PathBuf, String> {
    let folder = root()?.join("target/dist");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// The tools of `dev/xtask/tools/release.txt`, in a Python environment.
struct Tools {
    folder: PathBuf,
}

impl Tools {
    /// Installs the tools, unless they are installed.
    fn install() -> Result<Self, String> {
        let folder = cache()?.join("wheel-tools");
        oracles::install(&root()?.join("dev/xtask/tools/release.txt"), &folder)?;
        Ok(Tools { folder })
    }

    /// Returns the path of a tool.
    fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }

    /// Returns the folder of the Python packages.
    fn packages(&self) -> PathBuf {
        self.folder.join("lib/python3.11/site-packages")
    }

    /// Returns `PATH` with the tools before all others.
    fn paths(&self) -> Result<OsString, String> {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(self.folder.join("bin")).chain(std::env::split_paths(&paths));
        std::env::join_paths(paths).map_err(|error| error.to_string())
    }
}

/// Installs a program from the registry under the cache, unless it is installed, and returns its path.
///
/// It is built without optimisation, because it runs for seconds, and an optimised build takes minutes.
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
