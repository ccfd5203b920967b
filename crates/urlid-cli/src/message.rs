//! Messages on standard error, one line each; an error is one line with its code and its causes.
//!
//! Nothing else writes there, except the progress bar. That a message cannot be written is not reported.

use std::io::{self, Write};

use urlid::Coded;

use crate::escape::Escaped;

/// Prints a line with `urlid: ` before it.
pub(crate) fn print(line: &str) {
    print_bare(&format!("urlid: {line}"));
}

/// Prints a line that begins with the place it is about.
pub(crate) fn print_bare(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", Escaped(line.as_bytes()));
}

/// Returns an error as one line: its code, itself, and its causes.
pub(crate) fn describe(error: &dyn Coded) -> String {
    format!("{}: {}", error.code(), describe_without_code(error))
}

/// Returns an error and its causes as one line.
pub(crate) fn describe_without_code(error: &dyn Coded) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line.push_str(": ");
        line.push_str(&error.to_string());
        cause = error.source();
    }
    line
}
