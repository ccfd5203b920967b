//! The names of the CPU paths.
//!
//! [`Kernels`](crate::Kernels) detects which of them this machine can run, and reads only the CPU's features.
//! A program that lets an environment variable choose the path reads the variable and passes the value.

use core::fmt;
use core::str::FromStr;

/// A way to run the kernels. On each platform, the paths are ordered from the plainest to the fastest, and
/// each path includes the preceding ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cpu {
    /// Plain Rust, on every machine. Only one build lacks it, WebAssembly with [`Cpu::Simd128`]: there it
    /// would never be chosen, and would add 32 KB to the 665 KB of a module of the npm package. The feature
    /// `twin` adds it there for comparisons.
    Portable,
    /// The 128-bit registers of WebAssembly: four lanes, windows of four registers.
    Simd128,
    /// The 128-bit registers of 64-bit ARM (NEON): four lanes, windows of four registers.
    Neon,
    /// The SHA-256 instructions of ARMv8: two interleaved SHA-256 streams. SHA-1 uses lanes.
    Sha2,
    /// AVX2 and the bit instructions that came with it: eight lanes, windows of two registers.
    Avx2,
    /// The SHA extensions of x86-64: two interleaved SHA-256 streams. SHA-1 uses lanes.
    ShaNi,
    /// AVX-512 (F, BW, VL): sixteen lanes, windows of one register. SHA-256 of a few messages still uses the
    /// SHA extensions.
    Avx512,
}

impl Cpu {
    /// Every path of every platform, starting with the plainest.
    pub const ALL: [Cpu; 7] =
        [Cpu::Portable, Cpu::Simd128, Cpu::Neon, Cpu::Sha2, Cpu::Avx2, Cpu::ShaNi, Cpu::Avx512];

    /// Returns the path's name, which [`Cpu::from_str`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Cpu::Portable => "portable",
            Cpu::Simd128 => "simd128",
            Cpu::Neon => "neon",
            Cpu::Sha2 => "sha2",
            Cpu::Avx2 => "avx2",
            Cpu::ShaNi => "sha-ni",
            Cpu::Avx512 => "avx512",
        }
    }
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

/// The error for a text that is not the name of a CPU path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCpu;

impl fmt::Display for UnknownCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown cpu path: expected one of ")?;
        for (index, cpu) in Cpu::ALL.into_iter().enumerate() {
            write!(f, "{}{cpu}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
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
            "unknown cpu path: expected one of portable, simd128, neon, sha2, avx2, sha-ni, avx512"
        );
    }

    #[test]
    fn the_list_has_every_path_in_order() {
        for (index, cpu) in Cpu::ALL.into_iter().enumerate() {
            assert_eq!(cpu as usize, index);
        }
    }
}
