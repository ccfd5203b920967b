//! The encoder: lines in, batches of identifiers out.

use super::output::Batch;
use super::phases::{BATCH, Exception, Identifier, Phases};
use super::text::{LineIndexer, LineRange, Text};
use crate::error::ErrorCode;

/// Makes identifiers of many URLs, one encoder for each thread.
///
/// In a batch, a URL of more than 1 GiB has no identifier, but the code [`ErrorCode::LineLen`].
///
/// ```
/// use urlid::batch::Encoder;
/// use urlid::Sxurl;
///
/// let mut encoder = Encoder::<Sxurl>::default();
/// assert_eq!(encoder.encode("https://docs.rs/"), Sxurl::encode("https://docs.rs/"));
/// ```
///
/// Owns its buffers. After the first batches it allocates only for a line longer than any before, and for lines that are
/// not recognised and encoded alone.
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
    /// That of encoding the URL without an encoder.
    pub fn encode(&mut self, url: &str) -> Result<I, I::Error> {
        let text = self.indexer.strings(&mut [url].into_iter().peekable(), 1);
        self.working.encode(text, &mut |_| (), &mut |_| ());
        match (&self.working.ids[..], &self.working.exceptions[..]) {
            (&[id], []) => Ok(I::from_encoder(id)),
            // A batch has no more of an error than its code, and none for an empty text. Encoding alone has the whole error.
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
            self.working.encode(text, &mut receive, &mut |_| ());
        }
    }

    /// Encodes a column of URLs and calls `receive` for each batch.
    ///
    /// As in Arrow's columns, each URL is in `bytes` from its offset to the next one's, so there is one offset more than there
    /// are URLs. An offset that descends or lies beyond `bytes` is replaced by the nearest that does not. Only URLs near the
    /// ends of `bytes` are copied. A URL that is not UTF-8 has no identifier; an empty one is a blank line.
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
            self.working.encode(text, &mut receive, &mut |_| ());
            start = end;
        }
    }

    /// Encodes the lines of `bytes` and calls `receive` for each batch.
    ///
    /// A line ends with LF, and one CR before that is not a part of it; the last line may lack its LF. A line that is not UTF-8
    /// has no identifier.
    pub fn encode_lines(&mut self, bytes: &[u8], receive: impl FnMut(Batch<'_, I>)) {
        self.encode_lines_with_laps(bytes, receive, |_| ());
    }

    /// Encodes lines, and calls `lap` with the name of each phase when it is done: for benchmarks.
    #[doc(hidden)]
    pub fn encode_lines_with_laps(
        &mut self,
        bytes: &[u8],
        mut receive: impl FnMut(Batch<'_, I>),
        mut lap: impl FnMut(&'static str),
    ) {
        let (kernels, mut start) = (self.working.phases.kernels(), 0);
        while start < bytes.len() {
            let (text, end) = self.indexer.chunk(bytes, start, kernels);
            lap("index lines");
            self.working.encode(text, &mut receive, &mut lap);
            start = end;
        }
    }
}

impl<I: Identifier> Working<I> {
    fn encode(
        &mut self,
        text: Text<'_>,
        receive: &mut impl FnMut(Batch<'_, I>),
        lap: &mut impl FnMut(&'static str),
    ) {
        let Self { phases, ids, exceptions } = self;
        for lines in text.lines().chunks(BATCH) {
            ids.clear();
            exceptions.clear();
            if text.is_too_long() {
                ids.push(I::Value::default());
                exceptions.push(Exception { index: 0, code: Some(ErrorCode::LineLen) });
            } else {
                phases.identify(text, lines, ids, exceptions, lap);
            }
            receive(Batch { text, lines, ids, exceptions, phases: &*phases });
            lap("output");
        }
    }
}

/// Encodes the lines with the indexes in `unrecognised` by `encode`, which returns a value or the code of an error. Exceptions
/// stay by ascending index.
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
    // An earlier phase may have added exceptions, and those of this one belong between them.
    exceptions.sort_unstable_by_key(|exception| exception.index);
}
