//! `urlid.Function`: the functions of SQL, for one row and for columns.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use pyo3_arrow::input::AnyArray;
use urlid_ops::functions::{Call, FUNCTIONS, Function, Output, SqlValue};

use crate::arrow::columns::PyColumn;
use crate::arrow::functions::evaluate;
use crate::error::raise;

/// A function of SQL, by name. A call with values returns one value, which is None for NULL and for a
/// rejected text.
///
/// >>> import urlid
/// >>> host = urlid.Function("urlid_host")
/// >>> host("HTTP://WWW.Example.com"), host("no URL"), host(None)
/// ('www.example.com', None, None)
#[pyclass(name = "Function", module = "urlid", frozen)]
pub(crate) struct PyFunction {
    function: &'static Function,
    /// Keeps parsed names. Calls are short, so concurrent calls wait for each other.
    call: Mutex<Call>,
}

/// Returns the functions of SQL: the table from which every database registers them.
///
/// >>> import urlid
/// >>> [str(function) for function in urlid.functions()][:2]
/// ['urlid_sxurl(url)', 'urlid_url_hash(url)']
#[pyfunction]
pub(crate) fn functions() -> Vec<PyFunction> {
    FUNCTIONS.iter().map(PyFunction::of).collect()
}

impl PyFunction {
    fn of(function: &'static Function) -> Self {
        PyFunction { function, call: Mutex::new(function.call()) }
    }
}

#[pymethods]
impl PyFunction {
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        let function = urlid_ops::functions::function(name);
        function
            .map(Self::of)
            .ok_or_else(|| PyValueError::new_err(format!("unknown function: found {name:?}")))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (&'static str,)) {
        (slf.get_type().into_any(), (slf.get().function.name,))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.function.name == other.function.name
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        // Names are unique in the table, so equality and hash use them.
        self.function.name.hash(&mut hasher);
        hasher.finish()
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.function.name
    }

    /// The names and types of the arguments: `text` or `bytes`.
    #[getter]
    fn arguments(&self) -> Vec<(&'static str, String)> {
        self.function.arguments.iter().map(|argument| (argument.name, argument.of.to_string())).collect()
    }

    /// The type of the result: `text`, `bytes`, `integer` or `boolean`.
    #[getter]
    fn result(&self) -> String {
        self.function.result.to_string()
    }

    /// The result of the function, in one sentence.
    #[getter]
    fn about(&self) -> &'static str {
        self.function.about
    }

    #[pyo3(signature = (*arguments))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        arguments: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        // Kept until the end, because the values borrow from the objects.
        let arguments: Vec<_> = arguments.iter().collect();
        let values = arguments.iter().map(value).collect::<PyResult<Vec<_>>>()?;
        let output = match self.call.lock() {
            Ok(mut call) => call.run(&values),
            // A panic may have broken the shared state, so this call makes its own.
            Err(_) => self.function.call().run(&values),
        };
        Ok(match output.map_err(raise)? {
            Output::Null => None,
            Output::Text(text) => Some(PyString::new(py, &text).into_any()),
            Output::Id(id) => Some(PyBytes::new(py, &id).into_any()),
            Output::Integer(number) => Some(number.into_pyobject(py)?.into_any()),
            Output::Boolean(flag) => Some(flag.into_pyobject(py)?.to_owned().into_any()),
        })
    }

    /// Returns the results for Arrow columns of the same length.
    #[pyo3(signature = (*columns))]
    fn column(&self, py: Python<'_>, columns: Vec<AnyArray>) -> PyResult<PyColumn> {
        evaluate(py, self.function, columns)
    }

    fn __str__(&self) -> String {
        self.function.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Function {}>", self.function)
    }
}

fn value<'a>(argument: &'a Bound<'_, PyAny>) -> PyResult<SqlValue<'a>> {
    if argument.is_none() {
        return Ok(SqlValue::Null);
    }
    if let Ok(text) = argument.cast::<PyString>() {
        // A URL cannot contain a lone surrogate, and UTF-8 cannot encode it.
        return Ok(text.to_str().map_or(SqlValue::Null, SqlValue::Text));
    }
    match argument.cast::<PyBytes>() {
        Ok(bytes) => Ok(SqlValue::Bytes(bytes.as_bytes())),
        Err(_) => Err(PyTypeError::new_err(format!(
            "wrong type of an argument: found {}, expected str, bytes or None",
            argument.get_type().name()?
        ))),
    }
}
