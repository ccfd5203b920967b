//! Windows in four registers.

use core::arch::aarch64::*;

use super::Neon;
use crate::window::{AsciiSet, Sealed, Simd, Window};

impl Sealed for Neon {}

impl Simd for Neon {
    type Window = Registers;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> Registers {
        // SAFETY: `self` proves NEON; each quarter of the array is 16 readable bytes, and the load needs no
        // alignment.
        Registers([0, 16, 32, 48].map(|start| unsafe { vld1q_u8(bytes[start..].as_ptr()) }))
    }
}

/// The four quarters of a window. Only a [`Neon`] makes one, so having one proves NEON.
#[derive(Clone, Copy)]
pub(crate) struct Registers([uint8x16_t; 4]);

impl Registers {
    /// Returns the mask of the bytes that are 0xff; all others are zero.
    ///
    /// NEON has no instruction that collects a bit of each byte. Byte `i` keeps bit `i % 8` alone, then
    /// neighbours are added three times, each time halving the bytes: sums of different bits have no carries,
    /// so every eight bytes become one.
    ///
    /// ```text
    /// bytes   ff 00 ff ff 00 00 00 ff …
    /// bits    01 00 04 08 00 00 00 80 …
    /// sums    01    0c    00    80    …
    /// sums    0d          80          …
    /// sums    8d                      …
    /// ```
    #[inline(always)]
    fn mask(self) -> u64 {
        // SAFETY: the value proves NEON.
        unsafe {
            let bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
            let [first, second, third, fourth] = self.0.map(|quarter| vandq_u8(quarter, bits));
            let halves = vpaddq_u8(vpaddq_u8(first, second), vpaddq_u8(third, fourth));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(halves, halves)))
        }
    }
}

impl Window for Registers {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        // SAFETY: the value proves NEON.
        Registers(self.0.map(|quarter| unsafe { vceqq_u8(quarter, vdupq_n_u8(byte)) })).mask()
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        // SAFETY: the value proves NEON; the set's rows are 16 readable bytes.
        let members = self.0.map(|quarter| unsafe {
            let rows = vld1q_u8(set.rows.as_ptr());
            // The bit of each high nibble. Those of bytes that are not ASCII have none.
            let bits = vcombine_u8(vcreate_u8(0x8040_2010_0804_0201), vcreate_u8(0));
            // Unlike the shuffle of x86-64, this lookup gives zero for every index past 15, so the high
            // nibble is cleared first.
            let row = vqtbl1q_u8(rows, vandq_u8(quarter, vdupq_n_u8(15)));
            let bit = vqtbl1q_u8(bits, vshrq_n_u8::<4>(quarter));
            vtstq_u8(row, bit)
        });
        Registers(members).mask()
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        // SAFETY: the value proves NEON.
        Registers(self.0.map(|quarter| unsafe { vcltzq_s8(vreinterpretq_s8_u8(quarter)) })).mask()
    }
}
