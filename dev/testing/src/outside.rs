//! Data from outside the repository: a `shared` folder next to it, and the `ada-url` package, which contains
//! the web platform tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{not_run, read_text};

/// Returns the text of a file of an outside test suite, or records that the suite was not run.
///
/// # Panics
/// Panics if the file cannot be read, or is missing and `URLID_REQUIRE_DATA` is `1`.
pub fn conformance(suite: &str, file: &str) -> Option<String> {
    let package = || ada_url_package().unwrap_or_default().join("tests/wpt").join(file);
    let places = [shared("conformance").join(file), package()];
    let Some(path) = places.iter().find(|path| path.exists()) else {
        not_run(suite);
        return None;
    };
    Some(read(path))
}

/// Returns the corpora of the tests: the corpus that is made from the samples, and the crawls next to the
/// repository, which may not be committed.
///
/// # Panics
/// Panics if a file cannot be read, or a crawl is missing and `URLID_REQUIRE_DATA` is `1`.
pub fn corpora() -> impl Iterator<Item = String> {
    let made = urlid_generators::corpus(&read(&root().join("samples/debian_homepages.txt")));
    let crawls = ["crawl_50k.txt.zst", "mixed_100k.txt.zst"].into_iter().filter_map(crawl);
    std::iter::once(made).chain(crawls)
}

/// Returns the text of a crawl next to the repository, if it exists.
///
/// # Panics
/// Panics if it cannot be read, or is missing and `URLID_REQUIRE_DATA` is `1`.
pub fn crawl(name: &str) -> Option<String> {
    let path = shared("corpus").join(name);
    let is_required = std::env::var_os("URLID_REQUIRE_DATA").is_some_and(|value| value == "1");
    (path.exists() || is_required).then(|| read(&path))
}

/// Returns the Python of an environment that `cargo xtask oracles` installs, or records that the test was
/// not run.
///
/// # Panics
/// Panics if it is missing and `URLID_REQUIRE_DATA` is `1`.
pub fn oracle(environment: &str) -> Option<PathBuf> {
    installed(&format!("oracles/{environment}/bin/python"))
}

/// Returns the Node and the folder of packages that `cargo xtask oracles` installs for forms of JavaScript,
/// or records that the test was not run.
///
/// # Panics
/// Panics if they are missing and `URLID_REQUIRE_DATA` is `1`.
pub fn node_oracle(name: &str) -> Option<(PathBuf, PathBuf)> {
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let node = installed(&format!("npm/{name}/node_modules/node-linux-{machine}/bin/node"))?;
    let modules = node.ancestors().nth(3)?.to_owned();
    Some((node, modules))
}

/// Returns a program that `cargo xtask oracles` built from the sources in the folder that
/// `URLID_ORACLE_SOURCES` names. Without the folder or the build, records that the test was not run.
///
/// # Panics
/// Panics if it is missing and `URLID_REQUIRE_DATA` is `1`.
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

fn read(path: &Path) -> String {
    read_text(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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
