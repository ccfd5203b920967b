//! Where the outside data is.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the text of a conformance file, or nothing, after saying so, where it is not to be had.
///
/// # Panics
/// If it is not to be had and `URLID_REQUIRE_DATA` is `1`.
pub fn conformance(name: &str) -> Option<String> {
    let places = [
        shared("conformance").join(name),
        ada_url_package().unwrap_or_default().join("tests/wpt").join(name),
    ];
    read_first(name, &places)
}

/// Returns the text of a file of real URLs, decompressed.
///
/// # Panics
/// If it is not to be had and `URLID_REQUIRE_DATA` is `1`.
pub fn corpus(name: &str) -> Option<String> {
    read_first(name, &[shared("corpus").join(name)])
}

/// Returns the root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository's root")
}

fn shared(folder: &str) -> PathBuf {
    root().join("../shared").join(folder)
}

fn read_first(name: &str, places: &[PathBuf]) -> Option<String> {
    let found = places.iter().find_map(|path| std::fs::read(path).ok());
    match found {
        Some(bytes) => Some(decompress(name, &bytes)),
        None if std::env::var_os("URLID_REQUIRE_DATA").is_some_and(|value| value == "1") => {
            panic!("{name} is missing; looked for {places:?}")
        }
        None => {
            report_not_run(name);
            None
        }
    }
}

#[expect(clippy::print_stderr, reason = "whoever runs the tests is told which of them had nothing to run on")]
fn report_not_run(name: &str) {
    eprintln!("not run: {name} is missing");
}

fn decompress(name: &str, bytes: &[u8]) -> String {
    let bytes = match name.ends_with(".zst") {
        true => zstd::decode_all(bytes).unwrap_or_else(|error| panic!("{name}: {error}")),
        false => bytes.to_vec(),
    };
    String::from_utf8(bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the folder of the `ada-url` package, which ships the web platform tests.
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
