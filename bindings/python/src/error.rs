//! The one map from errors of the library to Python's `urlid.UrlidError`.
//!
//! Every error enum has a stable `code()` and a one-line message; both are handed on as they are. The exception itself is
//! a Python class (`urlid/_error.py`), so that it can be pickled and subclassed there.

use std::fmt::Display;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// An error of the library that has a code.
pub(crate) trait Coded: Display {
    /// Returns the stable code.
    fn stable_code(&self) -> &'static str;
}

macro_rules! coded {
    ($($error:ty),* $(,)?) => {
        $(impl Coded for $error {
            fn stable_code(&self) -> &'static str {
                self.code()
            }
        })*
    };
}

coded!(
    urlid::reference::NoUrl,
    urlid::reference::TokensError,
    urlid::reference::TooLong,
    urlid::reference::Violation,
    urlid::generic::ResolveError,
    urlid::generic::NormaliseError,
    urlid::web::ParseError,
    urlid::sxurl::EncodeError,
    urlid::sxurl::DecodeError,
    urlid::url_hash::ParseHashError,
    urlid::hashed_uri::AlgorithmError,
    urlid::hashed_uri::CanonicalError,
    urlid::hashed_uri::HasherError,
    urlid::hashed_uri::KeyTooShort,
    urlid::hashed_uri::MakeError,
    urlid::hashed_uri::ParseHashedUriError,
    urlid::list::BuildError,
    urlid::list::CompiledError,
    urlid::list::HeaderError,
    urlid::list::KeyError,
    urlid::list::ReadError,
    urlid::suffix::ListError,
    urlid::snapshot::ParseSnapshotError,
    urlid::compat::CrateSxurlError,
    urlid_index::OpenError,
    urlid_index::StoreError,
    urlid_index::LoadError,
    urlid_index::QuestionError,
    urlid_index::GetError,
);

/// Turns an error of the library into the exception.
pub(crate) fn raise<E: Coded>(error: E) -> PyErr {
    refused(error.stable_code(), &error.to_string())
}

/// Returns the exception with a code and a message.
pub(crate) fn refused(code: &str, message: &str) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    Python::attach(|py| match CLASS.import(py, "urlid._error", "UrlidError") {
        Ok(class) => PyErr::from_type(class.clone(), (code.to_owned(), message.to_owned())),
        Err(error) => {
            let lost = PyRuntimeError::new_err(format!("{code}: {message}"));
            lost.set_cause(py, Some(error));
            lost
        }
    })
}
