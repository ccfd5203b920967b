//! The SQL functions of urlid, over plain values.
//!
//! [`FUNCTIONS`] is the table of their names, arguments, results, documentation and examples. Every database
//! registers the functions from it. A value is a text, bytes, an integer, a boolean or NULL. The rules are
//! the same for all functions:
//!
//! - If an argument is NULL, so is the result.
//! - A URL or an id that is rejected gives NULL, and so does a part that a URL lacks.
//! - An unknown name, for example of a slice or a canonical form, is an error, because the query is wrong and
//!   not the row.
//!
//! A [`Call`] is a function with the state that it keeps between rows. Names are parsed once for a run of
//! rows with the same name.
//!
//! ```
//! use urlid_ops::functions::{Output, SqlValue, function};
//!
//! let mut canon = function("urlid_canon").expect("a function").call();
//! let form = SqlValue::Text("web");
//! let canonical = canon.run(&[SqlValue::Text("HTTP://EXAMPLE.com:80"), form])?;
//! assert_eq!(canonical, Output::Text("http://example.com/".into()));
//! assert_eq!(canon.run(&[SqlValue::Null, form])?, Output::Null);
//! assert_eq!(canon.run(&[SqlValue::Text("not a URL"), form])?, Output::Null);
//! assert!(canon.run(&[SqlValue::Text("http://h/"), SqlValue::Text("wob")]).is_err());
//! # Ok::<(), urlid::Error>(())
//! ```

mod evaluators;
mod function;
mod names;
mod table;

use std::borrow::Cow;
use std::fmt;

pub use function::{Argument, Call, Example, Function, MOST_ARGUMENTS};
pub use table::{FUNCTIONS, function};

/// The type of an argument or of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Type {
    /// Unicode text.
    Text,
    /// Bytes, for ids.
    Bytes,
    /// A signed integer of 64 bits.
    Integer,
    /// True or false. A database without booleans uses the integers 1 and 0.
    Boolean,
}

/// Displays as an English word: `text`, `bytes`, `integer` or `boolean`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Type::Text => "text",
            Type::Bytes => "bytes",
            Type::Integer => "integer",
            Type::Boolean => "boolean",
        })
    }
}

/// The value of an argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SqlValue<'a> {
    /// No value.
    Null,
    /// UTF-8, borrowed from the row.
    Text(&'a str),
    /// Any bytes, borrowed from the row.
    Bytes(&'a [u8]),
    /// A value that functions do not accept, for databases with further types.
    Other,
}

impl<'a> SqlValue<'a> {
    /// Returns the text. Types of arguments are checked before a function is called, so the value is a text.
    pub(crate) fn text(self) -> &'a str {
        // This is not a panic, because a panic would end the process of a database.
        if let SqlValue::Text(text) = self { text } else { "" }
    }

    /// Returns the bytes. Like for texts, the type was checked before.
    pub(crate) fn bytes(self) -> &'a [u8] {
        if let SqlValue::Bytes(bytes) = self { bytes } else { &[] }
    }
}

/// The result of a function for one row. A text may be part of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output<'a> {
    /// No value.
    Null,
    /// UTF-8, which may be a part of an argument.
    Text(Cow<'a, str>),
    /// The 32 bytes of an id.
    Id([u8; 32]),
    /// A slice or a different number of at most 60 bits, which is therefore never negative.
    Integer(i64),
    /// True or false.
    Boolean(bool),
}

impl Output<'_> {
    /// Returns the result with an owned text.
    pub fn into_owned(self) -> Output<'static> {
        match self {
            Output::Null => Output::Null,
            Output::Text(text) => Output::Text(Cow::Owned(text.into_owned())),
            Output::Id(id) => Output::Id(id),
            Output::Integer(number) => Output::Integer(number),
            Output::Boolean(flag) => Output::Boolean(flag),
        }
    }
}
