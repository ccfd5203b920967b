//! The extension of DuckDB: its library with a footer.

use std::path::PathBuf;

use super::library::{library, target};

/// The version of DuckDB's C interface that `bindings/duckdb/src/host` calls. DuckDB keeps it in every later
/// release.
const INTERFACE: &str = "v1.2.0";

/// The name of the file, from which DuckDB derives the names of the functions that it calls.
const FILE: &str = "urlid.duckdb_extension";

/// The version of the footer.
const FOOTER: &str = "4";

/// The length of a field of the footer.
const FIELD: usize = 32;

pub(super) fn make() -> Result<PathBuf, String> {
    let (built, folder) = (library("duckdb")?, target("duckdb")?);
    let library = std::fs::read(&built).map_err(|error| format!("{}: {error}", built.display()))?;
    let file = folder.join(FILE);
    std::fs::write(&file, [&library[..], &footer(platform()?)].concat())
        .map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// Returns the last 512 bytes of the file: eight fields, the last first, and the space for a signature.
fn footer(platform: &str) -> Vec<u8> {
    let fields = ["", "", "", "C_STRUCT", env!("CARGO_PKG_VERSION"), INTERFACE, platform, FOOTER];
    let mut bytes = Vec::with_capacity(512);
    for (index, field) in fields.iter().enumerate() {
        bytes.extend_from_slice(field.as_bytes());
        bytes.resize((index + 1) * FIELD, 0);
    }
    bytes.resize(512, 0);
    bytes
}

/// Returns DuckDB's name of this platform.
fn platform() -> Result<&'static str, String> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Ok("linux_amd64"),
        ("linux", "aarch64") => Ok("linux_arm64"),
        ("macos", "x86_64") => Ok("osx_amd64"),
        ("macos", "aarch64") => Ok("osx_arm64"),
        ("windows", "x86_64") => Ok("windows_amd64"),
        (os, arch) => Err(format!("DuckDB has no name for {os} on {arch}")),
    }
}
