//! The SHA-256 compression function (FIPS 180-4, section 6.2.2), written once for any kind of word.
//!
//! A word is one `u32` for one message, or a vector of them with a message in each lane. Every index is a
//! constant, so that message words and working variables stay in registers if the machine has enough of them.

use super::{Function, Word};

/// The hash function.
pub(crate) enum Sha256 {}

/// The hash value before the first block (section 5.3.3).
pub(crate) const INITIAL: [u32; 8] =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// The round constants (section 4.2.2).
#[rustfmt::skip]
pub(crate) const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The round constants, with a row for each sixteen rounds.
const CONSTANTS: &[[u32; 16]] = K.as_chunks().0;

impl Function<8> for Sha256 {
    const INITIAL: [u32; 8] = INITIAL;

    #[inline(always)]
    fn compress<W: Word>(state: &mut [W; 8], mut words: [W; 16]) {
        let before = *state;
        let (first, later) = CONSTANTS.split_first().expect("there are 64 constants");
        sixteen_rounds(state, &words, first);
        for constants in later {
            extend_schedule(&mut words);
            sixteen_rounds(state, &words, constants);
        }
        for (word, before) in state.iter_mut().zip(before) {
            *word = word.add(before);
        }
    }
}

/// Replaces the sixteen words of the message schedule by the next sixteen.
///
/// Word `t` is computed from the words `t - 16`, `t - 15`, `t - 7` and `t - 2`. Word `t - 16` is not needed
/// afterwards, so word `t` replaces it. The other words are 1, 9 and 14 places later, modulo sixteen.
#[inline(always)]
fn extend_schedule<W: Word>(words: &mut [W; 16]) {
    for index in 0..16 {
        let near = words[(index + 1) % 16];
        let far = words[(index + 14) % 16];
        let sigma_0 = near.rotate::<7, 25>().xor3(near.rotate::<18, 14>(), near.shift::<3>());
        let sigma_1 = far.rotate::<17, 15>().xor3(far.rotate::<19, 13>(), far.shift::<10>());
        words[index] = words[index].add(words[(index + 9) % 16]).add(sigma_0).add(sigma_1);
    }
}

/// Computes sixteen rounds, twice eight. After each eight, the working variables are back in their places.
#[inline(always)]
fn sixteen_rounds<W: Word>(state: &mut [W; 8], words: &[W; 16], constants: &[u32; 16]) {
    eight_rounds::<W, 0>(state, words, constants);
    eight_rounds::<W, 8>(state, words, constants);
}

/// Computes eight rounds, starting at word `AT`.
///
/// The standard moves all eight variables by one place in each round. Here the names move instead, so that a
/// round assigns two variables and copies none. After eight rounds, the names are the original ones.
#[inline(always)]
#[rustfmt::skip]
fn eight_rounds<W: Word, const AT: usize>(state: &mut [W; 8], words: &[W; 16], constants: &[u32; 16]) {
    let [a, b, c, d, e, f, g, h] = state;
    let input = |index: usize| words[AT + index].add(W::splat(constants[AT + index]));
    round(*a, *b, *c, d, *e, *f, *g, h, input(0));
    round(*h, *a, *b, c, *d, *e, *f, g, input(1));
    round(*g, *h, *a, b, *c, *d, *e, f, input(2));
    round(*f, *g, *h, a, *b, *c, *d, e, input(3));
    round(*e, *f, *g, h, *a, *b, *c, d, input(4));
    round(*d, *e, *f, g, *h, *a, *b, c, input(5));
    round(*c, *d, *e, f, *g, *h, *a, b, input(6));
    round(*b, *c, *d, e, *f, *g, *h, a, input(7));
}

/// Computes one round. The standard's next `e` and `a` are left in `d` and `h`.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the eight working variables have their names in the standard")]
fn round<W: Word>(a: W, b: W, c: W, d: &mut W, e: W, f: W, g: W, h: &mut W, input: W) {
    let sum_1 = e.rotate::<6, 26>().xor3(e.rotate::<11, 21>(), e.rotate::<25, 7>());
    let first = h.add(input).add(e.choose(f, g)).add(sum_1);
    let sum_0 = a.rotate::<2, 30>().xor3(a.rotate::<13, 19>(), a.rotate::<22, 10>());
    *d = d.add(first);
    *h = first.add(a.majority(b, c)).add(sum_0);
}
