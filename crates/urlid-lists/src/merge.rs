//! Several lists as one, and the differences of two.

use core::cmp::Ordering;
use core::fmt;
use core::iter::Peekable;

use super::builder::check_length;
use super::edition::Edition;
use super::header::ListHeader;
use super::rules::ListRules;
use super::value::{Collected, Entries, Entry, HiddenList};
use crate::error;
use urlid::Error;
use urlid::hashed_uri::{Algorithm, Keep};

impl HiddenList {
    /// Returns a list with the entries of all lists, which must have the same rules and keep the same number
    /// of bits of digests. It lacks a publisher, a sequence and dates.
    ///
    /// # Errors
    /// [`Error`] if `lists` is empty, or if the rules, keys or data of two of them differ.
    pub fn merge(lists: &[Self]) -> Result<Self, Error> {
        let (first, others) = lists.split_first().ok_or_else(|| error::NO_LIST.error())?;
        others.iter().try_for_each(|other| check_same(&first.header, &other.header))?;
        check_length(lists.iter().map(Self::len).sum())?;
        let mut algorithms: Vec<Algorithm> =
            lists.iter().flat_map(|list| &list.header.algorithms).cloned().collect();
        algorithms.sort_unstable();
        algorithms.dedup();
        let keep = lists.iter().fold(Keep::NONE, |keep, list| keep.union(list.header.rules.keep));

        let mut digests: Vec<Collected> = algorithms.iter().map(|_| Collected::default()).collect();
        for group in lists.iter().flat_map(|list| &list.groups) {
            let index = algorithms.iter().position(|algorithm| *algorithm == group.algorithm);
            let collected = index.and_then(|index| digests.get_mut(index));
            let collected = collected.expect("each algorithm of a list is among those of all lists");
            let records = group.digests.cut(group.digests.width());
            collected.with(group.keep).extend(records.unwrap_or_default());
        }
        let unknown = lists.iter().flat_map(|list| &list.unknown).cloned().collect();
        let rules = ListRules { keep, ..first.header.rules };
        // An edition belongs to one publisher and is signed unchanged, and neither is true of a merged list.
        let header = ListHeader { rules, algorithms, edition: Edition::default(), ..first.header.clone() };
        Ok(Self::sort(header, digests, unknown))
    }

    /// Iterates over the entries that only one of two lists has, in the order of their texts. Both keep as
    /// many bits of digests.
    ///
    /// # Errors
    /// [`Error`] if they do not.
    pub fn differences<'l>(&'l self, other: &'l Self) -> Result<Differences<'l>, Error> {
        check_equal("digest-bits", &self.header.store, &other.header.store)?;
        Ok(Differences { ours: self.entries().peekable(), theirs: other.entries().peekable() })
    }
}

/// Checks that two lists can be merged: an entry must mean the same in both.
fn check_same(ours: &ListHeader, theirs: &ListHeader) -> Result<(), Error> {
    check_same_rules(ours, theirs)?;
    // A host may have a different name by different data, so equal digests could mean different URLs.
    check_equal("unicode", &OrNone(ours.unicode()), &OrNone(theirs.unicode()))
}

/// Checks that two lists can be editions of the same list. They may have been made with different data.
pub(super) fn check_same_rules(ours: &ListHeader, theirs: &ListHeader) -> Result<(), Error> {
    check_equal("digest-bits", &ours.store, &theirs.store)?;
    check_equal("variant", &ours.rules.variant, &theirs.rules.variant)?;
    check_equal("intake", &ours.rules.intake, &theirs.rules.intake)?;
    check_equal("user-info", &ours.rules.intake.user_info(), &theirs.rules.intake.user_info())?;
    check_equal("covers", &ours.rules.covers, &theirs.rules.covers)?;
    check_equal("key-id", &OrNone(ours.key_id), &OrNone(theirs.key_id))
}

/// Checks that two lists have the same value of a key.
fn check_equal(key: &'static str, ours: &dyn fmt::Display, theirs: &dyn fmt::Display) -> Result<(), Error> {
    let (ours, theirs) = (ours.to_string(), theirs.to_string());
    match ours == theirs {
        true => Ok(()),
        false => Err(error::DIFFER.error().with_subject(key).with_shown(theirs).with_expected(ours)),
    }
}

/// Displays a value that may be missing like the header.
struct OrNone<T>(Option<T>);

impl<T: fmt::Display> fmt::Display for OrNone<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(value) => value.fmt(f),
            None => f.write_str("none"),
        }
    }
}

/// An entry that one of two lists has and the other has not.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{Difference, ListBuilder, ListRules};
///
/// let empty = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?.finish();
/// let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?;
/// builder.add("http://h/", None)?;
/// let list = builder.finish();
/// assert!(matches!(list.differences(&empty)?.next(), Some(Difference::Removed(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference<'l> {
    /// Only the first list has it.
    Removed(Entry<'l>),
    /// Only the second list has it.
    Added(Entry<'l>),
}

/// The differences of two lists, in the order of the entries' texts.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{ListBuilder, ListRules};
///
/// let list = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?.finish();
/// assert_eq!(list.differences(&list)?.count(), 0);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone)]
pub struct Differences<'l> {
    ours: Peekable<Entries<'l>>,
    theirs: Peekable<Entries<'l>>,
}

impl<'l> Iterator for Differences<'l> {
    type Item = Difference<'l>;

    fn next(&mut self) -> Option<Difference<'l>> {
        loop {
            let order = match (self.ours.peek(), self.theirs.peek()) {
                (Some(ours), Some(theirs)) => ours.cmp(theirs),
                (Some(_), None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            match order {
                Ordering::Less => return self.ours.next().map(Difference::Removed),
                Ordering::Greater => return self.theirs.next().map(Difference::Added),
                Ordering::Equal => {
                    self.ours.next();
                    self.theirs.next();
                }
            }
        }
    }
}
