//! The only seeded generator, for repeatable runs.

/// An endless sequence of random numbers: SplitMix64.
#[derive(Clone, Debug)]
pub struct Seeded(u64);

impl Seeded {
    /// Returns the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Returns a number below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.word() % limit
    }

    /// Returns one of `options`, which must not be empty.
    pub fn one<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len() as u64) as usize]
    }

    /// Fills `bytes` with the next bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = self.word().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }

    /// Returns the next `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.fill(&mut bytes);
        bytes
    }
}

/// Spreads a number over all bits: the finaliser of SplitMix64.
pub fn mix(mut word: u64) -> u64 {
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Returns the seed of this run: `URLID_SEED`, or a fixed one.
pub fn seed() -> u64 {
    number("URLID_SEED").unwrap_or(20_261_121)
}

/// Returns the number of cases that a test runs: `URLID_CASES`, or `otherwise`.
pub fn cases(otherwise: u64) -> u64 {
    number("URLID_CASES").unwrap_or(otherwise)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
