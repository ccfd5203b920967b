//! Windows in two registers.

use core::arch::x86_64::*;

use super::Avx2;
use crate::window::{AsciiSet, Sealed, Simd, Window};

impl Sealed for Avx2 {}

impl Simd for Avx2 {
    type Window = Registers;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> Registers {
        // SAFETY: `self` proves AVX2; both halves of the array are 32 readable bytes, and the loads need no alignment.
        unsafe {
            Registers([
                _mm256_loadu_si256(bytes.as_ptr().cast()),
                _mm256_loadu_si256(bytes[32..].as_ptr().cast()),
            ])
        }
    }
}

/// The two halves of a window. Only an [`Avx2`] makes one, so having one proves AVX2.
#[derive(Clone, Copy)]
pub(crate) struct Registers([__m256i; 2]);

impl Registers {
    /// Puts the sign bits of all bytes together.
    #[inline(always)]
    fn signs(self) -> u64 {
        // SAFETY: the value proves AVX2.
        let [low, high] = self.0.map(|half| unsafe { _mm256_movemask_epi8(half) } as u32);
        u64::from(high) << 32 | u64::from(low)
    }
}

impl Window for Registers {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        // SAFETY: the value proves AVX2.
        let equal = self.0.map(|half| unsafe { _mm256_cmpeq_epi8(half, _mm256_set1_epi8(byte as i8)) });
        Registers(equal).signs()
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        // SAFETY: the value proves AVX2; the set's rows are 16 readable bytes, and the load needs no alignment.
        let without = self.0.map(|half| unsafe {
            let rows = _mm256_broadcastsi128_si256(_mm_loadu_si128(set.rows.as_ptr().cast()));
            // Byte `n` is `1 << (n % 8)`. High nibbles from 8 on get a bit too, but their rows are empty.
            let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            // The shuffle takes the low nibble as index, and gives zero where the sign is set: bytes that are not ASCII.
            let row = _mm256_shuffle_epi8(rows, half);
            // There is no shift of bytes. That of pairs moves bits of the neighbour in, which the mask drops.
            let high = _mm256_and_si256(_mm256_srli_epi16::<4>(half), _mm256_set1_epi8(15));
            let bit = _mm256_shuffle_epi8(bits, high);
            _mm256_cmpeq_epi8(_mm256_and_si256(row, bit), _mm256_setzero_si256())
        });
        // A comparison for inequality is missing too, so the mask is inverted.
        !Registers(without).signs()
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.signs()
    }
}
