//! `cargo xtask check`: what a change must pass before anybody looks at it, with nothing but the repository and a Rust toolchain.
//!
//! `.ci/run` begins with it. The other suites need other languages, packages to compare with, or data beside the repository.

use std::process::Command;

use crate::command::{finish, report, root};

/// The commands, the cheap ones first.
const STEPS: &[(&str, &[&str])] = &[
    ("format", &["fmt", "--all", "--check"]),
    ("house rules", &["test", "--quiet", "--package", "tidy"]),
    ("the suffix table is current", &["xtask", "psl", "--check"]),
    ("lints", &["clippy", "--workspace", "--all-targets", "--all-features", "--", "--deny", "warnings"]),
];

/// They run every vector of `vectors/` too. `cargo xtask test` begins with them.
const TESTS: (&str, &[&str]) = ("the crates", &["test", "--all-features", "--no-fail-fast"]);

/// Stops at the first step that fails. `--no-tests` leaves out the tests of the crates.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let tests = match args {
        [] => Some(&TESTS),
        [option] if option == "--no-tests" => None,
        _ => return Err("expected nothing, or --no-tests".to_owned()),
    };
    for (name, arguments) in STEPS.iter().chain(tests) {
        report(&format!("== {name}"));
        finish(Command::new("cargo").args(*arguments).current_dir(root()?))?;
    }
    Ok(())
}
