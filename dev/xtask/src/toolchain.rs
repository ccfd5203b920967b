//! A compiler for targets whose standard library is not installed. It also builds that library.
//!
//! The compiler and its sources are Debian's `rustc-web`, which is unpacked without installation and kept
//! under `URLID_CACHE`, by default `~/.cache/urlid`. It is not needed where rustup can install the library of a
//! target, which `has_target` finds out.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::command::{cache, finish, finish_quietly, root};

/// The packages by name, and the packages by the prefix of a name that ends in a version.
const PACKAGES: [&str; 3] = ["rustc-web", "libstd-rust-web-dev", "rust-web-src"];
const VERSIONED: [&str; 2] = ["libstd-rust-web-", "libllvm"];

/// The unpacked compiler.
pub(crate) struct Toolchain {
    folder: PathBuf,
    cache: PathBuf,
}

impl Toolchain {
    /// Returns the compiler, which is downloaded unless it exists.
    pub(crate) fn install() -> Result<Self, String> {
        let cache = cache()?;
        let folder = unpacked(&cache.join("rustc-web"))?;
        Ok(Toolchain { folder, cache })
    }

    /// Returns `cargo VERB` for a target, which first builds `parts` of the standard library, for example
    /// `core,alloc` or `std,panic_abort`. The results are kept in [`Toolchain::target_directory`].
    pub(crate) fn cargo(&self, verb: &str, target: &str, parts: &str) -> Result<Command, String> {
        let mut cargo = self.host_cargo(verb)?;
        cargo
            .args(["--target", target])
            .arg(format!("-Zbuild-std={parts}"))
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_DIR", self.target_directory(target));
        if target.starts_with("wasm32") {
            cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", rust_lld()?);
        }
        Ok(cargo)
    }

    /// Returns `cargo VERB` for this machine, with the standard library of the compiler's own packages.
    pub(crate) fn host_cargo(&self, verb: &str) -> Result<Command, String> {
        let libraries = ["usr/lib", "usr/lib/x86_64-linux-gnu"].map(|folder| self.folder.join(folder));
        let libraries = std::env::join_paths(libraries).map_err(|error| error.to_string())?;
        let mut cargo = Command::new("cargo");
        cargo
            .arg(verb)
            .env("RUSTC", self.folder.join("usr/bin/rustc"))
            .env("RUSTDOC", self.folder.join("usr/bin/rustdoc"))
            .env("LD_LIBRARY_PATH", libraries)
            .current_dir(root()?);
        Ok(cargo)
    }

    /// Returns a copy of this compiler in a different folder.
    pub(crate) fn at(&self, folder: PathBuf) -> Self {
        Self { folder, cache: self.cache.clone() }
    }

    /// Returns the folder of the compiler.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the target directory of the builds for a target.
    pub(crate) fn target_directory(&self, target: &str) -> PathBuf {
        self.cache.join("toolchain-target").join(target)
    }
}

/// Whether the compiler in use has the library of a target, perhaps after rustup added it.
pub(crate) fn has_target(target: &str) -> Result<bool, String> {
    let mut rustc = Command::new("rustc");
    let sysroot = finish_quietly(rustc.args(["--print", "sysroot"]).current_dir(root()?))?;
    if Path::new(sysroot.trim()).join("lib/rustlib").join(target).exists() {
        return Ok(true);
    }
    let mut rustup = Command::new("rustup");
    let added = rustup.args(["target", "add", target]).current_dir(root()?).stderr(Stdio::null()).status();
    Ok(added.is_ok_and(|status| status.success()))
}

/// Returns the linker that rustup installs with its own compiler.
fn rust_lld() -> Result<PathBuf, String> {
    let output = Command::new("rustc")
        .args(["--print", "target-libdir"])
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .map_err(|error| format!("rustc: {error}"))?;
    let libraries = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Ok(Path::new(&libraries).with_file_name("bin").join("rust-lld"))
}

/// Returns the folder of the unpacked compiler.
fn unpacked(cache: &Path) -> Result<PathBuf, String> {
    unpack(cache, "usr/bin/rustc", |packages| {
        finish(Command::new("apt-get").args(["update", "-qq"]))?;
        finish(Command::new("apt-get").arg("download").args(package_names()?).current_dir(packages))
    })
}

/// Unpacks the files that `download` puts into its folder, unless `program` exists, and returns the folder.
fn unpack(
    cache: &Path,
    program: &str,
    download: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    let folder = cache.join("root");
    if folder.join(program).exists() {
        return Ok(folder);
    }
    let in_place = |error| format!("{}: {error}", cache.display());
    let (packages, partial) = (cache.join("packages"), cache.join("partial"));
    std::fs::create_dir_all(&packages).map_err(in_place)?;
    download(&packages)?;
    for file in std::fs::read_dir(&packages).map_err(in_place)? {
        let file = file.map_err(in_place)?.path();
        if file.extension().is_some_and(|end| end == "deb") {
            finish(Command::new("dpkg").arg("-x").arg(file).arg(&partial))?;
        }
    }
    std::fs::remove_dir_all(&packages).map_err(in_place)?;
    // Only after everything is unpacked, so that a folder with this name is complete.
    std::fs::rename(&partial, &folder).map_err(in_place)?;
    Ok(folder)
}

/// Returns the names of the packages to download. Names with a version come from the dependencies of the
/// other packages.
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
