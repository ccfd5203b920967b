//! Reads the texts of a Python iterable in portions, so that the work on them can run without the
//! interpreter's lock.

use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// The number of texts that are read from Python at once, with the interpreter's lock.
// Small enough for memory and Ctrl+C, and large enough that locking again costs little.
const AT_ONCE: usize = 1 << 14;

/// Calls `each` with every text of an iterable, without the interpreter's lock. None becomes an empty text.
/// Returns the number of texts that are not UTF-8, which are skipped.
///
/// A bare `str` or `bytes` is an error, because it would iterate as characters.
pub(crate) fn for_each(
    texts: &Bound<'_, PyAny>,
    mut each: impl FnMut(&str) -> PyResult<()> + Send,
) -> PyResult<u64> {
    let py = texts.py();
    check_many(texts)?;
    let mut texts = texts.try_iter()?;
    let mut not_utf8 = 0;
    loop {
        let some = texts.by_ref().take(AT_ONCE).map(|text| extract(&text?));
        let some = some.collect::<PyResult<Vec<Option<String>>>>()?;
        if some.is_empty() {
            return Ok(not_utf8);
        }
        not_utf8 += some.iter().filter(|text| text.is_none()).count() as u64;
        // The texts are owned here, because texts of Python cannot be read without the lock.
        py.detach(|| some.iter().flatten().try_for_each(|text| each(text)))?;
        // Ctrl+C only sets a flag. This call raises KeyboardInterrupt.
        py.check_signals()?;
    }
}

/// Returns all texts of an iterable. None becomes an empty text, and a text that is not UTF-8 becomes
/// `None`.
pub(crate) fn all(texts: &Bound<'_, PyAny>) -> PyResult<Vec<Option<String>>> {
    check_many(texts)?;
    // Not in portions, because a seen-set syncs once for each batch.
    texts.try_iter()?.map(|text| extract(&text?)).collect()
}

/// Returns a text. None becomes an empty text. The result is `None` for a text with surrogates, which
/// `surrogateescape` makes from bytes that are not UTF-8.
fn extract(text: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    match text.extract::<Option<String>>() {
        Ok(text) => Ok(Some(text.unwrap_or_default())),
        Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(text.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Rejects a bare `str` or `bytes`, which would iterate as characters.
fn check_many(texts: &Bound<'_, PyAny>) -> PyResult<()> {
    if texts.is_instance_of::<PyString>() || texts.is_instance_of::<PyBytes>() {
        return Err(PyTypeError::new_err(format!(
            "expected an iterable of texts, found one {}: put it into a list",
            texts.get_type().name()?
        )));
    }
    Ok(())
}
