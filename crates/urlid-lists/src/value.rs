//! `HiddenList`: a header and sorted digests.
//!
//! A list is constructed by a builder, a reader of the text form or a reader of the compiled form, which
//! check that header and entries agree. This module orders and writes entries, and converts a list to a kind
//! with cut digests. Matching is in `matcher`.

use core::fmt::{self, Write};
use std::io;

use urlid::Error;
use urlid::hashed_uri::{Algorithm, HashedUri, Keep};
use urlid::internal::digest::Sha256Stream;
use urlid::internal::write_hashed_uri;

use crate::digests::{DigestBytes, DigestCursor, Digests};
use crate::edition::Edition;
use crate::error;
use crate::header::ListHeader;
use crate::kind::{Certainty, Store};
use crate::sorting::sort_digests;

/// A hidden list: hashed URIs in the order of their texts, each once, and the rules to check candidates.
///
/// Send, Sync and cheap to clone, because clones share the digests.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{HiddenList, ListBuilder, ListRules};
///
/// let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::XSha256], None)?;
/// builder.add("http://example.com/secret", None)?;
/// let list = builder.finish();
///
/// let mut bytes = Vec::new();
/// list.write_compiled(&mut bytes)?;
/// let again = HiddenList::from_compiled(bytes)?;
/// assert_eq!((again.len(), again.header()), (1, list.header()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct HiddenList {
    pub(super) header: ListHeader,
    /// The entries of known algorithms, ascending by algorithm and flags. Groups are never empty.
    pub(super) groups: Vec<EntryGroup>,
    /// The entries of unknown algorithms, ascending.
    pub(super) unknown: Vec<HashedUri>,
}

/// The entries with one algorithm and the same flags.
#[derive(Clone)]
pub(super) struct EntryGroup {
    pub(super) algorithm: Algorithm,
    pub(super) keep: Keep,
    pub(super) digests: Digests,
}

impl EntryGroup {
    /// Returns the entry that equals a digest of a candidate, or a prefix of it.
    pub(super) fn entry(&self, digest: &[u8]) -> Entry<'_> {
        Entry { algorithm: &self.algorithm, digest: DigestBytes::copied(digest), keep: self.keep }
    }
}

/// The collected digests of one algorithm, concatenated for each set of flags.
#[derive(Debug, Default)]
pub(super) struct Collected([Vec<u8>; Keep::EACH.len()]);

impl Collected {
    /// Returns the digests with these flags, to append one.
    pub(super) fn with(&mut self, keep: Keep) -> &mut Vec<u8> {
        // In the order of the flags' texts, as in `Keep::EACH`, so that the groups are sorted.
        let [none, fragment, both, query] = &mut self.0;
        match (keep.fragment, keep.query) {
            (false, false) => none,
            (true, false) => fragment,
            (true, true) => both,
            (false, true) => query,
        }
    }

    /// Sorts the digests of each set of flags, and appends those sets that have any.
    fn sort(self, algorithm: &Algorithm, store: Store, groups: &mut Vec<EntryGroup>) {
        let Some(width) = algorithm.digest_length().map(|length| store.width(length)) else { return };
        for (keep, bytes) in Keep::EACH.into_iter().zip(self.0) {
            if !bytes.is_empty() {
                let digests = Digests::encode(&sort_digests(bytes, width), width);
                groups.push(EntryGroup { algorithm: algorithm.clone(), keep, digests });
            }
        }
    }
}

impl HiddenList {
    /// Makes a list from the digests of each algorithm of the header, in any order, and counts its entries.
    pub(super) fn sort(header: ListHeader, digests: Vec<Collected>, mut unknown: Vec<HashedUri>) -> Self {
        let mut groups = Vec::new();
        for (algorithm, digests) in header.algorithms.iter().zip(digests) {
            digests.sort(algorithm, header.store, &mut groups);
        }
        unknown.sort_unstable();
        unknown.dedup();
        let mut list = Self { header, groups, unknown };
        list.header.count = list.len();
        list
    }

    /// Returns the header, which has the rules by which the entries were made.
    pub fn header(&self) -> &ListHeader {
        &self.header
    }

    /// Returns the number of different entries.
    pub fn len(&self) -> u64 {
        self.groups.iter().map(|group| group.digests.len()).sum::<u64>() + self.unknown.len() as u64
    }

    /// Returns whether the list has zero entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the entries by algorithms that this library does not define. They are kept, and
    /// never match.
    pub fn not_checkable(&self) -> &[HashedUri] {
        &self.unknown
    }

    /// Iterates over the entries in the order of their texts. If the list cuts its digests, the items are
    /// prefixes of entries.
    pub fn entries(&self) -> Entries<'_> {
        Entries { runs: self.groups.iter().map(GroupEntries::new).collect(), unknown: self.unknown.iter() }
    }

    /// Writes the text form: the header, and one entry per line. Equal lists give equal bytes.
    ///
    /// # Errors
    /// The errors of `out`, and [`io::ErrorKind::InvalidData`] with `ERR_LIST_KIND` if digests are not whole,
    /// because a text never contains cut digests.
    pub fn write_text(&self, out: &mut impl io::Write) -> io::Result<()> {
        self.check_whole().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        self.write_header(out)?;
        self.entries().try_for_each(|entry| writeln!(out, "{entry}"))
    }

    /// Writes the header of the text form, or of the compiled form if digests are not whole.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write_header(&self, out: &mut impl io::Write) -> io::Result<()> {
        let digest = self.is_whole().then(|| self.entries_digest());
        let mut header = String::new();
        self.header.write(&mut header, digest.as_ref()).expect("writing to a String does not fail");
        out.write_all(header.as_bytes())
    }

    /// Sets the publisher's data of this edition.
    #[must_use]
    pub fn with_edition(mut self, edition: Edition) -> Self {
        self.header.edition = edition;
        self
    }

    /// Returns whether digests are whole, so that entries can be shown and a hit is certain.
    pub fn is_whole(&self) -> bool {
        self.header.store == Store::WHOLE
    }

    pub(super) fn check_whole(&self) -> Result<(), Error> {
        match self.is_whole() {
            true => Ok(()),
            false => Err(error::CUT.error().with_shown(self.header.store)),
        }
    }

    /// Returns the SHA-256 digest of the entries as the text form has them, a line each.
    pub(super) fn entries_digest(&self) -> [u8; 32] {
        let mut digest = Sha256Stream::default();
        let mut line = String::new();
        for entry in self.entries() {
            line.clear();
            writeln!(line, "{entry}").expect("writing to a String does not fail");
            digest.update(line.as_bytes());
        }
        digest.finish()
    }
}

impl fmt::Debug for HiddenList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HiddenList").field("header", &self.header).finish_non_exhaustive()
    }
}

/// An entry of a list. Displays as its hashed URI, with `*` after its digits if only a prefix is stored.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{Intake, ListBuilder, ListRules};
///
/// let rules = ListRules { intake: Intake::Rfc3986, ..ListRules::default() };
/// let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None)?;
/// builder.add("http://www.thus.net", None)?;
/// let list = builder.finish();
/// let texts: Vec<String> = list.entries().map(|entry| entry.to_string()).collect();
/// assert_eq!(texts, ["hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry<'l> {
    /// The hash algorithm of the digest.
    pub algorithm: &'l Algorithm,
    pub(super) digest: DigestBytes<'l>,
    /// The flags.
    pub keep: Keep,
}

impl Entry<'_> {
    /// Returns the bytes of the digest. A match has the whole digest of the candidate, even if the list
    /// stores only its prefix.
    pub fn digest(&self) -> &[u8] {
        self.digest.as_bytes()
    }
}

impl<'l> From<&'l HashedUri> for Entry<'l> {
    fn from(uri: &'l HashedUri) -> Self {
        Self { algorithm: uri.algorithm(), digest: DigestBytes::Listed(uri.digest()), keep: uri.keep() }
    }
}

impl fmt::Display for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digest = self.digest();
        if self.algorithm.digest_length().is_none_or(|length| length == digest.len()) {
            return write_hashed_uri(f, self.algorithm, digest, self.keep);
        }
        // The `*` stands for the digits that were cut off. It is not in the grammar, so such a text cannot be
        // mistaken for a hashed URI.
        write_hashed_uri(f, self.algorithm, digest, Keep::NONE)?;
        write!(f, "*{}", self.keep.flags())
    }
}

/// The entries of a list, in the order of their texts.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{ListBuilder, ListRules};
///
/// let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?;
/// builder.add("http://example.com/", None)?;
/// let list = builder.finish();
/// assert_eq!(list.entries().map(|entry| entry.to_string()).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Entries<'l> {
    runs: Vec<GroupEntries<'l>>,
    unknown: core::slice::Iter<'l, HashedUri>,
}

/// The entries of a group that were not given yet.
#[derive(Clone)]
struct GroupEntries<'l> {
    group: &'l EntryGroup,
    rest: DigestCursor<'l>,
    next: Option<DigestBytes<'l>>,
}

impl<'l> GroupEntries<'l> {
    fn new(group: &'l EntryGroup) -> Self {
        let mut rest = group.digests.cursor();
        let next = rest.advance();
        Self { group, rest, next }
    }

    fn peek(&self) -> Option<Entry<'l>> {
        Some(Entry { algorithm: &self.group.algorithm, digest: self.next?, keep: self.group.keep })
    }
}

impl<'l> Iterator for Entries<'l> {
    type Item = Entry<'l>;

    fn next(&mut self) -> Option<Entry<'l>> {
        let unknown = self.unknown.as_slice().first().map(Entry::from);
        // A merge of the groups by the least next entry. There are at most four groups for each algorithm, so
        // they are compared one by one.
        let known = self.runs.iter().enumerate().filter_map(|(index, run)| Some((run.peek()?, index))).min();
        match (known, unknown) {
            (Some((entry, index)), unknown) if unknown.is_none_or(|unknown| entry < unknown) => {
                let run = &mut self.runs[index];
                run.next = run.rest.advance();
                Some(entry)
            }
            _ => {
                self.unknown.next();
                unknown
            }
        }
    }
}

impl HiddenList {
    /// Converts the list to a kind. Entries by algorithms that this library does not define are kept whole.
    ///
    /// # Errors
    /// `ERR_LIST_KIND` if the list keeps fewer bits of its digests than that kind.
    ///
    /// ```
    /// use urlid::hashed_uri::Algorithm;
    /// use urlid_lists::{ListKind, ListBuilder, ListRules, Store};
    ///
    /// let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?;
    /// builder.add("http://h/", None)?;
    /// let list = builder.finish().compile(Store::usual(ListKind::Prefix))?;
    /// assert_eq!(list.certainty().to_string(), "1 in 4.3e9 by chance");
    /// assert!(list.compile(Store::WHOLE).is_err());
    /// # Ok::<(), urlid::Error>(())
    /// ```
    pub fn compile(&self, store: Store) -> Result<Self, Error> {
        if self.header.store == store {
            return Ok(self.clone());
        }
        let mut list = self.clone();
        list.header.store = store;
        for group in &mut list.groups {
            group.digests = compile_group(group, store).ok_or_else(|| {
                let kind = if store == Store::WHOLE { error::NOT_WHOLE } else { error::CUT_SHORTER };
                kind.error().with_shown(self.header.store).with_expected(store.to_string())
            })?;
        }
        list.header.count = list.len();
        Ok(list)
    }

    /// Returns the certainty of a hit: how often a digest that is not listed is found, in the group of
    /// entries with the highest frequency.
    pub fn certainty(&self) -> Certainty {
        Certainty::of_chance(self.groups.iter().map(|group| group.chance()).fold(0.0, f64::max))
    }
}

fn compile_group(group: &EntryGroup, store: Store) -> Option<Digests> {
    let width = store.width(group.algorithm.digest_length()?);
    let records = group.digests.cut(width)?;
    Some(Digests::encode(&records, width))
}

impl EntryGroup {
    /// Returns the chance that a digest that is not in the group is found in it.
    pub(super) fn chance(&self) -> f64 {
        let width = self.digests.width();
        if self.algorithm.digest_length() == Some(width) {
            return 0.0;
        }
        // This is an upper bound: each of the digests is hit once in 2^bits, and the chances add up at most.
        self.digests.len() as f64 * 0.5_f64.powi(8 * width as i32)
    }
}
