//! The Theory of URLs: a URL as a sequence of typed tokens, and the operations on it.
//!
//! A [`Reference`] is a text and the offsets of its tokens. Parsing keeps the text unchanged and does not
//! allocate, so `print(parse(s)) == s` for every string. The parts are raw. Normal forms are in
//! [`web`](crate::web) and [`generic`](crate::generic), and hosts are in [`host`](crate::host). Where the
//! specification is open, urlid has a numbered decision, T-1 to T-13.
//!
//! ```
//! use urlid::reference::{Context, Reference, TokenKind};
//!
//! let base = Reference::parse("http://example.com/a/b", Context::Rfc3986)?;
//! let kinds: Vec<TokenKind> = base.tokens().map(|token| token.kind).collect();
//! use TokenKind::{Authority, Directory, File, Root, Scheme};
//! assert_eq!(kinds, [Scheme, Authority, Root, Directory, File]);
//!
//! let reference = Reference::parse("c?d", Context::Rfc3986)?;
//! assert_eq!(base.goto(&reference)?.as_str(), "http://example.com/a/c?d");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::error::Error;

pub(crate) mod authority;
mod buf;
mod error;
mod goto;
mod parse;
mod structure;
mod token;
mod token_url;
mod tokens;

pub use authority::Authority;
pub use buf::ReferenceBuf;
pub use error::Violation;
pub use goto::NoUrl;
pub(crate) use goto::SchemeOf;
pub use parse::{Class, Context};
pub(crate) use parse::{is_drive, is_slash, too_long};
pub use structure::check_structure;
pub use token::{Segments, Token, TokenKind};
pub use token_url::{TokenUrl, TypedAuthority, TypedHost, TypedToken};
pub use tokens::Tokens;

use parse::Offsets;

/// A URL or relative reference: the unchanged text and the offsets of its tokens.
///
/// Every string of less than 4 GiB is a `Reference`, because [`Reference::parse`] fails only for longer
/// texts. [`Reference::is_valid`] returns whether it satisfies the structural constraints of the Theory.
///
/// ```text
/// http://user:pass@example.com:80/dir/file?query#fragment
///      |         |              |  |   |  |    |        |
/// scheme_end  user_end   host_end  |  file_start |  text end
///                          path_start    path_end  query_end
/// ```
#[derive(Clone, Copy)]
pub struct Reference<'a> {
    text: &'a str,
    at: Offsets,
}

impl<'a> Reference<'a> {
    /// Splits `text` into its tokens by the rules of `context`.
    ///
    /// # Errors
    /// [`Error`] only for a text whose length does not fit in 32 bits.
    pub fn parse(text: &'a str, context: Context) -> Result<Self, Error> {
        Ok(Self { text, at: parse::split(text, context)? })
    }

    /// Returns the unchanged text.
    pub fn as_str(&self) -> &'a str {
        self.text
    }

    /// Returns the class of the scheme. A text without a scheme has the class of its context.
    pub fn class(&self) -> Class {
        self.at.class
    }

    /// Returns the context in which the same text reads as the same tokens.
    pub fn context(&self) -> Context {
        if self.at.rfc { Context::Rfc3986 } else { Context::Whatwg(self.at.class) }
    }

    /// Returns whether the path has no structure, that is, the scheme is not special and authority and root
    /// are absent (`mailto:a@b`).
    pub fn is_opaque(&self) -> bool {
        self.at.class == Class::Generic && self.at.has_scheme && !self.at.has_authority && !self.at.has_root
    }

    /// Returns the scheme as written, without its colon.
    pub fn scheme(&self) -> Option<&'a str> {
        self.at.has_scheme.then(|| self.slice(0, self.at.scheme_end - 1))
    }

    /// Returns the raw parts of the authority.
    pub fn authority(&self) -> Option<Authority<'a>> {
        self.at.has_authority.then(|| Authority {
            user: self.at.has_user.then(|| self.slice(self.at.authority_start(), self.at.user_end)),
            password: self.at.has_password.then(|| self.slice(self.at.user_end + 1, self.at.host_start - 1)),
            host: self.slice(self.at.host_start, self.at.host_end),
            port: self.at.has_port.then(|| self.slice(self.at.host_end + 1, self.at.path_start)),
        })
    }

    /// Returns the text between `//` and the path.
    pub fn authority_text(&self) -> Option<&'a str> {
        self.at.has_authority.then(|| self.slice(self.at.authority_start(), self.at.path_start))
    }

    /// Returns the drive, a letter and `:` or `|`. Only the file class has drives.
    pub fn drive(&self) -> Option<&'a str> {
        self.at.has_drive.then(|| self.slice(self.at.drive_start(), self.at.drive_start() + 2))
    }

    /// Returns whether there is a root token.
    pub fn has_root(&self) -> bool {
        self.at.has_root
    }

    /// Returns the text from the end of the authority to the query: drive, root, directories and file.
    pub fn path(&self) -> &'a str {
        self.slice(self.at.path_start, self.at.path_end)
    }

    /// Returns the segments of the path after its drive and root. A final slash adds a last empty segment.
    pub fn segments(&self) -> Segments<'a> {
        Segments::new(self.slice(self.at.rel_start, self.at.path_end), self.at.class)
    }

    /// Returns the query as written, without its `?`.
    pub fn query(&self) -> Option<&'a str> {
        self.at.has_query.then(|| self.slice(self.at.path_end + 1, self.at.query_end))
    }

    /// Returns the fragment as written, without its `#`.
    pub fn fragment(&self) -> Option<&'a str> {
        self.at.has_fragment.then(|| self.slice(self.at.query_end + 1, self.at.text_end))
    }

    /// Returns the byte offset of the path in the text.
    #[doc(hidden)]
    pub fn path_start(&self) -> usize {
        self.at.path_start as usize
    }

    /// Returns the byte offset of the end of the path.
    pub(crate) fn path_end(&self) -> usize {
        self.at.path_end as usize
    }

    pub(crate) fn after_scheme(&self) -> &'a str {
        self.slice(self.at.scheme_end, self.at.text_end)
    }

    fn slice(&self, from: u32, to: u32) -> &'a str {
        &self.text[from as usize..to as usize]
    }
}

impl PartialEq for Reference<'_> {
    /// Equal texts read as equal tokens.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.at == other.at
    }
}

impl Eq for Reference<'_> {}

impl core::hash::Hash for Reference<'_> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (self.text, self.at).hash(state);
    }
}

impl core::fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.pad(self.text)
    }
}
