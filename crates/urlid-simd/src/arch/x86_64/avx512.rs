//! AVX-512: sixteen messages at a time, 32 if there are many, and windows of one register.

use core::arch::x86_64::*;

use super::sha_ni::ShaNi;
use crate::digest::OfWords;
use crate::hash::{Function, Sha1, Sha256, Word, initial};
use crate::message::MessageBlock;
use crate::path::Path;
use crate::window::{AsciiSet, Sealed, Simd, Task, Window};

/// Fewer messages than this are hashed with the SHA extensions, because sixteen lanes cost the same even if
/// few are used.
const WORTH_LANES: usize = 8;

/// Proof of [`ShaNi`] and of AVX-512 F, BW and VL.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(ShaNi);

impl Path for Avx512 {
    type Base = ShaNi;

    fn new() -> Option<Avx512> {
        (has!("avx512f") && has!("avx512bw") && has!("avx512vl")).then(ShaNi::new)?.map(Avx512)
    }

    #[inline(always)]
    fn base(self) -> ShaNi {
        self.0
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        let rest = out.len() % BATCH_MESSAGES;
        let in_lanes = out.len() - if rest < WORTH_LANES { rest } else { 0 };
        let (many, few) = out.split_at_mut(in_lanes);
        let (blocks, of_few) = blocks.split_at(in_lanes * each);
        // SAFETY: `self` proves AVX-512 F and BW.
        unsafe { hash::<Sha256, P, 8>(blocks, each, many) };
        self.0.sha256(of_few, each, few);
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves AVX-512 F and BW.
        unsafe { hash::<Sha1, P, 5>(blocks, each, out) }
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        // SAFETY: `self` proves every feature of the frame.
        unsafe { run(self, task) }
    }
}

/// The function into which a task is inlined to be compiled with AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run<T: Task>(proof: Avx512, task: &mut T) -> T::Output {
    task.run(proof)
}

/// Two words that go through the same operations. While one waits for a result, the machine works on the
/// other.
#[derive(Clone, Copy)]
struct Both<W>(W, W);

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

const LANES: usize = 16;

/// The number of messages that are hashed together as long as there are so many.
const BATCH_MESSAGES: usize = 2 * LANES;

/// Sixteen words. Values exist only inside [`hash`], and therefore only on a machine with AVX-512.
#[derive(Clone, Copy)]
struct Sixteen(__m512i);

// SAFETY of every block in this impl: the instructions are AVX-512F's, and a `Sixteen` exists only where it
// does.
#[expect(
    clippy::undocumented_unsafe_blocks,
    reason = "one reason holds for the whole impl and stands above it"
)]
impl Word for Sixteen {
    #[inline(always)]
    fn splat(value: u32) -> Sixteen {
        Sixteen(unsafe { _mm512_set1_epi32(value as i32) })
    }

    #[inline(always)]
    fn add(self, other: Sixteen) -> Sixteen {
        Sixteen(unsafe { _mm512_add_epi32(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Sixteen) -> Sixteen {
        Sixteen(unsafe { _mm512_xor_si512(self.0, other.0) })
    }

    // The eight bits of a ternary operation are its truth table: bit `4 * a + 2 * b + c` is the result for
    // the bits a, b, c.
    #[inline(always)]
    fn xor3(self, second: Sixteen, third: Sixteen) -> Sixteen {
        Sixteen(unsafe { _mm512_ternarylogic_epi32::<0b1001_0110>(self.0, second.0, third.0) })
    }

    #[inline(always)]
    fn choose(self, then: Sixteen, otherwise: Sixteen) -> Sixteen {
        Sixteen(unsafe { _mm512_ternarylogic_epi32::<0b1100_1010>(self.0, then.0, otherwise.0) })
    }

    #[inline(always)]
    fn majority(self, second: Sixteen, third: Sixteen) -> Sixteen {
        Sixteen(unsafe { _mm512_ternarylogic_epi32::<0b1110_1000>(self.0, second.0, third.0) })
    }

    #[inline(always)]
    fn rotate<const RIGHT: i32, const LEFT: i32>(self) -> Sixteen {
        Sixteen(unsafe { _mm512_ror_epi32::<RIGHT>(self.0) })
    }

    #[inline(always)]
    fn shift<const RIGHT: i32>(self) -> Sixteen {
        // The sibling intrinsic with a constant count has a `u32` parameter. This one compiles to the same
        // instruction.
        Sixteen(unsafe { _mm512_srl_epi32(self.0, _mm_cvtsi32_si128(RIGHT)) })
    }
}

/// Hashes messages of `each` blocks, 32 together as long as there are so many.
///
/// # Safety
/// The machine has AVX-512 F and BW.
#[target_feature(enable = "avx512f,avx512bw")]
fn hash<F, P, const N: usize>(blocks: &[MessageBlock], each: usize, out: &mut [P])
where
    F: Function<N>,
    P: OfWords<N>,
{
    for (messages, parts) in blocks.chunks(BATCH_MESSAGES * each).zip(out.chunks_mut(BATCH_MESSAGES)) {
        match parts.len() {
            0..=LANES => hash_sixteen::<F, P, N>(messages, each, parts),
            _ => hash_twice_sixteen::<F, P, N>(messages, each, parts),
        }
    }
}

/// Hashes up to sixteen messages. Unused lanes repeat the last message.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn hash_sixteen<F, P, const N: usize>(messages: &[MessageBlock], each: usize, parts: &mut [P])
where
    F: Function<N>,
    P: OfWords<N>,
{
    let mut state: [Sixteen; N] = initial::<F, _, N>();
    for index in 0..each {
        F::compress(&mut state, transpose(messages, each, index));
    }
    take(state, parts);
}

/// Hashes up to 32 messages. Unused lanes repeat the last message.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn hash_twice_sixteen<F, P, const N: usize>(messages: &[MessageBlock], each: usize, parts: &mut [P])
where
    F: Function<N>,
    P: OfWords<N>,
{
    // There are more than sixteen messages, so both parts have messages, and `transpose` finds a last message
    // in both.
    let (first, second) = messages.split_at(LANES * each);
    let mut state: [Both<Sixteen>; N] = initial::<F, _, N>();
    for index in 0..each {
        let (one, other) = (transpose(first, each, index), transpose(second, each, index));
        let mut words = [Both(one[0], other[0]); 16];
        for (both, (one, other)) in words.iter_mut().zip(one.into_iter().zip(other)) {
            *both = Both(one, other);
        }
        F::compress(&mut state, words);
    }
    let (mut one, mut other) = ([state[0].0; N], [state[0].1; N]);
    for (index, both) in state.into_iter().enumerate() {
        (one[index], other[index]) = (both.0, both.1);
    }
    let (first, second) = parts.split_at_mut(LANES);
    take(one, first);
    take(other, second);
}

/// Extracts the needed part of each lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn take<P: OfWords<N>, const N: usize>(state: [Sixteen; N], parts: &mut [P]) {
    // A hash value of SHA-1 has five words. The other registers stay zero, and `first_chunk` drops their
    // words.
    let mut words = [_mm512_setzero_si512(); 8];
    for (word, state) in words.iter_mut().zip(state) {
        *word = state.0;
    }
    for (part, row) in parts.iter_mut().zip(rows(words)) {
        *part = P::of(*row.first_chunk().expect("a hash value has at most eight words"));
    }
}

/// Transposes eight words of sixteen lanes to the words of sixteen messages.
#[inline]
#[target_feature(enable = "avx512f")]
fn rows([a, b, c, d, e, f, g, h]: [__m512i; 8]) -> [[u32; 8]; LANES] {
    let (first, second) = (fours([a, b, c, d]), fours([e, f, g, h]));
    let mut rows = [[0; 8]; LANES];
    for index in 0..4 {
        // Quarter `q` of each register belongs to lane `4 * q + index`. The second shuffle makes `pair`, in
        // which the halves of a row are adjacent. In `high` the lanes are greater by eight:
        //
        //   low    abcd of lane index | abcd of 4 + index | efgh of lane index | efgh of 4 + index
        //   pair   abcd of lane index | efgh of lane index | abcd of 4 + index | efgh of 4 + index
        let low = _mm512_shuffle_i32x4::<0b01_00_01_00>(first[index], second[index]);
        let high = _mm512_shuffle_i32x4::<0b11_10_11_10>(first[index], second[index]);
        for (quarter, pair) in [(0, low), (2, high)] {
            let pair = _mm512_shuffle_i32x4::<0b11_01_10_00>(pair, pair);
            let (even, odd) = (_mm512_castsi512_si256(pair), _mm512_extracti64x4_epi64::<1>(pair));
            for (quarter, row) in [(quarter, even), (quarter + 1, odd)] {
                // SAFETY: a row is 32 writable bytes, and the store needs no alignment.
                unsafe { _mm256_storeu_si256(rows[4 * quarter + index].as_mut_ptr().cast(), row) };
            }
        }
    }
    rows
}

/// Transposes four words of sixteen lanes: quarter `q` of register `i` gets the words of lane `4 * q + i`.
#[inline]
#[target_feature(enable = "avx512f")]
fn fours([w0, w1, w2, w3]: [__m512i; 4]) -> [__m512i; 4] {
    let (low_01, high_01) = (_mm512_unpacklo_epi32(w0, w1), _mm512_unpackhi_epi32(w0, w1));
    let (low_23, high_23) = (_mm512_unpacklo_epi32(w2, w3), _mm512_unpackhi_epi32(w2, w3));
    [
        _mm512_unpacklo_epi64(low_01, low_23),
        _mm512_unpackhi_epi64(low_01, low_23),
        _mm512_unpacklo_epi64(high_01, high_23),
        _mm512_unpackhi_epi64(high_01, high_23),
    ]
}

/// Reads block `index` of sixteen messages as sixteen message words, each with a message in every lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose(messages: &[MessageBlock], each: usize, index: usize) -> [Sixteen; 16] {
    let last = messages.len() / each - 1;
    let rows: [__m512i; LANES] = core::array::from_fn(|lane| load(&messages[lane.min(last) * each + index]));
    // First, the words of four neighbouring rows are transposed within each quarter of a register.
    let mut groups = rows;
    for group in 0..4 {
        let four = fours(core::array::from_fn(|row| rows[4 * group + row]));
        groups[4 * group..4 * group + 4].copy_from_slice(&four);
    }
    // Then the quarters are transposed: column `4 * quarter + word` is quarter `quarter` of each group.
    let mut columns = groups;
    for word in 0..4 {
        let [g0, g1, g2, g3] = core::array::from_fn(|group| groups[4 * group + word]);
        // `even_01` is `g0[0] g0[2] g1[0] g1[2]`, where the brackets name a quarter. The even ones of these
        // quarters are quarter 0 of each group, and the odd ones quarter 2.
        let (even_01, odd_01) =
            (_mm512_shuffle_i32x4::<0b10_00_10_00>(g0, g1), _mm512_shuffle_i32x4::<0b11_01_11_01>(g0, g1));
        let (even_23, odd_23) =
            (_mm512_shuffle_i32x4::<0b10_00_10_00>(g2, g3), _mm512_shuffle_i32x4::<0b11_01_11_01>(g2, g3));
        columns[word] = _mm512_shuffle_i32x4::<0b10_00_10_00>(even_01, even_23);
        columns[8 + word] = _mm512_shuffle_i32x4::<0b11_01_11_01>(even_01, even_23);
        columns[4 + word] = _mm512_shuffle_i32x4::<0b10_00_10_00>(odd_01, odd_23);
        columns[12 + word] = _mm512_shuffle_i32x4::<0b11_01_11_01>(odd_01, odd_23);
    }
    columns.map(Sixteen)
}

/// Loads a block as sixteen big-endian numbers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(block: &MessageBlock) -> __m512i {
    let big_endian =
        _mm512_broadcast_i32x4(_mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
    // SAFETY: a block is 64 readable bytes, and the load needs no alignment.
    let bytes = unsafe { _mm512_loadu_si512(block.0.as_ptr().cast()) };
    _mm512_shuffle_epi8(bytes, big_endian)
}

impl Sealed for Avx512 {}

impl Simd for Avx512 {
    type Window = Avx512Window;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> Avx512Window {
        // SAFETY: `self` proves AVX-512F; the array is 64 readable bytes, and the load needs no alignment.
        Avx512Window(unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) })
    }
}

/// A window. Only an [`Avx512`] can make one, so a value proves AVX-512.
#[derive(Clone, Copy)]
pub(crate) struct Avx512Window(__m512i);

impl Window for Avx512Window {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        // SAFETY: the value proves AVX-512BW.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, _mm512_set1_epi8(byte as i8)) }
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        // SAFETY: the value proves AVX-512BW; the set's rows are 16 readable bytes, and the load needs no
        // alignment.
        unsafe {
            let rows = _mm512_broadcast_i32x4(_mm_loadu_si128(set.rows.as_ptr().cast()));
            // As with AVX2, byte `n` is `1 << (n % 8)`, and bytes that are not ASCII get an empty row.
            let bits = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
            let row = _mm512_shuffle_epi8(rows, self.0);
            let high = _mm512_and_si512(_mm512_srli_epi16::<4>(self.0), _mm512_set1_epi8(15));
            _mm512_test_epi8_mask(row, _mm512_shuffle_epi8(bits, high))
        }
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        // SAFETY: the value proves AVX-512BW.
        unsafe { _mm512_movepi8_mask(self.0) }
    }
}
