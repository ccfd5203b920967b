//! Texts to token sequences and back.

use alloc::borrow::ToOwned;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::{TokenUrl, TypedToken};
use crate::error::Error;
use crate::reference::buf::{ReferenceBuf, first_difference};
use crate::reference::error;
use crate::reference::error::Violation;
use crate::reference::parse::Context;
use crate::reference::token::TokenKind;
use crate::reference::{Reference, Token};

impl TryFrom<Reference<'_>> for TokenUrl {
    type Error = Violation;

    /// Returns the tokens as they were read.
    ///
    /// Fails for texts such as `//h:99999` or `file://u@h/`, which are not URLs by the Theory.
    fn try_from(reference: Reference<'_>) -> Result<Self, Violation> {
        let tokens: Result<Vec<TypedToken>, Violation> =
            reference.tokens().map(TypedToken::try_from).collect();
        Self::new(tokens?)
    }
}

impl TokenUrl {
    /// Returns the text that reads as these tokens in `context`.
    ///
    /// # Errors
    /// `ERR_NO_URL` if the text would read as other tokens.
    pub fn to_reference(&self, context: Context) -> Result<ReferenceBuf, Error> {
        let made = ReferenceBuf::parse(self.to_string(), context).map_err(|_| error::TOO_LONG.error())?;
        let read = made.as_reference().tokens().map(|token: Token<'_>| TypedToken::try_from(token).ok());
        match first_difference(self.tokens.iter().cloned().map(Some), read) {
            Some(index) => Err(error::NOT_REPRESENTABLE.error().with_number(index as u64)),
            None => Ok(made),
        }
    }

    /// Returns the text that reads as these tokens in `context`, if need be with one more: a directory `.`
    /// before the others, which every resolution removes. It keeps `x:y` from being read as a scheme
    /// (`./x:y`), an empty directory from being read as a root (`.//a`) or an authority (`/.//a`), and a
    /// directory `c:` from being read as a drive (`/./c:/`).
    ///
    /// # Errors
    /// `ERR_NO_URL` if the text would read as other tokens with that directory too.
    pub fn to_guarded_reference(&self, context: Context) -> Result<ReferenceBuf, Error> {
        self.to_reference(context).or_else(|error| match self.with_dot() {
            // The first error is kept, because its number is that of a token of this URL.
            Some(guarded) => guarded.to_reference(context).map_err(|_| error),
            None => Err(error),
        })
    }

    /// Returns the URL with a directory `.` before its directories and file, if it has any of them.
    fn with_dot(&self) -> Option<Self> {
        let index = self.tokens.partition_point(|token| token.kind() < TokenKind::Directory);
        let (before, after) = self.tokens.split_at(index);
        let has_names = after.first().is_some_and(|token| token.kind() <= TokenKind::File);
        has_names.then(|| Self { tokens: [before, &[TypedToken::Directory(".".to_owned())], after].concat() })
    }
}

impl fmt::Display for TokenUrl {
    /// Writes the tokens with their delimiters. The text may read as other tokens;
    /// [`to_reference`](TokenUrl::to_reference) checks that it does not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tokens.iter().try_for_each(|token| {
            let (before, after) = token.kind().delimiters();
            write!(f, "{before}{}{after}", token.text())
        })
    }
}
