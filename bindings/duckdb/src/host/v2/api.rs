//! The functions of the interface, and their errors.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::OnceLock;

use libduckdb_sys::v2::{DUCKDB_V2_ERROR, duckdb_ext_api_v2, duckdb_v2_error_info_handle, duckdb_v2_str};

/// The version of the interface. No function of it is stable yet, so DuckDB loads the file into the release
/// only that its footer names, and ignores this.
pub(super) const VERSION: &CStr = c"v2.0.0";

/// The functions of DuckDB.
pub(super) static API: OnceLock<duckdb_ext_api_v2> = OnceLock::new();

/// Copies the table of functions.
///
/// # Safety
/// `host` is the table of the DuckDB whose declarations `libduckdb_sys` has.
pub(super) unsafe fn load(host: *const c_void) {
    // SAFETY: DuckDB returns a valid struct.
    API.get_or_init(|| unsafe { *host.cast::<duckdb_ext_api_v2>() });
}

/// Returns a function of DuckDB.
macro_rules! function {
    ($function:ident) => {
        $crate::host::v2::api::API
            .get()
            .and_then(|api| api.$function)
            .expect("part of the interface, which is loaded")
    };
}
pub(super) use function;

/// Calls a function of DuckDB, an `unsafe` operation, and returns its error as text.
macro_rules! duckdb {
    ($function:ident($($argument:expr),*)) => {{
        let mut info = ::std::ptr::null_mut();
        let error = $crate::host::v2::api::function!($function)($($argument,)* &mut info);
        $crate::host::v2::api::checked(error, info)
    }};
}
pub(super) use duckdb;

/// Returns an error of DuckDB as text.
///
/// # Safety
/// DuckDB returned both, and `info` is not used again.
#[inline]
pub(super) unsafe fn checked(
    error: DUCKDB_V2_ERROR,
    info: duckdb_v2_error_info_handle,
) -> Result<(), String> {
    if error == DUCKDB_V2_ERROR::DUCKDB_V2_ERROR_NONE {
        return Ok(());
    }
    // SAFETY: the caller passes what DuckDB returned.
    Err(unsafe { text(error, info) })
}

/// # Safety
/// As for [`checked`].
#[cold]
unsafe fn text(error: DUCKDB_V2_ERROR, mut info: duckdb_v2_error_info_handle) -> String {
    let mut text = duckdb_v2_str { ptr: ptr::null(), len: 0 };
    // SAFETY: DuckDB accepts null. The text lives as long as `info`, and is copied before that is destroyed.
    unsafe {
        function!(duckdb_v2_error_info_get_text)(info, &mut text);
        let message = if text.ptr.is_null() {
            format!("DuckDB reports {error:?}")
        } else {
            let bytes = std::slice::from_raw_parts(text.ptr.cast(), text.len as usize);
            String::from_utf8_lossy(bytes).into_owned()
        };
        function!(duckdb_v2_error_info_destroy)(&mut info);
        message
    }
}

/// Puts an error where DuckDB reads it after a call.
///
/// # Safety
/// `place` is the place for errors that DuckDB passed with the call.
pub(super) unsafe fn report(place: *mut duckdb_v2_error_info_handle, message: &str) {
    // SAFETY: the place is valid, and DuckDB copies the message.
    unsafe {
        function!(duckdb_v2_error_info_set_code)(*place, DUCKDB_V2_ERROR::DUCKDB_V2_ERROR_INPUT_INVALID);
        function!(duckdb_v2_error_info_set_text)(*place, &duckdb_v2_str::from(message));
    }
}
