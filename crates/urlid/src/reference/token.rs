//! Tokens, their order, and the segments of a path (Theory of URLs, "URLs").

use super::parse::{Class, is_slash};

/// The type of a token. Types have the order of tokens in a URL.
///
/// ```
/// use urlid::reference::{Context, Reference, TokenKind};
///
/// assert_eq!(Reference::parse("../a", Context::Rfc3986)?.ord(), TokenKind::Directory);
/// assert!(TokenKind::Scheme < TokenKind::Fragment);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// The scheme, without its colon.
    Scheme,
    /// The authority, without its slashes.
    Authority,
    /// A drive: a letter and `:` or `|`.
    Drive,
    /// The slash before the first segment.
    Root,
    /// A directory name, without the following slash.
    Directory,
    /// The last segment, if it is not empty.
    File,
    /// The query, without its `?`.
    Query,
    /// The fragment, without its `#`.
    Fragment,
}

impl TokenKind {
    /// The eight types in their order.
    pub const ALL: [Self; 8] = [
        Self::Scheme,
        Self::Authority,
        Self::Drive,
        Self::Root,
        Self::Directory,
        Self::File,
        Self::Query,
        Self::Fragment,
    ];

    /// Returns the specification's name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scheme => "scheme",
            Self::Authority => "authority",
            Self::Drive => "drive",
            Self::Root => "root",
            Self::Directory => "directory",
            Self::File => "file",
            Self::Query => "query",
            Self::Fragment => "fragment",
        }
    }

    /// Returns the delimiters before and after a token of this type.
    pub(super) fn delimiters(self) -> (&'static str, &'static str) {
        match self {
            Self::Scheme => ("", ":"),
            Self::Authority => ("//", ""),
            Self::Drive => ("/", ""),
            Self::Root | Self::File => ("", ""),
            Self::Directory => ("", "/"),
            Self::Query => ("?", ""),
            Self::Fragment => ("#", ""),
        }
    }

    /// Returns the type with the specification's name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl core::fmt::Display for TokenKind {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.name())
    }
}

/// A token: its type and its text as written, without the delimiters of the syntax.
///
/// ```
/// use urlid::reference::{Context, Reference, Token, TokenKind};
///
/// let reference = Reference::parse("?q", Context::Rfc3986)?;
/// assert!(reference.tokens().eq([Token { kind: TokenKind::Query, text: "q" }]));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token<'a> {
    /// The type.
    pub kind: TokenKind,
    /// The value as written. [`Authority::split`](super::Authority::split) returns the parts of an authority.
    pub text: &'a str,
}

impl<'a> Token<'a> {
    /// Returns a token.
    pub fn new(kind: TokenKind, text: &'a str) -> Self {
        Self { kind, text }
    }
}

/// The segments of a path, that is, the texts between its slashes.
///
/// ```
/// use urlid::reference::{Context, Reference};
///
/// let reference = Reference::parse("/a//b/", Context::Rfc3986)?;
/// assert!(reference.segments().eq(["a", "", "b", ""]));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone)]
pub struct Segments<'a> {
    rest: Option<&'a str>,
    class: Class,
}

impl<'a> Segments<'a> {
    pub(super) fn new(path: &'a str, class: Class) -> Self {
        // An empty path does not have segments, while `split` would return an empty one.
        Self { rest: (!path.is_empty()).then_some(path), class }
    }
}

impl<'a> Iterator for Segments<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest?;
        match rest.bytes().position(|byte| is_slash(byte, self.class)) {
            Some(end) => {
                self.rest = Some(&rest[end + 1..]);
                Some(&rest[..end])
            }
            None => {
                self.rest = None;
                Some(rest)
            }
        }
    }
}

impl core::iter::FusedIterator for Segments<'_> {}
