//! The bytes that the URL standard ignores: leading and trailing controls and spaces, and tabs and newlines
//! anywhere (WHATWG "basic URL parser", steps 1 to 3).

use alloc::borrow::Cow;

use memchr::memchr3;

/// What is removed wherever it is.
const REMOVED: [u8; 3] = *b"\t\n\r";

/// Returns `text` without leading and trailing bytes up to 0x20, and without TAB, LF and CR.
///
/// Only the WHATWG reading cleans; RFC 3986 has no such step.
pub fn clean(text: &str) -> Cow<'_, str> {
    let text = text.trim_matches(|character| character <= ' ');
    let [tab, line_feed, carriage_return] = REMOVED;
    if memchr3(tab, line_feed, carriage_return, text.as_bytes()).is_some() {
        Cow::Owned(text.chars().filter(|&character| !REMOVED.map(char::from).contains(&character)).collect())
    } else {
        Cow::Borrowed(text)
    }
}
