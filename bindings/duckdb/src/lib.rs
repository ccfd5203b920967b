//! The functions of urlid as a loadable extension of DuckDB.
//!
//! ```text
//! D LOAD './urlid.duckdb_extension';
//! D SELECT urlid_registered_domain(url), count(*) FROM pages GROUP BY 1;
//! ```
//!
//! The functions are those of `urlid_ops::functions`. DuckDB calls each with a vector of rows: identifiers
//! are computed by the batch encoder of `urlid`, other results row by row. `unsafe` code is in `host`, and in
//! the entry points here: DuckDB has two C interfaces, and the footer of the file says which of the two it
//! calls.

mod evaluate;
mod host;

use libduckdb_sys::v2::duckdb_v2_extension_input;
use libduckdb_sys::{duckdb_extension_access, duckdb_extension_info};
use urlid_ops::functions::FUNCTIONS;

use crate::host::{Register, v1, v2};

/// Registers everything with a database: DuckDB 1.2 and later call it when they load the file
/// `urlid.duckdb_extension`.
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
    unsafe { v1::load(info, access, register) }
}

/// Registers everything with a database, with descriptions: DuckDB 2.0 calls it when it loads a file made for
/// that version.
///
/// # Safety
/// Only DuckDB may call it, with its own argument.
// SAFETY: no other function of the process has this name: DuckDB makes it of the name of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn urlid_init_c_api_v2(input: *mut duckdb_v2_extension_input) {
    // SAFETY: the argument is what DuckDB passes to the entry point of an extension.
    unsafe { v2::load(input, register) }
}

fn register(target: &dyn Register) -> Result<(), String> {
    FUNCTIONS.iter().try_for_each(|function| target.register(function, evaluate::evaluate(function)))
}
