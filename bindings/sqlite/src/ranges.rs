//! `urlid_ranges(tld, domain)` has the 48 ranges of ids of a domain under a public suffix, to join with an
//! index. `urlid_ranges(tld)` has the ranges of all domains under the suffix.
//!
//! ```sql
//! SELECT url.url FROM urlid_ranges('rs', 'docs') AS range JOIN url ON url.id BETWEEN range.first AND range.last;
//! ```

use std::borrow::Cow;
use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use rusqlite::vtab::{Context, Filters, IndexInfo, Module, VTab, VTabConfig, VTabConnection, VTabCursor};
use rusqlite::{Connection, Error, Result, ffi};
use urlid::sxurl::{HostPart, key_ranges};

use crate::argument::{Arguments, Given, Taken};

pub(crate) fn register(db: &Connection) -> Result<()> {
    const MODULE: &Module<'static, Ranges> = &Module::eponymous_only_module().without_rowid();
    db.create_module(c"urlid_ranges", MODULE, None)
}

/// The columns, in the order of the declaration.
const FIRST: c_int = 0;
const LAST: c_int = 1;
const TLD: c_int = 2;
const DOMAIN: c_int = 3;

/// With a primary key instead of row numbers, for the reason in `urlid_find`.
const DECLARATION: &CStr = c"CREATE TABLE urlid_ranges(first BLOB, last BLOB, tld HIDDEN, domain HIDDEN, \
    PRIMARY KEY(tld, domain, first)) WITHOUT ROWID";

/// The virtual table of one connection.
#[repr(C)]
struct Ranges {
    /// SQLite's part, which must be the first field.
    base: ffi::sqlite3_vtab,
}

// SAFETY: `base` is the first field of a struct with the layout of C.
unsafe impl<'vtab> VTab<'vtab> for Ranges {
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
        db.config(VTabConfig::Innocuous)?;
        // It does not read tables, so views and triggers of untrusted schemas may use it.
        Ok((Cow::Borrowed(DECLARATION), Ranges { base: ffi::sqlite3_vtab::default() }))
    }

    /// The suffix is required, the domain is optional.
    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let constraints: Vec<_> =
            info.constraints().map(|constraint| (constraint.column(), Given::by(&constraint))).collect();
        let mut taken = Taken::default();
        for (number, (column, given)) in constraints.into_iter().enumerate() {
            match (column, given) {
                (TLD | DOMAIN, Given::Before) => taken.take(info, number, column, true),
                (TLD | DOMAIN, Given::Later) => return Ok(false),
                _ => {}
            }
        }
        if !taken.has(TLD) && !taken.lacks(TLD, info) {
            // The statement does not mention the suffix, so no other plan can have it.
            return Err(Error::ModuleError(
                "wrong arguments of urlid_ranges: expected tld, domain".to_owned(),
            ));
        }
        if taken.lacks(TLD, info) || taken.lacks(DOMAIN, info) {
            return Ok(false);
        }
        taken.plan(info);
        info.set_estimated_cost(48.0);
        info.set_estimated_rows(48);
        Ok(true)
    }

    fn open(&'vtab mut self) -> Result<Cursor<'vtab>> {
        Ok(Cursor {
            base: ffi::sqlite3_vtab_cursor::default(),
            arguments: Arguments::default(),
            ranges: Vec::new(),
            row: 0,
            table: PhantomData,
        })
    }
}

/// The rows of one pair of arguments.
#[repr(C)]
struct Cursor<'vtab> {
    /// SQLite's part, which must be the first field.
    base: ffi::sqlite3_vtab_cursor,
    arguments: Arguments,
    /// The first and the last id of each range.
    ranges: Vec<([u8; 32], [u8; 32])>,
    row: usize,
    table: PhantomData<&'vtab Ranges>,
}

impl Cursor<'_> {
    /// Returns the ranges of the arguments, or `None` if no host can contain them.
    fn ranges(&self) -> Option<Vec<([u8; 32], [u8; 32])>> {
        let tld = HostPart::map(self.arguments.get(TLD)?).ok()?;
        let domain = self.arguments.get(DOMAIN).map(HostPart::map).transpose().ok()?;
        Some(key_ranges(&tld, domain.as_ref()).map(RangeInclusive::into_inner).collect())
    }
}

// SAFETY: `base` is the first field of a struct with the layout of C.
unsafe impl VTabCursor for Cursor<'_> {
    fn filter(&mut self, _: c_int, plan: Option<&str>, values: &Filters<'_>) -> Result<()> {
        let is_possible = self.arguments.keep(Taken::columns(plan).zip(values.iter()));
        self.ranges = if is_possible { self.ranges().unwrap_or_default() } else { Vec::new() };
        self.row = 0;
        Ok(())
    }

    fn next(&mut self) -> Result<()> {
        self.row += 1;
        Ok(())
    }

    fn eof(&self) -> bool {
        self.row >= self.ranges.len()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        let (first, last) = &self.ranges[self.row];
        match column {
            FIRST => context.set_result(&&first[..]),
            LAST => context.set_result(&&last[..]),
            argument => context.set_result(&self.arguments.get(argument)),
        }
    }

    /// The table has a primary key instead of row numbers, so SQLite does not call this.
    fn rowid(&self) -> Result<i64> {
        Err(Error::ModuleError("urlid_ranges has no rowid".to_owned()))
    }
}
