//! The answers to a question, row by row. Rows with an identifier come in the order of identifiers, and then
//! rows without one in the order of their hosts.
//!
//! The module reads the candidates of a plan and compares each with its own URL, so that colliding slices
//! never give a wrong answer. Rows are passed on as they are read and never collected.

use std::ops::ControlFlow;

use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;

use crate::question::conditions::Question;
use crate::question::other::host_key;
use crate::question::plan::{KeyRange, Plan};
use crate::question::row::{Candidates, Id, Row, RowValue, Table};
use crate::question::steps::Steps;
use crate::question::stored::StoredUrl;

/// An index that is open in any build of SQLite, within one transaction.
pub trait Reader {
    /// An error of SQLite.
    type Error;
    /// A prepared statement.
    type Statement<'r>: Statement<Error = Self::Error>
    where
        Self: 'r;

    /// Returns the schema of the tables as an identifier of SQL: `main`, unless the index is attached.
    fn schema(&self) -> &str;

    /// Prepares a statement.
    ///
    /// # Errors
    /// Fails when SQLite does.
    fn prepare(&self, sql: &str) -> Result<Self::Statement<'_>, Self::Error>;
}

/// A statement whose rows have two columns.
pub trait Statement {
    /// An error of SQLite.
    type Error;

    /// Calls `each` with the rows until it returns `Break`.
    ///
    /// # Errors
    /// Fails when SQLite does.
    fn read(&mut self, parameters: &[RowValue<'_>], each: &mut EachRow<'_>) -> Result<(), Self::Error>;
}

/// Called with the columns of each row. Returns whether to continue.
pub type EachRow<'e> = dyn FnMut([RowValue<'_>; 2]) -> ControlFlow<()> + 'e;

/// Called with each answer and its parts. Returns whether to continue.
pub type EachAnswer<'e> = dyn FnMut(Row<'_>, &StoredUrl<'_>) -> ControlFlow<()> + 'e;

/// Called with the table and the columns of each candidate. Returns whether to continue.
pub type EachCandidate<'e> = dyn FnMut(Table, [RowValue<'_>; 2]) -> ControlFlow<()> + 'e;

/// Calls `each` with every answer. `list` is the suffix list of the index.
///
/// # Errors
/// Fails when SQLite does.
pub fn search<R: Reader>(
    reader: &R,
    plan: &Plan,
    question: &Question,
    list: &SuffixList,
    each: &mut EachAnswer<'_>,
) -> Result<Candidates, R::Error> {
    let mut found = Candidates::default();
    let is_whole = read_candidates(reader, plan, &mut |table, row| {
        match RowOutcome::new(row, table, plan, question, list) {
            RowOutcome::Answer(row, url) => {
                found.rows += 1;
                return each(row, &url);
            }
            RowOutcome::Other => {}
            RowOutcome::Collision => found.dropped += 1,
            RowOutcome::Damaged => found.damaged += 1,
        }
        ControlFlow::Continue(())
    })?;
    found.is_short = !is_whole;
    Ok(found)
}

/// Calls `each` with every row that a plan reads, for [`RowOutcome::new`] to classify. Returns false if keys
/// of the table `url` are out of order, because rows may be missing then.
///
/// # Errors
/// Fails when SQLite does.
pub fn read_candidates<R: Reader>(
    reader: &R,
    plan: &Plan,
    each: &mut EachCandidate<'_>,
) -> Result<bool, R::Error> {
    let mut steps = Steps::new(plan.clone(), reader.schema());
    let (mut seeking, mut reading, mut ending) = (None, None, None);
    let end_sql =
        format!("SELECT id, NULL FROM {}.url WHERE id <= ?1 ORDER BY id DESC LIMIT 1", reader.schema());
    let mut order = KeyOrder::default();
    let mut flow = ControlFlow::Continue(());
    while flow.is_continue()
        && let Some(step) = steps.next(|sql, from| seek(reader, &mut seeking, sql, from))?
    {
        let statement = match &mut reading {
            // All steps of a table share one statement, which is prepared once. A skip scan has thousands of
            // steps.
            Some((table, statement)) if *table == step.table => statement,
            _ => &mut reading.insert((step.table, reader.prepare(step.sql)?)).1,
        };
        statement.read(&step.parameters, &mut |row| {
            if step.table == Table::Url {
                order.add(row[0], step.ranges);
            }
            flow = each(step.table, row);
            flow
        })?;
        order.end_range();
        for (range, last) in order.ends.drain(..) {
            // Searched from its other side, a range must end with the row that was read last. Otherwise
            // reading stopped too early.
            let end = RowValue::Blob(step.ranges[range].end());
            order.is_broken |= flow.is_continue() && seek(reader, &mut ending, &end_sql, end)? != Some(last);
        }
    }
    Ok(!order.is_broken)
}

/// Checks the order of the keys that the steps of a plan read.
///
/// SQLite trusts the order of its pages. In a damaged file a page can be in the place of a different one, and
/// then a question could lose answers without an error. There are two symptoms. Either a key is less than the
/// key before it, which `add` notices. Or SQLite meets a key after the end of a range and stops reading the
/// range, although more of its rows follow. For the second symptom, `add` notes the last key of each range
/// that had rows. After the step, a search from the end of the range downwards has to find the same key.
#[derive(Debug, Default)]
struct KeyOrder {
    /// The last key. Before the first row, it is the least possible key.
    last: Id,
    /// The range of the last row in its step.
    range: Option<usize>,
    /// The ranges of a step that had rows, each with its last key.
    ends: Vec<(usize, Id)>,
    is_broken: bool,
}

impl KeyOrder {
    fn add(&mut self, key: RowValue<'_>, ranges: &[KeyRange]) {
        let key = key.as_id().copied().unwrap_or_else(|| key.to_padded_id());
        if self.range.is_none_or(|range| key > *ranges[range].end()) {
            let next = self.end_range().map_or(0, |range| range + 1);
            let place = ranges.iter().skip(next).position(|range| key <= *range.end());
            self.range = place.map(|place| next + place);
        }
        self.is_broken |= key < self.last;
        self.last = key;
    }

    /// Records the last key of the current range, and returns the range.
    fn end_range(&mut self) -> Option<usize> {
        let range = self.range.take()?;
        self.ends.push((range, self.last));
        Some(range)
    }
}

/// Returns the key in the first row of a statement with one parameter.
fn seek<'r, R: Reader>(
    reader: &'r R,
    statement: &mut Option<R::Statement<'r>>,
    sql: &str,
    from: RowValue<'_>,
) -> Result<Option<Id>, R::Error> {
    let statement = match statement {
        Some(statement) => statement,
        None => statement.insert(reader.prepare(sql)?),
    };
    let mut key = None;
    statement.read(&[from], &mut |[found, _]| {
        key = Some(found.to_padded_id());
        ControlFlow::Break(())
    })?;
    Ok(key)
}

/// A row that a step of a plan reads.
#[derive(Clone, Debug)]
pub enum RowOutcome<'r> {
    /// An answer, and its parts.
    Answer(Row<'r>, StoredUrl<'r>),
    /// Not an answer.
    Other,
    /// Not an answer, although its identifier matches, because slices collide.
    Collision,
    /// A row that no loader wrote.
    Damaged,
}

impl<'r> RowOutcome<'r> {
    /// Classifies a row by its two columns. `list` is the suffix list of the index.
    #[must_use]
    pub fn new(
        row: [RowValue<'r>; 2],
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

    fn with_id([id, text]: [RowValue<'r>; 2], plan: &Plan, question: &Question, list: &SuffixList) -> Self {
        let Some(id) = id.as_id() else { return Self::Damaged };
        // This is tested before the URL is parsed, which is much slower. Ranges of keys determine only the
        // first digits.
        if !plan.pattern.matches(id) {
            return Self::Other;
        }
        let (Some(text), Ok(id)) = (text.as_str(), Sxurl::from_bytes(*id)) else { return Self::Damaged };
        let Some(url) = StoredUrl::of_row(Table::Url, text, list) else { return Self::Damaged };
        match question.is_met_unhashed(&url) {
            // The scheme, the presence of parts and the prefix of a path are not hashed, so a difference in
            // them is not a collision.
            false => Self::Other,
            true if !question.is_met(&url) => Self::Collision,
            true => Self::Answer(Row { id: Some(id), url: text }, url),
        }
    }

    /// Classifies a row of the table `other`. Returns `None` if no loader wrote it.
    fn without_id([key, text]: [RowValue<'r>; 2], question: &Question, list: &SuffixList) -> Option<Self> {
        let (key, text) = (key.as_str()?, text.as_str()?);
        let url = StoredUrl::of_row(Table::Other, text, list).filter(|url| host_key(url.host()) == key)?;
        Some(if question.is_met(&url) { Self::Answer(Row { id: None, url: text }, url) } else { Self::Other })
    }
}
