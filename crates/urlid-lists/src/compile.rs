//! From a list to one of another kind: digests are cut, or become a filter. What is cut is never made whole
//! again.

use std::sync::Arc;

use super::digests::Digests;
use super::fuse::Fingerprint;
use super::kind::{Certainty, Store};
use super::plain::Plain;
use super::value::{Group, HiddenList};
use crate::error;
use urlid::Error;

impl HiddenList {
    /// Returns the list as one of a kind. Entries by algorithms that this library does not define are kept
    /// whole.
    ///
    /// # Errors
    /// `ERR_LIST_KIND` if the list keeps fewer bits of its digests than that kind does, or is a filter.
    ///
    /// ```
    /// use urlid::hashed_uri::Algorithm;
    /// use urlid_lists::{Kind, ListBuilder, Rules, Store};
    ///
    /// let mut builder = ListBuilder::new(Rules::default(), &[Algorithm::Sha1], None)?;
    /// builder.add("http://h/", None)?;
    /// let list = builder.finish().compile(Store::usual(Kind::Prefix))?;
    /// assert_eq!(list.certainty().to_string(), "1 in 4.3e9 by chance");
    /// assert!(list.compile(Store::WHOLE).is_err());
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn compile(&self, store: Store) -> Result<Self, Error> {
        // Before the groups are looked at: a filter can be compiled as what it is, but has no digests to cut.
        if self.header.store == store {
            return Ok(self.clone());
        }
        let mut list = self.clone();
        list.header.store = store;
        for group in &mut list.groups {
            group.digests = compile_group(group, store).ok_or_else(|| {
                error::CUT_SHORTER.error().with_shown(self.header.store).with_expected(store.to_string())
            })?;
        }
        list.header.count = list.len();
        Ok(list)
    }

    /// Returns the certainty of a hit: how often a digest that is not listed is found, in the group of
    /// entries where that is most frequent.
    pub fn certainty(&self) -> Certainty {
        Certainty::of_chance(
            self.groups.iter().map(|group| group.chance(self.header.store)).fold(0.0, f64::max),
        )
    }
}

fn compile_group(group: &Group, store: Store) -> Option<Digests> {
    let Some(width) = store.width(group.algorithm.digest_length()?) else {
        // The keys of a filter are the first 64 bits.
        let has_keys = group.digests.width()? >= size_of::<u64>();
        let fingerprint = store.bits().and_then(|bits| Fingerprint::of_bits(bits.into()))?;
        return has_keys.then(|| group.digests.to_fuse(fingerprint))?;
    };
    let records = group.digests.cut(width)?;
    let range = 0..records.len();
    Plain::from_sorted(Arc::new(records), range, width).map(Digests::Plain)
}

impl Group {
    /// Returns the chance that a digest that is not in the group is found in it.
    pub(super) fn chance(&self, store: Store) -> f64 {
        match (self.digests.width(), store.bits()) {
            (None, Some(bits)) => 0.5_f64.powi(bits.into()),
            (Some(width), _) if self.algorithm.digest_length() != Some(width) => {
                // A bound: each of the digests is hit once in 2^bits, and the chances add up at most.
                self.digests.len() as f64 * 0.5_f64.powi(8 * width as i32)
            }
            _ => 0.0,
        }
    }
}
