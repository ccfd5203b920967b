//! `canon`: a column of URLs in a canonical form.

use std::sync::Arc;

use arrow_array::ArrayRef;
use arrow_array::builder::StringBuilder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::generic;
use urlid::hashed_uri::{Keep, Variant, canonicalize};
use urlid::suffix::SuffixList;
use urlid::sxurl::Components;
use urlid::web::Url;
use urlid::{Coded, ErrorCode};

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::rows::{Errors, NOT_UTF8, Refusals};
use super::{Kernel, run};
use crate::choice::choose;
use crate::suffix::PySuffixList;

/// A canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Web,
    Generic,
    Sxurl,
    Hashed(Variant),
}

const FORMS: &[(&str, Form)] = &[
    ("web", Form::Web),
    ("generic", Form::Generic),
    ("sxurl", Form::Sxurl),
    ("hashed-none", Form::Hashed(Variant::None)),
    ("hashed-n", Form::Hashed(Variant::N)),
    ("hashed-p", Form::Hashed(Variant::P)),
];

/// Returns a column `canonical`: each URL in a canonical form.
///
/// `form` is `web` (the WHATWG normal form, of which a url-hash is made), `generic` (RFC 3986, section 6.2.2), `sxurl` (what an
/// index stores), or `hashed-none`, `hashed-n`, `hashed-p` (what a Hashed URI that keeps query and fragment is made of). With
/// `errors` a column `error` has the codes of refused rows.
#[pyfunction]
#[pyo3(signature = (column, form = "web", *, suffixes = None, errors = false))]
pub(crate) fn canon(
    py: Python<'_>,
    column: AnyArray,
    form: &str,
    suffixes: Option<&PySuffixList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let list = PySuffixList::or_compiled(suffixes).clone();
    run(py, column, Canon { form: choose("form", form, FORMS)?, list, errors: Errors::of(errors) })
}

struct Canon {
    form: Form,
    list: SuffixList,
    errors: Errors,
}

impl Canon {
    fn canonical(&self, text: &str) -> Result<String, ErrorCode> {
        match self.form {
            Form::Web => Url::parse(text).map(Url::into_string).map_err(|error| error.code()),
            Form::Generic => generic::normalise(text).map_err(|error| error.code()),
            Form::Sxurl => match Components::parse(text, &self.list) {
                Ok(parts) => Ok(parts.to_normal_text()),
                Err(error) => Err(error.code()),
            },
            Form::Hashed(variant) => match canonicalize(text, None, Keep::ALL, variant) {
                Ok(canonical) => Ok(canonical.into_string()),
                Err(error) => Err(error.code()),
            },
        }
    }
}

impl Kernel for Canon {
    fn schema(&self) -> Schema {
        let canonical = Field::new("canonical", DataType::Utf8, true);
        Schema::new([canonical].into_iter().chain(self.errors.field()).collect::<Vec<_>>())
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let texts = Texts::of(chunk)?;
        let mut refusals = Refusals::new(self.errors, texts.len());
        let mut canonical = StringBuilder::with_capacity(texts.len(), texts.len() * 64);
        for (index, row) in texts.rows().enumerate() {
            let value = match row {
                Row::Null => Ok(None),
                Row::Text(text) => self.canonical(text).map(Some),
                Row::NotUtf8 => Err(NOT_UTF8),
            };
            match value {
                Ok(value) => canonical.append_option(value),
                Err(code) => {
                    refusals.note(index, code);
                    canonical.append_null();
                }
            }
        }
        let mut columns: Vec<ArrayRef> = vec![Arc::new(canonical.finish())];
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}
