//! Answers to questions, row by row or counted. It executes the plans of `question` on an open index.
//!
//! Groups are the parts' own texts, never their slices, because two public suffixes can share a slice.

use std::ops::ControlFlow;

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, params_from_iter};
use urlid::Error;

use super::Index;
use crate::file::error::{DAMAGED, damaged_rows};
use crate::file::open::{IndexFile, View};
use crate::question::{
    Candidates, EachAnswer, EachRow, Group, GroupBy, Plan, Question, Reader, Row, RowValue, Statement, Stats,
    StatsTally, Tally,
};

impl Index {
    /// Returns the plan that answers a question.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is no longer an index.
    pub fn plan(&self, question: &Question) -> Result<Plan, Error> {
        self.file.read(|view| Ok(plan(view, question)))
    }

    /// Calls `each` with every answer until it returns `Break`. Rows come in the order of identifiers, then
    /// rows without an identifier in the order of their reversed hosts.
    ///
    /// All rows are from one state of the index, even if other processes write meanwhile.
    ///
    /// # Errors
    /// Fails when SQLite does. Also fails at the end if there were rows that no loader wrote, or if the keys
    /// or the recorded number show that rows are missing. Rows that were passed to `each` are valid even
    /// then.
    pub fn find(
        &self,
        question: &Question,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, Error> {
        find(&self.file, question, &mut |row, _| each(row))
    }

    /// Counts the answers to a question.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn count(&self, question: &Question) -> Result<Candidates, Error> {
        find(&self.file, question, &mut |_, _| ControlFlow::Continue(()))
    }

    /// Counts the answers to a question by a part. The largest groups come first, and equal ones are sorted
    /// by name.
    ///
    /// Memory grows with the number of groups.
    ///
    /// # Errors
    /// Fails when SQLite does.
    pub fn group(&self, question: &Question, part: GroupBy) -> Result<(Vec<Group>, Candidates), Error> {
        let mut tally = Tally::new(part);
        let found = find(&self.file, question, &mut |_, url| {
            tally.add(url);
            ControlFlow::Continue(())
        })?;
        Ok((tally.sorted(), found))
    }

    /// Counts everything in one pass over the rows.
    ///
    /// # Errors
    /// Fails when SQLite does, and if there are rows that no loader wrote.
    pub fn stats(&self) -> Result<Stats, Error> {
        let mut tally = StatsTally::default();
        find(&self.file, &Question::default(), &mut |row, url| {
            tally.add(row.url, url);
            ControlFlow::Continue(())
        })?;
        Ok(tally.finish())
    }
}

/// Calls `each` with every answer and its parts, all from one state of the file.
pub(crate) fn find(
    file: &IndexFile,
    question: &Question,
    each: &mut EachAnswer<'_>,
) -> Result<Candidates, Error> {
    file.read(|view| search(view, question, each))
}

/// Calls `each` with every answer and its parts.
pub(crate) fn search(
    view: &View<'_>,
    question: &Question,
    each: &mut EachAnswer<'_>,
) -> Result<Candidates, Error> {
    let plan = plan(view, question);
    let mut is_stopped = false;
    let found = crate::question::search(view, &plan, question, view.suffixes(), &mut |row, url| {
        let flow = each(row, url);
        is_stopped = flow.is_break();
        flow
    });
    let found = found.map_err(|error| view.error(error))?;
    let path = &view.store.path;
    if found.damaged > 0 {
        return Err(damaged_rows(path, found.damaged));
    }
    // If every row is an answer, their number must match the recorded one.
    let is_whole = is_stopped || !question.is_unconditional() || {
        let recorded = view.rows()?;
        found.rows == recorded.sxurl + recorded.other
    };
    if found.is_short || !is_whole { Err(DAMAGED.error().with_path(path)) } else { Ok(found) }
}

/// Returns the plan by which a state answers a question.
pub(crate) fn plan(view: &View<'_>, question: &Question) -> Plan {
    Plan::new(question, &view.state.layout())
}

impl Reader for View<'_> {
    type Error = rusqlite::Error;
    type Statement<'r>
        = Prepared<'r>
    where
        Self: 'r;

    fn schema(&self) -> &str {
        "main"
    }

    fn prepare(&self, sql: &str) -> rusqlite::Result<Prepared<'_>> {
        self.conn().prepare_cached(sql).map(Prepared)
    }
}

/// A statement of the file.
pub(crate) struct Prepared<'r>(CachedStatement<'r>);

impl Statement for Prepared<'_> {
    type Error = rusqlite::Error;

    fn read(&mut self, parameters: &[RowValue<'_>], each: &mut EachRow<'_>) -> rusqlite::Result<()> {
        let mut rows = self.0.query(params_from_iter(parameters.iter().map(|value| Parameter(*value))))?;
        while let Some(row) = rows.next()? {
            if each([value(row.get_ref(0)?), value(row.get_ref(1)?)]).is_break() {
                break;
            }
        }
        Ok(())
    }
}

/// A parameter of a statement.
struct Parameter<'v>(RowValue<'v>);

impl ToSql for Parameter<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            RowValue::Blob(bytes) => ValueRef::Blob(bytes),
            RowValue::Text(text) => ValueRef::Text(text),
            RowValue::Other => ValueRef::Null,
        }))
    }
}

fn value(value: ValueRef<'_>) -> RowValue<'_> {
    match value {
        ValueRef::Blob(bytes) => RowValue::Blob(bytes),
        ValueRef::Text(text) => RowValue::Text(text),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => RowValue::Other,
    }
}
