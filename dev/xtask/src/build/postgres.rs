//! The extension of PostgreSQL: a shim over the library for C, built with PGXS.

use std::path::PathBuf;
use std::process::Command;

use super::c;
use super::library::{copy, create_folder, target};
use crate::command::{finish, root};

/// The environment variable `PG_CONFIG` names the program of the PostgreSQL to build for.
pub(super) fn make() -> Result<PathBuf, String> {
    let (sources, folder) = (root()?.join("bindings/postgres"), target("postgres")?);
    let library = c::make()?;
    create_folder(&folder)?;
    let mut make = Command::new("make");
    // The bitcode that PostgreSQL's compiler could inline needs Clang and contains nothing of the library.
    make.current_dir(&folder).arg("with_llvm=no").arg("--quiet");
    make.arg(format!("URLID={}", library.display()));
    if let Some(program) = std::env::var_os("PG_CONFIG") {
        make.arg(format!("PG_CONFIG={}", program.display()));
    }
    finish(make.arg("--file").arg(sources.join("Makefile")))?;
    copy(&sources.join("urlid.control"), &folder.join("urlid.control"))?;
    Ok(folder)
}
