//! Rows in memory: identifiers and texts, in the order of the index's tables.
//!
//! One buffer holds all texts, and one vector holds an entry for each row. A batch is thus two allocations
//! for any number of rows. The module does not use files.

use std::borrow::Borrow;
use std::fmt;
use std::ops::{Index, Range};

use crate::sort::runs::SortKey;

/// The bytes of memory that a row needs in addition to its text.
const ENTRY_LEN: usize = size_of::<BatchEntry>();

#[derive(Clone, Copy, Debug)]
struct BatchEntry {
    id: SortKey,
    // 32 bits keep the entry at 40 bytes. They limit the texts of a batch to 4 GiB.
    start: u32,
    len: u32,
}

/// The kind of the texts of rows: `str`, or `[u8]` for rows of tables, which may be in any encoding.
pub trait RowText: Index<Range<usize>, Output = Self> + 'static {
    /// Many texts, one after the other.
    type Buffer: Borrow<Self> + Default + fmt::Debug;

    /// Returns the bytes of a text.
    fn bytes(&self) -> &[u8];

    /// Appends a text to a buffer.
    fn append(&self, buffer: &mut Self::Buffer);

    /// Empties a buffer and keeps its capacity.
    fn clear(buffer: &mut Self::Buffer);
}

impl RowText for str {
    type Buffer = String;

    fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    fn append(&self, buffer: &mut String) {
        buffer.push_str(self);
    }

    fn clear(buffer: &mut String) {
        buffer.clear();
    }
}

impl RowText for [u8] {
    type Buffer = Vec<u8>;

    fn bytes(&self) -> &[u8] {
        self
    }

    fn append(&self, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(self);
    }

    fn clear(buffer: &mut Vec<u8>) {
        buffer.clear();
    }
}

/// Rows in memory. The caller limits their bytes.
#[derive(Debug)]
pub struct RowBatch<T: RowText + ?Sized = str> {
    entries: Vec<BatchEntry>,
    text: T::Buffer,
    /// The number of rows at the end whose identifiers are not computed yet.
    pending: usize,
}

impl<T: RowText + ?Sized> Default for RowBatch<T> {
    fn default() -> Self {
        RowBatch { entries: Vec::new(), text: T::Buffer::default(), pending: 0 }
    }
}

impl<T: RowText + ?Sized> RowBatch<T> {
    /// Adds a row.
    ///
    /// # Panics
    /// If the total length of the texts exceeds 4 GiB. Callers watch [`bytes`](Self::bytes) and hand a batch
    /// on long before.
    pub fn push(&mut self, id: SortKey, url: &T) {
        let start = u32::try_from(self.text_len()).expect("batches are handed on long before 4 GiB");
        let len = u32::try_from(url.bytes().len()).expect("lines are capped long before 4 GiB");
        self.entries.push(BatchEntry { id, start, len });
        url.append(&mut self.text);
    }

    /// Adds a row without its identifier, which is computed later, together with its neighbours' identifiers.
    pub fn push_pending(&mut self, url: &T) {
        self.push([0; 32], url);
        self.pending += 1;
    }

    /// Returns the number of rows whose identifiers are not computed yet.
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// Returns the texts of those rows and mutable references to their identifiers, in the same order.
    pub fn pending_rows(&mut self) -> (impl Iterator<Item = &T>, impl Iterator<Item = &mut SortKey>) {
        let Self { entries, text, pending } = self;
        let first = entries.len() - *pending;
        // The entries are copied so that the texts do not borrow them. Their identifiers are written while
        // the texts are read.
        let spans: Vec<BatchEntry> = entries[first..].to_vec();
        let texts = spans.into_iter().map(|entry| text_of((*text).borrow(), &entry));
        (texts, entries[first..].iter_mut().map(|entry| &mut entry.id))
    }

    /// Marks all identifiers as computed.
    pub fn settled(&mut self) {
        self.pending = 0;
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the batch is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the bytes of the rows in memory, without the spare capacity of the buffers.
    pub fn bytes(&self) -> usize {
        self.entries.len() * ENTRY_LEN + self.text_len()
    }

    fn text_len(&self) -> usize {
        self.text.borrow().bytes().len()
    }

    /// Removes the rows and keeps the buffers.
    pub fn clear(&mut self) {
        self.entries.clear();
        T::clear(&mut self.text);
        self.pending = 0;
    }

    /// Sorts by identifier, then text, and drops repeated rows.
    pub fn sort(&mut self) {
        let Self { entries, text, .. } = self;
        let bytes = |entry: &BatchEntry| text_of((*text).borrow(), entry).bytes();
        entries.sort_unstable_by(|a, b| key_of(a).cmp(&key_of(b)).then_with(|| bytes(a).cmp(bytes(b))));
        entries.dedup_by(|a, b| a.id == b.id && bytes(a) == bytes(b));
    }

    /// Returns one row by its number.
    pub fn get(&self, row: u32) -> (&SortKey, &T) {
        let entry = &self.entries[row as usize];
        (&entry.id, text_of(self.text.borrow(), entry))
    }

    /// Iterates over the rows in their present order.
    pub fn iter(&self) -> impl Iterator<Item = (&SortKey, &T)> {
        self.entries.iter().map(|entry| (&entry.id, text_of(self.text.borrow(), entry)))
    }
}

/// Returns an identifier as two big-endian numbers. They have the order of the bytes, and compare faster.
fn key_of(entry: &BatchEntry) -> (u128, u128) {
    let (first, last) = entry.id.split_at(16);
    let number = |half: &[u8]| half.try_into().map_or(0, u128::from_be_bytes);
    (number(first), number(last))
}

fn text_of<'t, T: RowText + ?Sized>(text: &'t T, entry: &BatchEntry) -> &'t T {
    let start = entry.start as usize;
    &text[start..start + entry.len as usize]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(urlid_testing::proptest_config())]

        #[test]
        fn sorting_matches_an_ordered_set(rows in prop::collection::vec((0_u8..4, "[ab]{0,3}"), 0..40)) {
            let mut batch = RowBatch::<str>::default();
            let mut set = std::collections::BTreeSet::new();
            for (first, url) in &rows {
                let id = { let mut id = [7; 32]; id[31] = *first; id };
                batch.push(id, url);
                set.insert((id, url.clone()));
            }
            batch.sort();
            let sorted: Vec<_> = batch.iter().map(|(id, url)| (*id, url.to_owned())).collect();
            prop_assert_eq!(sorted, set.into_iter().collect::<Vec<_>>());
        }
    }
}
