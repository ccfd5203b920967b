//! Plain Rust: the path that every platform has, and the twin of every other kernel.

use crate::digest::{HEX_LINE, OfWords};
use crate::hash::{Lanes, Sha1, Sha256, Word, hash_in_lanes};
use crate::message::MessageBlock;
use crate::path::Path;
use crate::window::{AsciiSet, Sealed, Simd, Task, Window};

/// A proof without content, because plain Rust runs everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Path for Portable {
    type Base = Portable;

    fn new() -> Option<Portable> {
        Some(Portable)
    }

    #[inline(always)]
    fn base(self) -> Portable {
        self
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        hash_in_lanes::<Sha256, u32, P, 8, 1>(blocks, each, out);
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        hash_in_lanes::<Sha1, u32, P, 5, 1>(blocks, each, out);
    }

    #[inline(always)]
    fn hex_lines(self, values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
        write_lines(values, lines);
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        task.run(self)
    }
}

/// Writes each 32 bytes as 64 lower-case digits and LF.
pub(super) fn write_lines(values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
    for (value, line) in values.iter().zip(lines) {
        for (byte, pair) in value.iter().zip(line.as_chunks_mut().0) {
            *pair = [digit(byte >> 4), digit(byte & 15)];
        }
        line[HEX_LINE - 1] = b'\n';
    }
}

#[inline(always)]
fn digit(nibble: u8) -> u8 {
    nibble + if nibble < 10 { b'0' } else { b'a' - 10 }
}

impl Sealed for Portable {}

impl Simd for Portable {
    type Window = Bytes;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> Bytes {
        Bytes(*bytes)
    }
}

/// A copy of the window's bytes.
#[derive(Clone, Copy)]
pub(crate) struct Bytes([u8; 64]);

impl Bytes {
    /// Returns the mask of the bytes for which a condition holds. The last byte is the highest bit, so it is
    /// shifted in first.
    #[inline(always)]
    fn mask(self, holds: impl Fn(u8) -> bool) -> u64 {
        self.0.into_iter().rev().fold(0, |mask, byte| mask << 1 | u64::from(holds(byte)))
    }
}

impl Window for Bytes {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        self.mask(|other| other == byte)
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        self.mask(|byte| set.contains(byte))
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.mask(|byte| !byte.is_ascii())
    }
}

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

    // This needs one operation less than `(self & then) | (!self & otherwise)`.
    #[inline(always)]
    fn choose(self, then: u32, otherwise: u32) -> u32 {
        otherwise ^ (self & (then ^ otherwise))
    }

    // This has four operations. The standard's form, `(a & b) ^ (a & c) ^ (b & c)`, has five.
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
    fn transpose([block]: [&MessageBlock; 1]) -> [u32; 16] {
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
