//! `cargo xtask package`: builds every published crate from only its package.
//!
//! Cargo's own check of a package reads the other packages from a registry that it makes, and assumes that a
//! version in a registry never changes. Between releases it would compare with the packages of an earlier
//! run. Therefore the packages are made without that check, unpacked next to each other, and built here.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{cache, finish, root};

/// Makes the packages of the published crates and builds each. Arguments go to `cargo package` and `cargo
/// check`.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let folder = cache()?.join("packages");
    let names = published()?;

    let made = folder.join("package");
    remove(&made)?;
    let mut package = Command::new(env!("CARGO"));
    package
        .current_dir(root()?)
        .args(["package", "--allow-dirty", "--no-verify", "--target-dir"])
        .arg(&folder);
    package.args(args);
    for name in &names {
        package.args(["--package", name]);
    }
    finish(&mut package)?;

    let unpacked = folder.join("unpacked");
    remove(&unpacked)?;
    unpack(&made, &unpacked, &names)?;
    for name in &names {
        let mut check = Command::new(env!("CARGO"));
        check
            .current_dir(&unpacked)
            .args(["check", "--package", name, "--target-dir"])
            .arg(folder.join("target"));
        finish(check.args(args))?;
    }
    Ok(())
}

/// Unpacks the packages into a workspace in which they replace each other's entries in the registry.
fn unpack(made: &Path, workspace: &Path, names: &[String]) -> Result<(), String> {
    fs::create_dir_all(workspace).map_err(|error| format!("{}: {error}", workspace.display()))?;
    let version = env!("CARGO_PKG_VERSION");
    let mut patches = String::new();
    for name in names {
        // The times in a package are fixed. `-m` sets new ones, by which Cargo detects changes.
        finish(
            Command::new("tar")
                .current_dir(workspace)
                .arg("-xzmf")
                .arg(made.join(format!("{name}-{version}.crate"))),
        )?;
        let _ = writeln!(patches, "{name}.path = \"{name}-{version}\"");
    }
    let manifest =
        format!("[workspace]\nresolver = \"3\"\nmembers = [\"*-{version}\"]\n\n[patch.crates-io]\n{patches}");
    let write = |name: &str, contents: &[u8]| {
        let path = workspace.join(name);
        fs::write(&path, contents).map_err(|error| format!("{}: {error}", path.display()))
    };
    write("Cargo.toml", manifest.as_bytes())?;
    let lock = root()?.join("Cargo.lock");
    write("Cargo.lock", &fs::read(&lock).map_err(|error| format!("{}: {error}", lock.display()))?)
}

/// Removes a folder, if it exists.
fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Returns the names of the published crates. These are the crates in `crates` that do not inherit `publish`
/// from the workspace.
fn published() -> Result<Vec<String>, String> {
    let folder = root()?.join("crates");
    let crates = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names = Vec::new();
    for entry in crates.flatten() {
        let manifest = entry.path().join("Cargo.toml");
        let text =
            fs::read_to_string(&manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
        if !text.lines().any(|line| line == "publish.workspace = true") {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    #[test]
    fn crates_for_users_are_published_and_crates_for_tests_are_not() {
        let names = super::published().expect("the folder of crates");
        for name in ["urlid", "urlid-store", "urlid-cli"] {
            assert!(names.iter().any(|other| other == name), "{name}");
        }
        for name in ["urlid-testing", "urlid-generators"] {
            assert!(!names.iter().any(|other| other == name), "{name}");
        }
    }
}
