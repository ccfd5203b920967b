//! Messages as padded blocks (FIPS 180-4, section 5.1.1): a short label, followed by a piece of a longer
//! text.

use core::ops::Range;

/// One 64-byte block of a padded message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct MessageBlock(pub [u8; 64]);

/// Up to eight bytes at the start of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    bytes: [u8; 8],
    len: usize,
}

/// The number of bytes of the last block that the message cannot use: a marker and eight bytes of length.
const TRAILER: usize = 9;

/// 64 bytes of ones, followed by 64 of zeros. The 64 bytes at offset `64 - n` are a mask of the first `n`
/// bytes of a block.
static FIRST_BYTES: [u8; 128] = {
    let mut mask = [0; 128];
    let mut index = 0;
    while index < 64 {
        mask[index] = 0xff;
        index += 1;
    }
    mask
};

impl Label {
    /// The empty label.
    pub const EMPTY: Label = Label::new(b"");

    /// Makes a label.
    ///
    /// # Panics
    /// If `bytes` has more than eight bytes. Labels are constants, so the panic occurs at compile time.
    pub const fn new(bytes: &[u8]) -> Label {
        assert!(bytes.len() <= 8, "a label has at most eight bytes");
        // The bytes after the label stay zero, because `written_over` combines all eight with the text by
        // `|`.
        let mut label = Label { bytes: [0; 8], len: bytes.len() };
        let mut index = 0;
        while index < bytes.len() {
            label.bytes[index] = bytes[index];
            index += 1;
        }
        label
    }

    /// Returns the number of blocks of a message with the label and a text of `len` bytes.
    #[inline]
    pub const fn blocks(&self, len: usize) -> usize {
        (self.len + len + TRAILER).div_ceil(64)
    }

    /// Writes the padded message of the label and `text[range]` over `message`.
    ///
    /// It is fastest if `text` has eight bytes before the range and 64 bytes after it.
    ///
    /// # Panics
    /// If `range` is not within `text`, or `message` is not [`Label::blocks`] blocks long.
    #[inline]
    pub fn write(&self, text: &[u8], range: Range<usize>, message: &mut [MessageBlock]) {
        assert_eq!(message.len(), self.blocks(range.len()), "a message has as many blocks as it takes");
        match self.windows(text, &range) {
            Some(windows) => self.write_windows(windows, self.len + range.len(), message),
            None => self.write_copy(&text[range], message),
        }
    }

    /// Writes the padded message of the label and `text[range]` over the first of two blocks, or over both,
    /// and returns true. Returns false for a message of more blocks, and for a text with less than eight
    /// bytes before the range or less than 128 bytes after it. Use [`Label::write`] in these cases.
    ///
    /// Messages of one and of two blocks are equally common and in random order, so the steps are the same
    /// for both. If the message uses only the first block, the content of the second is unspecified.
    #[inline(always)]
    pub fn write_short(&self, text: &[u8], range: &Range<usize>, room: &mut [MessageBlock; 2]) -> bool {
        let len = self.len + range.len();
        let windows = range
            .start
            .checked_sub(self.len)
            .and_then(|start| text.get(start..)?.as_chunks().0.first_chunk());
        match windows {
            Some([first, second]) if len + TRAILER <= 128 => {
                // The windows start at the position of the label, so that the text has the same positions in
                // them as in the blocks. The label then overwrites the bytes before the text.
                room[0].0 = self.written_over(first_bytes(first, len));
                room[1].0 = first_bytes(second, len.saturating_sub(64));
                finish(&mut room[..(len + TRAILER).div_ceil(64)], len);
                true
            }
            _ => false,
        }
    }

    /// Returns the 64-byte pieces of `text` that correspond to the blocks, if they all exist.
    #[inline(always)]
    fn windows<'t>(&self, text: &'t [u8], range: &Range<usize>) -> Option<&'t [[u8; 64]]> {
        let start = range.start.checked_sub(self.len)?;
        let (windows, _) = text.get(start..)?.as_chunks();
        windows.get(..(range.end.checked_sub(start)?).div_ceil(64))
    }

    /// Writes a message whose text is in `windows` after the bytes for the label.
    #[inline(always)]
    fn write_windows(&self, windows: &[[u8; 64]], len: usize, message: &mut [MessageBlock]) {
        for (index, block) in message.iter_mut().enumerate() {
            // Every window starts before the end of the message, so the subtraction does not overflow. The
            // marker and the length can need one block more than there are windows.
            block.0 = match windows.get(index) {
                Some(window) => first_bytes(window, len - 64 * index),
                None => [0; 64],
            };
        }
        message[0].0 = self.written_over(message[0].0);
        finish(message, len);
    }

    /// Returns a block whose first bytes are replaced by the label.
    #[inline(always)]
    fn written_over(&self, mut block: [u8; 64]) -> [u8; 64] {
        let (first, _) = block.split_first_chunk_mut::<8>().expect("a block has more than eight bytes");
        // The mask selects the text, that is, all except the lowest `len` bytes of an eight-byte number. The
        // shift is unbounded, because a label of eight bytes shifts out all bits.
        let text = u64::MAX.unbounded_shl(8 * self.len as u32);
        *first = (u64::from_le_bytes(*first) & text | u64::from_le_bytes(self.bytes)).to_le_bytes();
        block
    }

    #[inline]
    fn write_copy(&self, text: &[u8], message: &mut [MessageBlock]) {
        message.fill(MessageBlock([0; 64]));
        let (first, rest) = text.split_at(text.len().min(64 - self.len));
        message[0].0[..8].copy_from_slice(&self.bytes);
        message[0].0[self.len..][..first.len()].copy_from_slice(first);
        for (block, piece) in message[1..].iter_mut().zip(rest.chunks(64)) {
            block.0[..piece.len()].copy_from_slice(piece);
        }
        finish(message, self.len + text.len());
    }
}

/// Returns the first `count` bytes of a window, followed by zeros. If `count` is larger, the whole window is
/// returned.
///
/// The steps are the same for every count. A copy of `count` bytes would branch on it, and lengths are in
/// random order.
#[inline(always)]
pub fn first_bytes(window: &[u8; 64], count: usize) -> [u8; 64] {
    let mut block = [0; 64];
    for ((byte, &from), &mask) in block.iter_mut().zip(window).zip(&FIRST_BYTES[64 - count.min(64)..]) {
        *byte = from & mask;
    }
    block
}

/// Writes the marker after a message of `len` bytes, and its length in bits at the end of its last block.
#[inline(always)]
fn finish(message: &mut [MessageBlock], len: usize) {
    // `Label::blocks` leaves nine bytes after the message, so the marker is within the blocks and before the
    // length. The length in bits would overflow at 2^61 bytes, which do not fit in memory.
    message[len / 64].0[len % 64] = 0x80;
    if let Some(last) = message.last_mut() {
        last.0[56..].copy_from_slice(&(len as u64 * 8).to_be_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 5.1.1, word for word.
    fn padded(message: &[u8]) -> Vec<u8> {
        let mut padded = [message, &[0x80]].concat();
        while padded.len() % 64 != 56 {
            padded.push(0);
        }
        padded.extend((message.len() as u64 * 8).to_be_bytes());
        padded
    }

    #[test]
    fn messages_are_padded_at_every_length_and_place() {
        let text: Vec<u8> = (0..400u32).map(|i| (i * 7 + 1) as u8).collect();
        for label in [b"".as_slice(), b"tld\0", b"path\0", b"domain\0", b"12345678"] {
            for start in [0, 1, 4, 7, 8, 60, 200, 330] {
                for len in 0..=(text.len() - start).min(200) {
                    let maker = Label::new(label);
                    let expected = padded(&[label, &text[start..start + len]].concat());
                    let mut blocks = vec![MessageBlock([0xaa; 64]); maker.blocks(len)];
                    maker.write(&text, start..start + len, &mut blocks);
                    assert_eq!(blocks.iter().flat_map(|block| block.0).collect::<Vec<_>>(), expected);
                    maker.write(&text[start..start + len], 0..len, &mut blocks);
                    assert_eq!(blocks.iter().flat_map(|block| block.0).collect::<Vec<_>>(), expected);

                    let mut room = [MessageBlock([0xaa; 64]); 2];
                    let is_written = maker.write_short(&text, &(start..start + len), &mut room);
                    let has_room = start >= label.len() && start - label.len() + 128 <= text.len();
                    assert_eq!(is_written, has_room && blocks.len() <= 2);
                    assert!(!is_written || room[..blocks.len()] == blocks[..]);
                }
            }
        }
    }
}
