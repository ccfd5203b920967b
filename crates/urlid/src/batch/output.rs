//! The output of a batch: an identifier for each line, or why it has none.

use super::phases::{Exception, Identifier, Phases};
use super::text::{LineRange, Text};
use crate::error::ErrorCode;

/// The result for a line.
///
/// ```
/// use urlid::batch::{Encoder, Outcome};
/// use urlid::{ErrorCode, Sxurl};
///
/// Encoder::<Sxurl>::default().encode_lines(b"\nws://h/\n", |batch| {
///     let outcomes: Vec<Outcome<Sxurl>> = batch.outcomes().collect();
///     assert_eq!(outcomes, [Outcome::Blank, Outcome::Refused(ErrorCode::InvalidScheme)]);
/// });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<I> {
    /// Its identifier.
    Id(I),
    /// The line is empty.
    Blank,
    /// The line has no identifier; the code is that of the error of encoding it alone, or [`ErrorCode::Utf8`] or
    /// [`ErrorCode::LineLen`].
    Refused(ErrorCode),
}

/// The lines of a batch and their identifiers of type `I`, in order.
///
/// ```
/// use urlid::batch::Encoder;
/// use urlid::UrlHash;
///
/// Encoder::<UrlHash>::default().encode_all(["https://docs.rs/", "docs"], |batch| {
///     assert_eq!((batch.len(), batch.exceptions().count()), (2, 1));
/// });
/// ```
#[derive(Debug)]
pub struct Batch<'a, I: Identifier> {
    pub(super) text: Text<'a>,
    pub(super) lines: &'a [LineRange],
    pub(super) ids: &'a [I::Value],
    /// By ascending index.
    pub(super) exceptions: &'a [Exception],
    pub(super) phases: &'a I::Phases,
}

impl<'a, I: Identifier> Batch<'a, I> {
    /// Returns the number of lines, those without an identifier included.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the lines without their ends.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        let text = self.text;
        self.lines.iter().map(move |&line| text.line(line))
    }

    /// Returns the values of the identifiers; those of lines without one are unspecified.
    pub fn ids(&self) -> &'a [I::Value] {
        self.ids
    }

    /// Returns the lines without an identifier, by ascending index: `None` for a blank one, else the code of its error.
    pub fn exceptions(&self) -> impl Iterator<Item = (usize, Option<ErrorCode>)> + use<'a, I> {
        self.exceptions.iter().map(|exception| (exception.index as usize, exception.code))
    }

    /// Returns the error of a line without an identifier, of which [`exceptions`](Self::exceptions) has the code; `None` if the
    /// code says it all, for a blank line, and for one with an identifier.
    ///
    /// The line is encoded alone for it, so this is for the few errors that are shown:
    ///
    /// ```
    /// use urlid::{Sxurl, batch::Encoder};
    ///
    /// Encoder::<Sxurl>::default().encode_all(["https://docs.rs/", "ws://h/"], |batch| {
    ///     assert_eq!(batch.error(0), None);
    ///     assert_eq!(batch.error(1), Sxurl::encode("ws://h/").err());
    /// });
    /// ```
    pub fn error(&self, index: usize) -> Option<I::Error> {
        // Errors are not kept with their codes: the cache of hosts has no place for them, and a batch may have hundreds.
        let line = str::from_utf8(self.text.line(*self.lines.get(index)?)).ok()?;
        self.phases.encode_alone(line).err().filter(|_| !line.is_empty())
    }

    /// Returns the result for each line.
    pub fn outcomes(&self) -> impl Iterator<Item = Outcome<I>> + use<'a, I> {
        let mut exceptions = self.exceptions.iter().peekable();
        self.ids.iter().enumerate().map(move |(index, &id)| {
            match exceptions.next_if(|exception| exception.index as usize == index) {
                None => Outcome::Id(I::from_encoder(id)),
                Some(Exception { code: None, .. }) => Outcome::Blank,
                Some(Exception { code: Some(code), .. }) => Outcome::Refused(*code),
            }
        })
    }

    /// Appends a line for each identifier by `write`, which is called for those without a gap, and an empty line where there
    /// is none.
    pub(super) fn write_lines(&self, out: &mut Vec<u8>, write: impl Fn(&'a [I::Value], &mut Vec<u8>)) {
        let mut from = 0;
        for exception in self.exceptions {
            let index = exception.index as usize;
            write(&self.ids[from..index], out);
            out.push(b'\n');
            from = index + 1;
        }
        write(&self.ids[from..], out);
    }
}

impl<I: Identifier<Value = [u8; 32]>> Batch<'_, I> {
    /// Appends a line of 64 hexadecimal digits for each identifier, an empty line where there is none.
    pub fn write_hex_lines(&self, out: &mut Vec<u8>) {
        self.write_lines(out, |ids, out| {
            let start = out.len();
            out.resize(start + 65 * ids.len(), b'\n');
            self.phases.kernels().hex_lines(ids, out[start..].as_chunks_mut().0);
        });
    }
}
