//! SHA-256 with the instructions of ARMv8, two independent messages interleaved.
//!
//! A single stream waits for its own results most of the time, and a second stream fills the gaps.

use core::arch::aarch64::*;

use super::neon::{Neon, quarter};
use crate::digest::OfWords;
use crate::hash::sha256::{INITIAL, K};
use crate::message::MessageBlock;
use crate::path::Path;

/// Proof of [`Neon`] and of the SHA-2 instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sha2(Neon);

impl Path for Sha2 {
    type Base = Neon;

    fn new() -> Option<Sha2> {
        has!("sha2").then(Neon::new)?.map(Sha2)
    }

    #[inline(always)]
    fn base(self) -> Neon {
        self.0
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves NEON and the SHA-2 instructions.
        unsafe { hash(blocks, each, out) }
    }
}

/// The eight words of a hash value.
type State = [u32; 8];

/// Hashes messages of `each` blocks in pairs.
///
/// # Safety
/// The machine has NEON and the SHA-2 instructions.
#[target_feature(enable = "neon,sha2")]
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
#[target_feature(enable = "neon,sha2")]
fn hash_streams<const N: usize>(messages: [&[MessageBlock]; N]) -> [State; N] {
    let mut states = [[load(&INITIAL, 0), load(&INITIAL, 1)]; N];
    for index in 0..messages[0].len() {
        compress(&mut states, messages.map(|message| &message[index]));
    }
    let mut values = [[0; 8]; N];
    for (value, [abcd, efgh]) in values.iter_mut().zip(states) {
        // SAFETY: both halves of the array are four writable words.
        unsafe {
            vst1q_u32(value.as_mut_ptr(), abcd);
            vst1q_u32(value[4..].as_mut_ptr(), efgh);
        }
    }
    values
}

/// Folds a block into each hash value, whose words are in two registers: a b c d and e f g h.
#[inline]
#[target_feature(enable = "neon,sha2")]
fn compress<const N: usize>(states: &mut [[uint32x4_t; 2]; N], blocks: [&MessageBlock; N]) {
    let before = *states;
    let mut words = blocks.map(|block| [0, 1, 2, 3].map(|number| quarter(block, number)));
    for group in 0..16 {
        let constants = load(&K, group);
        for ([abcd, efgh], words) in states.iter_mut().zip(&mut words) {
            let [oldest, second, third, newest] = *words;
            let input = vaddq_u32(oldest, constants);
            // Four rounds. Each instruction computes one half of the state from both halves before the
            // rounds.
            let abcd_before = *abcd;
            *abcd = vsha256hq_u32(abcd_before, *efgh, input);
            *efgh = vsha256h2q_u32(*efgh, abcd_before, input);
            // The schedule advances by four words. The last four groups compute words that are not used.
            let partial = vsha256su0q_u32(oldest, second);
            *words = [second, third, newest, vsha256su1q_u32(partial, third, newest)];
        }
    }
    for ([abcd, efgh], [abcd_before, efgh_before]) in states.iter_mut().zip(before) {
        *abcd = vaddq_u32(*abcd, abcd_before);
        *efgh = vaddq_u32(*efgh, efgh_before);
    }
}

/// Loads the four words of group `group`.
#[inline]
#[target_feature(enable = "neon")]
fn load(words: &[u32], group: usize) -> uint32x4_t {
    let four: &[u32; 4] = &words.as_chunks().0[group];
    // SAFETY: four words are 16 readable bytes.
    unsafe { vld1q_u32(four.as_ptr()) }
}
