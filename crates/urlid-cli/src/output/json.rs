//! Writing JSON: strings, objects, lists and values of other crates.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::output::escape::acts_unseen;

/// Appends `text` as a JSON string.
pub(crate) fn push_string(out: &mut Vec<u8>, text: &str) {
    if !push_plain(out, text.as_bytes()) {
        out.push(b'"');
        push_characters(out, text);
        out.push(b'"');
    }
}

/// Appends bytes as a JSON string if they are printable ASCII without a need for escapes. Returns whether
/// they are.
pub(crate) fn push_plain(out: &mut Vec<u8>, text: &[u8]) -> bool {
    let is_plain = is_plain(text);
    if is_plain {
        out.push(b'"');
        out.extend_from_slice(text);
        out.push(b'"');
    }
    is_plain
}

/// Appends the characters of a JSON string.
fn push_characters(out: &mut Vec<u8>, text: &str) {
    for character in text.chars() {
        match character {
            '"' => out.extend_from_slice(b"\\\""),
            '\\' => out.extend_from_slice(b"\\\\"),
            '\n' => out.extend_from_slice(b"\\n"),
            '\r' => out.extend_from_slice(b"\\r"),
            '\t' => out.extend_from_slice(b"\\t"),
            // JSON allows many of these, but a terminal would act on them or hide them.
            _ if acts_unseen(character) => {
                // An escape has four digits, so a character that needs more is a pair of surrogates.
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}").expect("writing to a Vec does not fail");
                }
            }
            _ => out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Returns whether a text can be written in a string without escapes.
fn is_plain(text: &[u8]) -> bool {
    // Without an early exit, the loop compiles to vector instructions.
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\');
    text.iter().fold(true, |plain, &byte| plain & is_plain(byte))
}

/// Returns `text` as a JSON string.
pub(crate) fn string(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    String::from_utf8(out).expect("a JSON string of text is text")
}

/// Returns a value as a line of JSON.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut out, Visible);
    value.serialize(&mut serializer).expect("writing to a Vec does not fail, and every key is a text");
    out.push(b'\n');
    String::from_utf8(out).expect("JSON is text")
}

/// Compact JSON, with escapes for characters that a terminal acts on or hides.
struct Visible;

impl Formatter for Visible {
    // serde_json escapes quotes, backslashes and control characters below a space itself, so a fragment is
    // free of them.
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut escaped = Vec::new();
        push_characters(&mut escaped, fragment);
        writer.write_all(&escaped)
    }
}

/// Returns a JSON list of things that are JSON already.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// A JSON object that is being written.
#[derive(Default)]
pub(crate) struct Object(String);

impl Object {
    /// Starts an empty object.
    pub(crate) fn new() -> Self {
        Object::default()
    }

    /// Adds a member with a value that is already JSON.
    #[must_use]
    pub(crate) fn json(mut self, name: &str, value: &str) -> Self {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        self.0.push_str(&string(name));
        self.0.push(':');
        self.0.push_str(value);
        self
    }

    /// Adds a member that is a string.
    #[must_use]
    pub(crate) fn text(self, name: &str, value: &str) -> Self {
        self.json(name, &string(value))
    }

    /// Adds a member that is a string or null.
    #[must_use]
    pub(crate) fn optional(self, name: &str, value: Option<&str>) -> Self {
        self.json(name, &value.map_or_else(|| "null".to_owned(), string))
    }

    /// Returns the text of the object.
    pub(crate) fn finish(self) -> String {
        format!("{{{}}}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_hold_nothing_that_a_terminal_acts_on() {
        assert_eq!(
            string("a\"\\\n\r\t\0\u{1b}\u{7f}\u{9b}\u{202e}\u{e0041}\u{fc}"),
            r#""a\"\\\n\r\t\u0000\u001b\u007f\u009b\u202e\udb40\udc41ü""#
        );
    }

    #[test]
    fn values_of_other_crates_hold_nothing_that_a_terminal_acts_on() {
        assert_eq!(
            line(&["a\"\n\u{1b}\u{7f}\u{202e}\u{e0041}\u{fc}"]),
            "[\"a\\\"\\n\\u001b\\u007f\\u202e\\udb40\\udc41ü\"]\n"
        );
    }

    #[test]
    fn objects_are_members_between_braces() {
        let object = Object::new().text("a", "x").optional("d", None);
        assert_eq!(object.json("e", &list(["1".to_owned()])).finish(), r#"{"a":"x","d":null,"e":[1]}"#);
        assert_eq!(Object::new().finish(), "{}");
    }
}
