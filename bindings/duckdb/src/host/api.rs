//! The functions of DuckDB's C interface.
//!
//! Releases older and newer than the declarations of `libduckdb_sys` load the extension. It calls only
//! functions of [`VERSION`], which every later release has at the same offset in the struct.

use std::ffi::{CStr, c_void};
use std::mem::{MaybeUninit, offset_of};
use std::ptr;
use std::sync::OnceLock;

use libduckdb_sys::duckdb_ext_api_v1;

/// The version of the interface that the extension requires. The footer of its file also contains it.
pub(super) const VERSION: &CStr = c"v1.2.0";

/// The functions of DuckDB, only those of [`VERSION`].
pub(super) static API: OnceLock<duckdb_ext_api_v1> = OnceLock::new();

/// Calls a function of DuckDB, which is an `unsafe` operation.
macro_rules! duckdb {
    ($function:ident($($argument:expr),*)) => {
        ($crate::host::api::API.get().and_then(|api| api.$function).expect("part of the interface, which is loaded"))($($argument),*)
    };
}
pub(super) use duckdb;

/// Copies the table of functions. Functions that were added after [`VERSION`] stay `None`.
///
/// # Safety
/// `host` points to at least the functions of that version.
pub(super) unsafe fn load(host: *const c_void) {
    // The first function that is not in `VERSION`. A host of that version has no memory to copy after the
    // preceding functions.
    const LENGTH: usize = offset_of!(duckdb_ext_api_v1, duckdb_create_instance_cache);
    let mut api = MaybeUninit::<duckdb_ext_api_v1>::zeroed();
    // SAFETY: both have at least `LENGTH` bytes and do not overlap.
    unsafe { ptr::copy_nonoverlapping(host.cast::<u8>(), api.as_mut_ptr().cast::<u8>(), LENGTH) };
    // SAFETY: every field is an optional function, for which zeros are `None`.
    API.get_or_init(|| unsafe { api.assume_init() });
}
