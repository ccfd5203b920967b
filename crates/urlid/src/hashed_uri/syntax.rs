//! Which characters a URI may have (RFC 2396, section 2 and appendix A, with the brackets of RFC 2732; H-2).
//!
//! Looks at characters alone: what stands where is told by the decomposition.

/// The first thing in a text that no URI reference has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A character that is not allowed anywhere.
    Character,
    /// A `%` without two hexadecimal digits after it.
    Percent,
    /// A `#` after the first.
    Fragment,
}

/// `excluded` of RFC 2396 (control, space, delims, unwise), without `#`, `%` and the brackets of RFC 2732.
const fn is_excluded(byte: u8) -> bool {
    byte <= b' '
        || byte >= 0x7f
        || matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}

/// Checks that every character may be part of a URI reference.
///
/// # Errors
/// The first fault and its byte offset.
pub(super) fn check(text: &str) -> Result<(), (usize, Fault)> {
    // One pass without branches, which the compiler turns into vector code, settles nearly every text.
    let is_notable = |byte: u8| is_excluded(byte) | (byte == b'%') | (byte == b'#');
    match text.bytes().fold(false, |any, byte| any | is_notable(byte)) {
        true => check_closely(text.as_bytes()),
        false => Ok(()),
    }
}

fn check_closely(bytes: &[u8]) -> Result<(), (usize, Fault)> {
    let mut fragments = 0;
    for (offset, &byte) in bytes.iter().enumerate() {
        let fault = match byte {
            b'%' if !is_escape(&bytes[offset..]) => Fault::Percent,
            b'#' if fragments > 0 => Fault::Fragment,
            byte if is_excluded(byte) => Fault::Character,
            _ => {
                fragments += usize::from(byte == b'#');
                continue;
            }
        };
        return Err((offset, fault));
    }
    Ok(())
}

/// `escaped = "%" hex hex`.
fn is_escape(bytes: &[u8]) -> bool {
    matches!(bytes, [b'%', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
}

/// `unreserved = alphanum | "-" | "_" | "." | "!" | "~" | "*" | "'" | "(" | ")"`.
pub(super) fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'-' | b'_' | b'.' | b'!' | b'~' | b'*' | b'\'' | b'(' | b')')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_is_found_with_its_offset() {
        let cases = [
            ("http://h/a?b#c", Ok(())),
            ("http://[2001:DB8::07]/;/?:@&=+$,-_.!~*'()%2f", Ok(())),
            ("", Ok(())),
            ("http://h/a b", Err((10, Fault::Character))),
            ("http://h/\u{2713}", Err((9, Fault::Character))),
            ("http://h/\u{7f}", Err((9, Fault::Character))),
            ("a%2", Err((1, Fault::Percent))),
            ("a%2g#", Err((1, Fault::Percent))),
            ("%", Err((0, Fault::Percent))),
            ("a#b#c", Err((3, Fault::Fragment))),
            ("a##", Err((2, Fault::Fragment))),
            ("\0", Err((0, Fault::Character))),
        ];
        for (text, expected) in cases {
            assert_eq!(check(text), expected, "{text:?}");
        }
    }

    #[test]
    fn exactly_the_excluded_characters_of_rfc_2396_are_refused() {
        let refused: String =
            (0x20..0x7f).map(char::from).filter(|c| check(&c.to_string()).is_err()).collect();
        assert_eq!(refused, " \"%<>\\^`{|}");
    }
}
