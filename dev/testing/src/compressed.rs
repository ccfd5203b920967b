//! Compressed inputs, made and read.

use std::io::{self, Read};
use std::path::Path;

/// Compresses by gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    gzip_of(bytes)
}

/// Compresses by zstd.
pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd_of(bytes)
}

/// Compresses the contents of a reader by gzip.
///
/// # Panics
/// If the input cannot be read.
pub fn gzip_of(mut input: impl Read) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    io::copy(&mut input, &mut encoder).expect("the input can be read");
    encoder.finish().expect("writing to memory does not fail")
}

/// Compresses the contents of a reader by zstd.
///
/// # Panics
/// If the input cannot be read.
pub fn zstd_of(input: impl Read) -> Vec<u8> {
    zstd::encode_all(input, 1).expect("the input can be read")
}

/// Reads a text file, decompressed if its name ends with `.zst`.
///
/// # Errors
/// The file cannot be read, is damaged, or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let bytes = std::fs::read(path)?;
    let bytes = if path.extension().is_some_and(|extension| extension == "zst") {
        zstd::decode_all(&bytes[..])?
    } else {
        bytes
    };
    String::from_utf8(bytes).map_err(io::Error::other)
}
