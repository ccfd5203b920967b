//! The characters that a URI may have (RFC 2396, section 2 and appendix A, with the brackets of RFC 2732;
//! H-2).
//!
//! This module checks only characters. Other modules split the text. The kinds of errors of canonical texts
//! come first.

use alloc::string::String;

use urlid_simd::AsciiSet;

use crate::error::{ErrorCode, ErrorKind};
use crate::escape::push_escaped;

// The subject of these errors is the URI or the base.
/// The character is not allowed in a URI (H-2).
pub(super) const CHARACTER: ErrorKind = not_uri(
    "{subject} has a character that URIs do not allow: found {found} at byte {place}, expected its percent-encoding",
);
pub(super) const PERCENT: ErrorKind =
    not_uri("{subject} has a bare `%` at byte {place}, expected two hexadecimal digits after it");
pub(super) const SECOND_FRAGMENT: ErrorKind =
    not_uri("{subject} has a second `#` at byte {place}, expected one");

/// The scheme has hosts, but the authority is not `[user@]host[:port]` (H-6).
pub(super) const AUTHORITY: ErrorKind =
    not_uri("authority of the uri is malformed: found {found}, expected `[user@]host[:port]`");

pub(super) const FIRST_SEGMENT: ErrorKind =
    not_uri("uri has a colon in its first segment but no scheme before it: found {found}");
pub(super) const RELATIVE: ErrorKind =
    ErrorKind::new(ErrorCode::Relative, "uri is relative: found {found}, expected an absolute URI or a base");

const fn not_uri(message: &'static str) -> ErrorKind {
    ErrorKind::new(ErrorCode::NotUri, message)
}

/// The first fault that prevents a text from being a URI reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A character that is not allowed in any place.
    Character,
    /// A `%` that is not followed by two hexadecimal digits.
    Percent,
    /// A `#` after the first.
    Fragment,
}

/// `excluded` of RFC 2396 (control, space, delims, unwise), without `#`, `%` and the brackets of RFC 2732.
#[inline]
const fn is_excluded(byte: u8) -> bool {
    // There are few comparisons, and they are independent of each other, so the compiler can vectorise them.
    let is_control_or_space = byte <= b' ';
    let is_high_but_tilde = (byte >= b'{') & (byte != b'~');
    let is_quote = byte == b'"';
    // `<` is 0x3c and `>` 0x3e, `\` is 0x5c and `^` 0x5e: the bytes of each pair differ only in bit 1.
    let is_angle = byte | 2 == b'>';
    let is_backslash_or_caret = byte | 2 == b'^';
    is_control_or_space | is_high_but_tilde | is_quote | is_angle | is_backslash_or_caret | (byte == b'`')
}

#[inline]
const fn is_notable(byte: u8) -> bool {
    is_excluded(byte) | (byte == b'%') | (byte == b'#')
}

/// Checks that every character may be part of a URI reference.
///
/// # Errors
/// The first fault and its byte offset.
pub(super) fn check(text: &str) -> Result<(), (usize, Fault)> {
    if has_notable(text.as_bytes()) { check_closely(text.as_bytes()) } else { Ok(()) }
}

/// Returns whether there is an excluded byte, a `%` or a `#`. The pass has no branches and is vectorised. It
/// is sufficient for nearly every text.
pub(super) fn has_notable(bytes: &[u8]) -> bool {
    const WIDTH: usize = 16;
    let Some(last) = bytes.last_chunk::<WIDTH>() else { return bytes.iter().any(|&byte| is_notable(byte)) };
    let (blocks, _) = bytes.as_chunks::<WIDTH>();
    let mut notable = [0_u8; WIDTH];
    // The last block overlaps the preceding one.
    for block in blocks.iter().chain([last]) {
        for (notable, &byte) in notable.iter_mut().zip(block) {
            *notable |= u8::from(is_notable(byte));
        }
    }
    u128::from_ne_bytes(notable) != 0
}

/// Returns the offset of the first byte from `start` on that is excluded, a `%` or a `#`.
pub(super) fn next_notable(bytes: &[u8], start: usize) -> Option<usize> {
    bytes.get(start..)?.iter().position(|&byte| NOTABLE[usize::from(byte)]).map(|length| start + length)
}

fn check_closely(bytes: &[u8]) -> Result<(), (usize, Fault)> {
    let mut has_fragment = false;
    let mut start = 0;
    while let Some(offset) = next_notable(bytes, start) {
        let fault = match bytes[offset] {
            b'%' if is_escape(&bytes[offset..]) => None,
            b'%' => Some(Fault::Percent),
            b'#' if has_fragment => Some(Fault::Fragment),
            b'#' => None,
            _ => Some(Fault::Character),
        };
        if let Some(fault) = fault {
            return Err((offset, fault));
        }
        has_fragment |= bytes[offset] == b'#';
        start = offset + 1;
    }
    Ok(())
}

/// The bytes that need no closer look.
pub(super) const PLAIN: AsciiSet = {
    let mut plain = AsciiSet::EMPTY;
    let mut byte = 0;
    while byte < 0x80 {
        if !is_notable(byte) {
            plain = plain.with(&[byte]);
        }
        byte += 1;
    }
    plain
};

/// The bytes that need a closer look, as a table for reading one byte at a time.
const NOTABLE: [bool; 256] = {
    let mut notable = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        notable[byte] = is_notable(byte as u8);
        byte += 1;
    }
    notable
};

/// Percent-encodes everything that a URI cannot have: a bare `%`, a `#` after the first one, and every
/// character that is not allowed in any place.
pub fn escape_forbidden(text: String) -> String {
    if check(&text).is_ok() {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    let mut has_fragment = false;
    for (offset, character) in text.char_indices() {
        let is_allowed = match character {
            '%' => is_escape(&text.as_bytes()[offset..]),
            '#' => !core::mem::replace(&mut has_fragment, true),
            _ => u8::try_from(character).is_ok_and(|byte| !is_excluded(byte)),
        };
        if is_allowed {
            escaped.push(character);
        } else {
            character.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_escaped(byte, &mut escaped))
        }
    }
    escaped
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
    fn forbidden_characters_are_escaped_and_allowed_ones_are_kept() {
        let cases = [
            ("http://h/a?b#c", "http://h/a?b#c"),
            ("a b|%zz%2f%#c#\u{e9}", "a%20b%7C%25zz%2f%25#c%23%C3%A9"),
            ("%%41\u{80}", "%25%41%C2%80"),
        ];
        for (text, expected) in cases {
            assert_eq!(escape_forbidden(text.to_owned()), expected);
            assert_eq!(check(expected), Ok(()));
        }
    }

    #[test]
    fn exactly_the_excluded_characters_of_rfc_2396_are_rejected() {
        let rejected: String =
            (0x20..0x7f).map(char::from).filter(|c| check(&c.to_string()).is_err()).collect();
        assert_eq!(rejected, " \"%<>\\^`{|}");
    }
}
