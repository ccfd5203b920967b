//! Numbers in sentences.

use std::fmt;

/// A number of things, in words.
pub(crate) struct Count(pub(crate) usize, pub(crate) &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, thing) = self;
        write!(f, "{count} {thing}{}", if *count == 1 { "" } else { "s" })
    }
}
