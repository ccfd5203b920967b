//! `cargo xtask test`: every test of the project, the cheap ones first.

use std::path::Path;
use std::process::Command;

/// What is run, each in the root of the repository.
const STEPS: &[(&str, &[&str])] = &[
    ("the crates", &["cargo", "test", "--all-features"]),
    (
        "house rules, outside suites, other implementations",
        &[
            "cargo",
            "test",
            "--package",
            "tidy",
            "--package",
            "xtask",
            "--package",
            "bench",
            "--package",
            "conformance",
            "--package",
            "urlid-fuzz",
        ],
    ),
    ("Python, Arrow, Spark", &["bash", "bindings/python/run-tests"]),
];

/// Runs all steps and stops at the first that fails. With names, runs the steps whose names contain one of them.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the crate has no parent folder")?;
    let is_asked = |name: &str| args.is_empty() || args.iter().any(|arg| name.contains(arg.as_str()));
    for (name, command) in STEPS.iter().filter(|(name, _)| is_asked(name)) {
        report(name);
        let status = Command::new(command[0])
            .args(&command[1..])
            .current_dir(root)
            .status()
            .map_err(|error| format!("{}: {error}", command[0]))?;
        if !status.success() {
            return Err(format!("{name}: `{}` failed", command.join(" ")));
        }
    }
    Ok(())
}

#[expect(clippy::print_stderr, reason = "a task talks to the developer who started it")]
fn report(name: &str) {
    eprintln!("== {name}");
}
