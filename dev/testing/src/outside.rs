//! Data from outside the repository: a `shared` folder beside it, and the `ada-url` package, which ships the web platform tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{not_run, read_text};

/// Returns the text of a file of an outside test suite; without it, notes that the suite was not run.
///
/// # Panics
/// If the file cannot be read, or is missing where `URLID_REQUIRE_DATA` is `1`.
pub fn conformance(name: &str) -> Option<String> {
    let package = || ada_url_package().unwrap_or_default().join("tests/wpt").join(name);
    let places = [shared("conformance").join(name), package()];
    read_first(name, &places)
}

/// Returns the text of a file of real URLs; without it, notes that the test was not run.
///
/// # Panics
/// If the file cannot be read, or is missing where `URLID_REQUIRE_DATA` is `1`.
pub fn corpus(name: &str) -> Option<String> {
    read_first(name, &[shared("corpus").join(name)])
}

/// Returns the Python of an environment that `cargo xtask oracles` installs; without it, notes that the test was not run.
///
/// # Panics
/// If it is missing where `URLID_REQUIRE_DATA` is `1`.
pub fn oracle(environment: &str) -> Option<PathBuf> {
    installed(&format!("oracles/{environment}/bin/python"))
}

/// Returns the Node and the folder of packages that `cargo xtask oracles` installs for forms of JavaScript; without them, notes that
/// the test was not run.
///
/// # Panics
/// If they are missing where `URLID_REQUIRE_DATA` is `1`.
pub fn node_oracle(name: &str) -> Option<(PathBuf, PathBuf)> {
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let node = installed(&format!("npm/{name}/node_modules/node-linux-{machine}/bin/node"))?;
    let modules = node.ancestors().nth(3)?.to_owned();
    Some((node, modules))
}

/// Returns what `cargo xtask oracles` built from the sources in the folder that `URLID_ORACLE_SOURCES` names; without the folder or
/// the build, notes that the test was not run.
///
/// # Panics
/// If it is missing where `URLID_REQUIRE_DATA` is `1`.
pub fn built_oracle(path: &str) -> Option<PathBuf> {
    if std::env::var_os("URLID_ORACLE_SOURCES").is_none() {
        not_run(&format!("{path}: URLID_ORACLE_SOURCES names no folder"));
        return None;
    }
    installed(&format!("oracles/{path}"))
}

fn installed(path: &str) -> Option<PathBuf> {
    let home = || Some(Path::new(&std::env::var_os("HOME")?).join(".cache/urlid"));
    let cache = std::env::var_os("URLID_CACHE").map(PathBuf::from).or_else(home)?;
    let found = cache.join(path);
    if !found.exists() {
        not_run(&format!("{path}, looked for at {}", found.display()));
        return None;
    }
    Some(found)
}

/// Returns the root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is in `dev`")
}

fn shared(folder: &str) -> PathBuf {
    root().join("../shared").join(folder)
}

fn read_first(name: &str, places: &[PathBuf]) -> Option<String> {
    let Some(path) = places.iter().find(|path| path.exists()) else {
        not_run(&format!("{name}, looked for in {places:?}"));
        return None;
    };
    Some(read_text(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Returns the folder of the `ada-url` package, as Cargo has unpacked it.
fn ada_url_package() -> Option<PathBuf> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .current_dir(root())
        .output()
        .ok()?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let package = metadata["packages"].as_array()?.iter().find(|package| package["name"] == "ada-url")?;
    Path::new(package["manifest_path"].as_str()?).parent().map(Path::to_owned)
}
