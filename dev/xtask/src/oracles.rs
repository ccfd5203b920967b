//! `cargo xtask oracles`: installs Datasette, and the packages of Python and Node with which canonical forms
//! and indexes of archives are compared.
//!
//! Each file of `dev/xtask/oracles` is a separate Python environment under the cache folder. The forms
//! freeze the behaviour of CPython 3.11, because later releases of its `urllib.parse` build some URLs
//! differently. They also freeze the behaviour of Node 20 and 22, which are Node packages next to the
//! packages of the forms. With `URLID_ORACLE_SOURCES`, the implementations for Java and Go are also built.

mod sources;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{cache, finish, root};
use crate::npm;

const ENVIRONMENTS: [&str; 6] =
    ["w3lib-2.5", "w3lib-2.4", "crawlee-1.11", "url-normalize-2.2", "archives", "datasette-0.65"];

/// Takes no arguments.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let folder = cache()?.join("oracles");
    for name in ENVIRONMENTS {
        let requirements = root()?.join(format!("dev/xtask/oracles/{name}.txt"));
        install(&requirements, &folder.join(name))?;
    }
    node("normalize-url-9")?;
    node("normalize-url-10")?;
    node("spec-url")?;
    match std::env::var_os("URLID_ORACLE_SOURCES") {
        Some(checkouts) => sources::build(Path::new(&checkouts), &folder),
        None => Ok(()),
    }
}

/// Installs a package and the Node on which it runs, and returns the path of `node`.
pub(crate) fn node(name: &str) -> Result<PathBuf, String> {
    let modules = npm::install(name, &root()?.join("dev/xtask/oracles").join(name))?;
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    Ok(modules.join(format!("node-linux-{machine}/bin/node")))
}

/// Makes an environment, unless it exists with the same packages.
pub(crate) fn install(requirements: &Path, environment: &Path) -> Result<(), String> {
    let wanted = std::fs::read_to_string(requirements)
        .map_err(|error| format!("{}: {error}", requirements.display()))?;
    // The copy is written last, so that an incomplete environment lacks it.
    let installed = environment.join("requirements.txt");
    if std::fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(());
    }
    finish(Command::new("python3.11").args(["-m", "venv", "--clear"]).arg(environment))?;
    finish(
        Command::new(environment.join("bin/pip"))
            .args(["install", "--quiet", "--disable-pip-version-check", "--requirement"])
            .arg(requirements),
    )?;
    std::fs::write(&installed, wanted).map_err(|error| format!("{}: {error}", installed.display()))
}
