//! What an adversary learns from a list: which entries a dictionary of URIs reveals, and what guessing costs (draft,
//! section 6; docs/lists.md, "What hashing does not hide").
//!
//! One pass over the dictionary tests all entries: O(H + P), not O(HP).

use std::collections::BTreeMap;

use super::error::KeyError;
use super::matcher::{Matcher, Scratch};
use super::value::{Entry, HiddenList};
use crate::hashed_uri::{CanonicalError, Key};
use crate::reference::{Context, Reference};
use crate::suffix;

/// The characters of a domain label that are tried: letters, digits and the hyphen.
const LABEL_CHARACTERS: f64 = 37.0;

/// Tries a dictionary of URIs against a list.
#[derive(Debug)]
pub struct Audit<'l> {
    matcher: Matcher<'l>,
    scratch: Scratch,
    entries: u64,
    not_checkable: u64,
    candidates: u64,
    revealed: BTreeMap<Entry<'l>, String>,
}

impl<'l> Audit<'l> {
    /// Begins the audit of a list; of a keyed one as by somebody who has the key, for nobody else can try anything.
    ///
    /// # Errors
    /// [`KeyError`] if the key is missing, is another one, or is not needed.
    pub fn new(list: &'l HiddenList, key: Option<&Key>) -> Result<Self, KeyError> {
        Ok(Self {
            matcher: Matcher::new(list, key)?,
            scratch: Scratch::default(),
            entries: list.len(),
            not_checkable: list.not_checkable().len() as u64,
            candidates: 0,
            revealed: BTreeMap::new(),
        })
    }

    /// Sets the public suffix list of a ladder with hosts, instead of the compiled one.
    #[must_use]
    pub fn with_suffixes(self, suffixes: &'l suffix::SuffixList) -> Self {
        Self { matcher: self.matcher.with_suffixes(suffixes), ..self }
    }

    /// Tries a URI of the dictionary, and its parents if the list has a ladder.
    ///
    /// # Errors
    /// [`CanonicalError`] if the text is no URI, or is relative without a base.
    pub fn guess(&mut self, uri: &str, base: Option<&str>) -> Result<(), CanonicalError> {
        let revealed = &mut self.revealed;
        self.matcher.each(&mut self.scratch, uri, base, |entry, canonical| {
            revealed.entry(entry).or_insert_with(|| canonical.to_owned());
        })?;
        self.candidates += 1;
        Ok(())
    }

    /// Iterates over the revealed entries in order, each with a canonical text that it is the digest of.
    pub fn revealed(&self) -> impl Iterator<Item = (Entry<'l>, &str)> {
        self.revealed.iter().map(|(entry, canonical)| (*entry, canonical.as_str()))
    }

    /// Returns the findings so far.
    pub fn findings(&self) -> Findings {
        Findings {
            entries: self.entries,
            not_checkable: self.not_checkable,
            candidates: self.candidates,
            digests: self.scratch.digests(),
            revealed: self.revealed.len() as u64,
            home_pages: self.revealed.values().filter(|canonical| is_home_page(canonical)).count() as u64,
        }
    }
}

/// What an audit found, in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Findings {
    /// The entries of the list.
    pub entries: u64,
    /// Those by unknown algorithms, at which no guess was made.
    pub not_checkable: u64,
    /// The URIs of the dictionary.
    pub candidates: u64,
    /// The digests that trying them took.
    pub digests: u64,
    /// The entries that the dictionary reveals.
    pub revealed: u64,
    /// Those of them that are a home page, `http://www.domain/`: a space small enough to be searched whole.
    pub home_pages: u64,
}

impl Findings {
    /// Returns how many seconds it takes to try the same dictionary, at `rate` digests a second.
    pub fn seconds(&self, rate: f64) -> f64 {
        self.digests as f64 / rate
    }
}

/// Returns how many seconds it takes to try the home pages of all names of up to `characters` characters under one
/// public suffix, at `rate` digests a second and `forms` digests for each name.
pub fn seconds_for_names(characters: u32, forms: f64, rate: f64) -> f64 {
    let names: f64 = (1..=characters).map(|length| LABEL_CHARACTERS.powf(f64::from(length))).sum();
    names * forms / rate
}

/// Whether a canonical text has a host and nothing else but its scheme and a root.
fn is_home_page(canonical: &str) -> bool {
    let Ok(parsed) = Reference::parse(canonical, Context::Rfc3986) else { return false };
    let is_plain =
        |authority: crate::reference::Authority<'_>| authority.user.is_none() && authority.port.is_none();
    parsed.authority().is_some_and(is_plain)
        && matches!(parsed.path(), "" | "/")
        && parsed.query().is_none()
        && parsed.fragment().is_none()
}
