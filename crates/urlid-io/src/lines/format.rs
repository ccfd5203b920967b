//! The compression of an input: none, gzip or zstd, recognised by its first bytes.

use std::fmt;

use crate::archives::zstd::MAX_WINDOW_LOG;

/// The largest zstd window that is decoded, 128 MiB. The decoder keeps a whole window in memory.
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
}

impl fmt::Display for Compression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Compression::Plain => "plain",
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        })
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
/// UTF-8 cannot begin like gzip or a zstd frame: bytes from 80 to BF need a lead byte. A skippable zstd frame begins with `P*M`
/// to `_*M` and the control byte 18, which no list of URLs contains.
pub(crate) fn guess(head: &[u8]) -> Guess {
    const GZIP: &[u8] = b"\x1f\x8b\x08";
    const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
    const ZSTD_SKIP: &[u8] = b"\x50\x2a\x4d\x18";
    let mut skip = head.to_vec();
    if let Some(first) = skip.first_mut() {
        // 50 to 5F are the first bytes of skippable frames.
        *first &= 0xf0;
    }
    for (magic, head, format) in [
        (GZIP, head, Compression::Gzip),
        (ZSTD, head, Compression::Zstd),
        (ZSTD_SKIP, &skip, Compression::Zstd),
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
            (b"h", Guess::Is(Compression::Plain)),
            (b"", Guess::Open),
        ] {
            assert_eq!(guess(head), expected, "{head:x?}");
        }
    }
}
