//! Text arguments. A Python `str` can contain lone surrogates, which are not valid in a URL.

use std::ops::Deref;

use pyo3::exceptions::PyUnicodeEncodeError;
use pyo3::prelude::*;
use urlid::ErrorCode;

use crate::error::rejected;

/// A text argument. `surrogateescape` puts lone surrogates into file names and logs. Such a text raises a
/// `UrlidError` instead of the `UnicodeEncodeError` of a `&str`, so that a loop over URLs catches one type
/// of error.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a>(&'a str);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Text<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        <&str>::extract(object).map(Self).map_err(|error: PyErr| {
            if !error.is_instance_of::<PyUnicodeEncodeError>(py) {
                return error;
            }
            let start = error.value(py).getattr("start").and_then(|start| start.extract::<usize>());
            let place = start.map_or_else(|_| String::new(), |start| format!(" at character {start}"));
            rejected(ErrorCode::Utf8, &format!("text has a lone surrogate{place}: expected Unicode"))
        })
    }
}
