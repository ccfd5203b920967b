//! Counts texts and records the place of each text's first occurrence, in bounded memory.
//!
//! A text is represented by a digest of 16 bytes that the caller computes, so that texts may be equal under
//! any rule. Counts are kept in a table. A full table becomes a run, sorted by digest, and an empty table
//! replaces it. At the end the runs are merged. The first row of a digest has the text, and the counts of all
//! its rows are added.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
use std::path::PathBuf;

use crate::sort::merged::SortedRows;
use crate::sort::rows::{RowSorter, RowsInOrder};
use crate::sort::runs::{KeyedRow, RunWriter, SortKey};
use crate::sort::seen::TextDigest;

/// The bytes of memory of an entry in addition to its text, at the usual load of the table.
const ENTRY_LEN: usize = 2 * size_of::<(TextDigest, TextCount)>();

/// The most bytes of texts of a table, which are addressed with 32 bits.
const MOST_TEXTS: usize = 2 << 30;

/// A digest is its own hash.
#[derive(Default)]
struct OfDigest(u64);

impl Hasher for OfDigest {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.first_chunk().map_or(0, |head| u64::from_ne_bytes(*head));
    }

    fn write_u128(&mut self, digest: u128) {
        self.0 = digest as u64;
    }
}

#[derive(Clone, Copy, Debug)]
struct TextCount {
    /// The place of the text's first occurrence.
    first: u64,
    count: u64,
    start: u32,
    len: u32,
}

/// Counts texts.
#[derive(Debug)]
pub struct TextTally {
    entries: HashMap<TextDigest, TextCount, BuildHasherDefault<OfDigest>>,
    texts: Vec<u8>,
    /// The number of calls of `add`, which is the place of the next text.
    calls: u64,
    runs: Option<RunWriter<KeyedRow>>,
    directory: PathBuf,
    memory: usize,
}

/// The order of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TallyOrder {
    /// By first occurrence.
    First,
    /// By falling count. Texts with equal counts are in the order of their bytes.
    Count,
}

impl TextTally {
    /// Makes a tally that uses about `memory` bytes, in addition to the longest text, and files in
    /// `directory`.
    pub fn new(directory: PathBuf, memory: usize) -> Self {
        TextTally { entries: HashMap::default(), texts: Vec::new(), calls: 0, runs: None, directory, memory }
    }

    /// Counts a text that occurred `count` times, after the texts of earlier calls.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, digest: TextDigest, count: u64, text: &[u8]) -> io::Result<()> {
        // The number is never repeated. Two runs with the same place and count of a text would be one row
        // when they are merged.
        let first = self.calls;
        self.calls += 1;
        if let Some(entry) = self.entries.get_mut(&digest) {
            entry.count += count;
            return Ok(());
        }
        // The limit is a quarter, because the buffers may be twice as large as their content, and the rows
        // are copied to be sorted.
        if self.bytes() >= self.memory / 4 || self.texts.len() >= MOST_TEXTS {
            self.write_run()?;
        }
        let start = u32::try_from(self.texts.len()).map_err(io::Error::other)?;
        let len = u32::try_from(text.len()).map_err(io::Error::other)?;
        self.texts.extend_from_slice(text);
        self.entries.insert(digest, TextCount { first, count, start, len });
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.entries.len() * ENTRY_LEN + self.texts.len()
    }

    fn write_run(&mut self) -> io::Result<()> {
        if self.entries.is_empty() {
            return Ok(());
        }
        // The writer is moved out, because `rows` borrows `self` while they are written.
        let mut runs = match self.runs.take() {
            Some(runs) => runs,
            None => RunWriter::create(&self.directory)?,
        };
        let mut rows: Vec<(SortKey, &[u8])> = self.rows().map(|row| (row.key(), row.text)).collect();
        rows.sort_unstable();
        runs.push_run(rows.iter().map(|(key, text)| (key, *text)))?;
        self.runs = Some(runs);
        self.entries.clear();
        self.texts.clear();
        Ok(())
    }

    fn rows(&self) -> impl Iterator<Item = CountedText<'_>> {
        self.entries.iter().map(|(&digest, entry)| CountedText {
            digest,
            first: entry.first,
            count: entry.count,
            text: &self.texts[entry.start as usize..][..entry.len as usize],
        })
    }

    /// Returns the texts with their counts.
    ///
    /// # Errors
    /// If the file cannot be written or read.
    pub fn finish(mut self, order: TallyOrder) -> io::Result<Tallied> {
        let mut sorter = RowSorter::new(self.directory.clone(), self.memory);
        if self.runs.is_none() {
            for row in self.rows() {
                sorter.push(&row.ordered(order), row.text)?;
            }
        } else {
            self.write_run()?;
            let TextTally { entries, texts, runs, directory, memory, .. } = self;
            // Frees the table before the merge allocates its buffers.
            drop((entries, texts));
            if let Some(runs) = runs {
                merge(SortedRows::read(runs.finish()?, &directory, memory)?, order, &mut sorter)?;
            }
        }
        Ok(Tallied { rows: sorter.finish()?, order })
    }
}

/// Adds the counts of the rows of each digest, and passes the result to `sorter`.
fn merge(mut rows: SortedRows<KeyedRow>, order: TallyOrder, sorter: &mut RowSorter) -> io::Result<()> {
    let mut text = Vec::new();
    // Rows of one digest follow each other, and the first occurrence is in front. `SortedRows` drops repeated
    // rows, but these differ in their places.
    let mut open: Option<CountedText<'static>> = None;
    while let Some((key, bytes)) = rows.next_row()? {
        let row = CountedText::of(key);
        match &mut open {
            Some(open) if open.digest == row.digest => open.count += row.count,
            _ => {
                if let Some(done) = open.replace(row) {
                    sorter.push(&done.ordered(order), &text)?;
                }
                bytes.clone_into(&mut text);
            }
        }
    }
    match open {
        Some(done) => sorter.push(&done.ordered(order), &text),
        None => Ok(()),
    }
}

/// The count of a text.
struct CountedText<'t> {
    digest: TextDigest,
    first: u64,
    count: u64,
    text: &'t [u8],
}

impl CountedText<'_> {
    /// Returns the key by which runs are sorted. It puts the first occurrence of a digest before its other
    /// rows.
    fn key(&self) -> SortKey {
        let mut key = [0; 32];
        key[..16].copy_from_slice(&self.digest.to_be_bytes());
        key[16..24].copy_from_slice(&self.first.to_be_bytes());
        key[24..].copy_from_slice(&self.count.to_be_bytes());
        key
    }

    /// Returns a row from the key of a run, without its text.
    fn of(key: &SortKey) -> CountedText<'static> {
        let (digest, rest) = key.split_at(16);
        let number = |at: usize| rest[at..at + 8].try_into().map_or(0, u64::from_be_bytes);
        CountedText {
            digest: digest.try_into().map_or(0, u128::from_be_bytes),
            first: number(0),
            count: number(8),
            text: &[],
        }
    }

    /// Returns the key of the result. In both orders it contains the count, which `next_text` reads from it.
    fn ordered(&self, order: TallyOrder) -> SortKey {
        let mut key = [0; 32];
        match order {
            TallyOrder::First => {
                key[..8].copy_from_slice(&self.first.to_be_bytes());
                key[8..16].copy_from_slice(&self.count.to_be_bytes());
            }
            // The complement puts the greatest count first.
            TallyOrder::Count => key[..8].copy_from_slice(&(!self.count).to_be_bytes()),
        }
        key
    }
}

/// Texts with their counts, in order, each once.
#[derive(Debug)]
pub struct Tallied {
    rows: RowsInOrder,
    order: TallyOrder,
}

impl Tallied {
    /// Returns the next text and its count, or `None` after the last.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_text(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        let order = self.order;
        let row = self.rows.next_row()?;
        Ok(row.map(|(key, text)| {
            let number = |at: usize| key[at..at + 8].try_into().map_or(0, u64::from_be_bytes);
            let count = match order {
                TallyOrder::First => number(8),
                TallyOrder::Count => !number(0),
            };
            (count, text)
        }))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The first text of each class, and the size of the class, in both orders.
    fn naive(texts: &[(u8, String)], order: TallyOrder) -> Vec<(u64, String)> {
        let mut classes: Vec<(u8, u64, String)> = Vec::new();
        for (class, text) in texts {
            match classes.iter_mut().find(|(other, ..)| other == class) {
                Some((_, count, _)) => *count += 1,
                None => classes.push((*class, 1, text.clone())),
            }
        }
        let mut rows: Vec<_> = classes.into_iter().map(|(_, count, text)| (count, text)).collect();
        if order == TallyOrder::Count {
            rows.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        }
        rows
    }

    proptest! {
        #![proptest_config(urlid_testing::proptest_config())]

        #[test]
        fn texts_are_counted_with_any_memory(
            texts in prop::collection::vec((0_u8..12, "[ab]{0,3}"), 0..80),
            memory in 0_usize..6000
        ) {
            let directory = tempfile::tempdir().expect("a directory");
            // Texts of one class under order by count must be distinct, or the order of equal rows is open.
            let texts: Vec<(u8, String)> =
                texts.into_iter().map(|(class, text)| (class, format!("{text}{class}"))).collect();
            for order in [TallyOrder::First, TallyOrder::Count] {
                let mut tally = TextTally::new(directory.path().to_owned(), memory);
                for (class, text) in &texts {
                    let digest = u128::from(*class) << 64 | u128::from(*class % 3);
                    tally.add(digest, 1, text.as_bytes()).expect("there is room");
                }
                let mut tallied = tally.finish(order).expect("there is room");
                for (count, text) in naive(&texts, order) {
                    let found = tallied.next_text().expect("it can be read");
                    prop_assert_eq!(found, Some((count, text.as_bytes())));
                }
                prop_assert_eq!(tallied.next_text().expect("it can be read"), None);
            }
        }
    }
}
