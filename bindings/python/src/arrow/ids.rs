//! `ids`: identifiers of a column of URLs, several kinds in one pass.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, BinaryArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash};
use urlid::hashed_uri::{Algorithm, HashedUri, Keep, Variant};
use urlid::suffix::List;
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;
use urlid::web::Url;

use super::column::{Row, Texts};
use super::columns::PyColumns;
use super::rows::{Errors, NOT_UTF8, Refusals};
use super::{Kernel, run};
use crate::choice::{choose, word_of};
use crate::suffix::PySuffixList;

/// A kind of identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sxurl,
    UrlHash,
    UrlShortHash,
    UrlVeryShortHash,
    HashedUri,
    CrateUrlHash,
    CrateSxurl(CrateFormat),
}

const KINDS: &[(&str, Kind)] = &[
    ("sxurl", Kind::Sxurl),
    ("url-hash", Kind::UrlHash),
    ("url-short-hash", Kind::UrlShortHash),
    ("url-very-short-hash", Kind::UrlVeryShortHash),
    ("hashed-uri", Kind::HashedUri),
    ("url-hash-0.1", Kind::CrateUrlHash),
    ("sxurl-crate-0", Kind::CrateSxurl(CrateFormat::V0)),
    ("sxurl-crate-1.0", Kind::CrateSxurl(CrateFormat::V1_0)),
    ("sxurl-crate-1.1", Kind::CrateSxurl(CrateFormat::V1_1)),
];

/// Returns a column for each kind of identifier, named by the kind with `_` for `-` and `.`.
///
/// The kinds are those of the command line: `sxurl`, `url-hash`, `url-short-hash`, `url-very-short-hash`, `hashed-uri` (sha1, variant
/// N, nothing kept), `url-hash-0.1`, `sxurl-crate-0`, `sxurl-crate-1.0`, `sxurl-crate-1.1`. Ids are bytes, a Hashed URI is a text.
/// With `errors` a column `error` has, for each row that is refused by some kind, the code of the first.
#[pyfunction]
#[pyo3(signature = (column, kinds = vec!["sxurl".to_owned()], *, suffixes = None, errors = false))]
pub(crate) fn ids(
    py: Python<'_>,
    column: AnyArray,
    kinds: Vec<String>,
    suffixes: Option<&PySuffixList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let kinds = kinds.iter().map(|kind| choose("kind of id", kind, KINDS)).collect::<PyResult<Vec<_>>>()?;
    if kinds.iter().enumerate().any(|(index, kind)| kinds[..index].contains(kind)) {
        return Err(PyValueError::new_err("a kind of id is asked for twice"));
    }
    let encode = Encode::new(PySuffixList::or_compiled(suffixes));
    run(py, column, Ids { kinds, encode, errors: Errors::of(errors) })
}

struct Ids {
    kinds: Vec<Kind>,
    encode: Encode,
    errors: Errors,
}

impl Kernel for Ids {
    fn schema(&self) -> Schema {
        let field = |kind: &Kind| {
            let name = word_of(kind, KINDS).replace(['-', '.'], "_");
            let is_text = *kind == Kind::HashedUri;
            Field::new(name, if is_text { DataType::Utf8 } else { DataType::Binary }, true)
        };
        Schema::new(self.kinds.iter().map(field).chain(self.errors.field()).collect::<Vec<_>>())
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let mut refusals = Refusals::new(self.errors, chunk.len());
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.kinds.len() + 1);
        let mut url_hashes = None;
        for kind in &self.kinds {
            columns.push(match kind {
                Kind::Sxurl => binary(&self.encode.sxurls(chunk, &mut refusals)?, |id| *id.as_bytes()),
                Kind::UrlHash | Kind::UrlShortHash | Kind::UrlVeryShortHash => {
                    let hashes = match url_hashes.take() {
                        Some(hashes) => hashes,
                        None => self.encode.url_hashes(chunk, &mut refusals)?,
                    };
                    let column = match kind {
                        Kind::UrlShortHash => binary(&hashes, |hash| *hash.short().as_bytes()),
                        Kind::UrlVeryShortHash => binary(&hashes, |hash| *hash.very_short().as_bytes()),
                        _ => binary(&hashes, UrlHash::to_bytes),
                    };
                    url_hashes = Some(hashes);
                    column
                }
                Kind::CrateUrlHash => {
                    let hash = |text: &str| match Url::parse(text) {
                        Ok(url) => Ok(CrateUrlHash::of(&url)),
                        Err(error) => Err(error.code()),
                    };
                    binary(&one_by_one(chunk, &mut refusals, hash)?, |hash| *hash.as_bytes())
                }
                Kind::CrateSxurl(format) => {
                    let encode = |text: &str| match CrateSxurl::of_with(text, *format, &self.encode.list) {
                        Ok(id) => Ok(id),
                        Err(error) => Err(error.code()),
                    };
                    binary(&one_by_one(chunk, &mut refusals, encode)?, |id| *id.as_bytes())
                }
                Kind::HashedUri => hashed_uris(chunk, &mut refusals)?,
            });
        }
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}

/// The encoder of columns: the one place that decides how ids are made.
pub(super) struct Encode {
    list: List,
}

impl Encode {
    pub(super) fn new(list: &List) -> Self {
        Self { list: list.clone() }
    }

    /// Returns the SXURL of each row.
    pub(super) fn sxurls(
        &mut self,
        chunk: &ArrayRef,
        refusals: &mut Refusals,
    ) -> Result<Vec<Option<Sxurl>>, ArrowError> {
        one_by_one(chunk, refusals, |text| Sxurl::of_with(text, &self.list).map_err(|error| error.code()))
    }

    /// Returns the url-hash of each row.
    pub(super) fn url_hashes(
        &mut self,
        chunk: &ArrayRef,
        refusals: &mut Refusals,
    ) -> Result<Vec<Option<UrlHash>>, ArrowError> {
        one_by_one(chunk, refusals, |text| UrlHash::of_text(text).map_err(|error| error.code()))
    }
}

/// Makes a value of each row, or notes why there is none.
fn one_by_one<T>(
    chunk: &ArrayRef,
    refusals: &mut Refusals,
    make: impl Fn(&str) -> Result<T, &'static str>,
) -> Result<Vec<Option<T>>, ArrowError> {
    let texts = Texts::of(chunk)?;
    let value = |(index, row)| {
        let value = match row {
            Row::Null => return None,
            Row::Text(text) => make(text),
            Row::NotUtf8 => Err(NOT_UTF8),
        };
        value.map_err(|code| refusals.note(index, code)).ok()
    };
    Ok(texts.rows().enumerate().map(value).collect())
}

fn hashed_uris(chunk: &ArrayRef, refusals: &mut Refusals) -> Result<ArrayRef, ArrowError> {
    let make = |text: &str| match HashedUri::make(text, None, &Algorithm::Sha1, Keep::NONE, Variant::N) {
        Ok(hashed) => Ok(hashed.to_string()),
        Err(error) => Err(error.code()),
    };
    let mut column = StringBuilder::with_capacity(chunk.len(), chunk.len() * 52);
    for value in one_by_one(chunk, refusals, make)? {
        column.append_option(value);
    }
    Ok(Arc::new(column.finish()))
}

/// Packs values of `N` bytes into a column.
fn binary<T, const N: usize>(values: &[Option<T>], bytes: impl Fn(T) -> [u8; N]) -> ArrayRef
where
    T: Copy,
{
    let mut packed = Vec::with_capacity(values.len() * N);
    let mut offsets = Vec::with_capacity(values.len() + 1);
    offsets.push(0);
    for value in values {
        if let Some(value) = value {
            packed.extend_from_slice(&bytes(*value));
        }
        // No overflow: a chunk has at most 2^24 rows of 32 bytes.
        offsets.push(packed.len() as i32);
    }
    let nulls = NullBuffer::from_iter(values.iter().map(Option::is_some));
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Arc::new(BinaryArray::new(offsets, Buffer::from_vec(packed), Some(nulls).filter(|nulls| nulls.null_count() > 0)))
}
