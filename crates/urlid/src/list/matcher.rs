//! Candidates against a list.
//!
//! A candidate is made canonical once for every set of flags in the list, and hashed once for every algorithm of each:
//! never for an entry. What is looked up is bounded whatever the candidate is.

use std::fmt;
use std::ops::Range;

use super::digests::Place;
use super::error::KeyError;
use super::ladder::{self, Cuts, MOST_DIRECTORIES, MOST_HOSTS};
use super::terms::{Ladder, Rules};
use super::value::{Entry, Group, HiddenList};
use crate::hashed_uri::{Canonical, CanonicalError, Hasher, HasherError, Keep, Key, Variant};
use crate::suffix;

/// Tells by which entries of a list candidates are matched.
///
/// One matcher serves many threads, each with a [`Scratch`] of its own.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid::list::{Builder, Ladder, Matcher, Rules, Scratch};
///
/// let rules = Rules { ladder: Ladder::Path, ..Rules::default() };
/// let mut builder = Builder::new(rules, &[Algorithm::Sha1], None)?;
/// builder.add("http://example.com/secret/", None)?;
/// let list = builder.finish();
///
/// let matcher = Matcher::new(&list, None)?;
/// let mut scratch = Scratch::default();
/// let found = matcher.find(&mut scratch, "http://EXAMPLE.com/secret/page?x=1", None)?.expect("a parent is listed");
/// assert_eq!(found.canonical, "http://example.com/secret/");
/// assert_eq!(matcher.find(&mut scratch, "http://example.com/public/", None)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Matcher<'l> {
    rules: Rules,
    suffixes: &'l suffix::SuffixList,
    /// The longest texts first: those that keep most.
    plans: Vec<Plan<'l>>,
}

/// The groups with the same flags, each with its hasher.
struct Plan<'l> {
    keep: Keep,
    groups: Vec<(&'l Group, Hasher)>,
}

/// What a thread reuses from candidate to candidate.
#[derive(Debug, Default)]
pub struct Scratch {
    room: String,
    rung: String,
    digests: u64,
    /// The digests of candidates that are looked up together.
    bytes: Vec<u8>,
    probes: Vec<Probe>,
}

/// A digest of a candidate that is looked up together with others.
#[derive(Debug)]
struct Probe {
    candidate: usize,
    group: usize,
    /// Where its digest is.
    digest: Range<usize>,
    place: Place,
    /// What is at the place.
    seen: u64,
}

/// How many candidates are looked up together: more than memory answers at once, less than the cache holds.
const TOGETHER: usize = 64;

impl Scratch {
    /// Returns how many digests were computed with this scratch.
    pub fn digests(&self) -> u64 {
        self.digests
    }
}

/// An entry that matches a candidate, and the canonical text that it is the digest of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match<'l> {
    /// The entry.
    pub entry: Entry<'l>,
    /// The candidate's own canonical text, or that of the parent that is listed.
    pub canonical: String,
}

/// What is found for a candidate: an entry, none, or why there is no looking.
pub type Found<'l> = Result<Option<Entry<'l>>, CanonicalError>;

/// Whether to look for more matches of a candidate.
enum Search {
    More,
    Done,
}

impl<'l> Matcher<'l> {
    /// Makes the matcher of a list. A keyed list needs its key.
    ///
    /// # Errors
    /// [`KeyError`] if the key is missing, is another one, or is not needed.
    pub fn new(list: &'l HiddenList, key: Option<&Key>) -> Result<Self, KeyError> {
        KeyError::check(list.header.key_id, key.map(Key::id))?;
        let mut plans = Vec::new();
        for keep in [Keep::ALL, Keep::QUERY, Keep::FRAGMENT, Keep::NONE] {
            let groups = list.groups.iter().filter(|group| group.keep == keep);
            let hashers = groups.map(|group| Ok((group, Hasher::new(&group.algorithm, key)?)));
            // A group's algorithm is known, so a key is all that a hasher can lack.
            let groups: Result<Vec<_>, HasherError> = hashers.collect();
            let groups = groups.map_err(|_| KeyError::Missing)?;
            if !groups.is_empty() {
                plans.push(Plan { keep, groups });
            }
        }
        Ok(Self { rules: list.header.rules, suffixes: Default::default(), plans })
    }

    /// Sets the public suffix list by which a ladder with hosts finds registrable domains, instead of the compiled one.
    #[must_use]
    pub fn with_suffixes(self, suffixes: &'l suffix::SuffixList) -> Self {
        Self { suffixes, ..self }
    }

    /// Returns how many digests a candidate costs at most.
    pub fn most_digests(&self) -> usize {
        let (hosts, directories) = match self.rules.ladder {
            Ladder::None => (1, 0),
            Ladder::Path => (1, MOST_DIRECTORIES),
            Ladder::Hosts => (MOST_HOSTS, MOST_DIRECTORIES),
        };
        let texts = |plan: &Plan<'_>| if plan.keep == Keep::NONE { 1 + directories } else { 1 };
        self.plans.iter().map(|plan| hosts * texts(plan) * plan.groups.len()).sum()
    }

    /// Returns the first entry that matches a candidate: its own URI before its parents, the nearest parent first, its
    /// own host before those above it.
    ///
    /// # Errors
    /// [`CanonicalError`] if the candidate is no URI, or is relative without a base.
    pub fn find(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
    ) -> Result<Option<Match<'l>>, CanonicalError> {
        let mut first = None;
        self.search(scratch, uri, base, &mut |entry, canonical| {
            first = Some(Match { entry, canonical: canonical.to_owned() });
            Search::Done
        })?;
        Ok(first)
    }

    /// Finds the entries that [`find`](Self::find) finds for many candidates, and appends them to `found` in their order.
    ///
    /// Faster than one by one: memory is asked about all of them before an answer is waited for.
    pub fn find_many(
        &self,
        scratch: &mut Scratch,
        uris: &[&str],
        base: Option<&str>,
        found: &mut Vec<Found<'l>>,
    ) {
        if self.rules.ladder != Ladder::None || self.plans.is_empty() {
            let find = |uri: &&str| Ok(self.find(scratch, uri, base)?.map(|found| found.entry));
            return found.extend(uris.iter().map(find));
        }
        for uris in uris.chunks(TOGETHER) {
            let start = found.len();
            found.extend(uris.iter().map(|_| Ok(None)));
            for plan in &self.plans {
                plan.hash(scratch, uris, base, self.rules.variant, &mut found[start..]);
                plan.look_up_together(scratch, &mut found[start..]);
            }
        }
    }

    /// Calls `visit` for every entry that matches a candidate, in the order of [`find`](Self::find), with the
    /// canonical text that it is the digest of.
    ///
    /// # Errors
    /// [`CanonicalError`] if the candidate is no URI, or is relative without a base.
    pub fn each(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        mut visit: impl FnMut(Entry<'l>, &str),
    ) -> Result<(), CanonicalError> {
        self.search(scratch, uri, base, &mut |entry, canonical| {
            visit(entry, canonical);
            Search::More
        })
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        visit: &mut dyn FnMut(Entry<'l>, &str) -> Search,
    ) -> Result<(), CanonicalError> {
        match self.rules.ladder {
            Ladder::None => self.search_itself(scratch, uri, base, visit),
            Ladder::Path | Ladder::Hosts => self.search_ladder(scratch, uri, base, visit),
        }
    }

    /// Looks up the candidate alone.
    fn search_itself(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        visit: &mut dyn FnMut(Entry<'l>, &str) -> Search,
    ) -> Result<(), CanonicalError> {
        if self.plans.is_empty() {
            // An empty list refuses the same candidates as any other.
            Canonical::make(std::mem::take(&mut scratch.room), uri, base, Keep::NONE, self.rules.variant)?;
        }
        for plan in &self.plans {
            let room = std::mem::take(&mut scratch.room);
            let canonical = Canonical::make(room, uri, base, plan.keep, self.rules.variant)?;
            let search = plan.look_up(&canonical, &mut scratch.digests, visit);
            scratch.room = canonical.into_string();
            if let Search::Done = search {
                break;
            }
        }
        Ok(())
    }

    /// Looks up the candidate, its directories, and both again for each host above its own.
    fn search_ladder(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        visit: &mut dyn FnMut(Entry<'l>, &str) -> Search,
    ) -> Result<(), CanonicalError> {
        let variant = self.rules.variant;
        let whole = |keep: Keep| {
            Canonical::make(String::new(), uri, base, keep, variant)
                .and_then(|text| ladder::rooted(text, variant))
        };
        let unflagged = whole(Keep::NONE)?;
        let cuts = Cuts::of(unflagged.as_str(), self.rules.ladder, self.suffixes)?;
        let texts = self.plans.iter().map(|plan| match plan.keep {
            Keep::NONE => Ok(unflagged.clone()),
            keep => whole(keep),
        });
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        for &host in &cuts.hosts {
            for (plan, text) in self.plans.iter().zip(&texts) {
                let directories = match plan.keep {
                    Keep::NONE => &cuts.directories[..],
                    _ => &[],
                };
                let ends = [text.as_str().len()].into_iter().chain(directories.iter().rev().copied());
                if let Search::Done =
                    self.climb(plan, text.as_str(), (cuts.host_start, host), ends, scratch, visit)?
                {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Looks up the prefixes of a text that end at `ends`, without what lies between the two places of `host`.
    fn climb(
        &self,
        plan: &Plan<'l>,
        text: &str,
        host: (usize, usize),
        ends: impl Iterator<Item = usize>,
        scratch: &mut Scratch,
        visit: &mut dyn FnMut(Entry<'l>, &str) -> Search,
    ) -> Result<Search, CanonicalError> {
        let mut last = String::new();
        for end in ends {
            scratch.rung.clear();
            scratch.rung.push_str(&text[..host.0]);
            scratch.rung.push_str(&text[host.1..end]);
            let room = std::mem::take(&mut scratch.room);
            let canonical = Canonical::make(room, &scratch.rung, None, plan.keep, self.rules.variant)?;
            let search = match canonical.as_str() == last {
                true => Search::More,
                false => plan.look_up(&canonical, &mut scratch.digests, visit),
            };
            scratch.room = std::mem::replace(&mut last, canonical.into_string());
            if let Search::Done = search {
                return Ok(search);
            }
        }
        Ok(Search::More)
    }
}

impl<'l> Plan<'l> {
    /// Makes the probes of those candidates that nothing was found for.
    fn hash(
        &self,
        scratch: &mut Scratch,
        uris: &[&str],
        base: Option<&str>,
        variant: Variant,
        found: &mut [Found<'l>],
    ) {
        scratch.bytes.clear();
        scratch.probes.clear();
        for (candidate, (uri, found)) in uris.iter().zip(found).enumerate() {
            if !matches!(found, Ok(None)) {
                continue;
            }
            let room = std::mem::take(&mut scratch.room);
            let canonical = match Canonical::make(room, uri, base, self.keep, variant) {
                Ok(canonical) => canonical,
                Err(error) => {
                    *found = Err(error);
                    continue;
                }
            };
            for (group, (_, hasher)) in self.groups.iter().enumerate() {
                let before = scratch.bytes.len();
                hasher.push_digest(&canonical, &mut scratch.bytes);
                let digest = before..scratch.bytes.len();
                scratch.probes.push(Probe { candidate, group, digest, place: Place::default(), seen: 0 });
            }
            scratch.room = canonical.into_string();
        }
        scratch.digests += scratch.probes.len() as u64;
    }

    /// Asks the index about all digests, then looks at all places, then at what was seen there.
    fn look_up_together(&self, scratch: &mut Scratch, found: &mut [Found<'l>]) {
        for probe in &mut scratch.probes {
            probe.place = self.groups[probe.group].0.digests.place(&scratch.bytes[probe.digest.clone()]);
        }
        for probe in &mut scratch.probes {
            probe.seen = self.groups[probe.group].0.digests.peek(&probe.place);
        }
        for probe in &scratch.probes {
            let group = self.groups[probe.group].0;
            let index = group.digests.find_at(&probe.place, probe.seen, &scratch.bytes[probe.digest.clone()]);
            if let (Some(index), Ok(None)) = (index, &found[probe.candidate]) {
                found[probe.candidate] = Ok(Some(group.entry(index)));
            }
        }
    }

    /// Looks up a text in each group.
    fn look_up(
        &self,
        canonical: &Canonical,
        digests: &mut u64,
        visit: &mut dyn FnMut(Entry<'l>, &str) -> Search,
    ) -> Search {
        for (group, hasher) in &self.groups {
            *digests += 1;
            let Some(index) = group.digests.find(hasher.digest(canonical).as_bytes()) else { continue };
            if let Search::Done = visit(group.entry(index), canonical.as_str()) {
                return Search::Done;
            }
        }
        Search::More
    }
}

impl fmt::Debug for Matcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matcher").field("rules", &self.rules).finish_non_exhaustive()
    }
}
