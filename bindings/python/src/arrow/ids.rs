//! `ids`: identifiers of a column of URLs, several kinds in one pass.

use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash};

use super::column::Texts;
use super::columns::PyColumns;
use super::encode::{Encode, Ids};
use super::hashed::Hashed;
use super::rows::{Errors, Refusals, one_by_one};
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
    CrateUrlShortHash,
    CrateUrlVeryShortHash,
    CrateSxurl(CrateFormat),
}

impl Kind {
    /// Returns whether the kind is a url-hash or the beginning of one.
    fn is_url_hash(self) -> bool {
        matches!(self, Self::UrlHash | Self::UrlShortHash | Self::UrlVeryShortHash)
    }
}

const KINDS: &[(&str, Kind)] = &[
    ("sxurl", Kind::Sxurl),
    ("url-hash", Kind::UrlHash),
    ("url-short-hash", Kind::UrlShortHash),
    ("url-very-short-hash", Kind::UrlVeryShortHash),
    ("hashed-uri", Kind::HashedUri),
    ("url-hash-0.1", Kind::CrateUrlHash),
    ("url-short-hash-0.1", Kind::CrateUrlShortHash),
    ("url-very-short-hash-0.1", Kind::CrateUrlVeryShortHash),
    ("sxurl-crate-0", Kind::CrateSxurl(CrateFormat::V0)),
    ("sxurl-crate-1.0", Kind::CrateSxurl(CrateFormat::V1_0)),
    ("sxurl-crate-1.1", Kind::CrateSxurl(CrateFormat::V1_1)),
];

/// Returns a column for each kind of identifier, named by the kind with `_` for `-` and `.`.
///
/// The kinds are those of the command line: `sxurl`, `url-hash`, `url-short-hash`, `url-very-short-hash`, `hashed-uri` (sha1, variant
/// N, nothing kept), `url-hash-0.1`, `url-short-hash-0.1`, `url-very-short-hash-0.1`, `sxurl-crate-0`, `sxurl-crate-1.0`,
/// `sxurl-crate-1.1`. Ids are bytes, a Hashed URI is a text. With `errors` a column `error` has, for each row that is refused by
/// some kind, the code of the first.
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
        return Err(PyValueError::new_err("a kind of id is given twice"));
    }
    let encode = Encode::new(PySuffixList::or_compiled(suffixes));
    run(py, column, IdColumns { kinds, encode, errors: Errors::of(errors) })
}

struct IdColumns {
    kinds: Vec<Kind>,
    encode: Encode,
    errors: Errors,
}

impl Kernel for IdColumns {
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
                Kind::Sxurl => self.encode.sxurls(chunk, &mut refusals)?.column::<32>(),
                Kind::UrlHash | Kind::UrlShortHash | Kind::UrlVeryShortHash => {
                    // One pass for all kinds that are a url-hash or the beginning of one.
                    let hashes = match url_hashes.take() {
                        Some(hashes) => hashes,
                        None => self.encode.url_hashes(chunk, &mut refusals)?,
                    };
                    if self.kinds.iter().filter(|kind| kind.is_url_hash()).count() > 1 {
                        url_hashes = Some(hashes.clone());
                    }
                    match kind {
                        Kind::UrlShortHash => hashes.column::<16>(),
                        Kind::UrlVeryShortHash => hashes.column::<8>(),
                        _ => hashes.column::<32>(),
                    }
                }
                Kind::HashedUri => Hashed::default().column(chunk, &mut refusals)?,
                Kind::CrateUrlHash => crate_url_hashes(chunk, &mut refusals)?.column::<32>(),
                Kind::CrateUrlShortHash => crate_url_hashes(chunk, &mut refusals)?.column::<16>(),
                Kind::CrateUrlVeryShortHash => crate_url_hashes(chunk, &mut refusals)?.column::<8>(),
                Kind::CrateSxurl(format) => {
                    let id = |text: &str| match CrateSxurl::encode_with(text, *format, self.encode.list()) {
                        Ok(id) => Ok(*id.as_bytes()),
                        Err(error) => Err(error.code()),
                    };
                    Ids::of(one_by_one(&Texts::of(chunk)?, &mut refusals, id)).column::<32>()
                }
            });
        }
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}

/// Returns the hash of each row as version 0.1 of crate `url-hash` makes it.
fn crate_url_hashes(chunk: &ArrayRef, refusals: &mut Refusals) -> Result<Ids, ArrowError> {
    let hash = |text: &str| match CrateUrlHash::encode(text) {
        Ok(hash) => Ok(<[u8; 32]>::from(hash)),
        Err(error) => Err(error.code()),
    };
    Ok(Ids::of(one_by_one(&Texts::of(chunk)?, refusals, hash)))
}
