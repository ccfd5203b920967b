//! Bits in bytes. Bit p of a bit string is bit p mod 8 of its byte p / 8, and numbers have their least
//! significant bit first.

#[inline]
pub(super) fn mask(bits: u32) -> u64 {
    // For 0 bits the shift is by 64, which `>>` does not support.
    u64::MAX.checked_shr(u64::BITS - bits).unwrap_or(0)
}

/// Returns the first 64 bits of a digest, the most significant first. A shorter digest is padded with zeros.
#[inline]
pub(super) fn first_bits(digest: &[u8]) -> u64 {
    match digest.first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        // A shift by 64 occurs for an empty digest, whose first bits are all zeros.
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

/// Returns the bits from a position on, at least 57 of them. The bits past the end are zeros.
#[inline]
pub(super) fn load(bytes: &[u8], position: usize) -> u64 {
    // Eight bytes, minus up to seven bits before the position, leave at least 57 bits.
    word(bytes.get(position / 8..).unwrap_or_default()) >> (position % 8)
}

/// Returns the first eight bytes, the least significant first. Missing bytes are zeros.
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
    // The number reaches into a ninth byte. Because `bits` is at most 64, `shift` is not 0 in this case, and
    // the other shift is less than 64.
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
        // Fewer than 64 bits wait before each call, so 64 more fit in 128. Callers mask the number, because a
        // bit above `bits` would become a bit of the next number.
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
        // Unused bits are zeros, as the format requires, so equal sets have equal blocks.
        self.bytes.extend_from_slice(&(self.waiting as u64).to_le_bytes()[..rest]);
        self.bytes
    }
}
