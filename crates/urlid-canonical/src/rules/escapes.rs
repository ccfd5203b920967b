//! Escapes: percent-encoding of the bytes of a set, and percent-decoding once or to a fixpoint, of all bytes
//! or some, by bytes or by UTF-8 sequences.
//!
//! Implementations decode to a fixpoint pass by pass until nothing changes. They need as many passes as
//! escapes are nested, which is half the number of bytes in `%252525…`. Here one pass is enough. It writes
//! the text over itself, and decodes an escape as soon as its last digit is written. The order of decoding
//! does not matter, because escapes do not overlap.

use memchr::memchr;
use urlid::internal::escape::{EscapeSet, escaped};

/// Returns the byte of the two digits after a `%`. Tests count the calls as the work of a rule.
pub(crate) fn escaped_byte(after_percent: &[u8]) -> Option<u8> {
    #[cfg(test)]
    looks::add();
    urlid::internal::escape::escaped_byte(after_percent)
}

/// The most escapes of one character. UTF-8 has at most four bytes.
const LONGEST_CHARACTER: usize = 4;

/// Decodes until there are no escapes left.
pub(crate) fn decode_to_fixpoint(text: &mut Vec<u8>) {
    rewrite(text, |written| Some(written.len() - decode_last(written)?));
}

/// Decodes until there are no escapes left, and returns the number of passes that this needs if each pass
/// decodes the escapes that it finds.
pub(crate) fn decode_counting_passes(text: &mut Vec<u8>) -> usize {
    let mut passes = 0;
    // Offsets of decoded bytes, each with the pass that decoded it. Bytes that cannot be part of an escape
    // are left out.
    let mut decoded: Vec<(usize, usize)> = Vec::new();
    rewrite(text, |written| {
        let length = decode_last(written)?;
        let mut pass = 1;
        // The escape started at `length - 1`. If some of its bytes were decoded themselves, it is found in
        // the pass after theirs.
        while let Some((_, part)) = decoded.pop_if(|(offset, _)| *offset >= length - 1) {
            pass = pass.max(part + 1);
        }
        if written[length - 1] == b'%' || written[length - 1].is_ascii_hexdigit() {
            decoded.push((length - 1, pass));
        }
        passes = passes.max(pass);
        Some(written.len() - length)
    });
    passes
}

/// Decodes the UTF-8 of escapes until nothing changes. A malformed sequence stays escaped.
pub(crate) fn decode_utf8_to_fixpoint(text: &mut Vec<u8>) {
    rewrite(text, |written| Some(written.len() - decode_last_character(written)?));
}

/// Writes a text over itself byte by byte. After each byte, `decode` may decode the escape at the end and
/// return by how much the text became shorter. Then it is called again, because the last byte has changed.
fn rewrite(text: &mut Vec<u8>, mut decode: impl FnMut(&mut [u8]) -> Option<usize>) {
    let Some(first) = memchr(b'%', text) else { return };
    let mut end = first;
    for index in first..text.len() {
        text[end] = text[index];
        end += 1;
        while let Some(shortened) = decode(&mut text[..end]) {
            end -= shortened;
        }
    }
    text.truncate(end);
}

/// Returns the byte of the escape at the end of a text.
fn last_escape(text: &[u8]) -> Option<u8> {
    match text {
        [.., b'%', high, low] => escaped_byte(&[*high, *low]),
        _ => None,
    }
}

/// Decodes the escape at the end of a text, and returns the length of the text including it.
fn decode_last(text: &mut [u8]) -> Option<usize> {
    let byte = last_escape(text)?;
    let length = text.len() - 2;
    text[length - 1] = byte;
    Some(length)
}

/// Decodes the character with the escapes at the end of a text, and returns the length of the text including
/// them.
fn decode_last_character(text: &mut [u8]) -> Option<usize> {
    let mut bytes = [0; LONGEST_CHARACTER];
    let mut start = text.len();
    // Goes back from the last escape over continuation bytes to the first byte of the character, if the
    // escapes form one.
    for first in (0..LONGEST_CHARACTER).rev() {
        bytes[first] = last_escape(&text[..start])?;
        start -= 3;
        let is_continuation = bytes[first] & 0xc0 == 0x80;
        if !is_continuation {
            // Overlong forms, surrogates and single lead bytes fail here, and their escapes stay.
            let character = core::str::from_utf8(&bytes[first..]).ok()?.as_bytes();
            text[start..][..character.len()].copy_from_slice(character);
            return Some(start + character.len());
        }
    }
    None
}

/// Decodes once the escapes of the bytes that `is_decoded` accepts. The other escapes stay, in upper case.
pub(crate) fn decode_once(text: &mut Vec<u8>, is_decoded: fn(u8) -> bool) {
    let Some(first) = memchr(b'%', text) else { return };
    let (mut from, mut end) = (first, first);
    while from < text.len() {
        let escape = (text[from] == b'%').then(|| escaped_byte(&text[from + 1..])).flatten();
        // The written text is never longer than the read text, so writing does not overtake reading.
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

/// Escapes the bytes of a set in place.
pub(crate) fn encode(text: &mut Vec<u8>, set: &EscapeSet, spare: &mut Vec<u8>) {
    let Some(first) = text.iter().position(|&byte| set.contains(byte)) else { return };
    spare.clear();
    spare.extend_from_slice(&text[..first]);
    set.encode_bytes(&text[first..], spare);
    core::mem::swap(text, spare);
}

/// Escapes the bytes of a set and every `%` that does not start an escape. Existing escapes stay, in upper
/// case.
pub(crate) fn encode_keeping_escapes(text: &mut Vec<u8>, set: &EscapeSet, spare: &mut Vec<u8>) {
    if !text.iter().any(|&byte| byte == b'%' || set.contains(byte)) {
        return;
    }
    spare.clear();
    let mut rest = text.as_slice();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, escaped_byte(after)) {
            (b'%', Some(value)) => {
                // The escape is written again, because its digits become upper case.
                spare.extend_from_slice(&escaped(value));
                rest = &after[2..];
            }
            (b'%', None) => spare.extend_from_slice(&escaped(b'%')),
            _ => set.encode_bytes(&[byte], spare),
        }
    }
    core::mem::swap(text, spare);
}

/// The number of escapes that a thread has looked for. Tests compare this work, because times differ.
#[cfg(test)]
pub(crate) mod looks {
    use std::cell::Cell;

    std::thread_local! {
        static COUNT: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add() {
        COUNT.set(COUNT.get() + 1);
    }

    pub(crate) fn count() -> usize {
        COUNT.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::escapes::looks;
    use crate::{Form, Profile};

    #[test]
    fn a_fixpoint_contains_no_escapes() {
        for (text, expected, passes) in [
            ("", "", 0),
            ("%", "%", 0),
            ("a%2", "a%2", 0),
            ("%41", "A", 1),
            ("%41%41", "AA", 1),
            ("%2541", "A", 2),
            ("%25252541%41", "AA", 4),
            ("%41%25252541", "AA", 4),
            ("%%34%31", "A", 2),
            ("%%34%2531", "A", 3),
            ("%2%35%34%31", "A", 3),
            ("%32%2%35%31", "2%1", 2),
            ("%2%2%35%35", "%2%5", 2),
            ("%zz%2", "%zz%2", 0),
        ] {
            let mut decoded = text.as_bytes().to_vec();
            decode_to_fixpoint(&mut decoded);
            assert_eq!(decoded, expected.as_bytes(), "{text}");
            let mut counted = text.as_bytes().to_vec();
            assert_eq!(decode_counting_passes(&mut counted), passes, "{text}");
            assert_eq!(counted, decoded);
        }
    }

    #[test]
    fn malformed_sequences_stay_escaped() {
        for (text, expected) in [
            ("%C3%A9", "é"),
            ("%25C3%A9", "é"),
            ("%C3%25A9", "é"),
            ("%C3%%41%39", "é"),
            ("%FF%C3%A9%c3", "%FFé%c3"),
            ("%C3%C3%A9%A9", "%C3é%A9"),
            ("%e2%82x%e2%82%ac", "%e2%82x€"),
            ("%F0%E2%82%AC", "%F0€"),
            ("%F0%9F%98%8", "%F0%9F%98%8"),
            ("%F0%9F%98%80%80", "😀%80"),
            ("%ED%A0%80%C0%80%F4%90%80%80", "%ED%A0%80%C0%80%F4%90%80%80"),
            ("é%A9", "é%A9"),
        ] {
            let mut text = text.as_bytes().to_vec();
            decode_utf8_to_fixpoint(&mut text);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
        }
    }

    /// One pass gives what the passes of the implementations give, for every short text of the bytes that
    /// matter.
    #[test]
    fn one_pass_decodes_what_many_do() {
        const BYTES: &[u8] = b"%2539aC";
        const LENGTH: u32 = 7;
        for number in 0..BYTES.len().pow(LENGTH) {
            let digit = |place| BYTES[number / BYTES.len().pow(place) % BYTES.len()];
            let text: Vec<u8> = (0..LENGTH).map(digit).collect();
            let (mut by_passes, mut passes) = (text.clone(), 0);
            loop {
                let before = by_passes.len();
                decode_once(&mut by_passes, |_| true);
                if by_passes.len() == before {
                    break;
                }
                passes += 1;
            }
            let mut found = text.clone();
            assert_eq!(decode_counting_passes(&mut found), passes, "{text:?}");
            assert_eq!(found, by_passes, "{text:?}");
        }
    }

    /// Escapes that stay and escapes that are nested: passes over the text would look at the former again and
    /// again.
    #[test]
    fn the_work_of_every_profile_is_linear_in_the_text() {
        let looks = |form: &Form, count: usize| {
            let before = looks::count();
            let escapes = ["%FF".repeat(count), "%".to_owned(), "25".repeat(count), "41".to_owned()].concat();
            for start in ["http://h/", "http://h/?a=", "http://h"] {
                // A few profiles reject the text.
                let _ = form.canonicalize(&[start, &escapes].concat());
            }
            looks::count() - before
        };
        for form in Profile::all().iter().map(|profile| Form::from(*profile)) {
            let (once, twice) = (looks(&form, 1_000), looks(&form, 2_000));
            assert!(twice <= 2 * once + 100, "{form}: {once} looks at a text, {twice} at one twice as long");
        }
    }
}
