//! Digests as lines of lower-case hexadecimal digits.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
pub(crate) mod portable;

/// The length of a line: the digits of 32 bytes, and LF.
pub const HEX_LINE: usize = 65;
