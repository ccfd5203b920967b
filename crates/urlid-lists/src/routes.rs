//! Routes: which shard an entry is in where it is not its own digest that decides.
//!
//! Below a ladder a candidate has up to 165 digests, and the shards that it would ask for would tell what it is. So entries are
//! put where all those digests agree: by the digest of the root URL of the host, or with a ladder of hosts of the registered
//! domain. A digest does not tell its host, so a builder notes the routes from the URLs.

use std::collections::BTreeMap;
use std::io;

use super::bits::first_bits;
use super::rules::{Ladder, Rules};
use super::value::HiddenList;
use crate::error;
use urlid::Error;
use urlid::hashed_uri::{Algorithm, Canonical, HashedUri, Hasher, Keep};
use urlid::internal::ends_in_number;
use urlid::reference::{Context, Reference};
use urlid::suffix::SuffixList;

/// The shards of the entries of a list, of which a publisher keeps them: they reveal which entries have one domain.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{Ladder, ListBuilder, Rules, Routes};
///
/// let rules = Rules { ladder: Ladder::Hosts, ..Rules::default() };
/// let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None)?.with_routes();
/// builder.add("http://a.example.com/", None)?;
/// let (list, routes) = builder.finish_routed();
/// assert_eq!((list.len(), routes.len()), (1, 1));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routes(BTreeMap<Name, Vec<u8>>);

/// The algorithm and the flags of entries.
type Name = (Algorithm, Keep);
/// A record is a digest and the first 32 bits of the digest that decides.
const ROUTE: usize = 4;
const FIRST_LINE: &str = "# urlid-list-routes: 1";

impl Routes {
    pub(super) fn add(&mut self, algorithm: &Algorithm, keep: Keep, digest: &[u8], route: u32) {
        let records = self.0.entry((algorithm.clone(), keep)).or_default();
        records.extend_from_slice(digest);
        records.extend_from_slice(&route.to_be_bytes());
    }

    pub(super) fn sorted(mut self) -> Self {
        for ((algorithm, _), records) in &mut self.0 {
            let width = algorithm.digest_length().unwrap_or(0) + ROUTE;
            let mut sorted: Vec<&[u8]> = records.chunks_exact(width).collect();
            sorted.sort_unstable();
            sorted.dedup();
            *records = sorted.concat();
        }
        self
    }

    /// Returns the number of entries that have a route.
    pub fn len(&self) -> u64 {
        self.0
            .iter()
            .map(|((algorithm, _), records)| {
                (records.len() / (algorithm.digest_length().unwrap_or(0) + ROUTE)) as u64
            })
            .sum()
    }

    /// Returns whether no entry has a route.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over digests with their routes, ascending.
    pub(super) fn of(&self, algorithm: &Algorithm, keep: Keep) -> impl Iterator<Item = (&[u8], u32)> {
        let length = algorithm.digest_length().unwrap_or(0);
        let records = self.0.get(&(algorithm.clone(), keep)).map_or(&[][..], Vec::as_slice);
        records.chunks_exact(length + ROUTE).map(move |record| {
            let (digest, route) = record.split_at(length);
            // `first_bits` fills four bytes up with zeros below.
            (digest, (first_bits(route) >> 32) as u32)
        })
    }

    /// Writes the routes: a first line, and for each entry its hashed URI, a space and eight digits.
    ///
    /// # Errors
    /// What `out` fails with.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        writeln!(out, "{FIRST_LINE}")?;
        for (algorithm, keep) in self.0.keys() {
            for (digest, route) in self.of(algorithm, *keep) {
                let uri = HashedUri::from_parts(algorithm.clone(), digest, *keep);
                let uri = uri.expect("records have digests of the length of their algorithm");
                writeln!(out, "{uri} {route:08x}")?;
            }
        }
        Ok(())
    }

    /// Reads what [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// [`Error`] with the number of the line that is not one.
    pub fn read(text: &str) -> Result<Self, Error> {
        let mut routes = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            if number == 1 && line == FIRST_LINE {
                continue;
            }
            let read = || {
                let (uri, route) = line.split_once(' ')?;
                let uri: HashedUri = uri.parse().ok()?;
                let is_digits = route.len() == 8 && route.bytes().all(|byte| byte.is_ascii_hexdigit());
                let route = u32::from_str_radix(route, 16).ok().filter(|_| is_digits)?;
                // The first line names the format and cannot be an entry.
                (number > 1 && uri.is_known()).then_some((uri, route))
            };
            let (uri, route) = read().ok_or_else(|| error::ROUTE_LINE.found(line).with_number(number))?;
            routes.add(uri.algorithm(), uri.keep(), uri.digest(), route);
        }
        Ok(routes.sorted())
    }
}

/// What routes follow from: the rules of a list, its suffix list, and its first algorithm.
#[derive(Clone)]
pub(super) struct Router {
    rules: Rules,
    suffixes: SuffixList,
    hasher: Hasher,
}

impl Router {
    /// Returns the router of a list; nothing if each digest is its own route.
    pub(super) fn new(rules: Rules, suffixes: &SuffixList, hasher: &Hasher) -> Option<Self> {
        let router = Self { rules, suffixes: suffixes.clone(), hasher: hasher.clone() };
        (rules.ladder != Ladder::None).then_some(router)
    }

    /// Returns the route of a canonical text: the first 32 bits of the digest of its root.
    pub(super) fn route(&self, canonical: &str) -> Result<u32, Error> {
        let root = self.root(canonical)?;
        let root = Canonical::make(String::new(), &root, None, Keep::NONE, self.rules.variant)?;
        Ok((first_bits(self.hasher.digest(&root).as_bytes()) >> 32) as u32)
    }

    /// Returns scheme and host of a canonical text as a URL, with a ladder of hosts the registered domain. User and port are left
    /// out. A text without a host has its scheme alone.
    fn root(&self, canonical: &str) -> Result<String, Error> {
        let parsed = Reference::parse(canonical, Context::Rfc3986)?;
        let scheme = parsed.scheme().unwrap_or_default().to_ascii_lowercase();
        let host = parsed.authority().map(|authority| authority.host).filter(|host| !host.is_empty());
        let Some(host) = host else { return Ok(format!("{scheme}:/")) };
        let host = host.to_ascii_lowercase();
        let name = host.strip_suffix('.').unwrap_or(&host);
        if self.rules.ladder != Ladder::Hosts || host.starts_with('[') || ends_in_number(&host) {
            return Ok(format!("{scheme}://{name}/"));
        }
        let split = self.suffixes.split(name);
        let start = if split.domain.is_empty() || split.sub.is_empty() { 0 } else { split.sub.len() + 1 };
        Ok(format!("{scheme}://{}/", &name[start..]))
    }
}

impl HiddenList {
    /// Returns the first algorithm of the list that this library computes: it is the one of routes.
    pub(super) fn route_algorithm(&self) -> Option<&Algorithm> {
        self.header.algorithms.iter().find(|algorithm| algorithm.is_known())
    }
}
