//! The rows of `urlid_find`, one step at a time, as SQLite reads them.

use std::error::Error as _;
use std::ffi::c_int;
use std::marker::PhantomData;

use rusqlite::types::{Null, Value, ValueRef};
use rusqlite::vtab::{Context, Filters, VTabCursor};
use rusqlite::{Connection, Error, Result, ffi};
use urlid::{Coded, ErrorCode};
use urlid_store::question::{Condition, Plan, Question, QuestionError, RowOutcome, Steps, StoredUrl, Table};

use super::columns::{COLUMNS, Column, INDEX};
use super::narrow::{self, Number};
use crate::argument::{Arguments, Taken};
use crate::index::{Index, fail};
use crate::statement::Statements;

#[repr(C)]
pub(super) struct Cursor<'vtab> {
    /// SQLite's part, which must be the first field.
    base: ffi::sqlite3_vtab_cursor,
    // Not a `Connection`, because that would borrow from the table, which SQLite owns.
    db: *mut ffi::sqlite3,
    statements: Statements,
    /// The last index with its schema, because a join calls `filter` once for each row of the other table.
    index: Option<(String, Index)>,
    /// The arguments of the current search.
    arguments: Arguments,
    /// The current search, until its last row.
    search: Option<Search>,
    table: PhantomData<&'vtab ()>,
}

/// A search of an index.
struct Search {
    question: Question,
    steps: Steps,
    numbers: Vec<Number>,
    /// The position of the current statement in `statements`.
    statement: Option<usize>,
    /// The table of the current row.
    table: Table,
    id: Option<[u8; 32]>,
    url: String,
}

impl Cursor<'_> {
    pub(super) fn new(db: *mut ffi::sqlite3) -> Self {
        Self {
            base: ffi::sqlite3_vtab_cursor::default(),
            db,
            statements: Statements::of(db),
            index: None,
            arguments: Arguments::default(),
            search: None,
            table: PhantomData,
        }
    }

    /// Returns the schema of the index.
    fn schema(&self) -> &str {
        self.arguments.get(INDEX).unwrap_or("main")
    }

    /// Opens the index of the arguments, unless it is open.
    fn open_index(&mut self) -> Result<&Index> {
        let name = self.schema();
        // Checked once for each cursor, because a statement reads one state of the database.
        if self.index.as_ref().is_none_or(|(open, _)| open != name) {
            // SAFETY: the handle is open as long as the table. This connection does not close it.
            let connection = unsafe { Connection::from_handle(self.db)? };
            self.index = Some((name.to_owned(), Index::open(&connection, name)?));
        }
        Ok(&self.index.as_ref().expect("it has just been opened").1)
    }

    /// Moves to the next answer, or past the last one.
    fn advance(&mut self) -> Result<()> {
        let (Some(search), Some((name, index))) = (&mut self.search, &self.index) else { return Ok(()) };
        loop {
            let Some(place) = search.statement else {
                // The plan yields ranges of keys one after the other. Each range is a statement with
                // parameters.
                let Some(step) = search.steps.next(|sql, from| self.statements.seek(sql, from))? else {
                    self.search = None;
                    return Ok(());
                };
                search.statement = Some(self.statements.begin(step.sql, &step.parameters)?);
                search.table = step.table;
                continue;
            };
            let statement = self.statements.at(place);
            if !statement.step()? {
                search.statement = None;
                continue;
            }
            let (plan, question) = (search.steps.plan(), &search.question);
            match RowOutcome::new(statement.row(), search.table, plan, question, index.suffixes()) {
                // A text that is compared with a number is never an answer. The row is skipped, or `compare`
                // fails.
                RowOutcome::Answer(_, url) if !search.numbers.is_empty() => {
                    search.numbers.iter().try_for_each(|number| compare(*number, &url))?;
                }
                RowOutcome::Answer(row, _) => {
                    search.id = row.id.map(|id| id.to_bytes());
                    row.url.clone_into(&mut search.url);
                    return Ok(());
                }
                RowOutcome::Other | RowOutcome::Collision => {}
                RowOutcome::Damaged => {
                    let message = format!("index {name} is damaged: found a malformed row");
                    return Err(fail(ErrorCode::IndexDamaged, message));
                }
            }
        }
    }
}

// SAFETY: `base` is the first field of a struct with the layout of C.
unsafe impl VTabCursor for Cursor<'_> {
    fn filter(&mut self, _: c_int, plan: Option<&str>, values: &Filters<'_>) -> Result<()> {
        self.search = None;
        // SQLite passes the values in the order of the plan's columns, which `best_index` chose.
        let values: Vec<_> = Taken::columns(plan).zip(values.iter()).collect();
        let arguments = values.iter().filter(|(place, _)| column(*place).is_argument());
        if !self.arguments.keep(arguments.copied()) || values.iter().any(|(_, value)| is_never_equal(*value))
        {
            return Ok(());
        }
        let mut conditions: Vec<(Condition, String)> = Vec::new();
        for (place, column) in (0..).zip(COLUMNS) {
            if let (Column::Argument(condition), Some(value)) = (column, self.arguments.get(place)) {
                conditions.push((condition, value.to_owned()));
            }
        }
        let index = self.open_index()?;
        // After the arguments, which a question must have. SQLite evaluates conditions that cannot be
        // combined with the others.
        for (place, value) in &values {
            narrow::add(&mut conditions, column(*place), *value, index.suffixes());
        }
        let numbers = values.iter().filter_map(|(place, value)| Number::of(column(*place), *value)).collect();
        let question = Question::new(conditions.iter().map(|(condition, value)| (*condition, &**value)));
        let question = question.map_err(rejected)?;
        let steps = Steps::new(Plan::new(&question, &index.layout()), index.schema());
        self.search = Some(Search {
            question,
            steps,
            numbers,
            statement: None,
            table: Table::Url,
            id: None,
            url: String::new(),
        });
        self.advance()
    }

    fn next(&mut self) -> Result<()> {
        self.advance()
    }

    fn eof(&self) -> bool {
        self.search.is_none()
    }

    fn column(&self, context: &mut Context, place: c_int) -> Result<()> {
        let (Some(search), Some((_, index))) = (&self.search, &self.index) else {
            return context.set_result(&Null);
        };
        match column(place) {
            Column::Id => match &search.id {
                Some(id) => context.set_result(&&id[..]),
                None => context.set_result(&Null),
            },
            Column::Url => context.set_result(&search.url),
            Column::Index => context.set_result(&self.schema()),
            Column::Argument(_) => context.set_result(&self.arguments.get(place)),
            column => {
                // Split again for each column, because a struct that keeps the parts would borrow from
                // itself.
                let url = StoredUrl::of_row(search.table, &search.url, index.suffixes());
                context.set_result(&url.map_or(Value::Null, |url| column.value_of(&url)))
            }
        }
    }

    /// The table has a primary key instead of row numbers, so SQLite does not call this.
    fn rowid(&self) -> Result<i64> {
        Err(Error::ModuleError("urlid_find has no rowid".to_owned()))
    }
}

/// Returns the column with a number of SQLite.
fn column(place: c_int) -> Column {
    // SQLite numbers the columns of the declaration, which is made from this array.
    COLUMNS[place as usize]
}

/// Returns whether a value never equals the values of a column, which are texts, integers or NULL.
fn is_never_equal(value: ValueRef<'_>) -> bool {
    matches!(value, ValueRef::Null | ValueRef::Blob(_))
}

/// Fails if the text of a URL's column is the number. The answer would then depend on rules that are not
/// known here.
fn compare(number: Number, url: &StoredUrl<'_>) -> Result<()> {
    match number.column.value_of(url) {
        Value::Text(text) if number.is(&text) => {
            let name = number.column.name();
            let message = format!(
                "{name} is compared with a number: found the text '{text}', expected a text such as CAST(value AS TEXT)"
            );
            Err(fail(ErrorCode::Argument, message))
        }
        _ => Ok(()),
    }
}

fn rejected(error: QuestionError) -> Error {
    let cause = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    fail(error.code(), format!("{error}{cause}"))
}
