//! Windows as arrays of bytes.

use super::Portable;
use crate::window::{AsciiSet, Sealed, Simd, Window};

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
    /// Returns the mask of the bytes for which a condition holds. The last byte is the highest bit, so it goes first.
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
