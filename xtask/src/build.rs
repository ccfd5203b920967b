//! `cargo xtask build NAME`: builds a binding and prints the path of what was made on the last line.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{finish, root};

/// A binding that can be built.
struct Binding {
    name: &'static str,
    /// The name of the finished file, without its platform's suffix, beside the built library.
    file: &'static str,
}

const BINDINGS: &[Binding] = &[
    // SQLite finds the entry point of an extension by the name of its file.
    Binding { name: "sqlite", file: "urlid" },
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
    let built = build(binding.name)?;
    let file = built.with_file_name(format!("{}{}", binding.file, std::env::consts::DLL_SUFFIX));
    std::fs::copy(&built, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    println!("{}", file.display());
    Ok(())
}

/// Builds the library of `bindings/NAME`, crate `urlid-NAME`, and returns its path.
fn build(name: &str) -> Result<PathBuf, String> {
    let root = root()?;
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => root.join(target),
        None => root.join("target"),
    };
    let target = target.join("bindings").join(name);
    let manifest = Path::new("bindings").join(name).join("Cargo.toml");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--manifest-path"]).arg(root.join(manifest));
    finish(cargo.env("CARGO_TARGET_DIR", &target))?;
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    Ok(target.join("release").join(format!("{prefix}urlid_{name}{suffix}")))
}
