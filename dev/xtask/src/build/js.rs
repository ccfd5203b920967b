//! The npm package: WebAssembly modules inside JavaScript, and a module for its tests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use super::library::{copy, target};
use crate::command::{finish, finish_quietly, root};
use crate::toolchain::{Toolchain, has_target};

const TARGET: &str = "wasm32-unknown-unknown";
const MANIFEST: &str = "bindings/js/Cargo.toml";

/// Builds the package and returns its folder.
pub(super) fn package() -> Result<PathBuf, String> {
    let modules = [
        module("core", MANIFEST, &[])?,
        module("forms", MANIFEST, &["--features", "forms"])?,
        module("search", MANIFEST, &["--no-default-features", "--features", "search"])?,
        module("suffix", "bindings/js/suffix/Cargo.toml", &[])?,
    ];
    let package = target("js")?.join("package");
    let mut node = Command::new("node");
    node.arg(root()?.join("bindings/js/assemble.mjs")).arg(&package).args(modules);
    finish(&mut node)?;
    Ok(package)
}

/// Builds the module that runs files of test vectors over the package, and returns its path.
pub(super) fn vectors() -> Result<PathBuf, String> {
    module("vectors", MANIFEST, &["--features", "vectors"])
}

/// Builds the module of a manifest with options for its features, unless it is current, and returns its
/// path.
///
/// Cargo overwrites one module with the next, so its own freshness check does not help.
fn module(name: &str, manifest: &str, features: &[&str]) -> Result<PathBuf, String> {
    // Every browser since 2023 and Node since 16.4 support it. Flags of a target count only if `RUSTFLAGS`
    // is not set.
    let flags = format!("{} -Ctarget-feature=+simd128", std::env::var("RUSTFLAGS").unwrap_or_default());
    let compiler = finish_quietly(Command::new("rustc").arg("--version").current_dir(root()?))?;
    let file = target("js")?.join(format!("{name}.wasm"));
    let stamp =
        Stamp { file: file.with_extension("stamp"), made_with: format!("{} {flags}", compiler.trim()) };
    if file.exists() && stamp.is_current() {
        return Ok(file);
    }
    let started = SystemTime::now();
    let (mut cargo, built) = cargo()?;
    cargo.args(["--profile", "wasm"]).args(features).arg("--manifest-path").env("RUSTFLAGS", flags);
    finish(cargo.arg(root()?.join(manifest)))?;
    let library = if manifest == MANIFEST { "urlid.wasm" } else { "urlid_suffix.wasm" };
    let built = built.join(TARGET).join("wasm").join(library);
    copy(&built, &file)?;
    stamp.write(&built.with_extension("d"), started)?;
    Ok(file)
}

/// The inputs of a module's build: a line with the compiler and its flags, and the sources as Cargo lists
/// them. The modification time is the start of the build.
struct Stamp {
    file: PathBuf,
    made_with: String,
}

impl Stamp {
    fn write(&self, sources: &Path, started: SystemTime) -> Result<(), String> {
        let in_place = |error| format!("{}: {error}", self.file.display());
        let sources = std::fs::read_to_string(sources).map_err(in_place)?;
        std::fs::write(&self.file, format!("{}\n{sources}", self.made_with)).map_err(in_place)?;
        let file = std::fs::File::options().append(true).open(&self.file).map_err(in_place)?;
        // A source that changes during the build is then newer than the stamp.
        file.set_modified(started).map_err(in_place)
    }

    /// Returns whether the compiler, its flags, the sources, the manifests and the lock files are unchanged
    /// since the build.
    fn is_current(&self) -> bool {
        let Ok(text) = std::fs::read_to_string(&self.file) else { return false };
        let Some((made_with, sources)) = text.split_once('\n') else { return false };
        let changed = |path: &Path| std::fs::metadata(path).and_then(|file| file.modified());
        let Ok(started) = changed(&self.file) else { return false };
        let is_older = |path: &Path| changed(path).is_ok_and(|time| time < started);
        // In the format of Make: the target, a colon, and paths in which spaces are escaped by a backslash.
        let sources = sources.trim_end().replace("\\ ", "\0");
        let mut files: BTreeSet<PathBuf> =
            sources.split(' ').skip(1).map(|path| path.replace('\0', " ").into()).collect();
        let folders: BTreeSet<&Path> = files.iter().flat_map(|file| file.ancestors()).collect();
        let manifests =
            folders.into_iter().flat_map(|folder| ["Cargo.toml", "Cargo.lock"].map(|name| folder.join(name)));
        let manifests: Vec<PathBuf> = manifests.filter(|file| file.exists()).collect();
        files.extend(manifests);
        made_with == self.made_with && files.iter().all(|file| is_older(file))
    }
}

/// Returns `cargo build` for WebAssembly, and its target directory. It uses the target of rustup, which is
/// added if necessary, or a compiler that also builds the standard library.
fn cargo() -> Result<(Command, PathBuf), String> {
    if !has_target(TARGET)? {
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
