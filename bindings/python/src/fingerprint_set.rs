//! `urlid.FingerprintSet`: a set in a folder that reports which complete fingerprints are new
//! (docs/seen-sets.md).
//!
//! Wraps `SeenSet` of crate `urlid-store`. One thread adds while others look up. A look-up never waits for a
//! sync.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use urlid_store::seen::{Keys, SeenFile, SeenKey, SeenLookup, SeenSet, is_seen_set};

use crate::error::raise_about;

/// The bytes of a fingerprint.
// Scrapy fingerprints requests by SHA-1. `SeenKey` also accepts 16 bytes, which would be a different kind of
// key.
const WIDTH: usize = 20;

/// A set of fingerprints of 20 bytes, such as the fingerprints of Scrapy's requests, with a name for their
/// kind.
///
/// The folder is created if the path does not exist. It records `name`, rejects fingerprints of a different
/// name, and can be open once. An answer is returned when the fingerprints are safely stored. A batch is
/// synced as a whole, so large batches are faster.
///
/// >>> import os, tempfile, urlid
/// >>> with tempfile.TemporaryDirectory() as directory:
/// ...     seen = urlid.FingerprintSet(os.path.join(directory, "seen"), "scrapy-2.7/w3lib-2.5")
/// ...     fingerprint = urlid.scrapy_fingerprint("https://docs.rs/")
/// ...     seen.add_new([fingerprint, fingerprint]), fingerprint in seen, len(seen), seen.close()
/// ([True, False], True, 1, None)
#[pyclass(name = "FingerprintSet", module = "urlid", frozen)]
pub(crate) struct PyFingerprintSet {
    /// `None` after `close`.
    set: Mutex<Option<SeenSet>>,
    lookup: SeenLookup,
    path: PathBuf,
}

impl PyFingerprintSet {
    fn lock(&self) -> PyResult<MutexGuard<'_, Option<SeenSet>>> {
        self.set.lock().map_err(|_| PyRuntimeError::new_err("an earlier use of this set was cut short"))
    }
}

#[pymethods]
impl PyFingerprintSet {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, name: &str) -> PyResult<Self> {
        let set = py.detach(|| SeenSet::open(&path, &Keys::fingerprints(name)));
        let set = set.map_err(|error| raise_about(&path, error))?;
        Ok(Self { lookup: set.lookup(), set: Mutex::new(Some(set)), path })
    }

    /// Returns the name that a set records, or None if the path does not exist.
    #[staticmethod]
    fn recorded(py: Python<'_>, path: PathBuf) -> PyResult<Option<String>> {
        if !is_seen_set(&path) {
            return Ok(None);
        }
        let set = py.detach(|| SeenFile::open(&path)).map_err(|error| raise_about(&path, error))?;
        Ok(Some(set.keys().name().to_owned()))
    }

    /// Adds fingerprints and returns whether each was new.
    fn add_new(&self, py: Python<'_>, fingerprints: Vec<Vec<u8>>) -> PyResult<Vec<bool>> {
        let keys =
            fingerprints.iter().map(|fingerprint| key(fingerprint)).collect::<PyResult<Vec<SeenKey>>>()?;
        let mut answers = Vec::with_capacity(keys.len());
        py.detach(|| {
            // Locked without the lock of the interpreter, because raising an error needs that lock while the
            // set is locked.
            let mut open = self.lock()?;
            let set = open.as_mut().ok_or_else(|| PyValueError::new_err("the set is closed"))?;
            set.add(&keys, |_| "", &mut |_, is_new| answers.push(is_new))
                .map_err(|error| raise_about(&self.path, error))
        })?;
        Ok(answers)
    }

    /// Returns whether a fingerprint was added by this set or earlier.
    fn __contains__(&self, py: Python<'_>, fingerprint: &[u8]) -> PyResult<bool> {
        let key = key(fingerprint)?;
        let answers = py.detach(|| self.lookup.contains(&[key]));
        Ok(answers.map_err(|error| raise_about(&self.path, error))?.contains(&true))
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.lookup.len()).unwrap_or(usize::MAX)
    }

    /// Closes the set. Answers that were returned are also kept without it.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| match self.lock()?.take() {
            Some(set) => set.close().map_err(|error| raise_about(&self.path, error)),
            None => Ok(()),
        })
    }

    fn __repr__(&self) -> String {
        format!("<FingerprintSet {}>", self.path.display())
    }
}

fn key(fingerprint: &[u8]) -> PyResult<SeenKey> {
    let key = Some(fingerprint).filter(|bytes| bytes.len() == WIDTH).and_then(SeenKey::new);
    key.ok_or_else(|| {
        PyValueError::new_err(format!("found a fingerprint of {} bytes, expected {WIDTH}", fingerprint.len()))
    })
}
