//! Numbers of a page as Parquet packs them: DELTA_BINARY_PACKED, and levels of one bit.
//!
//! Both choose among the forms that the format allows as the `parquet` crate does, so that a page has the
//! bytes that it would write.

/// Numbers of a miniblock, which have one width.
const MINIBLOCK: usize = 32;
/// Miniblocks of a block, which have one least delta.
const MINIBLOCKS: usize = 4;
/// Levels that are packed together, and the least that are written as a run.
const GROUP: usize = 8;
/// The most groups after one head, which is one byte.
const MOST_GROUPS: usize = 63;

/// Appends numbers in DELTA_BINARY_PACKED.
pub(super) fn write_deltas(numbers: &[i32], page: &mut Vec<u8>) {
    let first = numbers.first().copied().unwrap_or_default();
    for number in [MINIBLOCK * MINIBLOCKS, MINIBLOCKS, numbers.len()] {
        write_varint(number as u64, page);
    }
    write_zigzag(first, page);
    let mut last = first;
    let mut deltas = [0; MINIBLOCK * MINIBLOCKS];
    for block in numbers.get(1..).unwrap_or_default().chunks(deltas.len()) {
        for (delta, number) in deltas.iter_mut().zip(block) {
            // Wraps, as the sums of readers do (`bits`).
            *delta = number.wrapping_sub(last);
            last = *number;
        }
        let deltas = &deltas[..block.len()];
        let least = deltas.iter().copied().min().unwrap_or_default();
        write_zigzag(least, page);
        let widths = page.len();
        // Miniblocks without numbers keep the width 0, and take no bytes.
        page.extend_from_slice(&[0; MINIBLOCKS]);
        for (number, deltas) in deltas.chunks(MINIBLOCK).enumerate() {
            page[widths + number] = pack(deltas, least, page);
        }
    }
}

/// Appends a miniblock, filled with zeros, and returns the width of its numbers in bits.
fn pack(deltas: &[i32], least: i32, page: &mut Vec<u8>) -> u8 {
    // A difference of more than 31 bits wraps in `i32`, and is right as `u32`: no delta is less than `least`.
    let above = |delta: &i32| delta.wrapping_sub(least) as u32;
    let width = u32::BITS - deltas.iter().map(above).fold(0, u32::max).leading_zeros();
    let end = page.len() + MINIBLOCK / 8 * width as usize;
    if width > 0 {
        // The lowest bits come first. There are never more than 31 + 32 bits that are not written.
        let (mut bits, mut count) = (0_u64, 0);
        for delta in deltas {
            bits |= u64::from(above(delta)) << count;
            count += width;
            if count >= u32::BITS {
                page.extend_from_slice(&(bits as u32).to_le_bytes());
                bits >>= u32::BITS;
                count -= u32::BITS;
            }
        }
        page.extend_from_slice(&bits.to_le_bytes()[..count.div_ceil(8) as usize]);
        page.resize(end, 0);
    }
    width as u8
}

/// Appends levels that are 0 or 1, with their length: eight or more that are alike are a run, others are
/// packed by eight.
pub(super) fn write_levels(levels: &[u8], page: &mut Vec<u8>) {
    let start = page.len();
    page.extend_from_slice(&[0; 4]);
    let mut rest = levels;
    // The head of the packed groups that are open, and their number.
    let mut packed: Option<(usize, usize)> = None;
    while let [level, ..] = rest {
        let alike = rest.iter().take_while(|other| *other == level).count();
        // A rest that is alike is a run too, unless it can be packed with what is before it.
        if alike >= GROUP || (alike == rest.len() && packed.is_none()) {
            packed = None;
            write_varint((alike as u64) << 1, page);
            page.push(*level);
            rest = &rest[alike..];
            continue;
        }
        let (group, after) = rest.split_at(rest.len().min(GROUP));
        rest = after;
        let (head, groups) = packed.unwrap_or_else(|| {
            page.push(0);
            (page.len() - 1, 0)
        });
        // The first level is the lowest bit. A last group of fewer than eight is filled with zeros.
        page.push(group.iter().rev().fold(0, |bits, level| bits << 1 | level));
        // At most 127, for 63 groups: the greatest varint of one byte.
        page[head] = (groups as u8 + 1) << 1 | 1;
        packed = (groups + 1 < MOST_GROUPS).then_some((head, groups + 1));
    }
    let len = (page.len() - start - 4) as u32;
    page[start..start + 4].copy_from_slice(&len.to_le_bytes());
}

fn write_varint(mut number: u64, page: &mut Vec<u8>) {
    while number >= 0x80 {
        page.push(number as u8 | 0x80);
        number >>= 7;
    }
    page.push(number as u8);
}

fn write_zigzag(number: i32, page: &mut Vec<u8>) {
    // Zigzag: the sign moves to the lowest bit, so that small numbers of either sign are short.
    write_varint((i64::from(number) << 1 ^ i64::from(number) >> 63) as u64, page);
}
