//! The kernels by platform, and the conditions under which each platform is compiled.

use crate::cpu::Cpu;
use crate::digest::{HEX_LINE, OfWords};
use crate::message::MessageBlock;
use crate::path::Path;
use crate::window::Task;

// Big-endian ARM numbers the lanes of a register in reverse, and firmware is built without the registers.
// Both only have the portable path.
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::prefetch;

/// Does nothing, because stable Rust has a prefetch only for x86-64.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn prefetch<T>(_value: &T) {}

/// Defines [`AnyPath`] for the paths of a platform, which have the names of [`Cpu`].
///
/// It is an enum and not a trait object: callers are generic, and a match is inlined into them.
macro_rules! paths {
    ($($platform:ident::$path:ident),+) => {
        /// Any path of this build, with the proof that the machine can run it.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum AnyPath {
            $($path($platform::$path)),+
        }

        impl AnyPath {
            /// Returns a path, or `None` if this build lacks it or the machine can't run it.
            pub(crate) fn new(cpu: Cpu) -> Option<AnyPath> {
                match cpu {
                    $(Cpu::$path => $platform::$path::new().map(AnyPath::$path),)+
                    _ => None,
                }
            }

            /// Returns the name of the path.
            pub(crate) fn cpu(self) -> Cpu {
                match self {
                    $(AnyPath::$path(_) => Cpu::$path),+
                }
            }

            // This and the following methods forward the call. `Path` documents them.
            #[inline(always)]
            pub(crate) fn sha256<P: OfWords<8>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
                match self {
                    $(AnyPath::$path(path) => path.sha256(blocks, each, out)),+
                }
            }

            #[inline(always)]
            pub(crate) fn sha1<P: OfWords<5>>(self, blocks: &[MessageBlock], each: usize, out: &mut [P]) {
                match self {
                    $(AnyPath::$path(path) => path.sha1(blocks, each, out)),+
                }
            }

            #[inline(always)]
            pub(crate) fn hex_lines(self, values: &[[u8; 32]], lines: &mut [[u8; HEX_LINE]]) {
                match self {
                    $(AnyPath::$path(path) => path.hex_lines(values, lines)),+
                }
            }

            #[inline(always)]
            pub(crate) fn run<T: Task>(self, task: &mut T) -> T::Output {
                match self {
                    $(AnyPath::$path(path) => path.run(task)),+
                }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
paths!(portable::Portable, x86_64::Avx2, x86_64::ShaNi, x86_64::Avx512);

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
paths!(portable::Portable, aarch64::Neon, aarch64::Sha2);

#[cfg(all(target_arch = "wasm32", target_feature = "simd128", feature = "twin"))]
paths!(portable::Portable, wasm32::Simd128);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(feature = "twin")))]
paths!(wasm32::Simd128);

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128"),
)))]
paths!(portable::Portable);
