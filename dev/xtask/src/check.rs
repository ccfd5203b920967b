//! `cargo xtask check`: the checks that a change must pass before review. They need only the repository and
//! a Rust toolchain.
//!
//! `.ci/run` starts with them. The other suites need other languages, packages to compare with, or data next
//! to the repository.

use std::process::Command;

use crate::command::{finish, report, root};

// Separate workspaces.
const SQLITE: &str = "bindings/sqlite/Cargo.toml";
const SUFFIX: &str = "bindings/js/suffix/Cargo.toml";

/// The commands, the cheap ones first.
const STEPS: &[(&str, &[&str])] = &[
    ("format", &["cargo", "fmt", "--all", "--check"]),
    ("format of the SQLite extension", &["cargo", "fmt", "--check", "--manifest-path", SQLITE]),
    ("format of the module of suffixes", &["cargo", "fmt", "--all", "--check", "--manifest-path", SUFFIX]),
    ("house rules", &["cargo", "test", "--quiet", "--package", "tidy"]),
    ("the suffix table is current", &["cargo", "xtask", "psl", "--check"]),
    (
        "lints",
        &["cargo", "clippy", "--workspace", "--all-targets", "--all-features", "--", "--deny", "warnings"],
    ),
    (
        "lints of the SQLite extension",
        &["cargo", "clippy", "--all-targets", "--manifest-path", SQLITE, "--", "--deny", "warnings"],
    ),
    (
        "lints of the module of suffixes",
        &["cargo", "clippy", "--all-targets", "--manifest-path", SUFFIX, "--", "--deny", "warnings"],
    ),
];

/// They also run every vector of `vectors/`.
const CRATES: (&str, &[&str]) = ("the crates", &["cargo", "test", "--all-features", "--no-fail-fast"]);

/// Stops at the first step that fails. `--no-tests` leaves out the tests of the crates.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let tests = match args {
        [] => Some(&CRATES),
        [option] if option == "--no-tests" => None,
        _ => return Err("expected --no-tests or no argument".to_owned()),
    };
    for (name, command) in STEPS.iter().chain(tests) {
        report(&format!("== {name}"));
        finish(Command::new(command[0]).args(&command[1..]).current_dir(root()?))?;
    }
    Ok(())
}
