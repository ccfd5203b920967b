//! Candidates against a list, one by one. The module `together` handles many at once.
//!
//! A candidate is made canonical once for every set of flags in the list, and hashed once for every algorithm
//! of each set, independent of the number of entries. The number of look-ups is bounded for every candidate.

use core::fmt;
use core::ops::Range;

use urlid::Error;
use urlid::batch::{Encoder, Kernels};
use urlid::hashed_uri::{Canonical, HashedUri, Hasher, Keep, Key};

use crate::candidate::{ListCandidate, MOST_DIRECTORIES, MOST_HOSTS};
use crate::error;
use crate::rules::{Covers, ListRules};
use crate::value::{Entry, EntryGroup, HiddenList};

/// Finds the entries of a list that match candidates.
///
/// Many threads can share one matcher. Each thread needs its own [`Scratch`].
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{Covers, ListBuilder, ListMatcher, ListRules, Scratch};
///
/// let rules = ListRules { covers: Covers::Directory, ..ListRules::default() };
/// let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None)?;
/// builder.add("http://example.com/secret/", None)?;
///
/// let matcher = ListMatcher::new(&builder.finish(), None)?;
/// let mut scratch = Scratch::default();
/// let found = matcher.find(&mut scratch, "http://EXAMPLE.com/secret/page?x=1", None)?;
/// let found = found.expect("a parent is listed");
/// assert_eq!(found.canonical, "http://example.com/secret/");
/// assert_eq!(matcher.find(&mut scratch, "http://example.com/public/", None)?, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct ListMatcher {
    list: HiddenList,
    /// The plans that keep most come first, because their texts are the longest.
    pub(super) plans: Vec<HashPlan>,
}

/// The groups with the same flags.
#[derive(Clone)]
pub(super) struct HashPlan {
    pub(super) keep: Keep,
    /// The place of each group in the list, and its hasher.
    pub(super) groups: Vec<(usize, Hasher)>,
}

/// The flags of plans, in their order.
const KEPT: [Keep; 4] = [Keep::ALL, Keep::QUERY, Keep::FRAGMENT, Keep::NONE];

/// An entry that matches a candidate, and the canonical text that it is the digest of.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{ListBuilder, ListMatcher, Match, ListRules, Scratch};
///
/// let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?;
/// builder.add("http://h/", None)?;
/// let matcher = ListMatcher::new(&builder.finish(), None)?;
/// let found: Option<Match<'_>> = matcher.find(&mut Scratch::default(), "HTTP://H?q", None)?;
/// assert_eq!(found.map(|found| found.canonical).as_deref(), Some("http://h/"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match<'l> {
    /// The entry of the list that matches.
    pub entry: Entry<'l>,
    /// The canonical text that is listed: the candidate's own text or the text of a parent.
    pub canonical: String,
}

/// Whether to look for more matches of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    More,
    Done,
}

/// The callbacks for the texts and digests of a candidate.
pub(super) struct Probe<'p, 'l> {
    /// Returns whether a group, of this index, has a digest.
    pub(super) has: &'p mut dyn FnMut(usize, &[u8]) -> bool,
    /// Receives a text that was looked up, and the entry with its digest.
    pub(super) visit: &'p mut dyn FnMut(&str, Option<Entry<'l>>) -> Search,
}

impl ListMatcher {
    /// Makes the matcher of a list. A keyed list needs its key.
    ///
    /// # Errors
    /// [`Error`] if the key is missing, wrong, or not needed.
    pub fn new(list: &HiddenList, key: Option<&Key>) -> Result<Self, Error> {
        // Digests are shared by an `Arc` and not copied.
        Ok(Self { list: list.clone(), plans: plans(list, key)? })
    }

    /// Returns the list that candidates are matched with.
    pub fn list(&self) -> &HiddenList {
        &self.list
    }

    /// Returns how many digests a candidate costs at most.
    pub fn most_digests(&self) -> usize {
        let digests = |plan: &HashPlan| self.most_texts(plan) * plan.groups.len();
        self.plans.iter().map(digests).sum()
    }

    /// Returns an upper bound of the probability that a candidate that is not listed is found. It is looked
    /// up under up to [`most_digests`](Self::most_digests) digests.
    pub fn most_chance(&self) -> f64 {
        let of_plan = |plan: &HashPlan| {
            let chances = plan.groups.iter().map(|(group, _)| self.group(*group).chance());
            self.most_texts(plan) as f64 * chances.sum::<f64>()
        };
        self.plans.iter().map(of_plan).sum::<f64>().min(1.0)
    }

    /// Returns the most texts of a candidate that a plan looks up: its hosts, and the directories of each
    /// host, which keep neither query nor fragment.
    fn most_texts(&self, plan: &HashPlan) -> usize {
        let (hosts, directories) = match self.rules().covers {
            Covers::Url => (1, 0),
            Covers::Directory => (1, MOST_DIRECTORIES),
            Covers::Subdomains => (MOST_HOSTS, MOST_DIRECTORIES),
        };
        hosts * if plan.keep == Keep::NONE { 1 + directories } else { 1 }
    }

    /// Returns the first entry that matches a candidate. Its own URI comes before its parents, the nearest
    /// parent first, and its own host comes before the hosts above it.
    ///
    /// # Errors
    /// [`Error`] if the candidate does not have a canonical form. It is unknown whether such a candidate is
    /// listed, so the caller decides how it counts.
    pub fn find(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
    ) -> Result<Option<Match<'_>>, Error> {
        self.find_by(scratch, uri, base, &mut |group, digest| self.group(group).digests.has(digest))
    }

    /// Does the same as [`find`](Self::find) for digests stored anywhere: `has` returns whether a group has a
    /// digest.
    pub(super) fn find_by(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        has: &mut dyn FnMut(usize, &[u8]) -> bool,
    ) -> Result<Option<Match<'_>>, Error> {
        let mut first = None;
        let mut visit = |canonical: &str, entry: Option<_>| {
            first = entry.map(|entry| Match { entry, canonical: canonical.to_owned() });
            if first.is_some() { Search::Done } else { Search::More }
        };
        self.search_by(scratch, uri, base, &mut Probe { has, visit: &mut visit })?;
        Ok(first)
    }

    /// Calls `visit` for every entry that matches a candidate, in the order of [`find`](Self::find), with the
    /// canonical text that was hashed.
    ///
    /// # Errors
    /// [`Error`] if the candidate does not have a canonical form.
    pub fn each<'l>(
        &'l self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        mut visit: impl FnMut(Entry<'l>, &str),
    ) -> Result<(), Error> {
        self.expressions(scratch, uri, base, |canonical, entry| {
            if let Some(entry) = entry {
                visit(entry, canonical);
            }
        })
    }

    /// Calls `visit` for every canonical text of a candidate that is looked up, in the order of
    /// [`find`](Self::find), with the entry that has its digest, or `None`. A text with several entries is
    /// passed once for each of them.
    ///
    /// # Errors
    /// [`Error`] if the candidate does not have a canonical form.
    pub fn expressions<'l>(
        &'l self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        mut visit: impl FnMut(&str, Option<Entry<'l>>),
    ) -> Result<(), Error> {
        self.search(scratch, uri, base, &mut |canonical, entry| {
            visit(canonical, entry);
            Search::More
        })
    }

    pub(super) fn rules(&self) -> ListRules {
        self.list.header.rules
    }

    pub(super) fn group(&self, index: usize) -> &EntryGroup {
        &self.list.groups[index]
    }

    fn search<'l>(
        &'l self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        visit: &mut dyn FnMut(&str, Option<Entry<'l>>) -> Search,
    ) -> Result<(), Error> {
        let mut has = |group: usize, digest: &[u8]| self.group(group).digests.has(digest);
        self.search_by(scratch, uri, base, &mut Probe { has: &mut has, visit })
    }

    /// Looks up the expressions of a candidate: first with its own host, then with each host above it.
    pub(super) fn search_by<'l>(
        &'l self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        probe: &mut Probe<'_, 'l>,
    ) -> Result<(), Error> {
        let candidate = ListCandidate::new(uri, base, self.rules())?;
        if self.plans.is_empty() {
            // Candidates without a canonical form are errors even for an empty list.
            candidate.canonical(String::new(), &mut scratch.cut, candidate.itself(), Keep::NONE)?;
        }
        for host in candidate.hosts() {
            // Plans with flags have one expression, the candidate itself, so the order of nearer directories
            // is preserved.
            for plan in &self.plans {
                if self.climb(plan, &candidate, host, scratch, probe)? == Search::Done {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Looks up the expressions of one host. Neighbours may have the same canonical text, which is looked
    /// up once.
    fn climb<'l>(
        &'l self,
        plan: &HashPlan,
        candidate: &ListCandidate<'_>,
        host: usize,
        scratch: &mut Scratch,
        probe: &mut Probe<'_, 'l>,
    ) -> Result<Search, Error> {
        // A canonical text starts with a scheme, so the first expression differs from this empty text.
        scratch.last.clear();
        for expression in candidate.expressions(host, plan.keep) {
            // Two strings alternate. The text of this expression becomes `last`, and the previous text
            // becomes the buffer of the next.
            let room = core::mem::take(&mut scratch.room);
            let canonical = candidate.canonical(room, &mut scratch.cut, expression, plan.keep)?;
            let search = match canonical.as_str() == scratch.last {
                true => Search::More,
                false => self.look_up(plan, &canonical, &mut scratch.computed, probe),
            };
            scratch.room = core::mem::replace(&mut scratch.last, canonical.into_string());
            if search == Search::Done {
                return Ok(search);
            }
        }
        Ok(Search::More)
    }

    /// Looks up a text in each group of a plan, and visits it once with `None` if it is in none.
    fn look_up<'l>(
        &'l self,
        plan: &HashPlan,
        canonical: &Canonical,
        computed: &mut u64,
        probe: &mut Probe<'_, 'l>,
    ) -> Search {
        let Probe { has, visit } = probe;
        let mut is_listed = false;
        for (index, hasher) in &plan.groups {
            *computed += 1;
            let group = self.group(*index);
            let digest = hasher.digest(canonical);
            if !has(*index, digest.as_bytes()) {
                continue;
            }
            is_listed = true;
            if visit(canonical.as_str(), Some(group.entry(digest.as_bytes()))) == Search::Done {
                return Search::Done;
            }
        }
        if is_listed { Search::More } else { visit(canonical.as_str(), None) }
    }
}

/// Returns the plans of a list, those that keep most first.
fn plans(list: &HiddenList, key: Option<&Key>) -> Result<Vec<HashPlan>, Error> {
    error::check_key(list.header.key_id, key.map(Key::id))?;
    let mut plans = Vec::new();
    for keep in KEPT {
        let groups = list.groups.iter().enumerate().filter(|(_, group)| group.keep == keep);
        let hashers = groups.map(|(index, group)| Ok((index, Hasher::new(&group.algorithm, key)?)));
        // A group's algorithm is known, so a key is all that a hasher can lack.
        let groups: Result<Vec<_>, Error> = hashers.collect();
        let groups = groups.map_err(|_| error::KEY_MISSING.error())?;
        if !groups.is_empty() {
            plans.push(HashPlan { keep, groups });
        }
    }
    Ok(plans)
}

impl fmt::Debug for ListMatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListMatcher").field("list", &self.list).finish_non_exhaustive()
    }
}

/// Buffers and kernels that a thread reuses from candidate to candidate.
///
/// ```
/// use urlid_lists::Scratch;
///
/// assert_eq!(Scratch::default().digests(), 0);
/// ```
#[derive(Debug)]
pub struct Scratch {
    pub(super) kernels: Kernels,
    /// An encoder for each choice of kept parts.
    pub(super) encoders: Vec<(Keep, Encoder<HashedUri>)>,
    /// The candidates without a digest from any encoder.
    pub(super) alone: Vec<usize>,
    /// Buffers for a canonical text, and for a URI that was cut.
    pub(super) room: String,
    pub(super) cut: String,
    pub(super) last: String,
    pub(super) computed: u64,
    /// The digests of candidates that are looked up together.
    pub(super) bytes: Vec<u8>,
    pub(super) lookups: Vec<DigestLookup>,
}

/// A digest of a candidate that is looked up together with others.
#[derive(Debug)]
pub(super) struct DigestLookup {
    pub(super) candidate: usize,
    pub(super) group: usize,
    pub(super) digest: Range<usize>,
    /// The indices in the group at which the digest may be.
    pub(super) place: Range<usize>,
}

impl Default for Scratch {
    /// The fastest kernels of this machine.
    fn default() -> Self {
        Self::new(Kernels::detect())
    }
}

impl Scratch {
    /// Makes a scratch whose digests are computed by these kernels.
    pub fn new(kernels: Kernels) -> Self {
        Self {
            kernels,
            encoders: Vec::new(),
            alone: Vec::new(),
            room: String::new(),
            cut: String::new(),
            last: String::new(),
            computed: 0,
            bytes: Vec::new(),
            lookups: Vec::new(),
        }
    }

    /// Returns how many digests were computed with this scratch.
    pub fn digests(&self) -> u64 {
        self.computed
    }
}
