//! A value of a row.

use std::borrow::Cow;

use urlid::Error;

/// A value of a row in a column that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// The object lacks the member.
    Missing,
    /// JSON's `null`, or the field of an empty line.
    Null,
    /// A text, which may not be UTF-8.
    Text(Cow<'a, [u8]>),
    /// A value that is not a text.
    Bad(Error),
}
