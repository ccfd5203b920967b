//! The treatment of a candidate that has no canonical form.

use crate::rules::named;
use urlid::{Coded, ErrorCode};

/// How a refused candidate counts. It has no canonical form, so it is unknown whether it is listed.
///
/// Displays as `fail`, `block` or `pass`; [`FromStr`](core::str::FromStr) takes these.
///
/// ```
/// use urlid_lists::OnRefused;
///
/// assert_eq!("block".parse(), Ok(OnRefused::Block));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnRefused {
    /// Neither a match nor a miss: an error, which the caller has to handle.
    #[default]
    Fail,
    /// A match.
    Block,
    /// No match.
    Pass,
}

impl OnRefused {
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

    /// Returns whether a candidate that is refused with this code counts as matched; `None` if it is an
    /// error.
    ///
    /// A shard that cannot be read says nothing of the candidate, so `ERR_LIST_SHARD` is always an error.
    pub fn counts(self, code: ErrorCode) -> Option<bool> {
        match (self, code) {
            (_, ErrorCode::ListShard) | (Self::Fail, _) => None,
            (Self::Block, _) => Some(true),
            (Self::Pass, _) => Some(false),
        }
    }
}

/// Returns the text that replaces an entry where a candidate was refused: `!` and the code, which is not the
/// beginning of any entry.
///
/// ```
/// use urlid::ErrorCode;
/// use urlid_lists::refusal_marker;
///
/// assert_eq!(refusal_marker(ErrorCode::NotUri), "!ERR_NOT_URI");
/// ```
pub fn refusal_marker(code: ErrorCode) -> String {
    format!("!{code}")
}

named!(OnRefused, "fail, block or pass", Fail = "fail", Block = "block", Pass = "pass");
