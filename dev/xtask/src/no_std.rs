//! `cargo xtask no-std`: builds the library for a target without a standard library, from `core` and `alloc`
//! alone.
//!
//! A build for the host proves nothing, because there `std` is always at hand. This one compiles `core` and
//! `alloc` from source, so that any use of `std`, in a dependency too, is an error.

use crate::command::finish;
use crate::toolchain::Toolchain;

/// A target without an operating system.
const TARGET: &str = "wasm32-unknown-unknown";

/// What is built: the core alone, and with each feature that does not need `std`.
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
