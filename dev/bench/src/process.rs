//! A process that works through lines and measures itself.
//!
//! It receives the number of lines, the lines, and then ranges of them. It answers each range with the
//! nanoseconds of its work. `profiles.py` is such a process. It stays on the core of this process, which
//! waits for its answer.

use std::io::{BufRead, BufReader, Write};
use std::ops::Range;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A started process, which is stopped when this value is dropped.
pub(crate) struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a command and passes the lines to it.
    pub(crate) fn start(mut command: Command, lines: &[&str]) -> Result<Self, String> {
        let program = command.get_program().to_owned();
        let failed = |error| format!("{}: {error}", program.display());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (mut input, output) = input.zip(output).ok_or("a process has pipes")?;
        writeln!(input, "{}\n{}", lines.len(), lines.join("\n")).map_err(failed)?;
        Ok(Process { child, input, output: BufReader::new(output) })
    }

    /// Returns the duration of the work for a range of lines.
    pub(crate) fn measure(&mut self, range: Range<usize>) -> Result<Duration, String> {
        writeln!(self.input, "{} {}", range.start, range.end).map_err(|error| error.to_string())?;
        let mut answer = String::new();
        self.output.read_line(&mut answer).map_err(|error| error.to_string())?;
        answer.trim_end().parse().map(Duration::from_nanos).map_err(|_| format!("no number: {answer:?}"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
