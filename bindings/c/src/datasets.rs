//! Datasets: sort keys of URLs, a builder, and datasets of ranges of keys that are joined. Only with the
//! feature `datasets`.
//!
//! An engine divides URLs into ranges by their keys, builds a dataset of each range, and joins them.

use std::iter;

use urlid::Error;

use crate::code::Code;

pub mod builder;
pub mod joining;
pub mod keys;

/// Returns the message of an error and those of its causes, as one line.
fn message_of(error: &Error) -> String {
    let cause = std::error::Error::source(error);
    let causes = iter::successors(cause, |cause| cause.source()).map(ToString::to_string);
    iter::once(error.to_string()).chain(causes).collect::<Vec<_>>().join(": ")
}

/// Keeps the message of an error, and returns its code.
fn failed(message: &mut String, error: &Error) -> Code {
    *message = message_of(error);
    Code::from(error.code())
}
