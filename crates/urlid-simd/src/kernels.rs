//! The kernels of one CPU path, as a value that only a machine able to run them can build.

use crate::cpu::Cpu;
use crate::hex::{self, HEX_LINE};
use crate::lanes;
use crate::message::Block;
use crate::part::OfWords;
use crate::proof::Portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::proof::Simd128;
#[cfg(target_arch = "x86_64")]
use crate::proof::{Avx2, Avx512, ShaNi};
use crate::sha1::Sha1;
#[cfg(not(target_arch = "aarch64"))]
use crate::sha256::Sha256;
#[cfg(target_arch = "x86_64")]
use crate::sha256::sha_ni;
use crate::window::Task;

/// Fewer messages than this are left to the SHA extensions: sixteen lanes cost the same however few are used.
#[cfg(target_arch = "x86_64")]
const WORTH_LANES: usize = 8;

/// The kernels of one CPU path.
///
/// Every path gives the same results; they differ in speed alone.
#[derive(Clone, Copy, Debug)]
pub struct Kernels(Path);

#[derive(Clone, Copy, Debug)]
enum Path {
    Portable(Portable),
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Simd128),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    ShaNi(ShaNi),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Kernels {
    /// Returns the kernels of a path, or `None` on a machine that can't run it.
    pub fn new(cpu: Cpu) -> Option<Kernels> {
        let path = match cpu {
            Cpu::Portable => Path::Portable(Portable::new()?),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Cpu::Simd128 => Path::Simd128(Simd128),
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            Cpu::Simd128 => return None,
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => Path::Avx2(Avx2::new()?),
            #[cfg(target_arch = "x86_64")]
            Cpu::ShaNi => Path::ShaNi(ShaNi::new()?),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => Path::Avx512(Avx512::new()?),
            #[cfg(not(target_arch = "x86_64"))]
            Cpu::Avx2 | Cpu::ShaNi | Cpu::Avx512 => return None,
        };
        Some(Kernels(path))
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

    /// Returns the path that these kernels are of.
    pub fn cpu(self) -> Cpu {
        match self.0 {
            Path::Portable(_) => Cpu::Portable,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Path::Simd128(_) => Cpu::Simd128,
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(_) => Cpu::Avx2,
            #[cfg(target_arch = "x86_64")]
            Path::ShaNi(_) => Cpu::ShaNi,
            #[cfg(target_arch = "x86_64")]
            Path::Avx512(_) => Cpu::Avx512,
        }
    }

    /// Hashes messages of `each` blocks, which stand one after the other, and writes the wanted part of each digest.
    ///
    /// # Panics
    /// If there are not `each` blocks, at least one, for each place in `out`.
    #[inline]
    pub fn hash<P: Part>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        assert!(each > 0 && blocks.len() == each * out.len(), "as many blocks as the messages have");
        P::hash(self, blocks, each, out);
    }

    /// Hashes by SHA-256.
    #[inline]
    fn sha256<P: OfWords<8>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        match self.0 {
            #[cfg(not(target_arch = "aarch64"))]
            Path::Portable(_) => lanes::portable::hash::<Sha256, P, 8>(blocks, each, out),
            #[cfg(target_arch = "aarch64")]
            Path::Portable(_) => crate::sha256::armv8::hash(blocks, each, out),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Path::Simd128(_) => lanes::simd128::hash::<Sha256, P, 8>(blocks, each, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the path's proof says that the machine has the kernel's features.
            Path::Avx2(_) => unsafe { lanes::avx2::hash::<Sha256, P, 8>(blocks, each, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Path::ShaNi(_) => unsafe { sha_ni::hash(blocks, each, out) },
            #[cfg(target_arch = "x86_64")]
            Path::Avx512(_) => {
                let rest = out.len() % lanes::avx512::TOGETHER;
                let in_lanes = out.len() - if rest < WORTH_LANES { rest } else { 0 };
                let (many, few) = out.split_at_mut(in_lanes);
                let (blocks, of_few) = blocks.split_at(in_lanes * each);
                // SAFETY: as above.
                unsafe {
                    lanes::avx512::hash::<Sha256, P, 8>(blocks, each, many);
                    sha_ni::hash(of_few, each, few);
                }
            }
        }
    }

    /// Hashes by SHA-1. Its instructions take one message, so that lanes are faster.
    #[inline]
    fn sha1<P: OfWords<5>>(self, blocks: &[Block], each: usize, out: &mut [P]) {
        match self.0 {
            Path::Portable(_) => lanes::portable::hash::<Sha1, P, 5>(blocks, each, out),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Path::Simd128(_) => lanes::simd128::hash::<Sha1, P, 5>(blocks, each, out),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the path's proof, or the proof inside it, says that the machine has AVX2.
            Path::Avx2(_) | Path::ShaNi(_) => unsafe { lanes::avx2::hash::<Sha1, P, 5>(blocks, each, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the path's proof says that the machine has the kernel's features.
            Path::Avx512(_) => unsafe { lanes::avx512::hash::<Sha1, P, 5>(blocks, each, out) },
        }
    }

    /// Writes each 32 bytes as a line of 64 lower-case hexadecimal digits and LF.
    ///
    /// # Panics
    /// If the two are not equally many.
    pub fn hex_lines(self, values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
        assert_eq!(values.len(), lines.len(), "a line for each value");
        match self.0 {
            Path::Portable(_) => hex::portable::write_lines(values, lines),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Path::Simd128(_) => hex::portable::write_lines(values, lines),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the path's proof, or the proof inside it, says that the machine has AVX2.
            Path::Avx2(_) | Path::ShaNi(_) | Path::Avx512(_) => unsafe {
                hex::avx2::write_lines(values, lines)
            },
        }
    }

    /// Runs a task over the path's windows.
    #[inline]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Path::Portable(proof) => task.run(proof),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Path::Simd128(proof) => task.run(proof),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `proof` says that the machine has the features.
            Path::Avx2(proof) | Path::ShaNi(ShaNi(proof)) => unsafe { run_avx2(proof, task) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `proof` says that the machine has the features.
            Path::Avx512(proof) => unsafe { run_avx512(proof, task) },
        }
    }
}

/// The frame into which a task is inlined to be compiled with AVX2 and its bit instructions.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx2<T: Task>(proof: Avx2, task: T) -> T::Output {
    task.run(proof)
}

/// The frame into which a task is inlined to be compiled with AVX-512.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn run_avx512<T: Task>(proof: Avx512, task: T) -> T::Output {
    task.run(proof)
}

/// The part of a digest that a caller wants; the rest need not be computed. It decides the hash function.
///
/// `[u8; 32]` is a whole SHA-256 digest, `u64` the last eight bytes of one as a big-endian number, and `[u8; 20]` a whole
/// SHA-1 digest.
pub trait Part: Copy + part::Hash {}

impl Part for [u8; 32] {}
impl Part for u64 {}
impl Part for [u8; 20] {}

mod part {
    use super::{Block, Kernels};

    /// What only this crate can implement.
    pub trait Hash: Sized {
        /// Hashes messages by the hash function of the part.
        fn hash(kernels: Kernels, blocks: &[Block], each: usize, out: &mut [Self]);
    }

    impl Hash for [u8; 32] {
        #[inline]
        fn hash(kernels: Kernels, blocks: &[Block], each: usize, out: &mut [Self]) {
            kernels.sha256(blocks, each, out);
        }
    }

    impl Hash for u64 {
        #[inline]
        fn hash(kernels: Kernels, blocks: &[Block], each: usize, out: &mut [Self]) {
            kernels.sha256(blocks, each, out);
        }
    }

    impl Hash for [u8; 20] {
        #[inline]
        fn hash(kernels: Kernels, blocks: &[Block], each: usize, out: &mut [Self]) {
            kernels.sha1(blocks, each, out);
        }
    }
}

/// Prefetches `value` into the nearest cache, on machines that have an instruction for it.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing that the program could see, and the address is a reference's.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
