//! The error of an impossible question.

use std::fmt;

use urlid::{Coded, ErrorCode};

use crate::question::condition::Condition;

/// The reason that a question is impossible.
///
/// ```
/// use urlid_store::question::{Condition, Question, QuestionError};
///
/// let error = Question::new([(Condition::Tld, "")]).unwrap_err();
/// assert!(matches!(error, QuestionError::Empty { condition: Condition::Tld }));
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionError {
    /// A value cannot be part of a host.
    Host {
        /// `tld`, `domain`, `sub` or `host`.
        condition: Condition,
        /// The error of mapping the value.
        source: urlid::Error,
    },
    /// The domain is more than one label, but its slice is needed.
    DomainIsHost {
        /// The mapped value.
        host: String,
        /// The label left of its public suffix, by the compiled list.
        domain: String,
        /// Its public suffix.
        tld: String,
    },
    /// The value is empty, although every URL has this part.
    Empty {
        /// `tld`.
        condition: Condition,
    },
    /// The scheme has invalid syntax.
    Scheme {
        /// The given value.
        found: String,
    },
    /// The port is not a number from 0 to 65535.
    Port {
        /// The given value.
        found: String,
    },
    /// The path does not start with a slash. Only a scheme with other paths, or the empty host, allows this.
    Path {
        /// `path` or `path-prefix`.
        condition: Condition,
        /// The given value.
        found: String,
    },
    /// A name is not an optional part.
    Part {
        /// `has` or `lacks`.
        condition: Condition,
        /// The given value.
        found: String,
    },
    /// A part is required to be both present and absent.
    PresentAndAbsent,
    /// A condition is given twice, or the host or the registered domain is given both whole and in parts.
    Twice {
        /// The condition that was given again.
        condition: Condition,
    },
}

impl Coded for QuestionError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Host { source, .. } => source.code(),
            Self::DomainIsHost { .. } | Self::Empty { .. } | Self::Twice { .. } => ErrorCode::HostNotDns,
            Self::Path { .. } | Self::Part { .. } | Self::PresentAndAbsent => ErrorCode::UrlParse,
            Self::Scheme { .. } => ErrorCode::InvalidScheme,
            Self::Port { .. } => ErrorCode::Port,
        }
    }
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host { condition, .. } => write!(f, "{condition} is not part of a host"),
            Self::DomainIsHost { host, domain, tld } => write!(
                f,
                "domain is one label: found `{host}`, expected `{domain}` with tld `{tld}`, or `{host}` as host"
            ),
            Self::Empty { condition } => write!(f, "{condition} is empty: expected a name"),
            Self::Scheme { found } => {
                write!(
                    f,
                    "scheme is not valid: found `{found}`, expected a letter, then letters, digits, `+`, `-` and `.`"
                )
            }
            Self::Port { found } => write!(f, "port is out of range: found `{found}`, expected 0 to 65535"),
            Self::Path { condition, found } => {
                write!(f, "{condition} is not a path: found `{found}`, expected a slash at the start")
            }
            Self::Part { condition, found } => {
                write!(
                    f,
                    "{condition} names an unknown part: found `{found}`, expected sub, query, fragment or port"
                )
            }
            Self::PresentAndAbsent => {
                f.write_str("has and lacks name the same part: expected it in only one of them")
            }
            Self::Twice { condition: condition @ (Condition::Host | Condition::RegisteredDomain) } => {
                write!(f, "{condition} is given twice: found it whole and in parts, expected one of them")
            }
            Self::Twice { condition } => write!(f, "{condition} is given twice: expected it once"),
        }
    }
}

impl std::error::Error for QuestionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Host { source, .. } => Some(source),
            _ => None,
        }
    }
}
