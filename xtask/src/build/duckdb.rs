//! The extension of DuckDB: its library with a footer.

use std::path::{Path, PathBuf};

/// The version of DuckDB's C interface that `bindings/duckdb/src/host.rs` calls.
const INTERFACE: &str = "v1.2.0";

/// The version of the footer.
const FOOTER: &str = "4";

/// The length of a field of the footer.
const FIELD: usize = 32;

/// Makes the extension of the built library. DuckDB finds the entry point by the name of the file.
pub(super) fn make(built: &Path) -> Result<PathBuf, String> {
    let mut bytes = std::fs::read(built).map_err(|error| format!("{}: {error}", built.display()))?;
    bytes.extend(footer(platform()?));
    let file = built.with_file_name("urlid.duckdb_extension");
    std::fs::write(&file, bytes).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(file)
}

/// Returns the last 512 bytes of the file: eight fields, the last first, and the room of a signature.
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
