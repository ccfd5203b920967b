//! Notes of a test run: tests that were not run, and the covered CPU paths.
//!
//! A note is a line at the end of the file that `URLID_NOTES` names. `cargo xtask test` sets it and
//! summarises the notes.

use std::io::Write;

/// Records that a test was not run because something is missing, such as a program or data from outside the
/// repository.
///
/// # Panics
/// Panics if `URLID_REQUIRE_DATA` is `1`, because a missing requirement is then a failure.
#[expect(clippy::print_stderr, reason = "a test without its data reports it")]
pub fn not_run(missing: &str) {
    write(&format!("not run: {missing}"));
    let is_required = std::env::var_os("URLID_REQUIRE_DATA").is_some_and(|value| value == "1");
    assert!(!is_required, "missing: {missing}");
    eprintln!("not run: {missing}");
}

/// Records the CPU paths that a test covered, and the paths that this machine lacks.
pub fn note_cpu_paths<'n>(all: impl IntoIterator<Item = (&'n str, bool)>) {
    for (name, is_available) in all {
        write(&format!("CPU path {}: {name}", if is_available { "covered" } else { "lacking" }));
    }
}

/// Appends a line. It is written at once, because tests run in several processes.
fn write(line: &str) {
    let Some(path) = std::env::var_os("URLID_NOTES") else { return };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    written.unwrap_or_else(|error| panic!("URLID_NOTES is {}: {error}", path.display()));
}
