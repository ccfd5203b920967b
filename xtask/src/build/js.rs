//! The npm package: two WebAssembly modules inside JavaScript, and a third one for its tests.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::library::{copy, target};
use crate::command::{finish, root};
use crate::toolchain::Toolchain;

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the package and returns its folder.
pub(super) fn package() -> Result<PathBuf, String> {
    let (core, forms) = (module("core", "")?, module("forms", "forms")?);
    let package = target("js")?.join("package");
    let mut node = Command::new("node");
    node.arg(root()?.join("bindings/js/assemble.mjs")).arg(&package).args([core, forms]);
    finish(&mut node)?;
    Ok(package)
}

/// Builds the module that runs files of test vectors over the package, and returns its path.
pub(super) fn vectors() -> Result<PathBuf, String> {
    module("vectors", "vectors")
}

/// Builds the module with these features and returns its path.
fn module(name: &str, features: &str) -> Result<PathBuf, String> {
    let (mut cargo, built) = cargo()?;
    cargo.args(["--release", "--features", features, "--manifest-path"]);
    // Every browser since 2023, and Node since 16.4. Flags of a target would count only where `RUSTFLAGS` is not set.
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    cargo.env("RUSTFLAGS", format!("{flags} -Ctarget-feature=+simd128"));
    finish(cargo.arg(root()?.join("bindings/js/Cargo.toml")))?;
    let file = target("js")?.join(format!("{name}.wasm"));
    copy(&built.join(TARGET).join("release/urlid.wasm"), &file)?;
    Ok(file)
}

/// Returns `cargo build` for WebAssembly, and its target directory: with the target of rustup, which is added unless it
/// is there, or with a compiler that builds the standard library too.
fn cargo() -> Result<(Command, PathBuf), String> {
    if !has_target()? {
        let toolchain = Toolchain::install()?;
        return Ok((
            toolchain.cargo("build", TARGET, "std,panic_abort")?,
            toolchain.target_directory(TARGET),
        ));
    }
    let built = target("js")?;
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--target", TARGET]).env("CARGO_TARGET_DIR", &built);
    Ok((cargo, built))
}

/// Whether the compiler in use has the target, perhaps after rustup added it.
fn has_target() -> Result<bool, String> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()?).output();
    let output = output.map_err(|error| format!("rustc: {error}"))?;
    let sysroot = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if Path::new(&sysroot).join("lib/rustlib").join(TARGET).exists() {
        return Ok(true);
    }
    let mut rustup = Command::new("rustup");
    let added = rustup.args(["target", "add", TARGET]).current_dir(root()?).stderr(Stdio::null()).status();
    Ok(added.is_ok_and(|status| status.success()))
}
