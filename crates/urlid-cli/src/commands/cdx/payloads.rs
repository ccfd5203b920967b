//! Payloads of records: what the lines of an index say about them, and the contents that their digests are of.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use urlid::{Coded, ErrorCode};
use urlid_archives::PayloadDigest;
use urlid_archives::cdx::{CdxLayout, LineRange};
use urlid_archives::cdxj::IndexLayout;

use super::lines::each_line;
use crate::input::line_run::LineRun;
use crate::output::escape::Escaped;
use crate::report::exit::Failure;
use crate::report::rejections::{Place, Rejection};

/// The payload of a record, by its line in an index.
pub(super) struct Payload<'l> {
    pub(super) url: Cow<'l, str>,
    pub(super) time: &'l str,
    mime: Cow<'l, str>,
    pub(super) digest: Cow<'l, str>,
    pub(super) filename: Cow<'l, str>,
    pub(super) offset: Option<u64>,
    pub(super) length: Option<u64>,
}

impl Payload<'_> {
    /// Returns whether the record has the payload itself, and the line its digest.
    pub(super) fn is_stored(&self) -> bool {
        self.mime != "warc/revisit" && self.has_digest()
    }

    fn has_digest(&self) -> bool {
        !matches!(&*self.digest, "" | "-")
    }
}

/// The members of a line of CDXJ that are about its payload.
#[derive(Deserialize)]
struct Members<'l> {
    #[serde(borrow)]
    url: Option<Cow<'l, str>>,
    #[serde(borrow)]
    mime: Option<Cow<'l, str>>,
    #[serde(borrow)]
    digest: Option<Cow<'l, str>>,
    #[serde(borrow)]
    filename: Option<Cow<'l, str>>,
    #[serde(borrow)]
    offset: Option<Number<'l>>,
    #[serde(borrow)]
    length: Option<Number<'l>>,
}

/// A number, which most programs write as a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number<'l> {
    Number(u64),
    #[serde(borrow)]
    Text(Cow<'l, str>),
}

/// Returns a number of a line, `None` if it has none.
fn number(text: &str) -> Result<Option<u64>, PayloadFault> {
    match text {
        "" | "-" => Ok(None),
        _ => text.parse().map(Some).map_err(|_| PayloadFault::Number(text.to_owned())),
    }
}

/// Returns the payload of a line; `None` of a header.
pub(super) fn payload_of(layout: CdxLayout, line: &str) -> Result<Option<Payload<'_>>, Rejection> {
    // Finds what every verb rejects: another number of fields, and JSON that is malformed or has no URL.
    if layout.url(line.as_bytes())?.is_none() {
        return Ok(None);
    }
    if let CdxLayout::Cdx { fields: fields @ (9 | 11), separator, .. } = layout {
        let columns: Vec<_> = line.split(char::from(separator)).collect();
        let column = |index: usize| columns.get(index).copied().unwrap_or_default();
        return Ok(Some(Payload {
            url: Cow::Borrowed(column(2)),
            time: column(1),
            mime: Cow::Borrowed(column(3)),
            digest: Cow::Borrowed(column(5)),
            filename: Cow::Borrowed(column(fields - 1)),
            offset: number(column(fields - 2))?,
            length: if fields == 11 { number(column(8))? } else { None },
        }));
    }
    let mut parts = line.splitn(3, ' ').skip(1);
    let (time, json) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let members: Members<'_> = serde_json::from_str(json).map_err(|_| PayloadFault::Members)?;
    let number = |found: Option<Number<'_>>| match found {
        Some(Number::Number(found)) => Ok(Some(found)),
        Some(Number::Text(text)) => number(&text),
        None => Ok(None),
    };
    Ok(Some(Payload {
        url: members.url.unwrap_or_default(),
        time,
        mime: members.mime.unwrap_or_default(),
        digest: members.digest.unwrap_or_default(),
        filename: members.filename.unwrap_or_default(),
        offset: number(members.offset)?,
        length: number(members.length)?,
    }))
}

/// Returns whether lines of this layout say where payloads are, if the first of them is the header of CDX.
fn has_payloads(layout: CdxLayout, line: &str) -> bool {
    let known = match layout {
        CdxLayout::Cdxj => return true,
        CdxLayout::Cdx { fields: 9, url: 2, .. } => IndexLayout::Cdx9.header(),
        CdxLayout::Cdx { fields: 11, url: 2, .. } => IndexLayout::Cdx11.header(),
        _ => return false,
    };
    let is_header = line.starts_with([' ', '\t']);
    // The first column is the key, by whatever letter.
    let columns = |header: &str| header.split([' ', '\t']).skip(3).map(str::to_owned).collect::<Vec<_>>();
    !is_header || known.is_some_and(|known| columns(known) == columns(line))
}

/// Takes the payload of a line.
type TakePayload<'t> =
    dyn FnMut(&mut LineRun, Place<'_>, &Payload<'_>) -> Result<Option<Rejection>, Failure> + 't;

/// Passes the payload of every line of the indexes to `take`. A line without one is rejected, and so is one for
/// which `take` returns a reason.
pub(super) fn each_payload(run: &mut LineRun, take: &mut TakePayload<'_>) -> Result<(), Failure> {
    each_line(run, &mut |run, place, layout, line| {
        if !has_payloads(layout.of_plain(), line) {
            return Err(Failure::of_file(place.input, &PayloadFault::Layout(layout)));
        }
        let rejection = match payload_of(layout.of_plain(), line) {
            Ok(Some(payload)) => take(run, place, &payload)?,
            Ok(None) => None,
            Err(rejection) => Some(rejection),
        };
        rejection.map_or(Ok(()), |rejection| run.reject(place, line.as_bytes(), &rejection))
    })
}

/// Returns the one form of a digest, which different forms in archives are compared by. One by an algorithm
/// that is not known stays as it is.
pub(super) fn normal_digest(digest: &str) -> String {
    PayloadDigest::parse(digest).map_or_else(|| digest.to_owned(), |digest| digest.to_string())
}

/// Returns a line of CDXJ with its digest as its key; `None` if it has none.
pub(super) fn by_digest(line: &str) -> Option<String> {
    let payload = payload_of(CdxLayout::Cdxj, line).ok()??;
    let (_, rest) = line.split_once(' ')?;
    let is_key = payload.has_digest() && !payload.digest.contains([' ', '\n', '\r']);
    is_key.then(|| format!("{} {rest}", normal_digest(&payload.digest)))
}

/// Returns the lines of a digest in an index that is sorted by digests.
pub(super) fn range_of(digest: &str) -> LineRange {
    let key = normal_digest(digest);
    // The byte after the blank that ends a key.
    LineRange { start: format!("{key} ").into_bytes(), end: format!("{key}!").into_bytes() }
}

/// The reason a line cannot be compared with its payload, or differs from it.
#[derive(Debug)]
enum PayloadFault {
    /// The index has no digests, or not the places of records.
    Layout(CdxLayout),
    Members,
    Number(String),
    /// The digest is by an algorithm that cannot be computed, or is none.
    Algorithm(String),
    Other {
        found: String,
        expected: String,
    },
    /// The name leads out of the folder.
    Elsewhere(String),
    /// The archive is not in the folder.
    NoArchive(PathBuf),
    /// There is no record at the place.
    NoRecord {
        filename: String,
        offset: Option<u64>,
    },
}

impl Coded for PayloadFault {
    fn code(&self) -> ErrorCode {
        ErrorCode::Archive
    }
}

impl fmt::Display for PayloadFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PayloadFault::Layout(found) => {
                write!(out, "index is {found}, expected CDXJ, or the CDX of 9 or 11 fields of pywb")
            }
            PayloadFault::Members => {
                out.write_str("line of a CDXJ index has a member twice, or one of another type than expected")
            }
            PayloadFault::Number(found) => {
                write!(out, "line of an index has an offset or length that is not a number: found `{found}`")
            }
            PayloadFault::Algorithm(found) => {
                write!(
                    out,
                    "digest cannot be checked: found `{found}`, expected SHA-1, SHA-256, SHA-512 or MD5"
                )
            }
            PayloadFault::Other { found, expected } => {
                write!(out, "payload has the digest `{found}`, expected `{expected}`")
            }
            PayloadFault::Elsewhere(found) => {
                write!(out, "archive is outside the folder: found the name `{found}`")
            }
            PayloadFault::NoArchive(path) => {
                let path = Escaped::path(path);
                write!(out, "archive is missing: expected it at {path}; --dir-root names its folder")
            }
            PayloadFault::NoRecord { filename, offset: Some(offset) } => {
                write!(out, "no record can be read at byte {offset} of `{filename}`")
            }
            PayloadFault::NoRecord { filename, offset: None } => {
                write!(out, "line of an index has no offset of its record in `{filename}`")
            }
        }
    }
}

impl std::error::Error for PayloadFault {}

/// Compares the digests of lines with the contents of archives in a folder.
pub(super) struct PayloadCheck {
    folder: PathBuf,
    /// The archive that was read last.
    file: Option<(PathBuf, File)>,
    pub(super) compared: u64,
    /// Revisits, and lines without a digest.
    pub(super) skipped: u64,
}

impl PayloadCheck {
    pub(super) fn new(folder: &Path) -> Self {
        PayloadCheck { folder: folder.to_owned(), file: None, compared: 0, skipped: 0 }
    }

    /// Compares the digest of a line.
    pub(super) fn check(&mut self, payload: &Payload<'_>) -> Result<(), Rejection> {
        if !payload.is_stored() {
            self.skipped += 1;
            return Ok(());
        }
        let stated = payload.digest.to_string();
        let Some(expected) = PayloadDigest::parse(&stated) else {
            return Err(PayloadFault::Algorithm(stated).into());
        };
        let name = Path::new(&*payload.filename);
        // An untrusted index does not choose files elsewhere.
        if !name.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(PayloadFault::Elsewhere(payload.filename.to_string()).into());
        }
        let path = self.folder.join(name);
        // A pipe would be waited for.
        if !path.is_file() {
            return Err(PayloadFault::NoArchive(path).into());
        }
        let found = self.digest_at(path, payload.offset, &expected).ok_or_else(|| {
            PayloadFault::NoRecord { filename: payload.filename.to_string(), offset: payload.offset }
        })?;
        self.compared += 1;
        if found == expected {
            return Ok(());
        }
        Err(PayloadFault::Other { found: found.to_string(), expected: stated }.into())
    }

    /// Returns the digest of the payload of the record at a place, by the algorithm of the expected one.
    fn digest_at(
        &mut self,
        path: PathBuf,
        offset: Option<u64>,
        expected: &PayloadDigest,
    ) -> Option<PayloadDigest> {
        if self.file.as_ref().is_none_or(|(last, _)| *last != path) {
            let file = File::open(&path).ok()?;
            self.file = Some((path, file));
        }
        let mut file = &self.file.as_ref()?.1;
        file.seek(SeekFrom::Start(offset?)).ok()?;
        expected.of_payload(BufReader::new(file)).ok()?
    }
}
