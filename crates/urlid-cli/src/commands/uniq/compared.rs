//! `uniq --minus` and `--both`: the lines whose forms another file lacks, or has too.
//!
//! The digests of the file and the lines of the input are sorted together, so both may be larger than memory.

use std::{env, io};

use urlid_store::sort::{RowSorter, RowsInOrder, SortKey, TextDigest};

/// Which lines are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Those whose form the file lacks.
    Minus,
    /// Those whose form it has.
    Both,
}

/// The order of the rows of one digest.
// The file sorts first, so that one pass has met its row before those of the input.
const OF_FILE: u8 = 0;
const OF_INPUT: u8 = 1;

/// The forms of the file, and the lines of the input.
pub(super) struct Compared {
    wanted: Wanted,
    rows: RowSorter,
    place: u64,
    memory: usize,
}

impl Compared {
    /// Begins to compare with about `memory` bytes, in addition to the longest line.
    pub(super) fn new(wanted: Wanted, memory: usize) -> Self {
        // Half, because `finish` has a second sorter while the rows of this one are read.
        Compared { wanted, rows: RowSorter::new(env::temp_dir(), memory / 2), place: 0, memory }
    }

    /// Takes a form of the file.
    pub(super) fn take_of_file(&mut self, digest: TextDigest) -> io::Result<()> {
        // Without its text and place, which nothing prints: the sorter then keeps one row for each form.
        self.rows.push(&RowKey { digest, kind: OF_FILE, place: 0 }.to_key(), "")
    }

    /// Takes a line of the input.
    pub(super) fn take(&mut self, digest: TextDigest, line: &str) -> io::Result<()> {
        self.place += 1;
        self.rows.push(&RowKey { digest, kind: OF_INPUT, place: self.place }.to_key(), line)
    }

    /// Returns the first line of each form that is wanted, in the order of the input.
    pub(super) fn finish(self) -> io::Result<RowsInOrder> {
        let mut chosen = RowSorter::new(env::temp_dir(), self.memory / 2);
        let mut rows = self.rows.finish()?;
        // The row of the file comes first of its digest, then the first line of the input.
        let mut last: Option<RowKey> = None;
        while let Some((key, line)) = rows.next_row()? {
            let row = RowKey::from_key(key);
            let before = last.replace(row).filter(|last| last.digest == row.digest);
            let is_chosen = match before.map(|before| before.kind) {
                _ if row.kind == OF_FILE => false,
                None => self.wanted == Wanted::Minus,
                Some(OF_FILE) => self.wanted == Wanted::Both,
                Some(_) => false,
            };
            if is_chosen {
                // Rows come by digest here; a second sort restores the order of the input.
                chosen.push(&RowKey::of_place(row.place).to_key(), line)?;
            }
        }
        chosen.finish()
    }
}

/// Where `kind` is in a key.
const KIND: usize = size_of::<TextDigest>();
const PLACE: usize = KIND + 1;

/// The key of a row, ordered by the digest, then by the kind, then by the place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowKey {
    pub(super) digest: TextDigest,
    pub(super) kind: u8,
    /// The number of its line.
    pub(super) place: u64,
}

impl RowKey {
    /// Returns the key of a row that is sorted by its place alone.
    pub(super) fn of_place(place: u64) -> Self {
        RowKey { digest: 0, kind: 0, place }
    }

    pub(super) fn to_key(self) -> SortKey {
        let mut key = [0; 32];
        key[..KIND].copy_from_slice(&self.digest.to_le_bytes());
        key[KIND] = self.kind;
        // Big-endian: keys are compared as bytes, and places have to sort as numbers.
        key[PLACE..PLACE + 8].copy_from_slice(&self.place.to_be_bytes());
        key
    }

    pub(super) fn from_key(key: &SortKey) -> Self {
        RowKey {
            digest: key.first_chunk().map_or(0, |digest| TextDigest::from_le_bytes(*digest)),
            kind: key[KIND],
            place: key[PLACE..PLACE + 8].try_into().map_or(0, u64::from_be_bytes),
        }
    }
}
