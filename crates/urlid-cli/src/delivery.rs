//! What is said of lines that are stored and not delivered.

use crate::exit::Failure;
use crate::message;

/// Makes the failure of lines that are stored and were not delivered.
pub(crate) fn undelivered(failure: Failure, lines: u64) -> Failure {
    let failure = match failure {
        Failure::ClosedPipe => Failure::failed("ERR_IO: cannot write the output: its reader has closed it"),
        failure => failure,
    };
    if lines == 0 { failure } else { failure.with_hint(kept(lines, "")) }
}

/// Reports the lines of earlier runs, also with `--quiet`: later runs do not print these lines as new.
pub(crate) fn report_left(lines: u64) {
    if lines > 0 {
        message::print_error(&kept(lines, " of earlier runs"));
    }
}

/// Returns the message about lines that can be printed again.
fn kept(lines: u64, of_whom: &str) -> String {
    let are = if lines == 1 { "is" } else { "are" };
    let lines = message::count(lines, "line");
    format!("{lines}{of_whom} {are} stored and not delivered: --resume prints what is not delivered first")
}
