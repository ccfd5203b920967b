//! Experiments 5 to 9 and 31: full disks, failing calls, read-only places, little memory.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use super::child::output;
use super::crash::remove;
use super::program::{Bench, Outcome, expect, has, orderly, show, text};

pub(super) fn full_disk(bench: &mut Bench) -> Result<Outcome, String> {
    let mount = bench.path("mount");
    std::fs::create_dir(&mount).map_err(|e| e.to_string())?;
    let mounted = output(Command::new("mount").args(["-t", "tmpfs", "-o", "size=12m", "tmpfs"]).arg(&mount));
    if let Err(reason) = mounted.and_then(|mounted| expect(&mounted, 0)) {
        return Ok(Outcome::NotRun(format!("a file system cannot be mounted here: {reason}")));
    }
    let seen = fill(bench, &mount);
    expect(&output(Command::new("umount").arg(&mount))?, 0)?;
    seen
}

fn fill(bench: &Bench, mount: &Path) -> Result<Outcome, String> {
    let (small, large) = (bench.urls("small", 10_000)?, bench.urls("large", 200_000)?);
    let index = mount.join("index");
    let first = bench.run([OsStr::new("add"), index.as_os_str(), large.as_os_str()])?;
    let message = expect_failure(&first, "no space")?;
    if index.exists() || mount.join("index.loading").exists() {
        return Err("a first load that failed left a file".to_owned());
    }
    bench.add(&index, &small)?;
    let before = bench.rows(&index)?;
    let ballast = mount.join("ballast");
    std::fs::write(&ballast, vec![0; 4 << 20]).map_err(|e| e.to_string())?;
    expect_failure(&bench.run([OsStr::new("add"), index.as_os_str(), large.as_os_str()])?, "no space")?;
    std::fs::remove_file(&ballast).map_err(|e| e.to_string())?;
    bench.verified(&index)?;
    let after = bench.rows(&index)?;
    let after: HashSet<&str> = after.lines().collect();
    if !before.lines().all(|row| after.contains(row)) {
        return Err("rows that were there are lost".to_owned());
    }
    let another = bench.urls("another", 10_500)?;
    bench.add(&index, &another)?;
    bench.verified(&index)?;
    Ok(Outcome::Seen(message))
}

/// Expects exit 4 with a message that contains `words`.
fn expect_failure(output: &Output, words: &str) -> Result<String, String> {
    expect(output, 4)?;
    let message = text(&output.stderr);
    let is_said = message.contains(words) || message.contains("No space");
    if is_said { Ok(message.lines().next().unwrap_or_default().to_owned()) } else { Err(show(output)) }
}

/// Runs `urlid index add` under a limit of the shell.
fn limited(bench: &Bench, limit: &str, index: &Path, urls: &Path, memory: &str) -> Result<Output, String> {
    let script = format!("{limit}; exec \"$0\" index add \"$1\" \"$2\" --memory {memory}");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(&bench.urlid).arg(index).arg(urls);
    output(&mut command)
}

pub(super) fn file_size(bench: &mut Bench) -> Result<Outcome, String> {
    let (small, large) = (bench.urls("small", 5_000)?, bench.urls("large", 100_000)?);
    let index = bench.path("index");
    let output = limited(bench, "ulimit -f 4000", &index, &large, "64M")?;
    expect(&output, 4)?;
    bench.add(&index, &small)?;
    let output = limited(bench, "ulimit -f 4000", &index, &large, "64M")?;
    expect(&output, 4)?;
    let rows = bench.verified(&index)?;
    if rows < 5_000 {
        return Err(format!("{rows} rows are left"));
    }
    Ok(Outcome::Seen(text(&output.stderr).lines().next().unwrap_or_default().to_owned()))
}

/// Prepares strace, which makes a call fail from the n-th time on and logs the calls to a file.
fn strace(call: &str, error: &str, number: u64, log: &Path) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o"]).arg(log).arg("-e").arg(format!("trace={call}"));
    command.arg("-e").arg(format!("inject={call}:error={error}:when={number}+"));
    command
}

/// Runs strace on a program without failing calls, and returns the reason if strace does not work here.
fn without_strace() -> Option<Outcome> {
    let seen = output(strace("fsync", "EIO", 1, Path::new("/dev/null")).arg("true"));
    let reason = seen.and_then(|seen| expect(&seen, 0)).err()?;
    Some(Outcome::NotRun(format!("strace does not work here: {reason}")))
}

/// Adds under strace, with the n-th and all later calls of a kind failing, for each n up to the number of
/// such calls. Returns a summary.
///
/// A load can succeed without a call, such as a cleanup call, if all rows are stored. Every other failing
/// call is exit 4.
fn injected(bench: &Bench, call: &str, error: &str, most: u64) -> Result<String, String> {
    let (small, urls) = (bench.urls("small", 300)?, bench.urls("urls", 3_000)?);
    let (index, log) = (bench.path("index"), bench.path("calls"));
    let (mut rejected, mut done) = (0, 0);
    for number in 1..=most {
        bench.add(&index, &small)?;
        let mut command = strace(call, error, number, &log);
        let output = output(command.arg(&bench.urlid).args(["index", "add"]).arg(&index).arg(&urls))?;
        let calls = std::fs::read(&log).map_err(|e| e.to_string())?;
        let has_failing = text(&calls).contains("(INJECTED)");
        let rows = bench.verified(&index).map_err(|e| format!("{call} {number}: {e}"))?;
        let is_right = match output.status.code() {
            Some(0) => rows == 3_000,
            Some(4) => has_failing && rows >= 300,
            // The dynamic loader could not open or read a library.
            Some(127) => has_failing && rows == 300 && matches!(call, "openat" | "pread64"),
            _ => false,
        };
        if !is_right {
            return Err(format!("{call} {number}: {rows} rows, {}", show(&output)));
        }
        remove(&index)?;
        match (has_failing, output.status.success()) {
            (false, _) => break,
            (true, false) => rejected += 1,
            (true, true) => done += 1,
        }
    }
    if rejected == 0 {
        return Err(format!("{call}: the load failed at no place, {done} calls failed"));
    }
    Ok(format!("{call}: {rejected} rejected, {done} done without"))
}

pub(super) fn failing_sync(bench: &mut Bench) -> Result<Outcome, String> {
    if let Some(not_run) = without_strace() {
        return Ok(not_run);
    }
    let figures = injected(bench, "fsync,fdatasync", "EIO", bench.times(12, 100))?;
    Ok(Outcome::Seen(format!("failing places of {figures}, every file whole")))
}

pub(super) fn failing_calls(bench: &mut Bench) -> Result<Outcome, String> {
    if let Some(not_run) = without_strace() {
        return Ok(not_run);
    }
    let most = bench.times(10, 500);
    let mut figures = Vec::new();
    for (call, error) in [("pwrite64", "ENOSPC"), ("openat", "EMFILE"), ("pread64", "EIO")] {
        figures.push(injected(bench, call, error, most)?);
    }
    Ok(Outcome::Seen(format!("failing places of {}", figures.join("; "))))
}

pub(super) fn read_only(bench: &mut Bench) -> Result<Outcome, String> {
    if !has("setpriv") {
        return Ok(Outcome::NotRun("setpriv is missing".to_owned()));
    }
    let urls = bench.urls("urls", 500)?;
    let directory = bench.path("read-only");
    std::fs::create_dir(&directory).map_err(|e| e.to_string())?;
    let index = directory.join("index");
    bench.add(&index, &urls)?;
    bench.add(&index, &urls)?;
    bench.done([OsStr::new("seal"), index.as_os_str()])?;
    let mode = |path: &Path, mode| {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).map_err(|e| e.to_string())
    };
    mode(&index, 0o444)?;
    mode(&directory, 0o555)?;
    // The experiment's own directory must be open to the other user.
    mode(directory.parent().unwrap_or(&directory), 0o755)?;
    let program = bench.path("urlid");
    std::fs::copy(&bench.urlid, &program).map_err(|e| e.to_string())?;
    let nobody = |args: &[&OsStr]| {
        let user = ["--reuid=65534", "--regid=65534", "--clear-groups"];
        output(Command::new("setpriv").args(user).arg(&program).arg("index").args(args))
    };
    let probe = nobody(&[OsStr::new("--help")])?;
    if !probe.status.success() {
        mode(&directory, 0o755)?;
        return Ok(Outcome::NotRun("the user cannot be changed".to_owned()));
    }
    let count = expect(&nobody(&[OsStr::new("count"), index.as_os_str()])?, 0);
    let add = nobody(&[OsStr::new("add"), index.as_os_str(), urls.as_os_str()])?;
    mode(&directory, 0o755)?;
    if count?.trim() != "500" {
        return Err("the rows are not read".to_owned());
    }
    expect(&add, 4)?;
    Ok(Outcome::Seen(text(&add.stderr).lines().next().unwrap_or_default().to_owned()))
}

pub(super) fn small_memory(bench: &mut Bench) -> Result<Outcome, String> {
    let urls = bench.urls("urls", bench.times(150_000, 3_000_000))?;
    let (index, whole) = (bench.path("index"), bench.path("whole"));
    let output = limited(bench, "ulimit -v 400000", &index, &urls, "16M")?;
    let code = orderly(&output)?;
    if code != 0 {
        return Err(format!("a load that needs little memory failed: {}", show(&output)));
    }
    bench.add(&whole, &urls)?;
    if bench.rows(&index)? != bench.rows(&whole)? {
        return Err("the rows differ".to_owned());
    }
    Ok(Outcome::Seen("a load in 400 MB of address space with --memory 16M gives the same rows".to_owned()))
}
