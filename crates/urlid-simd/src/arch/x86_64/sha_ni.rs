//! SHA-256 with the SHA extensions, two independent messages interleaved.
//!
//! A single stream waits for its own results half of the time. Two streams fill the gaps, and four do not fit
//! into the registers.
//!
//! The code fills arrays with loops instead of `map`. That is a function without the extensions and is not
//! inlined, so values in registers would go through memory.

use core::arch::x86_64::*;
use core::hint::black_box;

use super::avx2::Avx2;
use crate::digest::OfWords;
use crate::hash::sha256::{INITIAL, K};
use crate::message::MessageBlock;
use crate::path::Path;

/// Proof of [`Avx2`] and of the SHA extensions, SSE4.1 and SSSE3.
///
/// The SHA extensions' instructions for SHA-1 process one message, and eight lanes are faster.
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

/// The hash value of a message in the order of the instructions: a b e f and c d g h, with `a` and `c` in the
/// highest lane.
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
            // The last of an odd number of messages: the chunk consists of `first`, and `second` is empty.
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
    // `black_box` hides from the compiler that there are three iterations. Otherwise it may compute the whole
    // schedule first, and the rounds, each of which depends on the previous round, would only start after it.
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

/// Computes four rounds with the message words of register `AT` and the constants of sixteen rounds.
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
        // Two rounds convert the first half into the new `abef`, and the old `abef` becomes `cdgh`. The
        // halves therefore swap their names for two rounds, and have their own names again after four.
        state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, input);
        // An instruction reads the two words in the lower half of its input. The shuffle moves the upper two
        // words down.
        state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, _mm_shuffle_epi32::<0b11_10>(input));
    }
}

/// Replaces the four words in register `AT` of the schedule by the words sixteen places later.
///
/// The first instruction adds sigma 0 of the words one place later. The second adds sigma 1 of the words two
/// places earlier, two of which it has just computed itself. The words seven places earlier are spread over
/// two registers.
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

/// Loads a block as sixteen big-endian numbers.
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

/// Loads the four words of group `group`.
#[inline]
#[target_feature(enable = "sse4.1")]
fn load_words(words: &[u32], group: usize) -> __m128i {
    let four: &[u32; 4] = &words.as_chunks().0[group];
    // SAFETY: four words are 16 readable bytes, and the load needs no alignment.
    unsafe { _mm_loadu_si128(four.as_ptr().cast()) }
}

/// Converts a hash value to the order of the instructions.
#[inline]
#[target_feature(enable = "sse4.1,ssse3")]
fn from_words(words: &State) -> Halves {
    // The names of these two variables list the lanes from the lowest, and the fields of `Halves` list them
    // from the highest: `f e b a` is `abef`. The shift combines the upper half of `hgfe` with the lower half
    // of `badc`. The blend combines the other two halves.
    let badc = _mm_shuffle_epi32::<0b10_11_00_01>(load_words(words, 0));
    let hgfe = _mm_shuffle_epi32::<0b00_01_10_11>(load_words(words, 1));
    Halves { abef: _mm_alignr_epi8::<8>(badc, hgfe), cdgh: _mm_blend_epi16::<0b1111_0000>(hgfe, badc) }
}

/// Converts a hash value back to the order of the standard.
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
