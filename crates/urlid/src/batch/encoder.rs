//! The encoder: lines in, batches of identifiers out.

use urlid_simd::Kernels;

use super::memo::MemoKey;
use super::output::{Batch, Exception, Outcome};
use super::sxurl::SxurlPhases;
use super::text::{Indexer, Line, Text};
use super::url_hash::UrlHashPhases;
use crate::error_code::ErrorCode;
use crate::suffix::SuffixList;
use crate::sxurl::{EncodeError, Sxurl};
use crate::url_hash::UrlHash;
use crate::web::ParseError;

/// Lines that go through the phases together. Fewer would pay more for each phase, more would leave the nearest caches.
pub(super) const BATCH: usize = 512;

/// An identifier that an [`Encoder`] makes: [`Sxurl`] and [`UrlHash`].
pub trait Identifier: Sized {
    /// Why a text has no such identifier.
    type Error;

    /// What the encoder does to a batch of lines, and keeps between batches.
    #[doc(hidden)]
    type Phases: Phases<Self>;

    /// Takes what the phases have made.
    #[doc(hidden)]
    fn from_encoder(bytes: [u8; 32]) -> Self;
}

/// The phases of one kind of identifier.
#[doc(hidden)]
#[expect(private_interfaces, reason = "sealed: nobody outside can name what the methods take")]
pub trait Phases<I: Identifier>: std::fmt::Debug {
    /// Takes lines through the phases: one identifier each, and the exceptions by ascending index. `lap` is told the name of
    /// each phase when it is done.
    fn identify(
        &mut self,
        text: Text<'_>,
        lines: &[Line],
        ids: &mut Vec<[u8; 32]>,
        exceptions: &mut Vec<Exception>,
        lap: &mut impl FnMut(&'static str),
    );

    /// Returns the identifier as the plain path makes it.
    fn plain(&self, url: &str) -> Result<I, I::Error>;

    /// Returns the kernels in use.
    fn kernels(&self) -> Kernels;
}

/// Makes identifiers of many URLs, one encoder for each thread.
///
/// Among many, a URL of more than 1 GiB is refused as `ERR_LINE_LEN`.
///
/// Owns all that it needs, and after its first batches allocates nothing, but for a line longer than any before and for
/// lines that take the plain path.
#[derive(Debug)]
pub struct Encoder<I: Identifier> {
    indexer: Indexer,
    working: Working<I>,
}

/// The phases, and what they write to.
#[derive(Debug)]
struct Working<I: Identifier> {
    phases: I::Phases,
    ids: Vec<[u8; 32]>,
    exceptions: Vec<Exception>,
}

impl Encoder<Sxurl> {
    /// Makes an encoder of SXURL identifiers by the given public suffix list.
    ///
    /// `key` is best a random number of the process: who knows it can make URLs that are slow to encode, but never wrong
    /// identifiers.
    pub fn new(list: &SuffixList, key: MemoKey, kernels: Kernels) -> Self {
        Self::of(SxurlPhases::new(list.clone(), key, kernels))
    }
}

impl Encoder<UrlHash> {
    /// Makes an encoder of url-hash values.
    pub fn new(kernels: Kernels) -> Self {
        Self::of(UrlHashPhases::new(kernels))
    }
}

impl<I: Identifier> Encoder<I> {
    fn of(phases: I::Phases) -> Self {
        Encoder {
            indexer: Indexer::default(),
            working: Working { phases, ids: Vec::new(), exceptions: Vec::new() },
        }
    }

    /// Returns the identifier of one URL.
    ///
    /// # Errors
    /// What the plain path says of the URL.
    pub fn encode(&mut self, url: &str) -> Result<I, I::Error> {
        let mut outcome = Outcome::Blank;
        let text = self.indexer.strings(&mut [url].into_iter().peekable(), 1);
        let mut sink = |batch: Batch<'_>| outcome = batch.outcomes().next().unwrap_or(Outcome::Blank);
        self.working.encode(text, &mut sink, &mut |_| ());
        match outcome {
            Outcome::Id(id) => Ok(id),
            Outcome::Blank | Outcome::Refused(_) => self.working.phases.plain(url),
        }
    }

    /// Gives `sink` the identifiers of URLs, a batch at a time. An empty text is a blank line.
    pub fn encode_all<'u>(
        &mut self,
        urls: impl IntoIterator<Item = &'u str>,
        mut sink: impl FnMut(Batch<'_>),
    ) {
        let mut urls = urls.into_iter().peekable();
        loop {
            let text = self.indexer.strings(&mut urls, BATCH);
            if text.lines().is_empty() {
                return;
            }
            self.working.encode(text, &mut sink, &mut |_| ());
        }
    }

    /// Gives `sink` the identifiers of a column of URLs, a batch at a time.
    ///
    /// As in Arrow's columns, each URL stands in `bytes` from its offset to the next one's, so there is an offset more than
    /// URLs; an offset that descends or lies beyond `bytes` is moved to the nearest that does not. Only URLs near the ends of
    /// `bytes` are copied. A URL that is not UTF-8 is refused; an empty one is a blank line.
    pub fn encode_column(
        &mut self,
        bytes: &[u8],
        offsets: impl IntoIterator<Item = usize>,
        mut sink: impl FnMut(Batch<'_>),
    ) {
        let mut offsets = offsets.into_iter();
        let mut start = offsets.next().unwrap_or(0).min(bytes.len());
        let mut ends = offsets.peekable();
        loop {
            let (text, end) = self.indexer.column(bytes, start, &mut ends, BATCH);
            if text.lines().is_empty() {
                return;
            }
            self.working.encode(text, &mut sink, &mut |_| ());
            start = end;
        }
    }

    /// Gives `sink` the identifiers of the lines of `bytes`, a batch at a time.
    ///
    /// A line ends with LF, and one CR before that is no part of it; the last line may lack its LF. Lines that are not UTF-8
    /// are refused.
    pub fn encode_lines(&mut self, bytes: &[u8], sink: impl FnMut(Batch<'_>)) {
        self.encode_lines_with_laps(bytes, sink, |_| ());
    }

    /// Encodes lines, and tells `lap` the name of each phase when it is done: for benchmarks.
    #[doc(hidden)]
    pub fn encode_lines_with_laps(
        &mut self,
        bytes: &[u8],
        mut sink: impl FnMut(Batch<'_>),
        mut lap: impl FnMut(&'static str),
    ) {
        let (kernels, mut start) = (self.working.phases.kernels(), 0);
        while start < bytes.len() {
            let (text, end) = self.indexer.piece(bytes, start, kernels);
            lap("index lines");
            self.working.encode(text, &mut sink, &mut lap);
            start = end;
        }
    }
}

impl<I: Identifier> Working<I> {
    fn encode(
        &mut self,
        text: Text<'_>,
        sink: &mut impl FnMut(Batch<'_>),
        lap: &mut impl FnMut(&'static str),
    ) {
        let Self { phases, ids, exceptions } = self;
        for lines in text.lines().chunks(BATCH) {
            ids.clear();
            exceptions.clear();
            match text.is_too_long() {
                true => {
                    ids.push([0; 32]);
                    exceptions.push(Exception { index: 0, code: Some(ErrorCode::LineLen) });
                }
                false => phases.identify(text, lines, ids, exceptions, lap),
            }
            sink(Batch { text, lines, ids, exceptions, kernels: phases.kernels() });
            lap("sink");
        }
    }
}

impl Identifier for Sxurl {
    type Error = EncodeError;
    type Phases = SxurlPhases;

    fn from_encoder(bytes: [u8; 32]) -> Self {
        Sxurl::from_encoder(bytes)
    }
}

impl Identifier for UrlHash {
    type Error = ParseError;
    type Phases = UrlHashPhases;

    fn from_encoder(bytes: [u8; 32]) -> Self {
        UrlHash::from_bytes(bytes)
    }
}
