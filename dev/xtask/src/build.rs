//! `cargo xtask build NAME`: builds a binding and prints the path of the result on the last line.

use std::path::{Path, PathBuf};

use library::{copy, target};

use crate::publish;

pub(crate) use library::BUILT;

mod c;
mod duckdb;
mod js;
mod library;
mod postgres;
mod spark;

/// A binding that can be built.
struct Binding {
    name: &'static str,
    /// Builds it and returns the path of the result.
    make: fn() -> Result<PathBuf, String>,
}

const BINDINGS: &[Binding] = &[
    Binding { name: "c", make: c::make },
    Binding { name: "duckdb", make: duckdb::make },
    Binding { name: "js", make: js::package },
    Binding { name: "js-vectors", make: js::vectors },
    Binding { name: "postgres", make: postgres::make },
    Binding { name: "spark", make: spark::make },
    Binding { name: "sqlite", make: sqlite },
    Binding { name: "wheel", make: publish::wheel },
];

/// Builds the binding with this name.
#[expect(clippy::print_stdout, reason = "the path is the output")]
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let name = match args {
        [name] => name,
        _ => "",
    };
    println!("{}", make(name)?.display());
    Ok(())
}

/// Builds the binding with this name and returns the path of the result.
pub(crate) fn make(name: &str) -> Result<PathBuf, String> {
    let names: Vec<&str> = BINDINGS.iter().map(|binding| binding.name).collect();
    let binding = BINDINGS.iter().find(|binding| binding.name == name);
    (binding.ok_or_else(|| format!("expected one of: {}", names.join(", ")))?.make)()
}

/// SQLite finds the entry point of an extension by the letters in its file name. The digit in the name keeps
/// Python from importing the file as the package `urlid` from its folder.
fn sqlite() -> Result<PathBuf, String> {
    let folder = target("sqlite")?;
    let built = library::build(Path::new("bindings/sqlite/Cargo.toml"), &folder)?;
    let file = folder.join(format!("urlid0{}", std::env::consts::DLL_SUFFIX));
    copy(&built.join(library::file_name("sqlite")), &file)?;
    Ok(file)
}
