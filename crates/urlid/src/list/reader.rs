//! The text form of a list, read line by line (docs/lists.md, "The text form").
//!
//! A line that is no entry is refused and the others are read. A header that is none, or that the entries contradict,
//! is the end: nothing can be concluded from such a list.

use super::builder::{flags_index, push_groups};
use super::error::{HeaderError, LineError};
use super::header::{Header, HeaderReader};
use super::value::HiddenList;
use crate::error_code::{Coded, ErrorCode};
use crate::hashed_uri::{Algorithm, HashedUri, Keep};

/// Reads a list from its lines.
///
/// ```
/// use urlid::list::Reader;
///
/// let header = ["urlid-list: 1", "variant: n", "algorithms: sha1", "keep: none", "ladder: none", "count: 1", "snapshot: none"];
/// let mut reader = Reader::new();
/// for line in header {
///     reader.line(&format!("# {line}"))?;
/// }
/// reader.line("hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481")?;
/// assert_eq!(reader.finish()?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Reader {
    /// The number of the last line.
    line: u64,
    header: HeaderReader,
    body: Option<Body>,
}

/// What comes after the header.
#[derive(Debug)]
struct Body {
    header: Header,
    /// For each algorithm of the header the digests of each set of flags.
    digests: Vec<[Vec<u8>; Keep::EACH.len()]>,
    unknown: Vec<HashedUri>,
    /// How many lines are entries or were refused.
    count: u64,
}

impl Reader {
    /// Begins a list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next line, without its line end. A blank line says nothing.
    ///
    /// # Errors
    /// [`ReadError::Line`] if the line is refused; the next one can be taken. [`ReadError::Header`] if the list
    /// cannot be read.
    pub fn line(&mut self, text: &str) -> Result<(), ReadError> {
        self.line += 1;
        if text.starts_with('#') {
            return match &mut self.body {
                None => Ok(self.header.line(self.line, text)?),
                Some(body) => body.refuse(LineError::LateHeader),
            };
        }
        if text.is_empty() {
            return Ok(());
        }
        let line = self.line;
        self.body()?.entry(line, text)
    }

    /// Counts a line that could not be read as text, and counts as refused.
    ///
    /// # Errors
    /// [`HeaderError`] if the header before it is none.
    pub fn skip_line(&mut self) -> Result<(), HeaderError> {
        self.line += 1;
        self.body()?.count += 1;
        Ok(())
    }

    /// Returns the list.
    ///
    /// # Errors
    /// [`HeaderError`] if there is no header, or if it says another number of entries than were taken and refused.
    pub fn finish(mut self) -> Result<HiddenList, HeaderError> {
        let &mut Body { ref header, count, .. } = self.body()?;
        if count != header.count {
            return Err(HeaderError::Count { stated: header.count, found: count });
        }
        let mut list = self.finish_without_count()?;
        // Repeats and refused lines are gone.
        list.header.count = list.len();
        Ok(list)
    }

    /// Returns the list, with the count that its header says.
    pub(super) fn finish_without_count(mut self) -> Result<HiddenList, HeaderError> {
        self.body()?;
        let Some(Body { header, digests, mut unknown, .. }) = self.body else {
            return Err(HeaderError::Missing { key: "urlid-list" });
        };
        let mut groups = Vec::new();
        for (algorithm, digests) in header.algorithms.iter().zip(digests) {
            push_groups(algorithm, digests, &mut groups);
        }
        unknown.sort_unstable();
        unknown.dedup();
        Ok(HiddenList { header, groups, unknown })
    }

    /// Ends the header, if that was not done.
    fn body(&mut self) -> Result<&mut Body, HeaderError> {
        let body = match self.body.take() {
            Some(body) => body,
            None => Body::new(std::mem::take(&mut self.header).finish()?),
        };
        Ok(self.body.insert(body))
    }
}

impl Body {
    fn new(header: Header) -> Self {
        let digests = header.algorithms.iter().map(|_| Default::default()).collect();
        Self { header, digests, unknown: Vec::new(), count: 0 }
    }

    fn refuse(&mut self, error: LineError) -> Result<(), ReadError> {
        self.count += 1;
        Err(ReadError::Line(error))
    }

    fn entry(&mut self, line: u64, text: &str) -> Result<(), ReadError> {
        let uri = match HashedUri::parse(text) {
            Ok(uri) => uri,
            Err(error) => return self.refuse(LineError::Entry(error)),
        };
        let (algorithm, keep) = (uri.algorithm(), uri.keep());
        let index = self.header.algorithms.binary_search(algorithm);
        let index = index.map_err(|_| HeaderError::Algorithm { line, found: Algorithm::clone(algorithm) })?;
        if !self.header.rules.keep.includes(keep) {
            return Err(HeaderError::Keep { line, found: keep.flags() }.into());
        }
        self.count += 1;
        match uri.is_known() {
            true => self.digests[index][flags_index(keep)].extend_from_slice(uri.digest()),
            false => self.unknown.push(uri),
        }
        Ok(())
    }
}

/// Why a line of a list was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The line is refused, and nothing else.
    Line(LineError),
    /// The list cannot be read.
    Header(HeaderError),
}

impl Coded for ReadError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Line(error) => error.code(),
            Self::Header(error) => error.code(),
        }
    }
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Line(error) => error.fmt(f),
            Self::Header(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<HeaderError> for ReadError {
    fn from(error: HeaderError) -> Self {
        Self::Header(error)
    }
}
