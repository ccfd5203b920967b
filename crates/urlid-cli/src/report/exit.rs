//! The end of the program: its exit codes, and a failure with the message that explains it.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use urlid::{Coded, ErrorCode};

use crate::output::escape::Escaped;
use crate::report::message::describe;

/// The meaning of the exit code. The variants are ordered, and the greatest one that applies is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything was done.
    Done,
    /// The search found no result, no line matched, or a check failed.
    Nothing,
    /// Some lines were rejected, and the others are done.
    Rejected,
    /// The command line is wrong.
    Usage,
    /// An input or output failed, or a file is damaged or not in the expected format.
    Failed,
}

impl Exit {
    /// Returns the exit code.
    pub(crate) fn code(self) -> u8 {
        match self {
            // The codes differ from the order of the variants: 1 and 2 are as in grep and diff, and codes
            // never change.
            Exit::Done => 0,
            Exit::Nothing => 1,
            Exit::Usage => 2,
            Exit::Rejected => 3,
            Exit::Failed => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}

/// The hint for stored URLs of a different form.
pub(crate) const ONE_FORM: &str =
    "a store has URLs of one form: use --as with this form, or make a new store";

/// Why a command stops before its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The reader has closed the output. This is not an error, so the program is silent.
    ClosedPipe,
    /// A signal stopped the command.
    Stopped,
    /// The message is printed, then the optional hint.
    Reported { exit: Exit, message: String, hint: Option<String> },
}

impl Failure {
    /// Makes the failure of a wrong command line.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Failure::reported(Exit::Usage, message.into())
    }

    /// Makes the failure of an input, an output or a file.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Failure::reported(Exit::Failed, message.into())
    }

    /// Makes a failure with its exit code from an error.
    pub(crate) fn new(exit: Exit, error: &dyn Coded) -> Self {
        let failure = Failure::reported(exit, describe(error));
        match error.code() {
            ErrorCode::CanonMixed => failure.with_hint(ONE_FORM),
            _ => failure,
        }
    }

    /// Makes the failure of a file.
    pub(crate) fn of_file(path: &Path, error: &dyn Coded) -> Self {
        Failure::new(Exit::Failed, error).at(&Escaped::path(path).to_string())
    }

    /// Makes the failure of a file that cannot be read.
    pub(crate) fn read(path: &Path, error: &io::Error) -> Self {
        Failure::failed(format!("{}: ERR_IO: cannot read: {error}", Escaped::path(path)))
    }

    /// Makes the failure of a file that cannot be written.
    pub(crate) fn write(path: &Path, error: &io::Error) -> Self {
        Failure::failed(format!("{}: ERR_IO: cannot write: {error}", Escaped::path(path)))
    }

    /// Makes the failure to write to standard output.
    pub(crate) fn output(error: &io::Error) -> Self {
        match error.kind() {
            // As in `urlid id urls.txt | head`, the reader has read enough.
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::failed(format!("ERR_IO: cannot write the output: {error}")),
        }
    }

    /// Puts the place that a message is about before it.
    pub(crate) fn at(self, place: &str) -> Self {
        match self {
            Failure::Reported { exit, message, hint } => {
                Failure::Reported { exit, message: format!("{place}: {message}"), hint }
            }
            other => other,
        }
    }

    /// Adds a hint, which is printed on a separate line.
    pub(crate) fn with_hint(self, text: impl Into<String>) -> Self {
        match self {
            Failure::Reported { exit, message, .. } => {
                Failure::Reported { exit, message, hint: Some(text.into()) }
            }
            other => other,
        }
    }

    fn reported(exit: Exit, message: String) -> Self {
        Failure::Reported { exit, message, hint: None }
    }
}

impl<E: Coded> From<E> for Failure {
    /// An error without special treatment is a failure of an input, an output or a file.
    fn from(error: E) -> Self {
        Failure::new(Exit::Failed, &error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_of_several_exits_is_used() {
        let in_order = [Exit::Failed, Exit::Usage, Exit::Rejected, Exit::Nothing, Exit::Done];
        assert_eq!(in_order.map(Exit::code), [4, 2, 3, 1, 0]);
        assert!(in_order.is_sorted_by(|first, second| first > second));
    }
}
