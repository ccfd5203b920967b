//! `urlid_find(index)`: the URLs of an index that answer a question, by the same plan as the program.
//!
//! ```sql
//! SELECT url FROM urlid_find('main') WHERE domain = 'debian' AND tld = 'org';
//! ```
//!
//! The argument is the schema of the index: `main`, or the name under which its file is attached. The conditions are hidden
//! columns, which only `=` can compare; they have the names of the program's options, with `_` for `-`.

use std::borrow::Cow;
use std::error::Error as _;
use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;
use std::ops::ControlFlow;

use rusqlite::types::{Null, ValueRef};
use rusqlite::vtab::{
    Context, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConnection, VTabCursor,
};
use rusqlite::{Connection, Result, ffi};
use urlid::sxurl::Slice;
use urlid::{Coded, ErrorCode};
use urlid_plan::{Condition, Plan, Question, QuestionError, search};

use crate::argument::Given;
use crate::index::{Index, fail};

pub(crate) fn register(db: &Connection) -> Result<()> {
    const MODULE: &Module<'static, Find> = &Module::eponymous_only_module();
    db.create_module(c"urlid_find", MODULE, None)
}

/// The columns before the conditions, in the order of the declaration.
const ID: c_int = 0;
const URL: c_int = 1;
const INDEX: c_int = 2;

/// What a plan of SQLite calls the arguments that are no columns.
const LIMIT: c_int = -1;
const OFFSET: c_int = -2;

/// The table.
#[repr(C)]
struct Find {
    /// SQLite's part; it must come first.
    base: ffi::sqlite3_vtab,
    db: *mut ffi::sqlite3,
}

// SAFETY: `base` is the first field of a struct with the layout of C.
unsafe impl<'vtab> VTab<'vtab> for Find {
    type Aux = ();
    type Cursor = Cursor<'vtab>;

    fn connect(
        db: &mut VTabConnection,
        _: Option<&()>,
        _module: &[u8],
        _database: &[u8],
        _table: &[u8],
        _arguments: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Self)> {
        let conditions = Condition::ALL.map(|condition| condition.name().replace('-', "_") + " HIDDEN");
        let schema = format!(
            "CREATE TABLE urlid_find(id BLOB, url TEXT, \"index\" HIDDEN, {})",
            conditions.join(", ")
        );
        // SAFETY: the handle is used for reading only, while the table is connected.
        let db = unsafe { db.handle() };
        Ok((Cow::Owned(CString::new(schema)?), Find { base: ffi::sqlite3_vtab::default(), db }))
    }

    /// The text of the plan has the columns of the arguments.
    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let (mut columns, mut used, mut bounds, mut has_others) = (Vec::new(), Vec::new(), Vec::new(), false);
        for (index, constraint) in info.constraints().enumerate() {
            match (Given::by(&constraint), constraint.operator()) {
                (Given::Before, _) if constraint.column() >= INDEX => {
                    columns.push(constraint.column());
                    used.push(index);
                }
                (Given::Later, _) if constraint.column() >= INDEX => return Ok(false),
                (_, IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_LIMIT) if constraint.is_usable() => {
                    bounds.push((LIMIT, index));
                }
                (_, IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_OFFSET) if constraint.is_usable() => {
                    bounds.push((OFFSET, index));
                }
                _ if constraint.column() >= INDEX => {
                    return Err(fail(
                        ErrorCode::Argument,
                        "conditions of urlid_find are equalities: expected =".to_owned(),
                    ));
                }
                _ => has_others = true,
            }
        }
        let count = used.len();
        // Reading may stop early only if SQLite drops no row and changes no order.
        if !has_others && info.num_of_order_by() == 0 {
            columns.extend(bounds.iter().map(|(column, _)| column));
            used.extend(bounds.iter().map(|(_, index)| index));
        }
        for (place, index) in used.into_iter().enumerate() {
            let mut usage = info.constraint_usage(index);
            usage.set_argv_index(place as c_int + 1);
            usage.set_omit(place < count);
        }
        let columns: Vec<String> = columns.iter().map(c_int::to_string).collect();
        info.set_idx_str(&columns.join(","));
        info.set_estimated_cost(1e6 / (count + 1) as f64);
        Ok(true)
    }

    fn open(&'vtab mut self) -> Result<Cursor<'vtab>> {
        Ok(Cursor {
            base: ffi::sqlite3_vtab_cursor::default(),
            db: self.db,
            rows: Vec::new(),
            row: 0,
            table: PhantomData,
        })
    }
}

/// The answers to one question.
#[repr(C)]
struct Cursor<'vtab> {
    /// SQLite's part; it must come first.
    base: ffi::sqlite3_vtab_cursor,
    db: *mut ffi::sqlite3,
    /// Identifiers and URLs.
    rows: Vec<(Option<[u8; 32]>, Box<str>)>,
    row: usize,
    table: PhantomData<&'vtab Find>,
}

// SAFETY: `base` is the first field of a struct with the layout of C.
unsafe impl VTabCursor for Cursor<'_> {
    fn filter(&mut self, _: c_int, columns: Option<&str>, arguments: &Filters<'_>) -> Result<()> {
        (self.row, self.rows) = (0, Vec::new());
        let columns: Vec<c_int> =
            columns.unwrap_or_default().split(',').filter_map(|column| column.parse().ok()).collect();
        let mut schema = "main".to_owned();
        let (mut conditions, mut limit, mut offset) = (Vec::new(), None, 0);
        for (column, argument) in columns.into_iter().zip(arguments.iter()) {
            match (column, argument) {
                (LIMIT, ValueRef::Integer(number)) => limit = usize::try_from(number).ok(),
                (OFFSET, ValueRef::Integer(number)) => offset = usize::try_from(number).unwrap_or(0),
                (LIMIT | OFFSET, _) => {}
                // Nothing is equal to NULL.
                (_, ValueRef::Null) => return Ok(()),
                (INDEX, argument) => schema = argument.as_str()?.to_owned(),
                (column, argument) => {
                    let value = match argument {
                        ValueRef::Integer(number) => number.to_string(),
                        argument => argument.as_str()?.to_owned(),
                    };
                    conditions.push((Condition::ALL[(column - INDEX - 1) as usize], value));
                }
            }
        }
        let most = limit.map_or(usize::MAX, |limit| limit.saturating_add(offset));
        if most == 0 {
            return Ok(());
        }
        let question = Question::new(conditions.iter().map(|(condition, value)| (*condition, &**value)));
        let question = question.map_err(refused)?;
        // SAFETY: the handle is open as long as the table is; this connection does not close it.
        let connection = unsafe { Connection::from_handle(self.db)? };
        let index = Index::open(&connection, &schema)?;
        let plan = Plan::of(&question, &index.layout(), Slice::hash);
        let rows = &mut self.rows;
        let found = search(&index, &plan, &question, index.layout().suffixes, &mut |row, _| {
            rows.push((row.id.map(|id| id.to_bytes()), row.url.into()));
            if rows.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        match found.damaged {
            0 => Ok(()),
            rows => {
                let message = format!("index {schema} is damaged: found {rows} rows that no loader wrote");
                Err(fail(ErrorCode::IndexDamaged, message))
            }
        }
    }

    fn next(&mut self) -> Result<()> {
        self.row += 1;
        Ok(())
    }

    fn eof(&self) -> bool {
        self.row >= self.rows.len()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        let (id, url) = &self.rows[self.row];
        match (column, id) {
            (ID, Some(id)) => context.set_result(&&id[..]),
            (URL, _) => context.set_result(&&**url),
            _ => context.set_result(&Null),
        }
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.row as i64)
    }
}

fn refused(error: QuestionError) -> rusqlite::Error {
    let cause = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    fail(error.code(), format!("{error}{cause}"))
}
