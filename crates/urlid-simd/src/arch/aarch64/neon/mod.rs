//! NEON: four messages at a time, windows of four registers.

mod lanes;
mod window;

pub(super) use lanes::quarter;

use crate::arch::portable::Portable;
use crate::digest::OfWords;
use crate::hash::{Sha1, Sha256};
use crate::message::Block;
use crate::path::Path;
use crate::window::Task;

/// Proof of NEON: a build that lacks it lacks this module.
///
/// Digits are the base's: the compiler vectorises that loop, 27 instructions a line where code by hand has
/// 17.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Path for Neon {
    type Base = Portable;

    fn new() -> Option<Neon> {
        Some(Neon(()))
    }

    #[inline(always)]
    fn base(self) -> Portable {
        Portable
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves NEON.
        unsafe { lanes::hash::<Sha256, P, 8>(blocks, each, out) }
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves NEON.
        unsafe { lanes::hash::<Sha1, P, 5>(blocks, each, out) }
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        // SAFETY: `self` proves NEON.
        unsafe { run(self, task) }
    }
}

/// The frame into which a task is inlined to be compiled with NEON.
#[target_feature(enable = "neon")]
fn run<T: Task>(proof: Neon, task: &mut T) -> T::Output {
    task.run(proof)
}
