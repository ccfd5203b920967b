//! From URIs to a list.
//!
//! Digests are collected by algorithm and flags, and sorted at the end: what a list holds does not depend on the order
//! of its URIs, nor on repeats.

use super::digests::Digests;
use super::error::{BuildError, KeyError};
use super::header::Header;
use super::ladder;
use super::terms::{Date, Ladder, Rules};
use super::value::{Group, HiddenList};
use crate::hashed_uri::{Algorithm, Canonical, CanonicalError, Hasher, Keep, Key, KeyId};
use crate::snapshot::Snapshot;
use crate::suffix;

/// Makes a list.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid::list::{Builder, Rules};
///
/// let mut builder = Builder::new(Rules::default(), &[Algorithm::Sha1], None)?;
/// builder.add("http://www.thus.net", None)?;
/// let mut text = Vec::new();
/// builder.finish().write_text(&mut text)?;
/// assert!(text.ends_with(b"\nhashed:sha1=87ed28009f511ed7ef630180a229ba257180a481\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Builder {
    rules: Rules,
    /// Ascending by name.
    hashers: Vec<Hasher>,
    key_id: Option<KeyId>,
    snapshot: Option<Snapshot>,
    date: Option<Date>,
    /// For each hasher the digests of each set of flags.
    digests: Vec<[Vec<u8>; Keep::EACH.len()]>,
    room: String,
}

impl Builder {
    /// Begins a list. A repeated algorithm counts once; a keyed one needs the key, and is the only one then.
    ///
    /// # Errors
    /// [`BuildError`] if there is no algorithm, if one cannot be computed, or if key and algorithms do not fit.
    pub fn new(rules: Rules, algorithms: &[Algorithm], key: Option<&Key>) -> Result<Self, BuildError> {
        let mut algorithms = algorithms.to_vec();
        algorithms.sort_unstable();
        algorithms.dedup();
        if algorithms.is_empty() {
            return Err(BuildError::NoAlgorithm);
        }
        check_key(&algorithms, key)?;
        let hashers = algorithms.iter().map(|algorithm| Hasher::new(algorithm, key));
        let hashers = hashers.collect::<Result<Vec<_>, _>>()?;
        let snapshot = (rules.ladder == Ladder::Hosts).then(|| Snapshot::of(Default::default()));
        let digests = hashers.iter().map(|_| Default::default()).collect();
        let key_id = key.map(Key::id);
        Ok(Self { rules, hashers, key_id, snapshot, date: None, digests, room: String::new() })
    }

    /// Sets the date of the list.
    #[must_use]
    pub fn with_date(self, date: Date) -> Self {
        Self { date: Some(date), ..self }
    }

    /// Sets the public suffix list that the header of a ladder with hosts names, instead of the compiled one.
    #[must_use]
    pub fn with_suffixes(self, suffixes: &suffix::SuffixList) -> Self {
        let snapshot = self.snapshot.as_ref().map(|_| Snapshot::of(suffixes));
        Self { snapshot, ..self }
    }

    /// Adds a URI, an entry for each algorithm. A relative one needs a base.
    ///
    /// # Errors
    /// [`CanonicalError`] if the text is no URI; the list stays as it was.
    pub fn add(&mut self, uri: &str, base: Option<&str>) -> Result<(), CanonicalError> {
        let room = std::mem::take(&mut self.room);
        let Rules { variant, keep, ladder } = self.rules;
        let canonical = Canonical::make(room, uri, base, keep, variant)?;
        let canonical = match ladder {
            Ladder::None => canonical,
            Ladder::Path | Ladder::Hosts => ladder::rooted(canonical, variant)?,
        };
        let index = flags_index(canonical.kept());
        for (hasher, digests) in self.hashers.iter().zip(&mut self.digests) {
            hasher.push_digest(&canonical, &mut digests[index]);
        }
        self.room = canonical.into_string();
        Ok(())
    }

    /// Sorts what was added.
    pub fn finish(self) -> HiddenList {
        let algorithms: Vec<Algorithm> = self.hashers.iter().map(Hasher::algorithm).collect();
        let mut groups = Vec::new();
        for (algorithm, digests) in algorithms.iter().zip(self.digests) {
            push_groups(algorithm, digests, &mut groups);
        }
        let Self { rules, key_id, snapshot, date, .. } = self;
        let header = Header { rules, algorithms, key_id, count: 0, snapshot, date };
        let mut list = HiddenList { header, groups, unknown: Vec::new() };
        list.header.count = list.len();
        list
    }
}

/// Returns the place of flags in [`Keep::EACH`].
pub(super) fn flags_index(keep: Keep) -> usize {
    match (keep.fragment, keep.query) {
        (false, false) => 0,
        (true, false) => 1,
        (true, true) => 2,
        (false, true) => 3,
    }
}

/// Sorts the digests of each set of flags, and keeps those sets that have any.
pub(super) fn push_groups(
    algorithm: &Algorithm,
    digests: [Vec<u8>; Keep::EACH.len()],
    groups: &mut Vec<Group>,
) {
    let Some(width) = algorithm.digest_length() else { return };
    for (keep, bytes) in Keep::EACH.into_iter().zip(digests) {
        if !bytes.is_empty() {
            groups.push(Group { algorithm: algorithm.clone(), keep, digests: Digests::sort(bytes, width) });
        }
    }
}

/// Checks that a key is there if and only if all algorithms need one.
fn check_key(algorithms: &[Algorithm], key: Option<&Key>) -> Result<(), KeyError> {
    let keyed = algorithms.iter().filter(|algorithm| algorithm.is_keyed()).count();
    match key {
        _ if keyed > 0 && keyed < algorithms.len() => Err(KeyError::Mixed),
        None if keyed > 0 => Err(KeyError::Missing),
        Some(_) if keyed == 0 => Err(KeyError::NotNeeded),
        _ => Ok(()),
    }
}
