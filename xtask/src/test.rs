//! `cargo xtask test`: every test of the project, the cheap ones first, and what was not run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::report;

/// The commands, each run in the root of the repository.
const STEPS: &[(&str, &[&str])] = &[
    ("the crates", &["cargo", "test", "--all-features", "--no-fail-fast"]),
    ("packages to compare with", &["cargo", "xtask", "oracles"]),
    (
        "house rules, outside suites, other implementations",
        &[
            "cargo",
            "test",
            "--no-fail-fast",
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
    ("C", &["bash", "bindings/c/run-tests"]),
    ("DuckDB", &["bash", "bindings/duckdb/run-tests"]),
    ("PostgreSQL", &["bash", "bindings/postgres/run-tests"]),
    ("SQLite", &["bash", "bindings/sqlite/run-tests"]),
    ("JavaScript", &["bash", "bindings/js/run-tests"]),
    ("the page in Chromium, a smoke test", &["bash", "web/tests/run", "smoke"]),
    ("Python, Arrow, Spark", &["bash", "bindings/python/run-tests"]),
    // After Python: it uses the Spark that is installed there.
    ("Spark without Python", &["bash", "bindings/spark/run-tests"]),
];

/// Runs all steps and stops at the first that fails. With names, runs the steps whose names contain one of them.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the crate has no parent folder")?;
    let notes = Notes::new()?;
    let is_wanted = |name: &str| args.is_empty() || args.iter().any(|arg| name.contains(arg.as_str()));
    for (name, command) in STEPS.iter().filter(|(name, _)| is_wanted(name)) {
        report(&format!("== {name}"));
        let status = Command::new(command[0])
            .args(&command[1..])
            .current_dir(root)
            .env("URLID_NOTES", &notes.path)
            .status()
            .map_err(|error| format!("{}: {error}", command[0]))?;
        if !status.success() {
            return Err(format!("{name}: `{}` failed", command.join(" ")));
        }
    }
    notes.report()
}

/// The file in which tests note what they did not run, and which CPU paths they covered (crate `urlid-testing`).
struct Notes {
    path: PathBuf,
}

impl Notes {
    fn new() -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("urlid-notes-{}", std::process::id()));
        std::fs::write(&path, "").map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path })
    }

    /// Prints the notes. Suites that were not run are an error where `URLID_REQUIRE_DATA` is `1`.
    fn report(&self) -> Result<(), String> {
        let notes = std::fs::read_to_string(&self.path).map_err(|error| error.to_string())?;
        let of_kind = |kind: &str| -> BTreeSet<&str> {
            notes.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(": ")).collect()
        };
        let list = |names: &BTreeSet<&str>| names.iter().copied().collect::<Vec<_>>().join(", ");
        let (covered, lacking) = (of_kind("CPU path covered"), of_kind("CPU path lacking"));
        if !covered.is_empty() {
            report(&format!("CPU paths covered: {}", list(&covered)));
        }
        if !lacking.is_empty() {
            report(&format!("CPU paths that this machine lacks, not covered: {}", list(&lacking)));
        }
        let not_run = of_kind("not run");
        report(&format!("not run: {}", not_run.len()));
        not_run.iter().for_each(|name| report(&format!("  {name}")));
        let is_required = std::env::var_os("URLID_REQUIRE_DATA").is_some_and(|value| value == "1");
        match is_required && !not_run.is_empty() {
            true => Err("something was not run, and URLID_REQUIRE_DATA is 1".to_owned()),
            false => Ok(()),
        }
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        // A file that stays is in the directory for temporary files, so the error is ignored.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_as_urlid_testing_writes_them() {
        let notes =
            Notes { path: std::env::temp_dir().join(format!("urlid-notes-test-{}", std::process::id())) };
        let write = |text: &str| std::fs::write(&notes.path, text).expect("there is room");
        write("CPU path covered: portable\nCPU path lacking: avx512\n");
        assert_eq!(notes.report(), Ok(()));
        write("not run: a suite\nnot run: a suite\n");
        let is_required = std::env::var_os("URLID_REQUIRE_DATA").is_some_and(|value| value == "1");
        assert_eq!(notes.report().is_err(), is_required);
    }
}
