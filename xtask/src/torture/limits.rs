//! Experiments 5 to 9 and 31: no space, failing calls, places where nothing can be written, little memory.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::Outcome;
use super::crash::remove;
use super::program::{Bench, expect, has, orderly, show, text};

pub(super) fn full_disk(bench: &mut Bench) -> Result<Outcome, String> {
    let mount = bench.path("mount");
    std::fs::create_dir(&mount).map_err(|e| e.to_string())?;
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=12m", "tmpfs"])
        .arg(&mount)
        .stderr(Stdio::null())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        return Ok(Outcome::NotRun("a file system cannot be mounted here".to_owned()));
    }
    let seen = fill(bench, &mount);
    let unmounted = Command::new("umount").arg(&mount).status();
    if !unmounted.is_ok_and(|status| status.success()) {
        return Err("the file system cannot be unmounted".to_owned());
    }
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

/// Asks for exit 4 with a message that says `words`.
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
    command.arg("-c").arg(script).arg(&bench.urlid).arg(index).arg(urls).stdin(Stdio::null());
    command.output().map_err(|e| e.to_string())
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

/// Adds under strace, which lets one call fail, for the n-th call until none is left; returns how many failed.
fn injected(bench: &Bench, call: &str, error: &str, most: u64) -> Result<u64, String> {
    let (small, urls) = (bench.urls("small", 300)?, bench.urls("urls", 3_000)?);
    let mut failed = 0;
    for number in 1..=most {
        let index = bench.path("index");
        bench.add(&index, &small)?;
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o"]).arg("/dev/null");
        command
            .arg("-e")
            .arg(format!("trace={call}"))
            .arg("-e")
            .arg(format!("inject={call}:error={error}:when={number}+"));
        command.arg(&bench.urlid).args(["index", "add"]).arg(&index).arg(&urls).stdin(Stdio::null());
        let output = command.output().map_err(|e| e.to_string())?;
        let code = orderly(&output)?;
        let rows = bench.verified(&index).map_err(|e| format!("{call} {number}: {e}"))?;
        let expected = if code == 0 { 3_000 } else { 300 };
        if rows < expected {
            return Err(format!("{call} {number}: exit {code} and {rows} rows"));
        }
        remove(&index)?;
        if code == 0 {
            return Ok(failed);
        }
        failed += 1;
    }
    Ok(failed)
}

pub(super) fn failing_sync(bench: &mut Bench) -> Result<Outcome, String> {
    if !has("strace") {
        return Ok(Outcome::NotRun("there is no strace".to_owned()));
    }
    let most = bench.times(12, 100);
    let failed = injected(bench, "fsync,fdatasync", "EIO", most)?;
    Ok(Outcome::Seen(format!("{failed} failing places, each an error, every file whole")))
}

pub(super) fn failing_calls(bench: &mut Bench) -> Result<Outcome, String> {
    if !has("strace") {
        return Ok(Outcome::NotRun("there is no strace".to_owned()));
    }
    let most = bench.times(10, 500);
    let mut figures = Vec::new();
    for (call, error) in [("pwrite64", "ENOSPC"), ("openat", "EMFILE"), ("pread64", "EIO")] {
        figures.push(format!("{call} {}", injected(bench, call, error, most)?));
    }
    Ok(Outcome::Seen(format!("failing places: {}", figures.join(", "))))
}

pub(super) fn read_only(bench: &mut Bench) -> Result<Outcome, String> {
    if !has("setpriv") {
        return Ok(Outcome::NotRun("there is no setpriv".to_owned()));
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
        Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(&program)
            .arg("index")
            .args(args)
            .stdin(Stdio::null())
            .output()
            .map_err(|e| e.to_string())
    };
    let probe = nobody(&[OsStr::new("--help")])?;
    if !probe.status.success() {
        mode(&directory, 0o755)?;
        return Ok(Outcome::NotRun("another user cannot be taken".to_owned()));
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
