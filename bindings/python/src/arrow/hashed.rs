//! `hashed`: the Hashed URIs of a column of URIs.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::Coded;
use urlid::hashed_uri::{Algorithm, HashedUri, Hasher, Keep, Variant, canonicalize};

use super::columns::PyColumns;
use super::rows::{Errors, Refusals, one_by_one};
use super::{Kernel, run};
use crate::choice::choose;
use crate::hashed_uri::{VARIANTS, hasher};

/// Returns a column `hashed_uri`: the Hashed URI of each URI, a text.
///
/// `variant` is `n`, `p` or `none`; the `x-hmac-sha256` algorithm needs a `key` of 32 bytes or more. With `errors` a column `error`
/// has the codes of refused rows.
#[pyfunction]
#[pyo3(signature = (
    column, *, algorithm = "sha1", variant = "n", keep_query = false, keep_fragment = false, key = None, errors = false
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of a Python function")]
pub(crate) fn hashed(
    py: Python<'_>,
    column: AnyArray,
    algorithm: &str,
    variant: &str,
    keep_query: bool,
    keep_fragment: bool,
    key: Option<&[u8]>,
    errors: bool,
) -> PyResult<PyColumns> {
    let hashed = Hashed {
        hasher: hasher(algorithm, key)?,
        keep: Keep { query: keep_query, fragment: keep_fragment },
        variant: choose("variant", variant, VARIANTS)?,
    };
    run(py, column, HashedColumn { hashed, errors: Errors::of(errors) })
}

/// How Hashed URIs are made.
pub(super) struct Hashed {
    hasher: Hasher,
    keep: Keep,
    variant: Variant,
}

impl Default for Hashed {
    /// As the command line makes them: sha1, variant N, nothing kept.
    fn default() -> Self {
        let hasher = Hasher::new(&Algorithm::Sha1, None).expect("sha1 is known and needs no key");
        Self { hasher, keep: Keep::NONE, variant: Variant::N }
    }
}

impl Hashed {
    /// Returns the Hashed URI of each row.
    pub(super) fn column(&self, chunk: &ArrayRef, refusals: &mut Refusals) -> Result<ArrayRef, ArrowError> {
        let make = |text: &str| match canonicalize(text, None, self.keep, self.variant) {
            Ok(canonical) => Ok(HashedUri::from_canonical(&canonical, &self.hasher).to_string()),
            Err(error) => Err(error.code()),
        };
        let mut column = StringBuilder::with_capacity(chunk.len(), chunk.len() * 52);
        for value in one_by_one(chunk, refusals, make)? {
            column.append_option(value);
        }
        Ok(Arc::new(column.finish()))
    }
}

struct HashedColumn {
    hashed: Hashed,
    errors: Errors,
}

impl Kernel for HashedColumn {
    fn schema(&self) -> Schema {
        let hashed = Field::new("hashed_uri", DataType::Utf8, true);
        Schema::new([hashed].into_iter().chain(self.errors.field()).collect::<Vec<_>>())
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let mut refusals = Refusals::new(self.errors, chunk.len());
        let mut columns = vec![self.hashed.column(chunk, &mut refusals)?];
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}
