//! The formats of published crates, and the detection of formats.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use urlid::compat::{self, CrateFormat, CrateSxurl, CrateUrlHash};

use crate::choice::choose;
use crate::error::raise;
use crate::suffix::PySuffixList;
use crate::text::Text;

const FORMATS: &[(&str, CrateFormat)] = &[
    ("sxurl-crate-0", CrateFormat::V0),
    ("sxurl-crate-1.0", CrateFormat::V1_0),
    ("sxurl-crate-1.1", CrateFormat::V1_1),
];

/// Returns the names of the formats that a text can have, or an empty list.
///
/// >>> import urlid
/// >>> urlid.detect("https://docs.rs/")
/// ['url']
/// >>> "sxurl" in urlid.detect("1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356")
/// True
#[pyfunction]
pub(crate) fn detect(text: Text<'_>) -> Vec<&'static str> {
    compat::detect(&text).into_iter().map(|format| format.name()).collect()
}

/// An identifier in a format of crate `sxurl`, from its digits. The format is an argument because the digits
/// do not show it.
///
/// >>> from urlid import CrateSxurl
/// >>> id = CrateSxurl.encode("https://docs.rs/", "sxurl-crate-0")
/// >>> CrateSxurl(str(id), id.format) == id
/// True
#[pyclass(name = "CrateSxurl", module = "urlid", frozen, eq, ord, hash)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyCrateSxurl {
    inner: CrateSxurl,
}

#[pymethods]
impl PyCrateSxurl {
    #[new]
    fn new(text: Text<'_>, format: &str) -> PyResult<Self> {
        Ok(Self { inner: CrateSxurl::from_hex(&text, choose("format", format, FORMATS)?).map_err(raise)? })
    }

    /// Makes the identifier of a URL. `format` is `sxurl-crate-0`, `sxurl-crate-1.0` or `sxurl-crate-1.1`.
    ///
    /// >>> from urlid import CrateSxurl
    /// >>> str(CrateSxurl.encode("https://docs.rs/", "sxurl-crate-1.0"))
    /// '004817c7e16ca8efb818406f000000000001bb35884d71189f90000000000000'
    #[staticmethod]
    #[pyo3(signature = (url, format, *, suffixes = None))]
    fn encode(url: Text<'_>, format: &str, suffixes: Option<&PySuffixList>) -> PyResult<Self> {
        let (format, list) = (choose("format", format, FORMATS)?, PySuffixList::or_compiled(suffixes));
        Ok(Self { inner: CrateSxurl::encode_with(&url, format, list).map_err(raise)? })
    }

    /// The format.
    #[getter]
    fn format(&self) -> &'static str {
        self.inner.format().name()
    }

    /// The id of only the host, for the formats that have one.
    #[getter]
    fn host_id(&self) -> Option<String> {
        self.inner.host_id()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.as_bytes())
    }

    fn __str__(&self) -> String {
        self.inner.to_hex()
    }

    fn __repr__(&self) -> String {
        format!("CrateSxurl('{}', '{}')", self.inner, self.format())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, &'static str)) {
        (slf.get_type().into_any(), (slf.get().__str__(), slf.get().format()))
    }
}

/// The forms of a hash of crate `url-hash`, and the number of its bytes that each has.
const HASH_FORMS: &[(&str, usize)] =
    &[("url-hash-0.1", 32), ("url-short-hash-0.1", 16), ("url-very-short-hash-0.1", 8)];

/// Returns the digits and the decimal words of a URL's SHA-384 hash, as version 0.1 of crate `url-hash`
/// makes it.
///
/// `form` is `url-hash-0.1`, or `url-short-hash-0.1` or `url-very-short-hash-0.1` for the first half or
/// quarter of the hash.
///
/// >>> import urlid
/// >>> digits, words = urlid.crate_url_hash("https://docs.rs/")
/// >>> len(digits), words.count("-")
/// (64, 3)
/// >>> short, first = urlid.crate_url_hash("https://docs.rs/", "url-very-short-hash-0.1")
/// >>> digits.startswith(short) and words.startswith(first + "-")
/// True
#[pyfunction]
#[pyo3(signature = (url, form = "url-hash-0.1"))]
pub(crate) fn crate_url_hash(url: Text<'_>, form: &str) -> PyResult<(String, String)> {
    let length = choose("form", form, HASH_FORMS)?;
    let hash = CrateUrlHash::encode(&url).map_err(raise)?;
    Ok(match length {
        16 => (hash.short().to_hex(), hash.short().to_string()),
        8 => (hash.very_short().to_hex(), hash.very_short().to_string()),
        _ => (hash.to_hex(), hash.to_string()),
    })
}
