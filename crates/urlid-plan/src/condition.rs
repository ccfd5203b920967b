//! The table of conditions: what of a URL can be wanted, under which name, and how a value is written.
//!
//! The command line, files of questions and Python take their names and descriptions from here.

use std::fmt;

/// A part of a URL that a question can want a value of.
///
/// ```
/// use urlid_plan::Condition;
///
/// assert_eq!(Condition::from_name("path-prefix"), Some(Condition::PathPrefix));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Condition {
    /// The scheme.
    Scheme,
    /// The whole host, empty if there is none; not together with `Tld`, `Domain` or `Sub`.
    Host,
    /// The public suffix, without a leading dot.
    Tld,
    /// The one label left of the public suffix.
    Domain,
    /// Everything left of the domain; empty if nothing is.
    Sub,
    /// The port, if one is written.
    Port,
    /// The path, with its leading slash; without one only where a scheme like `mailto` is wanted, or no host.
    Path,
    /// What the path begins with.
    PathPrefix,
    /// The query without its `?`; empty if there is none.
    Query,
    /// The fragment without its `#`; empty if there is none.
    Fragment,
    /// Optional parts that are present: `sub`, `query`, `fragment`, `port`, with commas between them.
    Has,
    /// Optional parts that are absent.
    Lacks,
}

impl Condition {
    /// Every condition, in the order of a URL's parts.
    pub const ALL: [Self; 12] = [
        Self::Scheme,
        Self::Host,
        Self::Tld,
        Self::Domain,
        Self::Sub,
        Self::Port,
        Self::Path,
        Self::PathPrefix,
        Self::Query,
        Self::Fragment,
        Self::Has,
        Self::Lacks,
    ];

    /// Returns the name that users give it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scheme => "scheme",
            Self::Host => "host",
            Self::Tld => "tld",
            Self::Domain => "domain",
            Self::Sub => "sub",
            Self::Port => "port",
            Self::Path => "path",
            Self::PathPrefix => "path-prefix",
            Self::Query => "query",
            Self::Fragment => "fragment",
            Self::Has => "has",
            Self::Lacks => "lacks",
        }
    }

    /// Returns the condition with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|condition| condition.name() == name)
    }

    /// Returns what a value is called in usage texts.
    #[must_use]
    pub const fn value_name(self) -> &'static str {
        match self {
            Self::Scheme => "SCHEME",
            Self::Host => "HOST",
            Self::Tld => "SUFFIX",
            Self::Domain => "LABEL",
            Self::Sub => "LABELS",
            Self::Port => "PORT",
            Self::Path | Self::PathPrefix => "PATH",
            Self::Query => "QUERY",
            Self::Fragment => "FRAGMENT",
            Self::Has | Self::Lacks => "PARTS",
        }
    }

    /// Returns what it means, for users.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Scheme => "The scheme",
            Self::Host => "The whole host, which may be an address; an empty text means that there is none",
            Self::Tld => "The public suffix: com, co.uk",
            Self::Domain => "The label left of the public suffix: google",
            Self::Sub => "What is left of the domain: www; an empty text means that nothing is",
            Self::Port => "The port, if one is written in the URL",
            Self::Path => {
                "The path as written, with its first slash; one without it goes with a scheme like mailto, or an empty host"
            }
            Self::PathPrefix => "What the path begins with, as written, with its first slash like a path",
            Self::Query => "The query as written, without its question mark; an empty text means none",
            Self::Fragment => "The fragment as written, without its number sign; an empty text means none",
            Self::Has => "Parts that are present: sub, query, fragment, port; a list with commas",
            Self::Lacks => "Parts that are absent: sub, query, fragment, port; a list with commas",
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
