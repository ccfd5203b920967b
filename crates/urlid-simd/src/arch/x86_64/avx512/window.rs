//! Windows in one register.

use core::arch::x86_64::*;

use super::Avx512;
use crate::window::{AsciiSet, Sealed, Simd, Window};

impl Sealed for Avx512 {}

impl Simd for Avx512 {
    type Window = Register;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> Register {
        // SAFETY: `self` proves AVX-512F; the array is 64 readable bytes, and the load needs no alignment.
        Register(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }
}

/// A window. Only an [`Avx512`] makes one, so having one proves AVX-512.
#[derive(Clone, Copy)]
pub(crate) struct Register(__m512i);

impl Window for Register {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        // SAFETY: the value proves AVX-512BW.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        // SAFETY: the value proves AVX-512BW; the set's rows are 16 readable bytes, and the load needs no
        // alignment.
        unsafe {
            let rows = _mm512_broadcast_i32x4(_mm_loadu_si128(set.rows.as_ptr().cast()));
            // As with AVX2: byte `n` is `1 << (n % 8)`, and bytes that are not ASCII get an empty row.
            let bits = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
            let row = _mm512_shuffle_epi8(rows, self.0);
            let high = _mm512_and_si512(_mm512_srli_epi16::<4>(self.0), _mm512_set1_epi8(15));
            _mm512_test_epi8_mask(row, _mm512_shuffle_epi8(bits, high))
        }
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        // SAFETY: the value proves AVX-512BW.
        unsafe { _mm512_movepi8_mask(self.0) }
    }
}
