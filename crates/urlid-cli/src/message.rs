//! What the program says to people: one line each on standard error, `urlid: ` before it.
//!
//! The only place that writes there, but for the progress bar. Failing to write there is not worth a word.

use std::io::{self, Write};

/// Says one line; what came from an input is escaped by the caller.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "urlid: {line}");
}

/// Says one line that begins with the place it is about.
pub(crate) fn say_plain(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
