//! The interface of a store of URLs that answers questions, such as an index file or a dataset.

use std::ops::ControlFlow;

use urlid::Error;
use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid_canonical::Form;

use crate::question::{Group, GroupBy, Question, Row, Stats};

/// The numbers of candidates of a question, by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// Rows that answer the question.
    pub rows: u64,
    /// Rows whose identifier matches but whose URL does not: collisions of slices. A store that compares no identifiers has none.
    pub dropped: u64,
    /// Rows that no loader wrote. A [`Store`] that has any reports them as an error.
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
    /// Other stored URLs that have the same identifier; a store that keeps no identifiers does not look for them.
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

/// A store of URLs that is open for questions: an index in one SQLite file, or a dataset in a folder.
///
/// Every store gives the same set of answers from the same URLs, each in its own order. All methods fail if the store cannot be
/// read or is damaged; what they passed to a callback before is valid even then.
pub trait Store: Send {
    /// Returns what answers depend on.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn about(&self) -> Result<About, Error>;

    /// Returns the number of rows.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn rows(&self) -> Result<u64, Error>;

    /// Returns one line about what is read to answer a question.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn plan(&self, question: &Question) -> Result<String, Error>;

    /// Calls `each` with every answer until it returns `Break`. A store without identifiers computes them only if `with_ids` is set.
    ///
    /// # Errors
    /// At the end, if there were rows that cannot be read.
    fn find(
        &self,
        question: &Question,
        with_ids: bool,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, Error>;

    /// Counts the answers to a question.
    ///
    /// # Errors
    /// If there are rows that cannot be read.
    fn count(&self, question: &Question) -> Result<Candidates, Error>;

    /// Counts the answers to a question by a part, the largest groups first, equal ones by name.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error>;

    /// Counts everything in one pass over the rows.
    ///
    /// # Errors
    /// As [`count`](Self::count).
    fn stats(&self) -> Result<Stats, Error>;

    /// Calls `each` with every URL of an identifier until it returns `Break`, and returns the number of calls. A store without
    /// identifiers reads every row.
    ///
    /// # Errors
    /// As [`find`](Self::find).
    fn get_id(&self, id: &Sxurl, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> Result<u64, Error>;

    /// Looks up one URL, converted to the canonical form of the store. `form` is needed if that contains a list that is not part of
    /// the library.
    ///
    /// # Errors
    /// If the text is not an absolute URL or has no canonical form, or if the store cannot be read.
    fn get_url(&self, url: &str, form: Option<&Form>) -> Result<Lookup, Error>;

    /// Looks up many URLs like [`get_url`](Self::get_url), in the order in which that is fastest, and returns for each whether it is
    /// stored.
    ///
    /// # Errors
    /// If the store cannot be read. What is wrong with one URL, or with the rows where it would be, is its own result.
    fn are_stored(&self, urls: &[&str], form: Option<&Form>) -> Result<Vec<Result<bool, Error>>, Error>;
}
