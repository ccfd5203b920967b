//! `cargo xtask proof oldest-rust`: tests the crates with the oldest compiler that `Cargo.toml` allows.
//!
//! The developer provides the compiler: `URLID_OLDEST_RUSTC` names it, or rustup has installed a toolchain
//! of that version.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{cache, finish, finish_quietly, not_run, root};

/// Compiles all published crates, and runs the tests of the library.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let Some(compiler) = compiler(oldest) else {
        return not_run(&format!(
            "rustc {oldest}: URLID_OLDEST_RUSTC names none, and rustup has no toolchain {oldest}"
        ));
    };
    check_version(&compiler, oldest)?;
    for arguments in [
        &["check", "--lib", "--bins"][..],
        &["test", "--package", "urlid", "--package", "urlid-simd", "--lib", "--tests"],
    ] {
        let mut cargo = Command::new("cargo");
        cargo.args(arguments).arg("--locked").current_dir(root()?);
        cargo.env("RUSTC", &compiler).env("CARGO_TARGET_DIR", cache()?.join("oldest-rust/target"));
        finish(&mut cargo)?;
    }
    Ok(())
}

fn compiler(version: &str) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("URLID_OLDEST_RUSTC") {
        return Some(path.into());
    }
    let list = finish_quietly(Command::new("rustup").args(["toolchain", "list"])).ok()?;
    let toolchain = toolchain_of(version, &list)?;
    let path =
        finish_quietly(Command::new("rustup").args(["which", "--toolchain", toolchain, "rustc"])).ok()?;
    Some(path.trim().into())
}

/// Returns the name of an installed toolchain of a version, such as `1.89.0-x86_64-unknown-linux-gnu` for
/// 1.89.
fn toolchain_of<'a>(version: &str, list: &'a str) -> Option<&'a str> {
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    let mut names =
        names.filter(|name| name.strip_prefix(version).is_some_and(|rest| rest.starts_with(['.', '-'])));
    names.next()
}

/// A newer compiler would not prove anything.
fn check_version(compiler: &Path, oldest: &str) -> Result<(), String> {
    let found = finish_quietly(Command::new(compiler).arg("--version"))?;
    match found.strip_prefix(&format!("rustc {oldest}.")) {
        Some(_) => Ok(()),
        None => Err(format!("{}: expected rustc {oldest}, found {}", compiler.display(), found.trim())),
    }
}

#[test]
fn a_toolchain_is_found_by_its_version() {
    let list = "stable-x86_64 (active, default)\n1.8-x86_64\n1.89.0-x86_64\n";
    assert_eq!(toolchain_of("1.89", list), Some("1.89.0-x86_64"));
    assert_eq!(toolchain_of("1.90", list), None);
}
