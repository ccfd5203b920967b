//! `urlid.UrlHash`, `UrlShortHash` and `UrlVeryShortHash` (docs/spec/url-hash.md).

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use urlid::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};

use crate::error::raise;
use crate::text::Text;
use crate::web::PyUrl;

/// Makes the url-hash of a text or of a `urlid.Url`.
fn encode(url: &Bound<'_, PyAny>) -> PyResult<UrlHash> {
    match url.cast::<PyUrl>() {
        // A `Url` is in normal form, so it is not parsed again.
        Ok(url) => Ok(UrlHash::from(&url.get().inner)),
        Err(_) => UrlHash::encode(&url.extract::<Text<'_>>()?).map_err(raise),
    }
}

/// A url-hash, from its text: four decimal words joined by `-`. `encode` makes the hash of a URL.
///
/// >>> from urlid import UrlHash
/// >>> hash = UrlHash.encode("https://doc.rust-lang.org/")
/// >>> UrlHash(str(hash)) == hash == UrlHash.from_hex(hash.hex())
/// True
/// >>> hash.starts_with(hash.short()) and hash.starts_with(hash.very_short())
/// True
/// >>> len(bytes(hash)), len(hash.words)
/// (32, 4)
#[pyclass(name = "UrlHash", module = "urlid", frozen, eq, ord, hash)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyUrlHash {
    pub(crate) inner: UrlHash,
}

#[pymethods]
impl PyUrlHash {
    #[new]
    fn new(text: Text<'_>) -> PyResult<Self> {
        Ok(Self { inner: text.parse().map_err(raise)? })
    }

    /// Makes the url-hash of a URL, a text or a `urlid.Url`: SHA-256 of its WHATWG normal form.
    ///
    /// >>> from urlid import UrlHash
    /// >>> UrlHash.encode("https://doc.rust-lang.org") == UrlHash.encode("https://doc.rust-lang.org/")
    /// True
    #[staticmethod]
    fn encode(url: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { inner: encode(url)? })
    }

    /// Reads 64 hexadecimal digits.
    #[staticmethod]
    fn from_hex(text: Text<'_>) -> PyResult<Self> {
        Ok(Self { inner: UrlHash::from_hex(&text).map_err(raise)? })
    }

    /// Returns the hash with these four words.
    ///
    /// >>> from urlid import UrlHash
    /// >>> hash = UrlHash.encode("https://doc.rust-lang.org/")
    /// >>> UrlHash.from_words(hash.words) == hash
    /// True
    #[staticmethod]
    fn from_words(words: [u64; 4]) -> Self {
        Self { inner: UrlHash::from_words(words) }
    }

    /// Returns the hash with these 32 bytes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Ok(Self { inner: bytes.try_into().map_err(raise)? })
    }

    /// The four little-endian words.
    #[getter]
    fn words(&self) -> Vec<u64> {
        self.inner.words().to_vec()
    }

    /// Returns the 64 hexadecimal digits of the digest.
    fn hex(&self) -> String {
        self.inner.to_hex()
    }

    /// Returns the first two words.
    fn short(&self) -> PyUrlShortHash {
        PyUrlShortHash { inner: self.inner.short() }
    }

    /// Returns the first word.
    fn very_short(&self) -> PyUrlVeryShortHash {
        PyUrlVeryShortHash { inner: self.inner.very_short() }
    }

    /// Returns whether the hash starts with the words of a short or a very short hash. The specification
    /// calls this `starts_with` and `starts_with_just`.
    fn starts_with(&self, prefix: &Bound<'_, PyAny>) -> PyResult<bool> {
        if let Ok(short) = prefix.cast::<PyUrlShortHash>() {
            return Ok(self.inner.starts_with(&short.get().inner));
        }
        let very_short = prefix.cast::<PyUrlVeryShortHash>()?;
        Ok(self.inner.starts_with_just(&very_short.get().inner))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.as_bytes())
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("UrlHash('{}')", self.inner)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().__str__(),))
    }
}

/// The first two words of a url-hash, from its text: two decimal words.
///
/// >>> from urlid import UrlShortHash
/// >>> short = UrlShortHash.encode("https://doc.rust-lang.org/")
/// >>> UrlShortHash(str(short)) == short, short.starts_with(short.very_short())
/// (True, True)
#[pyclass(name = "UrlShortHash", module = "urlid", frozen, eq, ord, hash)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyUrlShortHash {
    inner: UrlShortHash,
}

#[pymethods]
impl PyUrlShortHash {
    #[new]
    fn new(text: Text<'_>) -> PyResult<Self> {
        Ok(Self { inner: text.parse().map_err(raise)? })
    }

    /// Makes the hash of a URL, a text or a `urlid.Url`.
    #[staticmethod]
    fn encode(url: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { inner: encode(url)?.short() })
    }

    /// Reads 32 hexadecimal digits.
    #[staticmethod]
    fn from_hex(text: Text<'_>) -> PyResult<Self> {
        Ok(Self { inner: UrlShortHash::from_hex(&text).map_err(raise)? })
    }

    /// Returns the hash with these 16 bytes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Ok(Self { inner: bytes.try_into().map_err(raise)? })
    }

    /// The two little-endian words.
    #[getter]
    fn words(&self) -> Vec<u64> {
        self.inner.words().to_vec()
    }

    /// Returns the 32 hexadecimal digits.
    fn hex(&self) -> String {
        self.inner.to_hex()
    }

    /// Returns the first word.
    fn very_short(&self) -> PyUrlVeryShortHash {
        PyUrlVeryShortHash { inner: self.inner.very_short() }
    }

    /// Returns whether the first word equals the word of a very short hash.
    fn starts_with(&self, prefix: &PyUrlVeryShortHash) -> bool {
        self.inner.starts_with(&prefix.inner)
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.as_bytes())
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("UrlShortHash('{}')", self.inner)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().__str__(),))
    }
}

/// The first word of a url-hash, from its text: a decimal word.
///
/// >>> from urlid import UrlVeryShortHash
/// >>> very_short = UrlVeryShortHash.encode("https://doc.rust-lang.org/")
/// >>> UrlVeryShortHash(str(very_short)) == very_short == UrlVeryShortHash.from_hex(very_short.hex())
/// True
#[pyclass(name = "UrlVeryShortHash", module = "urlid", frozen, eq, ord, hash)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyUrlVeryShortHash {
    inner: UrlVeryShortHash,
}

#[pymethods]
impl PyUrlVeryShortHash {
    #[new]
    fn new(text: Text<'_>) -> PyResult<Self> {
        Ok(Self { inner: text.parse().map_err(raise)? })
    }

    /// Makes the hash of a URL, a text or a `urlid.Url`.
    #[staticmethod]
    fn encode(url: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { inner: encode(url)?.very_short() })
    }

    /// Reads 16 hexadecimal digits.
    #[staticmethod]
    fn from_hex(text: Text<'_>) -> PyResult<Self> {
        Ok(Self { inner: UrlVeryShortHash::from_hex(&text).map_err(raise)? })
    }

    /// Returns the hash with these 8 bytes.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        Ok(Self { inner: bytes.try_into().map_err(raise)? })
    }

    /// The little-endian word.
    #[getter]
    fn word(&self) -> u64 {
        u64::from_le_bytes(*self.inner.as_bytes())
    }

    /// Returns the 16 hexadecimal digits.
    fn hex(&self) -> String {
        self.inner.to_hex()
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.as_bytes())
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("UrlVeryShortHash('{}')", self.inner)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().__str__(),))
    }
}
