//! Shards: a list in many small files. A reader fetches only the few that could contain a candidate.
//!
//! A digest is in the shard of its first bits. If entries cover more than their own URL, `routes` decides. An
//! index has the header of the list and the root of a tree of hashes (the one of RFC 9162, over the contents
//! of all shards), so that each shard proves that it belongs to the index. If the list covers subdomains, the
//! index also has the public suffix list that routes, and the digests that are not in any shard.
//!
//! The sections of an index are the header text, a table of the groups, the digests outside the shards, the
//! suffix list and the root. The sections of a shard are the sibling hashes on the path to the root, the
//! content, and zeros. A content has for each group the number of its digests, and their block unless the
//! number is zero.

use core::fmt;
use core::ops::Range;
use std::io;
use std::sync::Arc;

use super::bits::first_bits;
use super::compiled::{ROW, are_of_header, group_table, read_block, read_head, read_row};
use super::container::{Container, ContainerWriter, FileKind};
use super::digests::Digests;
use super::elias_fano::{MOST, encode_records};
use super::header::{HeaderForm, ListHeader};
use super::routes::{Route, Routes};
use super::rules::Covers;
use super::trust::{SeenEdition, Trust};
use super::value::{EntryGroup, HiddenList};
use crate::error;
use crate::routes;
use urlid::Error;
use urlid::internal::digest::sha256;
use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;

/// A list has at most 2^20 shards.
const MOST_BITS: u32 = 20;
/// The bytes of a shard that are not its hashes, its content or zeros.
const SHARD_FRAME: usize = ContainerWriter::frame(3);

type TreeHash = [u8; 32];

/// Whether all shards have one size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Padding {
    /// No padding. An observer of the size of an answer may learn which shard it was.
    #[default]
    None,
    /// Padding to the size of the largest shard.
    Equal,
}

/// The shards of a list, to be written.
#[derive(Clone, Debug)]
pub struct ShardSet {
    index: Vec<u8>,
    bits: u32,
    contents: Vec<Vec<u8>>,
    /// The tree of hashes, its leaves first.
    levels: Vec<Vec<TreeHash>>,
    size: usize,
}

impl HiddenList {
    /// Splits the list into 2^bits shards, for 1 to 20 bits. A list whose entries cover more than their own
    /// URL needs their routes.
    ///
    /// # Errors
    /// [`Error`] if the list has entries by algorithms that this library does not define, for any other
    /// number of bits, if an entry lacks a route, or if a shard or the index would have more than
    /// [`ShardIndex::MOST_BYTES`].
    pub fn shards(&self, bits: u32, routes: Option<&Routes>, padding: Padding) -> Result<ShardSet, Error> {
        self.shards_of(bits, routes, padding, ShardIndex::MOST_BYTES)
    }

    /// Splits the list into shards of at most `most` bytes.
    pub(super) fn shards_of(
        &self,
        bits: u32,
        routes: Option<&Routes>,
        padding: Padding,
        most_bytes: usize,
    ) -> Result<ShardSet, Error> {
        if !(1..=MOST_BITS).contains(&bits) {
            return Err(error::setting(&bits.to_string(), "1 to 20 bits"));
        }
        if !self.unknown.is_empty() {
            return Err(error::SHARD_UNKNOWN.error());
        }
        let mut contents = vec![Vec::new(); 1 << bits];
        let mut above = Vec::new();
        for group in &self.groups {
            let width = group.digests.width();
            let (shards, in_index) = self.split(group, bits, routes)?;
            for (content, records) in contents.iter_mut().zip(shards) {
                push_block(content, &records, width)?;
            }
            push_block(&mut above, &in_index, width)?;
        }
        // The byte before a leaf is 0 and the byte before a node is 1, so a content cannot pass for a node
        // (RFC 9162, section 2.1.1). There are 2^bits leaves, so every level but the last consists of pairs.
        let mut levels: Vec<Vec<TreeHash>> =
            vec![contents.iter().map(|content| sha256(&[&[0], content])).collect()];
        while let Some(level) = levels.last().filter(|level| level.len() > 1) {
            let above = level.as_chunks::<2>().0.iter().map(|[left, right]| node(left, right)).collect();
            levels.push(above);
        }
        let root = levels.last().and_then(|level| level.first()).copied().unwrap_or_default();
        let most = contents.iter().map(Vec::len).max().unwrap_or(0);
        // Padding makes all shards as large as the largest one.
        let size = if padding == Padding::Equal { most } else { 0 };
        let largest = most + SHARD_FRAME + 32 * bits as usize;
        if largest > most_bytes {
            return Err(error::SHARD_SIZE.error().with_shown(largest));
        }
        let index = self.shard_index(bits, &root, routes.and_then(Routes::suffixes), &above)?;
        Ok(ShardSet { index, bits, contents, levels, size })
    }

    /// Returns the digests of a group that are in each shard, one after the other, and those that are in the
    /// index.
    fn split(&self, group: &EntryGroup, bits: u32, routes: Option<&Routes>) -> Result<GroupShards, Error> {
        let (mut shards, mut in_index) = (vec![Vec::new(); 1 << bits], Vec::new());
        let mut cursor = group.digests.cursor();
        let width = group.digests.width();
        if self.header.rules.covers == Covers::Url {
            while let Some(digest) = cursor.next() {
                shards[shard_of(first_bits(digest), bits)].extend_from_slice(digest);
            }
            return Ok((shards, in_index));
        }
        let routes = routes.ok_or_else(|| error::ROUTES_NEEDED.error())?;
        let mut routed = routes.of(&group.algorithm, group.keep).peekable();
        while let Some(digest) = cursor.next() {
            // Routes of entries that are missing in the list come from a different edition.
            while routed.next_if(|(whole, _)| &whole[..width] < digest).is_some() {}
            let mut has_route = false;
            // Digests that are cut to one may be of several hosts, so the entry may be in several shards.
            while let Some((_, route)) = routed.next_if(|(whole, _)| &whole[..width] == digest) {
                let shard = match route {
                    Route::Shard(route) => &mut shards[shard_of(u64::from(route) << 32, bits)],
                    Route::Index => &mut in_index,
                };
                // Digests come in order, so a repeat equals the last digest of its shard.
                let last = shard.len().saturating_sub(width);
                if shard[last..] != *digest {
                    shard.extend_from_slice(digest);
                }
                has_route = true;
            }
            if !has_route {
                return Err(error::ROUTE_MISSING.error());
            }
        }
        Ok((shards, in_index))
    }

    /// Makes the index. Only a list that covers subdomains has a suffix list, which also routes its
    /// candidates, and digests above the domains.
    fn shard_index(
        &self,
        bits: u32,
        root: &TreeHash,
        suffixes: Option<&SuffixList>,
        above: &[u8],
    ) -> Result<Vec<u8>, Error> {
        let (mut header, mut carried, mut content) = (self.header.clone(), Vec::new(), &[][..]);
        if header.rules.covers == Covers::Subdomains {
            let suffixes = suffixes.ok_or_else(|| error::ROUTES_NEEDED.error())?;
            header.snapshot = Some(Snapshot::new(suffixes));
            (carried, content) = (routes::pack(suffixes), above);
        }
        let index = ContainerWriter::new(FileKind::Index, bits)
            .section(header.compiled_text().into_bytes())
            .section(group_table(&self.groups))
            .section(content)
            .section(carried)
            .section(&root[..])
            .into_bytes();
        match index.len() > ShardIndex::MOST_BYTES {
            true => Err(error::INDEX_SIZE.error().with_shown(index.len())),
            false => Ok(index),
        }
    }
}

/// The digests of a group for each shard, and for the index.
type GroupShards = (Vec<Vec<u8>>, Vec<u8>);

/// Appends the number of digests, and their block.
fn push_block(content: &mut Vec<u8>, records: &[u8], width: usize) -> Result<(), Error> {
    let count = records.len() / width;
    if count as u64 > MOST {
        return Err(error::SHARD_SIZE.error().with_shown(records.len()));
    }
    content.extend((count as u32).to_le_bytes());
    content.extend(encode_records(records, width));
    Ok(())
}

fn node(left: &TreeHash, right: &TreeHash) -> TreeHash {
    sha256(&[&[1], left, right])
}

/// Returns the number of the shard of a digest with these first 64 bits.
pub(super) fn shard_of(first: u64, bits: u32) -> usize {
    (first >> (u64::BITS - bits)) as usize
}

impl ShardSet {
    /// Returns the bytes of the index.
    pub fn index(&self) -> &[u8] {
        &self.index
    }

    /// Returns the number of shards.
    pub fn count(&self) -> u32 {
        1 << self.bits
    }

    /// Returns the name of the file of a shard.
    pub fn file_name(&self, number: u32) -> String {
        file_name(self.bits, number)
    }

    /// Writes a shard.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write(&self, number: u32, out: &mut impl io::Write) -> io::Result<()> {
        let content = &self.contents[number as usize];
        // The other child of a node differs in the lowest bit of its index.
        let beside = self.levels[..self.bits as usize].iter().enumerate();
        let hashes: Vec<u8> =
            beside.flat_map(|(height, level)| level[(number as usize >> height) ^ 1]).collect();
        ContainerWriter::new(FileKind::Shard, number)
            .section(hashes)
            .section(&content[..])
            .section(vec![0; self.size.saturating_sub(content.len())])
            .write(out)
    }
}

fn file_name(bits: u32, number: u32) -> String {
    format!("{number:0digits$x}.shard", digits = bits.div_ceil(4) as usize)
}

/// The index of the shards of a list.
#[derive(Clone, Debug)]
pub struct ShardIndex {
    /// The list, its groups without digests.
    pub(super) list: HiddenList,
    /// The suffix list that routes candidates, if entries cover subdomains.
    pub(super) suffixes: Option<SuffixList>,
    bits: u32,
    root: TreeHash,
    /// The digests that every candidate is compared with.
    pub(super) above: ShardContent,
}

/// A shard that belongs to an index.
#[derive(Clone)]
pub struct Shard {
    number: u32,
    content: ShardContent,
}

/// The digests of each group of an index, or `None` for an empty group.
#[derive(Clone, Default)]
pub(super) struct ShardContent(Vec<Option<Digests>>);

impl ShardIndex {
    /// The most bytes of an index, and of a shard.
    pub const MOST_BYTES: usize = 64 << 20;

    /// Reads an index.
    ///
    /// # Errors
    /// [`Error`] if the bytes are not an index, are damaged, or contradict themselves.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let damaged = || FileKind::Index.damaged();
        if bytes.len() > Self::MOST_BYTES {
            return Err(damaged());
        }
        let Container { number: bits, sections: [header, table, above, suffixes, root] } =
            Container::open(FileKind::Index, bytes)?;
        if !(1..=MOST_BITS).contains(&bits) {
            return Err(damaged());
        }
        let root = bytes[root].try_into().map_err(|_| damaged())?;
        let mut list = read_head(HeaderForm::Index, &bytes[header], &[])?;
        let suffixes = match (&list.header.snapshot, &bytes[suffixes]) {
            (None, []) => None,
            (None, _) => return Err(damaged()),
            (Some(snapshot), packed) => Some(routes::unpack(packed, snapshot).ok_or_else(damaged)?),
        };
        let mut count = 0_u64;
        let (rows, after_rows) = bytes[table].as_chunks::<ROW>();
        for row in rows {
            let (algorithm, keep, of_group) = read_row(row).map_err(|_| damaged())?;
            let width = list.header.store.width(algorithm.digest_length().ok_or_else(damaged)?);
            count = count.checked_add(of_group).ok_or_else(damaged)?;
            list.groups.push(EntryGroup {
                algorithm,
                keep,
                // Plans are made from groups, so the index has a group for each of its rows, without digests.
                digests: Digests::encode(&[], width),
            });
        }
        if !are_of_header(&list) || count != list.header.count || !after_rows.is_empty() {
            return Err(damaged());
        }
        let above = match suffixes {
            Some(_) => ShardContent::read(&list, Arc::new(bytes.to_vec()), above).ok_or_else(damaged)?,
            None if above.is_empty() => ShardContent::default(),
            None => return Err(damaged()),
        };
        Ok(Self { list, suffixes, bits, root, above })
    }

    /// Returns the header of the list.
    pub fn header(&self) -> &ListHeader {
        self.list.header()
    }

    /// Returns the number of bits that select a shard.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the number of entries in the index itself: entries whose hosts are public suffixes or above
    /// one.
    pub fn entries(&self) -> u64 {
        self.above.0.iter().flatten().map(Digests::len).sum()
    }

    /// Returns the name of the file of a shard.
    pub fn file_name(&self, number: u32) -> String {
        file_name(self.bits, number)
    }

    /// Reads the shard with this number.
    ///
    /// # Errors
    /// `ERR_LIST_SHARD` if the bytes are not a shard of this index, or have a different number.
    pub fn read(&self, number: u32, bytes: Vec<u8>) -> Result<Shard, Error> {
        let wrong = || error::SHARD_WRONG.error().with_shown(number);
        if bytes.len() > Self::MOST_BYTES {
            return Err(wrong());
        }
        let Container { number: stated, sections: [hashes, content, padding] } =
            Container::open(FileKind::Shard, &bytes).map_err(|_| wrong())?;
        let (hashes, after_hashes) = bytes[hashes].as_chunks::<32>();
        let is_tall = hashes.len() == self.bits as usize && after_hashes.is_empty();
        let mut hash = sha256(&[&[0], &bytes[content.clone()]]);
        for (height, beside) in hashes.iter().enumerate().take(self.bits as usize) {
            hash = if number >> height & 1 == 0 { node(&hash, beside) } else { node(beside, &hash) };
        }
        // The tree does not hash the zeros, so that padding can change without the index. Any other bytes
        // would be unsigned.
        let is_padded = bytes[padding].iter().all(|&byte| byte == 0);
        // A number with more bits would follow the path of its lower bits to the root.
        let is_numbered = stated == number && number >> self.bits == 0;
        if !is_numbered || !is_tall || hash != self.root || !is_padded {
            return Err(wrong());
        }
        let content = ShardContent::read(&self.list, Arc::new(bytes), content).ok_or_else(wrong)?;
        Ok(Shard { number, content })
    }
}

impl ShardContent {
    /// Reads the digests of each group of an index, which fill a range of bytes.
    fn read(list: &HiddenList, bytes: Arc<Vec<u8>>, content: Range<usize>) -> Option<Self> {
        let mut at = content.start;
        let mut groups = Vec::with_capacity(list.groups.len());
        for group in &list.groups {
            let count = u32::from_le_bytes(*bytes.get(at..content.end)?.first_chunk()?);
            at += 4;
            if count == 0 {
                groups.push(None);
                continue;
            }
            let length = group.algorithm.digest_length()?;
            let (digests, end) =
                read_block(&bytes, at..content.end, count.into(), length, list.header.store).ok()?;
            groups.push(Some(digests));
            at = end;
        }
        (at == content.end).then_some(Self(groups))
    }

    /// Returns whether a group, of this index, has a digest here.
    pub(super) fn has(&self, group: usize, digest: &[u8]) -> bool {
        self.0.get(group).and_then(Option::as_ref).is_some_and(|digests| digests.has(digest))
    }
}

impl fmt::Debug for ShardContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShardContent").finish_non_exhaustive()
    }
}

impl fmt::Debug for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shard").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Shard {
    /// Returns the number of the shard.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns whether a group, of this index, has a digest in the shard.
    pub(super) fn has(&self, group: usize, digest: &[u8]) -> bool {
        self.content.has(group, digest)
    }
}

impl Trust<'_> {
    /// Reads the index of the shards of a list after checking its signature, then checks the edition.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn open_index(&self, bytes: &[u8], signature: &str) -> Result<(ShardIndex, SeenEdition), Error> {
        self.key.verify(bytes, signature)?;
        let index = ShardIndex::from_bytes(bytes)?;
        let seen = self.admit(index.header(), sha256(&[bytes]))?;
        Ok((index, seen))
    }
}
