//! The error of every function of this crate: a stable code, and a message that says what was found, where,
//! and what was expected.
//!
//! The kinds of errors are constants beside the code that reports them. Codes are in `code`.

mod code;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;

pub use code::{Coded, ErrorCode};

/// Why a text, an identifier, a list or an argument was rejected.
///
/// Callers match on [`Error::code`], which never changes; the message may. The size is that of a pointer.
///
/// ```
/// use urlid::{ErrorCode, Sxurl};
///
/// let error = Sxurl::encode("https://example.com:65536/").unwrap_err();
/// assert_eq!(error.code(), ErrorCode::Port);
/// assert_eq!(error.to_string(), "port is out of range: found `65536`, expected 1 to 65535");
/// assert_eq!((error.found(), error.expected()), (Some("`65536`"), Some("1 to 65535")));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
// Boxed: a large error would make the `Result` of every hot function large.
pub struct Error(Box<Details>);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Details {
    kind: ErrorKind,
    subject: Option<Cow<'static, str>>,
    found: Option<Box<str>>,
    expected: Option<Cow<'static, str>>,
    place: Option<Place>,
    source: Option<Source>,
}

/// A kind of error: its code, and its message with places for the details.
///
/// `{subject}`, `{found}`, `{expected}` and `{place}` in the message stand for what an [`Error`] of this kind
/// carries.
///
/// ```
/// use urlid::{ErrorCode, ErrorKind};
///
/// const LABEL: ErrorKind = ErrorKind::new(
///     ErrorCode::HostLen,
///     "label is too long: found {found} at byte {place}, expected 63 bytes",
/// );
///
/// let error = LABEL.error().with_found("aaaa").with_offset(7);
/// assert_eq!(error.to_string(), "label is too long: found `aaaa` at byte 7, expected 63 bytes");
/// assert!(error.is(LABEL));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ErrorKind {
    code: ErrorCode,
    message: &'static str,
}

/// Where in the input an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A byte offset, from 0.
    Byte(usize),
    /// The number of a line or of a token.
    Number(u64),
}

impl ErrorKind {
    /// Returns a kind with a code and a message, which is one lower-case line.
    pub const fn new(code: ErrorCode, message: &'static str) -> Self {
        Self { code, message }
    }

    /// Returns an error of this kind, without details.
    #[cold]
    pub fn error(self) -> Error {
        Error(Box::new(Details {
            kind: self,
            subject: None,
            found: None,
            expected: None,
            place: None,
            source: None,
        }))
    }

    /// Returns an error of this kind about a piece of the input.
    #[cold]
    pub fn found(self, text: &str) -> Error {
        self.error().with_found(text)
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        kind.error()
    }
}

impl Error {
    /// Returns the error with a piece of the input: its first 64 characters between backquotes, control
    /// characters escaped.
    #[must_use]
    pub fn with_found(self, text: &str) -> Self {
        self.with_shown(Excerpt(text))
    }

    /// Returns the error with what was found, displayed as it is.
    #[must_use]
    pub fn with_shown(mut self, found: impl fmt::Display) -> Self {
        self.0.found = Some(found.to_string().into());
        self
    }

    /// Returns the error with the name of its subject: a key of a header, a part, an option.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<Cow<'static, str>>) -> Self {
        self.0.subject = Some(subject.into());
        self
    }

    /// Returns the error with a path as its subject.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn with_path(self, path: &std::path::Path) -> Self {
        self.with_subject(path.display().to_string())
    }

    /// Returns the error with what was expected.
    #[must_use]
    pub fn with_expected(mut self, expected: impl Into<Cow<'static, str>>) -> Self {
        self.0.expected = Some(expected.into());
        self
    }

    /// Returns the error with the byte offset at which it is.
    #[must_use]
    pub fn with_offset(mut self, offset: usize) -> Self {
        self.0.place = Some(Place::Byte(offset));
        self
    }

    /// Returns the error with the number of the line, or of the token, in which it is.
    #[must_use]
    pub fn with_number(mut self, number: u64) -> Self {
        self.0.place = Some(Place::Number(number));
        self
    }

    /// Returns the error as one of another kind, with the same details.
    #[must_use]
    pub fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Returns the error with another code, for a system that gives the same fault a code of its own.
    #[must_use]
    pub fn with_code(mut self, code: ErrorCode) -> Self {
        self.0.kind.code = code;
        self
    }

    /// Returns the error with its cause. The message of an error does not repeat that of its cause.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn with_source(mut self, source: impl core::error::Error + Send + Sync + 'static) -> Self {
        // Shared, because errors are `Clone` and their causes need not be.
        self.0.source = Some(Source(Arc::new(source)));
        self
    }

    /// Returns the code, which no release changes.
    pub fn code(&self) -> ErrorCode {
        self.0.kind.code
    }

    /// Returns whether the error is of a kind, whatever its code became.
    pub fn is(&self, kind: ErrorKind) -> bool {
        // `with_code` changes the code, and the message stays.
        self.0.kind.message == kind.message
    }

    /// Returns the name or path of the subject of the error.
    pub fn subject(&self) -> Option<&str> {
        self.0.subject.as_deref()
    }

    /// Returns what was found, as the message shows it.
    pub fn found(&self) -> Option<&str> {
        self.0.found.as_deref()
    }

    /// Returns what was expected, as the message shows it.
    pub fn expected(&self) -> Option<&str> {
        // Where the expectation is the same for all errors of a kind, it ends the message.
        self.0.expected.as_deref().or_else(|| Some(self.0.kind.message.rsplit_once("expected ")?.1))
    }

    /// Returns where in the input the error is.
    pub fn place(&self) -> Option<Place> {
        self.0.place
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let details = &*self.0;
        let mut rest = details.kind.message;
        while let Some((text, after)) = rest.split_once('{') {
            f.write_str(text)?;
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            match name {
                "subject" => f.write_str(details.subject.as_deref().unwrap_or_default())?,
                "found" => f.write_str(details.found.as_deref().unwrap_or_default())?,
                "expected" => f.write_str(details.expected.as_deref().unwrap_or_default())?,
                _ => match details.place {
                    Some(Place::Byte(offset)) => write!(f, "{offset}")?,
                    Some(Place::Number(number)) => write!(f, "{number}")?,
                    None => {}
                },
            }
            rest = after;
        }
        f.write_str(rest)
    }
}

/// Displays as the code and the message.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.code())
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| &*source.0 as _)
    }
}

impl Coded for Error {
    fn code(&self) -> ErrorCode {
        self.0.kind.code
    }
}

/// A cause. Two are equal if they read alike, since errors of other crates cannot be compared.
#[derive(Clone)]
struct Source(Arc<dyn core::error::Error + Send + Sync>);

impl Source {
    fn text(&self) -> String {
        self.0.to_string()
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        // Causes are of any type and need not be comparable, so their texts are compared.
        self.text() == other.text()
    }
}

impl Eq for Source {}

impl core::hash::Hash for Source {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

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
