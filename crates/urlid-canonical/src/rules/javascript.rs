//! Functions of JavaScript on texts, and of `URLSearchParams`.

use std::cmp::Ordering;

use super::escapes::escaped_byte;
use crate::unicode::{is_white_space, node};
use urlid::internal::escape::{EscapeSet, UNRESERVED};

/// Bytes that forms escape; a space becomes `+`.
// The set application/x-www-form-urlencoded of the URL Standard, in which `*` stays and `~` does not.
const FORM: EscapeSet = UNRESERVED.with(b"~").without(b"*");

/// White space and line ends of ECMAScript: with the byte order mark, without NEXT LINE.
pub(crate) fn is_space(character: char) -> bool {
    // ECMAScript's white space differs from Unicode's in these two.
    is_white_space(character) && character != '\u{85}' || character == '\u{feff}'
}

/// `trim`.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// `toLowerCase`.
pub(crate) fn lower_case(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { node::lower_case(text) }
}

/// Returns whether a text starts with an ASCII text in any letter case, like `/^start/i`. The case folding of
/// this expression does not map characters outside ASCII to ASCII letters.
pub(crate) fn starts_with(text: &[u8], start: &str) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start.as_bytes()))
}

/// `\w` of a regular expression.
pub(crate) fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Implements `decodeURI`, which keeps escapes of delimiters. Returns `None` if other escapes are not UTF-8,
/// or if a `%` does not start an escape.
pub(crate) fn decode_uri(text: &str) -> Option<String> {
    decode(text, b";/?:@&=+$,#")
}

/// `decodeURIComponent`.
pub(crate) fn decode_uri_component(text: &str) -> Option<String> {
    decode(text, b"")
}

fn decode(text: &str, kept: &[u8]) -> Option<String> {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(offset) = rest.find('%') {
        decoded.push_str(&rest[..offset]);
        rest = &rest[offset..];
        let first = escaped_byte(&rest.as_bytes()[1..])?;
        // A byte that cannot start a character gets an arbitrary length here, and `from_utf8` rejects it.
        let length = match first {
            0..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 4,
        };
        let mut bytes = [0; 4];
        for (index, byte) in bytes[..length].iter_mut().enumerate() {
            let escape = rest.as_bytes().get(3 * index..).and_then(|rest| rest.strip_prefix(b"%"));
            *byte = escaped_byte(escape?)?;
        }
        let escapes = &rest[..3 * length];
        decoded.push_str(if kept.contains(&first) {
            escapes
        } else {
            core::str::from_utf8(&bytes[..length]).ok()?
        });
        rest = &rest[escapes.len()..];
    }
    decoded.push_str(rest);
    Some(decoded)
}

/// Appends a name and a value as `URLSearchParams` writes them, with `&` before them if there are others.
pub(crate) fn push_field(name: &str, value: &str, out: &mut String) {
    if !out.is_empty() {
        out.push('&');
    }
    push_form_encoded(name, out);
    out.push('=');
    push_form_encoded(value, out);
}

fn push_form_encoded(text: &str, out: &mut String) {
    for (index, words) in text.split(' ').enumerate() {
        if index > 0 {
            out.push('+');
        }
        FORM.encode(words, out);
    }
}

/// The order of strings, by their code units of UTF-16.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    // This order differs from the order of bytes above U+FFFF, because surrogates come before U+E000.
    one.encode_utf16().cmp(other.encode_utf16())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_as_in_ecmascript() {
        for (text, component, uri) in [
            ("a%20%2f%C3%A9", Some("a /é"), Some("a %2fé")),
            ("%F0%9F%98%80%25", Some("😀%"), Some("😀%")),
            ("é%3B", Some("é;"), Some("é%3B")),
            ("%", None, None),
            ("%2", None, None),
            ("%zz", None, None),
            ("%C3", None, None),
            ("%C3é", None, None),
            ("%C3%2F", None, None),
            ("%80", None, None),
            ("%C0%80", None, None),
            ("%ED%A0%80", None, None),
            ("%F4%90%80%80", None, None),
            ("%FF", None, None),
        ] {
            assert_eq!(decode_uri_component(text).as_deref(), component, "{text}");
            assert_eq!(decode_uri(text).as_deref(), uri, "{text}");
        }
    }

    #[test]
    fn strings_are_ordered_by_code_units() {
        assert_eq!(compare("\u{10000}", "\u{ffff}"), Ordering::Less);
        assert_eq!(compare("a", "ab"), Ordering::Less);
        assert_eq!(compare("é", "z"), Ordering::Greater);
    }
}
