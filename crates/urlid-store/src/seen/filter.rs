//! A Bloom filter in blocks of one cache line, which proves that a sorted file lacks a key.
//!
//! The first bytes of a key choose its block, and other bytes choose its bits in the block. Keys in order
//! therefore have their blocks in order.

use crate::seen::key::SeenKey;

/// The bytes of a block.
pub(crate) const BLOCK: usize = 64;
/// Keys of a block on average. About ten bits a key let one in eighty absent keys pass the filter.
const KEYS: u64 = 51;
/// The bits of a key.
const BITS: u32 = 6;

/// The filter of a sorted file.
#[derive(Debug)]
pub(crate) struct Filter {
    blocks: Vec<[u64; BLOCK / 8]>,
}

impl Filter {
    /// Makes an empty filter for a number of keys.
    pub(crate) fn for_keys(keys: u64) -> Self {
        // One more block, so that even a filter for zero keys has one.
        let blocks = usize::try_from(keys / KEYS + 1).unwrap_or(usize::MAX);
        Self { blocks: vec![[0; BLOCK / 8]; blocks] }
    }

    pub(crate) fn insert(&mut self, key: &SeenKey) {
        let index = self.block(key);
        bits(key).for_each(|(word, bit)| self.blocks[index][word] |= bit);
    }

    /// Returns whether the file may have a key.
    pub(crate) fn may_have(&self, key: &SeenKey) -> bool {
        let block = &self.blocks[self.block(key)];
        bits(key).all(|(word, bit)| block[word] & bit != 0)
    }

    /// Returns a word of the block of a key, to bring the block into the cache.
    pub(crate) fn touch(&self, key: &SeenKey) -> u64 {
        self.blocks[self.block(key)][0]
    }

    fn block(&self, key: &SeenKey) -> usize {
        // Unlike a remainder, this keeps the order of the keys. The product is less than the number of blocks
        // times 2³².
        ((u64::from(key.head()) * self.blocks.len() as u64) >> 32) as usize
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.blocks.len() as u64
    }

    /// Passes the bytes to `write`, some blocks at a time.
    pub(crate) fn write<E>(&self, mut write: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let mut bytes = Vec::new();
        for blocks in self.blocks.chunks(1024) {
            bytes.clear();
            bytes.extend(blocks.as_flattened().iter().flat_map(|word| word.to_le_bytes()));
            write(&bytes)?;
        }
        Ok(())
    }

    /// Makes a filter of `blocks` blocks from bytes that `read` fills, some blocks at a time. There is at
    /// least one block.
    pub(crate) fn read<E>(blocks: u64, mut read: impl FnMut(&mut [u8]) -> Result<(), E>) -> Result<Self, E> {
        let blocks = usize::try_from(blocks.max(1)).unwrap_or(usize::MAX);
        let mut filter = Self { blocks: vec![[0; BLOCK / 8]; blocks] };
        let mut bytes = Vec::new();
        for blocks in filter.blocks.chunks_mut(1024) {
            bytes.resize(blocks.len() * BLOCK, 0);
            read(&mut bytes)?;
            let words = bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
            blocks.as_flattened_mut().iter_mut().zip(words).for_each(|(to, from)| *to = from);
        }
        Ok(filter)
    }
}

/// Returns the words and bits of a key in its block.
fn bits(key: &SeenKey) -> impl Iterator<Item = (usize, u64)> + use<> {
    let tail = key.tail();
    (0..BITS).map(move |bit| {
        // Nine bits choose one of 512 bits: the upper three the word, and the lower six the bit in it. Six
        // groups use 54 of the 64 bits.
        let bit = tail >> (9 * bit) & 511;
        ((bit >> 6) as usize, 1 << (bit & 63))
    })
}
