//! Payloads by their digests: the lines of an index that is sorted by digest, and their contents.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use urlid::{Coded, ErrorCode};
use urlid_archives::Records;
use urlid_archives::cdx::LineRange;
use urlid_archives::cdxj::Visits;

use crate::output::escape::Escaped;
use crate::report::rejections::Rejection;

/// The members of a line of CDXJ that are about its payload.
#[derive(Deserialize)]
pub(super) struct Payload<'l> {
    #[serde(borrow, default)]
    pub(super) url: Cow<'l, str>,
    #[serde(borrow, default)]
    mime: Cow<'l, str>,
    #[serde(borrow, default)]
    pub(super) digest: Cow<'l, str>,
    #[serde(borrow, default)]
    pub(super) filename: Cow<'l, str>,
    #[serde(borrow, default)]
    pub(super) offset: Cow<'l, str>,
    #[serde(borrow, default)]
    pub(super) length: Cow<'l, str>,
}

impl Payload<'_> {
    /// Returns whether the record has the payload itself, and not only its digest.
    pub(super) fn is_stored(&self) -> bool {
        self.mime != "warc/revisit" && !self.digest.is_empty() && self.digest != "-"
    }
}

/// Returns the time of a line of CDXJ and its payload.
pub(super) fn payload_of(line: &str) -> Option<(&str, Payload<'_>)> {
    let mut parts = line.splitn(3, ' ').skip(1);
    let (time, json) = (parts.next()?, parts.next()?);
    Some((time, serde_json::from_str(json).ok()?))
}

/// Returns a line of CDXJ with its digest as its key, or `None` if it lacks a digest.
pub(super) fn by_digest(line: &str) -> Option<String> {
    let (_, payload) = payload_of(line)?;
    let (_, rest) = line.split_once(' ')?;
    let digest = payload.digest;
    (!digest.is_empty() && !digest.contains([' ', '\n'])).then(|| format!("{digest} {rest}"))
}

/// Returns the lines of a digest in an index that is sorted by digests. One without its algorithm is SHA-1.
pub(super) fn range_of(digest: &str) -> LineRange {
    let key = if digest.contains(':') { digest.to_owned() } else { format!("sha1:{digest}") };
    // The byte after the blank that ends a key.
    LineRange { start: format!("{key} ").into_bytes(), end: format!("{key}!").into_bytes() }
}

/// A payload that is not the one of its digest.
#[derive(Debug)]
enum PayloadFault {
    Other {
        found: String,
        expected: String,
    },
    /// The archive is not in the folder.
    NoArchive(PathBuf),
    /// There is no record at the place.
    NoRecord {
        filename: String,
        offset: String,
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
            PayloadFault::Other { found, expected } => {
                write!(out, "payload has the digest `{found}`, expected `{expected}`")
            }
            PayloadFault::NoArchive(path) => {
                let path = Escaped::path(path);
                write!(out, "archive is missing: expected it at {path}; --dir-root names its folder")
            }
            PayloadFault::NoRecord { filename, offset } => {
                write!(out, "record cannot be read at byte {offset} of `{filename}`")
            }
        }
    }
}

impl std::error::Error for PayloadFault {}

/// Compares the digests of lines with the contents of archives in a folder.
pub(super) struct PayloadCheck {
    folder: PathBuf,
    files: HashMap<PathBuf, File>,
    pub(super) compared: u64,
    /// Lines without a digest by SHA-1, and revisits.
    pub(super) skipped: u64,
}

impl PayloadCheck {
    pub(super) fn new(folder: &Path) -> Self {
        PayloadCheck { folder: folder.to_owned(), files: HashMap::new(), compared: 0, skipped: 0 }
    }

    /// Compares the digest of a line.
    pub(super) fn check(&mut self, line: &str) -> Result<(), Rejection> {
        let Some((_, payload)) = payload_of(line).filter(|(_, payload)| payload.is_stored()) else {
            self.skipped += 1;
            return Ok(());
        };
        let expected = match payload.digest.split_once(':') {
            Some(("sha1", digest)) => digest,
            None => &payload.digest,
            Some(_) => {
                self.skipped += 1;
                return Ok(());
            }
        };
        let path = self.folder.join(&*payload.filename);
        // A pipe would be waited for.
        if !path.is_file() {
            return Err(PayloadFault::NoArchive(path).into());
        }
        let missing = || PayloadFault::NoRecord {
            filename: payload.filename.to_string(),
            offset: payload.offset.to_string(),
        };
        let found = self.digest_at(path, &payload).ok_or_else(missing)?;
        self.compared += 1;
        // Base 32 has one letter case, but some writers have the other.
        if found.trim_start_matches("sha1:").eq_ignore_ascii_case(expected) {
            return Ok(());
        }
        Err(PayloadFault::Other { found, expected: payload.digest.to_string() }.into())
    }

    /// Returns the digest of the payload of the record that a line names.
    fn digest_at(&mut self, path: PathBuf, payload: &Payload<'_>) -> Option<String> {
        if !self.files.contains_key(&path) {
            let file = File::open(&path).ok()?;
            self.files.clear();
            self.files.insert(path.clone(), file);
        }
        let mut file = self.files.get(&path)?;
        file.seek(SeekFrom::Start(payload.offset.parse().ok()?)).ok()?;
        let records: Records = "all".parse().ok()?;
        let mut visits = Visits::new(BufReader::new(file), records).ok()?.with_digests();
        let visit = visits.next_visit().ok()??;
        visit.computed_digest().map(str::to_owned)
    }
}
