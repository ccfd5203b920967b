//! Hash functions over words, and words that hold one number or many.
//!
//! [`Function`] is an algorithm written once over any [`Word`]. The other files are the words, each with the loop that
//! hashes messages of one common number of blocks: one message at a time portably, four in
//! WebAssembly, eight with AVX2, sixteen with AVX-512.

pub(crate) mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) mod simd128;

use crate::message::Block;
use crate::part::OfWords;

/// A hash function whose value has `N` words and whose blocks have sixteen (FIPS 180-4).
pub(crate) trait Function<const N: usize> {
    /// The hash value of no blocks at all.
    const INITIAL: [u32; N];

    /// Folds one block, given as its sixteen message words, into the hash value.
    fn compress<W: Word>(state: &mut [W; N], words: [W; 16]);
}

/// A 32-bit word of one message, or of several side by side.
pub(crate) trait Word: Copy {
    /// Returns `value` in every lane.
    fn splat(value: u32) -> Self;
    /// Adds modulo 2^32.
    fn add(self, other: Self) -> Self;
    /// Returns the exclusive or of two words.
    fn xor(self, other: Self) -> Self;
    /// Returns the exclusive or of three words: Parity of section 4.1.1.
    fn xor3(self, second: Self, third: Self) -> Self;
    /// Returns the bits of `then` where `self` is set, of `otherwise` elsewhere: Ch of section 4.1.2.
    fn choose(self, then: Self, otherwise: Self) -> Self;
    /// Returns the bits that at least two of the three have: Maj of section 4.1.2.
    fn majority(self, second: Self, third: Self) -> Self;
    /// Rotates right by `RIGHT` bits; `LEFT` is `32 - RIGHT`.
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Self;
    /// Shifts right by `RIGHT` bits.
    fn shift<const RIGHT: i32>(self) -> Self;
}

/// Returns the hash value before the first block.
#[inline(always)]
fn initial<F: Function<N>, W: Word, const N: usize>() -> [W; N] {
    // Not `map`: the compiler makes it a function of its own here, without the vector instructions.
    let mut state = [W::splat(0); N];
    for (word, value) in state.iter_mut().zip(F::INITIAL) {
        *word = W::splat(value);
    }
    state
}

/// Two words that take the same way: while one waits for a result, the machine works on the other.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct Both<W>(W, W);

#[cfg(target_arch = "x86_64")]
impl<W: Word> Word for Both<W> {
    #[inline(always)]
    fn splat(value: u32) -> Self {
        Both(W::splat(value), W::splat(value))
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Both(self.0.add(other.0), self.1.add(other.1))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Both(self.0.xor(other.0), self.1.xor(other.1))
    }

    #[inline(always)]
    fn xor3(self, second: Self, third: Self) -> Self {
        Both(self.0.xor3(second.0, third.0), self.1.xor3(second.1, third.1))
    }

    #[inline(always)]
    fn choose(self, then: Self, otherwise: Self) -> Self {
        Both(self.0.choose(then.0, otherwise.0), self.1.choose(then.1, otherwise.1))
    }

    #[inline(always)]
    fn majority(self, second: Self, third: Self) -> Self {
        Both(self.0.majority(second.0, third.0), self.1.majority(second.1, third.1))
    }

    #[inline(always)]
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Self {
        Both(self.0.rotate::<RIGHT, LEFT>(), self.1.rotate::<RIGHT, LEFT>())
    }

    #[inline(always)]
    fn shift<const RIGHT: i32>(self) -> Self {
        Both(self.0.shift::<RIGHT>(), self.1.shift::<RIGHT>())
    }
}
