//! Answers to questions, row by row: plans of `urlid-plan`, executed on an open index.

use std::ops::ControlFlow;

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, params_from_iter};
use urlid::Error;
use urlid_plan::{
    Candidate, Candidates, EachAnswer, EachRow, Found, Plan, Question, Reader, Row, Rows, Statement,
    StoredUrl, Value,
};

use super::index::Index;
use super::parts::{each_part, with_connections};
use crate::error::damaged_rows;
use crate::file::open::{IndexFile, View};
use crate::id::Ids;

impl Index {
    /// Returns the plan by which a question is answered.
    ///
    /// # Errors
    /// Fails when the file cannot be read or is no longer an index.
    pub fn plan(&self, question: &Question) -> Result<Plan, Error> {
        self.file.read(|view| Ok(plan(view, question, Ids::default())))
    }

    /// Calls `each` with every answer until it returns `Break`: in the order of identifiers, then rows without an identifier in
    /// the order of their reversed hosts.
    ///
    /// All rows are from one state of the index, even if other processes write meanwhile.
    ///
    /// # Errors
    /// Fails when SQLite does, and at the end if there were rows that no loader wrote. The rows passed to `each` are valid even
    /// then.
    pub fn find(
        &self,
        question: &Question,
        each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
    ) -> Result<Candidates, Error> {
        find(&self.file, question, Ids::default(), each)
    }
}

/// Calls `each` with every answer, found on all cores.
pub(crate) fn find(
    file: &IndexFile,
    question: &Question,
    ids: Ids,
    each: &mut dyn FnMut(Row<'_>) -> ControlFlow<()>,
) -> Result<Candidates, Error> {
    let step = |rows: &mut Rows, row: &Row<'_>, _: &StoredUrl<'_>| rows.push(*row);
    let mut count = 0;
    let mut found = scan(file, question, ids, &step, &mut |rows: Rows| {
        rows.each(&mut |row| {
            count += 1;
            each(row)
        })
    })?;
    // Not all answers of the last part may be wanted.
    found.rows = count;
    Ok(found)
}

/// Passes every answer to `step` on all cores, with a state for each part of the rows, and the states to `take` in the order of the
/// rows until that returns `Break`.
pub(crate) fn scan<S: Send + Default>(
    file: &IndexFile,
    question: &Question,
    ids: Ids,
    step: &(impl Fn(&mut S, &Row<'_>, &StoredUrl<'_>) + Sync),
    take: &mut dyn FnMut(S) -> ControlFlow<()>,
) -> Result<Candidates, Error> {
    let decide =
        |view: &View<'_>, plan: &Plan, (state, found): &mut (S, Found), table, row: [Value<'_>; 2]| {
            match Candidate::of(row, table, plan, question, view.suffixes()) {
                Candidate::Answer(row, url) => {
                    found.rows += 1;
                    step(state, &row, &url);
                }
                Candidate::Other => {}
                Candidate::Collision => found.dropped += 1,
                Candidate::Damaged => found.damaged += 1,
            }
        };
    let prepare = |view: &View<'_>| with_connections(view, plan(view, question, ids));
    file.read_with_siblings(prepare, |view, plan, siblings| {
        let mut total = Found::default();
        each_part(file, view, siblings, &plan, &decide, &mut |(state, found): (S, Found)| {
            total.rows += found.rows;
            total.dropped += found.dropped;
            total.damaged += found.damaged;
            take(state)
        })?;
        candidates(view, total)
    })
}

fn plan(view: &View<'_>, question: &Question, ids: Ids) -> Plan {
    Plan::of(question, &view.description.layout(), ids.slice_hash())
}

/// Calls `each` with every answer and its parts, found on this thread.
pub(crate) fn search(
    view: &View<'_>,
    question: &Question,
    ids: Ids,
    each: &mut EachAnswer<'_>,
) -> Result<Candidates, Error> {
    run(view, &plan(view, question, ids), question, each)
}

/// Calls `each` with every answer that a plan reads.
pub(crate) fn run(
    view: &View<'_>,
    plan: &Plan,
    question: &Question,
    each: &mut EachAnswer<'_>,
) -> Result<Candidates, Error> {
    let found = urlid_plan::search(view, plan, question, view.suffixes(), each).map_err(|e| view.error(e))?;
    candidates(view, found)
}

fn candidates(view: &View<'_>, found: Found) -> Result<Candidates, Error> {
    match found.damaged {
        0 => Ok(Candidates { rows: found.rows, dropped: found.dropped }),
        rows => Err(damaged_rows(&view.store.path, rows)),
    }
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

    fn read(&mut self, parameters: &[Value<'_>], each: &mut EachRow<'_>) -> rusqlite::Result<()> {
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
struct Parameter<'v>(Value<'v>);

impl ToSql for Parameter<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self.0 {
            Value::Blob(bytes) => ValueRef::Blob(bytes),
            Value::Text(text) => ValueRef::Text(text),
            Value::Other => ValueRef::Null,
        }))
    }
}

fn value(value: ValueRef<'_>) -> Value<'_> {
    match value {
        ValueRef::Blob(bytes) => Value::Blob(bytes),
        ValueRef::Text(text) => Value::Text(text),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => Value::Other,
    }
}
