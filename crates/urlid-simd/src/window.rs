//! Windows: 64 bytes of text that are compared at once.
//!
//! A parser that is written with [`Simd`] as a [`Task`] is compiled once for every CPU path, and the window's
//! operations are inlined.

/// Proof that this machine can run a path, and the maker of the path's windows. Only this crate can implement
/// it.
pub trait Simd: Copy + Sealed {
    /// The window type of the path.
    type Window: Window;

    /// Loads 64 bytes, which need no alignment.
    fn window(self, bytes: &[u8; 64]) -> Self::Window;
}

/// Sealed: the module is private, so only this crate can implement it.
pub trait Sealed {}

/// 64 bytes of text. A returned mask has bit `i` set if the condition holds for byte `i`.
pub trait Window: Copy {
    /// Returns the mask of the bytes that are `byte`.
    fn equal(self, byte: u8) -> u64;

    /// Returns the mask of the bytes that are members of `set`.
    fn within(self, set: &AsciiSet) -> u64;

    /// Returns the mask of the bytes that are not ASCII.
    fn non_ascii(self) -> u64;
}

/// A computation over windows that [`Kernels::run`](crate::Kernels::run) executes.
pub trait Task {
    /// The result of the task.
    type Output;

    /// Runs the task once. Implement it with `#[inline(always)]`, because a task that is not inlined loses
    /// the path's instructions.
    // `self` is a reference, because a value would be copied in each of the calls that lead here. A copy of
    // several words at once has to wait until the words have been written one by one.
    fn run<S: Simd>(&mut self, simd: S) -> Self::Output;
}

/// A set of ASCII bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AsciiSet {
    /// Bit `high` of entry `low` is set if byte `16 * high + low` is a member. A shuffle instruction looks up
    /// sixteen low nibbles in sixteen entries at once. ASCII has eight high nibbles, which fit into an entry.
    pub(crate) rows: [u8; 16],
}

impl AsciiSet {
    /// The empty set.
    pub const EMPTY: AsciiSet = AsciiSet { rows: [0; 16] };

    /// Returns the set with `bytes` added. Bytes that are not ASCII are ignored.
    pub const fn with(mut self, bytes: &[u8]) -> AsciiSet {
        let mut index = 0;
        while index < bytes.len() {
            let byte = bytes[index];
            if byte.is_ascii() {
                self.rows[(byte & 15) as usize] |= 1 << (byte >> 4);
            }
            index += 1;
        }
        self
    }

    /// Returns the set with every byte from `first` to `last` added.
    pub const fn with_range(mut self, first: u8, last: u8) -> AsciiSet {
        let mut byte = first;
        // The second condition also ends the loop at 0x80, before `byte` could overflow.
        while byte <= last && byte.is_ascii() {
            self = self.with(&[byte]);
            byte += 1;
        }
        self
    }

    /// Returns the set without `byte`.
    pub const fn without(mut self, byte: u8) -> AsciiSet {
        if byte.is_ascii() {
            self.rows[(byte & 15) as usize] &= !(1 << (byte >> 4));
        }
        self
    }

    /// Returns the ASCII bytes that are not in the set.
    pub const fn complement(mut self) -> AsciiSet {
        // The 16 rows of eight bits are exactly the 128 ASCII bytes, so no other byte gets in.
        let mut index = 0;
        while index < 16 {
            self.rows[index] = !self.rows[index];
            index += 1;
        }
        self
    }

    /// Returns a table that tells for each byte whether it is a member.
    pub const fn to_table(&self) -> [bool; 256] {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = self.contains(byte as u8);
            byte += 1;
        }
        table
    }

    /// Returns whether `byte` is a member.
    #[inline]
    pub const fn contains(&self, byte: u8) -> bool {
        byte.is_ascii() && self.rows[(byte & 15) as usize] >> (byte >> 4) & 1 == 1
    }
}

/// Returns the first `len` bytes of a window as text, or `None` if they are not all ASCII or there are fewer.
///
/// For short texts, this is several times as fast as `str::from_utf8`, which checks the bytes one at a time.
#[inline(always)]
pub fn ascii_text<S: Simd>(simd: S, bytes: &[u8; 64], len: usize) -> Option<&str> {
    let text = bytes.get(..len)?;
    // The shift is unbounded, because a `len` of 64 shifts out all ones.
    let others = simd.window(bytes).non_ascii() & !u64::MAX.unbounded_shl(len as u32);
    // SAFETY: every sequence of ASCII bytes is UTF-8, and `Simd` is sealed: its windows are right.
    (others == 0).then(|| unsafe { str::from_utf8_unchecked(text) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cpu, Kernels, Task};

    struct FirstText<'t>(&'t [u8; 64], usize);

    impl<'t> Task for FirstText<'t> {
        type Output = Option<&'t str>;

        #[inline(always)]
        fn run<S: Simd>(&mut self, simd: S) -> Self::Output {
            ascii_text(simd, self.0, self.1)
        }
    }

    #[test]
    fn bytes_are_text_only_if_they_are_ascii() {
        for kernels in Cpu::available().filter_map(Kernels::new) {
            for len in 0..=64 {
                let mut bytes = [b'a'; 64];
                assert_eq!(kernels.run(FirstText(&bytes, len)), str::from_utf8(&bytes[..len]).ok());
                for index in 0..64 {
                    for byte in [0, 0x7f, 0x80, 0xc3, 0xff] {
                        bytes[index] = byte;
                        let expected =
                            str::from_utf8(&bytes[..len]).ok().filter(|_| byte < 0x80 || index >= len);
                        assert_eq!(
                            kernels.run(FirstText(&bytes, len)),
                            expected,
                            "{byte:#x} at {index} of {len}"
                        );
                    }
                    bytes[index] = b'a';
                }
            }
            assert_eq!(kernels.run(FirstText(&[b'a'; 64], 65)), None);
        }
    }
}
