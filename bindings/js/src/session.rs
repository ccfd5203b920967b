//! The types of an operation and of the state that is kept between calls.

#[cfg(feature = "forms")]
use std::collections::BTreeMap;

use urlid::batch::Encoder;
use urlid::{Sxurl, UrlHash};
#[cfg(feature = "forms")]
use urlid_canonical::Rules;
#[cfg(feature = "forms")]
use urlid_lists::{HiddenList, ShardMatcher};

use crate::arguments::Arguments;
use crate::output::{Fault, Output};

/// An operation: the name by which JavaScript calls it, and its function.
pub(crate) type Op = (&'static str, Run);

type Run = fn(&mut Session, &mut Arguments<'_>) -> Result<Output, Fault>;

/// The state that is kept between calls.
#[derive(Default)]
pub(crate) struct Session {
    /// The encoders of batches, made at their first use.
    pub(crate) sxurls: Option<Encoder<Sxurl>>,
    pub(crate) url_hashes: Option<Encoder<UrlHash>>,
    /// The lists that are not freed.
    #[cfg(feature = "forms")]
    pub(crate) lists: Kept<HiddenList>,
    /// The sharded lists that are not freed.
    #[cfg(feature = "forms")]
    pub(crate) shards: Kept<ShardMatcher>,
    /// The last used rules of sites, and the text from which they were parsed. The text is passed with each
    /// call.
    #[cfg(feature = "forms")]
    rules: Option<(Box<str>, Rules)>,
}

#[cfg(feature = "forms")]
impl Session {
    /// Returns the rules of sites of a text.
    pub(crate) fn rules(&mut self, text: &str) -> Result<&Rules, urlid::Error> {
        if self.rules.as_ref().is_none_or(|(last, _)| **last != *text) {
            self.rules = Some((text.into(), Rules::parse(text)?));
        }
        Ok(&self.rules.as_ref().expect("they were just put there").1)
    }
}

/// Values under the numbers that JavaScript gives them.
///
/// JavaScript never reuses a number. A counter in this module would restart when a failed module is
/// replaced.
#[cfg(feature = "forms")]
pub(crate) struct Kept<T>(BTreeMap<u64, T>);

#[cfg(feature = "forms")]
impl<T> Kept<T> {
    pub(crate) fn insert(&mut self, number: u64, value: T) {
        self.0.insert(number, value);
    }

    pub(crate) fn get(&self, number: u64) -> Result<&T, Fault> {
        let gone = "the list is gone: it was freed, or ended with a module that failed";
        self.0.get(&number).ok_or_else(|| Fault::Wrong(gone.to_owned()))
    }

    /// Frees a value. Freeing it again has no effect.
    pub(crate) fn remove(&mut self, number: u64) {
        self.0.remove(&number);
    }
}

// The derived implementation would require a default of `T`.
#[cfg(feature = "forms")]
impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}
