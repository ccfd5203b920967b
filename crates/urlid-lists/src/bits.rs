//! Bits in bytes: bit p of a text of bits is bit p mod 8 of its byte p / 8, and numbers have their least
//! significant bit first.

#[inline]
pub(super) fn mask(bits: u32) -> u64 {
    // For 0 bits the shift is by 64, which `>>` does not have.
    u64::MAX.checked_shr(u64::BITS - bits).unwrap_or(0)
}

/// Returns the first 64 bits of a digest, the most significant first; a shorter one is followed by zeros.
#[inline]
pub(super) fn first_bits(digest: &[u8]) -> u64 {
    match digest.first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        // A shift by 64 is that of an empty digest, whose first bits are all zeros.
        None => short(digest).checked_shl(u64::BITS - 8 * digest.len() as u32).unwrap_or(0),
    }
}

/// Returns the last 64 bits of a number whose most significant byte comes first.
#[inline]
pub(super) fn tail(number: &[u8]) -> u64 {
    number.last_chunk().map_or_else(|| short(number), |bytes| u64::from_be_bytes(*bytes))
}

/// Returns a number of fewer than eight bytes.
fn short(number: &[u8]) -> u64 {
    number.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Returns the bits from a position on, of which 57 or more are read; past the end there are zeros.
#[inline]
pub(super) fn load(bytes: &[u8], position: usize) -> u64 {
    // Eight bytes from a whole byte on, less up to seven bits before the position: 57 are left at least.
    word(bytes.get(position / 8..).unwrap_or_default()) >> (position % 8)
}

/// Returns the first eight bytes, the least significant first; after fewer there are zeros.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or_else(|| little(bytes), |bytes| u64::from_le_bytes(*bytes))
}

#[cold]
fn little(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Returns the number of at most 64 bits at a position.
#[inline]
pub(super) fn read_bits(bytes: &[u8], position: u64, bits: u32) -> u64 {
    let start = usize::try_from(position / 8).unwrap_or(usize::MAX);
    let rest = bytes.get(start..).unwrap_or_default();
    let shift = (position % 8) as u32;
    let mut value = word(rest) >> shift;
    // The number reaches into a ninth byte. As `bits` is 64 at most, `shift` is not 0 then, and the other
    // shift is less than 64.
    if shift + bits > u64::BITS {
        value |= u64::from(rest.get(8).copied().unwrap_or(0)) << (u64::BITS - shift);
    }
    value & mask(bits)
}

/// Appends numbers.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    waiting: u128,
    filled: u32,
}

impl BitWriter {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes + 8), ..Self::default() }
    }

    /// Appends a number of at most 64 bits.
    #[inline]
    pub(super) fn write(&mut self, number: u64, bits: u32) {
        // Fewer than 64 bits wait before each call, so 64 more fit in 128. Callers mask the number: a bit
        // above `bits` would become one of the next number.
        self.waiting |= u128::from(number) << self.filled;
        self.filled += bits;
        if self.filled >= u64::BITS {
            self.bytes.extend_from_slice(&(self.waiting as u64).to_le_bytes());
            self.waiting >>= u64::BITS;
            self.filled -= u64::BITS;
        }
    }

    /// Returns the bytes, the last one padded with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let rest = self.filled.div_ceil(8) as usize;
        // Unused bits are zeros, as the format requires: equal sets have equal blocks.
        self.bytes.extend_from_slice(&(self.waiting as u64).to_le_bytes()[..rest]);
        self.bytes
    }
}
