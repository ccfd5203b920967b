//! The treatment of a candidate that lacks a canonical form.

use crate::rules::named;
use urlid::{Coded, ErrorCode};

/// How a candidate without a canonical form counts. It is unknown whether it is listed.
///
/// Displays as `error`, `match` or `no-match`. [`FromStr`](core::str::FromStr) accepts these names.
///
/// ```
/// use urlid_lists::InvalidAs;
///
/// assert_eq!("match".parse(), Ok(InvalidAs::Match));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InvalidAs {
    /// An error, which the caller has to handle.
    #[default]
    Error,
    /// The candidate counts as listed, which is safe for a list that blocks.
    Match,
    /// The candidate counts as not listed.
    NoMatch,
}

impl InvalidAs {
    /// Returns whether a candidate counts as matched.
    ///
    /// # Errors
    /// The error of the candidate, if errors are neither a match nor a miss.
    pub fn is_match<T, E: Coded>(self, found: &Result<Option<T>, E>) -> Result<bool, &E> {
        match found {
            Ok(found) => Ok(found.is_some()),
            Err(error) => self.counts(error.code()).ok_or(error),
        }
    }

    /// Returns whether a candidate that is rejected with this code counts as matched. Returns `None` if it is
    /// an error.
    ///
    /// A shard that cannot be read does not tell whether the candidate is listed, so `ERR_LIST_SHARD` is
    /// always an error.
    pub fn counts(self, code: ErrorCode) -> Option<bool> {
        match (self, code) {
            (_, ErrorCode::ListShard) | (Self::Error, _) => None,
            (Self::Match, _) => Some(true),
            (Self::NoMatch, _) => Some(false),
        }
    }
}

/// Returns the text that replaces the entry of a rejected candidate: `!` and the code. Entries never start
/// with `!`.
///
/// ```
/// use urlid::ErrorCode;
/// use urlid_lists::rejection_marker;
///
/// assert_eq!(rejection_marker(ErrorCode::NotUri), "!ERR_NOT_URI");
/// ```
pub fn rejection_marker(code: ErrorCode) -> String {
    format!("!{code}")
}

named!(InvalidAs, "error, match or no-match", Error = "error", Match = "match", NoMatch = "no-match");
