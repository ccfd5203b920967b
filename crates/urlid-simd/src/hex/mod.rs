//! Digests as lower-case hexadecimal text.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
pub(crate) mod portable;

/// The hexadecimal digits of 32 bytes.
pub const HEX_LEN: usize = 64;
