//! The text and number forms that the three hash types share: little-endian words, decimal text, hexadecimal text
//! (url-hash, "Representation" and "Short Forms").

use alloc::string::String;
use core::fmt;

use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::hex::{self, HexError};

/// Why a text is not a hash.
///
/// ```
/// use urlid::{Coded, ErrorCode, UrlHash};
///
/// assert_eq!("1-2-3".parse::<UrlHash>().unwrap_err().code(), ErrorCode::IdLength);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseHashError {
    /// The text has neither the wanted number of digits nor of words.
    Length {
        /// The text.
        found: Excerpt,
        /// How many decimal words make the type.
        words: usize,
    },
    /// There are not as many bytes as the type has.
    ByteLength {
        /// How many there are.
        found: usize,
        /// How many make the type.
        expected: usize,
    },
    /// A character that is no hexadecimal digit.
    Digit {
        /// Its byte offset.
        offset: usize,
    },
    /// A word that is no number below 2^64 in its shortest form.
    Word {
        /// The word.
        found: Excerpt,
    },
}

impl Coded for ParseHashError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Length { .. } | Self::ByteLength { .. } => ErrorCode::IdLength,
            Self::Digit { .. } | Self::Word { .. } => ErrorCode::IdHex,
        }
    }
}

impl fmt::Display for ParseHashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found, words } => {
                let digits = words * 16;
                write!(
                    f,
                    "hash has the wrong length: found {found}, expected {digits} hexadecimal digits or {words} decimal words joined by `-`"
                )
            }
            Self::ByteLength { found, expected } => {
                write!(f, "hash has the wrong length: found {found} bytes, expected {expected}")
            }
            Self::Digit { offset } => {
                write!(f, "hash has a character at byte {offset} that is no hexadecimal digit")
            }
            Self::Word { found } => {
                write!(
                    f,
                    "hash has a bad word: found {found}, expected a decimal number below 2^64 without leading zeros"
                )
            }
        }
    }
}

impl core::error::Error for ParseHashError {}

/// Returns the little-endian words of `bytes`.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.chunks_exact(8).map(|chunk| u64::from_le_bytes(chunk.try_into().expect("chunks of 8 have 8 bytes")))
}

/// Writes the words in decimal, joined by `-`, padded as a text is.
pub(crate) fn write_words(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

/// Takes exactly `N` bytes.
pub(crate) fn sized<const N: usize>(bytes: &[u8]) -> Result<[u8; N], ParseHashError> {
    bytes.try_into().map_err(|_| ParseHashError::ByteLength { found: bytes.len(), expected: N })
}

/// Reads `N / 8` decimal words joined by `-`, the form that `Display` writes.
pub(crate) fn parse<const N: usize>(text: &str) -> Result<[u8; N], ParseHashError> {
    let wrong_length = || ParseHashError::Length { found: Excerpt::of(text), words: N / 8 };
    let mut bytes = [0; N];
    let mut words = text.split('-');
    for chunk in bytes.chunks_exact_mut(8) {
        let word = words.next().ok_or_else(wrong_length)?;
        chunk.copy_from_slice(&decimal(word)?.to_le_bytes());
    }
    match words.next() {
        Some(_) => Err(wrong_length()),
        None => Ok(bytes),
    }
}

/// Reads `2 * N` hexadecimal digits.
pub(crate) fn parse_hex<const N: usize>(text: &str) -> Result<[u8; N], ParseHashError> {
    hex::decode(text).map_err(|error| match error {
        HexError::Digit(offset) => ParseHashError::Digit { offset },
        HexError::Length(_) => ParseHashError::Length { found: Excerpt::of(text), words: N / 8 },
    })
}

/// Reads a decimal number in its shortest form, so that equal values have equal texts.
fn decimal(word: &str) -> Result<u64, ParseHashError> {
    let is_shortest = word == "0" || !word.starts_with(['0', '+']);
    match word.parse() {
        Ok(value) if is_shortest => Ok(value),
        _ => Err(ParseHashError::Word { found: Excerpt::of(word) }),
    }
}
