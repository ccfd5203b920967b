//! Texts of a Python iterable, many at a time: what is done with them then needs no interpreter's lock.

use pyo3::prelude::*;

/// Texts that are taken together.
const AT_ONCE: usize = 1 << 14;

/// Gives `each` all texts of an iterable, some at a time and without the interpreter's lock, and looks at Python's signals between.
pub(crate) fn for_each(
    texts: &Bound<'_, PyAny>,
    mut each: impl FnMut(&str) -> PyResult<()> + Send,
) -> PyResult<()> {
    let py = texts.py();
    let mut texts = texts.try_iter()?;
    loop {
        let some = texts.by_ref().take(AT_ONCE).map(|text| text?.extract());
        let some = some.collect::<PyResult<Vec<String>>>()?;
        if some.is_empty() {
            return Ok(());
        }
        py.detach(|| some.iter().try_for_each(|text| each(text)))?;
        py.check_signals()?;
    }
}
