//! Decompresses pages, each to exactly the length that its header states.
//!
//! The decoders of the `parquet` crate decompress GZIP, BROTLI and LZ4's frames without a limit, so a page of
//! a few kilobytes could fill the memory. This module does not depend on the contents of a page.

use std::io::Read;

use parquet::basic::Compression;

/// The first bytes of an LZ4 frame, which early versions of Arrow's Rust library wrote as `LZ4`.
const LZ4_FRAME: &[u8] = b"\x04\x22\x4d\x18";

/// Returns whether a method compresses, or its name if it is not supported.
pub(super) fn is_packed(compression: Compression) -> Result<bool, String> {
    match compression {
        Compression::UNCOMPRESSED => Ok(false),
        Compression::SNAPPY
        | Compression::ZSTD(_)
        | Compression::GZIP(_)
        | Compression::BROTLI(_)
        | Compression::LZ4
        | Compression::LZ4_RAW => Ok(true),
        other => Err(name(other)),
    }
}

/// Returns the name of a method, without its level.
fn name(compression: Compression) -> String {
    let name = compression.to_string();
    name.split_once('(').map_or(name.clone(), |(name, _)| name.to_owned())
}

/// Appends the decompressed bytes of `packed`, which must be `len` bytes long.
pub(super) fn unpack(
    compression: Compression,
    packed: &[u8],
    len: usize,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let start = out.len();
    // This allocates for a claim, but a bounded one: `pages` rejects claims of more than 128 MiB.
    out.resize(start + len, 0);
    let room = &mut out[start..];
    let found = match compression {
        Compression::UNCOMPRESSED => {
            room.copy_from_slice(packed.get(..len).ok_or("it ends too early")?);
            Ok(packed.len())
        }
        Compression::SNAPPY => {
            snap::raw::Decoder::new().decompress(packed, room).map_err(|error| error.to_string())
        }
        Compression::ZSTD(_) => {
            zstd::bulk::decompress_to_buffer(packed, room).map_err(|error| error.to_string())
        }
        Compression::GZIP(_) => read(flate2::bufread::MultiGzDecoder::new(packed), room),
        // These bits start a window of up to a gibibyte, which RFC 7932 does not define.
        Compression::BROTLI(_) if packed.first().is_some_and(|byte| byte & 0x7f == 0x11) => {
            Err("its window is too large".to_owned())
        }
        Compression::BROTLI(_) => read(brotli_decompressor::Decompressor::new(packed, 4 << 10), room),
        Compression::LZ4_RAW => lz4(packed, room),
        Compression::LZ4 if packed.starts_with(LZ4_FRAME) => {
            read(lz4_flex::frame::FrameDecoder::new(packed), room)
        }
        // Some versions of Arrow's C++ library wrote a block without Hadoop's lengths.
        Compression::LZ4 => hadoop(packed, room).or_else(|_| lz4(packed, room)),
        other => Err(format!("{} is not supported", name(other))),
    };
    match found {
        Ok(found) if found == len => Ok(()),
        Ok(found) => Err(format!("it unpacks to {found} bytes or more, and claims {len}")),
        Err(detail) => Err(format!("its {} data is damaged: {}", name(compression), detail.to_lowercase())),
    }
}

/// Fills `room` from a decoder. Returns the number of bytes, or one more than fits if the decoder has more.
fn read(mut decoder: impl Read, room: &mut [u8]) -> Result<usize, String> {
    let mut len = 0;
    let mut more = [0];
    loop {
        let into = if len < room.len() { &mut room[len..] } else { &mut more[..] };
        match decoder.read(into) {
            Ok(0) => return Ok(len),
            Ok(_) if len == room.len() => return Ok(len + 1),
            Ok(n) => len += n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.to_string()),
        }
    }
}

fn lz4(block: &[u8], room: &mut [u8]) -> Result<usize, String> {
    lz4_flex::block::decompress_into(block, room).map_err(|error| error.to_string())
}

/// Decodes the format of Hadoop's `Lz4Codec`. It consists of blocks that start with their decompressed
/// length. Each block has one or more chunks that start with their compressed length. Lengths have 32 bits,
/// the highest byte first.
fn hadoop(mut packed: &[u8], room: &mut [u8]) -> Result<usize, String> {
    const SHORT: &str = "it ends too early";
    let mut take = |len: Option<usize>| -> Result<&[u8], &str> {
        let (head, rest) = packed.split_at_checked(len.ok_or(SHORT)?).ok_or(SHORT)?;
        packed = rest;
        Ok(head)
    };
    let number = |bytes: &[u8]| Some(u32::from_be_bytes(bytes.try_into().ok()?) as usize);
    let mut len = 0;
    while len < room.len() {
        let end = number(take(Some(4))?).and_then(|block| len.checked_add(block));
        let end = end.filter(|end| *end <= room.len()).ok_or("it has a block that is too long")?;
        while len < end {
            let chunk = number(take(Some(4))?);
            let n = lz4(take(chunk)?, &mut room[len..end])?;
            if n == 0 {
                return Err("it has an empty chunk".to_owned());
            }
            len += n;
        }
    }
    if packed.is_empty() { Ok(len) } else { Err("it is followed by other data".to_owned()) }
}

#[cfg(test)]
mod tests {
    use parquet::basic::{BrotliLevel, GzipLevel, ZstdLevel};

    use super::*;

    fn texts() -> Vec<u8> {
        b"https://example.com/".repeat(4)
    }

    fn unpacked(compression: Compression, packed: &[u8], len: usize) -> Result<Vec<u8>, String> {
        let mut out = b"levels".to_vec();
        unpack(compression, packed, len, &mut out).map(|()| out.split_off(6))
    }

    fn framed(len: u32, chunks: &[&[u8]]) -> Vec<u8> {
        let mut frame = len.to_be_bytes().to_vec();
        for chunk in chunks {
            frame.extend_from_slice(&(chunk.len() as u32).to_be_bytes());
            frame.extend_from_slice(chunk);
        }
        frame
    }

    #[test]
    fn every_framing_of_lz4_is_read() {
        let block = lz4_flex::block::compress(&texts());
        let (first, second) =
            (lz4_flex::block::compress(&texts()[..50]), lz4_flex::block::compress(&texts()[50..]));
        let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
        std::io::Write::write_all(&mut encoder, &texts()).expect("writes");
        for packed in [
            block.clone(),
            framed(80, &[&block]),
            framed(80, &[&first, &second]),
            [framed(50, &[&first]), framed(30, &[&second])].concat(),
            encoder.finish().expect("writes"),
        ] {
            assert_eq!(unpacked(Compression::LZ4, &packed, 80), Ok(texts()));
            for len in 0..packed.len() {
                // A frame that lacks only its end mark has all the bytes.
                let found = unpacked(Compression::LZ4, &packed[..len], 80);
                let is_whole = packed.starts_with(LZ4_FRAME) && len + 4 >= packed.len();
                assert!(found.is_err() || (is_whole && found == Ok(texts())), "{len}");
            }
        }
        assert_eq!(unpacked(Compression::LZ4_RAW, &block, 80), Ok(texts()));
        let message = "its LZ4_RAW data is damaged: ";
        assert!(
            unpacked(Compression::LZ4_RAW, &framed(80, &[&block]), 80)
                .is_err_and(|error| error.starts_with(message))
        );
    }

    #[test]
    fn no_method_unpacks_to_more_or_less_than_was_claimed() {
        let gzip = {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            std::io::Write::write_all(&mut encoder, &texts()).expect("writes");
            encoder.finish().expect("writes")
        };
        // Made by `brotli` 1.2 of PyPI.
        let brotli =
            b"\x1bO\x00\xf8Eox~\xf6\xfb>i\xe5 \x8aC\\\x15#\xac\xe2nV\x01\xbe\xd5$\xc5\xbb\x10".to_vec();
        let methods = [
            (Compression::GZIP(GzipLevel::default()), [&gzip[..], &gzip].concat(), 160),
            (Compression::GZIP(GzipLevel::default()), gzip, 80),
            (Compression::BROTLI(BrotliLevel::default()), brotli, 80),
            (Compression::SNAPPY, snap::raw::Encoder::new().compress_vec(&texts()).expect("packs"), 80),
            (Compression::ZSTD(ZstdLevel::default()), zstd::bulk::compress(&texts(), 3).expect("packs"), 80),
            (Compression::LZ4_RAW, lz4_flex::block::compress(&texts()), 80),
        ];
        for (method, packed, len) in methods {
            assert_eq!(unpacked(method, &packed, len), Ok(texts().repeat(len / 80)), "{method}");
            for other in [0, 1, len - 1, len + 1, 1000] {
                assert!(unpacked(method, &packed, other).is_err(), "{method} {other}");
            }
            for cut in 0..packed.len() {
                assert!(unpacked(method, &packed[..cut], len).is_err(), "{method} {cut}");
            }
        }
    }

    #[test]
    fn a_brotli_window_is_at_most_the_standard_maximum() {
        // The head of a stream with a window of 2^30 bytes.
        let found = unpacked(Compression::BROTLI(BrotliLevel::default()), b"\x11\x1e\x03", 9);
        assert_eq!(found, Err("its BROTLI data is damaged: its window is too large".to_owned()));
    }
}
