//! The text and number forms that the three hash types share: little-endian words, decimal text, hexadecimal
//! text (url-hash, "Representation" and "Short Forms").

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use crate::error::{Error, ErrorCode, ErrorKind};
use crate::hex::{self, HexError};

const LENGTH: ErrorKind =
    ErrorKind::new(ErrorCode::IdLength, "hash has the wrong length: found {found}, expected {expected}");
const DIGIT: ErrorKind =
    ErrorKind::new(ErrorCode::IdHex, "hash has a character at byte {place} that is not a hexadecimal digit");
const WORD: ErrorKind = ErrorKind::new(
    ErrorCode::IdHex,
    "hash has a bad word: found {found}, expected a decimal number below 2^64 without leading zeros",
);

/// Returns the little-endian words of `bytes`.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("chunks of 8 have 8 bytes")))
}

/// Writes the words in decimal, joined by `-`, with the formatter's padding for texts.
pub(crate) fn write_words(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // Without padding, the words are written directly and nothing is allocated.
    if f.width().is_none() && f.precision().is_none() {
        return push_words(bytes, f);
    }
    let mut text = String::new();
    push_words(bytes, &mut text)?;
    f.pad(&text)
}

fn push_words(bytes: &[u8], out: &mut impl fmt::Write) -> fmt::Result {
    let mut digits = itoa::Buffer::new();
    words(bytes).enumerate().try_for_each(|(index, word)| {
        out.write_str(if index == 0 { "" } else { "-" })?;
        out.write_str(digits.format(word))
    })
}

/// Returns the bytes of `N / 8` little-endian words.
pub(crate) fn bytes_of<const N: usize>(words: &[u64]) -> [u8; N] {
    let mut bytes = [0; N];
    for (chunk, word) in bytes.chunks_exact_mut(8).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// Returns the bytes as an array if there are exactly `N`.
pub(crate) fn sized<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Error> {
    bytes.try_into().map_err(|_| {
        LENGTH.error().with_shown(format_args!("{} bytes", bytes.len())).with_expected(N.to_string())
    })
}

/// Reads `N / 8` decimal words joined by `-`, the form that `Display` writes.
pub(crate) fn parse<const N: usize>(text: &str) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    let mut words = text.split('-');
    for chunk in bytes.chunks_exact_mut(8) {
        let word = words.next().ok_or_else(|| wrong_length::<N>(text))?;
        chunk.copy_from_slice(&decimal(word)?.to_le_bytes());
    }
    match words.next() {
        Some(_) => Err(wrong_length::<N>(text)),
        None => Ok(bytes),
    }
}

/// Reads `2 * N` hexadecimal digits.
pub(crate) fn parse_hex<const N: usize>(text: &str) -> Result<[u8; N], Error> {
    hex::decode(text).map_err(|error| match error {
        HexError::Digit(offset) => DIGIT.error().with_offset(offset),
        HexError::Length(_) => wrong_length::<N>(text),
    })
}

/// Reads a decimal number in its shortest form, so that equal values have equal texts.
fn decimal(word: &str) -> Result<u64, Error> {
    // `parse` by itself would also accept `+1` and `01`.
    let is_shortest = word == "0" || !word.starts_with(['0', '+']);
    match word.parse() {
        Ok(value) if is_shortest => Ok(value),
        _ => Err(WORD.found(word)),
    }
}

fn wrong_length<const N: usize>(text: &str) -> Error {
    let expected = format!("{} hexadecimal digits or {} decimal words joined by `-`", 2 * N, N / 8);
    LENGTH.found(text).with_expected(expected)
}
