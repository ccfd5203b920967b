//! The offending piece of a text, for an error message: shortened, with control characters escaped.

use alloc::boxed::Box;
use core::fmt;

/// How many characters of a value an error shows.
const SHOWN: usize = 64;

/// A piece of input kept for an error message.
///
/// ```
/// use urlid::sxurl::{EncodeError, Sxurl};
///
/// let Err(EncodeError::Scheme { found: Some(found) }) = Sxurl::encode("w:s") else { panic!("it has no id") };
/// assert_eq!(found.to_string(), "`w`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Excerpt(Box<str>);

impl Excerpt {
    /// Keeps the beginning of `text`.
    pub(crate) fn of(text: &str) -> Self {
        match text.char_indices().nth(SHOWN) {
            Some((end, _)) => Self([&text[..end], "…"].concat().into()),
            None => Self(text.into()),
        }
    }
}

impl fmt::Display for Excerpt {
    /// Writes the text between backquotes, control characters escaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`")?;
        for character in self.0.chars() {
            match is_unprintable(character) {
                true => write!(f, "{}", character.escape_default())?,
                false => write!(f, "{character}")?,
            }
        }
        f.write_str("`")
    }
}

/// Control characters, and those that change the direction or hide the place of others.
fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
