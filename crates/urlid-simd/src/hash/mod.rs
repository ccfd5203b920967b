//! Hash functions over words, and the loop that hashes several messages side by side.
//!
//! A [`Function`] is an algorithm, written once for any [`Word`]. The words of each CPU path are in `arch`.

mod sha1;
pub(crate) mod sha256;

use crate::digest::OfWords;
use crate::message::MessageBlock;

pub(crate) use sha1::Sha1;
pub(crate) use sha256::Sha256;

/// A hash function with a value of `N` words and blocks of sixteen words (FIPS 180-4).
pub(crate) trait Function<const N: usize> {
    /// The hash value before the first block.
    const INITIAL: [u32; N];

    /// Folds a block into the hash value. The block is given as its sixteen message words.
    fn compress<W: Word>(state: &mut [W; N], words: [W; 16]);
}

/// A 32-bit word of one message, or of several messages side by side.
pub(crate) trait Word: Copy {
    /// Returns `value` in every lane.
    fn splat(value: u32) -> Self;
    /// Adds modulo 2^32.
    fn add(self, other: Self) -> Self;
    /// Returns the exclusive or of two words.
    fn xor(self, other: Self) -> Self;
    /// Returns the exclusive or of three words: Parity of section 4.1.1.
    fn xor3(self, second: Self, third: Self) -> Self;
    /// Returns the bits of `then` where `self` is set, and the bits of `otherwise` elsewhere: Ch of section
    /// 4.1.2.
    fn choose(self, then: Self, otherwise: Self) -> Self;
    /// Returns the bits that are set in at least two of the three words: Maj of section 4.1.2.
    fn majority(self, second: Self, third: Self) -> Self;
    /// Rotates right by `RIGHT` bits; `LEFT` is `32 - RIGHT`.
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Self;
    /// Shifts right by `RIGHT` bits.
    fn shift<const RIGHT: i32>(self) -> Self;
}

/// Returns the hash value before the first block.
#[inline(always)]
pub(crate) fn initial<F: Function<N>, W: Word, const N: usize>() -> [W; N] {
    // `map` is avoided here, because the compiler makes it a separate function without the vector
    // instructions.
    let mut state = [W::splat(0); N];
    for (word, value) in state.iter_mut().zip(F::INITIAL) {
        *word = W::splat(value);
    }
    state
}

/// A word of `LANES` messages, a message in each lane.
pub(crate) trait Lanes<const LANES: usize>: Word {
    /// Reads a block of each message as sixteen message words.
    fn transpose(blocks: [&MessageBlock; LANES]) -> [Self; 16];

    /// Returns the lanes in the order of the messages.
    fn to_array(self) -> [u32; LANES];
}

/// Hashes messages of `each` blocks, `LANES` together. A last group that is not full repeats its last
/// message.
///
/// The function is inlined into a function of the path, so that it is compiled with the path's instructions.
#[inline(always)]
pub(crate) fn hash_in_lanes<F, W, P, const N: usize, const LANES: usize>(
    blocks: &[MessageBlock],
    each: usize,
    out: &mut [P],
) where
    F: Function<N>,
    W: Lanes<LANES>,
    P: OfWords<N>,
{
    // The two iterators advance together: `Kernels::hash` has checked that `each` is not 0 and that there are
    // `each` blocks for each part.
    for (messages, parts) in blocks.chunks(LANES * each).zip(out.chunks_mut(LANES)) {
        let last = parts.len() - 1;
        let mut state: [W; N] = initial::<F, _, N>();
        for index in 0..each {
            let rows = core::array::from_fn(|lane| &messages[lane.min(last) * each + index]);
            F::compress(&mut state, W::transpose(rows));
        }
        let mut words = [[0; LANES]; N];
        for (lanes, word) in words.iter_mut().zip(state) {
            *lanes = word.to_array();
        }
        for (number, part) in parts.iter_mut().enumerate() {
            *part = P::of(words.map(|word| word[number]));
        }
    }
}
