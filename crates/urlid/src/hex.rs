//! Converts bytes to hexadecimal digits and back.
//!
//! Readers accept digits of either case. Writers use lower case, except for `{:X}`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

const LOWER: &[u8; 16] = b"0123456789abcdef";
const UPPER: &[u8; 16] = b"0123456789ABCDEF";

/// The number of bytes of the longest identifier or digest.
const LONGEST: usize = 64;

/// Returns the lower-case digits of `bytes`.
///
/// ```
/// assert_eq!(urlid::hex::encode(&[0, 255]), "00ff");
/// ```
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|&byte| digits(byte, LOWER)).map(char::from).collect()
}

/// Appends the lower-case digits of a digest.
pub(crate) fn push(bytes: &[u8], out: &mut impl fmt::Write) -> fmt::Result {
    out.write_str(fill(bytes, LOWER, &mut [0; 2 * LONGEST]))
}

/// Writes the lower-case digits of an identifier, with the formatter's padding for texts.
pub(crate) fn write(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(fill(bytes, LOWER, &mut [0; 2 * LONGEST]))
}

/// Writes the lower-case digits of an identifier for `{:x}`, with the prefix `0x` for `{:#x}`.
pub(crate) fn write_lower(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad_integral(true, "0x", fill(bytes, LOWER, &mut [0; 2 * LONGEST]))
}

/// Writes the upper-case digits of an identifier for `{:X}`.
pub(crate) fn write_upper(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad_integral(true, "0x", fill(bytes, UPPER, &mut [0; 2 * LONGEST]))
}

/// Returns the digits of at most [`LONGEST`] bytes.
fn fill<'b>(bytes: &[u8], alphabet: &[u8; 16], buffer: &'b mut [u8; 2 * LONGEST]) -> &'b str {
    for (pair, &byte) in buffer.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
        *pair = digits(byte, alphabet);
    }
    let text = &buffer[..2 * bytes.len().min(LONGEST)];
    str::from_utf8(text).expect("digits are ASCII")
}

fn digits(byte: u8, alphabet: &[u8; 16]) -> [u8; 2] {
    [alphabet[usize::from(byte >> 4)], alphabet[usize::from(byte & 15)]]
}

fn value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// Reads `2 * N` digits.
///
/// # Errors
/// The byte offset of the first character that is not a digit, or the length if it is not `2 * N`.
pub(crate) fn decode<const N: usize>(text: &str) -> Result<[u8; N], HexError> {
    let length = text.chars().count();
    if length != 2 * N {
        return Err(HexError::Length(length));
    }
    let mut bytes = [0; N];
    // If a character is not ASCII, there are more bytes than characters. Its first byte is among the
    // first `2 * N` bytes and is an error, so `index` stays below `N`.
    for (index, pair) in text.as_bytes().chunks_exact(2).enumerate() {
        let digit = |offset: usize| value(pair[offset]).ok_or(HexError::Digit(2 * index + offset));
        bytes[index] = digit(0)? << 4 | digit(1)?;
    }
    Ok(bytes)
}

/// Reads an even number of digits.
pub(crate) fn decode_vec(text: &str) -> Result<Vec<u8>, HexError> {
    if !text.len().is_multiple_of(2) {
        return Err(HexError::Length(text.chars().count()));
    }
    let digit = |offset: usize| value(text.as_bytes()[offset]).ok_or(HexError::Digit(offset));
    (0..text.len()).step_by(2).map(|offset| Ok(digit(offset)? << 4 | digit(offset + 1)?)).collect()
}

/// The reason why a text is not the expected number of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HexError {
    /// The length of the text in characters.
    Length(usize),
    /// The byte offset of a character that is not a digit.
    Digit(usize),
}
