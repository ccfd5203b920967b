//! The choices of `urlid uniq` other than the first record of each form: the smallest digests (`--sample`),
//! the comparison with a file (`--not-in`, `--also-in`), and some records of each site (`--per`).
//!
//! A sample of the whole input stays in memory. The others sort records that do not fit, so their inputs may
//! be larger than memory.

use std::collections::{BTreeMap, HashMap};
use std::{env, io};

use urlid_store::sort::{RowSorter, RowsInOrder, SortKey, TextDigest};

/// The records so far whose forms have the smallest digests, with the place of each. A digest depends only on
/// the form. The forms are therefore the same in any order of the input, and a smaller sample is a part of a
/// larger one.
pub(super) struct Sample {
    most: usize,
    place: u64,
    /// By the bytes of the digest in BLAKE3's order.
    records: BTreeMap<[u8; 16], (u64, Box<[u8]>)>,
}

impl Sample {
    pub(super) fn new(most: usize) -> Self {
        Sample { most, place: 0, records: BTreeMap::new() }
    }

    pub(super) fn take(&mut self, digest: TextDigest, record: &[u8]) {
        let digest = digest.to_le_bytes();
        self.place += 1;
        let is_full = self.records.len() >= self.most;
        if is_full && self.records.last_key_value().is_none_or(|(last, _)| *last < digest) {
            return;
        }
        // The first record of a form stays. A removed form never comes back, because the largest digest is
        // smaller from then on.
        self.records.entry(digest).or_insert_with(|| (self.place, record.into()));
        if self.records.len() > self.most {
            self.records.pop_last();
        }
    }

    /// Returns the records in the order of the input.
    pub(super) fn finish(self) -> impl Iterator<Item = Box<[u8]>> {
        let mut records: Vec<_> = self.records.into_values().collect();
        records.sort_unstable();
        records.into_iter().map(|(_, record)| record)
    }
}

/// The records of each site whose forms have the smallest digests.
pub(super) struct SiteSample {
    most: usize,
    /// Rows by site and digest. The place of a record precedes its bytes, because a key does not have room
    /// for it.
    rows: RowSorter,
    place: u64,
    memory: usize,
    /// The buffer of a record with its place.
    placed: Vec<u8>,
}

impl SiteSample {
    /// Starts to choose with about `memory` bytes, in addition to the longest record.
    pub(super) fn new(most: usize, memory: usize) -> Self {
        // Half, because `finish` has a second sorter while the rows of this one are read.
        let rows = RowSorter::new(env::temp_dir(), memory / 2);
        SiteSample { most, rows, place: 0, memory, placed: Vec::new() }
    }

    /// Adds the record of a form that is new.
    pub(super) fn take(&mut self, site: TextDigest, digest: TextDigest, record: &[u8]) -> io::Result<()> {
        let mut key = [0; 32];
        key[..16].copy_from_slice(&site.to_le_bytes());
        key[16..].copy_from_slice(&digest.to_le_bytes());
        self.placed.clear();
        self.placed.extend_from_slice(&self.place.to_be_bytes());
        self.placed.extend_from_slice(record);
        self.place += 1;
        self.rows.push(&key, &self.placed)
    }

    /// Returns the chosen records, in the order of the input.
    pub(super) fn finish(self) -> io::Result<RowsInOrder> {
        let mut chosen = RowSorter::new(env::temp_dir(), self.memory / 2);
        let mut rows = self.rows.finish()?;
        // The site of the last row, and its number of rows so far.
        let mut last = ([0; 16], 0);
        while let Some((key, placed)) = rows.next_row()? {
            let site = key.first_chunk().copied().unwrap_or_default();
            last = if last.0 == site { (site, last.1 + 1) } else { (site, 1) };
            if last.1 <= self.most
                && let Some((place, record)) = placed.split_first_chunk()
            {
                chosen.push(&RowKey::of_place(u64::from_be_bytes(*place)).to_key(), record)?;
            }
        }
        chosen.finish()
    }
}

/// Which records are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The records whose form the file lacks.
    NotIn,
    /// The records whose form the file has.
    AlsoIn,
}

/// The order of the rows of one digest.
// The file sorts first, so that one pass meets its row before the rows of the input.
const OF_FILE: u8 = 0;
const OF_INPUT: u8 = 1;

/// The forms of the other file, and the records of the input.
pub(super) struct Compared {
    wanted: Wanted,
    rows: RowSorter,
    place: u64,
    memory: usize,
}

impl Compared {
    /// Starts to compare with about `memory` bytes, in addition to the longest record.
    pub(super) fn new(wanted: Wanted, memory: usize) -> Self {
        // Half, because `finish` has a second sorter while the rows of this one are read.
        Compared { wanted, rows: RowSorter::new(env::temp_dir(), memory / 2), place: 0, memory }
    }

    /// Adds a form of the other file.
    pub(super) fn take_of_file(&mut self, digest: TextDigest) -> io::Result<()> {
        // Its text and place are never printed. Without them the sorter keeps one row for each form.
        self.rows.push(&RowKey { digest, kind: OF_FILE, place: 0 }.to_key(), b"")
    }

    /// Adds a record of the input.
    pub(super) fn take(&mut self, digest: TextDigest, record: &[u8]) -> io::Result<()> {
        self.place += 1;
        self.rows.push(&RowKey { digest, kind: OF_INPUT, place: self.place }.to_key(), record)
    }

    /// Returns the first record of each form that is wanted, in the order of the input.
    pub(super) fn finish(self) -> io::Result<RowsInOrder> {
        let mut chosen = RowSorter::new(env::temp_dir(), self.memory / 2);
        let mut rows = self.rows.finish()?;
        // The row of the file comes first for its digest, followed by the first line of the input.
        let mut last: Option<RowKey> = None;
        while let Some((key, line)) = rows.next_row()? {
            let row = RowKey::from_key(key);
            let before = last.replace(row).filter(|last| last.digest == row.digest);
            let is_chosen = match before.map(|before| before.kind) {
                _ if row.kind == OF_FILE => false,
                None => self.wanted == Wanted::NotIn,
                Some(OF_FILE) => self.wanted == Wanted::AlsoIn,
                Some(_) => false,
            };
            if is_chosen {
                // Rows come by digest here, so a second sort restores the order of the input.
                chosen.push(&RowKey::of_place(row.place).to_key(), line)?;
            }
        }
        chosen.finish()
    }
}

/// The offset of `kind` in a key.
const KIND: usize = size_of::<TextDigest>();
const PLACE: usize = KIND + 1;

/// The key of a row, ordered by the digest, then by the kind, then by the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RowKey {
    digest: TextDigest,
    kind: u8,
    /// The number of its line.
    place: u64,
}

impl RowKey {
    /// Returns the key of a row that is sorted only by its place.
    fn of_place(place: u64) -> Self {
        RowKey { digest: 0, kind: 0, place }
    }

    fn to_key(self) -> SortKey {
        let mut key = [0; 32];
        key[..KIND].copy_from_slice(&self.digest.to_le_bytes());
        key[KIND] = self.kind;
        // Big-endian, because keys are compared as bytes, and places have to sort as numbers.
        key[PLACE..PLACE + 8].copy_from_slice(&self.place.to_be_bytes());
        key
    }

    fn from_key(key: &SortKey) -> Self {
        RowKey {
            digest: key.first_chunk().map_or(0, |digest| TextDigest::from_le_bytes(*digest)),
            kind: key[KIND],
            place: key[PLACE..PLACE + 8].try_into().map_or(0, u64::from_be_bytes),
        }
    }
}

/// The most bytes of memory for a site while its table grows.
const SITE_LEN: usize = 96;

/// Whether a record is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    Now,
    /// At the end, if it is among the first of its site.
    Later,
    No,
}

/// Reads records of different forms in their order, and passes on the first ones of each site.
pub(super) struct PerSite {
    most: u64,
    counts: HashMap<TextDigest, u64>,
    most_sites: usize,
    memory: usize,
    /// `None` while all sites fit in memory.
    later: Option<Box<Later>>,
}

/// The records after the first one whose site did not fit in memory.
struct Later {
    /// By site and place, for the sites that are not counted.
    uncounted: RowSorter,
    /// By place, for the records that are printed.
    chosen: RowSorter,
    place: u64,
}

impl PerSite {
    /// Starts to choose with about `memory` bytes, in addition to the longest record.
    pub(super) fn new(most: u64, memory: usize) -> Self {
        // Half for the counts, a quarter for each of the two sorters.
        let most_sites = memory / 2 / SITE_LEN;
        PerSite { most, counts: HashMap::new(), most_sites, memory, later: None }
    }

    pub(super) fn take(&mut self, site: TextDigest, record: &[u8]) -> io::Result<Chosen> {
        let has_room = self.later.is_none() && self.counts.len() < self.most_sites;
        let is_counted = match self.counts.get_mut(&site) {
            Some(count) if *count >= self.most => return Ok(Chosen::No),
            Some(count) => {
                *count += 1;
                true
            }
            None if has_room => {
                self.counts.insert(site, 1);
                true
            }
            None => false,
        };
        // Once a record waits, all later ones do, or the output would not be in the order of the input.
        if is_counted && self.later.is_none() {
            return Ok(Chosen::Now);
        }
        let sorter = || RowSorter::new(env::temp_dir(), self.memory / 4);
        let later = self
            .later
            .get_or_insert_with(|| Box::new(Later { uncounted: sorter(), chosen: sorter(), place: 0 }));
        match is_counted {
            true => later.chosen.push(&RowKey::of_place(later.place).to_key(), record)?,
            false => {
                let key = RowKey { digest: site, kind: 0, place: later.place };
                later.uncounted.push(&key.to_key(), record)?;
            }
        }
        later.place += 1;
        Ok(Chosen::Later)
    }

    /// Returns the records that are printed at the end.
    pub(super) fn finish(self) -> io::Result<Option<RowsInOrder>> {
        let Some(later) = self.later else { return Ok(None) };
        let Later { uncounted, mut chosen, .. } = *later;
        // Frees half of the memory before the merge allocates its buffers.
        drop(self.counts);
        let mut rows = uncounted.finish()?;
        // The site of the last row, and its number of rows so far.
        let mut last = (0, 0);
        while let Some((key, line)) = rows.next_row()? {
            let RowKey { digest: site, place, .. } = RowKey::from_key(key);
            last = if last.0 == site { (site, last.1 + 1) } else { (site, 1) };
            if last.1 <= self.most {
                chosen.push(&RowKey::of_place(place).to_key(), line)?;
            }
        }
        chosen.finish().map(Some)
    }
}
