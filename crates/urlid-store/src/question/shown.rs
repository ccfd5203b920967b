//! The line that says what a plan reads.

use std::fmt;

use urlid::sxurl::Field;

use crate::question::other_keys::OtherKeys;
use crate::question::plan::{Plan, Route};
use crate::question::words::Count;

impl fmt::Display for Plan {
    /// Writes one line about what is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.prefix_digits;
        match &self.route {
            Route::All => f.write_str("scan of every row"),
            Route::Nothing => f.write_str("no SXURL can answer"),
            Route::Ranges(ranges) if digits <= Field::Header.hex_range().end => {
                write!(f, "scan of every row in {} of headers", Count(ranges.len(), "range"))
            }
            Route::Ranges(ranges) => {
                write!(
                    f,
                    "{} with at least {digits} of 64 hex digits known",
                    Count(ranges.len(), "key range")
                )
            }
            Route::Indexed(index, ranges) => {
                write!(f, "index on {}, {} in it", index.name(), Count(ranges.len(), "range"))
            }
            Route::Skip { headers, .. } => {
                write!(f, "skip scan over {} and the public suffixes in use", Count(headers.len(), "header"))
            }
        }?;
        match &self.other {
            Some(OtherKeys::Ranges(ranges)) => {
                write!(f, "; {} of hosts without an SXURL", Count(ranges.len(), "range"))?;
            }
            Some(OtherKeys::All) if self.route != Route::All => {
                f.write_str("; scan of the URLs without an SXURL")?;
            }
            Some(OtherKeys::All) | None => {}
        }
        f.write_str("; every candidate is compared with its own URL")
    }
}
