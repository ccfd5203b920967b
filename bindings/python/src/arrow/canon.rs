//! `canon`: a column of URLs in a canonical form.

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;

use super::column::Texts;
use super::columns::PyColumns;
use super::rows::{Errors, Refusals, TextColumn, one_by_one};
use super::{Kernel, run};
use crate::canon::Canon;
use crate::tracking::PyTrackingList;

/// Returns a column `canonical`: each URL in a canonical form.
///
/// The forms are those of `urlid.canon`. With `errors` a column `error` has the codes of refused rows.
#[pyfunction]
#[pyo3(name = "canon_column", signature = (
    column, form = "web", *, keep_query = false, keep_fragment = false, tracking = None, errors = false
))]
pub(crate) fn canon(
    py: Python<'_>,
    column: AnyArray,
    form: &str,
    keep_query: bool,
    keep_fragment: bool,
    tracking: Option<&PyTrackingList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let canon = Canon::new(form, keep_query, keep_fragment, tracking)?;
    run(py, column, CanonColumn { canon, errors: Errors::of(errors) })
}

struct CanonColumn {
    canon: Canon,
    errors: Errors,
}

impl Kernel for CanonColumn {
    fn schema(&self) -> Schema {
        let canonical = Field::new("canonical", DataType::Utf8, true);
        Schema::new([canonical].into_iter().chain(self.errors.field()).collect::<Vec<_>>())
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let texts = Texts::of(chunk)?;
        let mut refusals = Refusals::new(self.errors, texts.len());
        let mut canonical = TextColumn::new(chunk.len(), 64);
        let of = |text: &str| self.canon.of(text, None).map_err(|refusal| refusal.code());
        for value in one_by_one(&texts, &mut refusals, of) {
            canonical.push(value.as_deref())?;
        }
        let mut columns = vec![canonical.finish()];
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}
