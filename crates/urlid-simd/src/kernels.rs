//! The kernels of a CPU path, as a value that can only be built on a machine that can run them.

use crate::arch::{self, AnyPath};
use crate::cpu::Cpu;
use crate::digest::HEX_LINE;
use crate::message::MessageBlock;
use crate::window::Task;

/// The kernels of one CPU path.
///
/// Every path gives the same results, and the paths differ only in speed.
#[derive(Clone, Copy, Debug)]
pub struct Kernels(AnyPath);

impl Kernels {
    /// Returns the kernels of a path, or `None` on a machine that can't run it.
    pub fn new(cpu: Cpu) -> Option<Kernels> {
        AnyPath::new(cpu).map(Kernels)
    }

    /// Returns the kernels of the fastest path of this machine.
    #[inline]
    pub fn detect() -> Kernels {
        let kernels = || {
            Kernels::new(Cpu::detect())
                .expect("the detected path is available: it is one of the available ones")
        };
        #[cfg(feature = "std")]
        {
            static DETECTED: std::sync::OnceLock<Kernels> = std::sync::OnceLock::new();
            *DETECTED.get_or_init(kernels)
        }
        #[cfg(not(feature = "std"))]
        kernels()
    }

    /// Returns the path of these kernels.
    pub fn cpu(self) -> Cpu {
        self.0.cpu()
    }

    /// Hashes messages of `each` consecutive blocks, and writes the needed part of each digest.
    ///
    /// # Panics
    /// If `each` is 0, or the number of blocks is not `each` for each place in `out`.
    #[inline]
    pub fn hash<P: DigestPart>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
        assert!(each > 0 && blocks.len() == each * out.len(), "as many blocks as the messages have");
        P::hash(self, blocks, each, out);
    }

    /// Writes each 32 bytes as a line of 64 lower-case hexadecimal digits and LF.
    ///
    /// # Panics
    /// If `values` and `lines` have different lengths.
    pub fn hex_lines(self, values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
        assert_eq!(values.len(), lines.len(), "a line for each value");
        self.0.hex_lines(values, lines);
    }

    /// Runs a task over the path's windows.
    #[inline]
    pub fn run<T: Task>(self, mut task: T) -> T::Output {
        self.0.run(&mut task)
    }
}

impl Cpu {
    /// Returns the fastest path of this machine. The answer never changes while a program runs.
    pub fn detect() -> Cpu {
        // The list is never empty, because every build has a path whose instructions the build itself
        // requires.
        Cpu::available().last().unwrap_or(Cpu::Portable)
    }

    /// Lists the paths that this machine can run, starting with the plainest.
    pub fn available() -> impl Iterator<Item = Cpu> {
        Cpu::ALL.into_iter().filter(|cpu| cpu.is_available())
    }

    /// Returns whether this machine can run the path.
    pub fn is_available(self) -> bool {
        AnyPath::new(self).is_some()
    }
}

/// The part of a digest that a caller needs. The rest need not be computed. The type also selects the hash
/// function.
///
/// `[u8; 32]` is a whole SHA-256 digest, `u64` is its last eight bytes as a big-endian number, and `[u8; 20]`
/// is a whole SHA-1 digest.
pub trait DigestPart: Copy + part::HashPart {}

impl DigestPart for [u8; 32] {}
impl DigestPart for u64 {}
impl DigestPart for [u8; 20] {}

mod part {
    use super::{Kernels, MessageBlock};

    /// Sealed: only this crate can implement it.
    pub trait HashPart: Sized {
        /// Hashes messages by the hash function of the part.
        // Never inlined into other crates: each of them would compile the rounds of every path.
        fn hash(kernels: Kernels, blocks: &[MessageBlock], each: usize, out: &mut [Self]);
    }

    impl HashPart for [u8; 32] {
        fn hash(kernels: Kernels, blocks: &[MessageBlock], each: usize, out: &mut [Self]) {
            kernels.0.sha256(blocks, each, out);
        }
    }

    impl HashPart for u64 {
        fn hash(kernels: Kernels, blocks: &[MessageBlock], each: usize, out: &mut [Self]) {
            kernels.0.sha256(blocks, each, out);
        }
    }

    impl HashPart for [u8; 20] {
        fn hash(kernels: Kernels, blocks: &[MessageBlock], each: usize, out: &mut [Self]) {
            kernels.0.sha1(blocks, each, out);
        }
    }
}

/// Prefetches `value` into the nearest cache, on machines with an instruction for it.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    arch::prefetch(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_detected_path_is_the_last_available_one() {
        assert_eq!(Cpu::available().next(), Some(Cpu::Portable));
        assert_eq!(Cpu::available().last(), Some(Cpu::detect()));
        assert!(Cpu::available().is_sorted());
    }
}
