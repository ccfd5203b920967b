//! Writing JSON: strings, objects and lists, and nothing that reads it.

use std::fmt::Write;

/// Appends `text` as a JSON string.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    if is_plain(text.as_bytes()) {
        out.push_str(text);
        out.push('"');
        return;
    }
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // DEL and the C1 controls may stand in JSON, but a terminal would act on them.
            _ if character.is_control() => {
                write!(out, "\\u{:04x}", u32::from(character)).expect("writing to a String does not fail");
            }
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// Returns whether a text stands for itself in a string, for sure. Looks at all of it, which is faster where that is so.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') & (byte != b'"') & (byte != b'\\');
    text.iter().fold(true, |plain, &byte| plain & is_plain(byte))
}

/// Returns `text` as a JSON string.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_string(&mut out, text);
    out
}

/// Returns a JSON list of things that are JSON already.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
}

/// A JSON object that is being written.
#[derive(Default)]
pub(crate) struct Object(String);

impl Object {
    /// Begins an empty object.
    pub(crate) fn new() -> Self {
        Object::default()
    }

    /// Adds a member whose value is JSON already.
    #[must_use]
    pub(crate) fn json(mut self, name: &str, value: &str) -> Self {
        if !self.0.is_empty() {
            self.0.push(',');
        }
        push_string(&mut self.0, name);
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

    /// Adds a member that is a whole number.
    #[must_use]
    pub(crate) fn number(self, name: &str, value: u64) -> Self {
        self.json(name, &value.to_string())
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
    fn strings_hold_no_control_character() {
        assert_eq!(
            string("a\"\\\n\r\t\0\u{1b}\u{7f}\u{9b}\u{fc}"),
            r#""a\"\\\n\r\t\u0000\u001b\u007f\u009bü""#
        );
    }

    #[test]
    fn objects_are_members_between_braces() {
        let object = Object::new().text("a", "x").number("b", 1).optional("d", None);
        assert_eq!(object.json("e", &list(["1".to_owned()])).finish(), r#"{"a":"x","b":1,"d":null,"e":[1]}"#);
        assert_eq!(Object::new().finish(), "{}");
    }
}
