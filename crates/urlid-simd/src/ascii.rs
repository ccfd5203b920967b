//! Bytes as text, without the state machine of UTF-8.

use crate::window::{Simd, Window};

/// Returns the first `len` bytes of a window as text, or `None` if they are not all ASCII or not so many.
///
/// For short texts this is several times as fast as `str::from_utf8`, which looks at them one by one.
#[inline(always)]
pub fn ascii_text<S: Simd>(simd: S, bytes: &[u8; 64], len: usize) -> Option<&str> {
    let text = bytes.get(..len)?;
    // Unbounded, because a `len` of 64 shifts all ones out.
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
    fn text_is_what_utf8_says_unless_it_is_not_ascii() {
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
