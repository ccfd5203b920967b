//! Plain Rust: a path that every platform has, and the twin of every other kernel.

mod hex;
mod lanes;
mod window;

use crate::digest::{HEX_LINE, OfWords};
use crate::hash::{Sha1, Sha256, hash_in_lanes};
use crate::message::Block;
use crate::path::Path;
use crate::window::Task;

/// Proof of nothing: plain Rust runs everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Path for Portable {
    type Base = Portable;

    fn new() -> Option<Portable> {
        Some(Portable)
    }

    #[inline(always)]
    fn base(self) -> Portable {
        self
    }

    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        hash_in_lanes::<Sha256, u32, P, 8, 1>(blocks, each, out);
    }

    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        hash_in_lanes::<Sha1, u32, P, 5, 1>(blocks, each, out);
    }

    #[inline(always)]
    fn hex_lines(self, values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
        hex::write_lines(values, lines);
    }

    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        task.run(self)
    }
}
