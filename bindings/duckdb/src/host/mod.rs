//! DuckDB's C interfaces for scalar functions, behind safe types.
//!
//! [`v1`] is the interface of every DuckDB since 1.2, [`v2`] that of DuckDB 2.0. The values of rows are the
//! same in both, and are in [`vectors`].

pub(crate) mod v1;
pub(crate) mod v2;
mod vectors;

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use urlid_ops::functions::{Function, Type};

pub(crate) use vectors::{Arguments, Results, text};

/// Computes the results for a vector of rows. An error ends the query.
pub(crate) type Body = Box<dyn Fn(&Arguments<'_>, &mut Results<'_>) -> Result<(), String> + Send + Sync>;

/// Where functions are registered: the database that loads the extension.
pub(crate) trait Register {
    /// Registers a function of rows.
    fn register(&self, function: &'static Function, body: Body) -> Result<(), String>;
}

/// Runs the body of a function that DuckDB calls. A panic becomes an error.
fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err("urlid panicked".to_owned()))
}

/// A function that is registered, owned by DuckDB.
struct Registered {
    /// The number of arguments.
    arguments: usize,
    result: Type,
    body: Body,
}

impl Registered {
    /// Returns a pointer that DuckDB keeps and gives to [`delete`].
    fn leak(function: &'static Function, body: Body) -> *mut c_void {
        let registered = Registered { arguments: function.arguments.len(), result: function.result, body };
        Box::into_raw(Box::new(registered)).cast()
    }
}

/// # Safety
/// `registered` is what [`Registered::leak`] returned, and is not used again.
unsafe extern "C" fn delete(registered: *mut c_void) {
    // SAFETY: it was made by `Box::into_raw`.
    drop(unsafe { Box::from_raw(registered.cast::<Registered>()) });
}
