//! Parts of answers, of an index file and of datasets alike.

use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;

/// The numbers of candidates of a question, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Rows that answer the question.
    pub rows: u64,
    /// Rows whose identifier matches but whose URL does not: collisions of slices. A dataset, which compares no identifiers, has none.
    pub dropped: u64,
    /// Rows that no loader wrote; if there are any, the question fails in the end.
    pub damaged: u64,
}

/// The result of looking up a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The identifier of the URL; `None` if it lacks an SXURL.
    pub id: Option<Sxurl>,
    /// The text by which the URL is, or would be, stored.
    pub url: String,
    /// Whether the URL is stored.
    pub is_stored: bool,
    /// Other stored URLs that have the same identifier; a dataset does not look for them.
    pub others: u64,
}

/// What answers depend on.
#[derive(Clone, Debug)]
pub struct About {
    /// The suffix list and Unicode data of host parts and identifiers.
    pub snapshot: Snapshot,
    /// The suffix list.
    pub suffixes: SuffixList,
    /// The name of the canonical form of the URLs; `None` if they are stored as they came.
    pub canonical_form: Option<String>,
}
