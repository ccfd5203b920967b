//! The public suffix list by which a ladder with hosts climbs.
//!
//! By another one than a list was made with, hosts climb to other domains, and what is listed is not found.

use super::other_suffixes;
use super::value::HiddenList;
use urlid::Error;
use urlid::suffix::SuffixList;

impl HiddenList {
    /// Returns the public suffix list that a list with a ladder of hosts was made with, if it is at hand: a compiled list
    /// carries it, a text names it, and the one of this library is always at hand. None without such a ladder.
    pub fn suffixes(&self) -> Option<&SuffixList> {
        self.suffixes.as_ref()
    }

    /// Returns the list with the public suffix list that it was made with. A list whose ladder has no hosts needs none.
    ///
    /// # Errors
    /// [`Error`] if it is not the one that the header names.
    ///
    /// ```
    /// use urlid::hashed_uri::Algorithm;
    /// use urlid_lists::{Ladder, ListBuilder, Rules};
    /// use urlid::suffix::{Sections, SuffixList};
    ///
    /// let rules = Rules { ladder: Ladder::Hosts, ..Rules::default() };
    /// let list = ListBuilder::new(rules, &[Algorithm::Sha1], None)?.finish();
    /// let other = SuffixList::parse("com\n", Sections::All)?;
    /// assert!(list.with_suffixes(&other).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_suffixes(mut self, suffixes: &SuffixList) -> Result<Self, Error> {
        if let Some(snapshot) = &self.header.snapshot {
            other_suffixes::check(snapshot, suffixes)?;
            self.suffixes = Some(suffixes.clone());
        }
        Ok(self)
    }

    /// Checks that the public suffix list that the list was made with is at hand, or is not needed.
    ///
    /// # Errors
    /// [`Error`] if it is not.
    pub fn check_suffixes(&self) -> Result<(), Error> {
        match (&self.header.snapshot, &self.suffixes) {
            (Some(snapshot), None) => other_suffixes::check(snapshot, SuffixList::compiled()),
            _ => Ok(()),
        }
    }
}

/// Whether a list may be matched by another public suffix list than it was made with.
///
/// ```
/// use urlid_lists::OnOtherSuffixes;
///
/// assert_eq!(OnOtherSuffixes::default(), OnOtherSuffixes::Fail);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnOtherSuffixes {
    /// No: an error, because hosts climb to other domains, and what is listed may not be found.
    #[default]
    Fail,
    /// Yes.
    Accept,
}
