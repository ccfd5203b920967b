//! One token of a `TokenUrl`: a type and a value.

use alloc::borrow::{Cow, ToOwned};
use alloc::string::{String, ToString};
use core::hash::{Hash, Hasher};

use super::value::TypedAuthority;
use crate::reference::authority::Authority;
use crate::reference::error::Violation;
use crate::reference::structure::Shape;
use crate::reference::token::{Token, TokenKind};

/// A token: its type and its value. The value is an authority for one type, and any string for the others.
///
/// ```
/// use urlid::reference::{TokenKind, TypedToken};
///
/// let token = TypedToken::from_text(TokenKind::Authority, "h:0080")?;
/// assert_eq!(token, TypedToken::from_text(TokenKind::Authority, "h:80")?);
/// # Ok::<(), urlid::reference::Violation>(())
/// ```
#[derive(Clone, Debug)]
pub enum TypedToken {
    /// The scheme. Two schemes that differ in case are equal.
    Scheme(String),
    /// The authority: user, password, host and port, each with its type.
    Authority(TypedAuthority),
    /// A drive of a file URL: a letter and `:` or `|`.
    Drive(String),
    /// The root of a path, which texts write as a slash.
    Root(String),
    /// The name of a directory, without its slash.
    Directory(String),
    /// The last segment of a path. Texts cannot have an empty one.
    File(String),
    /// The query, without its `?`.
    Query(String),
    /// The fragment, without its `#`.
    Fragment(String),
}

impl TypedToken {
    /// Returns the token of this type whose value is written as `text`, without the delimiters of the syntax.
    ///
    /// # Errors
    /// [`Violation`] if `text` is an authority that breaks a constraint.
    pub fn from_text(kind: TokenKind, text: &str) -> Result<Self, Violation> {
        let value = text.to_owned();
        Ok(match kind {
            TokenKind::Scheme => Self::Scheme(value),
            TokenKind::Authority => Self::Authority(Authority::split(text).try_into()?),
            TokenKind::Drive => Self::Drive(value),
            TokenKind::Root => Self::Root(value),
            TokenKind::Directory => Self::Directory(value),
            TokenKind::File => Self::File(value),
            TokenKind::Query => Self::Query(value),
            TokenKind::Fragment => Self::Fragment(value),
        })
    }

    /// Returns the type.
    pub fn kind(&self) -> TokenKind {
        match self {
            Self::Scheme(_) => TokenKind::Scheme,
            Self::Authority(_) => TokenKind::Authority,
            Self::Drive(_) => TokenKind::Drive,
            Self::Root(_) => TokenKind::Root,
            Self::Directory(_) => TokenKind::Directory,
            Self::File(_) => TokenKind::File,
            Self::Query(_) => TokenKind::Query,
            Self::Fragment(_) => TokenKind::Fragment,
        }
    }

    /// Returns the authority, if the token is one.
    pub fn authority(&self) -> Option<&TypedAuthority> {
        match self {
            Self::Authority(authority) => Some(authority),
            _ => None,
        }
    }

    /// Returns the value as a text, without the delimiters of the syntax.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Authority(authority) => Cow::Owned(authority.to_string()),
            Self::Scheme(value)
            | Self::Drive(value)
            | Self::Root(value)
            | Self::Directory(value)
            | Self::File(value)
            | Self::Query(value)
            | Self::Fragment(value) => Cow::Borrowed(value),
        }
    }

    /// Returns the properties that the structural constraints depend on.
    pub(super) fn shape(&self) -> Shape<'_> {
        match self {
            Self::Scheme(scheme) => Shape::Scheme(scheme),
            Self::Authority(authority) => Shape::Authority(authority.presence()),
            other => Shape::Other(other.kind()),
        }
    }
}

impl TryFrom<Token<'_>> for TypedToken {
    type Error = Violation;

    fn try_from(token: Token<'_>) -> Result<Self, Violation> {
        Self::from_text(token.kind, token.text)
    }
}

impl PartialEq for TypedToken {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Scheme(a), Self::Scheme(b)) => a.eq_ignore_ascii_case(b),
            (Self::Authority(a), Self::Authority(b)) => a == b,
            _ => self.kind() == other.kind() && self.text() == other.text(),
        }
    }
}

impl Eq for TypedToken {}

impl Hash for TypedToken {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
        match self {
            // Equal tokens have equal hashes, and schemes are compared without case (T-6).
            Self::Scheme(scheme) => scheme.to_ascii_lowercase().hash(state),
            Self::Authority(authority) => authority.hash(state),
            other => other.text().hash(state),
        }
    }
}
