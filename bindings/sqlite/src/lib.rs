//! The functions of urlid as a loadable extension of SQLite.
//!
//! ```text
//! sqlite> .load ./urlid0
//! sqlite> SELECT urlid_registered_domain(url), count(*) FROM pages GROUP BY 1;
//! ```
//!
//! The scalar functions are those of `urlid_ops::functions`. There are also the table functions
//! `urlid_ranges` and `urlid_find`, and the aggregates `urlid_count_hosts` and `urlid_count_domains`. All
//! except `urlid_find`, which reads tables, are deterministic and innocuous, so generated columns,
//! expression indexes and views can use them.

mod argument;
mod find;
mod functions;
mod index;
mod ranges;
mod statement;

use std::os::raw::{c_char, c_int};

use rusqlite::{Connection, Result, ffi};

/// Registers everything with a connection. SQLite calls it when it loads the file `urlid`.
///
/// # Safety
/// Only SQLite may call it, with its own arguments.
// SAFETY: SQLite derives this name from the name of the file, so no other function of the process has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sqlite3_urlid_init(
    db: *mut ffi::sqlite3,
    message: *mut *mut c_char,
    api: *mut ffi::sqlite3_api_routines,
) -> c_int {
    // SAFETY: SQLite passes these arguments to the entry point of an extension.
    unsafe { Connection::extension_init2(db, message, api, register) }
}

/// Registers the functions with this connection. Returns false, because other connections do not need the
/// library.
fn register(db: Connection) -> Result<bool> {
    functions::register(&db)?;
    find::register(&db)?;
    ranges::register(&db)?;
    Ok(false)
}
