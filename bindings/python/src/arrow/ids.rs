//! `ids`: identifiers of a column of URLs, several kinds in one pass.

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::input::AnyArray;
use urlid::compat::{CrateFormat, CrateSxurl, CrateUrlHash};
use urlid::suffix::SuffixList;
use urlid_canonical::{RequestFingerprinter, W3lib};
use urlid_ops::{ID_KINDS, IdKind};

use super::column::Texts;
use super::columns::PyColumns;
use super::encode::{Encode, Ids};
use super::hashed::Hashed;
use super::rows::{Rejections, one_by_one};
use super::run;
use crate::choice::choose;
use crate::suffix::PySuffixList;

/// Returns a column for each kind of identifier, named by the kind with `_` for `-`, `.` and `/`.
///
/// The kinds are the same as on the command line: `sxurl`, `url-hash`, `url-short-hash`,
/// `url-very-short-hash`, `hashed-uri` (sha1, variant N, nothing kept), `url-hash-0.1`,
/// `url-short-hash-0.1`, `url-very-short-hash-0.1`, `sxurl-crate-0`, `sxurl-crate-1.0`, `sxurl-crate-1.1`,
/// and for a GET request without a body `scrapy-2.7/w3lib-2.5` and `scrapy-2.7/w3lib-2.4`. Ids are bytes,
/// and a Hashed URI is a text. With `errors` a column `error` has a code for each row that a kind rejects.
/// It is the code of the first such kind.
#[pyfunction]
#[pyo3(signature = (column, kinds = vec!["sxurl".to_owned()], *, suffixes = None, errors = false))]
pub(crate) fn ids(
    py: Python<'_>,
    column: AnyArray,
    kinds: Vec<String>,
    suffixes: Option<&PySuffixList>,
    errors: bool,
) -> PyResult<PyColumns> {
    let known = ID_KINDS.map(|(name, kind, _)| (name, kind));
    let kinds = kinds.iter().map(|kind| choose("kind of id", kind, &known)).collect::<PyResult<Vec<_>>>()?;
    // Columns are named by their kind, and two columns with the same name cannot be selected by it.
    if kinds.iter().enumerate().any(|(index, kind)| kinds[..index].contains(kind)) {
        return Err(PyValueError::new_err("a kind of id is given twice"));
    }
    let field = |kind: &IdKind| {
        let name = kind.name().replace(['-', '.', '/'], "_");
        let data_type = match kind {
            IdKind::HashedUri => DataType::Utf8,
            IdKind::UrlVeryShortHashInt64 => DataType::Int64,
            _ => DataType::Binary,
        };
        Field::new(name, data_type, true)
    };
    let fields: Vec<Field> = kinds.iter().map(field).collect();
    let mut encode = Encode::new(PySuffixList::or_compiled(suffixes));
    let is_url_hash = |kind: &&IdKind| {
        use IdKind::{UrlHash, UrlShortHash, UrlVeryShortHash, UrlVeryShortHashInt64};
        matches!(kind, UrlHash | UrlShortHash | UrlVeryShortHash | UrlVeryShortHashInt64)
    };
    let has_several = kinds.iter().filter(is_url_hash).count() > 1;
    run(py, column, errors, fields, |chunk, rejections| {
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(kinds.len() + 1);
        let mut url_hashes = None;
        for kind in &kinds {
            columns.push(match kind {
                IdKind::Sxurl => encode.sxurls(chunk, rejections)?.column::<32>(),
                IdKind::UrlHash
                | IdKind::UrlShortHash
                | IdKind::UrlVeryShortHash
                | IdKind::UrlVeryShortHashInt64 => {
                    // One pass for all kinds that are a url-hash or a prefix of one.
                    let hashes = match url_hashes.take() {
                        Some(hashes) => hashes,
                        None => encode.url_hashes(chunk, rejections)?,
                    };
                    // Copied only when needed: 32 bytes for each row.
                    if has_several {
                        url_hashes = Some(hashes.clone());
                    }
                    match kind {
                        IdKind::UrlShortHash => hashes.column::<16>(),
                        IdKind::UrlVeryShortHash => hashes.column::<8>(),
                        IdKind::UrlVeryShortHashInt64 => hashes.numbers(),
                        _ => hashes.column::<32>(),
                    }
                }
                IdKind::HashedUri => Hashed::default().column(chunk, rejections)?,
                IdKind::CrateUrlHash => crate_url_hashes(chunk, rejections)?.column::<32>(),
                IdKind::CrateUrlShortHash => crate_url_hashes(chunk, rejections)?.column::<16>(),
                IdKind::CrateUrlVeryShortHash => crate_url_hashes(chunk, rejections)?.column::<8>(),
                IdKind::CrateSxurl0 => crate_sxurls(chunk, rejections, CrateFormat::V0, encode.list())?,
                IdKind::CrateSxurl1_0 => crate_sxurls(chunk, rejections, CrateFormat::V1_0, encode.list())?,
                IdKind::CrateSxurl1_1 => crate_sxurls(chunk, rejections, CrateFormat::V1_1, encode.list())?,
                IdKind::ScrapyW3lib2_5 => fingerprints(chunk, rejections, W3lib::V2_5)?,
                IdKind::ScrapyW3lib2_4 => fingerprints(chunk, rejections, W3lib::V2_4)?,
            });
        }
        Ok(columns)
    })
}

/// Returns the hash of each row as version 0.1 of crate `url-hash` makes it.
fn crate_url_hashes(chunk: &ArrayRef, rejections: &mut Rejections) -> Result<Ids, ArrowError> {
    let hash = |text: &str| CrateUrlHash::encode(text).map(<[u8; 32]>::from).map_err(|error| error.code());
    Ok(Ids::of(one_by_one(&Texts::of(chunk)?, rejections, hash)))
}

fn crate_sxurls(
    chunk: &ArrayRef,
    rejections: &mut Rejections,
    format: CrateFormat,
    list: &SuffixList,
) -> Result<ArrayRef, ArrowError> {
    let id = |text: &str| match CrateSxurl::encode_with(text, format, list) {
        Ok(id) => Ok(*id.as_bytes()),
        Err(error) => Err(error.code()),
    };
    Ok(Ids::of(one_by_one(&Texts::of(chunk)?, rejections, id)).column::<32>())
}

/// Returns the fingerprints of requests by GET, without a body.
fn fingerprints(chunk: &ArrayRef, rejections: &mut Rejections, w3lib: W3lib) -> Result<ArrayRef, ArrowError> {
    let id = |text: &str| {
        let fingerprint = RequestFingerprinter::new(w3lib).fingerprint(text, "GET", b"");
        // `Ids` has 32 bytes for each row; `column::<20>` cuts the padding off.
        let mut id = [0; 32];
        id[..20].copy_from_slice(&fingerprint.map_err(|error| error.code())?);
        Ok(id)
    };
    Ok(Ids::of(one_by_one(&Texts::of(chunk)?, rejections, id)).column::<20>())
}
