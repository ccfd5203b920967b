//! `ids`: identifiers of a column of URLs, several kinds in one pass.

use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash};
use urlid_canonical::{RequestFingerprinter, W3lib};
use urlid_ops::{ID_KINDS, IdKind};

use super::column::Texts;
use super::columns::PyColumns;
use super::encode::{Encode, Ids};
use super::hashed::Hashed;
use super::rows::{Errors, Refusals, one_by_one};
use super::{Kernel, run};
use crate::choice::choose;
use crate::suffix::PySuffixList;

/// Returns a column for each kind of identifier, named by the kind with `_` for `-`, `.` and `/`.
///
/// The kinds are those of the command line: `sxurl`, `url-hash`, `url-short-hash`, `url-very-short-hash`, `hashed-uri` (sha1,
/// variant N, nothing kept), `url-hash-0.1`, `url-short-hash-0.1`, `url-very-short-hash-0.1`, `sxurl-crate-0`,
/// `sxurl-crate-1.0`, `sxurl-crate-1.1`, and for a GET request without a body `scrapy-2.7/w3lib-2.5` and
/// `scrapy-2.7/w3lib-2.4`. Ids are bytes, a Hashed URI is a text. With `errors` a column `error` has, for each row that is
/// rejected by some kind, the code of the first.
#[pyfunction]
#[pyo3(signature = (column, kinds = vec!["sxurl".to_owned()], *, suffixes = None, errors = false))]
pub(crate) fn ids(
    py: Python<'_>,
    column: AnyArray,
    kinds: Vec<String>,
    suffixes: Option<&PySuffixList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let known = ID_KINDS.map(|(kind, name, _)| (name, kind));
    let kinds = kinds.iter().map(|kind| choose("kind of id", kind, &known)).collect::<PyResult<Vec<_>>>()?;
    if kinds.iter().enumerate().any(|(index, kind)| kinds[..index].contains(kind)) {
        return Err(PyValueError::new_err("a kind of id is given twice"));
    }
    let encode = Encode::new(PySuffixList::or_compiled(suffixes));
    run(py, column, IdColumns { kinds, encode, errors: Errors::of(errors) })
}

struct IdColumns {
    kinds: Vec<IdKind>,
    encode: Encode,
    errors: Errors,
}

impl Kernel for IdColumns {
    fn schema(&self) -> Schema {
        let field = |kind: &IdKind| {
            let name = kind.name().replace(['-', '.', '/'], "_");
            let is_text = *kind == IdKind::HashedUri;
            Field::new(name, if is_text { DataType::Utf8 } else { DataType::Binary }, true)
        };
        Schema::new(self.kinds.iter().map(field).chain(self.errors.field()).collect::<Vec<_>>())
    }

    fn run(&mut self, chunk: &ArrayRef) -> Result<Vec<ArrayRef>, ArrowError> {
        let mut refusals = Refusals::new(self.errors, chunk.len());
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(self.kinds.len() + 1);
        let mut url_hashes = None;
        let is_url_hash = |kind: &&IdKind| {
            matches!(kind, IdKind::UrlHash | IdKind::UrlShortHash | IdKind::UrlVeryShortHash)
        };
        for kind in &self.kinds {
            columns.push(match kind {
                IdKind::Sxurl => self.encode.sxurls(chunk, &mut refusals)?.column::<32>(),
                IdKind::UrlHash | IdKind::UrlShortHash | IdKind::UrlVeryShortHash => {
                    // One pass for all kinds that are a url-hash or the beginning of one.
                    let hashes = match url_hashes.take() {
                        Some(hashes) => hashes,
                        None => self.encode.url_hashes(chunk, &mut refusals)?,
                    };
                    if self.kinds.iter().filter(is_url_hash).count() > 1 {
                        url_hashes = Some(hashes.clone());
                    }
                    match kind {
                        IdKind::UrlShortHash => hashes.column::<16>(),
                        IdKind::UrlVeryShortHash => hashes.column::<8>(),
                        _ => hashes.column::<32>(),
                    }
                }
                IdKind::HashedUri => Hashed::default().column(chunk, &mut refusals)?,
                IdKind::CrateUrlHash => crate_url_hashes(chunk, &mut refusals)?.column::<32>(),
                IdKind::CrateUrlShortHash => crate_url_hashes(chunk, &mut refusals)?.column::<16>(),
                IdKind::CrateUrlVeryShortHash => crate_url_hashes(chunk, &mut refusals)?.column::<8>(),
                IdKind::CrateSxurl0 => self.crate_sxurls(CrateFormat::V0, chunk, &mut refusals)?,
                IdKind::CrateSxurl1_0 => self.crate_sxurls(CrateFormat::V1_0, chunk, &mut refusals)?,
                IdKind::CrateSxurl1_1 => self.crate_sxurls(CrateFormat::V1_1, chunk, &mut refusals)?,
                IdKind::ScrapyW3lib2_5 => fingerprints(W3lib::V2_5, chunk, &mut refusals)?,
                IdKind::ScrapyW3lib2_4 => fingerprints(W3lib::V2_4, chunk, &mut refusals)?,
            });
        }
        refusals.push_to(&mut columns);
        Ok(columns)
    }
}

impl IdColumns {
    fn crate_sxurls(
        &self,
        format: CrateFormat,
        chunk: &ArrayRef,
        refusals: &mut Refusals,
    ) -> Result<ArrayRef, ArrowError> {
        let id = |text: &str| match CrateSxurl::encode_with(text, format, self.encode.list()) {
            Ok(id) => Ok(*id.as_bytes()),
            Err(error) => Err(error.code()),
        };
        Ok(Ids::of(one_by_one(&Texts::of(chunk)?, refusals, id)).column::<32>())
    }
}

/// Returns the fingerprints of requests by GET, without a body.
fn fingerprints(w3lib: W3lib, chunk: &ArrayRef, refusals: &mut Refusals) -> Result<ArrayRef, ArrowError> {
    let id = |text: &str| {
        let fingerprint = RequestFingerprinter::new(w3lib).fingerprint(text, "GET", b"");
        let mut id = [0; 32];
        id[..20].copy_from_slice(&fingerprint.map_err(|error| error.code())?);
        Ok(id)
    };
    Ok(Ids::of(one_by_one(&Texts::of(chunk)?, refusals, id)).column::<20>())
}

/// Returns the hash of each row as version 0.1 of crate `url-hash` makes it.
fn crate_url_hashes(chunk: &ArrayRef, refusals: &mut Refusals) -> Result<Ids, ArrowError> {
    let hash = |text: &str| match CrateUrlHash::encode(text) {
        Ok(hash) => Ok(<[u8; 32]>::from(hash)),
        Err(error) => Err(error.code()),
    };
    Ok(Ids::of(one_by_one(&Texts::of(chunk)?, refusals, hash)))
}
