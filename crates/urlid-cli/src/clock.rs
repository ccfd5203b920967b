//! The clock, which is only read to find out whether a list has expired.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the seconds since the start of 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    // A clock before 1970 is wrong. Lists do not expire by it, and their sequence still counts.
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
