//! `cargo xtask no-std`: builds the library for a target without a standard library, from `core` and `alloc` alone.
//!
//! A build for the host proves nothing, because there `std` is always at hand. This one compiles `core` and `alloc`
//! from source (`-Zbuild-std`), so that any use of `std`, in a dependency too, is an error. The compiler with its
//! sources is Debian's `rustc-web`, unpacked and not installed; it is kept under `URLID_CACHE`, `~/.cache/urlid` by
//! default.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{cache, finish};

/// A target without an operating system.
const TARGET: &str = "wasm32-unknown-unknown";

/// What is built: the core alone, and with each feature that does not need `std`.
const FEATURES: [&str; 4] = ["", "hashed-uri", "compat", "serde"];

/// The packages by name, and those by the beginning of a name that ends in a version.
const PACKAGES: [&str; 3] = ["rustc-web", "libstd-rust-web-dev", "rust-web-src"];
const VERSIONED: [&str; 2] = ["libstd-rust-web-", "libllvm"];

/// Takes no arguments.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let cache = cache()?;
    let compiler = compiler(&cache.join("rustc-web"))?;
    let libraries = ["usr/lib", "usr/lib/x86_64-linux-gnu"].map(|folder| compiler.join(folder));
    let libraries = std::env::join_paths(libraries).map_err(|error| error.to_string())?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the crate has no parent folder")?;
    for features in FEATURES {
        let mut cargo = Command::new("cargo");
        cargo
            .args(["build", "--package", "urlid", "--lib", "--no-default-features", "--features", features])
            .args(["--target", TARGET, "-Zbuild-std=core,alloc"])
            .env("RUSTC", compiler.join("usr/bin/rustc"))
            .env("RUSTC_BOOTSTRAP", "1")
            .env("LD_LIBRARY_PATH", &libraries)
            .env("CARGO_TARGET_DIR", cache.join("no-std-target"))
            .current_dir(root);
        finish(&mut cargo)?;
    }
    Ok(())
}

/// Returns the folder of the unpacked compiler, which is downloaded unless it is there.
fn compiler(cache: &Path) -> Result<PathBuf, String> {
    let folder = cache.join("root");
    if folder.join("usr/bin/rustc").exists() {
        return Ok(folder);
    }
    let in_place = |error| format!("{}: {error}", cache.display());
    let (packages, unpacked) = (cache.join("packages"), cache.join("partial"));
    std::fs::create_dir_all(&packages).map_err(in_place)?;
    finish(Command::new("apt-get").args(["update", "-qq"]))?;
    finish(Command::new("apt-get").arg("download").args(package_names()?).current_dir(&packages))?;
    for file in std::fs::read_dir(&packages).map_err(in_place)? {
        finish(Command::new("dpkg").arg("-x").arg(file.map_err(in_place)?.path()).arg(&unpacked))?;
    }
    std::fs::remove_dir_all(&packages).map_err(in_place)?;
    std::fs::rename(&unpacked, &folder).map_err(in_place)?;
    Ok(folder)
}

/// Returns the names of the packages to download; those with a version are taken from the dependencies of the others.
fn package_names() -> Result<Vec<String>, String> {
    let output = Command::new("apt-cache")
        .args(["depends", "--recurse", "--important", "rustc-web"])
        .output()
        .map_err(|error| format!("apt-cache: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let is_versioned =
        |name: &&str| VERSIONED.iter().any(|start| name.starts_with(start)) && !PACKAGES.contains(name);
    let mut names: Vec<String> = text.split_whitespace().filter(is_versioned).map(str::to_owned).collect();
    names.extend(PACKAGES.map(str::to_owned));
    names.sort();
    names.dedup();
    Ok(names)
}
