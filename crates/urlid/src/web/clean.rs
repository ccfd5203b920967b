//! The bytes that the URL standard ignores: leading and trailing controls and spaces, and tabs and newlines
//! anywhere (WHATWG "basic URL parser", steps 1 to 3).

use alloc::borrow::Cow;

use memchr::memchr3;

/// Returns `text` without leading and trailing bytes up to 0x20, and without TAB, LF and CR.
///
/// Only the WHATWG reading cleans; RFC 3986 has no such step.
pub fn clean(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(|character| character <= ' ');
    match memchr3(b'\t', b'\n', b'\r', text.as_bytes()).is_some() {
        true => Cow::Owned(
            text.chars().filter(|&character| !character.is_ascii() || !is_removed(character as u8)).collect(),
        ),
        false => Cow::Borrowed(text),
    }
}

fn is_removed(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}
