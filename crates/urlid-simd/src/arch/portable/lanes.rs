//! One message at a time.

use crate::hash::{Lanes, Word};
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

    // One operation less than `(self & then) | (!self & otherwise)`.
    #[inline(always)]
    fn choose(self, then: u32, otherwise: u32) -> u32 {
        otherwise ^ (self & (then ^ otherwise))
    }

    // Four operations; the standard's form, `(a & b) ^ (a & c) ^ (b & c)`, has five.
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

impl Lanes<1> for u32 {
    #[inline(always)]
    fn transpose([block]: [&Block; 1]) -> [u32; 16] {
        let mut words = [0; 16];
        for (word, bytes) in words.iter_mut().zip(block.0.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        words
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 1] {
        [self]
    }
}
