//! The beginning of a text, for an error message.

use core::fmt;

/// How many characters of a value an error shows.
const SHOWN: usize = 64;

/// Displays as the first characters of the text between backquotes, control characters escaped.
pub struct Excerpt<'a>(pub &'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.char_indices().nth(SHOWN).map(|(end, _)| end);
        f.write_str("`")?;
        for character in self.0[..end.unwrap_or(self.0.len())].chars() {
            // A hostile URL could otherwise rearrange the line of a terminal, or hide a part of itself.
            if is_unprintable(character) {
                write!(f, "{}", character.escape_default())?
            } else {
                write!(f, "{character}")?
            }
        }
        f.write_str(if end.is_some() { "…`" } else { "`" })
    }
}

/// Control characters, and those that change the direction or hide the place of others.
fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
