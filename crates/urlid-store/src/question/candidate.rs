//! The decision on a row of an index: its URL is parsed and compared with the question, so that colliding slices never answer.

use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;

use crate::question::conditions::Question;
use crate::question::other::host_key;
use crate::question::plan::Plan;
use crate::question::row::{Row, Table, Value};
use crate::question::stored::StoredUrl;

/// A row that a step of a plan reads.
#[derive(Clone, Debug)]
pub enum Candidate<'r> {
    /// An answer, and its parts.
    Answer(Row<'r>, StoredUrl<'r>),
    /// Not an answer.
    Other,
    /// Not an answer, though its identifier matches: slices collide.
    Collision,
    /// A row that no loader wrote.
    Damaged,
}

impl<'r> Candidate<'r> {
    /// Decides on the two columns of a row; `list` is the suffix list of the index.
    #[must_use]
    pub fn of(
        row: [Value<'r>; 2],
        table: Table,
        plan: &Plan,
        question: &Question,
        list: &SuffixList,
    ) -> Self {
        match table {
            Table::Url => Self::with_id(row, plan, question, list),
            Table::Other => Self::without_id(row, question, list).unwrap_or(Self::Damaged),
        }
    }

    fn with_id([id, text]: [Value<'r>; 2], plan: &Plan, question: &Question, list: &SuffixList) -> Self {
        let Some(id) = id.as_id() else { return Self::Damaged };
        // Before the URL is parsed, which costs far more. Ranges of keys fix the first digits only.
        if !plan.pattern.matches(id) {
            return Self::Other;
        }
        let (Some(text), Ok(id)) = (text.as_str(), Sxurl::from_bytes(*id)) else { return Self::Damaged };
        let Some(url) = StoredUrl::of_row(Table::Url, text, list) else { return Self::Damaged };
        match question.is_met_unhashed(&url) {
            // The scheme, presence of parts and the prefix of a path are not hashed, so differing in them is not a collision.
            false => Self::Other,
            true if !question.is_met(&url) => Self::Collision,
            true => Self::Answer(Row { id: Some(id), url: text }, url),
        }
    }

    /// Decides on a row of the table `other`. Returns `None` if no loader wrote it.
    fn without_id([key, text]: [Value<'r>; 2], question: &Question, list: &SuffixList) -> Option<Self> {
        let (key, text) = (key.as_str()?, text.as_str()?);
        let url = StoredUrl::of_row(Table::Other, text, list).filter(|url| host_key(url.host()) == key)?;
        Some(if question.is_met(&url) { Self::Answer(Row { id: None, url: text }, url) } else { Self::Other })
    }
}
