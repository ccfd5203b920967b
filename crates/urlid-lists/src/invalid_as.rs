//! The treatment of a candidate that has no canonical form.

use crate::rules::named;
use urlid::{Coded, ErrorCode};

/// How a candidate without a canonical form counts. Whether it is listed is unknown.
///
/// Displays as `error`, `match` or `no-match`; [`FromStr`](core::str::FromStr) takes these.
///
/// ```
/// use urlid_lists::InvalidAs;
///
/// assert_eq!("match".parse(), Ok(InvalidAs::Match));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InvalidAs {
    /// Neither a match nor a miss: an error, which the caller has to handle.
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
    /// The error of the candidate, if errors are not counted as anything else.
    pub fn is_match<T, E: Coded>(self, found: &Result<Option<T>, E>) -> Result<bool, &E> {
        match found {
            Ok(found) => Ok(found.is_some()),
            Err(error) => self.counts(error.code()).ok_or(error),
        }
    }

    /// Returns whether a candidate that is rejected with this code counts as matched; `None` if it is an
    /// error.
    ///
    /// A shard that cannot be read says nothing of the candidate, so `ERR_LIST_SHARD` is always an error.
    pub fn counts(self, code: ErrorCode) -> Option<bool> {
        match (self, code) {
            (_, ErrorCode::ListShard) | (Self::Error, _) => None,
            (Self::Match, _) => Some(true),
            (Self::NoMatch, _) => Some(false),
        }
    }
}

/// Returns the text that replaces an entry where a candidate was rejected: `!` and the code, which is not the
/// beginning of any entry.
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
