//! Packed integers of Parquet's pages: runs for levels and dictionary indexes, deltas for lengths.
//!
//! They are decoded one by one, so a count that a page claims never allocates (`values` explains why the
//! crate is not used).

/// The message for packed integers that end too early.
const ENDS: &str = "its packed integers end too early";

/// Integers as runs of a repeated value or of packed values (Parquet's RLE / bit-packing hybrid).
#[derive(Clone, Debug)]
pub(super) struct Runs<'p> {
    bytes: &'p [u8],
    width: u32,
    run: BitRun<'p>,
}

#[derive(Clone, Debug)]
enum BitRun<'p> {
    Of { value: u32, left: u64 },
    Packed { bits: Bits<'p>, left: u64 },
}

impl<'p> Runs<'p> {
    /// Starts to read integers of `width` bits, at most 32.
    pub(super) fn new(bytes: &'p [u8], width: u32) -> Result<Self, String> {
        if width > 32 {
            return Err(format!("its integers have {width} bits, expected at most 32"));
        }
        Ok(Self { bytes, width, run: BitRun::Of { value: 0, left: 0 } })
    }

    /// Starts to read single bits that are not in runs.
    pub(super) fn packed(bytes: &'p [u8]) -> Self {
        let left = (bytes.len() as u64).saturating_mul(8);
        Self { bytes: &[], width: 1, run: BitRun::Packed { bits: Bits::new(bytes), left } }
    }

    /// Returns the next integer.
    pub(super) fn next(&mut self) -> Result<u32, String> {
        loop {
            match &mut self.run {
                BitRun::Of { value, left } if *left > 0 => {
                    *left -= 1;
                    return Ok(*value);
                }
                BitRun::Packed { bits, left } if *left > 0 => {
                    *left -= 1;
                    return bits.take(self.width).map(|value| value as u32).ok_or_else(|| ENDS.to_owned());
                }
                // A run may be empty. Each run consists of at least one byte, so this loop ends.
                _ => self.run = self.next_run()?,
            }
        }
    }

    fn next_run(&mut self) -> Result<BitRun<'p>, String> {
        let head = varint(&mut self.bytes, ENDS)?;
        if head & 1 == 0 {
            let len = self.width.div_ceil(8) as usize;
            let (digits, rest) = self.bytes.split_at_checked(len).ok_or(ENDS)?;
            self.bytes = rest;
            let value = digits.iter().rev().fold(0, |value, digit| value << 8 | u32::from(*digit));
            return Ok(BitRun::Of { value, left: head >> 1 });
        }
        // The count is in groups of eight values, `width` bytes each. Some writers cut off the last run of a
        // page after its last value.
        let groups = head >> 1;
        let len = groups.saturating_mul(u64::from(self.width)).min(self.bytes.len() as u64) as usize;
        let (packed, rest) = self.bytes.split_at(len);
        self.bytes = rest;
        Ok(BitRun::Packed { bits: Bits::new(packed), left: groups.saturating_mul(8) })
    }
}

/// Integers as differences (Parquet's DELTA_BINARY_PACKED).
#[derive(Clone, Debug)]
pub(super) struct Deltas<'p> {
    bytes: &'p [u8],
    /// The number of values that were not returned yet.
    left: u64,
    /// The next value, if `left` is not 0.
    value: i64,
    miniblocks: usize,
    miniblock_len: u64,
    least: i64,
    /// The widths of the remaining miniblocks of this block.
    widths: &'p [u8],
    width: u32,
    bits: Bits<'p>,
    bits_left: u64,
}

impl<'p> Deltas<'p> {
    /// Starts to read. A page of `most` values has at most as many lengths.
    pub(super) fn new(mut bytes: &'p [u8], most: u64) -> Result<Self, String> {
        let mut next = || varint(&mut bytes, ENDS);
        let [block_len, miniblocks, count, value] = [next()?, next()?, next()?, next()?];
        if count > most {
            return Err(format!("it claims {count} lengths for {most} values"));
        }
        let is_even = miniblocks > 0 && block_len % miniblocks == 0 && block_len % 128 == 0 && block_len > 0;
        // These bounds keep the length of a miniblock in bits from overflowing.
        if !is_even || miniblocks > 1 << 16 || block_len > 1 << 30 {
            return Err(format!("it has {miniblocks} miniblocks in a block of {block_len}"));
        }
        Ok(Self {
            bytes,
            left: count,
            value: signed(value),
            miniblocks: miniblocks as usize,
            miniblock_len: block_len / miniblocks,
            least: 0,
            widths: &[],
            width: 0,
            bits: Bits::new(&[]),
            bits_left: 0,
        })
    }

    /// Returns the next integer, or `None` after the last.
    pub(super) fn next(&mut self) -> Result<Option<i64>, String> {
        if self.left == 0 {
            return Ok(None);
        }
        let value = self.value;
        self.left -= 1;
        if self.left > 0 {
            if self.bits_left == 0 {
                self.next_miniblock()?;
            }
            self.bits_left -= 1;
            let delta = self.bits.take(self.width).ok_or(ENDS)? as i64;
            // Parquet defines the sums as wrapping.
            self.value = value.wrapping_add(self.least).wrapping_add(delta);
        }
        Ok(Some(value))
    }

    /// Returns the bytes after the integers, which are skipped without decoding.
    pub(super) fn rest(mut self) -> Result<&'p [u8], String> {
        // The first value is in the header, not in a miniblock.
        self.left = self.left.saturating_sub(1 + self.bits_left);
        while self.left > 0 {
            self.next_miniblock()?;
            self.left = self.left.saturating_sub(self.miniblock_len);
        }
        Ok(self.bytes)
    }

    fn next_miniblock(&mut self) -> Result<(), String> {
        if self.widths.is_empty() {
            self.least = signed(varint(&mut self.bytes, ENDS)?);
            (self.widths, self.bytes) = self.bytes.split_at_checked(self.miniblocks).ok_or(ENDS)?;
        }
        let (width, widths) = self.widths.split_first().ok_or(ENDS)?;
        if *width > 64 {
            return Err(format!("its integers have {width} bits, expected at most 64"));
        }
        // The last miniblock of a page is filled to its full length.
        let len = (self.miniblock_len * u64::from(*width) / 8) as usize;
        let (packed, rest) = self.bytes.split_at_checked(len).ok_or(ENDS)?;
        (self.widths, self.bytes, self.width) = (widths, rest, u32::from(*width));
        (self.bits, self.bits_left) = (Bits::new(packed), self.miniblock_len);
        Ok(())
    }
}

/// Bits in order from the lowest bit of the first byte.
#[derive(Clone, Debug)]
struct Bits<'p> {
    bytes: &'p [u8],
    /// The number of bits of the first byte that were read, 0 to 7.
    taken: u32,
}

impl<'p> Bits<'p> {
    fn new(bytes: &'p [u8]) -> Self {
        Self { bytes, taken: 0 }
    }

    /// Reads an integer of `width` bits, at most 64.
    #[inline]
    fn take(&mut self, width: u32) -> Option<u64> {
        let end = self.taken + width;
        // The common case: few bits, which are all in the next eight bytes.
        if let Some(bytes) = self.bytes.first_chunk::<8>()
            && end <= 64
            && width < 64
        {
            let number = u64::from_le_bytes(*bytes) >> self.taken & ((1 << width) - 1);
            (self.bytes, self.taken) = (&self.bytes[end as usize / 8..], end % 8);
            return Some(number);
        }
        let len = end.div_ceil(8) as usize;
        let digits = self.bytes.get(..len)?;
        // 64 bits that start within a byte span 9 bytes, so 128 bits are needed.
        let number = digits.iter().rev().fold(0_u128, |number, digit| number << 8 | u128::from(*digit));
        let mask = (1_u128 << width) - 1;
        self.bytes = &self.bytes[end as usize / 8..];
        let taken = std::mem::replace(&mut self.taken, end % 8);
        Some((number >> taken & mask) as u64)
    }
}

/// Splits off a number of seven bits a byte, the lowest first. `ends` is the message for bytes that end
/// before it does.
pub(super) fn varint(bytes: &mut &[u8], ends: &str) -> Result<u64, String> {
    let mut number = 0;
    // The tenth byte has bit 63. Its other bits are lost.
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or(ends)?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Ok(number);
        }
    }
    Err("it has an integer of more than 64 bits".to_owned())
}

/// Decodes zigzag: 2n stands for n, and -2n - 1 for a negative n.
pub(super) fn signed(number: u64) -> i64 {
    // The lowest bit becomes 64 zeros or ones, and the ones invert the others.
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
