//! `urlid_ranges(tld, domain)`: the 48 ranges of ids of a domain under a public suffix, to join an index with.
//! `urlid_ranges(tld)` are those of all domains under the suffix.
//!
//! ```sql
//! SELECT url.url FROM urlid_ranges('rs', 'docs') AS range JOIN url ON url.id BETWEEN range.first AND range.last;
//! ```

use std::borrow::Cow;
use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use rusqlite::types::Null;
use rusqlite::vtab::{Context, Filters, IndexInfo, Module, VTab, VTabConfig, VTabConnection, VTabCursor};
use rusqlite::{Connection, Error, Result, ffi};
use urlid::sxurl::{HostPart, key_ranges};

use crate::argument::Given;

pub(crate) fn register(db: &Connection) -> Result<()> {
    const MODULE: &Module<'static, Ranges> = &Module::eponymous_only_module();
    db.create_module(c"urlid_ranges", MODULE, None)
}

/// The columns, in the order of the declaration.
const FIRST: c_int = 0;
const LAST: c_int = 1;
const TLD: c_int = 2;
const DOMAIN: c_int = 3;

/// The table.
#[repr(C)]
struct Ranges {
    /// SQLite's part; it must come first.
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
        let schema = c"CREATE TABLE urlid_ranges(first BLOB, last BLOB, tld TEXT HIDDEN, domain TEXT HIDDEN)";
        Ok((Cow::Borrowed(schema), Ranges { base: ffi::sqlite3_vtab::default() }))
    }

    /// The suffix is needed, the domain is not. The number of the plan is that of the arguments.
    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let mut arguments = [None; 2];
        for (index, constraint) in info.constraints().enumerate() {
            let argument = match constraint.column() {
                TLD => 0,
                DOMAIN => 1,
                _ => continue,
            };
            match Given::by(&constraint) {
                Given::Before => arguments[argument] = Some(index),
                Given::Later => return Ok(false),
                Given::Otherwise => {}
            }
        }
        if arguments[0].is_none() {
            return Err(Error::ModuleError(
                "wrong arguments of urlid_ranges: expected tld, domain".to_owned(),
            ));
        }
        let mut count = 0;
        for index in arguments.into_iter().flatten() {
            count += 1;
            let mut usage = info.constraint_usage(index);
            usage.set_argv_index(count);
            usage.set_omit(true);
        }
        info.set_idx_num(count);
        info.set_estimated_cost(48.0);
        info.set_estimated_rows(48);
        Ok(true)
    }

    fn open(&'vtab mut self) -> Result<Cursor<'vtab>> {
        Ok(Cursor {
            base: ffi::sqlite3_vtab_cursor::default(),
            ranges: Vec::new(),
            row: 0,
            table: PhantomData,
        })
    }
}

/// The rows of one pair of arguments.
#[repr(C)]
struct Cursor<'vtab> {
    /// SQLite's part; it must come first.
    base: ffi::sqlite3_vtab_cursor,
    /// The first and the last id of each range.
    ranges: Vec<([u8; 32], [u8; 32])>,
    row: usize,
    table: PhantomData<&'vtab Ranges>,
}

// SAFETY: `base` is the first field of a struct with the layout of C.
unsafe impl VTabCursor for Cursor<'_> {
    fn filter(&mut self, count: c_int, _: Option<&str>, arguments: &Filters<'_>) -> Result<()> {
        let tld: Option<String> = arguments.get(0)?;
        let domain: Option<String> = if count == 2 { arguments.get(1)? } else { None };
        self.row = 0;
        // NULL, and what no host can hold, have no ranges.
        self.ranges = match (tld.as_deref().map(HostPart::map), domain.as_deref().map(HostPart::map)) {
            (Some(Ok(tld)), Some(Ok(domain))) => ends(key_ranges(&tld, Some(&domain))),
            (Some(Ok(tld)), None) if count == 1 => ends(key_ranges(&tld, None)),
            _ => Vec::new(),
        };
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
            _ => context.set_result(&Null),
        }
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.row as i64)
    }
}

fn ends(ranges: impl Iterator<Item = RangeInclusive<[u8; 32]>>) -> Vec<([u8; 32], [u8; 32])> {
    ranges.map(RangeInclusive::into_inner).collect()
}
