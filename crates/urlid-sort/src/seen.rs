//! Which digests came before, as far as memory allows.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::digest::{Digest, OfDigest};

/// The bytes of a place in the table: a digest, and a byte of the table's own.
const PLACE_LEN: usize = size_of::<Digest>() + 1;

/// Digests that came before. Once its memory is full, the set takes no more.
#[derive(Debug)]
pub struct Seen {
    digests: HashSet<Digest, BuildHasherDefault<OfDigest>>,
    memory: usize,
}

/// What a set knows of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// It is the first of its kind; from now on it is known.
    First,
    /// It came before.
    Again,
    /// It did not come while the set had room, which it has no more.
    Unknown,
}

impl Seen {
    /// Makes an empty set that takes at most `memory` bytes.
    pub fn new(memory: usize) -> Self {
        Seen { digests: HashSet::default(), memory }
    }

    /// Takes a digest.
    pub fn see(&mut self, digest: Digest) -> Sight {
        if self.digests.len() < self.digests.capacity() || self.may_grow() {
            if self.digests.insert(digest) { Sight::First } else { Sight::Again }
        } else if self.digests.contains(&digest) {
            Sight::Again
        } else {
            Sight::Unknown
        }
    }

    /// Returns whether the table may double: for a moment, the old one and the new one are there.
    fn may_grow(&self) -> bool {
        // Seven of eight places are used before a table doubles.
        let places = self.digests.capacity() / 7 * 8;
        3 * places * PLACE_LEN <= self.memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_is_known_and_a_full_set_says_so() {
        for memory in [0, 100, 10_000] {
            let mut seen = Seen::new(memory);
            let mut known = 0;
            for digest in 0..1_000 {
                match seen.see(digest << 7) {
                    Sight::First => known += 1,
                    Sight::Again => panic!("{digest} is new"),
                    Sight::Unknown => {}
                }
            }
            assert!(known * PLACE_LEN as u64 <= memory as u64 + 200, "{known}");
            for digest in 0..1_000 {
                let expected = if digest < u128::from(known) { Sight::Again } else { Sight::Unknown };
                assert_eq!(seen.see(digest << 7), expected, "{digest} of {known}");
            }
        }
    }
}
