//! Messages as padded blocks (FIPS 180-4, section 5.1.1): a short label, then a piece of a longer text.

use std::ops::Range;

/// One 64-byte block of a padded message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Block(pub [u8; 64]);

/// Up to eight bytes that a message begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    bytes: [u8; 8],
    len: usize,
}

/// Bytes of the last block that are not free for the message: a marker and eight bytes of length.
const TRAILER: usize = 9;

/// 64 bytes of ones, then 64 of zeros: a window into it masks any first part of a block.
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
    /// No label.
    pub const EMPTY: Label = Label::new(b"");

    /// Makes a label.
    ///
    /// # Panics
    /// If `bytes` are more than eight: labels are constants, so this is met when the program is built.
    pub const fn new(bytes: &[u8]) -> Label {
        assert!(bytes.len() <= 8, "a label has at most eight bytes");
        let mut label = Label { bytes: [0; 8], len: bytes.len() };
        let mut index = 0;
        while index < bytes.len() {
            label.bytes[index] = bytes[index];
            index += 1;
        }
        label
    }

    /// Returns how many blocks the label and a text of `len` bytes take.
    #[inline]
    pub const fn blocks(&self, len: usize) -> usize {
        (self.len + len + TRAILER).div_ceil(64)
    }

    /// Appends the padded message of the label and `text[range]`, which is [`Label::blocks`] blocks long.
    ///
    /// # Panics
    /// If `range` is not within `text`.
    #[inline]
    pub fn push_message(&self, text: &[u8], range: Range<usize>, blocks: &mut Vec<Block>) {
        match self.window(text, &range) {
            Some(window) => blocks.push(self.one_block(window, range.len())),
            None => self.push_copied(&text[range], blocks),
        }
    }

    /// Returns the 64 bytes of `text` that lie as the block will, if the message is one block and they exist.
    #[inline]
    fn window<'t>(&self, text: &'t [u8], range: &Range<usize>) -> Option<&'t [u8; 64]> {
        let start = range.start.checked_sub(self.len)?;
        if self.blocks(range.len()) > 1 || range.end > text.len() {
            return None;
        }
        text.get(start..)?.first_chunk()
    }

    /// Pads the message whose text stands behind the label's room in `window`, in a fixed number of steps.
    #[inline]
    fn one_block(&self, window: &[u8; 64], text_len: usize) -> Block {
        let len = self.len + text_len;
        let mut block = [0; 64];
        for ((byte, &from), &mask) in block.iter_mut().zip(window).zip(&FIRST_BYTES[64 - len..]) {
            *byte = from & mask;
        }
        let (first, _) = block.split_first_chunk_mut::<8>().expect("a block has more than eight bytes");
        let text = u64::MAX.unbounded_shl(8 * self.len as u32);
        *first = (u64::from_le_bytes(*first) & text | u64::from_le_bytes(self.bytes)).to_le_bytes();
        finish(&mut block, len, len);
        Block(block)
    }

    /// Pads a message of any length by copying it.
    #[cold]
    fn push_copied(&self, text: &[u8], blocks: &mut Vec<Block>) {
        let len = self.len + text.len();
        let (first, rest) = text.split_at(text.len().min(64 - self.len));
        let mut block = [0; 64];
        block[..self.len].copy_from_slice(&self.bytes[..self.len]);
        block[self.len..][..first.len()].copy_from_slice(first);
        let mut used = self.len + first.len();
        for piece in rest.chunks(64) {
            blocks.push(Block(block));
            block = [0; 64];
            block[..piece.len()].copy_from_slice(piece);
            used = piece.len();
        }
        if used == 64 {
            blocks.push(Block(block));
            (block, used) = ([0; 64], 0);
        }
        if used + TRAILER > 64 {
            block[used] = 0x80;
            blocks.push(Block(block));
            block = [0; 64];
            block[56..].copy_from_slice(&(len as u64 * 8).to_be_bytes());
        } else {
            finish(&mut block, used, len);
        }
        blocks.push(Block(block));
    }
}

/// Writes the marker behind the `used` bytes of the last block, and the message's length in bits at its end.
#[inline]
fn finish(block: &mut [u8; 64], used: usize, len: usize) {
    block[used] = 0x80;
    block[56..].copy_from_slice(&(len as u64 * 8).to_be_bytes());
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
                    let mut blocks = Vec::new();
                    let maker = Label::new(label);
                    maker.push_message(&text, start..start + len, &mut blocks);
                    let expected = padded(&[label, &text[start..start + len]].concat());
                    assert_eq!(blocks.iter().flat_map(|block| block.0).collect::<Vec<_>>(), expected);
                    assert_eq!(blocks.len(), maker.blocks(len));
                }
            }
        }
    }
}
