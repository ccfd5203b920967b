//! `urlid.Question`: values in clear for parts of a URL, to ask an index, a table or a dataset.
//!
//! The question itself is crate `urlid-index`'s; here it is read from keyword arguments, and its hashes are told as the typed columns
//! that Parquet files have.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};
use urlid::ErrorCode;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Flags, Header, Scheme, Slice};
use urlid_index::{Ask, Question};

use crate::choice::choose;
use crate::error::{raise, refused};
use crate::suffix::PySuffixList;

/// The values as keyword arguments give them.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    scheme: Option<String>,
    tld: Option<String>,
    domain: Option<String>,
    sub: Option<String>,
    host: Option<String>,
    port: Option<u16>,
    path: Option<String>,
    query: Option<String>,
    fragment: Option<String>,
}

impl Asked {
    /// Reads the keyword arguments; one that is None is not asked for.
    pub(crate) fn read(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut asked = Self::default();
        for (name, value) in arguments.into_iter().flatten() {
            let name: String = name.extract()?;
            let text = match name.as_str() {
                "port" => {
                    asked.port = read_port(&value)?;
                    continue;
                }
                "scheme" => &mut asked.scheme,
                "tld" => &mut asked.tld,
                "domain" => &mut asked.domain,
                "sub" => &mut asked.sub,
                "host" => &mut asked.host,
                "path" => &mut asked.path,
                "query" => &mut asked.query,
                "fragment" => &mut asked.fragment,
                _ => return Err(PyTypeError::new_err(format!("a question has no part {name:?}"))),
            };
            *text = value.extract()?;
        }
        Ok(asked)
    }

    /// Maps the values by a suffix list.
    pub(crate) fn question(&self, list: &SuffixList) -> PyResult<Question> {
        let schemes = Scheme::ALL.map(|scheme| (scheme.name(), scheme));
        let scheme = self.scheme.as_deref().map(|name| choose("scheme", name, &schemes)).transpose()?;
        let ask = Ask {
            scheme,
            tld: self.tld.as_deref(),
            domain: self.domain.as_deref(),
            sub: self.sub.as_deref(),
            host: self.host.as_deref(),
            port: self.port,
            path: self.path.as_deref(),
            query: self.query.as_deref(),
            fragment: self.fragment.as_deref(),
        };
        Question::of(&ask, list).map_err(raise)
    }

    /// Returns the values that are given, by name.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let texts = [
            ("scheme", &self.scheme),
            ("tld", &self.tld),
            ("domain", &self.domain),
            ("sub", &self.sub),
            ("host", &self.host),
            ("path", &self.path),
            ("query", &self.query),
            ("fragment", &self.fragment),
        ];
        let given = PyDict::new(py);
        for (name, text) in texts {
            if let Some(text) = text {
                given.set_item(name, text)?;
            }
        }
        if let Some(port) = self.port {
            given.set_item("port", port)?;
        }
        Ok(given)
    }
}

/// Reads a port, which is None or a number from 1 to 65535.
fn read_port(value: &Bound<'_, PyAny>) -> PyResult<Option<u16>> {
    if value.is_none() {
        return Ok(None);
    }
    // A number of any size, so that one that is too large has the error of the others.
    let number = value.cast::<PyInt>()?;
    match number.extract::<u16>() {
        Ok(port) if port > 0 => Ok(Some(port)),
        _ => Err(refused(
            ErrorCode::Port,
            &format!("port is out of range: found {number}, expected 1 to 65535"),
        )),
    }
}

/// What a pickle makes a question of again: the function, and its arguments.
type Reduced<'py> = (Bound<'py, PyAny>, (PySuffixList, Bound<'py, PyDict>));

/// A question about URLs: every value that is given must be that of the URL.
///
/// The keyword arguments are `scheme`, `tld`, `domain`, `sub`, `host`, `port`, `path`, `query` and `fragment`. Host parts are mapped
/// as a URL's host is; an empty text asks for URLs without that part; `port` asks for a port that is written. Raises
/// ERR_HOST_NOT_DNS or ERR_HOST_LEN for what no URL can have.
///
/// >>> from urlid import Question
/// >>> question = Question(domain="Docs", tld="rs")
/// >>> question.matches("https://docs.rs/serde"), question.matches("https://docs.rs.example.com/")
/// (True, False)
/// >>> question.columns()
/// {'sx_tld': 9111, 'sx_domain': 1098905491652242481}
#[pyclass(name = "Question", module = "urlid", frozen)]
pub(crate) struct PyQuestion {
    asked: Asked,
    pub(crate) inner: Question,
    pub(crate) list: SuffixList,
}

#[pymethods]
impl PyQuestion {
    #[new]
    #[pyo3(signature = (*, suffixes = None, **parts))]
    fn new(suffixes: Option<&PySuffixList>, parts: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let list = PySuffixList::or_compiled(suffixes).clone();
        let asked = Asked::read(parts)?;
        Ok(Self { inner: asked.question(&list)?, asked, list })
    }

    /// Returns whether a URL is an answer; a text without an SXURL is none.
    fn matches(&self, url: &str) -> bool {
        Components::parse(url, &self.list).is_ok_and(|parts| self.inner.matches(&parts))
    }

    /// Returns the values that the typed columns of every answer have. A row that has them may still be no answer.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for slice in Slice::ALL {
            if let Some(value) = self.inner.part(slice) {
                columns.set_item(format!("sx_{slice}"), slice.hash(value))?;
            }
        }
        if let Some(port) = self.inner.port() {
            columns.set_item("sx_port", port)?;
        }
        Ok(columns)
    }

    /// Returns the least and the greatest header of answers, if a scheme is asked for.
    #[getter]
    fn header_range(&self) -> Option<(u16, u16)> {
        let bits = |scheme: Scheme, flags: Flags| Header { scheme, flags }.bits();
        self.inner.scheme().map(|scheme| (bits(scheme, Flags::NONE), bits(scheme, Flags::ALL)))
    }

    /// The suffix list that hosts are split by.
    #[getter]
    fn suffixes(&self) -> PySuffixList {
        PySuffixList::of(&self.list)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Question {}>", self.asked.as_dict(py)?.repr()?))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.inner == other.inner && self.list.sha256() == other.list.sha256()
    }

    fn __hash__(&self) -> u64 {
        Slice::ALL
            .into_iter()
            .filter_map(|slice| self.inner.part(slice))
            .fold(0, |hash, part| hash.rotate_left(7) ^ Slice::Path.hash(part))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let this = slf.get();
        let make = slf.py().import("urlid._urlid")?.getattr("_question")?;
        Ok((make, (this.suffixes(), this.asked.as_dict(slf.py())?)))
    }
}

/// Makes a question again from what a pickle holds.
#[pyfunction]
#[pyo3(name = "_question")]
pub(crate) fn question(suffixes: &PySuffixList, parts: &Bound<'_, PyDict>) -> PyResult<PyQuestion> {
    PyQuestion::new(Some(suffixes), Some(parts))
}
