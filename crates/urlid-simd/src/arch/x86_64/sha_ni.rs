//! SHA-256 with the SHA extensions, two independent messages interleaved.
//!
//! One stream waits for its own results half of the time; two fill the gaps, four do not fit into the
//! registers.
//!
//! Loops fill arrays here, not `map`: that is a function without the extensions, which is not inlined, and
//! what is in registers would go through memory.

use core::arch::x86_64::*;
use core::hint::black_box;

use super::avx2::Avx2;
use crate::digest::OfWords;
use crate::hash::sha256::{INITIAL, K};
use crate::message::MessageBlock;
use crate::path::Path;

/// Proof of what [`Avx2`] proves and of the SHA extensions, SSE4.1 and SSSE3.
///
/// Their instructions for SHA-1 take one message; eight lanes are faster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShaNi(Avx2);

impl Path for ShaNi {
    type Base = Avx2;

    fn new() -> Option<ShaNi> {
        (has!("sha") && has!("sse4.1") && has!("ssse3")).then(Avx2::new)?.map(ShaNi)
    }

    #[inline(always)]
    fn base(self) -> Avx2 {
        self.0
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves the SHA extensions, SSE4.1 and SSSE3.
        unsafe { hash(blocks, each, out) }
    }
}

/// The eight words of a hash value.
type State = [u32; 8];

/// The hash value of a message in the order that the instructions take: a b e f and c d g h, with `a` and `c`
/// in the highest lane.
#[derive(Clone, Copy)]
struct Halves {
    abef: __m128i,
    cdgh: __m128i,
}

/// Hashes messages of `each` blocks in pairs.
///
/// # Safety
/// The machine has the SHA extensions, SSE4.1 and SSSE3.
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn hash<P: OfWords<8>>(blocks: &[MessageBlock], each: usize, out: &mut [P]) {
    for (messages, parts) in blocks.chunks(2 * each).zip(out.chunks_mut(2)) {
        let (first, second) = messages.split_at(each);
        match parts {
            [one, two] => {
                let states = hash_streams([first, second]);
                *one = P::of(states[0]);
                *two = P::of(states[1]);
            }
            // The last of an odd number of messages: the chunk is `first` alone, and `second` is empty.
            parts => {
                for part in parts {
                    let [state] = hash_streams([first]);
                    *part = P::of(state);
                }
            }
        }
    }
}

/// Hashes `N` messages of the same number of blocks side by side.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn hash_streams<const N: usize>(messages: [&[MessageBlock]; N]) -> [State; N] {
    let mut states = [from_words(&INITIAL); N];
    for index in 0..messages[0].len() {
        compress(&mut states, &messages, index);
    }
    let mut words = [[0; 8]; N];
    for (words, state) in words.iter_mut().zip(states) {
        *words = to_words(state);
    }
    words
}

/// Folds a block of each message into its hash value.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn compress<const N: usize>(states: &mut [Halves; N], messages: &[&[MessageBlock]; N], index: usize) {
    let before = *states;
    let mut words = [[_mm_setzero_si128(); 4]; N];
    for (words, message) in words.iter_mut().zip(messages) {
        *words = load(&message[index]);
    }
    let (first, rest) = K.split_at(16);
    four_rounds::<N, 0>(states, &words, first);
    four_rounds::<N, 1>(states, &words, first);
    four_rounds::<N, 2>(states, &words, first);
    four_rounds::<N, 3>(states, &words, first);
    // Where the compiler knows that there are three turns, it may compute all of the schedule first: then the
    // rounds, each of which waits for the one before, do not begin until that is done.
    for constants in black_box(rest).chunks_exact(16) {
        extend_schedule::<N, 0>(&mut words);
        four_rounds::<N, 0>(states, &words, constants);
        extend_schedule::<N, 1>(&mut words);
        four_rounds::<N, 1>(states, &words, constants);
        extend_schedule::<N, 2>(&mut words);
        four_rounds::<N, 2>(states, &words, constants);
        extend_schedule::<N, 3>(&mut words);
        four_rounds::<N, 3>(states, &words, constants);
    }
    for (state, before) in states.iter_mut().zip(before) {
        state.abef = _mm_add_epi32(state.abef, before.abef);
        state.cdgh = _mm_add_epi32(state.cdgh, before.cdgh);
    }
}

/// Four rounds with the message words of register `AT`, by the constants of sixteen rounds.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn four_rounds<const N: usize, const AT: usize>(
    states: &mut [Halves; N],
    words: &[[__m128i; 4]; N],
    constants: &[u32],
) {
    let constants = load_words(constants, AT);
    for (state, words) in states.iter_mut().zip(words) {
        let input = _mm_add_epi32(words[AT], constants);
        // Two rounds turn the first half into the new `abef`, and the old `abef` becomes `cdgh`. So the
        // halves swap their names for two rounds, and are back after four.
        state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, input);
        // An instruction reads two words, those in the lower half of its input. The shuffle brings the upper
        // two down.
        state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, _mm_shuffle_epi32::<0b11_10>(input));
    }
}

/// Replaces the four words in register `AT` of the schedule by the four that come sixteen places later.
///
/// The first instruction adds sigma 0 of the words one place on, the second sigma 1 of the words two places
/// back, two of which it has just made itself. The words seven places back lie across two registers.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn extend_schedule<const N: usize, const AT: usize>(words: &mut [[__m128i; 4]; N]) {
    for words in words {
        let [oldest, second, third, newest] =
            [words[AT], words[(AT + 1) % 4], words[(AT + 2) % 4], words[(AT + 3) % 4]];
        let partial = _mm_sha256msg1_epu32(oldest, second);
        let seven_back = _mm_alignr_epi8::<4>(newest, third);
        words[AT] = _mm_sha256msg2_epu32(_mm_add_epi32(partial, seven_back), newest);
    }
}

/// Loads a block as sixteen numbers that were written big-endian.
#[inline]
#[target_feature(enable = "sha,sse4.1,ssse3")]
fn load(block: &MessageBlock) -> [__m128i; 4] {
    let mut words = [_mm_setzero_si128(); 4];
    let big_endian = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
    for (words, quarter) in words.iter_mut().zip(block.0.as_chunks::<16>().0) {
        // SAFETY: a quarter is 16 readable bytes, and the load needs no alignment.
        let bytes = unsafe { _mm_loadu_si128(quarter.as_ptr().cast()) };
        *words = _mm_shuffle_epi8(bytes, big_endian);
    }
    words
}

/// Loads group `group` of four words.
#[inline]
#[target_feature(enable = "sse4.1")]
fn load_words(words: &[u32], group: usize) -> __m128i {
    let four: &[u32; 4] = &words.as_chunks().0[group];
    // SAFETY: four words are 16 readable bytes, and the load needs no alignment.
    unsafe { _mm_loadu_si128(four.as_ptr().cast()) }
}

/// Brings a hash value into the order of the instructions.
#[inline]
#[target_feature(enable = "sse4.1,ssse3")]
fn from_words(words: &State) -> Halves {
    // These two names list the lanes from the lowest on, those of `Halves` from the highest: `f e b a` is
    // `abef`. The shift takes the upper half of `hgfe` and the lower one of `badc`, the blend the other two.
    let badc = _mm_shuffle_epi32::<0b10_11_00_01>(load_words(words, 0));
    let hgfe = _mm_shuffle_epi32::<0b00_01_10_11>(load_words(words, 1));
    Halves { abef: _mm_alignr_epi8::<8>(badc, hgfe), cdgh: _mm_blend_epi16::<0b1111_0000>(hgfe, badc) }
}

/// Brings a hash value back into the order of the standard.
#[inline]
#[target_feature(enable = "sse4.1")]
fn to_words(state: Halves) -> State {
    let lanes = |half| {
        [
            _mm_extract_epi32::<3>(half) as u32,
            _mm_extract_epi32::<2>(half) as u32,
            _mm_extract_epi32::<1>(half) as u32,
            _mm_extract_epi32::<0>(half) as u32,
        ]
    };
    let ([a, b, e, f], [c, d, g, h]) = (lanes(state.abef), lanes(state.cdgh));
    [a, b, c, d, e, f, g, h]
}
