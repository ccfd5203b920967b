//! The members of a stored WARC file: gzip members or zstd frames with a record each, or the whole of a plain file.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

use super::error::ArchiveError;

/// The largest zstd window that is decoded, as a power of two.
const MAX_ZSTD_WINDOW_LOG: u32 = 27;

/// Decodes the members of a file one after the other. Reading ends with each member, and [`Members::next_member`] goes on.
pub struct Members<R: BufRead>(Decoder<R>);

enum Decoder<R: BufRead> {
    Plain(Counted<R>),
    Gzip(Box<GzDecoder<Lent<R>>>),
    /// A decoder, or the file between two frames.
    Zstd(Zstd<R>),
}

enum Zstd<R: BufRead> {
    Between(Lent<R>),
    Within(Box<zstd::Decoder<'static, Lent<R>>>),
}

impl<R: BufRead> std::fmt::Debug for Members<R> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Members").field(&self.offset()).finish()
    }
}

impl<R: BufRead> Members<R> {
    /// Begins with the first member of `source`, decoded as its first bytes show.
    ///
    /// # Errors
    /// If the first bytes cannot be read.
    pub fn new(source: R) -> io::Result<Self> {
        let mut source = Counted { source, count: 0 };
        let head = source.fill_buf()?;
        Ok(Members(match head {
            [0x1f, 0x8b, ..] => Decoder::Gzip(Box::new(GzDecoder::new(Lent(Some(source))))),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Decoder::Zstd(Zstd::Within(Box::new(frame(Lent(Some(source)))?)))
            }
            _ => Decoder::Plain(source),
        }))
    }

    /// Whether each record has a member of its own, so that it can be read alone.
    pub fn are_compressed(&self) -> bool {
        !matches!(self.0, Decoder::Plain(_))
    }

    /// Returns how many bytes of the file were decoded: at the end of a member, where it ends.
    pub fn offset(&self) -> u64 {
        match &self.0 {
            Decoder::Plain(source) => source.count,
            Decoder::Gzip(decoder) => decoder.get_ref().count(),
            Decoder::Zstd(Zstd::Between(source)) => source.count(),
            Decoder::Zstd(Zstd::Within(decoder)) => decoder.get_ref().count(),
        }
    }

    /// Goes on to the next member; returns whether there is one. The present one must have been read to its end.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_member(&mut self) -> io::Result<bool> {
        match &mut self.0 {
            Decoder::Plain(_) => Ok(false),
            Decoder::Gzip(decoder) => {
                let mut source = std::mem::take(decoder.get_mut());
                let has_more = !source.fill_buf()?.is_empty();
                decoder.reset(source);
                Ok(has_more)
            }
            Decoder::Zstd(zstd) => {
                let mut source = match std::mem::replace(zstd, Zstd::Between(Lent(None))) {
                    Zstd::Between(source) => source,
                    Zstd::Within(decoder) => decoder.finish(),
                };
                if source.fill_buf()?.is_empty() {
                    *zstd = Zstd::Between(source);
                    return Ok(false);
                }
                *zstd = Zstd::Within(Box::new(frame(source)?));
                Ok(true)
            }
        }
    }
}

/// Begins to decode a frame.
fn frame<R: BufRead>(source: Lent<R>) -> io::Result<zstd::Decoder<'static, Lent<R>>> {
    let mut decoder = zstd::Decoder::with_buffer(source)?.single_frame();
    decoder.window_log_max(MAX_ZSTD_WINDOW_LOG)?;
    Ok(decoder)
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Decoder::Plain(source) => source.read(room),
            Decoder::Gzip(decoder) => decoder.read(room),
            Decoder::Zstd(Zstd::Between(_)) => Ok(0),
            Decoder::Zstd(Zstd::Within(decoder)) => decoder.read(room),
        }
    }
}

/// Tells an error of the decoder from one of the file.
pub(crate) fn decode_error(error: ArchiveError, member: u64) -> ArchiveError {
    match error {
        ArchiveError::Read(error) if error.raw_os_error().is_none() => {
            let is_cut = error.kind() == io::ErrorKind::UnexpectedEof;
            let detail =
                if is_cut { "it ends too early".to_owned() } else { error.to_string().to_lowercase() };
            ArchiveError::Member { offset: member, detail }
        }
        other => other,
    }
}

/// A reader that counts what was taken.
struct Counted<R> {
    source: R,
    count: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let n = self.source.read(room)?;
        self.count += n as u64;
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.source.consume(n);
        self.count += n as u64;
    }
}

/// A reader that a decoder has, until it is taken for the next one.
struct Lent<R>(Option<Counted<R>>);

impl<R> Default for Lent<R> {
    fn default() -> Self {
        Lent(None)
    }
}

impl<R> Lent<R> {
    fn count(&self) -> u64 {
        self.0.as_ref().map_or(0, |source| source.count)
    }
}

impl<R: BufRead> Read for Lent<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |source| source.read(room))
    }
}

impl<R: BufRead> BufRead for Lent<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.as_mut().map_or(Ok(&[]), BufRead::fill_buf)
    }

    fn consume(&mut self, n: usize) {
        if let Some(source) = &mut self.0 {
            source.consume(n);
        }
    }
}
