//! Bytes from a seed, for runs of a given number of cases that can be repeated.

/// An endless row of random byte strings: SplitMix64.
#[derive(Clone, Debug)]
pub struct Seeded(u64);

impl Seeded {
    /// Returns the row of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next word.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// Fills `bytes` with the next bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = self.word().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }
}

/// Returns the seed of this run: `URLID_SEED`, or a fixed one.
pub fn seed() -> u64 {
    number("URLID_SEED").unwrap_or(20_261_121)
}

/// Returns how many cases a test runs: `URLID_CASES`, or its own number.
pub fn cases(otherwise: u64) -> u64 {
    number("URLID_CASES").unwrap_or(otherwise)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
