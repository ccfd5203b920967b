//! `cargo xtask test`: runs every test of the project in two lanes after one build, and lists the tests that
//! were not run.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use crate::build::BUILT;
use crate::command::{report, root, target};

/// A step: its name, and the command to run in the root of the repository.
type Step = (&'static str, &'static [&'static str]);

/// One build of all crates with all their features, for both lanes. Commands that select fewer packages
/// would enable fewer features and compile the dependencies again. The module of the npm package is only for
/// WebAssembly, and the benchmarks have no tests. `urlid` is the only program that is used outside its
/// package.
const BUILD: Step = (
    "build",
    &[
        "cargo",
        "build",
        "--workspace",
        "--exclude",
        "urlid-js",
        "--exclude",
        "bench",
        "--all-features",
        "--lib",
        "--bin",
        "urlid",
        "--tests",
    ],
);

/// Two lanes, which run at the same time, because each uses one core most of the time. Within a lane the
/// cheap steps come first.
const LANES: [&[Step]; 2] = [
    &[
        (
            "crates, house rules, outside suites",
            &[
                "cargo",
                "test",
                "--workspace",
                "--exclude",
                "urlid-js",
                "--exclude",
                "bench",
                "--all-features",
                "--no-fail-fast",
            ],
        ),
        ("SQLite", &["bash", "bindings/sqlite/run-tests"]),
        ("JavaScript", &["bash", "bindings/js/run-tests"]),
        ("the page in Chromium, a smoke test", &["bash", "web/tests/run", "smoke"]),
    ],
    &[
        ("C", &["bash", "bindings/c/run-tests"]),
        ("DuckDB", &["bash", "bindings/duckdb/run-tests"]),
        ("PostgreSQL", &["bash", "bindings/postgres/run-tests"]),
        ("Python, Arrow, Spark", &["bash", "bindings/python/run-tests"]),
        // After Python, because it uses the Spark that is installed there.
        ("Spark without Python", &["bash", "bindings/spark/run-tests"]),
    ],
];

/// Runs all steps. A lane stops at its first failed step. With names, runs the steps whose names contain one
/// of them.
pub(crate) fn run(args: &[String]) -> Result<(), String> {
    let notes = Notes::new()?;
    let is_wanted = |name: &str| args.is_empty() || args.iter().any(|arg| name.contains(arg.as_str()));
    let lanes = LANES.map(|lane| lane.iter().filter(|(name, _)| is_wanted(name)).collect::<Vec<_>>());
    // The output of a single lane is shown while it runs. With two lanes, the output of a step is shown at
    // its end.
    let is_alone = lanes.iter().filter(|lane| !lane.is_empty()).count() < 2;
    run_step(&BUILD, &notes.path, true)?;
    let results = std::thread::scope(|scope| {
        let run = |lane: Vec<&'static Step>| {
            let notes = &notes.path;
            scope.spawn(move || lane.into_iter().try_for_each(|step| run_step(step, notes, is_alone)))
        };
        lanes.map(run).map(|lane| lane.join().unwrap_or_else(|_| Err("a lane panicked".to_owned())))
    });
    let errors: Vec<String> = results.into_iter().filter_map(Result::err).collect();
    if errors.is_empty() { notes.report() } else { Err(errors.join("; ")) }
}

fn run_step((name, command): &Step, notes: &Path, is_alone: bool) -> Result<(), String> {
    let [program, arguments @ ..] = command else { return Ok(()) };
    let mut child = Command::new(program);
    let built = target()?.join("debug");
    child.args(arguments).current_dir(root()?).env("URLID_NOTES", notes);
    child.env("URLID_CLI", built.join("urlid")).env(BUILT, built);
    let begun = Instant::now();
    let status = if is_alone {
        report(&format!("== {name}"));
        child.status()
    } else {
        report(&format!("== {name}: begins"));
        run_into_memory(&mut child, name).map(|(status, output)| {
            report(&format!("== {name}: {} s\n{output}", begun.elapsed().as_secs()));
            status
        })
    };
    if status.map_err(|error| format!("{program}: {error}"))?.success() {
        Ok(())
    } else {
        Err(format!("{name}: `{}` failed", command.join(" ")))
    }
}

/// Runs a command and returns the contents of both of its outputs, in their order.
///
/// Both outputs are a file instead of a pipe. A process that a test left running would keep a pipe open, and
/// the step would never end.
fn run_into_memory(command: &mut Command, name: &str) -> std::io::Result<(ExitStatus, String)> {
    let path =
        std::env::temp_dir().join(format!("urlid-step-{}-{}", std::process::id(), name.replace(' ', "-")));
    let file = File::options().create(true).append(true).open(&path)?;
    let status = command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).status();
    let output = std::fs::read(&path);
    // A remaining file is in the directory for temporary files, so the error is ignored.
    let _ = std::fs::remove_file(&path);
    Ok((status?, String::from_utf8_lossy(&output?).into_owned()))
}

/// The file in which tests record the tests that they did not run and the CPU paths that they covered (crate
/// `urlid-testing`).
struct Notes {
    path: PathBuf,
}

impl Notes {
    fn new() -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("urlid-notes-{}", std::process::id()));
        std::fs::write(&path, "").map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self { path })
    }

    /// Prints the notes. Suites that were not run are an error if `URLID_REQUIRE_DATA` is `1`.
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
        if is_required && !not_run.is_empty() {
            Err("something was not run, and URLID_REQUIRE_DATA is 1".to_owned())
        } else {
            Ok(())
        }
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        // A remaining file is in the directory for temporary files, so the error is ignored.
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
