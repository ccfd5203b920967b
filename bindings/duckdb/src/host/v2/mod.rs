//! The interface of DuckDB 2.0. Functions have descriptions, examples and names of arguments, by which they
//! may be passed; vectors are read as they are, and results are written to memory that DuckDB gives.
//!
//! The table of its functions is in [`api`].

mod api;

use std::ptr;

use libduckdb_sys::v2::{
    DUCKDB_V2_FUNCTION_PARAMETER_KIND, DUCKDB_V2_FUNCTION_PROPERTY_KEY, DUCKDB_V2_FUNCTION_PROPERTY_VALUE,
    DUCKDB_V2_LOGICAL_TYPE_ID, DUCKDB_V2_VECTOR_TYPE, duckdb_v2_context_handle, duckdb_v2_error_info_handle,
    duckdb_v2_extension_handle, duckdb_v2_extension_input, duckdb_v2_factory_handle,
    duckdb_v2_logical_type_handle, duckdb_v2_opaque, duckdb_v2_scalar_function_exec_info_handle,
    duckdb_v2_scalar_function_handle, duckdb_v2_str, duckdb_v2_vector_handle, duckdb_v2_vector_view,
};
use urlid_ops::functions::{Function, Type};

use super::vectors::{Arguments, Column, ResultVector, Results};
use super::{Body, Register, Registered, caught, delete};
use api::{VERSION, duckdb, function};

/// The category of the functions in `duckdb_functions()`.
const CATEGORY: &str = "url";

/// Calls `register` with the database that loads the extension, and reports errors to it.
///
/// # Safety
/// The argument is that of the entry point of an extension.
pub(crate) unsafe fn load(
    input: *mut duckdb_v2_extension_input,
    register: fn(&dyn Register) -> Result<(), String>,
) {
    // SAFETY: DuckDB passes a valid struct.
    let input = unsafe { &*input };
    let Some(get_api) = input.get_api else { return };
    // SAFETY: DuckDB takes its own value.
    let host = unsafe { get_api(input.extension, VERSION.as_ptr()) };
    if host.is_null() {
        // DuckDB has reported the error.
        return;
    }
    // SAFETY: the footer of the file names the release whose functions are declared.
    unsafe { api::load(host) };
    let loaded = caught(|| {
        let mut factory = ptr::null_mut();
        // SAFETY: the context is valid during the call.
        unsafe { duckdb!(duckdb_v2_context_get_factory(input.context, &mut factory)) }?;
        register(&Database { extension: input.extension, factory })
    });
    if let Err(message) = loaded {
        // SAFETY: this is the place for errors of this call.
        unsafe { api::report(input.err, &message) };
    }
}

/// The database that loads the extension.
struct Database {
    extension: duckdb_v2_extension_handle,
    factory: duckdb_v2_factory_handle,
}

impl Register for Database {
    fn register(&self, function: &'static Function, body: Body) -> Result<(), String> {
        let scalar = Scalar::new(self)?;
        let result = LogicalType::new(self, function.result)?;
        let text = duckdb_v2_str::from;
        let (mut signature, mut docs) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: all handles are valid. DuckDB copies the texts and the types, and owns the function as long
        // as it may call it.
        unsafe {
            duckdb!(duckdb_v2_scalar_function_set_name(scalar.0, &text(function.name)))?;

            duckdb!(duckdb_v2_scalar_function_get_signature(scalar.0, &mut signature))?;
            for argument in function.arguments {
                let of = LogicalType::new(self, argument.of)?;
                duckdb!(duckdb_v2_function_signature_add_parameter(
                    signature,
                    &text(argument.name),
                    of.0,
                    ptr::null_mut(),
                    DUCKDB_V2_FUNCTION_PARAMETER_KIND::DUCKDB_V2_FUNCTION_PARAMETER_KIND_STANDARD
                ))?;
            }
            duckdb!(duckdb_v2_function_signature_set_return_type(signature, result.0))?;

            duckdb!(duckdb_v2_scalar_function_get_docs(scalar.0, &mut docs))?;
            duckdb!(duckdb_v2_function_docs_set_description(docs, &text(function.about)))?;
            duckdb!(duckdb_v2_function_docs_add_example(docs, ptr::null(), &text(function.example.call)))?;
            duckdb!(duckdb_v2_function_docs_add_category(docs, &text(CATEGORY)))?;

            let can_fail = function.arguments.iter().any(|argument| argument.is_constant);
            if !can_fail {
                // Only names are errors. DuckDB calls such a function once for each value of a dictionary.
                duckdb!(duckdb_v2_scalar_function_set_property(
                    scalar.0,
                    DUCKDB_V2_FUNCTION_PROPERTY_KEY::DUCKDB_V2_FUNCTION_PROPERTY_FALLIBILITY,
                    DUCKDB_V2_FUNCTION_PROPERTY_VALUE::DUCKDB_V2_FUNCTION_PROPERTY_FALLIBILITY_INFALLIBLE
                ))?;
            }

            let registered = Registered::leak(function, body);
            let mut data = duckdb_v2_opaque { ptr: registered, destroy: Some(delete), equals: None };
            duckdb!(duckdb_v2_scalar_function_set_user_data(scalar.0, &mut data))?;
            duckdb!(duckdb_v2_scalar_function_set_exec_callback(scalar.0, Some(call)))?;
            duckdb!(duckdb_v2_extension_register_scalar_function(self.extension, scalar.0))
        }
    }
}

/// A function that is being made.
struct Scalar(duckdb_v2_scalar_function_handle);

impl Scalar {
    fn new(database: &Database) -> Result<Self, String> {
        let mut scalar = Scalar(ptr::null_mut());
        // SAFETY: the factory is valid while the extension is loaded.
        unsafe { duckdb!(duckdb_v2_scalar_function_create(database.factory, &mut scalar.0)) }?;
        Ok(scalar)
    }
}

impl Drop for Scalar {
    fn drop(&mut self) {
        // SAFETY: the handle is not used again. DuckDB ignores null.
        unsafe { function!(duckdb_v2_scalar_function_destroy)(&mut self.0) };
    }
}

/// A type of DuckDB.
struct LogicalType(duckdb_v2_logical_type_handle);

impl LogicalType {
    fn new(database: &Database, of: Type) -> Result<Self, String> {
        let id = match of {
            Type::Bytes => DUCKDB_V2_LOGICAL_TYPE_ID::DUCKDB_V2_LOGICAL_TYPE_ID_BLOB,
            Type::Integer => DUCKDB_V2_LOGICAL_TYPE_ID::DUCKDB_V2_LOGICAL_TYPE_ID_BIGINT,
            Type::Boolean => DUCKDB_V2_LOGICAL_TYPE_ID::DUCKDB_V2_LOGICAL_TYPE_ID_BOOLEAN,
            _ => DUCKDB_V2_LOGICAL_TYPE_ID::DUCKDB_V2_LOGICAL_TYPE_ID_VARCHAR,
        };
        let mut logical = LogicalType(ptr::null_mut());
        // SAFETY: it is a simple type, without parameters.
        unsafe {
            let (names, values) = (ptr::null(), ptr::null());
            duckdb!(duckdb_v2_factory_create_type_from_id(
                database.factory,
                id,
                names,
                values,
                0,
                &mut logical.0
            ))
        }?;
        Ok(logical)
    }
}

impl Drop for LogicalType {
    fn drop(&mut self) {
        // SAFETY: the handle is not used again. DuckDB ignores null.
        unsafe { function!(duckdb_v2_logical_type_destroy)(&mut self.0) };
    }
}

/// # Safety
/// The arguments are those with which DuckDB calls a function that `register` has registered.
unsafe extern "C" fn call(
    info: duckdb_v2_scalar_function_exec_info_handle,
    _context: duckdb_v2_context_handle,
    error: *mut duckdb_v2_error_info_handle,
) {
    // SAFETY: the arguments are passed on.
    if let Err(message) = caught(|| unsafe { run(info) }) {
        // SAFETY: this is the place for errors of this call.
        unsafe { api::report(error, &message) };
    }
}

/// # Safety
/// As for [`call`].
unsafe fn run(info: duckdb_v2_scalar_function_exec_info_handle) -> Result<(), String> {
    let (mut registered, mut rows, mut vector) = (ptr::null_mut(), 0, ptr::null_mut());
    let mut data = ptr::null_mut();
    // SAFETY: DuckDB writes to each, and the user data is what was registered; it stays as long as it may be
    // called.
    let function = unsafe {
        duckdb!(duckdb_v2_scalar_function_exec_get_user_data(info, &mut registered))?;
        duckdb!(duckdb_v2_scalar_function_exec_get_row_count(info, &mut rows))?;
        duckdb!(duckdb_v2_scalar_function_exec_get_result(info, &mut vector))?;
        duckdb!(duckdb_v2_vector_get_data_mutable(vector, &mut data))?;
        &*registered.cast::<Registered>()
    };
    let (rows, vector) = (rows as usize, Flat(vector));
    // SAFETY: the vectors have the types that were registered, and stay during the call.
    let (arguments, mut results) = unsafe {
        let arguments = Arguments::new(rows, function.arguments, |index| column(info, index))?;
        (arguments, Results::new(data, function.result, rows, &vector))
    };
    (function.body)(&arguments, &mut results)
}

/// Returns the values of an argument, most often as they are: flat, constant, or a dictionary.
///
/// # Safety
/// As for [`call`].
unsafe fn column(info: duckdb_v2_scalar_function_exec_info_handle, index: usize) -> Result<Column, String> {
    let mut vector = ptr::null_mut();
    let mut kind = DUCKDB_V2_VECTOR_TYPE::DUCKDB_V2_VECTOR_TYPE_OTHER;
    let none = ptr::null();
    let mut view = duckdb_v2_vector_view { data: none, validity: ptr::null(), sel: ptr::null(), count: 0 };
    // SAFETY: DuckDB writes to each, and returns an error for an argument that is not there.
    unsafe {
        duckdb!(duckdb_v2_scalar_function_exec_get_arg(info, index as u64, &mut vector))?;
        duckdb!(duckdb_v2_vector_get_vector_type(vector, &mut kind))?;
        if kind == DUCKDB_V2_VECTOR_TYPE::DUCKDB_V2_VECTOR_TYPE_OTHER {
            duckdb!(duckdb_v2_vector_flatten(vector))?;
        }
        duckdb!(duckdb_v2_vector_get_view(vector, &mut view))?;
    }
    Ok(Column { strings: view.data.cast(), validity: view.validity, selection: view.sel })
}

/// The vector of the results of a call.
struct Flat(duckdb_v2_vector_handle);

impl ResultVector for Flat {
    fn validity(&self) -> Result<*mut u64, String> {
        let mut mask = ptr::null_mut();
        // SAFETY: the vector is valid.
        unsafe { duckdb!(duckdb_v2_vector_flat_get_validity_mutable(self.0, &mut mask)) }?;
        Ok(mask)
    }

    unsafe fn allocate(&self, len: usize) -> Result<*mut u8, String> {
        let (mut arena, mut place) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the vector is of VARCHAR or BLOB. DuckDB returns memory for this many bytes.
        unsafe {
            duckdb!(duckdb_v2_vector_get_arena(self.0, &mut arena))?;
            duckdb!(duckdb_v2_arena_allocate(arena, len as u64, &mut place))?;
        }
        Ok(place)
    }
}
