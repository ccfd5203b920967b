//! How the program ends: its exit codes, and a failure with what to say about it.

use std::io;
use std::process::ExitCode;

/// What the exit code says. Ordered: when several apply, the greatest is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything was done.
    Done,
    /// Nothing was found, nothing matched, or a check failed.
    Nothing,
    /// Some lines were refused; the others are done.
    Refused,
    /// The command line makes no sense.
    Usage,
    /// An input or output failed, or a file is foreign or damaged.
    Failed,
}

impl Exit {
    /// Returns the number that the shell sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Nothing => 1,
            Exit::Usage => 2,
            Exit::Refused => 3,
            Exit::Failed => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

/// Why a command stops before its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Whoever read our output has gone: nothing to say, nothing went wrong.
    ClosedPipe,
    /// The user is told the message, and the program ends so.
    Told(Exit, String),
}

impl Failure {
    /// Makes the failure of a command line that makes no sense.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::Told(Exit::Usage, message.into())
    }

    /// Makes the failure of an input, an output or a file.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Failure::Told(Exit::Failed, message.into())
    }

    /// Makes the failure to write to standard output.
    pub(crate) fn output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::failed(format!("cannot write the output: {error}")),
        }
    }
}

impl From<io::Error> for Failure {
    /// Errors that come without a file name are those of standard output.
    fn from(error: io::Error) -> Self {
        Failure::output(&error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gravest_of_several_exits_is_told() {
        let in_order = [Exit::Failed, Exit::Usage, Exit::Refused, Exit::Nothing, Exit::Done];
        assert_eq!(in_order.map(Exit::code), [4, 2, 3, 1, 0]);
        assert!(in_order.is_sorted_by(|first, second| first > second));
    }
}
