//! Bytes to lower-case hexadecimal digits and back.
//!
//! Layer 0. Accepts digits of either case; gives lower case.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Returns the digits of `bytes`.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Writes the digits of `bytes` without allocating.
pub(crate) fn write(bytes: &[u8], f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    use std::fmt::Write;
    bytes.iter().try_for_each(|&byte| {
        f.write_char(digit(byte >> 4))?;
        f.write_char(digit(byte & 15))
    })
}

fn digit(value: u8) -> char {
    char::from(DIGITS[usize::from(value & 15)])
}

/// Returns the value of one digit.
fn value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Reads `2 * N` digits.
///
/// # Errors
/// The byte offset of the first character that is no digit, or nothing if the count of bytes is wrong.
pub(crate) fn decode<const N: usize>(text: &str) -> Result<[u8; N], HexError> {
    if text.len() != 2 * N {
        return Err(HexError::Length(text.len()));
    }
    let mut bytes = [0; N];
    for (index, pair) in text.as_bytes().chunks_exact(2).enumerate() {
        let digit = |offset: usize| value(pair[offset]).ok_or(HexError::Digit(2 * index + offset));
        bytes[index] = digit(0)? << 4 | digit(1)?;
    }
    Ok(bytes)
}

/// Reads an even number of digits.
pub(crate) fn decode_vec(text: &str) -> Result<Vec<u8>, HexError> {
    if !text.len().is_multiple_of(2) {
        return Err(HexError::Length(text.len()));
    }
    let digit = |offset: usize| value(text.as_bytes()[offset]).ok_or(HexError::Digit(offset));
    (0..text.len()).step_by(2).map(|offset| Ok(digit(offset)? << 4 | digit(offset + 1)?)).collect()
}

/// Why a text is not the wanted number of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HexError {
    /// The length that was found, in bytes.
    Length(usize),
    /// The byte offset of what is no digit.
    Digit(usize),
}
