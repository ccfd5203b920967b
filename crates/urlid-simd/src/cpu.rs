//! The names of the CPU paths, and which of them this machine can run.
//!
//! Detects the features of the CPU and reads nothing else. A program that lets an environment variable choose reads it and
//! passes the value.

use core::fmt;
use core::str::FromStr;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use std::arch::is_x86_feature_detected as has;

/// A way to run the kernels, from the plainest to the fastest; those of x86-64 include the ones before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cpu {
    /// Plain Rust, on every machine; on 64-bit ARM with its instructions for SHA-256 if they are there. A module of WebAssembly that
    /// has [`Cpu::Simd128`] has it with the feature `twin`.
    Portable,
    /// The 128-bit registers of WebAssembly: four SHA-256 lanes, 64-byte windows of four registers.
    Simd128,
    /// AVX2 and the bit instructions that came with it: eight lanes, 32-byte windows.
    Avx2,
    /// The SHA extensions: two interleaved SHA-256 streams; SHA-1 in lanes.
    ShaNi,
    /// AVX-512 (F, BW, VL): sixteen lanes, 64-byte windows; SHA-256 of a few messages still uses the SHA extensions.
    Avx512,
}

/// Returns whether the build may use a feature of the CPU: without `std` nothing more can be found out.
#[cfg(all(target_arch = "x86_64", not(feature = "std")))]
macro_rules! has {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

impl Cpu {
    /// Every path, plainest first.
    pub const ALL: [Cpu; 5] = [Cpu::Portable, Cpu::Simd128, Cpu::Avx2, Cpu::ShaNi, Cpu::Avx512];

    /// Returns the fastest path of this machine. The answer never changes while a program runs.
    pub fn detect() -> Cpu {
        Cpu::available().last().unwrap_or(Cpu::Portable)
    }

    /// Lists the paths that this machine can run, plainest first.
    pub fn available() -> impl Iterator<Item = Cpu> {
        Cpu::ALL.into_iter().filter(|cpu| cpu.is_available())
    }

    /// Returns whether this machine can run the path.
    pub fn is_available(self) -> bool {
        match self {
            Cpu::Portable => {
                !cfg!(all(target_arch = "wasm32", target_feature = "simd128", not(feature = "twin")))
            }
            Cpu::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx2 => has_avx2(),
            #[cfg(target_arch = "x86_64")]
            Cpu::ShaNi => has_avx2() && has_sha(),
            #[cfg(target_arch = "x86_64")]
            Cpu::Avx512 => has_avx2() && has_sha() && has_avx512(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Returns the path's name, as [`Cpu::from_str`] reads it.
    pub fn name(self) -> &'static str {
        match self {
            Cpu::Portable => "portable",
            Cpu::Simd128 => "simd128",
            Cpu::Avx2 => "avx2",
            Cpu::ShaNi => "sha-ni",
            Cpu::Avx512 => "avx512",
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")
}

#[cfg(target_arch = "x86_64")]
fn has_sha() -> bool {
    has!("sha") && has!("sse4.1") && has!("ssse3")
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    has!("avx512f") && has!("avx512bw") && has!("avx512vl")
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Cpu {
    type Err = UnknownCpu;

    fn from_str(name: &str) -> Result<Cpu, UnknownCpu> {
        Cpu::ALL.into_iter().find(|cpu| cpu.name() == name).ok_or(UnknownCpu)
    }
}

/// A text that names no CPU path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCpu;

impl fmt::Display for UnknownCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown cpu path: expected one of portable, simd128, avx2, sha-ni, avx512")
    }
}

impl core::error::Error for UnknownCpu {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for cpu in Cpu::ALL {
            assert_eq!(cpu.to_string().parse(), Ok(cpu));
        }
        assert_eq!("sse9".parse::<Cpu>(), Err(UnknownCpu));
        assert_eq!(
            UnknownCpu.to_string(),
            "unknown cpu path: expected one of portable, simd128, avx2, sha-ni, avx512"
        );
    }

    #[test]
    fn the_detected_path_is_the_last_available_one() {
        assert_eq!(Cpu::available().next(), Some(Cpu::Portable));
        assert_eq!(Cpu::available().last(), Some(Cpu::detect()));
        assert!(Cpu::available().is_sorted());
    }
}
