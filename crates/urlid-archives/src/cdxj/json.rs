//! The layout of a CDXJ line, and JSON strings in ASCII, as Python's `json.dumps` writes them.

use std::fmt::Write;

/// Appends a text as a JSON string.
pub(super) fn push_text(text: &str, out: &mut String) {
    out.push('"');
    if is_plain(text) {
        out.push_str(text);
        out.push('"');
        return;
    }
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(char),
            _ => {
                // `json.dumps` writes characters above U+FFFF as a surrogate pair.
                for unit in char.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}").expect("writing to a String does not fail");
                }
            }
        }
    }
    out.push('"');
}

/// Returns whether every character can be written without an escape. Examines all of them without an early
/// return, so that the compiler vectorises the loop.
fn is_plain(text: &str) -> bool {
    // `&` instead of `&&`, because a loop without branches can be vectorised.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\');
    text.bytes().fold(true, |plain, byte| plain & is_plain(byte))
}

/// The layout of the lines of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexLayout {
    /// Key, time and JSON.
    Cdxj,
    /// Nine fields, without the length.
    Cdx9,
    /// Eleven fields, with robot flags and the length of the record.
    Cdx11,
}

impl IndexLayout {
    /// Returns the first line of an index, if its format has a header.
    pub fn header(self) -> Option<&'static str> {
        match self {
            IndexLayout::Cdxj => None,
            IndexLayout::Cdx9 => Some(" CDX N b a m s k r V g"),
            IndexLayout::Cdx11 => Some(" CDX N b a m s k r M S V g"),
        }
    }

    /// Returns the names of the fields after key and time. `redirect` and `meta` are always empty, and CDXJ
    /// leaves out empty fields.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            IndexLayout::Cdxj => &["url", "mime", "status", "digest", "length", "offset", "filename"],
            IndexLayout::Cdx9 => &["url", "mime", "status", "digest", "redirect", "offset", "filename"],
            IndexLayout::Cdx11 => {
                &["url", "mime", "status", "digest", "redirect", "meta", "length", "offset", "filename"]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_need_it_are_escaped_and_no_others() {
        for byte in 0..=0x7f_u8 {
            let mut out = String::new();
            let text = char::from(byte).to_string();
            push_text(&text, &mut out);
            assert_eq!(is_plain(&text), out == format!("\"{text}\""), "{byte}");
        }
    }

    #[test]
    fn texts_are_escaped_to_ascii() {
        let mut out = String::new();
        push_text("a\"\\/\n\r\t\u{8}\u{c}\u{1}\u{7f}é\u{1f600}", &mut out);
        assert_eq!(out, "\"a\\\"\\\\/\\n\\r\\t\\b\\f\\u0001\\u007f\\u00e9\\ud83d\\ude00\"");
    }
}
