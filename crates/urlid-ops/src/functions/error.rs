//! Errors of a query: arguments that no row can have.

use std::error::Error;
use std::fmt;

use urlid::{Coded, ErrorCode};

use crate::functions::value::Type;

/// An argument that makes a query wrong for every row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentError {
    /// A function was called with too few or too many arguments.
    Count {
        /// The name of the function.
        function: &'static str,
        /// How many arguments it has.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// An argument has another type.
    Type {
        /// The name of the function.
        function: &'static str,
        /// The name of the argument.
        argument: &'static str,
        /// Its type.
        expected: Type,
    },
    /// A name is none of those that exist.
    Name {
        /// What the name is of: `slice`, `field`, `part` or `variant`.
        what: &'static str,
        /// The first characters of the name.
        found: String,
        /// The names that exist.
        expected: Vec<&'static str>,
    },
    /// The name of a canonical form is not one.
    Form(urlid::Error),
    /// The name of a hash algorithm is not one.
    Algorithm(urlid::Error),
    /// The algorithm cannot be computed, or needs a key.
    Hasher(urlid::Error),
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArgumentError::Count { function, expected, found } => {
                write!(f, "wrong number of arguments of {function}: found {found}, expected {expected}")
            }
            ArgumentError::Type { function, argument, expected } => {
                write!(f, "wrong type of argument {argument} of {function}: expected {expected}")
            }
            ArgumentError::Name { what, found, expected } => {
                write!(f, "unknown {what}: found {found:?}, expected {}", expected.join(", "))
            }
            ArgumentError::Form(error) => error.fmt(f),
            ArgumentError::Algorithm(error) => error.fmt(f),
            ArgumentError::Hasher(error) => error.fmt(f),
        }
    }
}

impl Error for ArgumentError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ArgumentError::Form(error) => error.source(),
            ArgumentError::Algorithm(error) => error.source(),
            ArgumentError::Hasher(error) => error.source(),
            _ => None,
        }
    }
}

impl Coded for ArgumentError {
    fn code(&self) -> ErrorCode {
        match self {
            ArgumentError::Count { .. } | ArgumentError::Type { .. } | ArgumentError::Name { .. } => {
                ErrorCode::Argument
            }
            ArgumentError::Form(error) => error.code(),
            ArgumentError::Algorithm(error) => error.code(),
            ArgumentError::Hasher(error) => error.code(),
        }
    }
}
