//! Several lists as one, and the differences of two.

use core::cmp::Ordering;
use core::fmt;
use core::iter::Peekable;

use super::header::ListHeader;
use super::rules::Rules;
use super::value::{Collected, Entries, Entry, HiddenList};
use crate::error;
use urlid::Error;
use urlid::hashed_uri::{Algorithm, Keep};

impl HiddenList {
    /// Returns a list with the entries of all lists, which must have been made by the same rules. It has no date.
    ///
    /// # Errors
    /// [`Error`] if there is no list, or if the rules, keys or data of two of them differ.
    pub fn merge(lists: &[Self]) -> Result<Self, Error> {
        let (first, others) = lists.split_first().ok_or_else(|| error::NO_LIST.error())?;
        others.iter().try_for_each(|other| check_same(&first.header, &other.header))?;
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
            collected.with(group.keep).extend_from_slice(group.digests.as_bytes());
        }
        let unknown = lists.iter().flat_map(|list| &list.unknown).cloned().collect();
        let rules = Rules { keep, ..first.header.rules };
        let header = ListHeader { rules, algorithms, date: None, ..first.header.clone() };
        let suffixes = lists.iter().find_map(Self::suffixes).cloned();
        Ok(Self::sort(header, suffixes, digests, unknown))
    }

    /// Iterates over the entries that only one of two lists has, in the order of their texts.
    pub fn differences<'l>(&'l self, other: &'l Self) -> Differences<'l> {
        Differences { ours: self.entries().peekable(), theirs: other.entries().peekable() }
    }
}

/// Checks that two lists can be one: an entry of either must mean the same in both.
fn check_same(ours: &ListHeader, theirs: &ListHeader) -> Result<(), Error> {
    let differs = |key: &'static str, ours: &dyn fmt::Display, theirs: &dyn fmt::Display| {
        let (ours, theirs) = (ours.to_string(), theirs.to_string());
        if ours == theirs {
            Ok(())
        } else {
            Err(error::DIFFER.error().with_subject(key).with_shown(theirs).with_expected(ours))
        }
    };
    differs("variant", &ours.rules.variant, &theirs.rules.variant)?;
    differs("intake", &ours.rules.intake, &theirs.rules.intake)?;
    differs("host", &ours.rules.intake.host(), &theirs.rules.intake.host())?;
    differs("ladder", &ours.rules.ladder, &theirs.rules.ladder)?;
    differs("key-id", &OrNone(ours.key_id), &OrNone(theirs.key_id))?;
    differs("snapshot", &OrNone(ours.snapshot()), &OrNone(theirs.snapshot()))?;
    differs("unicode", &OrNone(ours.unicode()), &OrNone(theirs.unicode()))
}

/// Displays a value that may be missing as a header does.
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
/// use urlid_lists::{Difference, ListBuilder, Rules};
///
/// let empty = ListBuilder::new(Rules::default(), &[Algorithm::Sha1], None)?.finish();
/// let mut builder = ListBuilder::new(Rules::default(), &[Algorithm::Sha1], None)?;
/// builder.add("http://h/", None)?;
/// let list = builder.finish();
/// assert!(matches!(list.differences(&empty).next(), Some(Difference::Removed(_))));
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
/// use urlid_lists::{ListBuilder, Rules};
///
/// let list = ListBuilder::new(Rules::default(), &[Algorithm::Sha1], None)?.finish();
/// assert_eq!(list.differences(&list).count(), 0);
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
