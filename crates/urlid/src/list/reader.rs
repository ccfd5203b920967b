//! The text form of a list, read line by line.
//!
//! A line that is not an entry is refused and the others are read. Where the header is not valid, or the entries
//! contradict it, the whole list is refused: nothing can be concluded from it.

use super::error::{HeaderError, ListLineError};
use super::header::{Format, HeaderReader, ListHeader, ReadHeader};
use super::value::{Collected, HiddenList};
use crate::error_code::{Coded, ErrorCode};
use crate::hashed_uri::{Algorithm, HashedUri};
use crate::hex;

/// Reads a list from its lines.
///
/// ```
/// use urlid::list::ListReader;
///
/// let header = ["urlid-list: 1", "variant: n", "algorithms: sha1", "keep: none", "ladder: none", "count: 1", "snapshot: none"];
/// let mut reader = ListReader::new();
/// for line in header {
///     reader.line(&format!("# {line}"))?;
/// }
/// reader.line("hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481")?;
/// assert_eq!(reader.finish()?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct ListReader {
    /// The number of the last line.
    line: u64,
    header: HeaderReader,
    body: Option<Body>,
}

/// The header, and what comes after it.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) format: Format,
    pub(super) header: ListHeader,
    /// The digest of the entries that the header states.
    digest: Option<[u8; 32]>,
    /// In the order of the header's algorithms.
    pub(super) digests: Vec<Collected>,
    pub(super) unknown: Vec<HashedUri>,
    taken: u64,
    refused: u64,
}

impl ListReader {
    /// Begins a list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next line, without its line end. A blank line is skipped.
    ///
    /// # Errors
    /// [`ListReadError::Line`] if the line is refused; the next one can be taken. [`ListReadError::Header`] if the list
    /// cannot be read.
    pub fn line(&mut self, text: &str) -> Result<(), ListReadError> {
        self.line += 1;
        if text.starts_with('#') {
            return match &mut self.body {
                None => Ok(self.header.line(self.line, text)?),
                Some(body) => body.refuse(ListLineError::LateHeader),
            };
        }
        if text.is_empty() {
            return Ok(());
        }
        let line = self.line;
        self.body()?.entry(line, text)
    }

    /// Counts a line that could not be read as text, as one that is refused.
    ///
    /// # Errors
    /// [`HeaderError`] if the header before it is not valid.
    pub fn skip_line(&mut self) -> Result<(), HeaderError> {
        self.line += 1;
        self.body()?.refused += 1;
        Ok(())
    }

    /// Returns the list.
    ///
    /// # Errors
    /// [`HeaderError`] if there is no header, if it states another number of entries than were taken and refused, or
    /// if no line was refused and the entries have another digest than it states.
    pub fn finish(self) -> Result<HiddenList, HeaderError> {
        let Body { format, header, digest, digests, unknown, taken, refused } = self.into_body()?;
        if taken + refused != header.count {
            return Err(HeaderError::Count { stated: header.count, found: taken + refused });
        }
        if format >= Format::Two && digest.is_none() {
            return Err(HeaderError::Missing { key: "digest" });
        }
        let list = HiddenList::sort(header, None, digests, unknown);
        match digest {
            // Without the refused lines the digest is another, and the damage has been reported.
            Some(stated) if refused == 0 => check_digest(stated, list.entries_digest())?,
            _ => {}
        }
        Ok(list)
    }

    /// Ends the header, if that was not done.
    fn body(&mut self) -> Result<&mut Body, HeaderError> {
        let body = match self.body.take() {
            Some(body) => body,
            None => Body::new(core::mem::take(&mut self.header).finish()?),
        };
        Ok(self.body.insert(body))
    }

    /// Returns what was read, with the count that the header states.
    pub(super) fn into_body(self) -> Result<Body, HeaderError> {
        self.body.map_or_else(|| self.header.finish().map(Body::new), Ok)
    }
}

fn check_digest(stated: [u8; 32], found: [u8; 32]) -> Result<(), HeaderError> {
    match stated == found {
        true => Ok(()),
        false => Err(HeaderError::Digest { stated: hex::encode(&stated), found: hex::encode(&found) }),
    }
}

impl Body {
    fn new(ReadHeader { format, header, digest }: ReadHeader) -> Self {
        let digests = header.algorithms.iter().map(|_| Default::default()).collect();
        Self { format, header, digest, digests, unknown: Vec::new(), taken: 0, refused: 0 }
    }

    fn refuse(&mut self, error: ListLineError) -> Result<(), ListReadError> {
        self.refused += 1;
        Err(ListReadError::Line(error))
    }

    fn entry(&mut self, line: u64, text: &str) -> Result<(), ListReadError> {
        let uri = match text.parse::<HashedUri>() {
            Ok(uri) => uri,
            Err(error) => return self.refuse(ListLineError::Entry(error)),
        };
        let (algorithm, keep) = (uri.algorithm(), uri.keep());
        let index = self.header.algorithms.binary_search(algorithm);
        let index = index.map_err(|_| HeaderError::Algorithm { line, found: Algorithm::clone(algorithm) })?;
        if !self.header.rules.keep.includes(keep) {
            return Err(HeaderError::Keep { line, found: keep.flags() }.into());
        }
        self.taken += 1;
        match uri.is_known() {
            true => self.digests[index].with(keep).extend_from_slice(uri.digest()),
            false => self.unknown.push(uri),
        }
        Ok(())
    }
}

/// Why a line of a list was not taken.
///
/// ```
/// use urlid::list::{ListReader, ListReadError};
///
/// assert!(matches!(ListReader::new().line("no entry"), Err(ListReadError::Header(_))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListReadError {
    /// The line is refused, and nothing else.
    Line(ListLineError),
    /// The list cannot be read.
    Header(HeaderError),
}

impl Coded for ListReadError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Line(error) => error.code(),
            Self::Header(error) => error.code(),
        }
    }
}

impl core::fmt::Display for ListReadError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Line(error) => error.fmt(f),
            Self::Header(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for ListReadError {}

impl From<HeaderError> for ListReadError {
    fn from(error: HeaderError) -> Self {
        Self::Header(error)
    }
}
