//! The SHA-256 compression function (FIPS 180-4, section 6.2.2), once, over any kind of word.
//!
//! A word is one `u32` for one message, or a vector of them with a message in each lane. Message words and
//! working variables all stay in registers where the machine has enough of them: every index is a constant.

#[cfg(target_arch = "x86_64")]
use super::State;
use super::{INITIAL, K};

/// A 32-bit word of one message, or of several side by side.
pub(super) trait Word: Copy {
    /// Returns `value` in every lane.
    fn splat(value: u32) -> Self;
    /// Adds modulo 2^32.
    fn add(self, other: Self) -> Self;
    /// Returns the exclusive or of three words.
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

/// Two words that take the same way: while one waits for a result, the machine works on the other.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(super) struct Both<W>(pub(super) W, pub(super) W);

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

/// The round constants, sixteen for each sixteen rounds.
const CONSTANTS: &[[u32; 16]] = K.as_chunks().0;

/// The hash value before the first block.
#[inline(always)]
pub(super) fn initial<W: Word>() -> [W; 8] {
    // Not `map`: the compiler makes it a function of its own here, without the vector instructions.
    let mut state = [W::splat(0); 8];
    for (word, value) in state.iter_mut().zip(INITIAL) {
        *word = W::splat(value);
    }
    state
}

/// Takes one lane of a hash value.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn lane<const LANES: usize>(words: &[[u32; LANES]; 8], lane: usize) -> State {
    words.map(|word| word[lane])
}

/// Folds one block, given as its sixteen message words, into the hash value.
#[inline(always)]
pub(super) fn compress<W: Word>(state: &mut [W; 8], mut words: [W; 16]) {
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

/// Replaces the sixteen words of the message schedule by the next sixteen.
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

#[inline(always)]
fn sixteen_rounds<W: Word>(state: &mut [W; 8], words: &[W; 16], constants: &[u32; 16]) {
    eight_rounds::<W, 0>(state, words, constants);
    eight_rounds::<W, 8>(state, words, constants);
}

/// Eight rounds from word `AT` on, after which every working variable is back in its place.
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

/// One round. The variables keep their places: what the standard calls the next `e` and `a` are left in `d` and `h`.
#[inline(always)]
#[expect(clippy::too_many_arguments, reason = "the eight working variables have their names in the standard")]
fn round<W: Word>(a: W, b: W, c: W, d: &mut W, e: W, f: W, g: W, h: &mut W, input: W) {
    let sum_1 = e.rotate::<6, 26>().xor3(e.rotate::<11, 21>(), e.rotate::<25, 7>());
    let first = h.add(input).add(e.choose(f, g)).add(sum_1);
    let sum_0 = a.rotate::<2, 30>().xor3(a.rotate::<13, 19>(), a.rotate::<22, 10>());
    *d = d.add(first);
    *h = first.add(a.majority(b, c)).add(sum_0);
}
