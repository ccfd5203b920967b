//! One message at a time, on any machine.

use crate::digest::OfWords;
use crate::hash::{Function, Word, initial};
use crate::message::Block;

impl Word for u32 {
    #[inline(always)]
    fn splat(value: u32) -> u32 {
        value
    }

    #[inline(always)]
    fn add(self, other: u32) -> u32 {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn xor(self, other: u32) -> u32 {
        self ^ other
    }

    #[inline(always)]
    fn xor3(self, second: u32, third: u32) -> u32 {
        self ^ second ^ third
    }

    #[inline(always)]
    fn choose(self, then: u32, otherwise: u32) -> u32 {
        otherwise ^ (self & (then ^ otherwise))
    }

    #[inline(always)]
    fn majority(self, second: u32, third: u32) -> u32 {
        (self & second) | (third & (self | second))
    }

    #[inline(always)]
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> u32 {
        self.rotate_right(RIGHT as u32)
    }

    #[inline(always)]
    fn shift<const RIGHT: i32>(self) -> u32 {
        self >> RIGHT
    }
}

/// Hashes messages of `each` blocks.
pub(crate) fn hash<F, P, const N: usize>(blocks: &[Block], each: usize, out: &mut [P])
where
    F: Function<N>,
    P: OfWords<N>,
{
    for (message, part) in blocks.chunks_exact(each).zip(out) {
        let mut state: [u32; N] = initial::<F, _, N>();
        for block in message {
            F::compress(&mut state, words(block));
        }
        *part = P::of(state);
    }
}

#[inline(always)]
fn words(block: &Block) -> [u32; 16] {
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(block.0.as_chunks().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}
