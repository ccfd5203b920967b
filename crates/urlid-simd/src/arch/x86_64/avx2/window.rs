//! Windows in two registers.

use core::arch::x86_64::*;

use super::Avx2;
use crate::window::{AsciiSet, Sealed, Simd, Window};

impl Sealed for Avx2 {}

impl Simd for Avx2 {
    type Window = Registers;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> Registers {
        // SAFETY: `self` proves AVX2; both halves of the array are 32 readable bytes, and the loads need no
        // alignment.
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

// No closure touches a register here, as in `map`: only functions can be marked for inlining, and one that is
// not inlined lacks the path's instructions, so that each of these becomes a call.
impl Registers {
    /// Puts the sign bits of all bytes together.
    #[inline(always)]
    fn signs(self) -> u64 {
        let [low, high] = self.0;
        // SAFETY: the value proves AVX2.
        let (low, high) = unsafe { (_mm256_movemask_epi8(low) as u32, _mm256_movemask_epi8(high) as u32) };
        u64::from(high) << 32 | u64::from(low)
    }
}

impl Window for Registers {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        let [low, high] = self.0;
        // SAFETY: the value proves AVX2.
        let equal = unsafe {
            let bytes = _mm256_set1_epi8(byte as i8);
            [_mm256_cmpeq_epi8(low, bytes), _mm256_cmpeq_epi8(high, bytes)]
        };
        Registers(equal).signs()
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        let [low, high] = self.0;
        // SAFETY: the value proves AVX2.
        let without = unsafe { [without(low, set), without(high, set)] };
        // A comparison for inequality is missing too, so the mask is inverted.
        !Registers(without).signs()
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.signs()
    }
}

/// Returns a mask of the bytes that are not members of a set.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn without(half: __m256i, set: &AsciiSet) -> __m256i {
    // SAFETY: the caller has AVX2; the set's rows are 16 readable bytes, and the load needs no alignment.
    unsafe {
        let rows = _mm256_broadcastsi128_si256(_mm_loadu_si128(set.rows.as_ptr().cast()));
        // Byte `n` is `1 << (n % 8)`. High nibbles from 8 on get a bit too, but their rows are empty.
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        // The shuffle takes the low nibble as index, and gives zero where the sign is set: bytes that are not
        // ASCII.
        let row = _mm256_shuffle_epi8(rows, half);
        // There is no shift of bytes. That of pairs moves bits of the neighbour in, which the mask drops.
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(half), _mm256_set1_epi8(15));
        let bit = _mm256_shuffle_epi8(bits, high);
        _mm256_cmpeq_epi8(_mm256_and_si256(row, bit), _mm256_setzero_si256())
    }
}
