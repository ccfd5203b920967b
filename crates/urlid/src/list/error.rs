//! Why a list cannot be made, read or used. Each error has the one-line message and the stable code of its kind.

use core::fmt;

use super::other_suffixes::OtherSuffixList;
use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::hashed_uri::{Algorithm, HasherError, KeyId, ParseHashedUriError};

/// Why a list's header is not valid, or does not agree with the entries.
///
/// ```
/// use urlid::list::{HeaderError, ListReader};
///
/// assert_eq!(ListReader::new().finish().unwrap_err(), HeaderError::Missing { key: "urlid-list" });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderError {
    /// A line that begins with `#` is not `# key: value`.
    Shape {
        /// The number of the line.
        line: u64,
        /// The line.
        found: Excerpt,
    },
    /// The format has another version.
    Version {
        /// The version.
        found: Excerpt,
    },
    /// A key that the version does not have.
    UnknownKey {
        /// The number of the line.
        line: u64,
        /// The key.
        key: Excerpt,
    },
    /// A key for the second time.
    Repeated {
        /// The number of the line.
        line: u64,
        /// The key.
        key: &'static str,
    },
    /// A key is missing.
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A value that the key cannot have.
    Value {
        /// The key.
        key: &'static str,
        /// The value.
        found: Excerpt,
        /// What it should have been.
        expected: &'static str,
    },
    /// A key that does not go with the others.
    Unexpected {
        /// The key.
        key: &'static str,
        /// Why it should not be there.
        because: &'static str,
    },
    /// Keyed and unkeyed algorithms together: the unkeyed digests reveal what the key hides.
    MixedAlgorithms,
    /// The intake `web` with variant `none`, which hashes URIs as they are written.
    Intake,
    /// There are more or fewer entries than the header states, refused ones included.
    Count {
        /// The number in the header.
        stated: u64,
        /// The number of entries.
        found: u64,
    },
    /// The entries are not those that the header was written with.
    Digest {
        /// The digest in the header, in hexadecimal digits.
        stated: String,
        /// The digest of the entries.
        found: String,
    },
    /// An entry has an algorithm that the header does not name.
    Algorithm {
        /// The number of the entry's line.
        line: u64,
        /// The algorithm.
        found: Algorithm,
    },
    /// An entry has a flag that the header does not name.
    Keep {
        /// The number of the entry's line.
        line: u64,
        /// The flags of the entry.
        found: &'static str,
    },
}

impl Coded for HeaderError {
    fn code(&self) -> ErrorCode {
        ErrorCode::ListHeader
    }
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shape { line, found } => {
                write!(f, "list header has a malformed line {line}: found {found}, expected `# key: value`")
            }
            Self::Version { found } => write!(f, "list has format version {found}, expected 1 to 3"),
            Self::UnknownKey { line, key } => {
                write!(f, "list header has an unknown key in line {line}: found {key}")
            }
            Self::Repeated { line, key } => {
                write!(f, "list header has `{key}` again in line {line}, expected it once")
            }
            Self::Missing { key } => write!(f, "list header lacks `{key}`"),
            Self::Value { key, found, expected } => {
                write!(f, "list header has a bad `{key}`: found {found}, expected {expected}")
            }
            Self::Unexpected { key, because } => write!(f, "list header has `{key}`, and {because}"),
            Self::MixedAlgorithms => f.write_str(
                "list header has keyed and unkeyed algorithms: the unkeyed ones reveal what the key hides",
            ),
            Self::Intake => {
                f.write_str("list header has the intake `web` with variant `none`, expected `rfc3986`")
            }
            Self::Count { stated, found } => {
                write!(
                    f,
                    "list has another length than its header says: found {found} entries, expected {stated}"
                )
            }
            Self::Digest { stated, found } => {
                write!(
                    f,
                    "list has other entries than its header says: found digest {found}, expected {stated}"
                )
            }
            Self::Algorithm { line, found } => {
                write!(
                    f,
                    "list has an entry in line {line} by an algorithm that its header does not name: found {found}"
                )
            }
            Self::Keep { line, found } => {
                write!(
                    f,
                    "list has an entry in line {line} with flags that its header does not name: found {found}"
                )
            }
        }
    }
}

impl core::error::Error for HeaderError {}

/// Why a line of a list is refused; the lines around it are read.
///
/// ```
/// use urlid::list::{ListLineError, ListReadError, ListReader};
///
/// let mut reader = ListReader::new();
/// for line in ["urlid-list: 1", "variant: n", "algorithms: sha1", "keep: none", "ladder: none", "count: 1", "snapshot: none"] {
///     reader.line(&format!("# {line}"))?;
/// }
/// let refused = reader.line("no hashed URI").unwrap_err();
/// assert!(matches!(refused, ListReadError::Line(ListLineError::Entry(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListLineError {
    /// It is no hashed URI.
    Entry(ParseHashedUriError),
    /// It looks like a line of the header, after the first entry.
    LateHeader,
}

impl Coded for ListLineError {
    fn code(&self) -> ErrorCode {
        ErrorCode::ListLine
    }
}

impl fmt::Display for ListLineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entry(error) => error.fmt(f),
            Self::LateHeader => f.write_str("line of the header comes after the first entry"),
        }
    }
}

impl core::error::Error for ListLineError {}

/// Why a list and a key do not go together.
///
/// ```
/// use urlid::hashed_uri::{Algorithm, Key};
/// use urlid::list::{KeyError, ListBuilder, ListMatcher, Rules};
///
/// let key = Key::new(&[7; 32])?;
/// let list = ListBuilder::new(Rules::default(), &[Algorithm::XHmacSha256], Some(&key))?.finish();
/// assert_eq!(ListMatcher::new(&list, None).unwrap_err(), KeyError::Missing.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// A keyed list, and no key.
    Missing,
    /// A key, and no keyed algorithm.
    NotNeeded,
    /// Keyed and unkeyed algorithms together: the unkeyed digests reveal what the key hides.
    Mixed,
    /// Another key than the list was made with.
    Other {
        /// The name of the list's key.
        list: KeyId,
        /// The name of the given key.
        given: KeyId,
    },
}

impl KeyError {
    /// Checks that the key given is the one that the list was made with.
    pub(super) fn check(list: Option<KeyId>, given: Option<KeyId>) -> Result<(), Self> {
        match (list, given) {
            (None, None) => Ok(()),
            (None, Some(_)) => Err(Self::NotNeeded),
            (Some(_), None) => Err(Self::Missing),
            (Some(list), Some(given)) if list != given => Err(Self::Other { list, given }),
            (Some(_), Some(_)) => Ok(()),
        }
    }
}

impl Coded for KeyError {
    fn code(&self) -> ErrorCode {
        ErrorCode::Key
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("list is keyed: found no key"),
            Self::NotNeeded => f.write_str("list is not keyed: found a key, and no algorithm that needs one"),
            Self::Mixed => f.write_str(
                "list has keyed and unkeyed algorithms: the unkeyed ones reveal what the key hides",
            ),
            Self::Other { list, given } => write!(f, "list has another key: found {given}, expected {list}"),
        }
    }
}

impl core::error::Error for KeyError {}

/// Why a list cannot be matched.
///
/// ```
/// use urlid::hashed_uri::{Algorithm, Key};
/// use urlid::list::{KeyError, ListBuilder, ListMatcher, MatcherError, Rules};
///
/// let list = ListBuilder::new(Rules::default(), &[Algorithm::Sha1], None)?.finish();
/// let error = ListMatcher::new(&list, Some(&Key::new(&[7; 32])?)).unwrap_err();
/// assert_eq!(error, MatcherError::Key(KeyError::NotNeeded));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatcherError {
    /// The list and the key do not go together.
    Key(KeyError),
    /// The public suffix list at hand is another one than the list was made with.
    Suffixes(OtherSuffixList),
}

impl Coded for MatcherError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Key(error) => error.code(),
            Self::Suffixes(error) => error.code(),
        }
    }
}

impl fmt::Display for MatcherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(error) => error.fmt(f),
            Self::Suffixes(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for MatcherError {}

impl From<KeyError> for MatcherError {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl From<OtherSuffixList> for MatcherError {
    fn from(error: OtherSuffixList) -> Self {
        Self::Suffixes(error)
    }
}

/// Why a list with these rules and algorithms cannot be made.
///
/// ```
/// use urlid::list::{BuildError, ListBuilder, Rules};
///
/// assert_eq!(ListBuilder::new(Rules::default(), &[], None).err(), Some(BuildError::NoAlgorithm));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// There is no algorithm.
    NoAlgorithm,
    /// An algorithm cannot be computed.
    Hasher(HasherError),
    /// The key and the algorithms do not go together.
    Key(KeyError),
    /// The intake `web` with variant `none`, which hashes URIs as they are written.
    Intake,
}

impl Coded for BuildError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::NoAlgorithm => ErrorCode::Algorithm,
            Self::Hasher(error) => error.code(),
            Self::Key(error) => error.code(),
            Self::Intake => ErrorCode::ListHeader,
        }
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAlgorithm => f.write_str("list has no hash algorithm, expected one or more"),
            Self::Hasher(error) => error.fmt(f),
            Self::Key(error) => error.fmt(f),
            Self::Intake => f.write_str("list has the intake `web` with variant `none`, expected `rfc3986`"),
        }
    }
}

impl core::error::Error for BuildError {}

impl From<KeyError> for BuildError {
    fn from(error: KeyError) -> Self {
        Self::Key(error)
    }
}

impl From<HasherError> for BuildError {
    fn from(error: HasherError) -> Self {
        Self::Hasher(error)
    }
}
