//! Percent-encoding: a set of bytes to escape, as data.

use crate::rules::escapes::escaped_byte;
use urlid::internal::escape::{EscapeSet, escaped};

/// Escapes the bytes of a set in place.
pub(crate) fn encode(text: &mut Vec<u8>, set: &EscapeSet, spare: &mut Vec<u8>) {
    let Some(first) = text.iter().position(|&byte| set.contains(byte)) else { return };
    spare.clear();
    spare.extend_from_slice(&text[..first]);
    set.encode_bytes(&text[first..], spare);
    core::mem::swap(text, spare);
}

/// Escapes the bytes of a set and every `%` that starts no escape; what is an escape stays, in upper case.
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
                // Written anew, because the digits of escapes become upper case.
                spare.extend_from_slice(&escaped(value));
                rest = &after[2..];
            }
            (b'%', None) => spare.extend_from_slice(&escaped(b'%')),
            _ => set.encode_bytes(&[byte], spare),
        }
    }
    core::mem::swap(text, spare);
}
