//! Percent-decoding: once or to a fixpoint, all bytes or some, by bytes or by UTF-8 sequences.

use memchr::memchr;

use crate::escape::{escaped, escaped_byte};

/// Decodes until no escape is left.
///
/// One pass: an escape that decoding completes is decoded as soon as its last digit is written. Escapes do not
/// overlap, so the order does not matter.
pub(in crate::canonical) fn decode_to_fixpoint(text: &mut Vec<u8>) {
    let Some(first) = memchr(b'%', text) else { return };
    let mut end = first;
    for index in first..text.len() {
        text[end] = text[index];
        end += 1;
        while end >= 3 && text[end - 3] == b'%' {
            let Some(byte) = escaped_byte(&text[end - 2..end]) else { break };
            end -= 2;
            text[end - 1] = byte;
        }
    }
    text.truncate(end);
}

/// Decodes once the escapes of the bytes that `is_decoded` names; the others stay, in upper case.
pub(in crate::canonical) fn decode_once(text: &mut Vec<u8>, is_decoded: fn(u8) -> bool) {
    let Some(first) = memchr(b'%', text) else { return };
    let (mut from, mut end) = (first, first);
    while from < text.len() {
        let escape = (text[from] == b'%').then(|| escaped_byte(&text[from + 1..])).flatten();
        match escape {
            Some(byte) if is_decoded(byte) => {
                text[end] = byte;
                from += 3;
                end += 1;
            }
            Some(byte) => {
                text[end..end + 3].copy_from_slice(&escaped(byte));
                from += 3;
                end += 3;
            }
            None => {
                text[end] = text[from];
                from += 1;
                end += 1;
            }
        }
    }
    text.truncate(end);
}

/// Decodes runs of escapes as UTF-8 until nothing changes. A malformed sequence stays escaped.
pub(in crate::canonical) fn decode_utf8_to_fixpoint(text: &mut Vec<u8>, spare: &mut Vec<u8>) {
    while memchr(b'%', text).is_some() && decode_utf8(text, spare) {
        core::mem::swap(text, spare);
    }
}

/// Writes the text with each run of escapes decoded as UTF-8; returns whether one was.
fn decode_utf8(text: &[u8], out: &mut Vec<u8>) -> bool {
    out.clear();
    let mut is_changed = false;
    let mut rest = text;
    while let Some(offset) = memchr(b'%', rest) {
        out.extend_from_slice(&rest[..offset]);
        rest = &rest[offset..];
        let (run, length) = escaped_run(rest);
        if length == 0 {
            out.push(b'%');
            rest = &rest[1..];
            continue;
        }
        for chunk in run.utf8_chunks() {
            is_changed |= !chunk.valid().is_empty();
            out.extend_from_slice(chunk.valid().as_bytes());
            let start = chunk.invalid().as_ptr() as usize - run.as_ptr() as usize;
            out.extend_from_slice(&rest[3 * start..3 * (start + chunk.invalid().len())]);
        }
        rest = &rest[length..];
    }
    out.extend_from_slice(rest);
    is_changed
}

/// Returns the bytes of the escapes that stand one after the other at the start, and how long their text is.
fn escaped_run(text: &[u8]) -> (Vec<u8>, usize) {
    let escapes = text.chunks(3).map_while(|chunk| match chunk {
        [b'%', digits @ ..] => escaped_byte(digits),
        _ => None,
    });
    let bytes: Vec<u8> = escapes.collect();
    let length = 3 * bytes.len();
    (bytes, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixpoint_has_no_escape_left() {
        for (text, expected) in [
            ("", ""),
            ("%", "%"),
            ("a%2", "a%2"),
            ("%41", "A"),
            ("%2541", "A"),
            ("%25252541%41", "AA"),
            ("%%34%31", "A"),
            ("%2%35%34%31", "A"),
            ("%zz%2", "%zz%2"),
        ] {
            let mut text = text.as_bytes().to_vec();
            decode_to_fixpoint(&mut text);
            assert_eq!(text, expected.as_bytes());
        }
    }

    #[test]
    fn malformed_sequences_stay_escaped() {
        for (text, expected) in [
            ("%C3%A9", "é"),
            ("%25C3%A9", "é"),
            ("%FF%C3%A9%c3", "%FFé%c3"),
            ("%e2%82x%e2%82%ac", "%e2%82x€"),
        ] {
            let (mut text, mut spare) = (text.as_bytes().to_vec(), Vec::new());
            decode_utf8_to_fixpoint(&mut text, &mut spare);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        }
    }
}
