//! Percent-encoding: the sets of bytes that each part of a URL escapes (WHATWG URL, "Percent-encoded bytes").
//!
//! Each set is a constant built from an earlier one, in the order of the standard. `%` is not in any set, so
//! existing escapes never change.

use alloc::string::String;
use alloc::vec::Vec;

use urlid_simd::AsciiSet;

/// A set of bytes to escape.
pub struct EscapeSet([bool; 256]);

/// The C0 controls, DEL and all bytes that are not ASCII.
pub const C0_CONTROL: EscapeSet = EscapeSet::c0_control();
/// C0 control set, space, `"`, `<`, `>`, backquote.
pub const FRAGMENT: EscapeSet = C0_CONTROL.with(b" \"<>`");
/// C0 control set, space, `"`, `#`, `<`, `>`.
pub const QUERY: EscapeSet = C0_CONTROL.with(b" \"#<>");
/// Query set and `'`.
pub const SPECIAL_QUERY: EscapeSet = QUERY.with(b"'");
/// Query set and `?`, `^`, backquote, `{`, `}`.
pub const PATH: EscapeSet = QUERY.with(b"?^`{}");
/// Path set and `/`, `:`, `;`, `=`, `@`, `[`, `\`, `]`, `|`.
pub const USERINFO: EscapeSet = PATH.with(b"/:;=@[\\]|");
/// All bytes except the unreserved characters of RFC 3986.
pub const UNRESERVED: EscapeSet =
    EscapeSet([true; 256]).without(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~");

impl EscapeSet {
    const fn c0_control() -> Self {
        let mut set = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            set[byte] = byte < 0x20 || byte > 0x7e;
            byte += 1;
        }
        Self(set)
    }

    /// Returns the set with these bytes added.
    pub const fn with(&self, bytes: &[u8]) -> Self {
        let mut set = self.0;
        let mut index = 0;
        while index < bytes.len() {
            set[bytes[index] as usize] = true;
            index += 1;
        }
        Self(set)
    }

    /// Returns the set with these bytes removed.
    pub const fn without(&self, bytes: &[u8]) -> Self {
        let mut set = self.0;
        let mut index = 0;
        while index < bytes.len() {
            set[bytes[index] as usize] = false;
            index += 1;
        }
        Self(set)
    }

    /// Returns the ASCII bytes that are not escaped.
    pub const fn others(&self) -> AsciiSet {
        let (mut others, mut byte) = (AsciiSet::EMPTY, 0);
        while byte < 128 {
            if !self.0[byte as usize] {
                others = others.with(&[byte]);
            }
            byte += 1;
        }
        others
    }

    /// Returns whether `byte` is escaped.
    #[inline]
    pub const fn contains(&self, byte: u8) -> bool {
        self.0[byte as usize]
    }

    /// Appends `text` to `out`, with the bytes of the set as `%XX`.
    pub fn encode(&self, text: &str, out: &mut String) {
        let mut rest = text;
        while let Some(offset) = rest.bytes().position(|byte| self.contains(byte)) {
            out.push_str(&rest[..offset]);
            // Every set contains all bytes of a character that is not ASCII.
            let length = rest[offset..].chars().next().map_or(1, char::len_utf8);
            rest[offset..offset + length].bytes().for_each(|byte| push_escaped(byte, out));
            rest = &rest[offset + length..];
        }
        out.push_str(rest);
    }

    /// Appends bytes to `out`, with the bytes of the set as `%XX`.
    #[inline]
    pub fn encode_bytes(&self, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            if self.contains(byte) { out.extend_from_slice(&escaped(byte)) } else { out.push(byte) }
        }
    }
}

/// Appends `%` and two upper-case hexadecimal digits.
pub fn push_escaped(byte: u8, out: &mut String) {
    out.extend(escaped(byte).map(char::from));
}

/// Returns `%` and two upper-case hexadecimal digits.
#[inline]
pub fn escaped(byte: u8) -> [u8; 3] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    [b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}

/// Returns the byte whose escape has these two digits after the `%`.
pub fn escaped_byte(after_percent: &[u8]) -> Option<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    match after_percent {
        [high, low, ..] => Some((digit(high)? << 4 | digit(low)?) as u8),
        _ => None,
    }
}
