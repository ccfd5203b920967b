//! AVX2: eight messages at a time, windows of two registers, 32 digits at a time.

mod hex;
mod lanes;
mod window;

use crate::arch::portable::Portable;
use crate::digest::{HEX_LINE, OfWords};
use crate::hash::{Sha1, Sha256};
use crate::message::Block;
use crate::path::Path;
use crate::window::Task;

/// Proof of AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Path for Avx2 {
    type Base = Portable;

    fn new() -> Option<Avx2> {
        (has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")).then_some(Avx2(()))
    }

    #[inline(always)]
    fn base(self) -> Portable {
        Portable
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves AVX2.
        unsafe { lanes::hash::<Sha256, P, 8>(blocks, each, out) }
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves AVX2.
        unsafe { lanes::hash::<Sha1, P, 5>(blocks, each, out) }
    }

    #[inline(always)]
    fn hex_lines(self, values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
        // SAFETY: `self` proves AVX2.
        unsafe { hex::write_lines(values, lines) }
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        // SAFETY: `self` proves every feature of the frame.
        unsafe { run(self, task) }
    }
}

/// The frame into which a task is inlined to be compiled with AVX2 and its bit instructions.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run<T: Task>(proof: Avx2, task: &mut T) -> T::Output {
    task.run(proof)
}
