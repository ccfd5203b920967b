//! Sorted numbers in few bits each, after Elias and Fano: the upper bits of a number in unary, the lower ones
//! unchanged.
//!
//! The numbers are digests, or the ranks of a delta. A block of `count` numbers of `bits` bits has two parts,
//! each of whole bytes. In the upper part the number with index i has a one at the position i + (its first
//! `high` bits), where `high` is the least number with 2^high ≥ count. The other bits are zeros, one at the
//! end of each value of those first bits. The lower part has the other bits of each number, one after the
//! other, the least significant first. Bit p of a part is bit p mod 8 of its byte p / 8. Both parts are
//! padded with zeros, so equal sets have equal blocks. Look-ups in a block are in `packed`.

use super::bits::{BitWriter, load, mask, read_bits, tail};

/// The most numbers in one block, so that positions of bits fit in 32 bits.
pub(super) const MOST: u64 = 1 << 30;
/// So many bits are read at once from any place.
const STEP: u32 = 56;

/// The size of a block and of its parts, which follow from the number of its numbers and their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) count: usize,
    pub(super) bits: u32,
    /// The first bits of each number, which are in the upper part.
    pub(super) high: u32,
}

impl Shape {
    /// Returns the shape of a block, or `None` if it would be empty or too large, or if fewer distinct
    /// numbers exist.
    pub(super) fn new(count: u64, bits: u32) -> Option<Self> {
        if count == 0 || count > MOST {
            return None;
        }
        // The least number with 2^high ≥ count is the number of bits of `count - 1`. So the zeros are at
        // least as many as the ones and fewer than twice as many, and 2^30 numbers have 2^31 upper bits.
        let high = u64::BITS - (count - 1).leading_zeros();
        (high <= bits).then_some(Self { count: count as usize, bits, high })
    }

    /// Returns how many bits of each number are in the lower part.
    pub(super) fn low(self) -> u32 {
        self.bits - self.high
    }

    /// Returns the number of bits of the upper part.
    pub(super) fn upper_bits(self) -> usize {
        self.count + (1 << self.high)
    }

    /// Returns the number of bytes of the upper part.
    pub(super) fn upper_bytes(self) -> usize {
        self.upper_bits().div_ceil(8)
    }

    /// Returns the number of bytes of the block.
    pub(super) fn bytes(self) -> u64 {
        self.upper_bytes() as u64 + (self.count as u64 * u64::from(self.low())).div_ceil(8)
    }

    /// Returns the first `high` bits of a number that starts with these 64 bits.
    #[inline]
    pub(super) fn high_of(self, first: u64) -> u64 {
        // A single number has zero first bits, and the shift is by 64.
        first.checked_shr(u64::BITS - self.high).unwrap_or(0)
    }
}

/// Writes a block.
#[derive(Debug)]
struct Encoder {
    shape: Shape,
    upper: Vec<u8>,
    lower: BitWriter,
    index: usize,
}

impl Encoder {
    fn new(shape: Shape) -> Self {
        let lower = BitWriter::with_capacity((shape.bytes() as usize).saturating_sub(shape.upper_bytes()));
        Self { shape, upper: vec![0; shape.upper_bytes()], lower, index: 0 }
    }

    /// Appends a number that is greater than the previous ones: its first bits, and all its bytes, the most
    /// significant first.
    fn push(&mut self, high: u64, number: &[u8]) {
        let position = high as usize + self.index;
        self.upper[position / 8] |= 1 << (position % 8);
        self.index += 1;
        // The last 64 bits come first. The first bytes only contribute the bits that the upper part lacks.
        let (mut left, mut rest) = (self.shape.low(), number);
        while left > 0 {
            let taken = left.min(u64::BITS);
            self.lower.write(tail(rest) & mask(taken), taken);
            rest = &rest[..rest.len().saturating_sub(8)];
            left -= taken;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.upper.extend(self.lower.finish());
        self.upper
    }
}

/// Encodes concatenated records of `width` bytes, ascending and distinct. An empty input gives an empty
/// output.
pub(super) fn encode_records(records: &[u8], width: usize) -> Vec<u8> {
    let Some(shape) = Shape::new((records.len() / width) as u64, width as u32 * 8) else { return Vec::new() };
    let mut encoder = Encoder::new(shape);
    for record in records.chunks_exact(width) {
        encoder.push(shape.high_of(super::bits::first_bits(record)), record);
    }
    encoder.finish()
}

/// Encodes ascending, distinct numbers below a limit. An empty input gives an empty output.
pub(super) fn encode_numbers(numbers: &[u64], limit: u64) -> Vec<u8> {
    let Some(shape) = numbers_shape(numbers.len() as u64, limit) else { return Vec::new() };
    let mut encoder = Encoder::new(shape);
    for number in numbers {
        encoder.push(number.checked_shr(shape.low()).unwrap_or(0), &number.to_be_bytes());
    }
    encoder.finish()
}

/// Returns the shape of a block of numbers below a limit. They have as many bits as the greatest of them.
pub(super) fn numbers_shape(count: u64, limit: u64) -> Option<Shape> {
    Shape::new(count, u64::BITS - limit.saturating_sub(1).leading_zeros())
}

/// Decodes numbers below a limit. Returns `None` if they are not ascending, or if the block is not in its
/// canonical form.
pub(super) fn decode_numbers(block: &[u8], shape: Shape, limit: u64) -> Option<Vec<u64>> {
    if !is_framed(block, shape) {
        return None;
    }
    // A block has few bits for each number, so the decoded numbers are much larger than it.
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(shape.count).ok()?;
    let mut highs = Highs::new(shape);
    let start = shape.upper_bytes() as u64 * 8;
    while let Some((high, index)) = highs.next(block) {
        let low = read_bits(block, start + index as u64 * u64::from(shape.low()), shape.low());
        // One number of 64 bits is all lower bits.
        numbers.push(high.checked_shl(shape.low()).unwrap_or(0) | low);
    }
    (numbers.is_sorted_by(|a, b| a < b) && numbers.last().is_some_and(|&last| last < limit))
        .then_some(numbers)
}

/// Returns whether a block has the length of its shape, as many ones as numbers, and zeros for padding.
pub(super) fn is_framed(block: &[u8], shape: Shape) -> bool {
    if block.len() as u64 != shape.bytes() {
        return false;
    }
    let (upper, lower) = block.split_at(shape.upper_bytes());
    let is_padded = |bytes: &[u8], bits: u64| {
        bits.is_multiple_of(8) || bytes.last().is_some_and(|last| last >> (bits % 8) == 0)
    };
    let ones: u64 = upper.iter().map(|byte| u64::from(byte.count_ones())).sum();
    // The highest value also ends with a zero, which is the last bit, so the end of every value can be found
    // by counting zeros. Only padding follows it, and the shift leaves both.
    let last = shape.upper_bits() - 1;
    ones == shape.count as u64
        && upper[last / 8] >> (last % 8) == 0
        && is_padded(lower, shape.count as u64 * u64::from(shape.low()))
}

/// The first bits of the numbers of a block that is framed, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Highs {
    count: usize,
    position: usize,
    index: usize,
}

impl Highs {
    pub(super) fn new(shape: Shape) -> Self {
        Self { count: shape.count, position: 0, index: 0 }
    }

    /// Returns the first bits of the next number, and its index.
    #[inline]
    pub(super) fn next(&mut self, block: &[u8]) -> Option<(u64, usize)> {
        if self.index == self.count {
            return None;
        }
        // A framed block has as many ones as numbers, so a one exists at or after the position.
        loop {
            let ones = load(block, self.position) & mask(STEP);
            if ones != 0 {
                self.position += ones.trailing_zeros() as usize;
                // `index` ones precede the one with this index. All other preceding bits are zeros, one for
                // each smaller value.
                let high = (self.position - self.index) as u64;
                self.position += 1;
                self.index += 1;
                return Some((high, self.index - 1));
            }
            self.position += STEP as usize;
        }
    }
}

/// Returns the position after the `zeros`th zero at or after a position. The block must have that many zeros.
#[inline]
pub(super) fn after_zeros(block: &[u8], mut position: usize, mut zeros: u32) -> usize {
    while zeros > 0 {
        let mut found = !load(block, position) & mask(STEP);
        let count = found.count_ones();
        if count >= zeros {
            // `x & (x - 1)` clears the lowest one, which is the mark of a zero. The lowest remaining one
            // marks the wanted zero.
            (1..zeros).for_each(|_| found &= found - 1);
            return position + found.trailing_zeros() as usize + 1;
        }
        zeros -= count;
        position += STEP as usize;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of docs/spec/lists.md.
    #[test]
    fn the_block_of_the_documentation_is_written_and_read() {
        let (numbers, limit) = ([3, 4, 29], 32);
        let block = encode_numbers(&numbers, limit);
        assert_eq!(block, [0x23, 0x63, 0x01]);
        let shape = numbers_shape(3, limit).expect("there are so many numbers");
        assert_eq!(decode_numbers(&block, shape, limit), Some(numbers.to_vec()));
        assert_eq!(decode_numbers(&block, shape, 29), None);
    }

    #[test]
    fn numbers_below_any_limit_are_read_as_they_were_written() {
        for limit in [1, 2, 3, 7, 8, 9, 1000, 1 << 33, u64::MAX] {
            for step in [1, 2, 3, limit / 7 + 1] {
                let numbers: Vec<u64> = (0..limit).step_by(step as usize).take(2000).collect();
                let block = encode_numbers(&numbers, limit);
                let shape = numbers_shape(numbers.len() as u64, limit).expect("there are so many numbers");
                assert_eq!(decode_numbers(&block, shape, limit).as_ref(), Some(&numbers));
            }
        }
        assert!(encode_numbers(&[], 7).is_empty());
        assert_eq!(numbers_shape(9, 8), None);
    }
}
