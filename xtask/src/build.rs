//! `cargo xtask build NAME`: builds a binding and prints the path of what was made on the last line.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The bindings that can be built.
const BINDINGS: &[(&str, fn(&Path) -> Result<PathBuf, String>)] = &[("sqlite", sqlite)];

/// Builds the binding with a name.
#[expect(clippy::print_stdout, reason = "the path is the output")]
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the crate has no parent folder")?;
    let names: Vec<&str> = BINDINGS.iter().map(|(name, _)| *name).collect();
    let [name] = args else { return Err(format!("expected one of: {}", names.join(", "))) };
    let (_, build) = BINDINGS
        .iter()
        .find(|(binding, _)| binding == name)
        .ok_or_else(|| format!("unknown binding: found {name}, expected one of: {}", names.join(", ")))?;
    println!("{}", build(root)?.display());
    Ok(())
}

/// The extension of SQLite, under the name by which SQLite finds its entry point.
fn sqlite(root: &Path) -> Result<PathBuf, String> {
    let built = release(root, "sqlite")?;
    let file = built.with_file_name(format!("urlid{}", std::env::consts::DLL_SUFFIX));
    std::fs::copy(&built, &file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// Builds the library of `bindings/NAME`, crate `urlid-NAME`, and returns its path.
fn release(root: &Path, name: &str) -> Result<PathBuf, String> {
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => root.join(target),
        None => root.join("target"),
    };
    let target = target.join("bindings").join(name);
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--manifest-path"])
        .arg(root.join("bindings").join(name).join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", &target)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err(format!("cannot build bindings/{name}"));
    }
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    Ok(target.join("release").join(format!("{prefix}urlid_{name}{suffix}")))
}
