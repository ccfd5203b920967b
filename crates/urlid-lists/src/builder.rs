//! From URIs to a list.
//!
//! Digests are collected by algorithm and flags and sorted at the end. The contents of a list therefore do
//! not depend on the order or the repetition of its URIs.
//!
//! An entry is covered by a different one if every candidate that matches it also matches an entry above it.
//! This can be derived from the text of an entry if every candidate that reaches it has the same directories
//! and hosts above it. That holds in variant N with the intake `web`, for `http` and `https`: the URL
//! Standard removes dot segments and maps hosts before parents are cut, and N never decodes a character that
//! divides a path or a host. By RFC 3986 `/a/../b` becomes `/b` only after it was cut, and variant P makes
//! one text from different paths.

use std::collections::HashMap;

use urlid::Error;
use urlid::hashed_uri::{Algorithm, Canonical, HashedUri, Hasher, Keep, Key, KeyId, Variant};
use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;

use crate::candidate::ListCandidate;
use crate::edition::Edition;
use crate::elias_fano::MOST;
use crate::error;
use crate::header::ListHeader;
use crate::kind::Store;
use crate::routes::{EntryRouter, Route, Routes};
use crate::rules::{Covers, Intake, ListRules};
use crate::value::{Collected, HiddenList};

/// Makes a list.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{Intake, ListBuilder, ListRules};
///
/// let rules = ListRules { intake: Intake::Rfc3986, ..ListRules::default() };
/// let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None)?;
/// builder.add("http://www.thus.net", None)?;
/// let mut text = Vec::new();
/// builder.finish().write_text(&mut text)?;
/// assert!(text.ends_with(b"\nhashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ListBuilder {
    rules: ListRules,
    /// Ascending by name.
    hashers: Vec<Hasher>,
    key_id: Option<KeyId>,
    edition: Edition,
    /// The digests of each hasher, in the order of the hashers.
    digests: Vec<Collected>,
    /// How many entries were added by each algorithm, repeats included.
    added: u64,
    /// The router that finds the routes of entries, if they are noted.
    router: Option<EntryRouter>,
    routes: Routes,
    /// The entries that wait until the covered ones are known, or `None` if all entries are listed.
    waiting: Option<HashMap<Canonical, Option<Route>>>,
    room: String,
}

impl ListBuilder {
    /// Starts a list. A repeated algorithm counts once. A keyed algorithm requires the key and must be the
    /// only algorithm.
    ///
    /// # Errors
    /// [`Error`] if `algorithms` is empty, if one of them cannot be computed, if key and algorithms do not
    /// match, or if intake and variant do not match.
    pub fn new(rules: ListRules, algorithms: &[Algorithm], key: Option<&Key>) -> Result<Self, Error> {
        let mut algorithms = algorithms.to_vec();
        algorithms.sort_unstable();
        algorithms.dedup();
        check_rules(rules, &algorithms, key)?;
        let hashers = algorithms.iter().map(|algorithm| Hasher::new(algorithm, key));
        Ok(Self {
            rules,
            hashers: hashers.collect::<Result<_, _>>()?,
            key_id: key.map(Key::id),
            edition: Edition::default(),
            digests: algorithms.iter().map(|_| Collected::default()).collect(),
            added: 0,
            router: None,
            routes: Routes::default(),
            waiting: None,
            room: String::new(),
        })
    }

    /// Sets the publisher's data of this edition.
    #[must_use]
    pub fn with_edition(self, edition: Edition) -> Self {
        Self { edition, ..self }
    }

    /// Records the routes of entries. They are needed to split a list into shards if its entries cover more
    /// than their own URL. The routes of a list that covers subdomains follow from the public suffix list.
    #[must_use]
    pub fn with_routes(self, suffixes: &SuffixList) -> Self {
        let router = self.hashers.first().and_then(|hasher| EntryRouter::new(self.rules, suffixes, hasher));
        Self { routes: Routes::by(self.rules, suffixes), router, ..self }
    }

    /// Leaves out the entries of `http` and `https` URLs that are covered by an entry for a directory, a host
    /// or a domain above them. The list matches the same candidates, but may report a different entry,
    /// farther up. The texts of all entries stay in memory until [`compact`](Self::compact) or
    /// [`finish`](Self::finish).
    ///
    /// # Errors
    /// [`Error`] if entries cover only their own URL, or for any variant except N or any intake except `web`,
    /// because a URL may then reach an entry without the entries above it.
    ///
    /// ```
    /// use urlid::hashed_uri::Algorithm;
    /// use urlid_lists::{Covers, ListBuilder, ListRules};
    ///
    /// let rules = ListRules { covers: Covers::Subdomains, ..ListRules::default() };
    /// let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None)?.with_compaction()?;
    /// builder.add("http://ads.example.com/", None)?;
    /// builder.add("http://example.com/", None)?;
    /// assert_eq!(builder.compact(), 1);
    /// assert_eq!(builder.finish().len(), 1);
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn with_compaction(self) -> Result<Self, Error> {
        check_coverable(self.rules)?;
        Ok(Self { waiting: Some(HashMap::new()), ..self })
    }

    /// Leaves out the covered entries that were added since the last call, and returns their number. Returns
    /// 0 without [`with_compaction`](Self::with_compaction).
    pub fn compact(&mut self) -> u64 {
        let Some(waiting) = self.waiting.as_mut().map(core::mem::take) else { return 0 };
        let mut covered = 0;
        for (canonical, route) in &waiting {
            // A covered entry may cover others in this test, because the entry above it also covers them.
            match is_covered(canonical, self.rules, &|parent| waiting.contains_key(parent)) {
                // This counts entries, and a text has one entry for each algorithm.
                true => covered += self.hashers.len() as u64,
                false => self.list(canonical, *route),
            }
        }
        covered
    }

    /// Adds a URI as an entry for each algorithm. A relative URI needs a base.
    ///
    /// # Errors
    /// [`Error`] if the text does not have a canonical form, or for more than 2^30 entries. The list is then
    /// unchanged.
    pub fn add(&mut self, uri: &str, base: Option<&str>) -> Result<(), Error> {
        let canonical = self.canonical(uri, base)?;
        self.push(canonical)
    }

    /// Returns the rules of the list.
    pub(super) fn rules(&self) -> ListRules {
        self.rules
    }

    /// Returns the canonical form of a URI that may be added. It is made in the buffer of the last one.
    pub(super) fn canonical(&mut self, uri: &str, base: Option<&str>) -> Result<Canonical, Error> {
        let room = core::mem::take(&mut self.room);
        let candidate = ListCandidate::new(uri, base, self.rules)?;
        // The buffer for cuts stays empty, because the URI itself is not cut.
        candidate.canonical(room, &mut String::new(), candidate.itself(), self.rules.keep)
    }

    /// Adds a canonical form that this builder made.
    pub(super) fn push(&mut self, canonical: Canonical) -> Result<(), Error> {
        check_length(self.added + 1)?;
        let route = self.router.as_ref().map(|router| router.route(canonical.as_str())).transpose()?;
        self.added += 1;
        match &mut self.waiting {
            Some(waiting) => drop(waiting.insert(canonical, route)),
            None => {
                self.list(&canonical, route);
                self.room = canonical.into_string();
            }
        }
        Ok(())
    }

    /// Adds the digests of a canonical form.
    fn list(&mut self, canonical: &Canonical, route: Option<Route>) {
        for (hasher, digests) in self.hashers.iter().zip(&mut self.digests) {
            if let Some(route) = route {
                let digest = hasher.digest(canonical);
                self.routes.add(&hasher.algorithm(), canonical.kept(), digest.as_bytes(), route);
            }
            hasher.push_digest(canonical, digests.with(canonical.kept()));
        }
    }

    /// Sorts the entries.
    pub fn finish(self) -> HiddenList {
        self.finish_routed().0
    }

    /// Sorts the entries, and returns the list with its routes.
    pub fn finish_routed(mut self) -> (HiddenList, Routes) {
        self.compact();
        let routes = core::mem::take(&mut self.routes).sorted();
        (self.finish_list(), routes)
    }

    fn finish_list(self) -> HiddenList {
        let Self { rules, hashers, key_id, edition, digests, .. } = self;
        let algorithms: Vec<Algorithm> = hashers.iter().map(Hasher::algorithm).collect();
        HiddenList::sort(header(rules, algorithms, key_id, edition), digests, Vec::new())
    }
}

impl HiddenList {
    /// Makes a list of hashed URIs that come without a header. `rules` are the rules by which they were made.
    /// A keyed list needs its key. A list of zero URIs matches nothing.
    ///
    /// # Errors
    /// [`Error`] if key and algorithms do not match, or if intake and variant do not match.
    ///
    /// ```
    /// use urlid::hashed_uri::HashedUri;
    /// use urlid_lists::{HiddenList, Intake, ListMatcher, ListRules, Scratch};
    ///
    /// let hashed: HashedUri = "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481".parse()?;
    /// let rules = ListRules { intake: Intake::Rfc3986, ..ListRules::default() };
    /// let matcher = ListMatcher::new(&HiddenList::from_hashed_uris(vec![hashed], rules, None)?, None)?;
    /// assert!(matcher.find(&mut Scratch::default(), "HTTP://www.Thus.net#end", None)?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_hashed_uris(
        uris: Vec<HashedUri>,
        rules: ListRules,
        key: Option<&Key>,
    ) -> Result<Self, Error> {
        let mut algorithms: Vec<Algorithm> = uris.iter().map(|uri| uri.algorithm().clone()).collect();
        algorithms.sort_unstable();
        algorithms.dedup();
        if algorithms.is_empty() {
            // A header names an algorithm even if the list is empty.
            algorithms.push(if key.is_some() { Algorithm::XHmacSha256 } else { Algorithm::Sha1 });
        }
        check_rules(rules, &algorithms, key)?;
        check_length(uris.len() as u64)?;
        let mut digests: Vec<Collected> = algorithms.iter().map(|_| Collected::default()).collect();
        let (known, unknown): (Vec<HashedUri>, Vec<HashedUri>) =
            uris.into_iter().partition(HashedUri::is_known);
        let mut keep = rules.keep;
        for uri in &known {
            if let Ok(index) = algorithms.binary_search(uri.algorithm()) {
                digests[index].with(uri.keep()).extend_from_slice(uri.digest());
            }
        }
        for uri in known.iter().chain(&unknown) {
            // Readers reject an entry whose flags are missing in the header, whatever its algorithm.
            keep = keep.union(uri.keep());
        }
        let header = header(ListRules { keep, ..rules }, algorithms, key.map(Key::id), Edition::default());
        Ok(Self::sort(header, digests, unknown))
    }
}

/// Makes the header of a list whose entries are not counted yet.
fn header(
    rules: ListRules,
    algorithms: Vec<Algorithm>,
    key_id: Option<KeyId>,
    edition: Edition,
) -> ListHeader {
    let unicode = || Snapshot::new(SuffixList::compiled()).unicode;
    ListHeader {
        rules,
        algorithms,
        key_id,
        count: 0,
        unicode: matches!(rules.intake, Intake::Web(_)).then(unicode),
        snapshot: None,
        edition,
        store: Store::WHOLE,
    }
}

fn check_rules(rules: ListRules, algorithms: &[Algorithm], key: Option<&Key>) -> Result<(), Error> {
    if algorithms.is_empty() {
        return Err(error::NO_ALGORITHM.error());
    }
    if !rules.are_compatible() {
        return Err(error::INTAKE.error());
    }
    check_key(algorithms, key)
}

/// Checks that the digests of a list fit in a block.
pub(super) fn check_length(entries: u64) -> Result<(), Error> {
    if entries <= MOST { Ok(()) } else { Err(error::TOO_LONG.error()) }
}

/// Checks that a key is there if and only if all algorithms need one.
fn check_key(algorithms: &[Algorithm], key: Option<&Key>) -> Result<(), Error> {
    let keyed = algorithms.iter().filter(|algorithm| algorithm.is_keyed()).count();
    match key {
        // The unkeyed digest of a URL that is in both lists can be guessed, which reveals the keyed one.
        _ if keyed > 0 && keyed < algorithms.len() => Err(error::KEYED_AND_UNKEYED.error()),
        None if keyed > 0 => Err(error::KEY_MISSING.error()),
        Some(_) if keyed == 0 => Err(error::KEY_NOT_NEEDED.error()),
        _ => Ok(()),
    }
}

/// Checks that covered entries of a list can be found.
pub(super) fn check_coverable(rules: ListRules) -> Result<(), Error> {
    match rules {
        ListRules { covers: Covers::Url, .. } => Err(error::setting("url", "directory or subdomains")),
        ListRules { variant: Variant::N, intake: Intake::Web(_), .. } => Ok(()),
        ListRules { intake: Intake::Rfc3986, .. } => Err(error::setting("rfc3986", "web")),
        ListRules { variant: Variant::P, .. } => Err(error::setting("p", "n")),
        ListRules { variant: Variant::None, .. } => Err(error::setting("none", "n")),
    }
}

/// Returns whether an entry is covered by one that is `listed`.
///
/// Only entries without flags can cover others. Only shorter texts are looked up, so two entries never cover
/// each other.
pub(super) fn is_covered(
    entry: &Canonical,
    rules: ListRules,
    is_listed: &dyn Fn(&Canonical) -> bool,
) -> bool {
    let text = entry.as_str();
    if !text.starts_with("http://") && !text.starts_with("https://") {
        return false;
    }
    // The intake was applied already.
    let Ok(candidate) = ListCandidate::new(text, None, ListRules { intake: Intake::Rfc3986, ..rules }) else {
        return false;
    };
    let expressions = candidate.hosts().flat_map(|host| candidate.expressions(host, Keep::NONE));
    let parents = expressions.filter_map(|expression| {
        candidate.canonical(String::new(), &mut String::new(), expression, Keep::NONE).ok()
    });
    parents.into_iter().any(|parent| parent.as_str().len() < text.len() && is_listed(&parent))
}
