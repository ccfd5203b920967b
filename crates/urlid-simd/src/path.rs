//! The kernels that a CPU path provides. The paths are in `arch`, by platform.

use crate::digest::{HEX_LINE, OfWords};
use crate::message::MessageBlock;
use crate::window::Task;

/// Proof that this machine can run a path, and the kernels of that path.
///
/// Only [`Path::new`] makes values, after it has checked the features of the CPU. Therefore a method may call
/// code that is compiled with these features.
///
/// A path defines the kernels that it has instructions for, and uses its base for the others. The portable
/// path defines all kernels.
pub(crate) trait Path: Copy {
    /// The plainer path that this one includes. The base of the portable path is itself.
    type Base: Path;

    /// Returns the proof, or `None` on a machine that can't run the path.
    fn new() -> Option<Self>;

    /// Returns the proof of the base, which is a part of this proof.
    fn base(self) -> Self::Base;

    /// Hashes messages of `each` blocks with SHA-256. The caller has checked that there are `each` blocks for
    /// each place in `out`.
    #[inline(always)]
    fn sha256<P: OfWords<8>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        self.base().sha256(blocks, each, out);
    }

    /// Hashes messages of `each` blocks with SHA-1, under the same condition.
    #[inline(always)]
    fn sha1<P: OfWords<5>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        self.base().sha1(blocks, each, out);
    }

    /// Writes each value as a line of digits. The caller has checked that both slices have the same length.
    #[inline(always)]
    fn hex_lines(self, values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
        self.base().hex_lines(values, lines);
    }

    /// Runs a task over the windows of the path.
    #[inline(always)]
    fn run<T: Task>(self, task: &mut T) -> T::Output {
        self.base().run(task)
    }
}
