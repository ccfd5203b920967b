//! Proofs that the running machine has a feature: with a value of such a type, the instructions may be used.

#[cfg(target_arch = "x86_64")]
use crate::cpu::Cpu;

/// Proof that plain Rust may be used, which runs everywhere.
///
/// Where a module of WebAssembly has 128-bit registers, no machine that runs it needs another path, and there is no value of this
/// type, so that the compiler drops that path; the feature `twin` keeps it to compare them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable(PlainRust);

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", not(feature = "twin"))))]
type PlainRust = ();
#[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(feature = "twin")))]
type PlainRust = core::convert::Infallible;

impl Portable {
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128", not(feature = "twin"))))]
    pub(crate) const fn new() -> Option<Portable> {
        Some(Portable(()))
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128", not(feature = "twin")))]
    pub(crate) const fn new() -> Option<Portable> {
        None
    }
}

/// Proof of the 128-bit registers of WebAssembly: a module that has them is compiled with them.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128;

/// Proof of AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// Proof of what [`Avx2`] proves and of the SHA extensions, SSE4.1 and SSSE3.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShaNi(pub(crate) Avx2);

/// Proof of what [`ShaNi`] proves and of AVX-512 F, BW and VL.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(pub(crate) ShaNi);

/// What only this crate can implement.
pub trait Sealed {}

impl Sealed for Portable {}
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl Sealed for Simd128 {}
#[cfg(target_arch = "x86_64")]
impl Sealed for Avx2 {}
#[cfg(target_arch = "x86_64")]
impl Sealed for Avx512 {}

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    pub(crate) fn new() -> Option<Avx2> {
        Cpu::Avx2.is_available().then_some(Avx2(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl ShaNi {
    pub(crate) fn new() -> Option<ShaNi> {
        Cpu::ShaNi.is_available().then(Avx2::new)?.map(ShaNi)
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    pub(crate) fn new() -> Option<Avx512> {
        Cpu::Avx512.is_available().then(ShaNi::new)?.map(Avx512)
    }
}
