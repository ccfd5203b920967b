//! The program under test, its inputs, and a directory for the experiments.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use urlid_generators::{Seeded, mix};

use super::child::{Running, output};

/// The result of an experiment.
pub(super) enum Outcome {
    /// All required effects were observed, with figures.
    Seen(String),
    /// The machine does not allow the experiment.
    NotRun(String),
}

/// The directory of one experiment.
pub(super) struct Bench {
    pub(super) urlid: PathBuf,
    pub(super) random: Seeded,
    pub(super) is_long: bool,
    directory: PathBuf,
}

impl Bench {
    pub(super) fn new(urlid: PathBuf, seed: u64, is_long: bool) -> Result<Self, String> {
        let directory = std::env::temp_dir().join(format!("urlid-torture-{}", std::process::id()));
        // The remains of an earlier experiment are ours, because the name contains our process id.
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir(&directory).map_err(|e| format!("{}: {e}", directory.display()))?;
        Ok(Self { urlid, random: Seeded::new(seed), is_long, directory })
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Returns the number of repeats of the short or the long form.
    pub(super) fn times(&self, short: u64, long: u64) -> u64 {
        if self.is_long { long } else { short }
    }

    /// Writes a file of `count` different URLs in shuffled order.
    pub(super) fn urls(&self, name: &str, count: u64) -> Result<PathBuf, String> {
        let mut text = String::new();
        for number in 0..count {
            let mixed = mix(number);
            let (host, page) = (mixed >> 54, mixed >> 20 & 0xff_ffff);
            // One of sixteen lacks an SXURL.
            let scheme = if mixed & 0xf == 0 { "wss" } else { "https" };
            text.push_str(&format!("{scheme}://www.site{host}.com/{page}?n={number}\n"));
        }
        let path = self.path(name);
        std::fs::write(&path, text).map_err(|e| e.to_string())?;
        Ok(path)
    }

    /// Prepares `urlid index …`.
    pub(super) fn index<I: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = I>) -> Command {
        let mut command = Command::new(&self.urlid);
        command.arg("index").args(args);
        command
    }

    /// Prepares `urlid index add INDEX FILE` with more arguments, which prints nothing.
    pub(super) fn adding(&self, index: &Path, file: &Path, more: &[&str]) -> Command {
        let mut command = self.index([OsStr::new("add"), index.as_os_str(), file.as_os_str()]);
        command.args(more).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Runs `urlid index …` to its end.
    pub(super) fn run<I: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = I>) -> Result<Output, String> {
        output(&mut self.index(args))
    }

    /// Runs it and expects exit 0.
    pub(super) fn done<I: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = I>) -> Result<String, String> {
        expect(&self.run(args)?, 0)
    }

    /// Counts the rows by reading them, after `verify` found nothing.
    pub(super) fn verified(&self, index: &Path) -> Result<u64, String> {
        self.done([OsStr::new("verify"), index.as_os_str()])?;
        self.count(index)
    }

    /// Counts the rows by reading them.
    pub(super) fn count(&self, index: &Path) -> Result<u64, String> {
        let output = self.run([OsStr::new("count"), index.as_os_str()])?;
        match output.status.code() {
            Some(0 | 1) => {
                text(&output.stdout).trim().parse().map_err(|_| format!("no count: {}", show(&output)))
            }
            _ => Err(show(&output)),
        }
    }

    /// Returns all rows as `export --format urls` prints them.
    pub(super) fn rows(&self, index: &Path) -> Result<String, String> {
        self.done([OsStr::new("export"), index.as_os_str(), OsStr::new("--format"), OsStr::new("urls")])
    }

    /// Adds a file and expects exit 0.
    pub(super) fn add(&self, index: &Path, file: &Path) -> Result<String, String> {
        self.done([OsStr::new("add"), index.as_os_str(), file.as_os_str()])
    }

    /// Starts a command, waits a random time below `limit`, then kills it with a signal that cannot be
    /// caught.
    ///
    /// It may have ended before, but only with exit 0 or 1.
    pub(super) fn kill_within(&mut self, command: &mut Command, limit: Duration) -> Result<(), String> {
        let running = Running::start(command)?;
        std::thread::sleep(Duration::from_micros(self.random.below(limit.as_micros() as u64)));
        let status = running.kill()?;
        let is_expected = is_killed(status) || matches!(status.code(), Some(0 | 1));
        if is_expected { Ok(()) } else { Err(format!("{command:?}: {status} before it was killed")) }
    }
}

/// Waits until a condition holds, for a minute at most.
pub(super) fn wait_for(mut is_there: impl FnMut() -> bool) -> Result<(), String> {
    let start = Instant::now();
    while !is_there() {
        if start.elapsed() > Duration::from_secs(60) {
            return Err("nothing happened for a minute".to_owned());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

impl Drop for Bench {
    fn drop(&mut self) {
        // A directory that cannot be removed is in the directory for temporary files, so the error is
        // ignored.
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Returns standard output if the program ended with `code`.
pub(super) fn expect(output: &Output, code: i32) -> Result<String, String> {
    if output.status.code() == Some(code) { Ok(text(&output.stdout)) } else { Err(show(output)) }
}

/// Expects an exit without a signal or panic, and returns its code.
pub(super) fn orderly(output: &Output) -> Result<i32, String> {
    match output.status.code() {
        Some(code) if code != 101 && code < 128 => Ok(code),
        _ => Err(show(output)),
    }
}

pub(super) fn show(output: &Output) -> String {
    format!("{}: {}", output.status, text(&output.stderr).trim())
}

pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns whether a process ended by the signal that cannot be caught.
pub(super) fn is_killed(status: ExitStatus) -> bool {
    status.signal() == Some(9)
}

/// Returns whether a helper is installed on this machine.
pub(super) fn has(helper: &str) -> bool {
    output(Command::new(helper).arg("--version")).is_ok()
}

/// Measures the duration of a call.
pub(super) fn timed<T>(run: impl FnOnce() -> Result<T, String>) -> Result<(T, Duration), String> {
    let start = Instant::now();
    run().map(|value| (value, start.elapsed()))
}

/// Builds the program as its users do and returns its path.
pub(super) fn built() -> Result<PathBuf, String> {
    let status =
        Command::new(env!("CARGO")).args(["build", "--quiet", "--release", "--bin", "urlid"]).status();
    if !status.map_err(|e| e.to_string())?.success() {
        return Err("the program does not build".to_owned());
    }
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let profiles = own.parent().and_then(Path::parent).ok_or("this program is in no target directory")?;
    Ok(profiles.join("release").join("urlid"))
}
