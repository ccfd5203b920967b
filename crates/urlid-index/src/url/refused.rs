//! The error of a text that is not stored.

use std::fmt;

use urlid::{Coded, ErrorCode};

/// The reason an index does not store a text.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// use urlid_index::{LineOutcome, Load, LoadOptions, RefusedUrl};
///
/// let mut load = Load::begin(&path, SuffixList::compiled(), LoadOptions::default())?;
/// let LineOutcome::Refused(RefusedUrl::Parse(error)) = load.push("no URL")? else { panic!("it is no URL") };
/// eprintln!("{error}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusedUrl {
    /// The text is not an absolute URL.
    Parse(urlid::Error),
    /// The canonical form of the index rejects the text.
    Form(urlid::Error),
    /// The canonical form of the text is empty.
    EmptyForm,
}

impl Coded for RefusedUrl {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Parse(error) => error.code(),
            Self::Form(error) => error.code(),
            Self::EmptyForm => ErrorCode::UrlParse,
        }
    }
}

impl fmt::Display for RefusedUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parse(error) => error.fmt(f),
            Self::Form(error) => error.fmt(f),
            Self::EmptyForm => f.write_str("canonical form is empty: expected an absolute URL"),
        }
    }
}

impl std::error::Error for RefusedUrl {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Parse(error) => error.source(),
            Self::Form(error) => error.source(),
            Self::EmptyForm => None,
        }
    }
}

impl RefusedUrl {
    /// Rejects an empty canonical form, which some forms give for white space instead of an error.
    pub(crate) fn check_form(canonical: &str) -> Result<(), Self> {
        if canonical.is_empty() { Err(Self::EmptyForm) } else { Ok(()) }
    }
}

impl From<urlid::Error> for RefusedUrl {
    fn from(error: urlid::Error) -> Self {
        Self::Parse(error)
    }
}
