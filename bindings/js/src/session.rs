//! What an operation is, and what is kept between calls.

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

/// An operation: its name, as JavaScript calls it, and what runs it.
pub(crate) type Op = (&'static str, Run);

type Run = fn(&mut Session, &mut Arguments<'_>) -> Result<Output, Fault>;

/// What is kept between calls.
#[derive(Default)]
pub(crate) struct Session {
    /// The encoders of batches, made when they are first used.
    pub(crate) sxurls: Option<Encoder<Sxurl>>,
    pub(crate) url_hashes: Option<Encoder<UrlHash>>,
    /// The lists that are not freed.
    #[cfg(feature = "forms")]
    pub(crate) lists: Kept<HiddenList>,
    /// The same of lists in shards.
    #[cfg(feature = "forms")]
    pub(crate) shards: Kept<ShardMatcher>,
    /// The rules of sites that were used last, and the text that they were read from: it comes with each
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
/// JavaScript gives no number twice. A count of this side would begin again when a module that failed is
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

    /// Frees a value; one that is gone already stays so.
    pub(crate) fn remove(&mut self, number: u64) {
        self.0.remove(&number);
    }
}

// Derived, it would need a default of `T`.
#[cfg(feature = "forms")]
impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}
