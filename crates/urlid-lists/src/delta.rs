//! Deltas: small patches from one edition of a compiled list to the next.
//!
//! The sections of a delta are the header text of the new list, the text of its entries by unknown
//! algorithms, a table, the blocks, the checksums of the old and of the new list, and a signature. Each row
//! of the table has two blocks: an `elias_fano` block of the removed ranks and a block of the added digests.

use core::cmp::Ordering;
use std::io;
use std::sync::Arc;

use urlid::Error;
use urlid::hashed_uri::{Algorithm, Keep};

use crate::compiled::{read_head, read_name, write_name};
use crate::container::{Container, ContainerWriter, FileKind};
use crate::digests::{DigestBytes, Digests};
use crate::elias_fano::{Shape, decode_numbers, encode_numbers, encode_records, numbers_shape};
use crate::error;
use crate::header::{HeaderForm, ListHeader};
use crate::merge::check_same_rules;
use crate::value::{EntryGroup, HiddenList};

/// The size of a row of the table: name of the algorithm, flags, and the numbers of old, removed and added
/// digests.
const ROW: usize = 48;

/// The change from one compiled list to a newer one.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{Delta, ListBuilder, ListRules};
///
/// let list = |uris: &[&str]| {
///     let mut builder = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?;
///     uris.iter().try_for_each(|uri| builder.add(uri, None))?;
///     Ok::<_, urlid::Error>(builder.finish())
/// };
/// let (old, new) = (list(&["http://a/", "http://b/"])?, list(&["http://b/", "http://c/"])?);
/// let delta = Delta::between(&old, &new, None)?;
/// assert_eq!((delta.removed(), delta.added()), (1, 1));
/// assert_eq!(delta.apply(&old)?.checksum(), new.checksum());
/// assert!(delta.apply(&new).is_err());
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Delta {
    old: [u8; 32],
    new: [u8; 32],
    /// The new list without its groups.
    list: HiddenList,
    signature: Option<String>,
    rows: Vec<(Algorithm, Keep, Change)>,
}

impl Delta {
    /// Makes the delta of two lists. It may include the text of a signature of the new list in its compiled
    /// form.
    ///
    /// # Errors
    /// [`Error`] if the lists were not made by the same rules, or keep different numbers of bits.
    pub fn between(old: &HiddenList, new: &HiddenList, signature: Option<&str>) -> Result<Self, Error> {
        check_same_rules(&old.header, &new.header)?;
        let mut names: Vec<(Algorithm, Keep)> =
            old.groups.iter().chain(&new.groups).map(|group| (group.algorithm.clone(), group.keep)).collect();
        names.sort_unstable();
        names.dedup();
        let rows = names.into_iter().map(|(algorithm, keep)| {
            let change = Change::between(old.digests(&algorithm, keep), new.digests(&algorithm, keep));
            (algorithm, keep, change)
        });
        let rows = rows.filter(|(.., change)| !change.removed.is_empty() || !change.added.is_empty());
        Ok(Self {
            old: old.checksum(),
            new: new.checksum(),
            list: HiddenList { groups: Vec::new(), ..new.clone() },
            signature: signature.map(str::to_owned),
            rows: rows.collect(),
        })
    }

    /// Applies the delta to the list from which it was made.
    ///
    /// # Errors
    /// `ERR_LIST_DELTA` if `old` is a different list, or if the result is not the list to which the delta
    /// leads.
    pub fn apply(&self, old: &HiddenList) -> Result<HiddenList, Error> {
        // Removed digests are stored as ranks, which only make sense in the list from which the delta was
        // made.
        if old.checksum() != self.old {
            return Err(error::DELTA_BASE.error());
        }
        let mut list = self.list.clone();
        list.groups = old.groups.clone();
        for (algorithm, keep, change) in &self.rows {
            let width = width(&self.list.header, algorithm).ok_or_else(|| error::DELTA_RESULT.error())?;
            let records = change.apply(old.digests(algorithm, *keep), width);
            let records = records.ok_or_else(|| error::DELTA_RESULT.error())?;
            list.groups.retain(|group| (&group.algorithm, group.keep) != (algorithm, *keep));
            if !records.is_empty() {
                let digests = Digests::encode(&records, width);
                list.groups.push(EntryGroup { algorithm: algorithm.clone(), keep: *keep, digests });
            }
        }
        list.groups.sort_by(|a, b| (&a.algorithm, a.keep).cmp(&(&b.algorithm, b.keep)));
        // The blocks of unchanged groups are the old ones, and changed groups were encoded again. The
        // encoding of both is unique, so the checksum of a right result is the stated one.
        match list.checksum() == self.new {
            true => Ok(list),
            false => Err(error::DELTA_RESULT.error()),
        }
    }

    /// Returns the SHA-256 of the list to which the delta leads, which is the last bytes of its compiled
    /// form.
    pub fn new_checksum(&self) -> [u8; 32] {
        self.new
    }

    /// Returns the header of the list that the delta leads to.
    pub fn header(&self) -> &ListHeader {
        &self.list.header
    }

    /// Returns the signature of the list that the delta leads to. Whether it is one is up to whoever trusts a
    /// key.
    pub fn signature(&self) -> Option<&str> {
        self.signature.as_deref()
    }

    /// Returns the number of entries that go, without those by algorithms that this library does not define.
    pub fn removed(&self) -> u64 {
        self.rows.iter().map(|(.., change)| change.removed.len() as u64).sum()
    }

    /// Returns the number of added entries, without entries by algorithms that this library does not define.
    pub fn added(&self) -> u64 {
        let widths = self.rows.iter().map(|(algorithm, _, change)| {
            change.added.len() / width(&self.list.header, algorithm).unwrap_or(usize::MAX)
        });
        widths.sum::<usize>() as u64
    }

    /// Writes the delta. Equal deltas give equal bytes.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let width = |algorithm: &Algorithm| width(&self.list.header, algorithm).unwrap_or(1);
        let (mut table, mut blocks) = (Vec::new(), Vec::new());
        for (algorithm, keep, change) in &self.rows {
            let added = change.added.len() / width(algorithm);
            let numbers = [change.before, change.removed.len() as u64, added as u64];
            table.extend(write_name(algorithm, *keep));
            table.extend(numbers.map(u64::to_le_bytes).concat());
            blocks.extend(encode_numbers(&change.removed, change.before));
            blocks.extend(encode_records(&change.added, width(algorithm)));
        }
        ContainerWriter::new(FileKind::Delta, 0)
            .section(self.list.header.compiled_text().into_bytes())
            .section(self.list.unknown_text().into_bytes())
            .section(table)
            .section(blocks)
            .section([self.old, self.new].concat())
            .section(self.signature.as_deref().unwrap_or_default().as_bytes())
            .write(out)
    }

    /// Reads a delta.
    ///
    /// # Errors
    /// [`Error`] if the bytes are not a delta, are damaged, or contradict themselves.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let damaged = || FileKind::Delta.damaged();
        let container = Container::open(FileKind::Delta, bytes)?;
        let [header, unknown, table, blocks, lists, signature] =
            container.sections.map(|section| &bytes[section]);
        let list = read_head(HeaderForm::Compiled, header, unknown)?;
        let ([old, new], []) = lists.as_chunks::<32>() else { return Err(damaged()) };
        let (table, after_table) = table.as_chunks::<ROW>();
        let mut rest = blocks;
        let mut block = |shape: Shape| -> Result<&[u8], Error> {
            // The length is compared with the remaining bytes before memory of that size is reserved.
            let length = usize::try_from(shape.bytes()).map_err(|_| damaged())?;
            let (block, after) = rest.split_at_checked(length).ok_or_else(damaged)?;
            rest = after;
            Ok(block)
        };
        let mut rows = Vec::new();
        for row in table {
            let (algorithm, keep) = read_name(row).ok_or_else(damaged)?;
            let (numbers, _) = row[24..].as_chunks::<8>();
            let [before, removed, added] = [0, 1, 2].map(|index| u64::from_le_bytes(numbers[index]));
            let width = width(&list.header, &algorithm).ok_or_else(damaged)?;
            let mut change = Change { before, ..Change::default() };
            if removed > 0 {
                let shape = numbers_shape(removed, before).ok_or_else(damaged)?;
                change.removed = decode_numbers(block(shape)?, shape, before).ok_or_else(damaged)?;
            }
            if added > 0 {
                let shape = Shape::new(added, width as u32 * 8).ok_or_else(damaged)?;
                let block = Arc::new(block(shape)?.to_vec());
                let range = 0..block.len();
                let digests = Digests::new(block, range, added, width).ok_or_else(damaged)?;
                change.added = digests.cut(width).unwrap_or_default();
            }
            rows.push((algorithm, keep, change));
        }
        // A repeated group would be changed twice.
        let is_sorted = rows.is_sorted_by(|a, b| (&a.0, a.1) < (&b.0, b.1));
        if !rest.is_empty() || !after_table.is_empty() || !is_sorted {
            return Err(damaged());
        }
        let signature = str::from_utf8(signature).map_err(|_| damaged())?;
        let signature = (!signature.is_empty()).then(|| signature.to_owned());
        Ok(Self { old: *old, new: *new, list, signature, rows })
    }

    /// Returns the index of the first delta of a chain that applies to a list, or the length of the chain if
    /// the list is its end. In a chain, each delta leads to the list from which the next delta leads.
    ///
    /// # Errors
    /// `ERR_LIST_DELTA` if the chain has a gap, or if the list is not on it.
    pub fn start_of(chain: &[Self], list: [u8; 32]) -> Result<usize, Error> {
        for (index, pair) in chain.windows(2).enumerate() {
            if pair[0].new != pair[1].old {
                return Err(error::DELTA_GAP.error().with_number(index as u64 + 2));
            }
        }
        if chain.last().is_some_and(|last| last.new == list) {
            return Ok(chain.len());
        }
        chain.iter().position(|delta| delta.old == list).ok_or_else(|| error::DELTA_BASE.error())
    }

    /// Returns the indices of the deltas that lead from a list to the newest reachable one, in their order.
    /// The newest list has the greatest sequence, and the chain is as short as possible. The result is empty
    /// if no delta leads to a newer list. A list without a sequence is older than any other.
    pub fn newest_chain(deltas: &[Self], list: &HiddenList) -> Vec<usize> {
        // A search in breadth.
        let mut reached: Vec<Reached> = vec![(list.checksum(), None)];
        // The search starts with the list itself, so a folder that only leads back to an older list is not an
        // update.
        let mut newest: Option<(u64, usize)> = list.header.edition.sequence.map(|sequence| (sequence, 0));
        let mut next = 0;
        // `reached` is also the queue. Each list is in it once, at its least distance, with the step that led
        // there.
        while let Some(&(from, _)) = reached.get(next) {
            for (index, delta) in deltas.iter().enumerate() {
                if delta.old != from || reached.iter().any(|(list, _)| *list == delta.new) {
                    continue;
                }
                reached.push((delta.new, Some((index, next))));
                let sequence = delta.list.header.edition.sequence.unwrap_or(0);
                if newest.is_none_or(|(most, _)| sequence > most) {
                    newest = Some((sequence, reached.len() - 1));
                }
            }
            next += 1;
        }
        let mut chain = Vec::new();
        let mut at = newest.and_then(|(_, place)| reached[place].1);
        while let Some((delta, before)) = at {
            chain.push(delta);
            at = reached[before].1;
        }
        chain.reverse();
        chain
    }
}

/// A list that was reached, with the index of its delta and the index of its predecessor in the queue.
type Reached = ([u8; 32], Option<(usize, usize)>);

/// Returns the bytes that a list keeps of the digests of an algorithm.
fn width(header: &ListHeader, algorithm: &Algorithm) -> Option<usize> {
    Some(header.store.width(algorithm.digest_length()?))
}

impl HiddenList {
    /// Returns the digests of an algorithm with these flags.
    fn digests(&self, algorithm: &Algorithm, keep: Keep) -> Option<&Digests> {
        let group = self.groups.iter().find(|group| (&group.algorithm, group.keep) == (algorithm, keep))?;
        Some(&group.digests)
    }
}

/// The removed digests of a group, as their ranks in the old list, and the concatenated added digests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Change {
    /// How many digests the old list has in the group.
    pub(super) before: u64,
    /// Ascending.
    pub(super) removed: Vec<u64>,
    /// Ascending records.
    pub(super) added: Vec<u8>,
}

impl Change {
    /// Compares a group of two lists, either of which may lack it.
    pub(super) fn between(old: Option<&Digests>, new: Option<&Digests>) -> Self {
        let mut change = Self { before: old.map_or(0, Digests::len), ..Self::default() };
        let (mut old, mut new) = (old.map(Digests::cursor), new.map(Digests::cursor));
        let mut rank = 0;
        let mut next_old = old.as_mut().and_then(|old| old.advance());
        let mut next_new = new.as_mut().and_then(|new| new.advance());
        loop {
            // A merge of two ascending sequences. Digests that only the old group has are removed, and
            // digests that only the new group has are added.
            let order = match (&next_old, &next_new) {
                (Some(old), Some(new)) => old.cmp(new),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return change,
            };
            match (order, &next_new) {
                (Ordering::Less, _) => change.removed.push(rank),
                (Ordering::Greater, Some(digest)) => change.added.extend_from_slice(digest.as_bytes()),
                _ => {}
            }
            if order != Ordering::Greater {
                rank += 1;
                next_old = old.as_mut().and_then(|old| old.advance());
            }
            if order != Ordering::Less {
                next_new = new.as_mut().and_then(|new| new.advance());
            }
        }
    }

    /// Returns the concatenated digests of a group after the change, or `None` if the change does not fit the
    /// group.
    pub(super) fn apply(&self, old: Option<&Digests>, width: usize) -> Option<Vec<u8>> {
        let is_of_width = |digests: &Digests| digests.width() == width && digests.len() == self.before;
        if !old.map_or(self.before == 0, is_of_width) {
            return None;
        }
        // A hostile delta may remove more digests than exist. All sizes below are sizes of data in memory.
        let left = (self.before as usize).checked_sub(self.removed.len())?;
        let mut records = Vec::with_capacity(left * width + self.added.len());
        let mut added = self.added.chunks_exact(width).peekable();
        let mut removed = self.removed.iter().copied().peekable();
        let mut cursor = old.map(Digests::cursor);
        // The same merge in reverse. It does not need a sort, because the result ascends if the added digests
        // do.
        for rank in 0..self.before {
            let digest: DigestBytes<'_> = cursor.as_mut()?.advance()?;
            while let Some(record) = added.next_if(|record| *record < digest.as_bytes()) {
                records.extend_from_slice(record);
            }
            let is_removed = removed.next_if_eq(&rank).is_some();
            // A kept digest is not added again, and a removed digest is not added back.
            if added.peek() == Some(&digest.as_bytes()) {
                return None;
            }
            if !is_removed {
                records.extend_from_slice(digest.as_bytes());
            }
        }
        added.for_each(|record| records.extend_from_slice(record));
        Some(records)
    }
}
