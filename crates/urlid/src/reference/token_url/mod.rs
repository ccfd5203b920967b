//! `TokenUrl`: a URL as the Theory defines it, that is, a sequence of tokens without a text (Theory of URLs,
//! "URLs" and "Operations on URLs").
//!
//! The operations of the specification work on lists here. A [`Reference`] applies them to a text, and fewer
//! sequences exist as texts: a text cannot have a file with an empty name.

mod token;
mod value;

use alloc::borrow::ToOwned;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use super::buf::{ReferenceBuf, first_difference};
use super::error::{self, Violation};
use super::parse::Context;
use super::structure::check_shapes;
use super::token::TokenKind;
use super::{Reference, Token};
use crate::error::Error;

pub use token::TypedToken;
pub use value::{TypedAuthority, TypedHost};

/// A URL: a sequence of tokens that satisfies every structural constraint, including the two file
/// constraints.
///
/// The values of tokens are unrestricted: a directory may be called `a/b`, a root `x`, and a file may have an
/// empty name. URLs are equal if their tokens are equal. Schemes are compared without case, ports as numbers,
/// addresses as addresses, and all other values as texts. A port without digits is not a port.
///
/// ```
/// use urlid::reference::{Context, Reference, TokenUrl, TypedToken};
///
/// let parse = |text| Reference::parse(text, Context::Rfc3986).expect("the text is short");
/// let read = |text| TokenUrl::try_from(parse(text));
/// assert_eq!(read("HTTP://example.com:0080/")?, read("http://example.com:80/")?);
///
/// let url = read("http://example.com/a")?.goto(&TokenUrl::new([TypedToken::File("b/c".to_owned())])?)?;
/// assert_eq!(url.tokens().last(), Some(&TypedToken::File("b/c".to_owned())));
/// assert!(url.to_reference(Context::Rfc3986).is_err(), "no text has a file with a slash in its name");
/// # Ok::<(), urlid::reference::Violation>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TokenUrl {
    tokens: Vec<TypedToken>,
}

impl TokenUrl {
    /// Returns the URL with these tokens.
    ///
    /// # Errors
    /// [`Violation`], the first constraint that the sequence breaks.
    pub fn new(tokens: impl IntoIterator<Item = TypedToken>) -> Result<Self, Violation> {
        let tokens: Vec<TypedToken> = tokens.into_iter().collect();
        check_shapes(tokens.iter().map(TypedToken::shape))?;
        Ok(Self { tokens })
    }

    /// Returns the tokens in order.
    pub fn tokens(&self) -> &[TypedToken] {
        &self.tokens
    }

    /// Returns the tokens, which are then no longer known to be a URL.
    ///
    /// ```
    /// use urlid::reference::{TokenUrl, TypedToken};
    ///
    /// let url = TokenUrl::new([TypedToken::Root(String::new()), TypedToken::File("a".to_owned())])?;
    /// let mut tokens = url.into_tokens();
    /// tokens.insert(1, TypedToken::Directory("d".to_owned()));
    /// assert_eq!(TokenUrl::new(tokens)?.tokens().len(), 3);
    /// # Ok::<(), urlid::reference::Violation>(())
    /// ```
    pub fn into_tokens(self) -> Vec<TypedToken> {
        self.tokens
    }

    /// Returns the order (ord): the type of the first token, or fragment without tokens.
    pub fn ord(&self) -> TokenKind {
        self.tokens.first().map_or(TokenKind::Fragment, TypedToken::kind)
    }

    /// Returns the order-limited prefix (upto): the shortest prefix with all tokens of a type smaller than
    /// `order` and all directories of a type not greater than `order`.
    pub fn upto(&self, order: TokenKind) -> Self {
        Self { tokens: self.prefix(order).to_vec() }
    }

    fn prefix(&self, order: TokenKind) -> &[TypedToken] {
        let belongs = |token: &TypedToken| {
            let kind = token.kind();
            kind < order || (kind == TokenKind::Directory && order == TokenKind::Directory)
        };
        &self.tokens[..self.tokens.partition_point(belongs)]
    }

    /// Returns `self` goto `other`: (`self` upto (ord `other`)), then a root if a URL needs one, then
    /// `other`.
    ///
    /// # Errors
    /// The file constraint that every such sequence breaks: [`Violation::DriveOutsideFile`] or
    /// [`Violation::FileAuthority`].
    pub fn goto(&self, other: &Self) -> Result<Self, Violation> {
        self.goto_tokens(&other.tokens)
    }

    /// Returns `self` goto' `other`. It works like [`goto`](Self::goto), but first drops the scheme of
    /// `other` if it equals the scheme of `self`.
    ///
    /// # Errors
    /// Same as [`goto`](Self::goto).
    pub fn goto_nonstrict(&self, other: &Self) -> Result<Self, Violation> {
        match (self.tokens.first(), &other.tokens[..]) {
            (Some(own @ TypedToken::Scheme(_)), [scheme, rest @ ..]) if own == scheme => {
                self.goto_tokens(rest)
            }
            _ => self.goto(other),
        }
    }

    fn goto_tokens(&self, postfix: &[TypedToken]) -> Result<Self, Violation> {
        let prefix = self.prefix(postfix.first().map_or(TokenKind::Fragment, TypedToken::kind));
        // A root is the only token that is ever inserted (T-2).
        match Self::new([prefix, postfix].concat()) {
            Err(Violation::RootMissing) => {
                Self::new([prefix, &[TypedToken::Root("/".to_owned())], postfix].concat())
            }
            result => result,
        }
    }
}

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
    /// `ERR_NO_URL` if the text would read as different tokens.
    pub fn to_reference(&self, context: Context) -> Result<ReferenceBuf, Error> {
        let made = ReferenceBuf::parse(self.to_string(), context).map_err(|_| error::TOO_LONG.error())?;
        let read = made.as_reference().tokens().map(|token: Token<'_>| TypedToken::try_from(token).ok());
        match first_difference(self.tokens.iter().cloned().map(Some), read) {
            Some(index) => Err(error::NOT_REPRESENTABLE.error().with_number(index as u64)),
            None => Ok(made),
        }
    }

    /// Returns the text that reads as these tokens in `context`. If the text would read as different tokens,
    /// a directory `.` is inserted before the other directories, which every resolution removes. It prevents
    /// that `x:y` is read as a scheme (`./x:y`), an empty directory as a root (`.//a`) or an authority
    /// (`/.//a`), and a directory `c:` as a drive (`/./c:/`).
    ///
    /// # Errors
    /// `ERR_NO_URL` if the text would read as different tokens even with that directory.
    pub fn to_guarded_reference(&self, context: Context) -> Result<ReferenceBuf, Error> {
        self.to_reference(context).or_else(|error| match self.with_dot() {
            // The first error is returned, because its number is the index of a token of this URL.
            Some(guarded) => guarded.to_reference(context).map_err(|_| error),
            None => Err(error),
        })
    }

    /// Returns the URL with a directory `.` before its directories and file. Returns `None` if the URL has
    /// neither.
    fn with_dot(&self) -> Option<Self> {
        let index = self.tokens.partition_point(|token| token.kind() < TokenKind::Directory);
        let (before, after) = self.tokens.split_at(index);
        let has_names = after.first().is_some_and(|token| token.kind() <= TokenKind::File);
        has_names.then(|| Self { tokens: [before, &[TypedToken::Directory(".".to_owned())], after].concat() })
    }
}

impl fmt::Display for TokenUrl {
    /// Writes the tokens with their delimiters. The text may read as different tokens, which
    /// [`to_reference`](TokenUrl::to_reference) checks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tokens.iter().try_for_each(|token| {
            let (before, after) = token.kind().delimiters();
            write!(f, "{before}{}{after}", token.text())
        })
    }
}
