//! The text form of a list, read line by line.
//!
//! A line that is not an entry is rejected, and the other lines are read. The whole list is rejected if its
//! header is not valid or if the entries contradict it, because its contents cannot be trusted.

use super::header::{HeaderForm, ListHeader};
use super::value::{Collected, HiddenList};
use crate::builder::check_length;
use crate::error;
use crate::header::{HeaderReader, ReadHeader};
use urlid::hashed_uri::HashedUri;
use urlid::hex;
use urlid::{Error, ErrorCode};

/// Reads a list from its lines.
///
/// ```
/// use urlid_lists::ListReader;
///
/// let text = "\
/// ## urlid-list: 1
/// ## variant: n
/// ## intake: rfc3986
/// ## user-info: keep
/// ## algorithms: sha1
/// ## keep: none
/// ## covers: url
/// ## count: 1
/// ## digest: 0a68ad1e38b967fb5626f0427fbf48a73b671aa3f860ad508b1bf243eae58318
/// ## snapshot: none
/// hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481";
/// let mut reader = ListReader::new();
/// text.lines().try_for_each(|line| reader.line(line))?;
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

/// The header, and the entries after it.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) header: ListHeader,
    /// The digest of the entries that the header states.
    digest: Option<[u8; 32]>,
    /// The digests of each algorithm, in the order of the header's algorithms.
    pub(super) digests: Vec<Collected>,
    pub(super) unknown: Vec<HashedUri>,
    taken: u64,
    rejected: u64,
}

impl ListReader {
    /// Starts a list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts the text parts of a different form.
    pub(super) fn of_form(form: HeaderForm) -> Self {
        Self { header: HeaderReader::of_form(form), ..Self::default() }
    }

    /// Reads the next line, without its line end. A blank line is skipped.
    ///
    /// # Errors
    /// `ERR_LIST_LINE` if the line is rejected, and the next line can be read. With any other code the list
    /// cannot be read.
    pub fn line(&mut self, text: &str) -> Result<(), Error> {
        self.line += 1;
        if text.starts_with('#') {
            return match &mut self.body {
                None => Ok(self.header.line(self.line, text)?),
                Some(body) => body.reject(error::LATE_HEADER.error()),
            };
        }
        if text.is_empty() {
            return Ok(());
        }
        let line = self.line;
        self.body()?.entry(line, text)
    }

    /// Counts a line that could not be read as text, as one that is rejected.
    ///
    /// # Errors
    /// [`Error`] if the header before it is not valid.
    pub fn skip_line(&mut self) -> Result<(), Error> {
        self.line += 1;
        self.body()?.rejected += 1;
        Ok(())
    }

    /// Returns the list.
    ///
    /// # Errors
    /// [`Error`] if the header is missing, or if its number of entries differs from the number of read and
    /// rejected lines. If all lines were read, also if the digest of the entries differs from the digest in
    /// the header.
    pub fn finish(self) -> Result<HiddenList, Error> {
        let Body { header, digest, digests, unknown, taken, rejected } = self.into_body()?;
        // The maker counted lines, so a line that is rejected here was counted there.
        if taken + rejected != header.count {
            return Err(error::count(taken + rejected, header.count));
        }
        let stated = digest.ok_or_else(|| error::missing("digest"))?;
        let list = HiddenList::sort(header, digests, unknown);
        // The digest differs if lines were rejected, and this damage has already been reported.
        if rejected == 0 {
            check_digest(stated, list.entries_digest())?;
        }
        Ok(list)
    }

    /// Ends the header, if that was not done.
    fn body(&mut self) -> Result<&mut Body, Error> {
        let body = match self.body.take() {
            Some(body) => body,
            None => Body::new(core::mem::take(&mut self.header).finish()?),
        };
        Ok(self.body.insert(body))
    }

    /// Returns the header and the entries, with the count that the header states.
    pub(super) fn into_body(self) -> Result<Body, Error> {
        self.body.map_or_else(|| self.header.finish().map(Body::new), Ok)
    }
}

fn check_digest(stated: [u8; 32], found: [u8; 32]) -> Result<(), Error> {
    match stated == found {
        true => Ok(()),
        false => {
            Err(error::DIGEST.error().with_shown(hex::encode(&found)).with_expected(hex::encode(&stated)))
        }
    }
}

impl Body {
    fn new(ReadHeader { header, digest }: ReadHeader) -> Self {
        let digests = header.algorithms.iter().map(|_| Default::default()).collect();
        Self { header, digest, digests, unknown: Vec::new(), taken: 0, rejected: 0 }
    }

    fn reject(&mut self, error: Error) -> Result<(), Error> {
        self.rejected += 1;
        Err(error.with_code(ErrorCode::ListLine))
    }

    fn entry(&mut self, line: u64, text: &str) -> Result<(), Error> {
        let uri = match text.parse::<HashedUri>() {
            Ok(uri) => uri,
            Err(error) => return self.reject(error),
        };
        let (algorithm, keep) = (uri.algorithm(), uri.keep());
        let index = self.header.algorithms.binary_search(algorithm);
        // An entry that contradicts the header is an error of the whole list, not of its line.
        let index = index.map_err(|_| error::ALGORITHM.error().with_shown(algorithm).with_number(line))?;
        if !self.header.rules.keep.includes(keep) {
            return Err(error::KEEP.error().with_shown(keep.flags()).with_number(line));
        }
        self.taken += 1;
        check_length(self.taken)?;
        match uri.is_known() {
            true => {
                let digests = self.digests[index].with(keep);
                // A list is untrusted input of any length, so exhausted memory is an error instead of an
                // abort.
                digests.try_reserve(uri.digest().len()).map_err(|_| error::MEMORY.error())?;
                digests.extend_from_slice(uri.digest());
            }
            false => self.unknown.push(uri),
        }
        Ok(())
    }
}
