//! The texts of bodies of JSON as UTF-8, with surrogates.

use super::fault::Fault;

/// Appends the text of a document, whose encoding is recognised by its first bytes.
pub(super) fn push_decoded(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
    // UTF-32 before UTF-16, since its little-endian mark begins with that of UTF-16. Without a mark the zeros
    // of ASCII characters decide, as in Python's `json.detect_encoding`.
    match bytes {
        [0, 0, 0xfe, 0xff, rest @ ..] => push_utf32(rest, u32::from_be_bytes, out),
        [0xff, 0xfe, 0, 0, rest @ ..] => push_utf32(rest, u32::from_le_bytes, out),
        [0xfe, 0xff, rest @ ..] => push_utf16(rest, u16::from_be_bytes, out),
        [0xff, 0xfe, rest @ ..] => push_utf16(rest, u16::from_le_bytes, out),
        [0xef, 0xbb, 0xbf, rest @ ..] => push_utf8(rest, out),
        [0, 0, _, _, ..] => push_utf32(bytes, u32::from_be_bytes, out),
        [0, _, _, _, ..] | [0, _] => push_utf16(bytes, u16::from_be_bytes, out),
        [_, 0, 0, 0, ..] => push_utf32(bytes, u32::from_le_bytes, out),
        [_, 0, _, _, ..] | [_, 0] => push_utf16(bytes, u16::from_le_bytes, out),
        _ => push_utf8(bytes, out),
    }
}

fn push_utf8(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
    let mut rest = bytes;
    while let Err(error) = str::from_utf8(rest) {
        match &rest[error.valid_up_to()..] {
            // Python decodes with `surrogatepass`, which accepts a surrogate in three bytes.
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, after @ ..] => rest = after,
            _ => return Err(Fault::Other),
        }
    }
    out.extend_from_slice(bytes);
    Ok(())
}

fn push_utf16(bytes: &[u8], of_bytes: fn([u8; 2]) -> u16, out: &mut Vec<u8>) -> Result<(), Fault> {
    let (units, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Fault::Other);
    }
    for unit in char::decode_utf16(units.iter().map(|unit| of_bytes(*unit))) {
        match unit {
            Ok(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(error) => push_surrogate(error.unpaired_surrogate(), out),
        }
    }
    Ok(())
}

fn push_utf32(bytes: &[u8], of_bytes: fn([u8; 4]) -> u32, out: &mut Vec<u8>) -> Result<(), Fault> {
    let (units, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Fault::Other);
    }
    for unit in units {
        let number = of_bytes(*unit);
        match (char::from_u32(number), u16::try_from(number)) {
            (Some(char), _) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            // Below 2^16 only surrogates are not characters.
            (None, Ok(surrogate)) => push_surrogate(surrogate, out),
            (None, Err(_)) => return Err(Fault::Other),
        }
    }
    Ok(())
}

/// Appends a surrogate as UTF-8 would encode its number.
pub(super) fn push_surrogate(unit: u16, out: &mut Vec<u8>) {
    // 1110xxxx 10xxxxxx 10xxxxxx
    let [high, low] = [unit >> 6 & 0x3f, unit & 0x3f].map(|bits| 0x80 | bits as u8);
    out.extend([0xe0 | (unit >> 12) as u8, high, low]);
}
