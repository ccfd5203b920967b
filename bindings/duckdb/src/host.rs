//! DuckDB's C interface, as far as functions of rows need it, behind safe types.
//!
//! An extension is loaded by releases that are older and newer than the declarations of `libduckdb_sys`. Only functions of version
//! 1.2.0 of the interface are called, which every later release has at the same place.
//!
//! DuckDB calls a function with flat vectors: constants, dictionaries and the like are expanded before.

use std::ffi::{CStr, CString, c_void};
use std::marker::PhantomData;
use std::mem::{MaybeUninit, offset_of};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::OnceLock;

use libduckdb_sys::{
    DUCKDB_TYPE, DUCKDB_TYPE_DUCKDB_TYPE_BIGINT, DUCKDB_TYPE_DUCKDB_TYPE_BLOB,
    DUCKDB_TYPE_DUCKDB_TYPE_BOOLEAN, DUCKDB_TYPE_DUCKDB_TYPE_VARCHAR, DuckDBSuccess, duckdb_connection,
    duckdb_data_chunk, duckdb_ext_api_v1, duckdb_extension_access, duckdb_extension_info,
    duckdb_function_info, duckdb_logical_type, duckdb_string_t, duckdb_vector,
};
use urlid_functions::{MOST_ARGUMENTS, Output, Type};

/// The version of the interface that the extension needs; the footer of its file has it too.
const VERSION: &CStr = c"v1.2.0";

/// The longest text that a `duckdb_string_t` holds itself.
const LONGEST_INLINED: u32 = 12;

/// What computes the results for a vector of rows. An error ends the query.
pub(crate) type Body = Box<dyn Fn(&Arguments<'_>, &mut Results<'_>) -> Result<(), String> + Send + Sync>;

/// The functions of DuckDB, those of [`VERSION`] only.
static API: OnceLock<duckdb_ext_api_v1> = OnceLock::new();

/// Calls a function of DuckDB: an `unsafe` operation.
macro_rules! duckdb {
    ($function:ident($($argument:expr),*)) => {
        (API.get().and_then(|api| api.$function).expect("part of the interface, which is loaded"))($($argument),*)
    };
}

/// Calls `register` with a connection to the database that loads the extension, and reports errors to it.
///
/// # Safety
/// The arguments are those of the entry point of an extension.
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
            // DuckDB has reported it.
            return Ok(false);
        }
        // SAFETY: DuckDB returns the functions of this version at least.
        API.get_or_init(|| unsafe { copy(host) });
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
            unsafe { set_error(info, message.as_ptr()) };
        }
        false
    })
}

/// Copies the functions of version 1.2.0; those that came later are left out.
///
/// # Safety
/// `host` points to the functions of that version at least.
unsafe fn copy(host: *const c_void) -> duckdb_ext_api_v1 {
    const LENGTH: usize = offset_of!(duckdb_ext_api_v1, duckdb_create_instance_cache);
    let mut api = MaybeUninit::<duckdb_ext_api_v1>::zeroed();
    // SAFETY: both have at least `LENGTH` bytes and do not overlap.
    unsafe { ptr::copy_nonoverlapping(host.cast::<u8>(), api.as_mut_ptr().cast::<u8>(), LENGTH) };
    // SAFETY: every field is an optional function, for which zeros are `None`.
    unsafe { api.assume_init() }
}

/// Runs what DuckDB calls: no panic gets out, and an error becomes a text of C.
fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, CString> {
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("urlid panicked".to_owned()));
    result.map_err(|message| CString::new(message.replace('\0', "\u{fffd}")).unwrap_or_default())
}

/// A connection to the database that loads the extension.
pub(crate) struct Connection(duckdb_connection);

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: the connection is not used again. One that is null is left alone.
        unsafe { duckdb!(duckdb_disconnect(&mut self.0)) }
    }
}

impl Connection {
    /// Registers a function of rows.
    pub(crate) fn register(
        &self,
        name: &CStr,
        arguments: &[Type],
        result: Type,
        body: Body,
    ) -> Result<(), String> {
        let function = Box::new(Function { arguments: arguments.len(), result, body });
        let (result, arguments): (_, Vec<_>) =
            (LogicalType::of(result), arguments.iter().map(|of| LogicalType::of(*of)).collect());
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
                Box::into_raw(function).cast(),
                Some(delete_function)
            ));
            duckdb!(duckdb_scalar_function_set_function(scalar, Some(call_function)));
            let state = duckdb!(duckdb_register_scalar_function(self.0, scalar));
            duckdb!(duckdb_destroy_scalar_function(&mut scalar));
            state
        };
        match state == DuckDBSuccess {
            true => Ok(()),
            false => Err(format!("cannot register {}", name.to_string_lossy())),
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

/// What DuckDB keeps of a function.
struct Function {
    /// How many arguments it has.
    arguments: usize,
    result: Type,
    body: Body,
}

/// # Safety
/// `function` is what `register` gave to DuckDB, and is not used again.
unsafe extern "C" fn delete_function(function: *mut c_void) {
    // SAFETY: it was made by `Box::into_raw`.
    drop(unsafe { Box::from_raw(function.cast::<Function>()) });
}

/// # Safety
/// The arguments are those with which DuckDB calls a function that `register` has registered.
unsafe extern "C" fn call_function(
    info: duckdb_function_info,
    chunk: duckdb_data_chunk,
    results: duckdb_vector,
) {
    let outcome = caught(|| {
        // SAFETY: this is the function that was registered; it stays as long as it may be called.
        let function = unsafe { &*duckdb!(duckdb_scalar_function_get_extra_info(info)).cast::<Function>() };
        // SAFETY: the vectors have the types that were registered, and stay during the call.
        let (arguments, mut results) = unsafe {
            let arguments = Arguments::new(chunk, function.arguments);
            let results = Results::new(results, function.result, arguments.rows());
            (arguments, results)
        };
        (function.body)(&arguments, &mut results)
    });
    if let Err(message) = outcome {
        // SAFETY: DuckDB copies the message.
        unsafe { duckdb!(duckdb_scalar_function_set_error(info, message.as_ptr())) }
    }
}

/// The arguments of a vector of rows: texts or bytes.
pub(crate) struct Arguments<'c> {
    rows: usize,
    columns: [Column<'c>; MOST_ARGUMENTS],
}

/// The values of one argument.
#[derive(Clone, Copy)]
struct Column<'c> {
    strings: *const duckdb_string_t,
    /// A bit for each row that is not NULL; null if none is.
    validity: *const u64,
    chunk: PhantomData<&'c ()>,
}

impl<'c> Arguments<'c> {
    /// # Safety
    /// The chunk has at least `count` columns of VARCHAR or BLOB, flat, and stays for `'c`.
    unsafe fn new(chunk: duckdb_data_chunk, count: usize) -> Self {
        let none = Column { strings: ptr::null(), validity: ptr::null(), chunk: PhantomData };
        let mut columns = [none; MOST_ARGUMENTS];
        for (index, column) in columns.iter_mut().take(count).enumerate() {
            // SAFETY: the chunk has the column.
            unsafe {
                let vector = duckdb!(duckdb_data_chunk_get_vector(chunk, index as u64));
                column.strings = duckdb!(duckdb_vector_get_data(vector)).cast();
                column.validity = duckdb!(duckdb_vector_get_validity(vector));
            }
        }
        // SAFETY: the chunk is valid.
        Arguments { rows: unsafe { duckdb!(duckdb_data_chunk_get_size(chunk)) } as usize, columns }
    }

    /// Returns how many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns a value, or nothing for NULL.
    #[inline]
    pub(crate) fn get(&self, row: usize, column: usize) -> Option<&'c [u8]> {
        assert!(row < self.rows, "rows are counted by the caller");
        let Column { strings, validity, .. } = self.columns[column];
        assert!(!strings.is_null(), "columns are counted by the caller");
        // SAFETY: the mask has a bit for each row.
        let is_null = !validity.is_null() && unsafe { *validity.add(row / 64) } >> (row % 64) & 1 == 0;
        if is_null {
            return None;
        }
        // SAFETY: the row is one of the vector, and not NULL, so its text is written. A text of at most 12 bytes is behind its
        // length; otherwise a pointer to it is. Both stay as long as the chunk.
        unsafe {
            let text = &(*strings.add(row)).value;
            let length = text.inlined.length;
            let bytes = match length <= LONGEST_INLINED {
                true => text.inlined.inlined.as_ptr(),
                false => text.pointer.ptr.cast_const(),
            };
            Some(std::slice::from_raw_parts(bytes.cast(), length as usize))
        }
    }
}

/// The results of a vector of rows.
pub(crate) struct Results<'c> {
    vector: duckdb_vector,
    of: Type,
    rows: usize,
    data: *mut c_void,
    chunk: PhantomData<&'c mut ()>,
}

impl Results<'_> {
    /// # Safety
    /// The vector has this type and at least this many rows, and stays for the lifetime of the value.
    unsafe fn new(vector: duckdb_vector, of: Type, rows: usize) -> Self {
        // SAFETY: the vector is valid.
        let data = unsafe { duckdb!(duckdb_vector_get_data(vector)) };
        Results { vector, of, rows, data, chunk: PhantomData }
    }

    /// Sets the result of a row. One that is not of the function's type is NULL; there is none.
    pub(crate) fn set(&mut self, row: usize, output: Output) {
        assert!(row < self.rows, "rows are counted by the caller");
        match (self.of, output) {
            (Type::Text, Output::Text(text)) => self.assign(row, text.as_bytes()),
            (Type::Bytes, Output::Id(id)) => self.assign(row, &id),
            // SAFETY: the vector has 64-bit integers, and the row.
            (Type::Integer, Output::Integer(number)) => unsafe {
                self.data.cast::<i64>().add(row).write(number)
            },
            // SAFETY: the vector has booleans of a byte, and the row.
            (Type::Boolean, Output::Boolean(flag)) => unsafe {
                self.data.cast::<bool>().add(row).write(flag)
            },
            _ => self.set_null(row),
        }
    }

    /// Copies a text or bytes into the vector.
    fn assign(&mut self, row: usize, bytes: &[u8]) {
        // SAFETY: the vector is of VARCHAR or BLOB, and has the row. DuckDB copies the bytes.
        unsafe {
            duckdb!(duckdb_vector_assign_string_element_len(
                self.vector,
                row as u64,
                bytes.as_ptr().cast(),
                bytes.len() as u64
            ));
        }
    }

    fn set_null(&mut self, row: usize) {
        // SAFETY: the mask, made if there was none, has a bit for each row.
        unsafe {
            duckdb!(duckdb_vector_ensure_validity_writable(self.vector));
            let word = duckdb!(duckdb_vector_get_validity(self.vector)).add(row / 64);
            *word &= !(1 << (row % 64));
        }
    }
}
