//! `cargo xtask package`: builds every crate that is published from its package alone.

use std::fs;
use std::process::Command;

use crate::command::{finish, root};

/// Packages and builds the crates. Arguments go to `cargo package`.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root()?).args(["package", "--allow-dirty"]).args(args);
    for name in published()? {
        cargo.args(["--package", &name]);
    }
    finish(&mut cargo)
}

/// Returns the names of the crates that are published: those in `crates` that do not take `publish` from the workspace.
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
    fn what_users_need_is_published_and_what_tests_share_is_not() {
        let names = super::published().expect("the folder of crates");
        for name in ["urlid", "urlid-index", "urlid-cli"] {
            assert!(names.iter().any(|other| other == name), "{name}");
        }
        for name in ["urlid-testing", "urlid-generators"] {
            assert!(!names.iter().any(|other| other == name), "{name}");
        }
    }
}
