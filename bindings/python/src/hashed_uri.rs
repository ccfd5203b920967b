//! `urlid.HashedUri`: the `hashed:` scheme (docs/spec/hashed-uri.md).

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use urlid::hashed_uri::{Algorithm, HashedUri, Hasher, Keep, Key, Options, Variant, canonicalize};

use crate::choice::choose;
use crate::error::raise;
use crate::text::Text;

pub(crate) const VARIANTS: &[(&str, Variant)] =
    &[("n", Variant::N), ("p", Variant::P), ("none", Variant::None)];

/// Reads the bytes of a key.
pub(crate) fn read_key(key: Option<&[u8]>) -> PyResult<Option<Key>> {
    key.map(Key::new).transpose().map_err(raise)
}

/// Returns the hasher of an algorithm by name.
pub(crate) fn hasher(algorithm: &str, key: Option<&[u8]>) -> PyResult<Hasher> {
    let algorithm: Algorithm = algorithm.parse().map_err(raise)?;
    let key = read_key(key)?;
    Hasher::new(&algorithm, key.as_ref()).map_err(raise)
}

/// A Hashed URI, from its text. `encode` makes the Hashed URI of a URI.
///
/// >>> from urlid import HashedUri
/// >>> str(HashedUri.encode("http://www.thus.net"))
/// 'hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481'
/// >>> hashed = HashedUri("HASHED:SHA1=87ED28009F511ED7EF630180A229BA257180A481")
/// >>> str(hashed), hashed.algorithm, hashed.keep_query
/// ('hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481', 'sha1', False)
/// >>> hashed.matches("http://www.thus.net?any#thing")
/// True
#[pyclass(name = "HashedUri", module = "urlid", frozen, eq, ord, hash)]
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyHashedUri {
    inner: HashedUri,
}

#[pymethods]
impl PyHashedUri {
    #[new]
    fn new(text: Text<'_>) -> PyResult<Self> {
        Ok(Self { inner: HashedUri::parse(&text).map_err(raise)? })
    }

    /// Makes the Hashed URI of a URI.
    ///
    /// A relative URI needs a `base`. `variant` is `n`, `p` or `none`. The `x-hmac-sha256` algorithm needs a
    /// `key` of 32 bytes or more.
    ///
    /// >>> from urlid import HashedUri
    /// >>> str(HashedUri.encode("http://www.thus.net#end", keep_fragment=True))
    /// 'hashed:sha1=31a79a96e0404778a3b95cb426b04b6114a604a5+frag'
    #[staticmethod]
    #[pyo3(signature = (
        uri, *, base = None, algorithm = "sha1", variant = "n", keep_query = false, keep_fragment = false, key = None
    ))]
    fn encode(
        uri: Text<'_>,
        base: Option<Text<'_>>,
        algorithm: &str,
        variant: &str,
        keep_query: bool,
        keep_fragment: bool,
        key: Option<&[u8]>,
    ) -> PyResult<Self> {
        let variant = choose("variant", variant, VARIANTS)?;
        let hasher = hasher(algorithm, key)?;
        let keep = Keep { query: keep_query, fragment: keep_fragment };
        let canonical = canonicalize(&uri, base.as_deref(), keep, variant).map_err(raise)?;
        Ok(Self { inner: HashedUri::from_canonical(&canonical, &hasher) })
    }

    /// Combines the name of an algorithm and a digest, which can come from other code, into a Hashed URI.
    ///
    /// >>> import zlib
    /// >>> from urlid import HashedUri, canon
    /// >>> def crc(uri):
    /// ...     return zlib.crc32(canon(uri, "hashed-n").encode()).to_bytes(4, "big")
    /// >>> hashed = HashedUri.from_parts("x-crc32", crc("http://h/"))
    /// >>> str(hashed), hashed.digest == crc("HTTP://H:80/")
    /// ('hashed:x-crc32=1c8993e5', True)
    #[staticmethod]
    #[pyo3(signature = (algorithm, digest, *, keep_query = false, keep_fragment = false))]
    fn from_parts(algorithm: &str, digest: &[u8], keep_query: bool, keep_fragment: bool) -> PyResult<Self> {
        let algorithm: Algorithm = algorithm.parse().map_err(raise)?;
        let keep = Keep { query: keep_query, fragment: keep_fragment };
        Ok(Self { inner: HashedUri::from_parts(algorithm, digest, keep).map_err(raise)? })
    }

    /// The identifier of the algorithm, in lower case.
    #[getter]
    fn algorithm(&self) -> &str {
        self.inner.algorithm().name()
    }

    /// The digest.
    #[getter]
    fn digest<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.inner.digest())
    }

    /// Whether the query was kept.
    #[getter]
    fn keep_query(&self) -> bool {
        self.inner.keep().query
    }

    /// Whether the fragment was kept.
    #[getter]
    fn keep_fragment(&self) -> bool {
        self.inner.keep().fragment
    }

    /// Whether this library computes the algorithm.
    #[getter]
    fn is_known(&self) -> bool {
        self.inner.is_known()
    }

    /// Returns whether this is the Hashed URI of `uri` under the variant that its maker chose.
    ///
    /// A relative URI needs a `base`.
    #[pyo3(signature = (uri, *, base = None, variant = "n", key = None))]
    fn matches(
        &self,
        uri: Text<'_>,
        base: Option<Text<'_>>,
        variant: &str,
        key: Option<&[u8]>,
    ) -> PyResult<bool> {
        let (variant, key) = (choose("variant", variant, VARIANTS)?, read_key(key)?);
        let options = Options { base: base.as_deref(), variant, key: key.as_ref(), ..Options::default() };
        self.inner.matches_with(&uri, &options).map_err(raise)
    }

    fn __str__(&self) -> String {
        self.inner.to_string()
    }

    fn __repr__(&self) -> String {
        format!("HashedUri('{}')", self.inner)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().__str__(),))
    }
}
