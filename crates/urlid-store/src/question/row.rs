//! Rows of an index file (table, key and text, as SQLite returns them), and answers.

use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;

/// The bytes of an identifier.
pub type Id = [u8; 32];

/// A table of an index file that holds URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The URLs with an SXURL.
    Url,
    /// The URLs without an SXURL.
    Other,
}

/// A value of SQLite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowValue<'v> {
    /// Bytes.
    Blob(&'v [u8]),
    /// A text, which may not be UTF-8.
    Text(&'v [u8]),
    /// NULL or a number.
    Other,
}

impl<'v> RowValue<'v> {
    /// Returns a text that is UTF-8.
    #[must_use]
    pub fn as_str(self) -> Option<&'v str> {
        match self {
            Self::Text(text) => str::from_utf8(text).ok(),
            Self::Blob(_) | Self::Other => None,
        }
    }

    /// Returns a blob with the length of an identifier.
    #[must_use]
    pub fn as_id(self) -> Option<&'v Id> {
        match self {
            Self::Blob(bytes) => bytes.try_into().ok(),
            Self::Text(_) | Self::Other => None,
        }
    }

    /// Returns a key for the comparison with identifiers. In a damaged file a key can have any length and
    /// type, so it is cut or padded with zeros.
    #[must_use]
    pub fn to_padded_id(self) -> Id {
        let key = if let Self::Blob(key) = self { key } else { &[] };
        std::array::from_fn(|index| key.get(index).copied().unwrap_or(0))
    }
}

/// One row of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<'a> {
    /// The identifier of the URL, or `None` if it lacks an SXURL.
    pub id: Option<Sxurl>,
    /// The stored text of the URL. It is the SXURL normal text if the URL has an identifier.
    pub url: &'a str,
}

/// The numbers of candidates of a question, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Rows that answer the question.
    pub rows: u64,
    /// Rows with an identifier that matches and a URL that does not, because slices collide. A dataset does
    /// not compare identifiers, so its number is 0.
    pub dropped: u64,
    /// Rows that no loader wrote. If there are any, the question fails at the end.
    pub damaged: u64,
    /// Whether keys are out of order, so that answers may be missing. The question then fails at the end.
    pub is_short: bool,
}

/// The result of looking up a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlLookup {
    /// The identifier of the URL, or `None` if it lacks an SXURL.
    pub id: Option<Sxurl>,
    /// The text by which the URL is, or would be, stored.
    pub url: String,
    /// Whether the URL is stored.
    pub is_stored: bool,
    /// The number of other stored URLs with the same identifier. A dataset does not look for them.
    pub others: u64,
}

/// The properties of a store that answers depend on.
#[derive(Clone, Debug)]
pub struct About {
    /// The suffix list and Unicode data of host parts and identifiers.
    pub snapshot: Snapshot,
    /// The suffix list.
    pub suffixes: SuffixList,
    /// The name of the canonical form of the URLs, or `None` if they are stored unchanged.
    pub canonical_form: Option<String>,
}
