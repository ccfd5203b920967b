//! `cargo xtask oracles`: installs the packages of Python and Node that canonical forms and indexes of
//! archives are compared with, and Datasette.
//!
//! Each file of `dev/xtask/oracles` is an environment of Python of its own under the cache folder. CPython
//! 3.11 is part of what the forms freeze: later releases of its `urllib.parse` put some URLs together in
//! another way. So are Node 20 and 22, which are packages of Node beside those of the forms. With
//! `URLID_ORACLE_SOURCES`, the implementations for Java and Go are built too.

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

/// Installs a package and the Node that it runs on, and returns the path of `node`.
pub(crate) fn node(name: &str) -> Result<PathBuf, String> {
    let modules = npm::install(name, &root()?.join("dev/xtask/oracles").join(name))?;
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    Ok(modules.join(format!("node-linux-{machine}/bin/node")))
}

/// Makes an environment, unless it is there with the same packages.
pub(crate) fn install(requirements: &Path, environment: &Path) -> Result<(), String> {
    let wanted = std::fs::read_to_string(requirements)
        .map_err(|error| format!("{}: {error}", requirements.display()))?;
    // The copy is written last, so that half an environment has none.
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
