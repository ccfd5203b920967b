//! `urlid_find(index)`: the URLs of an index, read with the plans of the program.
//!
//! ```sql
//! SELECT url FROM urlid_find('main') WHERE domain = 'debian' AND tld = 'org';
//! ```
//!
//! The argument is the schema of the index: `main`, or the name under which its file is attached. The parts
//! of a URL are hidden columns. Comparisons by `=` with these columns narrow the rows that are read. SQLite
//! evaluates all other comparisons on the values of the rows. `under`, `path_prefix`, `has` and `lacks` are
//! conditions on URLs rather than parts, and are arguments like the index.

mod columns;
mod cursor;
mod narrow;

use std::borrow::Cow;
use std::ffi::{CStr, CString};

use rusqlite::vtab::{IndexInfo, Module, VTab, VTabConnection};
use rusqlite::{Connection, Result, ffi};
use urlid_store::question::Condition;

use crate::argument::{Given, Taken};
use columns::{COLUMNS, Column, declaration};
use cursor::Cursor;

pub(crate) fn register(db: &Connection) -> Result<()> {
    const MODULE: &Module<'static, Find> = &Module::eponymous_only_module().without_rowid();
    db.create_module(c"urlid_find", MODULE, None)
}

/// The virtual table of one connection.
#[repr(C)]
struct Find {
    /// SQLite's part, which must be the first field.
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
        // SAFETY: the handle is used for reading only, while the table is connected.
        let db = unsafe { db.handle() };
        Ok((Cow::Owned(CString::new(declaration())?), Find { base: ffi::sqlite3_vtab::default(), db }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let constraints: Vec<_> =
            info.constraints().map(|constraint| (constraint.column(), Given::by(&constraint))).collect();
        let mut taken = Taken::default();
        for (number, (place, given)) in constraints.into_iter().enumerate() {
            let Some(column) = usize::try_from(place).ok().and_then(|place| COLUMNS.get(place)) else {
                continue;
            };
            match (column, given) {
                (_, Given::Before) if column.is_argument() => taken.take(info, number, place, true),
                // SQLITE_CONSTRAINT makes SQLite try a different order of the tables.
                (_, Given::Later) if column.is_argument() => return Ok(false),
                // The first of two values for a column is used, and SQLite compares the second. Texts that
                // are equal by a collation other than BINARY can differ in their bytes, so such a comparison
                // must not narrow.
                (Column::Part(_), Given::Before)
                    if !taken.has(place) && info.collation(number)? == "BINARY" =>
                {
                    taken.take(info, number, place, false);
                }
                _ => {}
            }
        }
        let mut arguments = (0..).zip(COLUMNS).filter(|(_, column)| column.is_argument());
        if arguments.any(|(place, _)| taken.lacks(place, info)) {
            return Ok(false);
        }
        taken.plan(info);
        let (cost, rows) = estimate(&taken);
        info.set_estimated_cost(cost);
        info.set_estimated_rows(rows);
        Ok(true)
    }

    fn open(&'vtab mut self) -> Result<Cursor<'vtab>> {
        Ok(Cursor::new(self.db))
    }
}

/// Returns the estimated cost of a plan and its number of rows, in an index of a million URLs. Only the
/// ratios matter, because SQLite uses them to choose the order of joined tables.
fn estimate(taken: &Taken) -> (f64, i64) {
    let has = |wanted| (0..).zip(COLUMNS).any(|(place, column)| column == wanted && taken.has(place));
    let [host, registered_domain, domain, tld, path, query, fragment] = [
        Condition::Host,
        Condition::RegisteredDomain,
        Condition::Domain,
        Condition::Tld,
        Condition::Path,
        Condition::Query,
        Condition::Fragment,
    ]
    .map(|part| has(Column::Part(part)));
    if host || registered_domain || (domain && tld) {
        // 48 short ranges of the key.
        (100.0, 50)
    } else if domain {
        // A range for each top-level domain in use.
        (10_000.0, 200)
    } else if tld {
        (20_000.0, 20_000)
    } else if path || query || fragment {
        // Every row is read, unless the index has an optional index, which is unknown here.
        (1e6, 1000)
    } else {
        (1e6, 1_000_000)
    }
}
