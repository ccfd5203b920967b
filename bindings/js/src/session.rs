//! What an operation is, and what is kept between calls.

use urlid::batch::Encoder;
use urlid::{Sxurl, UrlHash};
#[cfg(feature = "forms")]
use urlid_lists::{HiddenList, ShardMatcher};

use crate::arguments::Arguments;
use crate::output::{Fault, Output};

/// An operation: its name, as JavaScript calls it, and what runs it.
pub(crate) type Op = (&'static str, Run);

type Run = fn(&mut Session, &mut Arguments<'_>) -> Result<Output, Fault>;

/// What is kept between calls.
#[derive(Default)]
pub(crate) struct Session {
    /// The encoders of batches, made when they are first used.
    pub(crate) sxurls: Option<Encoder<Sxurl>>,
    pub(crate) url_hashes: Option<Encoder<UrlHash>>,
    /// The lists that are not freed; the number of a list is its place.
    #[cfg(feature = "forms")]
    pub(crate) lists: Vec<Option<HiddenList>>,
    /// The same of lists in shards.
    #[cfg(feature = "forms")]
    pub(crate) shards: Vec<Option<ShardMatcher>>,
}
