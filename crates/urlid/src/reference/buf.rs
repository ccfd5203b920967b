//! The owned form of a [`Reference`], and texts made from tokens.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::Reference;
use super::parse::{Context, Offsets, split};
use super::structure::check_structure;
use super::token::Token;
use crate::error::Error;
use crate::reference::error;

/// An owned [`Reference`].
///
/// ```
/// use urlid::reference::{Context, ReferenceBuf};
///
/// let base = ReferenceBuf::parse("http://example.com/a/b".to_owned(), Context::Rfc3986)?;
/// let reference = ReferenceBuf::parse("../c".to_owned(), Context::Rfc3986)?;
/// assert_eq!(base.goto(&reference.as_reference())?.as_str(), "http://example.com/a/../c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ReferenceBuf {
    text: String,
    at: Offsets,
}

impl ReferenceBuf {
    /// Splits an owned text like [`Reference::parse`].
    ///
    /// # Errors
    /// [`Error`] for a text of 4 GiB or more.
    pub fn parse(text: String, context: Context) -> Result<Self, Error> {
        let at = split(&text, context)?;
        Ok(Self { text, at })
    }

    /// Makes the text that reads as `tokens` in `context`.
    ///
    /// The printed text is read again and compared. Therefore only those sequences are accepted that satisfy
    /// the structural constraints and can be written as a text. A drive is written with a slash before it.
    ///
    /// # Errors
    /// [`Error`] if the tokens are not a URL, or if every text reads as different tokens.
    pub fn from_tokens<'a>(
        context: Context,
        tokens: impl IntoIterator<Item = Token<'a>>,
    ) -> Result<Self, Error> {
        let tokens: Vec<Token<'a>> = tokens.into_iter().collect();
        check_structure(tokens.iter().copied())?;
        let made = Self::parse(print(&tokens), context).map_err(|_| error::TOO_LONG.error())?;

        // Reading back finds every ambiguity, while a list of the cases could easily miss one.
        match first_difference(tokens, made.as_reference().tokens()) {
            Some(index) => Err(error::NOT_REPRESENTABLE.error().with_number(index as u64)),
            None => Ok(made),
        }
    }

    /// Returns the same text and tokens, borrowed.
    pub fn as_reference(&self) -> Reference<'_> {
        Reference { text: &self.text, at: self.at }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the text and drops the offsets.
    pub fn into_string(self) -> String {
        self.text
    }
}

impl From<Reference<'_>> for ReferenceBuf {
    fn from(reference: Reference<'_>) -> Self {
        Self { text: reference.text.to_owned(), at: reference.at }
    }
}

impl core::fmt::Debug for ReferenceBuf {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_reference().fmt(f)
    }
}

impl core::fmt::Display for ReferenceBuf {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(&self.text)
    }
}

/// Writes tokens with the delimiters of their types.
fn print(tokens: &[Token<'_>]) -> String {
    // The longest delimiter is `//` with two bytes.
    let mut text = String::with_capacity(tokens.iter().map(|token| token.text.len() + 2).sum());
    for token in tokens {
        let (before, after) = token.kind.delimiters();
        text.push_str(before);
        text.push_str(token.text);
        text.push_str(after);
    }
    text
}

/// Returns the index of the first item that differs.
pub(super) fn first_difference<T: PartialEq>(
    meant: impl IntoIterator<Item = T>,
    read: impl IntoIterator<Item = T>,
) -> Option<usize> {
    let (mut meant, mut read) = (meant.into_iter(), read.into_iter());
    let mut index = 0;
    loop {
        match (meant.next(), read.next()) {
            (None, None) => return None,
            (a, b) if a != b => return Some(index),
            _ => index += 1,
        }
    }
}
