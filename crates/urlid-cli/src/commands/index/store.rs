//! What is asked: an index in one file, or a dataset in a folder.

use std::ops::ControlFlow;
use std::path::Path;

use urlid::Error;
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid_canonical::Form;
use urlid_dataset::{Dataset, is_dataset};
use urlid_index::{Group, GroupBy, Index, Question, Row, Stats};

/// An index or a dataset.
pub(super) enum Store {
    File(Index),
    Folder(Dataset),
}

/// The numbers of candidates of a question.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) rows: u64,
    /// Rows whose identifiers fit and whose URLs do not; a dataset has none.
    pub(super) dropped: u64,
}

impl From<urlid_index::Candidates> for Found {
    fn from(found: urlid_index::Candidates) -> Self {
        Self { rows: found.rows, dropped: found.dropped }
    }
}

/// The result of looking up a URL.
pub(super) struct Lookup {
    pub(super) id: Option<Sxurl>,
    /// The text by which the URL is, or would be, stored.
    pub(super) url: String,
    pub(super) is_stored: bool,
    /// Other URLs with the same identifier; a dataset does not look for them.
    pub(super) others: u64,
}

impl Store {
    /// Opens what a path names.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        match is_dataset(path) {
            true => Dataset::open(path).map(Self::Folder),
            false => Index::open(path).map(Self::File),
        }
    }

    /// Returns the suffix list by which hosts are split.
    pub(super) fn suffixes(&self) -> Result<SuffixList, Error> {
        match self {
            Self::File(index) => Ok(index.describe()?.suffixes.clone()),
            Self::Folder(dataset) => Ok(dataset.describe().suffixes.clone()),
        }
    }

    /// Returns a line about what is read to answer a question.
    pub(super) fn plan(&self, question: &Question) -> Result<String, Error> {
        match self {
            Self::File(index) => Ok(index.plan(question)?.to_string()),
            Self::Folder(dataset) => Ok(dataset.plan(question)),
        }
    }

    /// Calls `each` with every answer. Identifiers are there if the store has them or if they are wanted.
    pub(super) fn find(
        &self,
        question: &Question,
        with_ids: bool,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Found, Error> {
        match self {
            Self::File(index) => index.find(question, each).map(Found::from),
            Self::Folder(dataset) => {
                dataset.find(question, with_ids, each).map(|rows| Found { rows, dropped: 0 })
            }
        }
    }

    /// Calls `each` with every URL of an identifier, and returns their number.
    pub(super) fn get_id(
        &self,
        id: &Sxurl,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<u64, Error> {
        let dataset = match self {
            Self::File(index) => return index.get_id(id, each),
            Self::Folder(dataset) => dataset,
        };
        let mut found = 0;
        dataset.find(&Question::default(), true, &mut |row| {
            if row.id.as_ref() != Some(id) {
                return ControlFlow::Continue(());
            }
            found += 1;
            each(row)
        })?;
        Ok(found)
    }

    /// Counts everything; reads every row.
    pub(super) fn stats(&self) -> Result<Stats, Error> {
        match self {
            Self::File(index) => index.stats(),
            Self::Folder(dataset) => dataset.stats(),
        }
    }

    /// Returns the name of the canonical form of its URLs.
    pub(super) fn form(&self) -> Result<Option<String>, Error> {
        match self {
            Self::File(index) => Ok(index.describe()?.canonical_form.clone()),
            Self::Folder(dataset) => Ok(dataset.describe().canonical_form.clone()),
        }
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self) -> Result<u64, Error> {
        match self {
            Self::File(index) => index.rows(),
            Self::Folder(dataset) => Ok(dataset.rows()),
        }
    }

    /// Returns the number of lines that are stored and were not delivered.
    pub(super) fn pending_lines(&self) -> Result<u64, Error> {
        match self {
            Self::File(index) => index.pending_lines(),
            Self::Folder(_) => Ok(0),
        }
    }

    /// Looks up one URL, converted to the canonical form of the store.
    pub(super) fn get_url(&self, url: &str, form: Option<&Form>) -> Result<Lookup, Error> {
        match self {
            Self::File(index) => {
                let found = index.get_url_as(url, form)?;
                let urlid_index::Lookup { id, url, is_stored, others, .. } = found;
                Ok(Lookup { id, url, is_stored, others })
            }
            Self::Folder(dataset) => {
                let urlid_dataset::Answer { id, url, is_stored } = dataset.get(url, form)?;
                Ok(Lookup { id, url, is_stored, others: 0 })
            }
        }
    }

    /// Counts the answers to a question.
    pub(super) fn count(&self, question: &Question) -> Result<Found, Error> {
        match self {
            Self::File(index) => index.count(question).map(Found::from),
            Self::Folder(dataset) => dataset.count(question).map(|rows| Found { rows, dropped: 0 }),
        }
    }

    /// Counts the answers to a question by a part.
    pub(super) fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Found), Error> {
        match self {
            Self::File(index) => index.group(question, part).map(|(groups, found)| (groups, found.into())),
            Self::Folder(dataset) => {
                dataset.group(question, part).map(|(groups, rows)| (groups, Found { rows, dropped: 0 }))
            }
        }
    }
}
