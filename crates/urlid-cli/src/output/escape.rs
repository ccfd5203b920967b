//! Escaping of text for a terminal, so that the bytes of an input cannot control it.

use std::fmt::{self, Write};
use std::path::Path;

/// Shows bytes as text. Bytes that are not UTF-8 become `\xNN`, and characters on which a terminal would act,
/// or which it would hide, become `\xNN` or `\u{N}`.
pub(crate) struct Escaped<'a>(pub(crate) &'a [u8]);

impl<'a> Escaped<'a> {
    /// Shows the name of a file.
    pub(crate) fn path(path: &'a Path) -> Self {
        Escaped(path.as_os_str().as_encoded_bytes())
    }
}

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.0.utf8_chunks() {
            part.valid().chars().try_for_each(|character| write_visible(character, out))?;
            part.invalid().iter().try_for_each(|byte| write!(out, "\\x{byte:02x}"))?;
        }
        Ok(())
    }
}

/// Like [`Escaped`], with a backslash doubled and a tab as `\t`. The bytes can be restored, and a tab can
/// separate fields.
pub(crate) struct Reversible<'a>(pub(crate) &'a [u8]);

impl fmt::Display for Reversible<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.0.utf8_chunks() {
            for character in part.valid().chars() {
                match character {
                    '\\' => out.write_str("\\\\")?,
                    '\t' => out.write_str("\\t")?,
                    _ => write_visible(character, out)?,
                }
            }
            part.invalid().iter().try_for_each(|byte| write!(out, "\\x{byte:02x}"))?;
        }
        Ok(())
    }
}

fn write_visible(character: char, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    match character {
        _ if character.is_ascii_control() => write!(out, "\\x{:02x}", u32::from(character)),
        _ if acts_unseen(character) => write!(out, "\\u{{{:x}}}", u32::from(character)),
        _ => out.write_char(character),
    }
}

/// Returns whether a character controls a terminal, is invisible, or moves others like the marks of
/// bidirectional text.
pub(crate) fn acts_unseen(character: char) -> bool {
    character.is_control()
        // The default ignorable code points of Unicode, the separators of lines and paragraphs, and the marks
        // of interlinear annotations.
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_controls_are_escaped() {
        for (bytes, shown) in [
            (&b"plain \\ text"[..], "plain \\ text"),
            (b"\x1b[31m\x07\x7f\r\n\t\0", "\\x1b[31m\\x07\\x7f\\x0d\\x0a\\x09\\x00"),
            (b"\xc2\x9b31m", "\\u{9b}31m"),
            (b"bad \xff\xc0\xaf", "bad \\xff\\xc0\\xaf"),
            ("b\u{fc}cher \u{202e}evil".as_bytes(), "b\u{fc}cher \\u{202e}evil"),
            ("\u{ad}\u{61c}\u{fe0f}\u{e0041}".as_bytes(), "\\u{ad}\\u{61c}\\u{fe0f}\\u{e0041}"),
        ] {
            assert_eq!(Escaped(bytes).to_string(), shown);
        }
    }

    #[test]
    fn escapes_keep_fields_apart_and_backslashes_certain() {
        assert_eq!(Reversible(b"a\tb\\x1b\x1b").to_string(), "a\\tb\\\\x1b\\x1b");
    }
}
