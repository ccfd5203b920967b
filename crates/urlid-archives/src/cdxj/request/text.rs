//! Texts of queries: percent-encoded like Python's `urlencode`, and decoded like its `unquote_plus`. This
//! module also has the sets of rules for bodies, and the limits that they share.

/// Appends a name or value: letters, digits and `_.-~` unchanged, spaces as `+`, all other bytes as `%XX`.
/// Stops at the longest text of a query.
pub(super) fn push_encoded(bytes: &[u8], out: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    for byte in bytes {
        if out.len() >= MAX_QUERY {
            return;
        }
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'.' | b'-' | b'~' => {
                out.push(char::from(*byte))
            }
            b' ' => out.push('+'),
            _ => {
                let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
                out.extend(['%', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
}

/// Appends `name=value` after the fields before it.
pub(super) fn push_field(name: &[u8], value: &[u8], out: &mut String) {
    if !out.is_empty() {
        out.push('&');
    }
    push_encoded(name, out);
    out.push('=');
    push_encoded(value, out);
}

/// Returns the first characters of a text.
pub(super) fn first_chars(mut text: String, count: usize) -> String {
    if let Some((end, _)) = text.char_indices().nth(count) {
        text.truncate(end);
    }
    text
}

/// Returns the text of a form: `+` is a space, and `%XX` a byte of UTF-8. Bytes that are not UTF-8 become
/// U+FFFD.
///
/// A character outside ASCII ends a sequence of escaped bytes, so an escaped byte before it is never a part
/// of it.
pub(super) fn unquote_plus(form: &str) -> String {
    // A character has at most 12 bytes in escapes (an ill-formed one 9), so this many bytes give all the text
    // that is kept.
    let form = first_chars(form.to_owned(), 12 * (MAX_QUERY + 1));
    let (mut out, mut bytes) = (String::new(), Vec::new());
    for run in form.split_inclusive(|c: char| !c.is_ascii()) {
        let (ascii, other) = match run.char_indices().next_back() {
            Some((at, last)) if !last.is_ascii() => run.split_at(at),
            _ => (run, ""),
        };
        bytes.clear();
        let mut rest = ascii.as_bytes();
        while let [first, after @ ..] = rest {
            rest = after;
            match (*first, after) {
                (b'+', _) => bytes.push(b' '),
                (b'%', [high, low, after @ ..]) => match (hex(*high), hex(*low)) {
                    (Some(high), Some(low)) => {
                        bytes.push(high << 4 | low);
                        rest = after;
                    }
                    _ => bytes.push(b'%'),
                },
                (byte, _) => bytes.push(byte),
            }
        }
        out.push_str(&String::from_utf8_lossy(&bytes));
        out.push_str(other);
    }
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// The most bytes of a body, in a record and decoded.
pub(in crate::cdxj) const MAX_BODY: usize = 16 << 20;
/// The most characters of a query.
pub(super) const MAX_QUERY: usize = 4096;
/// The rules by which the body of a request becomes part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyRules {
    /// The rules of cdxj-indexer 1.5: values of JSON as Python writes them (`True`, `None`, `1.0`), and lines
    /// of JSON.
    CdxjIndexer,
    /// The rules of pywb 2.10: values of JSON as JavaScript writes them (`true`, `null`, `1`). A body without
    /// a stated length counts as empty.
    Pywb,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_decoded() {
        for (form, expected) in [
            ("a=b+c&d=%2B%20%e9", "a=b c&d=+ \u{fffd}"),
            ("%C3%A9é%C3é%A9", "éé\u{fffd}é\u{fffd}"),
            ("%", "%"),
            ("%4", "%4"),
            ("%4g%zz%%41", "%4g%zz%A"),
            ("%F0%9F%98x%F0%9F%98%80", "\u{fffd}x\u{1f600}"),
            ("%ED%A0%80", "\u{fffd}\u{fffd}\u{fffd}"),
            ("", ""),
        ] {
            assert_eq!(unquote_plus(form), expected, "{form}");
        }
    }

    #[test]
    fn fields_are_encoded() {
        let mut out = String::new();
        push_field(b"a b", "é~/?".as_bytes(), &mut out);
        push_field(b"", b"\xff-_.", &mut out);
        assert_eq!(out, "a+b=%C3%A9~%2F%3F&=%FF-_.");
    }
}
