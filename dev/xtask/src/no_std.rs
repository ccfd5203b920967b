//! `cargo xtask no-std`: builds the library for a target without a standard library, from only `core` and
//! `alloc`.
//!
//! A build for the host does not prove anything, because `std` is always available there. This build
//! compiles `core` and `alloc` from source, so that any use of `std`, also in a dependency, is an error.

use crate::command::finish;
use crate::toolchain::Toolchain;

/// A target without an operating system.
const TARGET: &str = "wasm32-unknown-unknown";

/// The builds: only the core, and the core with each feature that does not need `std`.
const FEATURES: [&str; 4] = ["", "hashed-uri", "compat", "serde"];

/// Takes no arguments.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let toolchain = Toolchain::install()?;
    for features in FEATURES {
        let mut cargo = toolchain.cargo("build", TARGET, "core,alloc")?;
        finish(cargo.args(["--package", "urlid", "--lib", "--no-default-features", "--features", features]))?;
    }
    Ok(())
}
