//! Routes: the shard of an entry if its own digest does not decide.
//!
//! If entries cover more than their own URL, a candidate has up to 165 digests, and the shards for all of
//! them would reveal the candidate. Entries are therefore placed by a digest that all of them share: the
//! digest of the root URL of the host, or of the registered domain if entries cover subdomains. A candidate
//! also climbs to the public suffix of its host and above, where candidates of many domains meet. Entries
//! there are not in a shard, but in the index, which every reader has. The host cannot be derived from a
//! digest, so a builder records the routes from the URLs.
//!
//! A snapshot in the index names the public suffix list that routes. Two suffix lists are the same if the
//! digest of the text and the sections that count are equal. Their names and dates do not matter.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use urlid::hashed_uri::{Algorithm, Canonical, HashedUri, Hasher, Keep};
use urlid::internal::{Excerpt, ends_in_number};
use urlid::reference::{Context, Reference};
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};
use urlid::{Error, hex};

use crate::bits::first_bits;
use crate::error;
use crate::rules::{Covers, ListRules};
use crate::value::HiddenList;

/// The shards of the entries of a list. A publisher keeps them private, because they reveal which entries
/// share a domain.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid::suffix::SuffixList;
/// use urlid_lists::{Covers, ListBuilder, Padding, ListRules};
///
/// let rules = ListRules { covers: Covers::Subdomains, ..ListRules::default() };
/// let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None)?.with_routes(SuffixList::compiled());
/// builder.add("http://a.example.com/", None)?;
/// let (list, routes) = builder.finish_routed();
/// assert_eq!(list.shards(4, Some(&routes), Padding::Equal)?.count(), 16);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Routes {
    /// The suffix list that routes entries that cover subdomains.
    suffixes: Option<SuffixList>,
    records: BTreeMap<RouteKey, Vec<u8>>,
}

/// The place of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// In the shard that these first 32 bits of the deciding digest select.
    Shard(u32),
    /// In the index.
    Index,
}

/// The algorithm and the flags of entries.
type RouteKey = (Algorithm, Keep);
/// A record is a digest, 1 if the entry is in the index, and four bytes of its route to a shard.
const ROUTE: usize = 5;
const FIRST_LINE: &str = "# urlid-list-routes: 1";
const SNAPSHOT: &str = "# snapshot: ";
/// The route of an entry that is in the index.
const IN_INDEX: &str = "index";

impl Routes {
    /// Starts the routes of a list with these rules, in which entries cover more than their own URL.
    pub(super) fn by(rules: ListRules, suffixes: &SuffixList) -> Self {
        let suffixes = (rules.covers == Covers::Subdomains).then(|| suffixes.clone());
        Self { suffixes, ..Self::default() }
    }

    /// Returns the public suffix list by which entries were routed, if they cover subdomains.
    pub(super) fn suffixes(&self) -> Option<&SuffixList> {
        self.suffixes.as_ref()
    }

    pub(super) fn add(&mut self, algorithm: &Algorithm, keep: Keep, digest: &[u8], route: Route) {
        let (in_index, shard) = match route {
            Route::Shard(shard) => (0, shard),
            Route::Index => (1, 0),
        };
        let records = self.records.entry((algorithm.clone(), keep)).or_default();
        records.extend_from_slice(digest);
        records.push(in_index);
        records.extend_from_slice(&shard.to_be_bytes());
    }

    pub(super) fn sorted(mut self) -> Self {
        for ((algorithm, _), records) in &mut self.records {
            let width = algorithm.digest_length().unwrap_or(0) + ROUTE;
            let mut sorted: Vec<&[u8]> = records.chunks_exact(width).collect();
            sorted.sort_unstable();
            sorted.dedup();
            *records = sorted.concat();
        }
        self
    }

    /// Iterates over digests with their routes, ascending.
    pub(super) fn of(&self, algorithm: &Algorithm, keep: Keep) -> impl Iterator<Item = (&[u8], Route)> {
        let length = algorithm.digest_length().unwrap_or(0);
        let records = self.records.get(&(algorithm.clone(), keep)).map_or(&[][..], Vec::as_slice);
        records.chunks_exact(length + ROUTE).map(move |record| {
            let (digest, route) = record.split_at(length);
            match route {
                // `first_bits` fills four bytes up with zeros below.
                [0, shard @ ..] => (digest, Route::Shard((first_bits(shard) >> 32) as u32)),
                _ => (digest, Route::Index),
            }
        })
    }

    /// Writes the routes: a first line, a line that names the public suffix list, and for each entry its
    /// hashed URI, a space, and eight digits or `index`.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        writeln!(out, "{FIRST_LINE}")?;
        match &self.suffixes {
            Some(suffixes) => writeln!(out, "{SNAPSHOT}{}", Snapshot::new(suffixes))?,
            None => writeln!(out, "{SNAPSHOT}none")?,
        }
        for (algorithm, keep) in self.records.keys() {
            for (digest, route) in self.of(algorithm, *keep) {
                let uri = HashedUri::from_parts(algorithm.clone(), digest, *keep);
                let uri = uri.expect("records have digests of the length of their algorithm");
                match route {
                    Route::Shard(shard) => writeln!(out, "{uri} {shard:08x}")?,
                    Route::Index => writeln!(out, "{uri} {IN_INDEX}")?,
                }
            }
        }
        Ok(())
    }

    /// Reads the text of [`write`](Self::write). Routes of entries that cover subdomains need the public
    /// suffix list that they name.
    ///
    /// # Errors
    /// [`Error`] with the number of the malformed line. `ERR_SNAPSHOT` if they name a different suffix list.
    pub fn read(text: &str, suffixes: &SuffixList) -> Result<Self, Error> {
        let mut lines = (1..).zip(text.lines());
        let mut head = || lines.next().map_or("", |(_, line)| line);
        let (first, named) = (head(), head());
        if first != FIRST_LINE {
            return Err(error::ROUTES_VERSION.found(first));
        }
        let mut routes = Self::default();
        match named.strip_prefix(SNAPSHOT) {
            Some("none") => {}
            Some(snapshot) => {
                let snapshot = snapshot.parse().map_err(|_| error::ROUTES_SNAPSHOT.found(named))?;
                check(&snapshot, suffixes)?;
                routes.suffixes = Some(suffixes.clone());
            }
            None => return Err(error::ROUTES_SNAPSHOT.found(named)),
        }
        for (number, line) in lines {
            let read = || {
                let (uri, route) = line.split_once(' ')?;
                let uri: HashedUri = uri.parse().ok().filter(HashedUri::is_known)?;
                // `from_str_radix` would also accept a sign and fewer digits.
                let is_digits = route.len() == 8 && route.bytes().all(|byte| byte.is_ascii_hexdigit());
                let route = match route {
                    IN_INDEX => Route::Index,
                    _ => Route::Shard(u32::from_str_radix(route, 16).ok().filter(|_| is_digits)?),
                };
                Some((uri, route))
            };
            let (uri, route) = read().ok_or_else(|| error::ROUTE_LINE.found(line).with_number(number))?;
            routes.add(uri.algorithm(), uri.keep(), uri.digest(), route);
        }
        Ok(routes.sorted())
    }
}

/// The inputs of routing: the rules of a list, a suffix list, and the first algorithm of the list.
#[derive(Clone)]
pub(super) struct Router {
    rules: ListRules,
    suffixes: SuffixList,
    hasher: Hasher,
}

/// A scheme and a host in lower case without dots at its end. An address has only its canonical spelling.
struct Site {
    scheme: String,
    host: String,
    is_name: bool,
}

impl Site {
    fn parse(canonical: &str) -> Result<Self, Error> {
        let parsed = Reference::parse(canonical, Context::Rfc3986)?;
        let scheme = parsed.scheme().unwrap_or_default().to_ascii_lowercase();
        let host = parsed.authority().map_or("", |authority| authority.host);
        let is_name = !host.is_empty() && !host.starts_with('[') && !ends_in_number(host);
        Ok(Self { scheme, host: host.trim_end_matches('.').to_ascii_lowercase(), is_name })
    }
}

impl Router {
    /// Returns the router of a list, or `None` if each digest is its own route.
    pub(super) fn new(rules: ListRules, suffixes: &SuffixList, hasher: &Hasher) -> Option<Self> {
        let router = Self { rules, suffixes: suffixes.clone(), hasher: hasher.clone() };
        (rules.covers != Covers::Url).then_some(router)
    }

    /// Returns the route of a candidate with this canonical text: the first 32 bits of the digest of its
    /// root.
    pub(super) fn route(&self, canonical: &str) -> Result<u32, Error> {
        let root = self.root(&Site::parse(canonical)?);
        // Without flags and by RFC 3986, because the root is cut from a canonical text, to which the intake
        // was applied already.
        let root = Canonical::make(String::new(), &root, None, Keep::NONE, self.rules.variant)?;
        Ok((first_bits(self.hasher.digest(&root).as_bytes()) >> 32) as u32)
    }

    /// Returns scheme and host as a URL, with the registered domain as the host if entries cover subdomains.
    /// A text without a host has only its scheme.
    fn root(&self, Site { scheme, host, is_name }: &Site) -> String {
        if host.is_empty() {
            return format!("{scheme}:/");
        }
        // The offset is 0 in a public suffix. Unlike an empty text before the domain, it distinguishes
        // `.b.example` from `b.example`.
        let start = match self.rules.covers {
            Covers::Subdomains if *is_name => self.suffixes.split_offsets(host).domain,
            _ => 0,
        };
        format!("{scheme}://{}/", &host[start..])
    }
}

pub(super) struct EntryRouter {
    router: Router,
    /// The names of the suffix list, and all above them.
    above: HashSet<String>,
}

impl EntryRouter {
    /// Returns the router of a list, or `None` if each digest is its own route.
    pub(super) fn new(rules: ListRules, suffixes: &SuffixList, hasher: &Hasher) -> Option<Self> {
        let router = Router::new(rules, suffixes, hasher)?;
        let mut above = HashSet::new();
        if rules.covers == Covers::Subdomains {
            for name in suffixes.names() {
                let dots = name.match_indices('.').map(|(dot, _)| dot + 1);
                above.extend([0].into_iter().chain(dots).map(|start| name[start..].to_owned()));
            }
        }
        Some(Self { router, above })
    }

    /// Returns the route of an entry with this canonical text.
    ///
    /// Candidates below its host share its registered domain, unless that host is a public suffix or above
    /// one. Their domains are then below it, and the entry has to be in the place where all candidates look.
    pub(super) fn route(&self, canonical: &str) -> Result<Route, Error> {
        let site = Site::parse(canonical)?;
        let is_above =
            || self.above.contains(&site.host) || self.router.suffixes.is_normal_suffix(&site.host);
        if self.router.rules.covers == Covers::Subdomains && site.is_name && is_above() {
            return Ok(Route::Index);
        }
        self.router.route(canonical).map(Route::Shard)
    }
}

impl HiddenList {
    /// Returns the first algorithm of the list that this library computes, which is used for routes.
    pub(super) fn route_algorithm(&self) -> Option<&Algorithm> {
        self.header.algorithms.iter().find(|algorithm| algorithm.is_known())
    }
}

/// The longest text of a suffix list in bytes. The real one has a third of a million.
const MOST_TEXT: usize = 64 << 20;

fn sections_of(snapshot: &Snapshot) -> Option<Sections> {
    [Sections::Icann, Sections::All].into_iter().find(|sections| sections.name() == snapshot.psl_sections)
}

/// Compresses the text of a suffix list, by zlib (RFC 1950).
pub(super) fn pack(suffixes: &SuffixList) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(suffixes.text().as_bytes()).and_then(|()| encoder.finish());
    packed.expect("writing to memory does not fail")
}

/// Restores a suffix list. Returns `None` if the bytes are malformed, or if the snapshot names a different
/// list.
pub(super) fn unpack(packed: &[u8], snapshot: &Snapshot) -> Option<SuffixList> {
    let mut decoder = ZlibDecoder::new(packed);
    let mut text = String::new();
    // Reading one byte more than allowed shows that the text is too long, without reading everything to which
    // a small stream could expand.
    let length = decoder.by_ref().take(MOST_TEXT as u64 + 1).read_to_string(&mut text).ok()?;
    // Bytes after the stream would not belong to any part of the index.
    if length > MOST_TEXT || decoder.total_in() != packed.len() as u64 {
        return None;
    }
    let sections = sections_of(snapshot)?;
    let compiled = SuffixList::compiled_with(sections);
    // The list of this library is built in, and parsing the same text again would cost time in each load.
    if compiled.text() == text {
        return Some(compiled.clone()).filter(|list| check(snapshot, list).is_ok());
    }
    let list = SuffixList::parse(&text, sections).ok()?;
    check(snapshot, &list).is_ok().then_some(list)
}

/// Checks that a snapshot names a suffix list.
pub(super) fn check(snapshot: &Snapshot, suffixes: &SuffixList) -> Result<(), Error> {
    let digest = hex::encode(&suffixes.sha256());
    if (&snapshot.psl_sha256, sections_of(snapshot)) == (&digest, Some(suffixes.sections())) {
        return Ok(());
    }
    let found = describe(suffixes.version(), &digest, suffixes.sections().name());
    let expected = describe(&snapshot.psl_version, &snapshot.psl_sha256, &snapshot.psl_sections);
    Err(error::OTHER_SUFFIX_LIST.error().with_shown(found).with_expected(expected))
}

fn describe(version: &str, digest: &str, sections: &str) -> String {
    let digest: String = digest.chars().take(16).collect();
    format!("{} with the SHA-256 {digest}…, sections {}", Excerpt(version), Excerpt(sections))
}
