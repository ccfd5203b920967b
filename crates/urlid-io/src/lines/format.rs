//! The compression of an input: none, gzip, zstd, bzip2 or xz, recognised by its first bytes.

use std::fmt;

use urlid_archives::zstd::MAX_WINDOW_LOG;

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

/// Begins bzip2 data, before a digit and one of [`BZIP2_NUMBERS`].
pub(super) const BZIP2: &[u8] = b"BZh";
/// The marks of a block (digits of pi) and of the end (of its square root), one of which follows the head of
/// bzip2 data.
const BZIP2_NUMBERS: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];
/// Begins xz data.
pub(super) const XZ: &[u8] = b"\xfd7zXZ\0";

/// Returns whether bzip2 data continues like this after its magic number, which a text may begin with; `None`
/// if more is needed.
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
/// UTF-8 cannot begin like gzip, xz or a zstd frame: bytes from 80 to BF need a lead byte, and FD is not one.
/// A skippable zstd frame begins with `P*M` to `_*M` and the control byte 18, which no list of URLs contains.
pub(crate) fn guess(head: &[u8]) -> Guess {
    const GZIP: &[u8] = b"\x1f\x8b\x08";
    const ZSTD: &[u8] = b"\x28\xb5\x2f\xfd";
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
