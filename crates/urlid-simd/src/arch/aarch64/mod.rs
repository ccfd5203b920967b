//! 64-bit ARM: NEON, and the SHA-2 instructions of ARMv8. The second path includes the first.

/// Returns whether the machine has a feature.
#[cfg(feature = "std")]
macro_rules! has {
    ($feature:tt) => {
        std::arch::is_aarch64_feature_detected!($feature)
    };
}

/// Returns whether the build may use a feature. Without `std`, the machine cannot be examined.
#[cfg(not(feature = "std"))]
macro_rules! has {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

mod neon;
mod sha2;

pub(crate) use neon::Neon;
pub(crate) use sha2::Sha2;
