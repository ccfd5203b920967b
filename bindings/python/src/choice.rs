//! Arguments with a fixed set of words.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Returns the value for `word`.
///
/// # Errors
/// Any other word raises a `ValueError` that lists the words.
pub(crate) fn choose<T: Copy>(what: &str, word: &str, choices: &[(&str, T)]) -> PyResult<T> {
    match choices.iter().find(|(name, _)| *name == word) {
        Some((_, value)) => Ok(*value),
        None => {
            let words: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            Err(PyValueError::new_err(format!(
                "unknown {what}: found {word:?}, expected one of {}",
                words.join(", ")
            )))
        }
    }
}

/// Returns the word for a value.
pub(crate) fn word_of<T: PartialEq>(value: &T, choices: &[(&'static str, T)]) -> &'static str {
    choices.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}
