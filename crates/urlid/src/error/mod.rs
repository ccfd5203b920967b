//! The error type of all functions of this crate. An error has a stable code and a message that states the
//! found value, its place and the expected value.
//!
//! The kinds of errors are constants next to the code that reports them. The codes are in `code`.

mod code;

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;

pub use code::{Coded, ErrorCode};

/// The reason why a text, an identifier, a list or an argument was rejected.
///
/// Callers match on [`Error::code`], which never changes; the message may. An `Error` is as large as a
/// pointer.
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
/// `{subject}`, `{found}`, `{expected}` and `{place}` in the message are replaced by the details of an
/// [`Error`] of this kind.
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

/// The place in the input where an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A byte offset, from 0.
    Byte(usize),
    /// The number of a line or of a token.
    Number(u64),
}

impl ErrorKind {
    /// Returns a kind with a code and a message. The message is a single lower-case line.
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
    /// Adds the piece of the input that was found. The message shows its first 64 characters between
    /// backquotes, with control characters escaped.
    #[must_use]
    pub fn with_found(self, text: &str) -> Self {
        self.with_shown(Excerpt(text))
    }

    /// Adds the value that was found, displayed without quotes or escapes.
    #[must_use]
    pub fn with_shown(mut self, found: impl fmt::Display) -> Self {
        self.0.found = Some(found.to_string().into());
        self
    }

    /// Adds the name of the error's subject: a key of a header, a part, an option.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<Cow<'static, str>>) -> Self {
        self.0.subject = Some(subject.into());
        self
    }

    /// Adds a path as the error's subject.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn with_path(self, path: &std::path::Path) -> Self {
        self.with_subject(path.display().to_string())
    }

    /// Adds the expected value.
    #[must_use]
    pub fn with_expected(mut self, expected: impl Into<Cow<'static, str>>) -> Self {
        self.0.expected = Some(expected.into());
        self
    }

    /// Adds the byte offset of the error.
    #[must_use]
    pub fn with_offset(mut self, offset: usize) -> Self {
        self.0.place = Some(Place::Byte(offset));
        self
    }

    /// Adds the number of the line or token that has the error.
    #[must_use]
    pub fn with_number(mut self, number: u64) -> Self {
        self.0.place = Some(Place::Number(number));
        self
    }

    /// Changes the kind of the error and keeps its details.
    #[must_use]
    pub fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Changes the code of the error, for a system that has its own code for the same fault.
    #[must_use]
    pub fn with_code(mut self, code: ErrorCode) -> Self {
        self.0.kind.code = code;
        self
    }

    /// Adds the cause of the error. The error's message does not repeat the message of its cause.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn with_source(mut self, source: impl core::error::Error + Send + Sync + 'static) -> Self {
        // Errors are `Clone` but their causes need not be, so the cause is shared.
        self.0.source = Some(Source(Arc::new(source)));
        self
    }

    /// Returns the code, which no release changes.
    pub fn code(&self) -> ErrorCode {
        self.0.kind.code
    }

    /// Returns whether the error is of this kind, even if its code was changed.
    pub fn is(&self, kind: ErrorKind) -> bool {
        // `with_code` changes the code but not the message.
        self.0.kind.message == kind.message
    }

    /// Returns the name or path of the subject of the error.
    pub fn subject(&self) -> Option<&str> {
        self.0.subject.as_deref()
    }

    /// Returns the found value, as the message shows it.
    pub fn found(&self) -> Option<&str> {
        self.0.found.as_deref()
    }

    /// Returns the expected value, as the message shows it.
    pub fn expected(&self) -> Option<&str> {
        // If all errors of a kind expect the same value, the value is at the end of the message.
        self.0.expected.as_deref().or_else(|| Some(self.0.kind.message.rsplit_once("expected ")?.1))
    }

    /// Returns the place of the error in the input.
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

/// A cause. Errors of other crates cannot be compared, so two causes are equal if their texts are.
#[derive(Clone)]
struct Source(Arc<dyn core::error::Error + Send + Sync>);

impl Source {
    fn text(&self) -> String {
        self.0.to_string()
    }
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        // Causes can have any type and may not be comparable, so their texts are compared.
        self.text() == other.text()
    }
}

impl Eq for Source {}

impl core::hash::Hash for Source {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

/// The number of characters that an error shows of a value.
const SHOWN: usize = 64;

/// Displays as the first characters of the text between backquotes, with control characters escaped.
pub struct Excerpt<'a>(pub &'a str);

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.char_indices().nth(SHOWN).map(|(end, _)| end);
        f.write_str("`")?;
        for character in self.0[..end.unwrap_or(self.0.len())].chars() {
            // A hostile URL could otherwise rearrange a terminal's line or hide a part of itself.
            if is_unprintable(character) {
                write!(f, "{}", character.escape_default())?
            } else {
                write!(f, "{character}")?
            }
        }
        f.write_str(if end.is_some() { "…`" } else { "`" })
    }
}

/// Returns whether a character is a control character or changes the direction or visibility of its
/// neighbours.
fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
