//! Gzip and zstd, decoded in a thread of their own.
//!
//! All members and frames of the input are read. A bomb is harmless: the thread stays at most a few blocks ahead of
//! whoever reads. Knows nothing about lines.

use std::fmt;
use std::io::{self, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;

use crate::feed::{Counted, Feed, ReadError};

/// The largest zstd window that is decoded, in bytes: what decoding may take of memory.
pub const MAX_ZSTD_WINDOW: u64 = 1 << MAX_ZSTD_WINDOW_LOG;

const MAX_ZSTD_WINDOW_LOG: u32 = 27;

/// The most decoded bytes handed over at once; fewer where the source has no more for now.
const BLOCK: usize = 256 << 10;

/// Blocks that the thread may be ahead.
const AHEAD: usize = 2;

/// How an input is stored.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// As it is.
    Plain,
    /// Gzip (RFC 1952), one member or more.
    Gzip,
    /// Zstandard (RFC 8878), one frame or more.
    Zstd,
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Format::Plain => "plain",
            Format::Gzip => "gzip",
            Format::Zstd => "zstd",
        })
    }
}

/// What the first bytes of an input say of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guess {
    Is(Format),
    /// More bytes are needed.
    Open,
}

/// Tells the format by its magic number. No text in UTF-8 begins like gzip or like a zstd frame; a zstd frame to skip
/// begins `P*M` to `_*M` and a control byte.
pub(crate) fn guess(head: &[u8]) -> Guess {
    const GZIP: &[u8] = b"\x1f\x8b\x08";
    const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
    const ZSTD_SKIP: &[u8] = b"\x50\x2a\x4d\x18";
    let mut skip = head.to_vec();
    if let Some(first) = skip.first_mut() {
        *first &= 0xf0;
    }
    for (magic, head, format) in
        [(GZIP, head, Format::Gzip), (ZSTD, head, Format::Zstd), (ZSTD_SKIP, &skip, Format::Zstd)]
    {
        if head.starts_with(magic) {
            return Guess::Is(format);
        }
        if magic.starts_with(head) {
            return Guess::Open;
        }
    }
    Guess::Is(Format::Plain)
}

/// Decodes `source` in a new thread.
pub(crate) fn spawn(source: Counted, format: Format) -> io::Result<Decoded> {
    let (give, take) = sync_channel(AHEAD);
    thread::Builder::new().name(format!("urlid-{format}")).spawn(move || run(source, format, &give))?;
    Ok(Decoded { take, block: Vec::new(), used: 0, next: None })
}

type Message = Result<Vec<u8>, ReadError>;

fn run(source: Counted, format: Format, give: &SyncSender<Message>) {
    let source = BufReader::with_capacity(64 << 10, source);
    let mut decoder: Box<dyn Read> = match format {
        Format::Plain => Box::new(source),
        Format::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(source)),
        Format::Zstd => match zstd_decoder(source) {
            Ok(decoder) => Box::new(decoder),
            Err(error) => return drop(give.send(Err(ReadError::Io(error)))),
        },
    };
    let mut decoded = 0;
    loop {
        let mut block = vec![0; BLOCK];
        match decoder.read(&mut block) {
            Ok(0) => return,
            Ok(n) => {
                decoded += n as u64;
                block.truncate(n);
                // A failed send means that nobody reads any more.
                if give.send(Ok(block)).is_err() {
                    return;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return drop(give.send(Err(explain(error, format, decoded)))),
        }
    }
}

fn zstd_decoder<R: io::BufRead>(source: R) -> io::Result<zstd::Decoder<'static, R>> {
    let mut decoder = zstd::Decoder::with_buffer(source)?;
    decoder.window_log_max(MAX_ZSTD_WINDOW_LOG)?;
    Ok(decoder)
}

fn explain(error: io::Error, format: Format, decoded: u64) -> ReadError {
    if error.raw_os_error().is_some() {
        return ReadError::Io(error);
    }
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return ReadError::Truncated { format, decoded };
    }
    let detail = error.to_string();
    // The name that the zstd library gives to its error `frameParameter_windowTooLarge`.
    if format == Format::Zstd && detail.contains("requires too much memory") {
        return ReadError::Window;
    }
    ReadError::Damaged { format, decoded, detail: detail.to_lowercase() }
}

/// The reading end of a decoder.
pub(crate) struct Decoded {
    take: Receiver<Message>,
    block: Vec<u8>,
    /// How much of `block` was read.
    used: usize,
    /// A message that `ready` took.
    next: Option<Message>,
}

impl Feed for Decoded {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, ReadError> {
        if self.used == self.block.len() {
            // A thread that is gone without an error has reached the end.
            let Some(message) = self.next.take().or_else(|| self.take.recv().ok()) else { return Ok(0) };
            self.block = message?;
            self.used = 0;
        }
        let n = room.len().min(self.block.len() - self.used);
        room[..n].copy_from_slice(&self.block[self.used..self.used + n]);
        self.used += n;
        Ok(n)
    }

    fn ready(&mut self) -> bool {
        if self.used < self.block.len() || self.next.is_some() {
            return true;
        }
        match self.take.try_recv() {
            Ok(message) => {
                self.next = Some(message);
                true
            }
            Err(TryRecvError::Empty) => false,
            Err(TryRecvError::Disconnected) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_as_few_bytes_as_possible() {
        for (head, expected) in [
            (&b"\x1f\x8b\x08"[..], Guess::Is(Format::Gzip)),
            (b"\x1f\x8b", Guess::Open),
            (b"\x1f\x8b\x07", Guess::Is(Format::Plain)),
            (b"\x28\xb5\x2f\xfd", Guess::Is(Format::Zstd)),
            (b"(", Guess::Open),
            (b"(a", Guess::Is(Format::Plain)),
            (b"\x5a\x2a\x4d\x18", Guess::Is(Format::Zstd)),
            (b"P*", Guess::Open),
            (b"P ", Guess::Is(Format::Plain)),
            (b"h", Guess::Is(Format::Plain)),
            (b"", Guess::Open),
        ] {
            assert_eq!(guess(head), expected, "{head:x?}");
        }
    }
}
