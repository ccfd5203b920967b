//! The 128-bit registers of WebAssembly: four messages at a time, windows of four registers.

mod lanes;
mod window;

use lanes::Four;

use crate::arch::portable::Portable;
use crate::digest::OfWords;
use crate::hash::{Sha1, Sha256, hash_in_lanes};
use crate::message::Block;
use crate::path::Path;
use crate::window::Task;

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
