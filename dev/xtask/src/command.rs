//! Runs other programs, and locates the folder in which tasks keep their results.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns `URLID_CACHE`, which is `~/.cache/urlid` by default.
pub(crate) fn cache() -> Result<PathBuf, String> {
    match (std::env::var_os("URLID_CACHE"), std::env::var_os("HOME")) {
        (Some(folder), _) => Ok(folder.into()),
        (None, Some(home)) => Ok(Path::new(&home).join(".cache/urlid")),
        (None, None) => Err("neither URLID_CACHE nor HOME is set".into()),
    }
}

/// Runs a command to its end. A failure is an error.
pub(crate) fn finish(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("{name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} failed: {status}")) }
}

/// Runs a command to its end and returns its output. A failure is an error.
pub(crate) fn finish_quietly(command: &mut Command) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("{name}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{name} failed: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|_| format!("{name} printed what is not text"))
}

/// Installs packages of Debian, unless they are installed.
pub(crate) fn install(packages: &[&str]) -> Result<(), String> {
    let is_there = |name: &&&str| {
        let mut query = Command::new("dpkg-query");
        query.args(["--show", "--showformat", "${db:Status-Status}", name]).stderr(Stdio::null());
        query.output().is_ok_and(|output| output.stdout == b"installed")
    };
    let missing: Vec<&str> = packages.iter().filter(|name| !is_there(name)).copied().collect();
    if missing.is_empty() {
        return Ok(());
    }
    // A different step may be installing at the same time.
    let apt = |arguments: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.args(["-qq", "-o", "DPkg::Lock::Timeout=300"]).args(arguments);
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    finish(&mut apt(&["update"]))?;
    finish(apt(&["install", "-y", "--no-install-recommends"]).args(missing))
}

/// Reports that a check was not run because a requirement is missing here. Fails if `URLID_REQUIRE_DATA` is
/// `1`.
pub(crate) fn not_run(missing: &str) -> Result<(), String> {
    if std::env::var_os("URLID_REQUIRE_DATA").is_some_and(|value| value == "1") {
        return Err(format!("missing: {missing}"));
    }
    report(&format!("not run: {missing}"));
    Ok(())
}

/// Prints a line for the developer who started the task.
#[expect(clippy::print_stderr, reason = "a task talks to the developer who started it")]
pub(crate) fn report(line: &str) {
    eprintln!("{line}");
}

/// Returns the root of the repository.
pub(crate) fn root() -> Result<&'static Path, String> {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).ok_or_else(|| "the crate is not in `dev`".into())
}

/// Returns the folder in which Cargo builds.
pub(crate) fn target() -> Result<PathBuf, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    Ok(root()?.join(target))
}
