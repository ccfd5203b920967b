//! The 128-bit registers of WebAssembly: four messages at a time, windows of four registers.

mod lanes;

use core::arch::wasm32::*;

use lanes::Four;

use crate::arch::portable::Portable;
use crate::digest::OfWords;
use crate::hash::{Sha1, Sha256, hash_in_lanes};
use crate::message::Block;
use crate::path::Path;
use crate::window::{AsciiSet, Sealed, Simd, Task, Window};

/// Proof of the registers: a module that has them is compiled with them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

impl Path for Simd128 {
    type Base = Portable;

    fn new() -> Option<Simd128> {
        Some(Simd128)
    }

    #[inline(always)]
    fn base(self) -> Portable {
        Portable
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        hash_in_lanes::<Sha256, Four, P, 8, 4>(blocks, each, out);
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        hash_in_lanes::<Sha1, Four, P, 5, 4>(blocks, each, out);
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        task.run(self)
    }
}

impl Sealed for Simd128 {}

impl Simd for Simd128 {
    type Window = Registers;

    #[inline(always)]
    fn window(self, bytes: &[u8; 64]) -> Registers {
        // SAFETY: each quarter of the array is 16 readable bytes, and the load needs no alignment.
        Registers([0, 16, 32, 48].map(|start| unsafe { v128_load(bytes[start..].as_ptr().cast()) }))
    }
}

/// The four quarters of a window.
#[derive(Clone, Copy)]
pub(crate) struct Registers([v128; 4]);

impl Registers {
    /// Puts the sign bits of all bytes together.
    #[inline(always)]
    fn signs(self) -> u64 {
        let [first, second, third, fourth] = self.0.map(|quarter| u64::from(u8x16_bitmask(quarter)));
        first | second << 16 | third << 32 | fourth << 48
    }
}

impl Window for Registers {
    #[inline(always)]
    fn equal(self, byte: u8) -> u64 {
        Registers(self.0.map(|quarter| u8x16_eq(quarter, u8x16_splat(byte)))).signs()
    }

    #[inline(always)]
    fn within(self, set: &AsciiSet) -> u64 {
        // SAFETY: the set's rows are 16 readable bytes, and the load needs no alignment.
        let rows = unsafe { v128_load(set.rows.as_ptr().cast()) };
        // The bit of each high nibble. Those of bytes that are not ASCII have none.
        let bits = u8x16(1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0);
        let members = self.0.map(|quarter| {
            // Unlike the shuffle of x86-64, this lookup gives zero for every index past 15, so the high
            // nibble is cleared first.
            let row = u8x16_swizzle(rows, v128_and(quarter, u8x16_splat(15)));
            let bit = u8x16_swizzle(bits, u8x16_shr(quarter, 4));
            u8x16_ne(v128_and(row, bit), u8x16_splat(0))
        });
        Registers(members).signs()
    }

    #[inline(always)]
    fn non_ascii(self) -> u64 {
        self.signs()
    }
}
