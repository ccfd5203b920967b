//! A value of a row.

use std::borrow::Cow;

use super::error::RowError;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell<'a> {
    /// A member that is not there.
    Missing,
    /// A null.
    Null,
    /// A text, which may not be UTF-8.
    Text(Cow<'a, [u8]>),
    /// Something else.
    Bad(RowError),
}
