//! Stored URLs, open for questions: an index in one file, or datasets in folders.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid::sxurl::Sxurl;
use urlid_canonical::{Form, Rules};

use crate::dataset::{Dataset, is_dataset};
use crate::file::Index;
use crate::question::{About, Candidates, Group, GroupBy, Question, Row, Stats, UrlLookup};

/// Stored URLs, open for questions.
///
/// Both kinds give the same set of answers for the same URLs, each in its own order. All methods fail if the
/// store cannot be read or is damaged. Answers that were passed to a callback before the failure are valid.
#[derive(Debug)]
pub enum Urls {
    /// An index in one SQLite file.
    File(Index),
    /// A dataset of one or several folders.
    Folder(Dataset),
}

/// Calls the same method of either kind.
macro_rules! both {
    ($urls:ident, $one:ident => $call:expr) => {
        match $urls {
            Urls::File($one) => $call,
            Urls::Folder($one) => $call,
        }
    };
}

impl Urls {
    /// Opens an index file, or the folder of a dataset together with other datasets.
    ///
    /// # Errors
    /// The same as [`Index::open`] and [`Dataset::open`].
    pub fn open(path: &Path, also: &[PathBuf]) -> Result<Self, Error> {
        // An index file cannot be combined with other stores. Opening it as a dataset gives an error that
        // names its kind.
        Ok(match also.is_empty() && !is_dataset(path) {
            true => Urls::File(Index::open(path)?),
            false => Urls::Folder(Dataset::open(path, also)?),
        })
    }

    /// Returns the properties that answers depend on.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn about(&self) -> Result<About, Error> {
        both!(self, urls => urls.about())
    }

    /// Returns the rules of sites that the canonical form names, or `None` if it does not name any.
    ///
    /// # Errors
    /// If they are damaged or cannot be read.
    pub fn site_rules(&self) -> Result<Option<Rules>, Error> {
        both!(self, urls => urls.site_rules())
    }

    /// Returns the number of rows.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn rows(&self) -> Result<u64, Error> {
        both!(self, urls => urls.rows())
    }

    /// Returns one line about the data that is read to answer a question.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn plan(&self, question: &Question) -> Result<String, Error> {
        match self {
            Urls::File(index) => index.plan(question).map(|plan| plan.to_string()),
            Urls::Folder(datasets) => Ok(datasets.plan(question)),
        }
    }

    /// Calls `each` with every answer until it returns `Break`. Identifiers are not stored in a dataset, so
    /// it computes them only if `with_ids` is set.
    ///
    /// # Errors
    /// If there were rows that cannot be read. This is reported at the end.
    pub fn find(
        &self,
        question: &Question,
        with_ids: bool,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, Error> {
        match self {
            Urls::File(index) => index.find(question, each),
            Urls::Folder(datasets) => datasets.find(question, with_ids, each),
        }
    }

    /// Counts the answers to a question.
    ///
    /// # Errors
    /// If there are rows that cannot be read.
    pub fn count(&self, question: &Question) -> Result<Candidates, Error> {
        both!(self, urls => urls.count(question))
    }

    /// Counts the answers to a question by a part. The largest groups come first, and equal ones are sorted
    /// by name. Memory grows with the number of groups.
    ///
    /// # Errors
    /// The same as [`count`](Self::count).
    pub fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        both!(self, urls => urls.group(question, part))
    }

    /// Counts everything in one pass over the rows.
    ///
    /// # Errors
    /// The same as [`count`](Self::count).
    pub fn stats(&self) -> Result<Stats, Error> {
        both!(self, urls => urls.stats())
    }

    /// Calls `each` with every URL of an identifier until it returns `Break`, and returns the number of
    /// calls. A dataset reads every row.
    ///
    /// # Errors
    /// The same as [`find`](Self::find).
    pub fn get_id(&self, id: &Sxurl, each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>) -> Result<u64, Error> {
        both!(self, urls => urls.get_id(id, each))
    }

    /// Looks up one URL, converted to the canonical form of the stored URLs. `form` is needed if that form
    /// contains a list that is not part of the library.
    ///
    /// # Errors
    /// If the text is not an absolute URL or has no canonical form, or if rows cannot be read.
    pub fn get_url(&self, url: &str, form: Option<&Form>) -> Result<UrlLookup, Error> {
        both!(self, urls => urls.get_url(url, form))
    }

    /// Looks up many URLs like [`get_url`](Self::get_url), in the fastest order, and returns for each whether
    /// it is stored.
    ///
    /// # Errors
    /// If nothing can be read. An error of one URL, or of the rows where it would be, is returned as the
    /// result of that URL only.
    pub fn are_stored(&self, urls: &[&str], form: Option<&Form>) -> Result<Vec<Result<bool, Error>>, Error> {
        both!(self, stored => stored.are_stored(urls, form))
    }
}
