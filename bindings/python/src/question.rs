//! `urlid.Question`: conditions on the parts of a URL, for an index, a table or a dataset.
//!
//! Crate `urlid-store` implements the question. This file parses it from keyword arguments and returns its
//! hashes as the values of the typed columns of Parquet files.

use std::ffi::CString;

use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Flags, Header, Scheme, Slice};
use urlid_store::question::{Compared, Condition, Question};

use crate::error::raise;
use crate::suffix::PySuffixList;
use crate::text::Text;

/// The values of the keyword arguments.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Conditions(Vec<(Condition, String)>);

impl Conditions {
    /// Parses the keyword arguments. None is ignored.
    pub(crate) fn read(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut conditions = Vec::new();
        for (name, value) in arguments.into_iter().flatten() {
            let name: String = name.extract()?;
            let Some(condition) = Condition::from_name(&name.replace('_', "-")) else {
                return Err(PyTypeError::new_err(format!("unknown part of a question: found {name:?}")));
            };
            match condition.compared() {
                _ if value.is_none() => {}
                // A number of any size, so that a number that is too large gets the same error as the
                // others.
                Compared::Number => conditions.push((condition, value.cast::<PyInt>()?.to_string())),
                _ => conditions.push((condition, value.extract::<Text<'_>>()?.to_string())),
            }
        }
        Ok(Self(conditions))
    }

    /// Makes a single condition.
    pub(crate) fn of(condition: Condition, value: &str) -> Self {
        Self(vec![(condition, value.to_owned())])
    }

    /// Maps the values.
    pub(crate) fn question(&self) -> PyResult<Question> {
        let conditions = self.0.iter().map(|(condition, value)| (*condition, value.as_str()));
        Question::new(conditions).map_err(raise)
    }

    /// Warns of likely mistakes in the conditions. `list` has the public suffixes, and `name` returns the
    /// name of a condition.
    pub(crate) fn warn(
        &self,
        py: Python<'_>,
        list: &SuffixList,
        name: impl Fn(Condition) -> String,
    ) -> PyResult<()> {
        urlid_store::question::hints(&self.0, list, name).iter().try_for_each(|hint| warn(py, hint))
    }

    /// Returns the given values, by name.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let given = PyDict::new(py);
        for (condition, value) in &self.0 {
            match (condition.compared(), value.parse::<u16>()) {
                // A number again, because the constructor does not accept a text for it.
                (Compared::Number, Ok(number)) => given.set_item(condition.name(), number)?,
                _ => given.set_item(condition.name(), value)?,
            }
        }
        Ok(given)
    }
}

/// Warns the caller.
pub(crate) fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    // A condition may contain a zero byte, which would end the message in the C interface of warnings.
    let message = CString::new(message.replace('\0', "\\0")).expect("no zero byte is left");
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)
}

/// The result of `__reduce__`: the function that restores a question, and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (PySuffixList, Bound<'py, PyDict>));

/// A question about URLs. A URL is an answer if it has every given value.
///
/// The keyword arguments are the conditions of `urlid index find --help`, with `_` for `-`: `domain`, `tld`,
/// `path_prefix` and others. Host parts are mapped like a URL's host. An empty text matches URLs without
/// that part. `port` matches only a written port. `has` and `lacks` are names among `sub`, `query`,
/// `fragment` and `port`, separated by commas. Raises ERR_HOST_NOT_DNS or ERR_HOST_LEN for hosts that no URL
/// can have.
///
/// >>> from urlid import Question
/// >>> question = Question(domain="Docs", tld="rs")
/// >>> question.matches("https://docs.rs/serde"), question.matches("https://docs.rs.example.com/")
/// (True, False)
/// >>> question.columns()
/// {'sx_tld': 9111, 'sx_domain': 1098905491652242481}
#[pyclass(name = "Question", module = "urlid", frozen)]
pub(crate) struct PyQuestion {
    conditions: Conditions,
    pub(crate) inner: Question,
    pub(crate) list: SuffixList,
}

#[pymethods]
impl PyQuestion {
    #[new]
    #[pyo3(signature = (*, suffixes = None, **parts))]
    fn new(suffixes: Option<&PySuffixList>, parts: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let list = PySuffixList::or_compiled(suffixes).clone();
        let conditions = Conditions::read(parts)?;
        Ok(Self { inner: conditions.question()?, conditions, list })
    }

    /// Returns whether a URL is an answer. A text that is not an absolute URL is not an answer.
    fn matches(&self, url: Text<'_>) -> bool {
        self.inner.matches(&url, &self.list)
    }

    /// Returns the values of the typed columns that every answer has. A row with these values may still not
    /// be an answer.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for slice in Slice::ALL {
            if let Some(value) = self.inner.part(slice, &self.list) {
                // The question has mapped the value, so it is hashed unchanged.
                columns.set_item(format!("sx_{slice}"), slice.hash(value))?;
            }
        }
        if let Some(port) = self.inner.port() {
            columns.set_item("sx_port", port)?;
        }
        Ok(columns)
    }

    /// Returns the values of the readable columns of a dataset that every answer has: `scheme`, `tld`,
    /// `registered_domain`.
    ///
    /// >>> import urlid
    /// >>> urlid.Question(domain="Docs", tld="rs", scheme="https").texts()
    /// {'scheme': 'https', 'tld': 'rs', 'registered_domain': 'docs.rs'}
    fn texts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let texts = PyDict::new(py);
        if let Some(scheme) = self.inner.scheme() {
            texts.set_item("scheme", scheme)?;
        }
        // An empty text matches URLs without the part, and their column is null.
        let part = |slice| self.inner.part(slice, &self.list).filter(|part| !part.is_empty());
        if let Some(tld) = part(Slice::Tld) {
            texts.set_item("tld", tld)?;
            if let Some(domain) = part(Slice::Domain) {
                texts.set_item("registered_domain", format!("{domain}.{tld}"))?;
            }
        }
        Ok(texts)
    }

    /// The ranges of `host_key` in a dataset that contain the hosts of all answers, ascending, as pairs of a
    /// start (inclusive) and an end (exclusive). None if answers can have any host.
    ///
    /// >>> import urlid
    /// >>> urlid.Question(registered_domain="docs.rs").host_keys
    /// [('rs.docs', 'rs.docs/')]
    #[getter]
    fn host_keys(&self) -> Option<Vec<(String, String)>> {
        self.inner.host_keys(&self.list)
    }

    /// Returns the least and the greatest header of answers, if there is a condition on the scheme.
    #[getter]
    fn header_range(&self) -> Option<(u16, u16)> {
        let bits = |scheme: Scheme, flags: Flags| Header { scheme, flags }.bits();
        self.inner
            .scheme()
            .and_then(Scheme::from_name)
            // Flags are the low bits of a header, so the headers of a scheme are one range.
            .map(|scheme| (bits(scheme, Flags::NONE), bits(scheme, Flags::ALL)))
    }

    /// The suffix list by which hosts are split.
    #[getter]
    fn suffixes(&self) -> PySuffixList {
        PySuffixList::of(&self.list)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Question {}>", self.conditions.as_dict(py)?.repr()?))
    }

    fn __eq__(&self, other: &Self) -> bool {
        // The list is a part of the question, because it decides which label of a host is the domain.
        self.inner == other.inner && self.list.sha256() == other.list.sha256()
    }

    fn __hash__(&self) -> u64 {
        // Parts other than slices are left out. Equal questions have equal slices, which is sufficient for a
        // hash.
        Slice::ALL
            .into_iter()
            .filter_map(|slice| self.inner.part(slice, &self.list))
            .fold(0, |hash, part| hash.rotate_left(7) ^ Slice::Path.hash(part))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let this = slf.get();
        let make = slf.py().import("urlid._urlid")?.getattr("_question")?;
        Ok((make, (this.suffixes(), this.conditions.as_dict(slf.py())?)))
    }
}

/// Restores a question from a pickle.
#[pyfunction]
#[pyo3(name = "_question")]
pub(crate) fn question(suffixes: &PySuffixList, parts: &Bound<'_, PyDict>) -> PyResult<PyQuestion> {
    PyQuestion::new(Some(suffixes), Some(parts))
}
