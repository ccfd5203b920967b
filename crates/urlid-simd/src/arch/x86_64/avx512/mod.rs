//! AVX-512: sixteen messages at a time, twice sixteen while there are many, and windows of one register.

mod both;
mod lanes;
mod window;

use super::sha_ni::ShaNi;
use crate::digest::OfWords;
use crate::hash::{Sha1, Sha256};
use crate::message::Block;
use crate::path::Path;
use crate::window::Task;

/// Fewer messages than this are left to the SHA extensions: sixteen lanes cost the same however few are used.
const WORTH_LANES: usize = 8;

/// Proof of what [`ShaNi`] proves and of AVX-512 F, BW and VL.
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
    fn sha256<P: OfWords<8>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        let rest = out.len() % lanes::TOGETHER;
        let in_lanes = out.len() - if rest < WORTH_LANES { rest } else { 0 };
        let (many, few) = out.split_at_mut(in_lanes);
        let (blocks, of_few) = blocks.split_at(in_lanes * each);
        // SAFETY: `self` proves AVX-512 F and BW.
        unsafe { lanes::hash::<Sha256, P, 8>(blocks, each, many) };
        self.0.sha256(of_few, each, few);
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        // SAFETY: `self` proves AVX-512 F and BW.
        unsafe { lanes::hash::<Sha1, P, 5>(blocks, each, out) }
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        // SAFETY: `self` proves every feature of the frame.
        unsafe { run(self, task) }
    }
}

/// The frame into which a task is inlined to be compiled with AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run<T: Task>(proof: Avx512, task: &mut T) -> T::Output {
    task.run(proof)
}
