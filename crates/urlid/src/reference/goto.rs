//! The operations of the Theory: ord, upto, goto and nonstrict goto (Theory of URLs, "Operations on URLs").
//!
//! goto is concatenation at an offset. It uses the tokens of both arguments as they were read (T-10), and is
//! partial (T-3): it fails if the text would not read back as the expected tokens.

use alloc::string::String;
use core::fmt;

use super::Reference;
use super::buf::ReferenceBuf;
use super::parse::{Class, Context, is_slash};
use super::token::{Token, TokenKind};
use crate::error::{Coded, Error, ErrorCode, ErrorKind};

/// The reason why no URL has the requested prefix and postfix.
///
/// ```
/// use urlid::reference::{Context, NoUrl, Reference};
///
/// let base = Reference::parse("file:", Context::Rfc3986)?;
/// let reference = Reference::parse("//u@h", Context::Rfc3986)?;
/// assert_eq!(base.goto(&reference), Err(NoUrl::FileAuthority));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoUrl {
    /// The reference has a drive and the base's scheme is not `file`.
    DriveOutsideFile,
    /// The scheme is `file` and the reference's authority has a user, password or port.
    FileAuthority,
    /// The text would not read back as the tokens of the prefix and of the reference.
    ReadsDifferently,
    /// The text would be 4 GiB or longer.
    TooLong,
}

impl Coded for NoUrl {
    fn code(&self) -> ErrorCode {
        ErrorCode::NoUrl
    }
}

impl NoUrl {
    const fn message(self) -> &'static str {
        match self {
            Self::DriveOutsideFile => {
                "goto is undefined: the reference has a drive and the base's scheme is not `file`"
            }
            Self::FileAuthority => {
                "goto is undefined: the scheme is `file` and the reference's authority has a user, password or port"
            }
            Self::ReadsDifferently => {
                "goto is undefined: the resulting text would be read as different tokens"
            }
            Self::TooLong => "goto is undefined: the resulting text would be 4 GiB or longer",
        }
    }
}

impl fmt::Display for NoUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl From<NoUrl> for Error {
    fn from(error: NoUrl) -> Self {
        ErrorKind::new(error.code(), error.message()).error()
    }
}

impl core::error::Error for NoUrl {}

impl<'a> Reference<'a> {
    /// Returns the order (ord): the type of the first token, or fragment without tokens.
    pub fn ord(&self) -> TokenKind {
        if self.at.has_scheme { TokenKind::Scheme } else { self.ord_after_scheme() }
    }

    /// Returns the order of the tokens after the scheme.
    pub(crate) fn ord_after_scheme(&self) -> TokenKind {
        let at = &self.at;
        if at.has_authority {
            TokenKind::Authority
        } else if at.has_drive {
            TokenKind::Drive
        } else if at.has_root {
            TokenKind::Root
        } else if at.file_start > at.rel_start {
            TokenKind::Directory
        } else if at.path_end > at.file_start {
            TokenKind::File
        } else if at.has_query {
            TokenKind::Query
        } else {
            TokenKind::Fragment
        }
    }

    /// Returns the order-limited prefix (upto): the shortest prefix with all tokens of a type smaller than
    /// `order` and all directories of a type not greater than `order`.
    pub fn upto(&self, order: TokenKind) -> Reference<'a> {
        let end = self.upto_offset(order);
        let at = &self.at;
        // Parts after the prefix become empty at its end, that is, absent. `drive_end` stays right because it
        // is counted back from `rel_start`.
        let cut = |offset: u32| offset.min(end);
        let keeps = |kind: TokenKind| kind < order;
        let at = super::Offsets {
            scheme_end: cut(at.scheme_end),
            user_end: cut(at.user_end),
            host_start: cut(at.host_start),
            host_end: cut(at.host_end),
            path_start: cut(at.path_start),
            rel_start: cut(at.rel_start),
            file_start: cut(at.file_start),
            path_end: cut(at.path_end),
            query_end: cut(at.query_end),
            text_end: end,
            has_scheme: at.has_scheme && keeps(TokenKind::Scheme),
            has_authority: at.has_authority && keeps(TokenKind::Authority),
            has_user: at.has_user && keeps(TokenKind::Authority),
            has_password: at.has_password && keeps(TokenKind::Authority),
            has_port: at.has_port && keeps(TokenKind::Authority),
            has_drive: at.has_drive && keeps(TokenKind::Drive),
            has_root: at.has_root && keeps(TokenKind::Root),
            has_query: at.has_query && keeps(TokenKind::Query),
            has_fragment: false,
            ..*at
        };
        Reference { text: &self.text[..end as usize], at }
    }

    /// Returns the byte length of the order-limited prefix.
    fn upto_offset(&self, order: TokenKind) -> u32 {
        let at = &self.at;
        match order {
            TokenKind::Scheme => 0,
            TokenKind::Authority => at.scheme_end,
            // The slash before a drive is not a token. It is removed with the drive.
            TokenKind::Drive => at.path_start,
            TokenKind::Root => at.drive_end(),
            // Upto directory keeps the directories, because directories of both URLs follow each other.
            TokenKind::Directory | TokenKind::File => at.file_start,
            TokenKind::Query => at.path_end,
            TokenKind::Fragment => at.query_end,
        }
    }

    /// Returns `self` goto `reference`: the URL made of (`self` upto (ord `reference`)) and `reference`, with
    /// a root between them if the constraints require one.
    ///
    /// # Errors
    /// [`NoUrl`] if such a URL does not exist.
    pub fn goto(&self, reference: &Reference<'_>) -> Result<ReferenceBuf, NoUrl> {
        self.goto_from(reference, reference.ord(), SchemeOf::Reference)
    }

    /// Returns `self` goto' `reference`. It works like [`goto`](Self::goto), but first drops the scheme of
    /// `reference` if it equals the scheme of `self`, in any case of letters.
    ///
    /// # Errors
    /// [`NoUrl`] if such a URL does not exist.
    pub fn goto_nonstrict(&self, reference: &Reference<'_>) -> Result<ReferenceBuf, NoUrl> {
        if self.has_scheme_of(reference) {
            self.goto_from(reference, reference.ord_after_scheme(), SchemeOf::Base)
        } else {
            self.goto(reference)
        }
    }

    /// Returns whether both have a scheme and the schemes are equal.
    pub(crate) fn has_scheme_of(&self, other: &Reference<'_>) -> bool {
        matches!((self.scheme(), other.scheme()), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b))
    }

    /// Joins the prefix of `self` upto `order` and `reference`, if the file constraints allow it.
    fn goto_from(
        &self,
        reference: &Reference<'_>,
        order: TokenKind,
        scheme: SchemeOf,
    ) -> Result<ReferenceBuf, NoUrl> {
        let is_file = |scheme: &str| scheme.eq_ignore_ascii_case("file");
        let prefix_scheme = self.upto(order).scheme();
        // T-3: only file URLs have drives, so no URL has this scheme and this drive.
        if reference.at.has_drive && prefix_scheme.is_some_and(|scheme| !is_file(scheme)) {
            return Err(NoUrl::DriveOutsideFile);
        }
        if prefix_scheme.or(reference.scheme()).is_some_and(is_file)
            && reference.authority().is_some_and(|authority| authority.presence().has_more_than_host())
        {
            return Err(NoUrl::FileAuthority);
        }
        self.splice(reference, order, scheme)
    }

    /// Joins the prefix of `self` upto `order` and `reference` as texts. The result reads as the tokens of
    /// both.
    ///
    /// RFC 3986 and RFC 2396 resolution also use this operation. They have no file constraints, and RFC 2396
    /// uses a different order than ord.
    pub(crate) fn splice(
        &self,
        reference: &Reference<'_>,
        order: TokenKind,
        scheme: SchemeOf,
    ) -> Result<ReferenceBuf, NoUrl> {
        let prefix = self.upto(order);
        // The base contributes no text, so the result is the reference in its own context.
        if prefix.text.is_empty() && scheme == SchemeOf::Reference {
            return Ok(ReferenceBuf::from(*reference));
        }
        let text = self.concatenate(reference, order, scheme);
        let context = prefix.context_of_result(reference);
        let result = ReferenceBuf::parse(text, context).map_err(|_| NoUrl::TooLong)?;

        // The text is read again, because a reference that was read in a different class may read differently
        // after the base: `\` is a slash only in web and file URLs.
        let skipped = usize::from(scheme == SchemeOf::Base);
        let needs_root = Joint::between(&prefix, reference, order) == Joint::Root;
        let inserted = needs_root.then_some(Token::new(TokenKind::Root, "/"));
        let meant = prefix.tokens().chain(inserted).chain(reference.tokens().skip(skipped));
        if result.as_reference().tokens().eq(meant) { Ok(result) } else { Err(NoUrl::ReadsDifferently) }
    }

    /// Writes the prefix of `self` upto `order`, the joint, and `reference`.
    ///
    /// If `reference` was read in the class of `self`, as in WHATWG, the text reads back as the expected
    /// tokens.
    pub(crate) fn concatenate(
        &self,
        reference: &Reference<'_>,
        order: TokenKind,
        scheme: SchemeOf,
    ) -> String {
        let prefix = self.upto(order);
        let postfix = match scheme {
            SchemeOf::Reference => reference.text,
            SchemeOf::Base => reference.after_scheme(),
        };
        [prefix.text, Joint::between(&prefix, reference, order).text(), postfix].concat()
    }

    /// Returns the context in which a text with this prefix and the postfix `reference` is read.
    fn context_of_result(&self, reference: &Reference<'_>) -> Context {
        match self.context() {
            // Only file URLs have drives, so a text with a drive is read as a file URL even if its scheme is
            // absent.
            Context::Whatwg(_) if reference.at.has_drive => Context::Whatwg(Class::File),
            context => context,
        }
    }
}

impl ReferenceBuf {
    /// Returns the order-limited prefix, like [`Reference::upto`].
    pub fn upto(&self, order: TokenKind) -> Reference<'_> {
        self.as_reference().upto(order)
    }

    /// Returns `self` goto `reference`, like [`Reference::goto`].
    ///
    /// # Errors
    /// [`NoUrl`] if such a URL does not exist.
    pub fn goto(&self, reference: &Reference<'_>) -> Result<ReferenceBuf, NoUrl> {
        self.as_reference().goto(reference)
    }

    /// Returns `self` goto' `reference`, like [`Reference::goto_nonstrict`].
    ///
    /// # Errors
    /// [`NoUrl`] if such a URL does not exist.
    pub fn goto_nonstrict(&self, reference: &Reference<'_>) -> Result<ReferenceBuf, NoUrl> {
        self.as_reference().goto_nonstrict(reference)
    }
}

/// The source of the result's scheme.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SchemeOf {
    /// The reference's own, if it has one.
    Reference,
    /// The base's scheme. The reference's equal scheme is dropped.
    Base,
}

/// The text between prefix and postfix.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    Nothing,
    /// The root token that the constraints require.
    Root,
    /// The slash that is written before a drive. It is not a token.
    DriveSlash,
}

impl Joint {
    fn between(prefix: &Reference<'_>, reference: &Reference<'_>, order: TokenKind) -> Self {
        let starts_with_slash = || {
            let path = reference.path().as_bytes();
            path.first().is_some_and(|&byte| is_slash(byte, reference.at.class))
        };
        match order {
            TokenKind::Directory | TokenKind::File
                // T-2: goto never inserts a token other than a root.
                if (prefix.at.has_authority || prefix.at.has_drive) && !prefix.at.has_root =>
            {
                Self::Root
            }
            TokenKind::Drive if !starts_with_slash() => Self::DriveSlash,
            _ => Self::Nothing,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Root | Self::DriveSlash => "/",
        }
    }
}
