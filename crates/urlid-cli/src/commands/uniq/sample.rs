//! `uniq --sample`: the lines whose forms have the smallest digests.
//!
//! A digest depends on the form alone, so the forms are the same in any order of the input, and a sample of
//! fewer lines is a part of one of more.

use std::collections::BTreeMap;

use urlid_store::sort::TextDigest;

/// The sample of the lines so far, with the place of each.
pub(super) struct Sample {
    most: usize,
    place: u64,
    /// By the bytes of the digest, as BLAKE3 gives them.
    lines: BTreeMap<[u8; 16], (u64, Box<[u8]>)>,
}

impl Sample {
    pub(super) fn new(most: usize) -> Self {
        Sample { most, place: 0, lines: BTreeMap::new() }
    }

    pub(super) fn take(&mut self, digest: TextDigest, line: &[u8]) {
        let digest = digest.to_le_bytes();
        self.place += 1;
        let is_full = self.lines.len() >= self.most;
        if is_full && self.lines.last_key_value().is_none_or(|(last, _)| *last < digest) {
            return;
        }
        // The first line of a form stays. One that was removed never comes back: from then on the largest
        // digest is smaller.
        self.lines.entry(digest).or_insert_with(|| (self.place, line.into()));
        if self.lines.len() > self.most {
            self.lines.pop_last();
        }
    }

    /// Returns the lines in the order of the input.
    pub(super) fn finish(self) -> impl Iterator<Item = Box<[u8]>> {
        let mut lines: Vec<_> = self.lines.into_values().collect();
        lines.sort_unstable();
        lines.into_iter().map(|(_, line)| line)
    }
}
