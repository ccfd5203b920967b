//! The functions of urlid as a loadable extension of DuckDB.
//!
//! ```text
//! D LOAD './urlid.duckdb_extension';
//! D SELECT urlid_registered_domain(url), count(*) FROM pages GROUP BY 1;
//! ```
//!
//! The functions are those in `urlid_ops::functions`. DuckDB calls each with a vector of rows. `urlid`'s
//! batch encoder computes identifiers, and other results are computed row by row. `unsafe` code is in `host`,
//! and in the entry point here.

mod evaluate;
mod host;

use libduckdb_sys::{duckdb_extension_access, duckdb_extension_info};
use urlid_ops::functions::FUNCTIONS;

use crate::host::Connection;

/// Registers everything with a database. DuckDB calls it when it loads the file `urlid.duckdb_extension`.
///
/// # Safety
/// Only DuckDB may call it, with its own arguments.
// SAFETY: no other function of the process has this name: DuckDB makes it of the name of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_init_c_api(
    info: duckdb_extension_info,
    access: *const duckdb_extension_access,
) -> bool {
    // SAFETY: the arguments are those that DuckDB passes to the entry point of an extension.
    unsafe { host::load(info, access, register) }
}

fn register(database: &Connection) -> Result<(), String> {
    FUNCTIONS.iter().try_for_each(|function| database.register(function, evaluate::evaluate(function)))
}
