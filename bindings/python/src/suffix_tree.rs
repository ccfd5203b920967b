//! `urlid._urlid._SuffixTree`: splits hosts like tldextract, tld and publicsuffix2, for their drop-ins.
//!
//! Hosts are bytes: UTF-8 in which a lone surrogate has three bytes.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyString};
use urlid_canonical::packages::SuffixTree;

/// The rules of a list as a tree of labels.
#[pyclass(name = "_SuffixTree", module = "urlid", frozen)]
pub(crate) struct PySuffixTree {
    inner: SuffixTree,
}

/// Subdomain, domain, suffix, whether the suffix is private, and the suffix of the registry.
type Extracted<'py> =
    (Bound<'py, PyString>, Bound<'py, PyString>, Bound<'py, PyString>, bool, Bound<'py, PyString>);

#[pymethods]
impl PySuffixTree {
    #[new]
    fn new(rules: Vec<(PyBackedBytes, bool)>) -> Self {
        Self { inner: SuffixTree::new(rules) }
    }

    fn tldextract(&self, host: &[u8]) -> (Option<usize>, bool, usize) {
        self.inner.tldextract(host)
    }

    /// Returns None for a text that the code in Python must read.
    fn extract<'py>(&self, text: &Bound<'py, PyAny>) -> Option<Extracted<'py>> {
        let found = self.inner.extract(ascii(text)?)?;
        let string = |part: &str| PyString::new(text.py(), part);
        let suffix = string(found.suffix);
        let registry = if found.is_private { string(found.registry_suffix) } else { suffix.clone() };
        Some((string(found.sub), string(found.domain), suffix, found.is_private, registry))
    }

    fn tld(&self, host: &[u8]) -> Option<(usize, bool)> {
        self.inner.tld(host)
    }

    /// Returns None for a text that the code in Python must read, and for an error.
    fn split_url(
        &self,
        text: &Bound<'_, PyAny>,
        fix_protocol: bool,
        search_public: bool,
        search_private: bool,
    ) -> Option<(String, Option<String>, String)> {
        self.inner.split_url(ascii(text)?, fix_protocol, search_public, search_private)
    }

    fn publicsuffix2<'py>(
        &self,
        domain: &Bound<'py, PyAny>,
        wildcard: bool,
        strict: bool,
        is_sld: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !domain.is_truthy()? {
            return Ok(None);
        }
        let lowered = match ascii(domain) {
            Some(domain) => domain.to_ascii_lowercase().into_bytes(),
            None => {
                let lowered = domain.call_method0("lower")?;
                let encoded = lowered.call_method1("encode", ("utf-8", "surrogatepass"))?;
                encoded.cast::<PyBytes>()?.as_bytes().to_vec()
            }
        };
        let Some(found) = self.inner.publicsuffix2(&lowered, wildcard, strict, is_sld) else {
            return Ok(None);
        };
        let decoded = match str::from_utf8(found) {
            Ok(text) => PyString::new(domain.py(), text).into_any(),
            Err(_) => PyBytes::new(domain.py(), found).call_method1("decode", ("utf-8", "surrogatepass"))?,
        };
        Ok(Some(decoded))
    }
}

fn ascii<'a>(text: &'a Bound<'_, PyAny>) -> Option<&'a str> {
    text.cast::<PyString>().ok()?.to_str().ok().filter(|text| text.is_ascii())
}
