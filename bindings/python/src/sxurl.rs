//! `urlid.Sxurl`, and the hashes to compare its slices with (docs/spec/sxurl.md).

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use urlid::sxurl::{Field, HostPart, Slice, Sxurl};
use urlid_store::question::{Condition, Question};

use crate::choice::choose;
use crate::error::raise;
use crate::question::{Conditions, warn};
use crate::suffix::PySuffixList;
use crate::text::Text;

/// Returns the hash of a part as it is in the slice `name`. Host parts are mapped first, like a URL's host.
///
/// Raises an error for a value that no URL has in this part, such as a domain with a dot. Warns if the value
/// is probably not the intended one. `suffixes` is the list by which a `tld` is a public suffix.
///
/// >>> import urlid
/// >>> urlid.probe("domain", "Docs") == urlid.Sxurl.encode("https://docs.rs/").slice("domain")
/// True
#[pyfunction]
#[pyo3(signature = (name, value, *, suffixes = None))]
pub(crate) fn probe(
    py: Python<'_>,
    name: &str,
    value: Text<'_>,
    suffixes: Option<&PySuffixList>,
) -> PyResult<u64> {
    let slice = slice_named(name)?;
    Ok(slice.hash(&value_of_some_url(py, slice, &value, suffixes)?))
}

/// Returns the hash of a part as the digits in the slice `name`, with the checks of `probe`.
///
/// >>> import urlid
/// >>> urlid.probe_hex("domain", "Docs") == urlid.Sxurl.encode("https://docs.rs/").slice_hex("domain")
/// True
/// >>> urlid.probe_hex("domain", "google.com")
/// Traceback (most recent call last):
/// urlid.UrlidError: ERR_HOST_NOT_DNS: domain is one label: found `google.com`, expected `google` with tld `com`
#[pyfunction]
#[pyo3(signature = (name, value, *, suffixes = None))]
pub(crate) fn probe_hex(
    py: Python<'_>,
    name: &str,
    value: Text<'_>,
    suffixes: Option<&PySuffixList>,
) -> PyResult<String> {
    let slice = slice_named(name)?;
    Ok(slice.hash_hex(&value_of_some_url(py, slice, &value, suffixes)?))
}

/// Maps a value, fails for a value that no URL has in this part, and warns like the program.
fn value_of_some_url<'v>(
    py: Python<'_>,
    slice: Slice,
    value: &'v str,
    suffixes: Option<&PySuffixList>,
) -> PyResult<Cow<'v, str>> {
    let value = slice.map_value(value).map_err(raise)?;
    let condition = match slice {
        Slice::Tld => Condition::Tld,
        Slice::Domain => Condition::Domain,
        Slice::Sub => Condition::Sub,
        Slice::Path => Condition::Path,
        Slice::Params => Condition::Query,
        Slice::Frag => Condition::Fragment,
    };
    let conditions = Conditions::of(condition, &value);
    // Without this check a value that no URL can have would silently match nothing.
    Question::check_part(condition, &value).map_err(raise)?;
    // A warning instead of an error, because the hash of an empty text is defined, but no URL has an empty
    // path.
    if slice == Slice::Path && value.is_empty() {
        warn(py, "an empty path counts as `/`")?;
    }
    // Warnings use the name of the slice. Conditions have different names (`params` is `query`).
    conditions.warn(py, PySuffixList::or_compiled(suffixes), |_| slice.label().to_owned())?;
    Ok(value)
}

/// Returns the 48 ranges of ids with a public suffix, or with a public suffix and a domain: the first and
/// the last id for each header.
///
/// >>> import urlid
/// >>> id = bytes(urlid.Sxurl.encode("https://docs.rs/"))
/// >>> [first <= id <= last for first, last in urlid.key_ranges("rs", "docs")].count(True)
/// 1
/// >>> [first <= id <= last for first, last in urlid.key_ranges("rs")].count(True)
/// 1
#[pyfunction]
#[pyo3(signature = (tld, domain = None))]
pub(crate) fn key_ranges(
    py: Python<'_>,
    tld: Text<'_>,
    domain: Option<Text<'_>>,
) -> PyResult<Vec<(Py<PyBytes>, Py<PyBytes>)>> {
    let tld = HostPart::map(&tld).map_err(raise)?;
    let domain = domain.as_deref().map(HostPart::map).transpose().map_err(raise)?;
    let bytes = |bytes: &[u8; 32]| PyBytes::new(py, bytes).unbind();
    // The header precedes the slices, so each of its 3 schemes and 16 sets of flags has a separate range.
    Ok(urlid::sxurl::key_ranges(&tld, domain.as_ref())
        .map(|range| (bytes(range.start()), bytes(range.end())))
        .collect())
}

/// Returns H_n of an unchanged value (SXURL, section 4), as the digits of the slice `name`.
///
/// >>> import urlid
/// >>> urlid.slice_hash("tld", "io")
/// 'bbd5'
#[pyfunction]
pub(crate) fn slice_hash(name: &str, value: Text<'_>) -> PyResult<String> {
    Ok(slice_named(name)?.hash_hex(&value))
}

fn slice_named(name: &str) -> PyResult<Slice> {
    choose("slice", name, &Slice::ALL.map(|slice| (slice.label(), slice)))
}

/// An SXURL, from its 64 hexadecimal digits. `encode` makes the SXURL of a URL.
///
/// Construction raises the first check of the specification that fails: ERR_ID_LENGTH, ERR_ID_HEX,
/// ERR_ID_VERSION, ERR_INVALID_SCHEME, ERR_ID_RESERVED, ERR_PORT.
///
/// >>> from urlid import Sxurl
/// >>> id = Sxurl.encode("https://docs.rs/serde?all#top")
/// >>> Sxurl.from_hex(str(id)) == id == Sxurl.from_bytes(bytes(id))
/// True
/// >>> id.has_params, id.has_frag, id.has_sub, hex(id.header)
/// (True, True, False, '0x10c')
#[pyclass(name = "Sxurl", module = "urlid", frozen, eq, ord, hash)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PySxurl {
    inner: Sxurl,
}

impl PySxurl {
    pub(crate) fn of(inner: Sxurl) -> Self {
        Self { inner }
    }

    pub(crate) fn get(&self) -> Sxurl {
        self.inner
    }
}

#[pymethods]
impl PySxurl {
    #[new]
    fn new(text: Text<'_>) -> PyResult<Self> {
        Self::from_hex(text)
    }

    /// Makes the SXURL of a URL, by the compiled public suffix list or by `suffixes`.
    ///
    /// >>> from urlid import Sxurl
    /// >>> id = Sxurl.encode("https://docs.rs/")
    /// >>> str(id)
    /// '1002397f4018b8efa86c31440f00a9000098911d784580332c354b043a29e356'
    /// >>> id.scheme, id.port, id.matches("domain", "docs")
    /// ('https', None, True)
    #[staticmethod]
    #[pyo3(signature = (url, *, suffixes = None))]
    fn encode(url: Text<'_>, suffixes: Option<&PySuffixList>) -> PyResult<Self> {
        Ok(Self { inner: Sxurl::encode_with(&url, PySuffixList::or_compiled(suffixes)).map_err(raise)? })
    }

    /// Reads 64 hexadecimal digits.
    #[staticmethod]
    fn from_hex(text: Text<'_>) -> PyResult<Self> {
        Ok(Self { inner: Sxurl::from_hex(&text).map_err(raise)? })
    }

    /// Returns the identifier with these 32 bytes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Ok(Self { inner: bytes.try_into().map_err(raise)? })
    }

    /// The version, which is 1.
    #[getter]
    fn version(&self) -> u8 {
        self.inner.version()
    }

    /// Version, scheme and flags in 12 bits.
    #[getter]
    fn header(&self) -> u16 {
        self.inner.header().bits()
    }

    /// The scheme: `https`, `http` or `ftp`.
    #[getter]
    fn scheme(&self) -> &'static str {
        self.inner.scheme().name()
    }

    /// The port, if one is written.
    #[getter]
    fn port(&self) -> Option<u16> {
        self.inner.port()
    }

    /// Whether there is a subdomain.
    #[getter]
    fn has_sub(&self) -> bool {
        self.inner.has_sub()
    }

    /// Whether there is a query.
    #[getter]
    fn has_params(&self) -> bool {
        self.inner.has_params()
    }

    /// Whether there is a fragment.
    #[getter]
    fn has_frag(&self) -> bool {
        self.inner.has_frag()
    }

    /// Whether a port is written.
    #[getter]
    fn has_port(&self) -> bool {
        self.inner.has_port()
    }

    /// Returns a slice as a number: `tld`, `domain`, `sub`, `path`, `params` or `frag`.
    fn slice(&self, name: &str) -> PyResult<u64> {
        Ok(self.inner.slice(slice_named(name)?))
    }

    /// Returns a slice as the hexadecimal digits in the identifier.
    fn slice_hex(&self, name: &str) -> PyResult<String> {
        let slice = slice_named(name)?;
        Ok(self.inner.to_hex()[slice.hex_range()].to_owned())
    }

    /// Returns every field as a number, in the order of the layout.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = PyDict::new(py);
        for field in Field::ALL {
            fields.set_item(field.name(), self.inner.field(field))?;
        }
        Ok(fields)
    }

    /// Returns whether a slice is the hash of a value. Host parts are mapped first. A match is not a proof.
    fn matches(&self, py: Python<'_>, name: &str, value: Text<'_>) -> PyResult<bool> {
        // `probe` reports an error for a value that no URL can have, instead of a mismatch.
        Ok(self.inner.slice(slice_named(name)?) == probe(py, name, value, None)?)
    }

    /// Returns the 64 hexadecimal digits.
    fn hex(&self) -> String {
        self.inner.to_hex()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.as_bytes())
    }

    fn __str__(&self) -> String {
        self.inner.to_hex()
    }

    fn __repr__(&self) -> String {
        format!("Sxurl('{}')", self.inner)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().__str__(),))
    }
}

/// The start and end digits of a field of the layout.
///
/// >>> import urlid
/// >>> urlid.field_digits("domain")
/// (7, 22)
#[pyfunction]
pub(crate) fn field_digits(name: &str) -> PyResult<(usize, usize)> {
    let range = choose("field", name, &Field::ALL.map(|field| (field.name(), field)))?.hex_range();
    Ok((range.start, range.end))
}
