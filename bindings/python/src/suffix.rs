//! `urlid.SuffixList` and `urlid.Snapshot`: the public suffix list, and the data that an id depends on.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};

use crate::choice::{choose, word_of};
use crate::error::raise;
use crate::text::Text;

pub(crate) const SECTIONS: &[(&str, Sections)] = &[("all", Sections::All), ("icann", Sections::Icann)];

/// A public suffix list, from its text in the format of `public_suffix_list.dat`.
///
/// `sections` is `all`, or `icann` to leave out the private suffixes.
///
/// >>> from urlid import SuffixList
/// >>> SuffixList.compiled().split("Octocat.GitHub.io")
/// ('', 'octocat', 'github.io')
/// >>> SuffixList.compiled("icann").split("octocat.github.io")
/// ('octocat', 'github', 'io')
/// >>> SuffixList("com\nexample.com\n").split("a.b.example.com")
/// ('a', 'b', 'example.com')
#[pyclass(name = "SuffixList", module = "urlid", frozen)]
pub(crate) struct PySuffixList {
    inner: SuffixList,
}

impl PySuffixList {
    /// Returns the given list, or the compiled one with all sections.
    pub(crate) fn or_compiled(given: Option<&Self>) -> &SuffixList {
        given.map_or(SuffixList::compiled(), |list| &list.inner)
    }

    pub(crate) fn of(list: &SuffixList) -> Self {
        Self { inner: list.clone() }
    }
}

#[pymethods]
impl PySuffixList {
    #[new]
    #[pyo3(signature = (text, sections = "all"))]
    fn new(py: Python<'_>, text: &str, sections: &str) -> PyResult<Self> {
        let sections = choose("sections", sections, SECTIONS)?;
        Ok(Self { inner: py.detach(|| SuffixList::parse(text, sections)).map_err(raise)? })
    }

    /// Returns the list that is compiled into the library.
    #[staticmethod]
    #[pyo3(signature = (sections = "all"))]
    fn compiled(sections: &str) -> PyResult<Self> {
        Ok(Self::of(SuffixList::compiled_with(choose("sections", sections, SECTIONS)?)))
    }

    /// Returns the list without suffixes, by which the last label of a host is its public suffix.
    ///
    /// >>> from urlid import SuffixList
    /// >>> SuffixList.none().split("www.example.co.uk")
    /// ('www.example', 'co', 'uk')
    #[staticmethod]
    fn none() -> Self {
        Self { inner: SuffixList::none() }
    }

    /// Returns subdomain, domain and public suffix, as `urlid.split` does, by this list.
    fn split(&self, text: Text<'_>) -> PyResult<(String, String, String)> {
        split_by(&text, &self.inner)
    }

    /// Returns the registered domain or None, as `urlid.registered_domain` does, by this list.
    fn registered_domain(&self, text: Text<'_>) -> PyResult<Option<String>> {
        registered_domain_by(&text, &self.inner)
    }

    /// Returns whether a host is a public suffix.
    fn is_suffix(&self, text: Text<'_>) -> PyResult<bool> {
        Ok(self.inner.split(&text).map_err(raise)?.is_suffix())
    }

    /// The list's version, which is its date, or an empty text.
    #[getter]
    fn version(&self) -> &str {
        self.inner.version()
    }

    /// The sections that count: `all` or `icann`.
    #[getter]
    fn sections(&self) -> &'static str {
        word_of(&self.inner.sections(), SECTIONS)
    }

    /// The list's text.
    #[getter]
    fn text(&self) -> &str {
        self.inner.text()
    }

    /// The data versions that ids made with this list depend on.
    #[getter]
    fn snapshot(&self) -> PySnapshot {
        PySnapshot { inner: Snapshot::new(&self.inner) }
    }

    fn __eq__(&self, other: &Self) -> bool {
        // Compares digests, because the texts have hundreds of kilobytes.
        self.inner.sha256() == other.inner.sha256() && self.inner.sections() == other.inner.sections()
    }

    fn __hash__(&self) -> u64 {
        let digest = self.inner.sha256();
        u64::from_le_bytes(std::array::from_fn(|index| digest[index]))
    }

    fn __repr__(&self) -> String {
        format!("<SuffixList {} {}>", self.version(), self.sections())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let this = slf.get();
        let compiled = SuffixList::compiled_with(this.inner.sections());
        // The compiled list is pickled by name. Otherwise its text would be in every task that is sent to a
        // different process.
        if this.inner.sha256() == compiled.sha256() {
            let compiled = slf.get_type().getattr("compiled")?;
            Ok((compiled, PyTuple::new(slf.py(), [this.sections()])?))
        } else {
            Ok((slf.get_type().into_any(), PyTuple::new(slf.py(), [this.text(), this.sections()])?))
        }
    }
}

pub(crate) fn registered_domain_by(text: &str, list: &SuffixList) -> PyResult<Option<String>> {
    Ok(list.registered_domain(text).map_err(raise)?.map(String::from))
}

pub(crate) fn split_by(text: &str, list: &SuffixList) -> PyResult<(String, String, String)> {
    let split = list.split(text).map_err(raise)?;
    Ok([split.sub(), split.domain(), split.tld()].map(|part| part.unwrap_or_default().to_owned()).into())
}

/// The data that an id depends on in addition to its specification: the public suffix list and the Unicode
/// host mapping.
///
/// Ids of the same URL under different snapshots can differ.
///
/// >>> from urlid import Snapshot, snapshot
/// >>> Snapshot(str(snapshot())) == snapshot()
/// True
/// >>> sorted(snapshot().as_dict())
/// ['host_mapping', 'psl_commit', 'psl_sections', 'psl_sha256', 'psl_version', 'unicode']
#[pyclass(name = "Snapshot", module = "urlid", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct PySnapshot {
    pub(crate) inner: Snapshot,
}

#[pymethods]
impl PySnapshot {
    #[new]
    fn new(line: &str) -> PyResult<Self> {
        Ok(Self { inner: line.parse().map_err(raise)? })
    }

    /// Returns the facts by name.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        for (key, value) in self.inner.entries() {
            facts.set_item(key, value)?;
        }
        Ok(facts)
    }

    /// Returns the differences from a second snapshot: name, value here, value there.
    fn differences(&self, other: &Self) -> Vec<(&'static str, String, String)> {
        let differences = self.inner.differences(&other.inner).into_iter();
        differences.map(|(key, here, there)| (key, here.to_owned(), there.to_owned())).collect()
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Snapshot {}>", self.inner)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().__str__(),))
    }
}

/// Returns the snapshot of ids that this build makes with its compiled list.
#[pyfunction]
pub(crate) fn snapshot() -> PySnapshot {
    PySnapshot { inner: Snapshot::new(SuffixList::compiled()) }
}
