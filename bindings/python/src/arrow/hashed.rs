//! `hashed`: the Hashed URIs of a column of URIs.

use arrow_array::ArrayRef;
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::hashed_uri::{HashedUriWriter, Keep, Options};

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::rows::{NOT_UTF8, Rejections, TextColumn};
use super::{run, text_field};
use crate::choice::choose;
use crate::error::raise;
use crate::hashed_uri::{VARIANTS, read_key};

/// Returns a column `hashed_uri` with the Hashed URI of each URI, as a text.
///
/// `variant` is `n`, `p` or `none`. The `x-hmac-sha256` algorithm needs a `key` of 32 bytes or more. With
/// `errors` a column `error` has the codes of rejected rows.
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
    let key = read_key(key)?;
    let options = Options {
        algorithm: algorithm.parse().map_err(raise)?,
        key: key.as_ref(),
        keep: Keep { query: keep_query, fragment: keep_fragment },
        variant: choose("variant", variant, VARIANTS)?,
        ..Options::default()
    };
    let mut hashed = Hashed(HashedUriWriter::new(&options).map_err(raise)?);
    run(py, column, errors, [text_field("hashed_uri")], |chunk, rejections| {
        Ok(vec![hashed.column(chunk, rejections)?])
    })
}

/// A writer of Hashed URIs.
pub(super) struct Hashed(HashedUriWriter);

impl Default for Hashed {
    /// The defaults of the command line: sha1, variant N, nothing kept.
    fn default() -> Self {
        Self(HashedUriWriter::new(&Options::default()).expect("sha1 is known and needs no key"))
    }
}

impl Hashed {
    /// Returns the Hashed URI of each row.
    pub(super) fn column(
        &mut self,
        chunk: &ArrayRef,
        rejections: &mut Rejections,
    ) -> Result<ArrayRef, ArrowError> {
        let texts = Texts::of(chunk)?;
        // `hashed:sha1=` and 40 digits.
        let mut column = TextColumn::new(texts.len(), 52);
        let mut hashed = String::new();
        for (index, row) in texts.rows().enumerate() {
            hashed.clear();
            let made = match row {
                Row::Null => None,
                Row::Text(uri) => Some(self.0.write(uri, &mut hashed).map_err(|error| error.code())),
                Row::NotUtf8 => Some(Err(NOT_UTF8)),
            };
            if let Some(Err(code)) = made {
                rejections.note(index, code);
            }
            column.push(matches!(made, Some(Ok(()))).then_some(&hashed))?;
        }
        Ok(column.finish())
    }
}
