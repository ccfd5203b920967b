//! Messages on standard error, one line each. The line of an error has its code and its causes.
//!
//! Only the progress bar also writes there. A message that cannot be written is dropped, because its loss
//! cannot be reported anywhere. With `--quiet` only errors and the reason of exit code 3 are printed.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use urlid::Coded;

use crate::output::escape::Escaped;

/// Whether only errors are printed.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Restricts all later messages to errors.
pub(crate) fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

/// Returns whether only errors are printed.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Prints the error that ends the command or a source.
pub(crate) fn print_error(line: &str) {
    write(&format!("urlid: {line}"));
}

/// Prints a note with `urlid: ` before it.
pub(crate) fn print(line: &str) {
    print_bare(&format!("urlid: {line}"));
}

/// Prints a note that starts with its place.
pub(crate) fn print_bare(line: &str) {
    if !is_quiet() {
        write(line);
    }
}

fn write(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", Escaped(line.as_bytes()));
}

/// Returns a number of things in words: `1 line`, `2 lines`, `2 entries`, `2 keys`.
pub(crate) fn count(number: u64, thing: &str) -> String {
    match (number, thing.strip_suffix('y').filter(|stem| !stem.ends_with('e'))) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {thing}s"),
    }
}

/// Returns a number of things with the name of their column: `1 line`, `2 lines`, `1 credential removed`.
pub(crate) fn count_of_column(number: u64, name: &str) -> String {
    let (noun, rest) = name.split_at(name.find('_').unwrap_or(name.len()));
    let noun = if number == 1 { noun.strip_suffix('s').unwrap_or(noun) } else { noun };
    format!("{number} {noun}{}", rest.replace('_', " "))
}

/// Returns an error as one line: its code, its text, and its causes.
pub(crate) fn describe(error: &dyn Coded) -> String {
    format!("{}: {}", error.code(), describe_without_code(error))
}

/// Returns an error and its causes as one line.
pub(crate) fn describe_without_code(error: &dyn Coded) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |line, cause| format!("{line}: {cause}"))
}
