//! A stream that is decoded according to its first bytes: gzip, zstd, bzip2 and xz, on a separate thread.
//!
//! All members and frames of the input are read. A decompression bomb cannot fill the memory, because the
//! thread stays at most a few blocks ahead of the reader.

use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::{fmt, thread};

use lzma_rust2::XzReader;
use urlid::{Error, ErrorKind};
use urlid_archives::zstd::{MAX_WINDOW_LOG, dictionary};
use urlid_archives::{AllMembers, Members};

use crate::error;
use crate::lines::stream::{ByteStream, CountedStream};
use crate::lines::utf16::Unicode;

/// The most decoded bytes in one message. A message has fewer if the decoder has run out of input for now, so
/// that a slow pipe is not delayed.
const BLOCK: usize = 256 << 10;

/// The memory limit of the xz decoder in KiB: its largest window, and 1 MiB for everything else.
const XZ_KIB: u32 = (MAX_ZSTD_WINDOW >> 10) as u32 + 1024;

/// The number of blocks that the thread may be ahead.
const AHEAD: usize = 2;

/// Decodes `source` in a new thread.
pub(crate) fn spawn(source: CountedStream, format: Compression) -> io::Result<Decoded> {
    let (give, take) = sync_channel(AHEAD);
    thread::Builder::new().name(format!("urlid-{format}")).spawn(move || run(source, format, &give))?;
    Ok(Decoded { take, block: Vec::new(), used: 0, next: None, is_at_end: false, format, decoded: 0 })
}

/// A block of decoded bytes, an empty one at their end, or the error that ends them.
type Message = Result<Vec<u8>, Error>;

fn run(source: CountedStream, format: Compression, give: &SyncSender<Message>) {
    let source = BufReader::with_capacity(64 << 10, source);
    let decoder: io::Result<Box<dyn Read>> = match format {
        Compression::Plain => Ok(Box::new(source)),
        // `MultiGzDecoder` would treat zeros after the data as damage.
        Compression::Gzip => {
            Members::new(source).map(|members| Box::new(AllMembers(members)) as Box<dyn Read>)
        }
        Compression::Bzip2 => Ok(Box::new(bzip2::bufread::MultiBzDecoder::new(source))),
        Compression::Xz => Ok(Box::new(XzReader::new_mem_limit(source, true, XZ_KIB))),
        Compression::Zstd => zstd_decoder(source).map(|decoder| Box::new(decoder) as Box<dyn Read>),
    };
    let mut decoder = match decoder {
        Ok(decoder) => decoder,
        Err(error) => return drop(give.send(Err(explain(error, format, 0)))),
    };
    let mut decoded = 0;
    // One room for all reads: a member of an archive fills a small part of it, and clearing the rest for each
    // took a quarter of the time.
    let mut room = vec![0; BLOCK];
    loop {
        match decoder.read(&mut room) {
            Ok(0) => return drop(give.send(Ok(Vec::new()))),
            Ok(n) => {
                decoded += n as u64;
                // A failed send means that the reader was dropped.
                if give.send(Ok(room[..n].to_vec())).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return drop(give.send(Err(explain(error, format, decoded)))),
        }
    }
}

fn zstd_decoder<R: io::BufRead>(mut source: R) -> io::Result<zstd::Decoder<'static, R>> {
    let dictionary = dictionary(&mut source)?;
    let mut decoder = zstd::Decoder::with_dictionary(source, &dictionary)?;
    decoder.window_log_max(MAX_WINDOW_LOG)?;
    Ok(decoder)
}

fn explain(error: io::Error, format: Compression, decoded: u64) -> Error {
    // Errors of decoders are also `io::Error`s, but lack an error code of the operating system.
    if error.raw_os_error().is_some() || error.get_ref().is_some_and(|inner| inner.is::<Error>()) {
        return error::read(error);
    }
    let of = |kind: ErrorKind| kind.error().with_subject(format.to_string()).with_number(decoded);
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return of(error::TRUNCATED);
    }
    let too_large = || {
        let expected = format!("at most {} MiB", MAX_ZSTD_WINDOW >> 20);
        error::WINDOW.error().with_subject(format.to_string()).with_expected(expected)
    };
    if format == Compression::Xz && error.kind() == io::ErrorKind::OutOfMemory {
        return too_large();
    }
    let detail = error.to_string();
    // The text of zstd's error `frameParameter_windowTooLarge`, because its code is lost in `io::Error`.
    if format == Compression::Zstd && detail.contains("requires too much memory") {
        return too_large();
    }
    of(error::DAMAGED).with_shown(detail.to_lowercase())
}

/// The reading end of a decoder.
pub(crate) struct Decoded {
    take: Receiver<Message>,
    block: Vec<u8>,
    /// The number of bytes of `block` that were read.
    used: usize,
    /// A message that `is_ready` received.
    next: Option<Message>,
    is_at_end: bool,
    format: Compression,
    /// The number of decoded bytes, including those in `block`.
    decoded: u64,
}

impl Decoded {
    /// Returns the error of a decoder that ended without a last message.
    fn stopped(&self) -> Error {
        let error = error::DAMAGED.error().with_subject(self.format.to_string()).with_number(self.decoded);
        error.with_shown("decoder stopped")
    }
}

impl ByteStream for Decoded {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        if self.used == self.block.len() && !self.is_at_end {
            let message = self.next.take().or_else(|| self.take.recv().ok());
            // A decoder that ends without a last message is broken, not done.
            let message = message.unwrap_or_else(|| Err(self.stopped()));
            // Set before the error is returned, because the error is the end.
            self.is_at_end = true;
            self.block = message?;
            (self.used, self.is_at_end) = (0, self.block.is_empty());
            self.decoded += self.block.len() as u64;
        }
        let n = room.len().min(self.block.len() - self.used);
        room[..n].copy_from_slice(&self.block[self.used..self.used + n]);
        self.used += n;
        Ok(n)
    }

    fn is_ready(&mut self) -> bool {
        if self.used < self.block.len() || self.next.is_some() {
            return true;
        }
        match self.take.try_recv() {
            Ok(message) => {
                self.next = Some(message);
                true
            }
            Err(TryRecvError::Empty) => false,
            // `read` returns without waiting.
            Err(TryRecvError::Disconnected) => true,
        }
    }

    fn is_idle(&mut self) -> bool {
        // The decoder may just be slower than its reader.
        false
    }
}

/// Returns the content of a stream and its compression. The content is decoded if the stream starts like
/// compressed data or UTF-16. `count` counts the stored bytes that are read.
pub(crate) fn decoded(
    mut stream: Box<dyn ByteStream>,
    count: Arc<AtomicU64>,
) -> Result<(Box<dyn ByteStream>, Compression), Error> {
    let (head, format) = recognise(stream.as_mut())?;
    let source = CountedStream { head, stream, count };
    let stream: Box<dyn ByteStream> = match format {
        Compression::Plain => Box::new(source),
        _ => Box::new(spawn(source, format).map_err(error::read)?),
    };
    Ok((Box::new(Unicode::new(stream)), format))
}

/// Recognises the compression from as few bytes as possible and returns these bytes with it.
fn recognise(stream: &mut dyn ByteStream) -> Result<(Vec<u8>, Compression), Error> {
    let mut head = Vec::new();
    loop {
        let mut room = [0; 4];
        let n = match guess(&head) {
            Guess::Is(format) => return Ok((head, format)),
            Guess::Open => stream.read(&mut room)?,
        };
        if n == 0 {
            return Ok((head, Compression::Plain));
        }
        head.extend_from_slice(&room[..n]);
    }
}

/// The largest window of zstd and xz that is decoded, 128 MiB. The decoder keeps a whole window in memory.
pub const MAX_ZSTD_WINDOW: u64 = 1 << MAX_WINDOW_LOG;

/// The compression of an input.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not compressed.
    Plain,
    /// Gzip (RFC 1952), one member or more.
    Gzip,
    /// Zstandard (RFC 8878), one frame or more.
    Zstd,
    /// Bzip2, one stream or more.
    Bzip2,
    /// Xz, one stream or more.
    Xz,
}

impl fmt::Display for Compression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Compression::Plain => "plain",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
        })
    }
}

/// The first bytes of a gzip member.
pub(super) const GZIP: &[u8] = b"\x1f\x8b\x08";
/// The first bytes of a zstd frame.
pub(super) const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
/// The first bytes of bzip2 data. A digit and one of [`BZIP2_NUMBERS`] follow.
pub(super) const BZIP2: &[u8] = b"BZh";
/// The marks of a block (digits of pi) and of the end (digits of its square root). One of them follows the
/// head of bzip2 data.
const BZIP2_NUMBERS: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];
/// The first bytes of xz data.
pub(super) const XZ: &[u8] = b"\xfd7zXZ\0";

/// Returns whether the bytes after the magic number, with which a text may also start, continue it as bzip2
/// data. Returns `None` if more bytes are needed.
pub(super) fn is_bzip2(rest: &[u8]) -> Option<bool> {
    let (size, rest) = rest.split_first()?;
    match (b'1'..=b'9').contains(size) {
        true if BZIP2_NUMBERS.iter().any(|number| rest.starts_with(number)) => Some(true),
        true if BZIP2_NUMBERS.iter().any(|number| number.starts_with(rest)) => None,
        _ => Some(false),
    }
}

/// The result of looking at the first bytes of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    Is(Compression),
    /// More bytes are needed.
    Open,
}

/// Recognises the format by its magic number.
///
/// UTF-8 cannot start like gzip, xz or a zstd frame: bytes from 80 to BF need a lead byte, and FD is not a
/// lead byte. A skippable zstd frame starts with `P*M` to `_*M` and the control byte 18, which does not occur
/// in lists of URLs.
pub(crate) fn guess(head: &[u8]) -> Guess {
    const ZSTD_SKIP: &[u8] = b"\x50\x2a\x4d\x18";
    let mut skip = head.to_vec();
    if let Some(first) = skip.first_mut() {
        // 50 to 5F are the first bytes of skippable frames.
        *first &= 0xf0;
    }
    if let Some(rest) = head.strip_prefix(BZIP2) {
        return match is_bzip2(rest) {
            Some(true) => Guess::Is(Compression::Bzip2),
            Some(false) => Guess::Is(Compression::Plain),
            None => Guess::Open,
        };
    }
    if BZIP2.starts_with(head) {
        return Guess::Open;
    }
    for (magic, head, format) in [
        (GZIP, head, Compression::Gzip),
        (ZSTD, head, Compression::Zstd),
        (ZSTD_SKIP, &skip, Compression::Zstd),
        (XZ, head, Compression::Xz),
    ] {
        if head.starts_with(magic) {
            return Guess::Is(format);
        }
        if magic.starts_with(head) {
            return Guess::Open;
        }
    }
    Guess::Is(Compression::Plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised_by_as_few_bytes_as_possible() {
        for (head, expected) in [
            (&b"\x1f\x8b\x08"[..], Guess::Is(Compression::Gzip)),
            (b"\x1f\x8b", Guess::Open),
            (b"\x1f\x8b\x07", Guess::Is(Compression::Plain)),
            (b"\x28\xb5\x2f\xfd", Guess::Is(Compression::Zstd)),
            (b"(", Guess::Open),
            (b"(a", Guess::Is(Compression::Plain)),
            (b"\x5a\x2a\x4d\x18", Guess::Is(Compression::Zstd)),
            (b"P*", Guess::Open),
            (b"P ", Guess::Is(Compression::Plain)),
            (b"BZh9", Guess::Open),
            (b"BZh91AY&SY", Guess::Is(Compression::Bzip2)),
            (b"BZh1\x17\x72\x45\x38\x50\x90", Guess::Is(Compression::Bzip2)),
            (b"BZh91.", Guess::Is(Compression::Plain)),
            (b"BZ2", Guess::Is(Compression::Plain)),
            (b"\xfd7zXZ", Guess::Open),
            (b"\xfd7zXZ\0", Guess::Is(Compression::Xz)),
            (b"h", Guess::Is(Compression::Plain)),
            (b"", Guess::Open),
        ] {
            assert_eq!(guess(head), expected, "{head:x?}");
        }
    }
}
