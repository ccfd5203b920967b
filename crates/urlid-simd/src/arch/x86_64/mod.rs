//! x86-64: AVX2, the SHA extensions, AVX-512. Each path includes the preceding ones.

/// Returns whether the machine has a feature.
#[cfg(feature = "std")]
macro_rules! has {
    ($feature:tt) => {
        std::arch::is_x86_feature_detected!($feature)
    };
}

/// Returns whether the build may use a feature. Without `std`, the machine cannot be examined.
#[cfg(not(feature = "std"))]
macro_rules! has {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

mod avx2;
mod avx512;
mod sha_ni;

pub(crate) use avx2::Avx2;
pub(crate) use avx512::Avx512;
pub(crate) use sha_ni::ShaNi;

/// Prefetches `value` into the nearest cache.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a prefetch reads nothing that the program could see, and the address is a reference's.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast()) };
}
