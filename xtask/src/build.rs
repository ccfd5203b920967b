//! `cargo xtask build NAME`: builds a binding and prints the path of what was made on the last line.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{finish, root};

mod c;
mod duckdb;

/// A binding that can be built.
struct Binding {
    name: &'static str,
    /// Builds it and returns the path of what was made.
    make: fn() -> Result<PathBuf, String>,
}

const BINDINGS: &[Binding] = &[
    Binding { name: "c", make: c::make },
    Binding { name: "duckdb", make: || duckdb::make(&library("duckdb")?) },
    Binding { name: "sqlite", make: sqlite },
];

/// Builds the binding with a name.
#[expect(clippy::print_stdout, reason = "the path is the output")]
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let names: Vec<&str> = BINDINGS.iter().map(|binding| binding.name).collect();
    let binding = match args {
        [name] => BINDINGS.iter().find(|binding| binding.name == name),
        _ => None,
    };
    let binding = binding.ok_or_else(|| format!("expected one of: {}", names.join(", ")))?;
    println!("{}", (binding.make)()?.display());
    Ok(())
}

/// SQLite finds the entry point of an extension by the name of its file.
fn sqlite() -> Result<PathBuf, String> {
    let built = library("sqlite")?;
    let file = built.with_file_name(format!("urlid{}", std::env::consts::DLL_SUFFIX));
    copy(&built, &file)?;
    Ok(file)
}

/// Copies a file; a failure is reported with the path of the copy.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(drop).map_err(|error| format!("{}: {error}", to.display()))
}

/// Makes a folder with those it lies in, if it is not there.
fn create_folder(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Builds the library of `bindings/NAME`, crate `urlid-NAME`, and returns its path.
fn library(name: &str) -> Result<PathBuf, String> {
    let (root, target) = (root()?, target(name)?);
    let manifest = Path::new("bindings").join(name).join("Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--manifest-path"]).arg(root.join(manifest));
    finish(cargo.env("CARGO_TARGET_DIR", &target))?;
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    Ok(target.join("release").join(format!("{prefix}urlid_{name}{suffix}")))
}

/// Returns the folder in which a binding is built.
fn target(name: &str) -> Result<PathBuf, String> {
    let root = root()?;
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => root.join(target),
        None => root.join("target"),
    };
    Ok(target.join("bindings").join(name))
}
