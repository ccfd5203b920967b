//! Values in the formats other than JSON, escaped where needed.

use std::borrow::Cow;

use memchr::{memchr, memchr3};

/// Appends the only value of a row of text, which stays one line.
pub(super) fn push_line(row: &mut Vec<u8>, text: &str) {
    row.extend_from_slice(one_line(text).as_bytes());
}

/// Returns a text as one line: LF as `\n`.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    match is_one_line(text.as_bytes()) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.replace('\n', "\\n")),
    }
}

/// Appends one of several values of a row of text.
pub(super) fn push_text(row: &mut Vec<u8>, text: &str) {
    match is_plain_text(text.as_bytes()) {
        true => row.extend_from_slice(text.as_bytes()),
        false => push_line(row, &text.replace('\t', "\\t")),
    }
}

fn is_one_line(text: &[u8]) -> bool {
    memchr(b'\n', text).is_none()
}

fn is_plain_text(text: &[u8]) -> bool {
    // No early exit, so that the loop compiles to vector instructions.
    text.iter().fold(true, |plain, byte| plain & !matches!(byte, b'\t' | b'\n'))
}

/// Appends a field of CSV. An empty text has quotes, an absent value does not.
pub(crate) fn push_csv(row: &mut Vec<u8>, text: &str) {
    if is_plain_csv(text.as_bytes()) {
        return row.extend_from_slice(text.as_bytes());
    }
    row.push(b'"');
    row.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    row.push(b'"');
}

/// Appends a field of TSV.
pub(crate) fn push_tsv(row: &mut Vec<u8>, text: &str) {
    if is_plain_tsv(text.as_bytes()) {
        return row.extend_from_slice(text.as_bytes());
    }
    for &byte in text.as_bytes() {
        match byte {
            b'\t' => row.extend_from_slice(b"\\t"),
            b'\n' => row.extend_from_slice(b"\\n"),
            b'\r' => row.extend_from_slice(b"\\r"),
            b'\\' => row.extend_from_slice(b"\\\\"),
            _ => row.push(byte),
        }
    }
}

/// Returns whether a text needs no quotes in a field of CSV.
fn is_plain_csv(text: &[u8]) -> bool {
    let [Some(first), Some(last)] = [text.first(), text.last()] else { return false };
    // RFC 4180 keeps spaces at the ends, but some readers remove them.
    let ends_in_space = first.is_ascii_whitespace() || last.is_ascii_whitespace();
    !ends_in_space && memchr3(b'"', b',', b'\n', text).is_none() && memchr(b'\r', text).is_none()
}

/// Returns whether a text needs no escaping in a field of TSV.
fn is_plain_tsv(text: &[u8]) -> bool {
    memchr3(b'\t', b'\r', b'\n', text).is_none() && memchr(b'\\', text).is_none()
}

/// Appends bytes; 4 to 31 of them by two copies of constant length, which need no call to `memcpy`.
#[inline(always)]
pub(super) fn push_short(row: &mut Vec<u8>, bytes: &[u8]) {
    match bytes.len() {
        4..8 => push_halves::<4>(row, bytes),
        8..16 => push_halves::<8>(row, bytes),
        16..32 => push_halves::<16>(row, bytes),
        _ => row.extend_from_slice(bytes),
    }
}

/// Appends from `N` bytes to twice as many: the first `N` and the last, which may overlap.
#[inline(always)]
fn push_halves<const N: usize>(row: &mut Vec<u8>, bytes: &[u8]) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<N>(), bytes.last_chunk::<N>()) {
        // The second copy overwrites the bytes that both have.
        let end = row.len() + bytes.len();
        row.extend_from_slice(first);
        row.truncate(end - N);
        row.extend_from_slice(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_every_length_are_appended_whole() {
        let bytes: Vec<u8> = (0..70).collect();
        for len in 0..bytes.len() {
            let mut row = b"before".to_vec();
            push_short(&mut row, &bytes[..len]);
            assert_eq!(row, [b"before", &bytes[..len]].concat());
        }
    }
}
