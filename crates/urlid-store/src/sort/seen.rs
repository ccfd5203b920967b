//! A set of digests that were seen, within a limit of memory.

use std::hint::black_box;

/// The digest that represents a text. Two texts with the same digest count as equal. It must come from a
/// cryptographic hash, also because hash tables use it as its own hash.
pub type TextDigest = u128;

/// The places of the smallest table.
const LEAST: usize = 64;

/// Digests that are looked up together.
const BATCH_DIGESTS: usize = 32;

/// Digests that were seen. Once its memory is full, the set accepts no new ones.
///
/// It is a table with open addressing instead of a `HashSet`. Each lookup in a large `HashSet` waits for
/// memory. Here the lookups of a batch wait at the same time, and for one cache line each.
#[derive(Debug)]
pub struct DigestSet {
    /// A power of two of places. Zero marks an empty place.
    places: Vec<TextDigest>,
    len: usize,
    memory: usize,
}

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// New, and known from now on.
    First,
    /// Known.
    Again,
    /// Unknown. The set is full and does not contain it.
    Unknown,
}

impl DigestSet {
    /// Makes an empty set that uses at most `memory` bytes, or 1 KiB if `memory` is less.
    pub fn new(memory: usize) -> Self {
        DigestSet { places: vec![0; LEAST], len: 0, memory }
    }

    /// Looks up digests in order and adds the new ones. Calls `each` with the index of each digest.
    ///
    /// # Errors
    /// If `each` fails. The digests after its first error are ignored.
    pub fn see<E>(
        &mut self,
        digests: &[TextDigest],
        mut each: impl FnMut(usize, Sight) -> Result<(), E>,
    ) -> Result<(), E> {
        for (batch, digests) in digests.chunks(BATCH_DIGESTS).enumerate() {
            // The reads do not depend on each other, so the processor has all of them under way when the
            // lookups start.
            black_box(digests.iter().fold(0, |read, digest| read ^ self.places[self.home(*digest)]));
            for (index, digest) in digests.iter().enumerate() {
                each(batch * BATCH_DIGESTS + index, self.see_one(*digest))?;
            }
        }
        Ok(())
    }

    fn see_one(&mut self, digest: TextDigest) -> Sight {
        // Zero marks an empty place, so the digest 0 counts as 1.
        let digest = digest.max(1);
        let mut place = self.find(digest);
        if self.places[place] == digest {
            return Sight::Again;
        }
        // The table grows before it is fuller, because `find` needs an empty place to stop at.
        if self.len >= self.places.len() / 4 * 3 {
            if !self.may_grow() {
                return Sight::Unknown;
            }
            self.grow();
            place = self.find(digest);
        }
        self.places[place] = digest;
        self.len += 1;
        Sight::First
    }

    /// Returns the first place where a digest is looked for.
    fn home(&self, digest: TextDigest) -> usize {
        digest as usize & (self.places.len() - 1)
    }

    /// Returns the place of a digest, or the empty place for it. A quarter of the places stays empty, so
    /// there is one.
    fn find(&self, digest: TextDigest) -> usize {
        let mut place = self.home(digest);
        while self.places[place] != digest && self.places[place] != 0 {
            place = (place + 1) & (self.places.len() - 1);
        }
        place
    }

    /// Returns whether the table may double. For a moment, the old and the new table are both in memory.
    fn may_grow(&self) -> bool {
        3 * self.places.len() * size_of::<TextDigest>() <= self.memory
    }

    fn grow(&mut self) {
        let larger = vec![0; 2 * self.places.len()];
        for digest in std::mem::replace(&mut self.places, larger) {
            if digest != 0 {
                let place = self.find(digest);
                self.places[place] = digest;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    fn sights(seen: &mut DigestSet, digests: &[TextDigest]) -> Vec<Sight> {
        let mut sights = Vec::new();
        let Ok(()) = seen.see(digests, |index, sight| {
            assert_eq!(index, sights.len());
            sights.push(sight);
            Ok::<(), Infallible>(())
        });
        sights
    }

    proptest! {
        #![proptest_config(urlid_testing::proptest_config())]

        /// Digests said to be new are new, those said to be known are known, and the set forgets none.
        #[test]
        fn sights_are_true(
            digests in prop::collection::vec((1_u128..400).prop_map(|digest| digest << 62), 0..900),
            memory in prop::sample::select(vec![0, 5_000, 1 << 20])
        ) {
            let mut seen = DigestSet::new(memory);
            let (mut known, mut is_full) = (std::collections::HashSet::new(), false);
            for (digest, sight) in digests.iter().zip(sights(&mut seen, &digests)) {
                prop_assert_eq!(sight == Sight::Again, known.contains(digest));
                match sight {
                    Sight::First => prop_assert!(!is_full && known.insert(*digest)),
                    Sight::Again => {}
                    Sight::Unknown => is_full = true,
                }
            }
            prop_assert!(!is_full || memory < 1 << 20);
        }
    }

    #[test]
    fn a_set_grows_to_its_memory_limit() {
        let digests: Vec<TextDigest> = (1..100_000).collect();
        for memory in [0, 5_000, 100_000, 1_000_000] {
            let mut seen = DigestSet::new(memory);
            let known = sights(&mut seen, &digests).iter().filter(|sight| **sight == Sight::First).count();
            assert!(seen.places.len() * size_of::<TextDigest>() <= memory.max(1024), "{memory}");
            assert!(known * 16 * 6 >= memory && known >= 48, "{known} of {memory}");
        }
    }
}
