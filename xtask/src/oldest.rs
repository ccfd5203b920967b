//! `cargo xtask proof oldest-rust`: the crates with the oldest compiler that `Cargo.toml` allows.
//!
//! The compiler is Ubuntu's, which keeps packages of older ones; it is unpacked under `URLID_CACHE` and not installed.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::command::{cache, finish, root};
use crate::toolchain::unpack;

const SOURCE: &str = "http://archive.ubuntu.com/ubuntu jammy-updates universe";
/// The packages and the SHA-256 of each, which stands for the signature of the source.
const PACKAGES: [(&str, &str); 3] = [
    ("rustc-1.89", "f7254a04b2616d2f7e29e96291b2d1b34f364f3a3c9150467624b604cf0e1d4e"),
    ("libstd-rust-1.89", "8e28a4f5087aa8a24b397da129eebab8df36be946eb017191c0cc8019c832457"),
    ("libstd-rust-1.89-dev", "27ab214b773d2a8db1b7af8841948ebd821cd4eaf0758369193271edbd51c896"),
];

/// Compiles all published crates, and runs the tests of the library.
pub(crate) fn run(_: &[String]) -> Result<(), String> {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let folder = unpack(&cache()?.join("oldest-rust"), "usr/bin", download)?;
    let compiler = folder.join(format!("usr/bin/rustc-{oldest}"));
    for arguments in [
        &["check", "--lib", "--bins"][..],
        &["test", "--package", "urlid", "--package", "urlid-simd", "--lib", "--tests"],
    ] {
        let mut cargo = Command::new("cargo");
        cargo.args(arguments).arg("--locked").current_dir(root()?);
        cargo.env("RUSTC", &compiler).env("RUSTDOC", folder.join(format!("usr/bin/rustdoc-{oldest}")));
        cargo.env("LD_LIBRARY_PATH", folder.join("usr/lib/x86_64-linux-gnu"));
        cargo.env("CARGO_TARGET_DIR", cache()?.join("oldest-rust/target"));
        finish(&mut cargo)?;
    }
    Ok(())
}

/// Downloads the packages into a folder and compares their digests.
fn download(folder: &Path) -> Result<(), String> {
    let in_place = |error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder.join("lists/partial")).map_err(in_place)?;
    fs::write(folder.join("sources.list"), format!("deb [trusted=yes] {SOURCE}\n")).map_err(in_place)?;
    let apt = |verb: &str| {
        let mut apt = Command::new("apt-get");
        let (list, lists) = (folder.join("sources.list"), folder.join("lists"));
        apt.arg(format!("-oDir::Etc::SourceList={}", list.display()))
            .arg("-oDir::Etc::SourceParts=/dev/null");
        apt.arg(format!("-oDir::State::Lists={}", lists.display())).args(["-qq", verb]).current_dir(folder);
        apt
    };
    finish(&mut apt("update"))?;
    for (name, expected) in PACKAGES {
        finish(apt("download").arg(name))?;
        let entries = fs::read_dir(folder).map_err(in_place)?;
        let is_it = |path: &std::path::PathBuf| {
            path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(&format!("{name}_")))
        };
        let file = entries.filter_map(|entry| Some(entry.ok()?.path())).find(is_it);
        let bytes = fs::read(file.ok_or_else(|| format!("{name} was not downloaded"))?).map_err(in_place)?;
        let digest = Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        if digest != expected {
            return Err(format!("{name}: expected SHA-256 {expected}, found {digest}"));
        }
    }
    Ok(())
}
