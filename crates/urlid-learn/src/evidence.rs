//! The evidence for and against each difference between URLs of a registered domain.
//!
//! A mask removes one difference: a field, fields that come together, the order of fields, the scheme, the
//! host, final slashes, a default document, the case of the path, or a session in it. Pages that are equal
//! under a mask are a context. Their contents agree, or else the context is a counter-example. A content
//! counts once, however many contexts have it, so that an error page or a login page weighs no more than any
//! other page.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use crate::capture::group_of;
use crate::contents::{GONE, Page, sort_once};
use crate::hash;
use crate::parts::{Parts, decoded, sessions};

/// A page with more fields is left out, because it would have too many masks.
const MOST_FIELDS: usize = 24;
/// Sessions in a path with more of them are left out, for the same reason.
const MOST_SESSIONS: usize = 24;
/// In a context with more hosts, only a host and its `www` are compared.
const MOST_HOSTS: usize = 8;
/// Bundles are found among at most this many fields of a page.
const MOST_BUNDLED: usize = 12;
/// The most fields that come together.
const MOST_TOGETHER: usize = 6;

/// A difference between URLs, by the ids of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mask {
    Alias(u32, u32),
    Https,
    Case,
    Index(u32),
    Slash,
    Session(u32),
    Field(u32),
    /// Fields that come together, as an index of [`Evidence::bundles`].
    Bundle(u32),
    /// A value of a field. The second number is its index among the values that were compared with absence.
    Default(u32, u32),
    Order,
}

/// The scope of a rule: a group of hosts, and a prefix of paths. The prefix is empty for all paths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MaskScope {
    /// The host without its `www`.
    pub(crate) group: String,
    pub(crate) prefix: String,
}

/// The evidence for and against a mask in a scope.
#[derive(Clone, Debug, Default)]
pub(crate) struct Support {
    /// One content of each context that agrees. In [`Evidence`] each content occurs once.
    contents: Vec<u64>,
    /// The number of contexts that do not agree.
    pub(crate) against: usize,
    /// Up to three different values in contexts that agree.
    values: Vec<u64>,
    /// The first pair of pages that agree and the first pair that do not, as indexes.
    pub(crate) example: Option<(u32, u32)>,
    pub(crate) counter: Option<(u32, u32)>,
}

impl Support {
    /// Returns the number of contents that agree.
    pub(crate) fn agreeing(&self) -> usize {
        self.contents.len()
    }

    /// Returns whether three different values make no difference.
    pub(crate) fn has_values(&self) -> bool {
        self.values.len() >= 3
    }

    fn agree(&mut self, content: u64, pair: (u32, u32)) {
        self.contents.push(content);
        // The least pair is kept, because contexts come in the order of their hashes.
        self.example = Some(self.example.map_or(pair, |first| first.min(pair)));
    }

    fn object(&mut self, pair: (u32, u32)) {
        self.against += 1;
        self.counter = Some(self.counter.map_or(pair, |first| first.min(pair)));
    }

    fn add_value(&mut self, value: u64) {
        if self.values.len() < 3 && !self.values.contains(&value) {
            self.values.push(value);
        }
    }
}

/// All evidence of a registered domain.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) support: BTreeMap<(Mask, MaskScope), Support>,
    /// The decoded names of fields, sessions and documents, and hosts, by their ids.
    pub(crate) names: Vec<String>,
    /// The names of fields that come together, ascending.
    pub(crate) bundles: Vec<Vec<u32>>,
}

impl Evidence {
    /// Gathers the evidence of pages, which are in the order of their URLs.
    pub(crate) fn gather(pages: &[Page]) -> Self {
        let mut gathering = Gathering::new(pages);
        gathering.find_bundles();
        let mut masked = gathering.masked();
        masked.sort_unstable();
        for context in masked.chunk_by(|one, other| (one.mask, one.key) == (other.mask, other.key)) {
            gathering.weigh(context);
        }
        gathering.finish()
    }
}

/// A page under a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Masked {
    mask: Mask,
    /// The hash of the remaining URL.
    key: u64,
    /// The hash of the removed part.
    value: u64,
    page: u32,
}

/// A split page, with the hashes of its parts.
struct SplitPage<'p> {
    parts: Parts<'p>,
    /// The decoded name of each field and its hash.
    fields: Vec<(u32, u64)>,
    scheme: u64,
    host: u64,
    path: u64,
}

impl SplitPage<'_> {
    fn base(&self) -> u64 {
        start(self.scheme, self.host, self.path)
    }

    /// Returns the hash of the URL with a different start.
    fn with_start(&self, start: u64) -> u64 {
        self.fields.iter().fold(start, |hash, (_, field)| hash::then(hash, *field))
    }

    /// Returns the hash of the URL without some fields, and the hash of these fields.
    fn without(&self, is_masked: impl Fn(u32) -> bool) -> (u64, u64) {
        self.fields.iter().fold((self.base(), 0), |(key, value), (name, field)| match is_masked(*name) {
            true => (key, hash::then(value, *field)),
            false => (hash::then(key, *field), value),
        })
    }
}

fn start(scheme: u64, host: u64, path: u64) -> u64 {
    hash::then(hash::then(scheme, host), path)
}

/// Passes hashes on unchanged.
#[derive(Default)]
struct Direct(u64);

impl Hasher for Direct {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = hash::then(self.0, hash::hash(bytes));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The work on the pages of one registered domain.
struct Gathering<'p> {
    pages: &'p [Page],
    splits: Vec<Option<SplitPage<'p>>>,
    /// The place of each page by the hash of its URL.
    places: HashMap<u64, u32, BuildHasherDefault<Direct>>,
    names: Vec<String>,
    ids: HashMap<String, u32>,
    bundles: Vec<Vec<u32>>,
    /// The bundles of each pair of names.
    of_pair: HashMap<(u32, u32), Vec<u32>>,
    scopes: HashMap<(u32, &'p str), u32>,
    scope_list: Vec<(u32, &'p str)>,
    support: HashMap<(Mask, u32), Support>,
    /// The numbers of values that were compared with absence, by their hashes.
    values: HashMap<u64, u32, BuildHasherDefault<Direct>>,
}

impl<'p> Gathering<'p> {
    fn new(pages: &'p [Page]) -> Self {
        let mut all = Gathering {
            pages,
            splits: Vec::with_capacity(pages.len()),
            places: HashMap::default(),
            names: Vec::new(),
            ids: HashMap::new(),
            bundles: Vec::new(),
            of_pair: HashMap::new(),
            scopes: HashMap::new(),
            scope_list: Vec::new(),
            support: HashMap::new(),
            values: HashMap::default(),
        };
        for (place, page) in (0..).zip(pages) {
            let split = Parts::parse(&page.url)
                .filter(|parts| parts.fields.len() <= MOST_FIELDS)
                .map(|parts| all.split(parts));
            if let Some(split) = &split {
                all.places.entry(split.with_start(split.base())).or_insert(place);
            }
            all.splits.push(split);
        }
        all
    }

    fn split(&mut self, parts: Parts<'p>) -> SplitPage<'p> {
        let fields = parts
            .fields
            .iter()
            .map(|field| (self.id(&decoded(field.name)), hash::hash(field.text.as_bytes())))
            .collect();
        let host = hash::then(hash::hash(parts.host.as_bytes()), hash::hash(parts.port.as_bytes()));
        let (scheme, path) = (hash::hash(parts.scheme.as_bytes()), hash::hash(parts.path.as_bytes()));
        SplitPage { parts, fields, scheme, host, path }
    }

    fn id(&mut self, name: &str) -> u32 {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// Finds names that come together. A pair is a bundle if at least half of the pages with its rarer name
    /// have both names. The names that such pairs join are also a bundle.
    fn find_bundles(&mut self) {
        let (mut single, mut pairs) = (HashMap::<u32, u32>::new(), BTreeMap::<(u32, u32), u32>::new());
        let mut names = Vec::new();
        for split in self.splits.iter().flatten() {
            names.clear();
            names.extend(split.fields.iter().map(|(name, _)| *name));
            names.sort_unstable();
            names.dedup();
            names.iter().for_each(|name| *single.entry(*name).or_default() += 1);
            // The number of pairs grows with the square of the number of names.
            if names.len() > MOST_BUNDLED {
                continue;
            }
            for (place, one) in names.iter().enumerate() {
                names[place + 1..].iter().for_each(|other| *pairs.entry((*one, *other)).or_default() += 1);
            }
        }
        pairs.retain(|(one, other), count| *count >= 3 && 2 * *count >= single[one].min(single[other]));
        self.bundles.extend(pairs.keys().map(|(one, other)| vec![*one, *other]));
        let mut joined = Joined::default();
        pairs.keys().for_each(|(one, other)| joined.join(u64::from(*one), u64::from(*other)));
        let mut groups: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        let names: BTreeSet<u32> = pairs.keys().flat_map(|(one, other)| [*one, *other]).collect();
        for name in names {
            groups.entry(joined.first(name.into())).or_default().push(name);
        }
        self.bundles.extend(groups.into_values().filter(|names| (3..=MOST_TOGETHER).contains(&names.len())));
        self.bundles.sort();
        // Members ascend, so every page with the bundle has its first two names as a pair.
        for (id, names) in (0..).zip(&self.bundles) {
            self.of_pair.entry((names[0], names[1])).or_default().push(id);
        }
    }

    /// Returns all pages under all masks. If only one page can be equal, it is looked up, and the pages are
    /// left out if it does not exist.
    fn masked(&mut self) -> Vec<Masked> {
        let mut all = Vec::new();
        let mut has_hosts = self.splits.iter().flatten().map(|split| split.host);
        let first = has_hosts.next();
        let has_hosts = has_hosts.any(|host| Some(host) != first);
        let https = hash::hash(b"https");
        // The splits are moved out, because `id` needs all of `self`. They go back below.
        let splits = std::mem::take(&mut self.splits);
        for (page, split) in (0..).zip(&splits) {
            let Some(split) = split else { continue };
            self.mask_fields(page, split, &mut all);
            let Parts { scheme, host, port, path, .. } = split.parts;
            let mut push = |mask, key, value| all.push(Masked { mask, key, value, page });
            // The rule `https` does not change a URL with a port.
            if scheme == "http" && port.is_empty() {
                push(Mask::Https, split.with_start(start(https, split.host, split.path)), 1);
            }
            if has_hosts && port.is_empty() {
                let id = self.id(host);
                // There is one mask for all hosts, and `weigh_hosts` makes pairs of them.
                push(Mask::Alias(0, 0), split.with_start(start(split.scheme, 0, split.path)), id.into());
            }
            let with_path =
                |path: &str| split.with_start(start(split.scheme, split.host, hash::hash(path.as_bytes())));
            if path.len() > 1 && path.ends_with('/') {
                let trimmed = path.trim_end_matches('/');
                push(Mask::Slash, with_path(if trimmed.is_empty() { "/" } else { trimmed }), 1);
            }
            if path.bytes().any(|byte| byte.is_ascii_uppercase()) {
                push(Mask::Case, with_path(&path.to_ascii_lowercase()), split.path);
            }
            let file = split.parts.file();
            if !file.is_empty() && self.places.contains_key(&with_path(&path[..path.len() - file.len()])) {
                let id = self.id(file);
                push(Mask::Index(id), with_path(&path[..path.len() - file.len()]), 1);
            }
            let sessions: Vec<_> = if path.contains(';') { sessions(path).collect() } else { Vec::new() };
            for (range, name) in sessions.iter().filter(|_| sessions.len() <= MOST_SESSIONS).cloned() {
                let id = self.id(&decoded(name));
                let without = [&path[..range.start], &path[range.end..]].concat();
                push(Mask::Session(id), with_path(&without), hash::hash(path[range].as_bytes()));
            }
        }
        self.splits = splits;
        // A single page is not a context.
        all.retain(|masked| match masked.mask {
            Mask::Https | Mask::Slash | Mask::Index(_) | Mask::Bundle(_) => {
                self.places.contains_key(&masked.key)
            }
            _ => true,
        });
        all
    }

    fn mask_fields(&self, page: u32, split: &SplitPage<'_>, all: &mut Vec<Masked>) {
        let mut names: Vec<u32> = split.fields.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        for name in &names {
            let (key, value) = split.without(|other| other == *name);
            all.push(Masked { mask: Mask::Field(*name), key, value, page });
        }
        if names.len() < 2 {
            return;
        }
        let mut sorted: Vec<_> =
            split.fields.iter().map(|(name, field)| (self.names[*name as usize].as_str(), *field)).collect();
        // The sort is stable: like the rule `order`, it keeps the order of fields of one name.
        sorted.sort_by_key(|(name, _)| *name);
        let key = sorted.iter().fold(split.base(), |hash, (_, field)| hash::then(hash, *field));
        all.push(Masked { mask: Mask::Order, key, value: split.with_start(split.base()), page });
        for (place, one) in names.iter().enumerate() {
            for other in &names[place + 1..] {
                for bundle in self.of_pair.get(&(*one, *other)).into_iter().flatten() {
                    let members = &self.bundles[*bundle as usize];
                    if members.iter().all(|member| names.contains(member)) {
                        let (key, value) = split.without(|name| members.contains(&name));
                        all.push(Masked { mask: Mask::Bundle(*bundle), key, value, page });
                    }
                }
            }
        }
    }

    /// Weighs one context: the pages with the masked part, and the page without it if there is one.
    fn weigh(&mut self, context: &[Masked]) {
        let Some(first) = context.first() else { return };
        if matches!(first.mask, Mask::Alias(..)) {
            return self.weigh_hosts(context);
        }
        let absent = match first.mask {
            // If the fields of a page are in order, the page is in the context itself.
            Mask::Order => None,
            _ => self.places.get(&first.key).copied(),
        };
        // Pages with the same value are neighbours, because a context is sorted by its values.
        let values = 1 + context.windows(2).filter(|pair| pair[0].value != pair[1].value).count();
        if values + usize::from(absent.is_some()) < 2 {
            return;
        }
        let pages = self.pages;
        let contents_of = |page: u32| pages[page as usize].contents.as_slice();
        let members = || context.iter().map(|masked| masked.page).chain(absent);
        // Pages that do not exist are not evidence about the difference.
        if members().all(|page| contents_of(page) == [GONE]) {
            return;
        }
        let scopes = self.scopes_of(context, absent);
        let agreed = agreement(members().map(contents_of));
        let (low, high) = (members().min().unwrap_or(0), members().max().unwrap_or(0));
        for scope in scopes.iter().flatten() {
            let support = self.support.entry((first.mask, *scope)).or_default();
            match agreed {
                Some(content) => {
                    support.agree(content, (low, high));
                    context.iter().for_each(|masked| support.add_value(masked.value));
                }
                None => support.object(differing(members(), contents_of)),
            }
        }
        if let (Mask::Field(name), Some(absent)) = (first.mask, absent) {
            self.weigh_defaults(name, context, absent, &scopes);
        }
    }

    /// Compares each value of a field with its absence.
    fn weigh_defaults(&mut self, name: u32, context: &[Masked], absent: u32, scopes: &[Option<u32>]) {
        let without = self.pages[absent as usize].contents.as_slice();
        for with_value in context.chunk_by(|one, other| one.value == other.value) {
            let (value, page) = (with_value[0].value, with_value[0].page);
            let contents = self.pages[page as usize].contents.as_slice();
            if contents == [GONE] && without == [GONE] {
                continue;
            }
            let next = self.values.len() as u32;
            let value = *self.values.entry(value).or_insert(next);
            let is_same = share(without, contents);
            for scope in scopes.iter().flatten() {
                let support = self.support.entry((Mask::Default(name, value), *scope)).or_default();
                match is_same {
                    true => support.agree(without[0], (page, absent)),
                    false => support.object((page, absent)),
                }
            }
        }
    }

    /// Compares the hosts with the same path and query in pairs.
    fn weigh_hosts(&mut self, context: &[Masked]) {
        let hosts = || context.iter().map(|masked| (masked.value as u32, masked.page));
        if context.len() <= MOST_HOSTS {
            return self.weigh_pairs(&hosts().collect::<Vec<_>>());
        }
        let mut groups: HashMap<&str, Vec<(u32, u32)>> = HashMap::new();
        for (host, page) in hosts() {
            groups.entry(group_of(&self.names[host as usize])).or_default().push((host, page));
        }
        // Evidence does not depend on the order of contexts.
        let groups: Vec<_> = groups.into_values().filter(|hosts| hosts.len() > 1).collect();
        groups.iter().for_each(|hosts| self.weigh_pairs(hosts));
    }

    /// Compares hosts, each with its page, in pairs.
    fn weigh_pairs(&mut self, hosts: &[(u32, u32)]) {
        for (place, &(one, page)) in hosts.iter().enumerate() {
            for &(other, other_page) in &hosts[place + 1..] {
                if one == other {
                    continue;
                }
                let contents = [page, other_page].map(|page| self.pages[page as usize].contents.as_slice());
                if contents == [&[GONE], &[GONE]] {
                    continue;
                }
                let (mask, pair) = (
                    Mask::Alias(one.min(other), one.max(other)),
                    (page.min(other_page), page.max(other_page)),
                );
                // An alias is about two hosts, so it does not have its own scope.
                let scope = self.scope(0, "");
                let support = self.support.entry((mask, scope)).or_default();
                match share(contents[0], contents[1]) {
                    true => support.agree(contents[0][0].min(contents[1][0]), pair),
                    false => support.object(pair),
                }
            }
        }
    }

    /// Returns the scopes of a context: the host, and up to two segments that all its paths share.
    fn scopes_of(&mut self, context: &[Masked], absent: Option<u32>) -> [Option<u32>; 3] {
        let split = |page: u32| self.splits[page as usize].as_ref().map(|split| &split.parts);
        let Some(first) = split(context[0].page) else { return [None; 3] };
        let (host, path) = (first.host, first.path);
        let mut common = path.len();
        // These masks leave the path unchanged, so all paths of the context are equal.
        if !matches!(context[0].mask, Mask::Field(_) | Mask::Bundle(_) | Mask::Order | Mask::Https) {
            for other in context[1..].iter().map(|masked| masked.page).chain(absent).filter_map(split) {
                common = path
                    .bytes()
                    .zip(other.path.bytes())
                    .take(common)
                    .take_while(|(one, other)| one == other)
                    .count();
            }
        }
        let group = self.id(group_of(host));
        // The first slash is the root, whose scope is the whole host.
        let mut slashes = path[..common].match_indices('/').skip(1).map(|(place, _)| &path[..=place]);
        let prefixes = [Some(""), slashes.next(), slashes.next()];
        prefixes.map(|prefix| prefix.map(|prefix| self.scope(group, prefix)))
    }

    fn scope(&mut self, group: u32, prefix: &'p str) -> u32 {
        *self.scopes.entry((group, prefix)).or_insert_with(|| {
            self.scope_list.push((group, prefix));
            self.scope_list.len() as u32 - 1
        })
    }

    fn finish(self) -> Evidence {
        let mut support = BTreeMap::new();
        for ((mask, scope), mut found) in self.support {
            let (group, prefix) = self.scope_list[scope as usize];
            let group = if matches!(mask, Mask::Alias(..)) {
                String::new()
            } else {
                self.names[group as usize].clone()
            };
            sort_once(&mut found.contents);
            support.insert((mask, MaskScope { group, prefix: prefix.to_owned() }), found);
        }
        Evidence { support, names: self.names, bundles: self.bundles }
    }
}

/// Returns whether two ascending sets of contents intersect.
fn share(one: &[u64], other: &[u64]) -> bool {
    one.iter().any(|content| other.binary_search(content).is_ok())
}

/// Returns two pages without a common content, or else the first and the last page.
fn differing<'p>(
    mut pages: impl Iterator<Item = u32> + Clone,
    contents_of: impl Fn(u32) -> &'p [u64],
) -> (u32, u32) {
    let Some(first) = pages.next() else { return (0, 0) };
    let other = pages.clone().find(|page| !share(contents_of(first), contents_of(*page)));
    let other = other.or(pages.last()).unwrap_or(first);
    (first.min(other), first.max(other))
}

/// Returns the least content if the sets agree.
///
/// Each set has the contents that one page had in its captures. Pages agree if shared contents connect all of
/// them. They need not all share one content: a page with contents 1 and 2 connects a page with content 1 and
/// a page with content 2. This happens when a site changes during a crawl. The function joins all contents of
/// each set into one group, and the sets agree if a single group remains. The least content represents the
/// context, so that the result does not depend on the order of the pages.
fn agreement<'p>(sets: impl Iterator<Item = &'p [u64]> + Clone) -> Option<u64> {
    let first = *sets.clone().next()?.first()?;
    // Most pages have had a single content.
    if sets.clone().all(|set| set == [first]) {
        return Some(first);
    }
    let mut joined = Joined::default();
    for set in sets.clone() {
        let one = *set.first()?;
        set.iter().for_each(|content| joined.join(one, *content));
    }
    let root = joined.first(first);
    let is_one = sets.clone().all(|set| set.first().is_some_and(|content| joined.first(*content) == root));
    is_one.then(|| sets.flatten().copied().min()).flatten()
}

/// Numbers that are joined in groups. One number represents each group.
#[derive(Default)]
struct Joined(HashMap<u64, u64, BuildHasherDefault<Direct>>);

impl Joined {
    /// Returns the number that represents the group of a number.
    fn first(&mut self, number: u64) -> u64 {
        let mut at = number;
        while let Some(&next) = self.0.get(&at).filter(|&&next| next != at) {
            // From now on each number points to the one after the next, so that paths stay short.
            let after = self.0.get(&next).copied().unwrap_or(next);
            self.0.insert(at, after);
            at = after;
        }
        at
    }

    fn join(&mut self, one: u64, other: u64) {
        let (one, other) = (self.first(one), self.first(other));
        if one != other {
            self.0.insert(one.max(other), one.min(other));
        }
    }
}
