//! The functions of urlid as a loadable extension of SQLite.
//!
//! ```text
//! sqlite> .load ./urlid0
//! sqlite> SELECT urlid_registered_domain(url), count(*) FROM pages GROUP BY 1;
//! ```
//!
//! The scalar functions are those of `urlid_ops::functions`. In addition there are the table functions
//! `urlid_ranges` and `urlid_find`, and the aggregates `urlid_count_hosts` and `urlid_count_domains`. All
//! except `urlid_find`, which reads tables, are deterministic and innocuous, so generated columns, expression
//! indexes and views may use them.

mod argument;
mod find;
mod functions;
mod index;
mod ranges;
mod statement;

use std::os::raw::{c_char, c_int};

use rusqlite::{Connection, Result, ffi};

/// Registers everything with a connection: SQLite calls it when it loads the file `urlid`.
///
/// # Safety
/// Only SQLite may call it, with its own arguments.
// SAFETY: no other function of the process has this name: SQLite makes it of the name of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sqlite3_urlid_init(
    db: *mut ffi::sqlite3,
    message: *mut *mut c_char,
    api: *mut ffi::sqlite3_api_routines,
) -> c_int {
    // SAFETY: the arguments are those that SQLite passes to the entry point of an extension.
    unsafe { Connection::extension_init2(db, message, api, register) }
}

/// Registers the functions with this connection. Returns false: the library need not stay loaded for others.
fn register(db: Connection) -> Result<bool> {
    functions::register(&db)?;
    find::register(&db)?;
    ranges::register(&db)?;
    Ok(false)
}
