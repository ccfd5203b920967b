//! The data that an identifier depends on in addition to its specification: the Public Suffix List and the
//! Unicode host mapping.
//!
//! Store a [`Snapshot`] with your identifiers. Two identifiers of one URL may differ if their snapshots
//! differ, so compare the snapshots before you mix identifiers from different sources.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::error::{Error, ErrorCode, ErrorKind};
use crate::hex;
use crate::host::mapping;
use crate::suffix::SuffixList;

/// The versions of the data that an identifier depends on.
///
/// Displays as one line of `key=value` pairs, which `FromStr` reads.
///
/// ```
/// use urlid::snapshot::Snapshot;
/// use urlid::suffix::{SuffixList, Sections};
///
/// let snapshot = Snapshot::new(SuffixList::compiled());
/// assert_eq!(snapshot.to_string().parse(), Ok(snapshot));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// The list's version line, or an empty text without such a line.
    pub psl_version: String,
    /// The list's commit line, or an empty text without such a line.
    pub psl_commit: String,
    /// The SHA-256 digest of the list's text, as 64 hexadecimal digits.
    pub psl_sha256: String,
    /// The sections that are used: `icann` or `all`.
    pub psl_sections: String,
    /// The Unicode version of the host mapping.
    pub unicode: String,
    /// The first 16 hexadecimal digits of a SHA-256 digest. The linked Unicode data maps a fixed set of
    /// hosts, and the results are hashed.
    pub host_mapping: String,
}

impl Snapshot {
    /// Returns the snapshot of identifiers that this build makes with `list`.
    pub fn new(list: &SuffixList) -> Self {
        Self {
            psl_version: one_word(list.version()),
            psl_commit: one_word(list.commit()),
            psl_sha256: hex::encode(&list.sha256()),
            psl_sections: list.sections().name().to_owned(),
            unicode: mapping::unicode().to_owned(),
            host_mapping: mapping::digest(),
        }
    }

    /// Returns the keys and values, in the order of `Display`.
    pub fn entries(&self) -> [(&'static str, &str); 6] {
        [
            ("psl_version", &self.psl_version),
            ("psl_commit", &self.psl_commit),
            ("psl_sha256", &self.psl_sha256),
            ("psl_sections", &self.psl_sections),
            ("unicode", &self.unicode),
            ("host_mapping", &self.host_mapping),
        ]
    }

    /// Returns each key whose values differ, with the value here and the value in `other`.
    pub fn differences<'a>(&'a self, other: &'a Self) -> Vec<(&'static str, &'a str, &'a str)> {
        let pairs = self.entries().into_iter().zip(other.entries());
        pairs.filter(|(a, b)| a.1 != b.1).map(|((key, here), (_, there))| (key, here, there)).collect()
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries().iter().enumerate().try_for_each(|(index, (key, value))| {
            let separator = if index == 0 { "" } else { " " };
            write!(f, "{separator}{key}={}", one_word(value))
        })
    }
}

/// Replaces every space and control character by `_`, so that the text fits into the line. The version and
/// commit of a list are untrusted input.
fn one_word(text: &str) -> String {
    // A space separates the pairs of the line, and a line end would end it.
    text.replace(|character: char| character.is_whitespace() || character.is_control(), "_")
}

const NOT_A_SNAPSHOT: ErrorKind = ErrorKind::new(
    ErrorCode::Snapshot,
    "not a snapshot: found {found}, expected `psl_version=…` and five more pairs",
);

impl FromStr for Snapshot {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self, Error> {
        let mut pairs = line.split(' ').map(|pair| pair.split_once('='));
        let mut value = |wanted: &str| match pairs.next().flatten() {
            // `Display` would not have written such a value, so the line is not a snapshot's.
            Some((key, value)) if key == wanted && value == one_word(value) => Ok(value.to_owned()),
            _ => Err(NOT_A_SNAPSHOT.found(line)),
        };
        let snapshot = Self {
            psl_version: value("psl_version")?,
            psl_commit: value("psl_commit")?,
            psl_sha256: value("psl_sha256")?,
            psl_sections: value("psl_sections")?,
            unicode: value("unicode")?,
            host_mapping: value("host_mapping")?,
        };
        match pairs.next() {
            Some(_) => Err(NOT_A_SNAPSHOT.found(line)),
            None => Ok(snapshot),
        }
    }
}
