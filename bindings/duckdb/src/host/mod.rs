//! DuckDB's C interface for scalar functions, behind safe types. The interface lacks descriptions and names
//! of arguments.
//!
//! [`api`] has the table of its functions, and [`vectors`] the values of rows.

mod api;
mod vectors;

use std::ffi::{CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use libduckdb_sys::{
    DUCKDB_TYPE, DUCKDB_TYPE_DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_DUCKDB_TYPE_BLOB,
    DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN, DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR, DuckDBSuccess, duckdb_connection,
    duckdb_data_chunk, duckdb_extension_access, duckdb_extension_info, duckdb_function_info,
    duckdb_logical_type, duckdb_vector,
};
use urlid_ops::functions::{Function, Type};

use api::{VERSION, duckdb};
pub(crate) use vectors::{Arguments, Results, text};

/// Computes the results for a vector of rows. An error ends the query.
pub(crate) type Body = Box<dyn Fn(&Arguments<'_>, &mut Results<'_>) -> Result<(), String> + Send + Sync>;

/// Calls `register` with a connection to the database that loads the extension, and reports errors to the
/// database.
///
/// # Safety
/// The arguments are from DuckDB's call of the entry point of an extension.
pub(crate) unsafe fn load(
    info: duckdb_extension_info,
    access: *const duckdb_extension_access,
    register: fn(&Connection) -> Result<(), String>,
) -> bool {
    // SAFETY: DuckDB passes a valid struct.
    let access = unsafe { &*access };
    let loaded = caught(|| {
        let get_api = access.get_api.ok_or("DuckDB has no function get_api")?;
        // SAFETY: `info` is DuckDB's.
        let host = unsafe { get_api(info, VERSION.as_ptr()) };
        if host.is_null() {
            // DuckDB has reported the error.
            return Ok(false);
        }
        // SAFETY: DuckDB returns the functions of this version at least.
        unsafe { api::load(host) };
        let get_database = access.get_database.ok_or("DuckDB has no function get_database")?;
        // SAFETY: `info` is DuckDB's.
        let database = unsafe { get_database(info) };
        if database.is_null() {
            return Ok(false);
        }
        let mut connection = Connection(ptr::null_mut());
        // SAFETY: the database is valid, and the connection is written.
        let state = unsafe { duckdb!(duckdb_connect(*database, &mut connection.0)) };
        if state != DuckDBSuccess {
            return Err("cannot connect to the database".to_owned());
        }
        register(&connection)?;
        Ok(true)
    });
    loaded.unwrap_or_else(|message| {
        if let Some(set_error) = access.set_error {
            // SAFETY: `info` is DuckDB's, which copies the message.
            unsafe { set_error(info, c_string(message).as_ptr()) };
        }
        false
    })
}

fn c_string(message: String) -> CString {
    CString::new(message.replace('\0', "\u{fffd}")).unwrap_or_default()
}

/// A connection to the database that loads the extension.
pub(crate) struct Connection(duckdb_connection);

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: the connection is not used again. DuckDB ignores null.
        unsafe { duckdb!(duckdb_disconnect(&mut self.0)) }
    }
}

impl Connection {
    /// Registers a function of rows.
    pub(crate) fn register(&self, function: &'static Function, body: Body) -> Result<(), String> {
        let name = CString::new(function.name).map_err(|error| error.to_string())?;
        let arguments: Vec<_> =
            function.arguments.iter().map(|argument| LogicalType::of(argument.of)).collect();
        let result = LogicalType::of(function.result);
        // SAFETY: DuckDB copies the name and the types, and owns the function as long as it may call it.
        let state = unsafe {
            let mut scalar = duckdb!(duckdb_create_scalar_function());
            duckdb!(duckdb_scalar_function_set_name(scalar, name.as_ptr()));
            for argument in &arguments {
                duckdb!(duckdb_scalar_function_add_parameter(scalar, argument.0));
            }
            duckdb!(duckdb_scalar_function_set_return_type(scalar, result.0));
            duckdb!(duckdb_scalar_function_set_extra_info(
                scalar,
                Registered::leak(function, body),
                Some(delete)
            ));
            duckdb!(duckdb_scalar_function_set_function(scalar, Some(call)));
            let state = duckdb!(duckdb_register_scalar_function(self.0, scalar));
            duckdb!(duckdb_destroy_scalar_function(&mut scalar));
            state
        };
        if state == DuckDBSuccess {
            Ok(())
        } else {
            Err(format!(
                "cannot register {}: if urlid.duckdb.register has registered it, load the extension first",
                function.name
            ))
        }
    }
}

/// A type of DuckDB.
struct LogicalType(duckdb_logical_type);

impl LogicalType {
    fn of(of: Type) -> Self {
        let id: DUCKDB_TYPE = match of {
            Type::Bytes => DUCKDB_TYPE_DUCKDB_TYPE_BLOB,
            Type::Integer => DUCKDB_TYPE_DUCKDB_TYPE_BIGINT,
            Type::Boolean => DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN,
            _ => DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR,
        };
        // SAFETY: it is a simple type.
        LogicalType(unsafe { duckdb!(duckdb_create_logical_type(id)) })
    }
}

impl Drop for LogicalType {
    fn drop(&mut self) {
        // SAFETY: the type is not used again.
        unsafe { duckdb!(duckdb_destroy_logical_type(&mut self.0)) }
    }
}

/// # Safety
/// The arguments are from DuckDB's call of a function that `register` has registered.
unsafe extern "C" fn call(info: duckdb_function_info, chunk: duckdb_data_chunk, results: duckdb_vector) {
    let outcome = caught(|| {
        // SAFETY: this is the function that was registered, and it stays as long as it may be called.
        let function = unsafe { &*duckdb!(duckdb_scalar_function_get_extra_info(info)).cast::<Registered>() };
        // SAFETY: the chunk is valid.
        let rows = unsafe { duckdb!(duckdb_data_chunk_get_size(chunk)) } as usize;
        // SAFETY: the vectors have the types that were registered, and stay during the call. DuckDB expands
        // constants, dictionaries and the like before it, so a row is at its own index.
        let (arguments, mut results) = unsafe {
            let column = |index| duckdb!(duckdb_data_chunk_get_vector(chunk, index as u64));
            let arguments = Arguments::new(rows, function.arguments, column);
            (arguments, Results::new(results, function.result, rows))
        };
        (function.body)(&arguments, &mut results)
    });
    if let Err(message) = outcome {
        // SAFETY: DuckDB copies the message.
        unsafe { duckdb!(duckdb_scalar_function_set_error(info, c_string(message).as_ptr())) }
    }
}

/// Runs the body of a function that DuckDB calls. A panic becomes an error.
fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("urlid panicked".to_owned()))
}

/// A registered function, which DuckDB owns.
struct Registered {
    /// The number of arguments.
    arguments: usize,
    result: Type,
    body: Body,
}

impl Registered {
    /// Returns a pointer that DuckDB keeps and passes to [`delete`].
    fn leak(function: &'static Function, body: Body) -> *mut c_void {
        let registered = Registered { arguments: function.arguments.len(), result: function.result, body };
        Box::into_raw(Box::new(registered)).cast()
    }
}

/// # Safety
/// `registered` is from [`Registered::leak`], and is not used again.
unsafe extern "C" fn delete(registered: *mut c_void) {
    // SAFETY: it was made by `Box::into_raw`.
    drop(unsafe { Box::from_raw(registered.cast::<Registered>()) });
}
