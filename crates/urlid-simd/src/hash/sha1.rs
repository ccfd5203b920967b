//! SHA-1 (FIPS 180-4, section 6.1.2), written once for any kind of word.
//!
//! It serves to recognise old hashes. It does not resist an attacker who makes both texts.

use super::{Function, Word};

/// The hash function.
pub(crate) enum Sha1 {}

/// The round constants, one for each twenty rounds (section 4.2.1).
const K: [u32; 4] = [0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xca62_c1d6];

impl Function<5> for Sha1 {
    const INITIAL: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];

    // The rounds are written out instead of looped over, because their number selects function and constant
    // at compile time.
    #[inline(always)]
    #[rustfmt::skip]
    fn compress<W: Word>(state: &mut [W; 5], words: [W; 16]) {
        let (before, words) = (*state, &mut { words });
        five_rounds::<W, 0>(state, words); five_rounds::<W, 5>(state, words);
        five_rounds::<W, 10>(state, words); five_rounds::<W, 15>(state, words);
        five_rounds::<W, 20>(state, words); five_rounds::<W, 25>(state, words);
        five_rounds::<W, 30>(state, words); five_rounds::<W, 35>(state, words);
        five_rounds::<W, 40>(state, words); five_rounds::<W, 45>(state, words);
        five_rounds::<W, 50>(state, words); five_rounds::<W, 55>(state, words);
        five_rounds::<W, 60>(state, words); five_rounds::<W, 65>(state, words);
        five_rounds::<W, 70>(state, words); five_rounds::<W, 75>(state, words);
        for (word, before) in state.iter_mut().zip(before) {
            *word = word.add(before);
        }
    }
}

/// Computes five rounds, starting at round `AT`. The names of the variables rotate instead of their values,
/// and are back in place after five rounds.
#[inline(always)]
fn five_rounds<W: Word, const AT: usize>(state: &mut [W; 5], words: &mut [W; 16]) {
    let [a, b, c, d, e] = state;
    round::<W, AT>(*a, b, *c, *d, e, input(words, AT));
    round::<W, AT>(*e, a, *b, *c, d, input(words, AT + 1));
    round::<W, AT>(*d, e, *a, *b, c, input(words, AT + 2));
    round::<W, AT>(*c, d, *e, *a, b, input(words, AT + 3));
    round::<W, AT>(*b, c, *d, *e, a, input(words, AT + 4));
}

/// Returns the word of a round plus its constant. From round 16 on, the word is computed from earlier ones
/// (section 6.1.2, step 1). It replaces the word of sixteen rounds before, which later rounds do not need.
#[inline(always)]
fn input<W: Word>(words: &mut [W; 16], round: usize) -> W {
    if round >= 16 {
        let [three, eight, fourteen] = [3, 8, 14].map(|back| words[(round - back) % 16]);
        words[round % 16] = words[round % 16].xor(three.xor3(eight, fourteen)).rotate::<31, 1>();
    }
    words[round % 16].add(W::splat(K[round / 20]))
}

/// Computes one round. The standard's next `a` and `c` are left in `e` and `b`.
#[inline(always)]
fn round<W: Word, const AT: usize>(a: W, b: &mut W, c: W, d: W, e: &mut W, input: W) {
    // Ch in rounds 0 to 19, Maj in rounds 40 to 59, Parity in the others (section 4.1.1).
    let mixed = match AT / 20 {
        0 => b.choose(c, d),
        2 => b.majority(c, d),
        _ => b.xor3(c, d),
    };
    *e = a.rotate::<27, 5>().add(mixed).add(e.add(input));
    *b = b.rotate::<2, 30>();
}
