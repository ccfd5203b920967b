//! Candidates against a list in shards, which are fetched by their numbers.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::bits::first_bits;
use super::candidate::ListCandidate;
use super::container::FileKind;
use super::kind::Certainty;
use super::matcher::{ListMatcher, Match, Probe, Search};
use super::routes::Router;
use super::shards::{Shard, ShardIndex, shard_of};
use crate::error;
use crate::matcher::Scratch;
use urlid::Error;
use urlid::hashed_uri::{Hasher, Keep, Key};
use urlid::suffix::SuffixList;

/// Finds the entries of a list in shards that match candidates. The caller fetches the shards, from wherever
/// they are.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{ListBuilder, Padding, ListRules, Scratch, ShardIndex, ShardMatcher};
///
/// let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?;
/// builder.add("http://example.com/secret", None)?;
/// let shards = builder.finish().shards(4, None, Padding::Equal)?;
///
/// let matcher = ShardMatcher::new(ShardIndex::from_bytes(shards.index())?, None)?;
/// let mut scratch = Scratch::default();
/// let fetch = |number| {
///     let mut bytes = Vec::new();
///     shards.write(number, &mut bytes).expect("memory can be written");
///     Ok(bytes)
/// };
/// assert_eq!(matcher.asks(&mut scratch, "http://EXAMPLE.com/secret", None)?.len(), 1);
/// assert!(matcher.find_by(&mut scratch, "http://EXAMPLE.com/secret", None, fetch)?.is_some());
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone)]
pub struct ShardMatcher {
    index: ShardIndex,
    matcher: ListMatcher,
    router: Option<Router>,
}

impl ShardMatcher {
    /// Makes the matcher of an index. A keyed list needs its key.
    ///
    /// # Errors
    /// [`Error`] if the key is missing, wrong, or not needed.
    pub fn new(index: ShardIndex, key: Option<&Key>) -> Result<Self, Error> {
        let matcher = ListMatcher::new(&index.list, key)?;
        let algorithm = index.list.route_algorithm().ok_or_else(|| FileKind::Index.damaged())?;
        let hasher = Hasher::new(algorithm, key)?;
        // Only a list that covers subdomains splits hosts.
        let suffixes = index.suffixes.as_ref().unwrap_or(SuffixList::compiled());
        let router = Router::new(index.header().rules(), suffixes, &hasher);
        Ok(Self { index, matcher, router })
    }

    /// Returns the index of the matcher, which reads shards.
    pub fn index(&self) -> &ShardIndex {
        &self.index
    }

    /// Returns how many digests a candidate costs at most.
    pub fn most_digests(&self) -> usize {
        // Counts the hashes for the route and the hashes for the look-up.
        let asked = if self.router.is_some() { 1 } else { self.matcher.most_digests() };
        asked + self.matcher.most_digests()
    }

    /// Returns the numbers of the shards in which a candidate is looked up, ascending. If entries cover only
    /// their own URL, the candidate has one for each algorithm and set of flags. Otherwise it has a single
    /// one.
    ///
    /// # Errors
    /// [`Error`] if the candidate does not have a canonical form.
    pub fn asks(&self, scratch: &mut Scratch, uri: &str, base: Option<&str>) -> Result<Vec<u32>, Error> {
        let bits = self.index.bits();
        if let Some(router) = &self.router {
            // All entries above the candidate are in the shard of its own text, or in the index.
            let candidate = ListCandidate::new(uri, base, self.matcher.rules())?;
            // All expressions share scheme and registered domain, so they have the same route.
            let own = candidate.canonical(String::new(), &mut scratch.cut, candidate.itself(), Keep::NONE)?;
            scratch.computed += 1;
            return Ok(vec![shard_of(u64::from(router.route(own.as_str())?) << 32, bits) as u32]);
        }
        let mut asked = BTreeSet::new();
        // A search without a hit visits every digest of the candidate.
        let mut has = |_: usize, digest: &[u8]| {
            asked.insert(shard_of(first_bits(digest), bits) as u32);
            false
        };
        let mut visit = |_: &str, _: Option<_>| Search::More;
        self.matcher.search_by(scratch, uri, base, &mut Probe { has: &mut has, visit: &mut visit })?;
        Ok(asked.into_iter().collect())
    }

    /// Returns the first entry that matches a candidate, like [`ListMatcher::find`], in shards that were
    /// read.
    ///
    /// # Errors
    /// [`Error`] if the candidate does not have a canonical form, and `ERR_LIST_SHARD` if one of its shards
    /// is missing.
    pub fn find(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        shards: &[&Shard],
    ) -> Result<Option<Match<'_>>, Error> {
        // A missing shard is an error, because its digests are not found, which must not count as a miss.
        for number in self.asks(scratch, uri, base)? {
            if !shards.iter().any(|shard| shard.number() == number) {
                return Err(error::SHARD_MISSING.error().with_shown(number));
            }
        }
        self.look_up(scratch, uri, base, shards)
    }

    /// Looks up a candidate in the index and in the shards that it asks for.
    fn look_up(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        shards: &[&Shard],
    ) -> Result<Option<Match<'_>>, Error> {
        let mut has = |group: usize, digest: &[u8]| {
            self.index.above.has(group, digest) || shards.iter().any(|shard| shard.has(group, digest))
        };
        self.matcher.find_by(scratch, uri, base, &mut has)
    }

    /// Returns the first entry that matches a candidate, in shards that `shard` returns by their numbers.
    /// `shard` may cache them.
    ///
    /// # Errors
    /// [`Error`] if the candidate does not have a canonical form, the error of `shard`, and `ERR_LIST_SHARD`
    /// if it returns a different shard.
    pub fn find_with(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        mut shard: impl FnMut(u32) -> Result<Arc<Shard>, Error>,
    ) -> Result<Option<Match<'_>>, Error> {
        let asked = self.asks(scratch, uri, base)?.into_iter().map(|number| match shard(number)? {
            shard if shard.number() == number => Ok(shard),
            _ => Err(error::SHARD_MISSING.error().with_shown(number)),
        });
        let shards = asked.collect::<Result<Vec<_>, Error>>()?;
        self.look_up(scratch, uri, base, &shards.iter().map(|shard| &**shard).collect::<Vec<_>>())
    }

    /// Returns the first entry that matches a candidate, in shards whose bytes are fetched by their numbers.
    ///
    /// # Errors
    /// [`Error`] if the candidate does not have a canonical form, the error of `fetch`, and `ERR_LIST_SHARD`
    /// if it returns other bytes.
    pub fn find_by(
        &self,
        scratch: &mut Scratch,
        uri: &str,
        base: Option<&str>,
        mut fetch: impl FnMut(u32) -> Result<Vec<u8>, Error>,
    ) -> Result<Option<Match<'_>>, Error> {
        self.find_with(scratch, uri, base, |number| self.index.read(number, fetch(number)?).map(Arc::new))
    }

    /// Returns the certainty of a hit: how often a digest that is not listed is found in its shard.
    pub fn certainty(&self) -> Certainty {
        let (header, shards) = (self.index.header(), f64::from(1 << self.index.bits()));
        let lengths = header.algorithms().iter().filter_map(|algorithm| algorithm.digest_length());
        let chances = lengths.filter_map(|length| {
            let width = Some(header.store().width(length)).filter(|&width| width < length)?;
            // A shard has a part of the digests. If entries cover only their own URL, these digests share the
            // bits of the shard's number.
            let shared = if self.router.is_none() { shards } else { 1.0 };
            let compared = header.count() as f64 / shards * shared + self.index.entries() as f64;
            Some(compared * 0.5_f64.powi(8 * width as i32))
        });
        Certainty::of_chance(chances.fold(0.0, f64::max))
    }
}

impl core::fmt::Debug for ShardMatcher {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ShardMatcher").field("index", &self.index).finish_non_exhaustive()
    }
}

/// Computes the anonymity set of each candidate: the candidates that fetch the same combination of shards.
///
/// ```
/// use urlid_lists::Anonymity;
///
/// let mut anonymity = Anonymity::default();
/// for (uri, asked) in [("http://a/", 1), ("http://b/", 1), ("http://c/", 1), ("http://d/", 2)] {
///     anonymity.add(uri, vec![asked]);
/// }
/// assert_eq!((anonymity.candidates(), anonymity.smallest(), anonymity.median()), (4, 1, 3));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Anonymity {
    seen: HashSet<String>,
    sets: BTreeMap<Vec<u32>, u64>,
}

impl Anonymity {
    /// Adds a candidate, with the shards that it asks for. One that was added counts once.
    pub fn add(&mut self, uri: &str, asked: Vec<u32>) {
        if self.seen.insert(uri.to_owned()) {
            *self.sets.entry(asked).or_default() += 1;
        }
    }

    /// Returns the number of different candidates.
    pub fn candidates(&self) -> u64 {
        self.seen.len() as u64
    }

    /// Returns the number of different sets of shards that were fetched.
    pub fn sets(&self) -> u64 {
        self.sets.len() as u64
    }

    /// Returns among how many candidates the one hides that hides worst.
    pub fn smallest(&self) -> u64 {
        self.sets.values().copied().min().unwrap_or(0)
    }

    /// Returns among how many candidates half of all hide, or more.
    pub fn median(&self) -> u64 {
        let mut sizes: Vec<u64> = self.sets.values().copied().collect();
        // The median is over candidates instead of sets, so each set counts as often as it has members.
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let mut hidden = 0;
        let reached = sizes.into_iter().find(|size| {
            hidden += size;
            2 * hidden >= self.candidates()
        });
        reached.unwrap_or(0)
    }

    /// Returns the shards that most candidates ask for together with others.
    pub fn most_asked(&self) -> usize {
        self.sets.keys().map(Vec::len).max().unwrap_or(0)
    }
}
