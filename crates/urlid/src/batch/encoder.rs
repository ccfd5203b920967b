//! The encoder, which reads lines and returns batches with an identifier or an error code for each line. The
//! traits describe the identifiers that it makes and their phases.

use urlid_simd::{Kernels, Simd, Task};

use super::text::{LineIndexer, LineRange, Text};
use crate::error::ErrorCode;
use crate::plain::Boundaries;

/// Makes identifiers of many URLs. Use one encoder per thread.
///
/// In a batch, a URL of more than 1 GiB is rejected with the code [`ErrorCode::LineLen`].
///
/// ```
/// use urlid::batch::Encoder;
/// use urlid::Sxurl;
///
/// let mut encoder = Encoder::<Sxurl>::default();
/// assert_eq!(encoder.encode("https://docs.rs/"), Sxurl::encode("https://docs.rs/"));
/// ```
///
/// The encoder owns its buffers. After the first batches, it allocates only for a line that is longer than
/// all before, and for lines that are not recognised and are encoded one at a time.
#[derive(Debug)]
pub struct Encoder<I: Identifier> {
    indexer: LineIndexer,
    working: Working<I>,
}

/// The phases and their output.
#[derive(Debug)]
struct Working<I: Identifier> {
    phases: I::Phases,
    ids: Vec<I::Value>,
    exceptions: Vec<Exception>,
}

impl<I: Identifier> Encoder<I> {
    pub(super) fn with_phases(phases: I::Phases) -> Self {
        Encoder {
            indexer: LineIndexer::default(),
            working: Working { phases, ids: Vec::new(), exceptions: Vec::new() },
        }
    }

    /// Returns the identifier of one URL.
    ///
    /// # Errors
    /// Same as encoding the URL without an encoder.
    pub fn encode(&mut self, url: &str) -> Result<I, I::Error> {
        let text = self.indexer.strings(&mut [url].into_iter().peekable(), 1);
        self.working.encode(text, &mut |_| ());
        match (&self.working.ids[..], &self.working.exceptions[..]) {
            (&[id], []) => Ok(I::from_encoder(id)),
            // A batch has only the code of an error, and has no code for an empty text. Encoding the URL by
            // itself returns the whole error.
            _ => self.working.phases.encode_alone(url),
        }
    }

    /// Encodes URLs and calls `receive` for each batch. An empty text is a blank line.
    pub fn encode_all<'u>(
        &mut self,
        urls: impl IntoIterator<Item = &'u str>,
        mut receive: impl FnMut(Batch<'_, I>),
    ) {
        let mut urls = urls.into_iter().peekable();
        loop {
            let text = self.indexer.strings(&mut urls, BATCH);
            if text.lines().is_empty() {
                return;
            }
            self.working.encode(text, &mut receive);
        }
    }

    /// Encodes a column of URLs and calls `receive` for each batch.
    ///
    /// The column has the layout of Arrow: each URL is in `bytes` from its offset to the next offset, so
    /// there is one more offset than there are URLs. An offset that descends or is beyond `bytes` is replaced
    /// by the nearest valid one. Only URLs near the ends of `bytes` are copied. A URL that is not UTF-8 is
    /// rejected, and an empty URL is a blank line.
    pub fn encode_column(
        &mut self,
        bytes: &[u8],
        offsets: impl IntoIterator<Item = usize>,
        mut receive: impl FnMut(Batch<'_, I>),
    ) {
        let mut offsets = offsets.into_iter();
        let mut start = offsets.next().unwrap_or(0).min(bytes.len());
        let mut ends = offsets.peekable();
        loop {
            let (text, end) = self.indexer.column(bytes, start, &mut ends, BATCH);
            if text.lines().is_empty() {
                return;
            }
            self.working.encode(text, &mut receive);
            start = end;
        }
    }

    /// Encodes the lines of `bytes` and calls `receive` for each batch.
    ///
    /// A line ends with LF. One CR before the LF is not part of the line. The last line may lack its LF. A
    /// line that is not UTF-8 is rejected.
    pub fn encode_lines(&mut self, bytes: &[u8], mut receive: impl FnMut(Batch<'_, I>)) {
        let (kernels, mut start) = (self.working.phases.kernels(), 0);
        while start < bytes.len() {
            let (text, end) = self.indexer.chunk(bytes, start, kernels);
            self.working.encode(text, &mut receive);
            start = end;
        }
    }
}

impl<I: Identifier> Working<I> {
    fn encode(&mut self, text: Text<'_>, receive: &mut impl FnMut(Batch<'_, I>)) {
        let Self { phases, ids, exceptions } = self;
        for lines in text.lines().chunks(BATCH) {
            ids.clear();
            exceptions.clear();
            if text.is_too_long() {
                // The line gets a value, so that the index of an identifier equals the index of its line.
                ids.push(I::Value::default());
                exceptions.push(Exception { index: 0, code: Some(ErrorCode::LineLen) });
            } else {
                phases.identify(text, lines, ids, exceptions);
            }
            receive(Batch { text, lines, ids, exceptions, phases: &*phases });
        }
    }
}

/// Encodes the lines whose indexes are in `unrecognised`. `encode` returns a value or an error code.
/// Exceptions stay sorted by ascending index.
#[inline]
pub(super) fn take_slow_path<V>(
    unrecognised: &[u32],
    text: Text<'_>,
    lines: &[LineRange],
    ids: &mut [V],
    exceptions: &mut Vec<Exception>,
    encode: impl Fn(&str) -> Result<V, ErrorCode>,
) {
    if unrecognised.is_empty() {
        return;
    }
    for &index in unrecognised {
        let outcome = match str::from_utf8(text.line(lines[index as usize])) {
            Ok("") => Err(None),
            Ok(line) => encode(line).map_err(Some),
            Err(_) => Err(Some(ErrorCode::Utf8)),
        };
        match outcome {
            Ok(id) => ids[index as usize] = id,
            Err(code) => exceptions.push(Exception { index, code }),
        }
    }
    // An earlier phase may have added exceptions, and the new ones have to be sorted into them.
    exceptions.sort_unstable_by_key(|exception| exception.index);
}

/// The result for a line.
///
/// ```
/// use urlid::batch::{Encoder, Outcome};
/// use urlid::{ErrorCode, Sxurl};
///
/// Encoder::<Sxurl>::default().encode_lines(b"\nws://h/\n", |batch| {
///     let outcomes: Vec<Outcome<Sxurl>> = batch.outcomes().collect();
///     assert_eq!(outcomes, [Outcome::Blank, Outcome::Rejected(ErrorCode::InvalidScheme)]);
/// });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome<I> {
    /// The identifier of the line.
    Id(I),
    /// The line is empty.
    Blank,
    /// The line was rejected. The code is the code of encoding the line by itself, or [`ErrorCode::Utf8`] or
    /// [`ErrorCode::LineLen`].
    Rejected(ErrorCode),
}

/// The lines of a batch and their identifiers of type `I`, in order.
///
/// ```
/// use urlid::batch::Encoder;
/// use urlid::UrlHash;
///
/// Encoder::<UrlHash>::default().encode_all(["https://docs.rs/", "docs"], |batch| {
///     assert_eq!((batch.len(), batch.rejected().count()), (2, 1));
/// });
/// ```
#[derive(Debug)]
pub struct Batch<'a, I: Identifier> {
    pub(super) text: Text<'a>,
    pub(super) lines: &'a [LineRange],
    pub(super) ids: &'a [I::Value],
    /// Sorted by ascending index.
    pub(super) exceptions: &'a [Exception],
    pub(super) phases: &'a I::Phases,
}

impl<'a, I: Identifier> Batch<'a, I> {
    /// Returns the number of lines, including lines without an identifier.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns whether the batch has no lines.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the lines without their ends.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = &'a [u8]> {
        let text = self.text;
        self.lines.iter().map(move |&line| text.line(line))
    }

    /// Returns the values of the identifiers. The values of lines without an identifier are unspecified.
    pub fn ids(&self) -> &'a [I::Value] {
        self.ids
    }

    /// Returns the lines without an identifier, by ascending index, with the code of the error, or `None` for
    /// a blank line.
    pub fn rejected(&self) -> impl Iterator<Item = (usize, Option<ErrorCode>)> + use<'a, I> {
        self.exceptions.iter().map(|exception| (exception.index as usize, exception.code))
    }

    /// Returns the whole error of a line whose code is in [`rejected`](Self::rejected). Returns `None` for a
    /// blank line, for a line with an identifier, and if the error consists only of its code.
    ///
    /// This encodes the line again, so call it for the few errors that are shown:
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
        // Only codes are kept in a batch: the host cache has no space for errors, and a batch may have
        // hundreds.
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
                Some(Exception { code: Some(code), .. }) => Outcome::Rejected(*code),
            }
        })
    }

    /// Appends a line for each identifier, and an empty line for each missing one. `write` is called for runs
    /// of consecutive identifiers.
    pub(super) fn write_lines(&self, out: &mut Vec<u8>, write: impl Fn(&'a [I::Value], &mut Vec<u8>)) {
        let mut from = 0;
        for exception in self.exceptions {
            let index = exception.index as usize;
            // The slice excludes the exception itself, because its value is meaningless.
            write(&self.ids[from..index], out);
            out.push(b'\n');
            from = index + 1;
        }
        write(&self.ids[from..], out);
    }
}

impl<I: Identifier<Value = [u8; 32]>> Batch<'_, I> {
    /// Appends a line of 64 hexadecimal digits for each identifier, and an empty line for each missing one.
    pub fn write_hex_lines(&self, out: &mut Vec<u8>) {
        self.write_lines(out, |ids, out| {
            let start = out.len();
            out.resize(start + 65 * ids.len(), b'\n');
            self.phases.kernels().hex_lines(ids, out[start..].as_chunks_mut().0);
        });
    }
}

/// The number of lines that pass through the phases together. With fewer lines, the phases would cost more
/// per line. More lines would not fit the nearest caches.
pub(super) const BATCH: usize = 512;

/// An identifier that an [`Encoder`] makes: [`Sxurl`](crate::Sxurl),
/// [`UrlHash`](crate::UrlHash) and [`HashedUri`](crate::hashed_uri::HashedUri).
///
/// ```
/// use urlid::batch::{Encoder, Identifier};
///
/// fn first<I: Identifier>(encoder: &mut Encoder<I>) -> Option<I> {
///     encoder.encode("https://docs.rs/").ok()
/// }
/// assert!(first(&mut Encoder::<urlid::UrlHash>::default()).is_some());
/// ```
pub trait Identifier: Sized {
    /// The value of an identifier in a batch: the 32 bytes of an SXURL or a url-hash, the
    /// [`Sha1AndKept`](super::Sha1AndKept) of a hashed URI.
    type Value: Copy + Default + core::fmt::Debug;

    /// The error for a text that does not have such an identifier.
    type Error;

    /// The encoder's work on a batch of lines, and its state between batches.
    #[doc(hidden)]
    type Phases: Phases<Self>;

    /// Returns the identifier with a value that the phases have made.
    #[doc(hidden)]
    fn from_encoder(value: Self::Value) -> Self;
}

/// The phases of one kind of identifier.
///
/// Their functions are marked `inline`. An encoder is generic, so it is compiled in the crate that uses it.
/// Without the mark, each phase would be a call into this crate, which costs a fifth of the time of a single
/// URL.
#[doc(hidden)]
#[expect(private_interfaces, reason = "sealed: the types that the methods take have no public name")]
pub trait Phases<I: Identifier>: core::fmt::Debug {
    /// Passes lines through the phases. Makes an identifier for each line, and the exceptions by ascending
    /// index.
    fn identify(
        &mut self,
        text: Text<'_>,
        lines: &[LineRange],
        ids: &mut Vec<I::Value>,
        exceptions: &mut Vec<Exception>,
    );

    /// Returns the identifier of a URL, made without the phases.
    fn encode_alone(&self, url: &str) -> Result<I, I::Error>;

    /// Returns the kernels in use.
    fn kernels(&self) -> Kernels;
}

/// A line of a batch without an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exception {
    /// The index of the line in the batch.
    pub(super) index: u32,
    /// `None` if the line is blank.
    pub(super) code: Option<ErrorCode>,
}

/// Finds the boundaries of lines.
pub(super) struct FindBoundaries<'t> {
    pub(super) text: Text<'t>,
    pub(super) lines: &'t [LineRange],
    pub(super) boundaries: &'t mut Vec<Boundaries>,
}

impl Task for FindBoundaries<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(&mut self, simd: S) {
        let (bytes, is_utf8) = (self.text.bytes(), self.text.is_utf8());
        self.boundaries.resize(self.lines.len(), Boundaries::default());
        for (line, boundaries) in self.lines.iter().zip(self.boundaries.iter_mut()) {
            self.text.prefetch_next(line.start);
            *boundaries = Boundaries::of_line(simd, bytes, is_utf8, line.start..line.end);
        }
    }
}
