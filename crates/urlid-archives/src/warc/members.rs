//! The members of a stored WARC file: gzip members or zstd frames with one record each, or a whole plain
//! file.
//!
//! A dictionary may precede the zstd frames.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use flate2::bufread::GzDecoder;

use crate::error;
use crate::zstd::{Frames, dictionary};
use urlid::Error;

/// The way the records of a file are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// One after the other.
    Plain,
    /// Each in a gzip member.
    Gzip,
    /// Each in a zstd frame.
    Zstd,
}

impl Stored {
    /// All three ways.
    pub(crate) const ALL: [Self; 3] = [Stored::Plain, Stored::Gzip, Stored::Zstd];
}

/// Decodes the members of a file one after the other. Reading stops at the end of each member, and
/// [`Members::next_member`] moves to the next.
pub struct Members<R: BufRead>(Decoder<R>);

enum Decoder<R: BufRead> {
    Plain(Lent<R>),
    Gzip(Box<GzDecoder<Lent<R>>>),
    Zstd(Lent<R>, Frames),
}

impl<R: BufRead> std::fmt::Debug for Members<R> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Members").field(&self.offset()).finish()
    }
}

impl<R: BufRead> Members<R> {
    /// Starts with the first member of `source`, whose compression is recognised by its first bytes.
    ///
    /// # Errors
    /// If the first bytes cannot be read, or the dictionary of zstd frames is damaged.
    pub fn new(source: R) -> io::Result<Self> {
        let mut source = Lent(Some(Counted { source, count: 0 }));
        let head = source.fill_buf()?;
        Ok(Members(match head {
            [0x1f, 0x8b, ..] => Decoder::Gzip(Box::new(GzDecoder::new(source))),
            // Zstandard, or a skippable frame (RFC 8878, section 3.1.2), which may hold a dictionary.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                let frames = dictionary(&mut source).and_then(|dictionary| Frames::new(&dictionary));
                // Reported as an error of the first member, because the caller could not determine its place.
                let frames = frames.map_err(|error| error::wrapped(decode_error(error::read(error), 0)))?;
                Decoder::Zstd(source, frames)
            }
            _ => Decoder::Plain(source),
        }))
    }

    /// Returns the offset of the first member, before the first read. A dictionary precedes it.
    pub(crate) fn start(&self) -> u64 {
        match &self.0 {
            Decoder::Zstd(source, _) => source.count(),
            // A decoder of gzip has consumed the head of the member already.
            Decoder::Plain(_) | Decoder::Gzip(_) => 0,
        }
    }

    /// Returns whether the file consists of compressed members.
    pub fn are_compressed(&self) -> bool {
        !matches!(self.0, Decoder::Plain(_))
    }

    /// Returns the command that writes a file of several records in one member again, with one for each.
    pub(crate) fn repair(&self) -> &'static str {
        match self.0 {
            Decoder::Plain(_) | Decoder::Gzip(_) => "warcio recompress FILE NEW.warc.gz",
            // warcio does not read Zstandard.
            Decoder::Zstd(..) => "zstd -d FILE -o PLAIN.warc && warcio recompress PLAIN.warc NEW.warc.gz",
        }
    }

    /// Returns the number of stored bytes that were consumed. At the end of a member, this is the offset of
    /// its end.
    pub fn offset(&self) -> u64 {
        match &self.0 {
            Decoder::Plain(source) | Decoder::Zstd(source, _) => source.count(),
            Decoder::Gzip(decoder) => decoder.get_ref().count(),
        }
    }

    /// Moves to the next member and returns its offset, or `None` at the end of the file. The current one
    /// must have been read to its end.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next_member(&mut self) -> io::Result<Option<u64>> {
        match &mut self.0 {
            Decoder::Plain(_) => Ok(None),
            Decoder::Gzip(decoder) => {
                let has_more = skip_zeros(decoder.get_mut())?;
                let offset = decoder.get_ref().count();
                // `GzDecoder` returns its source only in exchange for a new one, so the source is moved out
                // of its `Lent` and put back.
                let source = std::mem::take(decoder.get_mut());
                decoder.reset(source);
                Ok(has_more.then_some(offset))
            }
            Decoder::Zstd(source, frames) => {
                frames.next()?;
                Ok((!source.fill_buf()?.is_empty()).then_some(source.count()))
            }
        }
    }
}

impl<R: BufRead> Members<R> {
    /// Returns how the file is stored.
    pub(crate) fn stored(&self) -> Stored {
        match self.0 {
            Decoder::Plain(_) => Stored::Plain,
            Decoder::Gzip(_) => Stored::Gzip,
            Decoder::Zstd(..) => Stored::Zstd,
        }
    }

    /// Returns the file as stored.
    pub(crate) fn stored_bytes(&mut self) -> &mut impl BufRead {
        self.lent()
    }

    fn lent(&mut self) -> &mut Lent<R> {
        match &mut self.0 {
            Decoder::Plain(source) | Decoder::Zstd(source, _) => source,
            Decoder::Gzip(decoder) => decoder.get_mut(),
        }
    }

    /// Returns the first `len` bytes of a zstd frame, or fewer if it is damaged. Call [`Members::restart`]
    /// before the next read.
    pub(crate) fn start_of_frame(&mut self, mut stored: &[u8], len: usize) -> Vec<u8> {
        let (mut start, mut room) = (Vec::new(), [0; 512]);
        let mut read = |frames: &mut Frames| -> io::Result<()> {
            frames.next()?;
            while start.len() < len {
                match frames.read(&mut stored, &mut room)? {
                    0 => break,
                    n => start.extend_from_slice(&room[..n]),
                }
            }
            Ok(())
        };
        // The bytes before an error are kept.
        let _ = match &mut self.0 {
            Decoder::Zstd(_, frames) => read(frames),
            Decoder::Plain(_) | Decoder::Gzip(_) => Frames::new(&[]).and_then(|mut frames| read(&mut frames)),
        };
        start
    }
}

impl<R: BufRead + Seek> Members<R> {
    /// Moves to an offset of the stored file. Call [`Members::restart`] before the next read.
    pub(crate) fn seek(&mut self, to: u64) -> io::Result<()> {
        let Some(source) = &mut self.lent().0 else { return Ok(()) };
        source.count = source.source.seek(SeekFrom::Start(to))?;
        Ok(())
    }

    /// Returns the length of the stored file, and moves to its end.
    pub(crate) fn end(&mut self) -> io::Result<u64> {
        let Some(source) = &mut self.lent().0 else { return Ok(0) };
        source.count = source.source.seek(SeekFrom::End(0))?;
        Ok(source.count)
    }

    /// Continues with the member, or the record of a plain file, at a place of the file.
    pub(crate) fn restart(&mut self, at: u64, stored: Stored) -> io::Result<()> {
        self.seek(at)?;
        let source = std::mem::take(self.lent());
        match &mut self.0 {
            // The frames stay, because they hold the dictionary of the file.
            Decoder::Zstd(lent, frames) if stored == Stored::Zstd => {
                *lent = source;
                return frames.next();
            }
            _ => {}
        }
        self.0 = match stored {
            Stored::Plain => Decoder::Plain(source),
            Stored::Gzip => Decoder::Gzip(Box::new(GzDecoder::new(source))),
            Stored::Zstd => Decoder::Zstd(source, Frames::new(&[])?),
        };
        Ok(())
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Decoder::Plain(source) => source.read(room),
            Decoder::Gzip(decoder) => decoder.read(room),
            Decoder::Zstd(source, frames) => frames.read(source, room),
        }
    }
}

/// Skips zeros, which tapes and disks leave after gzip data, and returns whether other bytes follow.
fn skip_zeros(source: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let there = source.fill_buf()?;
        let (len, zeros) = (there.len(), there.iter().take_while(|byte| **byte == 0).count());
        source.consume(zeros);
        if zeros < len || len == 0 {
            return Ok(len > 0);
        }
    }
}

/// A file decoded as a whole.
pub struct AllMembers<R: BufRead>(pub Members<R>);

impl<R: BufRead> Read for AllMembers<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(room)? {
                0 if !room.is_empty() && self.0.next_member()?.is_some() => {}
                n => return Ok(n),
            }
        }
    }
}

/// Turns an error of the decoder into an error of the member. Errors of the operating system stay.
pub(crate) fn decode_error(error: Error, member: u64) -> Error {
    let of_decoder = error::system_error(&error).filter(|source| source.raw_os_error().is_none());
    let Some(source) = of_decoder else { return error };
    let is_cut = source.kind() == io::ErrorKind::UnexpectedEof;
    let detail = if is_cut { "it ends too early".to_owned() } else { source.to_string().to_lowercase() };
    error::MEMBER.error().with_number(member).with_shown(detail)
}

/// A reader that counts consumed bytes. The decoders read from a `BufRead` and consume only their member, so
/// the count is exact.
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

/// A reader that can be moved out of a decoder for the next one. Without it, an empty reader.
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
