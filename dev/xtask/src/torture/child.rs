//! The processes that the experiments start. Each has a time limit and ends with its experiment.
//!
//! Each has its own process group, so that its children are killed with it. Independent of `urlid`.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The time limit of a process in the long form, in which some processes need minutes on a busy machine.
const LONG: Duration = Duration::from_secs(3600);

/// The time limit in the short form, in which the slowest process needs seconds.
const SHORT: Duration = Duration::from_secs(120);

static LIMIT: OnceLock<Duration> = OnceLock::new();

/// Sets the form of the experiments, before the first process is started.
pub(super) fn expect_form(is_long: bool) {
    LIMIT.get_or_init(|| if is_long { LONG } else { SHORT });
}

/// A started process without input, until it has been waited for. It is killed when it is dropped.
pub(super) struct Running {
    child: Child,
    line: String,
    start: Instant,
    limit: Duration,
}

impl Running {
    /// Starts a command.
    pub(super) fn start(command: &mut Command) -> Result<Self, String> {
        Self::start_for(command, *LIMIT.get().unwrap_or(&SHORT))
    }

    fn start_for(command: &mut Command, limit: Duration) -> Result<Self, String> {
        let line = format!("{command:?}");
        let child = command.stdin(Stdio::null()).process_group(0).spawn();
        let child = child.map_err(|error| format!("{line}: {error}"))?;
        Ok(Self { child, line, start: Instant::now(), limit })
    }

    /// Returns whether it still runs. Exceeding its time limit is an error.
    pub(super) fn is_running(&mut self) -> Result<bool, String> {
        let status = self.child.try_wait().map_err(|e| e.to_string())?;
        if status.is_none() && self.left().is_zero() { Err(self.overdue()) } else { Ok(status.is_none()) }
    }

    /// Returns the read end of its standard output, which [`finish`](Self::finish) then does not read.
    pub(super) fn stdout(&mut self) -> Result<ChildStdout, String> {
        self.child.stdout.take().ok_or_else(|| format!("{}: its output is no pipe", self.line))
    }

    /// Sends a signal by name.
    pub(super) fn signal(&self, name: &str) -> Result<(), String> {
        send(name, &self.child.id().to_string())
    }

    /// Kills it with a signal that cannot be caught, and returns its exit status.
    pub(super) fn kill(mut self) -> Result<ExitStatus, String> {
        self.child.kill().map_err(|e| e.to_string())?;
        self.child.wait().map_err(|e| e.to_string())
    }

    /// Waits for its end and returns the output that it wrote to its pipes. Exceeding the time limit is an
    /// error.
    pub(super) fn finish(mut self) -> Result<Output, String> {
        // Both at once, because a process waits at a full pipe while the other pipe is read.
        let (stdout, stderr) = (read(self.child.stdout.take()), read(self.child.stderr.take()));
        let (stdout, stderr) = (self.all(&stdout)?, self.all(&stderr)?);
        while self.is_running()? {
            std::thread::sleep(Duration::from_millis(1));
        }
        let status = self.child.wait().map_err(|e| e.to_string())?;
        Ok(Output { status, stdout, stderr })
    }

    fn all(&mut self, pipe: &Receiver<io::Result<Vec<u8>>>) -> Result<Vec<u8>, String> {
        let bytes = pipe.recv_timeout(self.left()).map_err(|_| self.overdue())?;
        bytes.map_err(|error| format!("{}: {error}", self.line))
    }

    fn left(&self) -> Duration {
        self.limit.saturating_sub(self.start.elapsed())
    }

    fn overdue(&mut self) -> String {
        self.kill_group();
        format!("{}: it did not end within {:?} and was killed", self.line, self.limit)
    }

    /// Kills it and the processes that it started. It must not have been waited for, because only until then
    /// its number cannot belong to a different group.
    fn kill_group(&mut self) {
        // A process that cannot be killed has ended.
        let _ = send("KILL", &format!("-{}", self.child.id()));
        let _ = self.child.kill();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.kill_group();
            let _ = self.child.wait();
        }
    }
}

/// Runs a command to its end. Exceeding the time limit is an error.
pub(super) fn output(command: &mut Command) -> Result<Output, String> {
    Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))?.finish()
}

/// Reads a pipe to its end while others are read.
fn read(pipe: Option<impl Read + Send + 'static>) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let end = pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes));
        // The receiver is gone if the process took too long.
        let _ = sender.send(end.map(|_| bytes));
    });
    receiver
}

/// Sends a signal by name to a process, or to a group if the number is negative.
fn send(name: &str, number: &str) -> Result<(), String> {
    let sent = Command::new("kill").args([&format!("-{name}"), "--", number]).stderr(Stdio::null()).status();
    match sent {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("kill -{name} failed")),
        Err(error) => Err(format!("kill: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    #[test]
    fn the_output_and_the_exit_status_are_returned() {
        // More than the capacity of a pipe, to both.
        let output = output(&mut shell("head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2; exit 3"));
        let output = output.expect("it ends");
        assert_eq!((output.stdout.len(), output.stderr.len()), (300_000, 200_000));
        assert_eq!(output.status.code(), Some(3));
    }

    #[test]
    fn a_child_that_does_not_end_is_killed_with_its_descendants() {
        // The first two hold a pipe that is read, the second by a process that it left running. The third
        // does not hold one.
        let scripts = [
            "sleep 1000; echo alive",
            "(sleep 1000; echo alive) &",
            "exec 2>/dev/null; sleep 1000; echo alive",
        ];
        for script in scripts {
            let (alive, end) = io::pipe().expect("a pipe");
            let running = Running::start_for(shell(script).stdout(end), Duration::from_millis(200));
            let message = running.and_then(Running::finish).expect_err(script);
            assert!(message.ends_with("it did not end within 200ms and was killed"), "{message}");
            assert_eq!(io::read_to_string(alive).expect(script), "");
        }
    }

    #[test]
    fn a_dropped_child_is_killed_with_its_descendants() {
        let (alive, end) = io::pipe().expect("a pipe");
        let running = Running::start(shell("sleep 1000; echo alive").stdout(end)).expect("a shell");
        drop(running);
        assert_eq!(io::read_to_string(alive).expect("a pipe"), "");
    }
}
