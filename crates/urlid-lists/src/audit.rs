//! Dictionary attacks on a list: the entries that a dictionary of URIs reveals, and the cost of guessing
//! (draft, section 6).
//!
//! One pass over the dictionary of P URIs tests all H entries, in O(H + P) instead of O(HP).

use std::collections::BTreeMap;

use super::import::domain_of_line;
use super::matcher::ListMatcher;
use super::value::Entry;
use crate::error;
use crate::matcher::Scratch;
use urlid::Error;
use urlid::reference::{Authority, Context, Reference};

/// The characters that are tried in a domain label: letters, digits and the hyphen.
const LABEL_CHARACTERS: f64 = 37.0;

/// Tries a dictionary of URIs against a list.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{Audit, ListBuilder, ListMatcher, ListRules};
///
/// let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?;
/// for uri in ["http://www.example.com/", "http://example.org/a-page-nobody-guesses"] {
///     builder.add(uri, None)?;
/// }
/// let matcher = ListMatcher::new(&builder.finish(), None)?;
/// let mut audit = Audit::new(&matcher);
/// audit.guess_domain("example.com")?;
/// audit.guess("http://example.org/", None)?;
/// assert_eq!((audit.findings().revealed, audit.findings().entries), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Audit<'m> {
    matcher: &'m ListMatcher,
    scratch: Scratch,
    candidates: u64,
    revealed: BTreeMap<Entry<'m>, String>,
}

impl<'m> Audit<'m> {
    /// The texts before a domain that make the URIs of its home page, as [`guess_domain`](Self::guess_domain)
    /// tries them.
    pub const HOME_PAGES: [&'static str; 4] = ["http://", "https://", "http://www.", "https://www."];

    /// Starts the audit of a matcher's list. A keyed list is audited with its key, because guesses are
    /// impossible without it.
    pub fn new(matcher: &'m ListMatcher) -> Self {
        Self { matcher, scratch: Scratch::default(), candidates: 0, revealed: BTreeMap::new() }
    }

    /// Tries a URI of the dictionary, and its parents if entries cover more than their own URL.
    ///
    /// # Errors
    /// [`Error`] if the text does not have a canonical form.
    pub fn guess(&mut self, uri: &str, base: Option<&str>) -> Result<(), Error> {
        let revealed = &mut self.revealed;
        self.matcher.each(&mut self.scratch, uri, base, |entry, canonical| {
            // The first text is kept. Others may have the same digest, if it was cut.
            revealed.entry(entry).or_insert_with(|| canonical.to_owned());
        })?;
        // Rejected texts are not counted, because they were not tried.
        self.candidates += 1;
        Ok(())
    }

    /// Tries the home page of the domain in a line, read as
    /// [`ListFormat::Domains`](crate::ListFormat::Domains) reads it: `http` and `https`, with `www.` and
    /// without. A comment is skipped.
    ///
    /// # Errors
    /// [`Error`] if the line is not a domain.
    pub fn guess_domain(&mut self, line: &str) -> Result<(), Error> {
        if line.starts_with('#') {
            return Ok(());
        }
        let domain = domain_of_line(line.trim());
        let (domain, _) =
            domain.map_err(|reason| error::NOT_DOMAIN.found(line).with_subject(reason.words(1)))?;
        Self::HOME_PAGES.iter().try_for_each(|start| self.guess(&[start, &*domain, "/"].concat(), None))
    }

    /// Iterates over the revealed entries in order, each with a canonical text that it is the digest of.
    pub fn revealed(&self) -> impl Iterator<Item = (Entry<'m>, &str)> {
        self.revealed.iter().map(|(entry, canonical)| (*entry, canonical.as_str()))
    }

    /// Returns the findings so far.
    pub fn findings(&self) -> Findings {
        Findings {
            entries: self.matcher.list().len(),
            not_checkable: self.matcher.list().not_checkable().len() as u64,
            candidates: self.candidates,
            digests: self.scratch.digests(),
            revealed: self.revealed.len() as u64,
            home_pages: self.revealed.values().filter(|canonical| is_home_page(canonical)).count() as u64,
        }
    }
}

/// The findings of an audit, in numbers.
///
/// ```
/// use urlid_lists::Findings;
///
/// let findings =
///     Findings { entries: 2, not_checkable: 0, candidates: 5, digests: 10, revealed: 1, home_pages: 0 };
/// assert_eq!(findings.seconds(2.0), 5.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Findings {
    /// The entries of the list.
    pub entries: u64,
    /// The entries by unknown algorithms, which are not guessed.
    pub not_checkable: u64,
    /// The URIs of the dictionary.
    pub candidates: u64,
    /// The digests that trying them took.
    pub digests: u64,
    /// The entries that the dictionary reveals.
    pub revealed: u64,
    /// The revealed entries that are a home page, `http://www.domain/`. This space is small enough to be
    /// searched completely.
    pub home_pages: u64,
}

impl Findings {
    /// Returns the seconds that it takes to try the same dictionary, at `rate` digests a second.
    pub fn seconds(&self, rate: f64) -> f64 {
        self.digests as f64 / rate
    }
}

/// Returns the seconds that it takes to try the home pages of all names of up to `characters` characters
/// under one public suffix, at `rate` digests a second and `forms` digests for each name.
pub fn seconds_for_names(characters: u32, forms: f64, rate: f64) -> f64 {
    let names: f64 = (1..=characters).map(|length| LABEL_CHARACTERS.powf(f64::from(length))).sum();
    names * forms / rate
}

/// Returns whether a canonical text consists of only a scheme, a host and a root.
fn is_home_page(canonical: &str) -> bool {
    let Ok(parsed) = Reference::parse(canonical, Context::Rfc3986) else { return false };
    let is_plain = |authority: Authority<'_>| authority.user.is_none() && authority.port.is_none();
    parsed.authority().is_some_and(is_plain)
        && matches!(parsed.path(), "" | "/")
        && parsed.query().is_none()
        && parsed.fragment().is_none()
}
