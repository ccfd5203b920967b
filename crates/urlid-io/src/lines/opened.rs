//! A stream decoded by its first bytes.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::error;
use crate::lines::decode;
use crate::lines::format::{self, Compression, Guess};
use crate::lines::stream::{ByteStream, CountedStream};
use crate::lines::utf16::Unicode;
use urlid::Error;

/// Returns the content of a stream, decoded if it begins like compressed data or as UTF-16, and its compression. `count` counts the
/// stored bytes that are read.
pub(crate) fn decoded(
    mut stream: Box<dyn ByteStream>,
    count: Arc<AtomicU64>,
) -> Result<(Box<dyn ByteStream>, Compression), Error> {
    let (head, format) = recognise(stream.as_mut())?;
    let source = CountedStream { head, stream, count };
    let stream: Box<dyn ByteStream> = match format {
        Compression::Plain => Box::new(source),
        _ => Box::new(decode::spawn(source, format).map_err(error::read)?),
    };
    Ok((Box::new(Unicode::new(stream)), format))
}

/// Recognises the compression from as few bytes as possible, and returns them too.
fn recognise(stream: &mut dyn ByteStream) -> Result<(Vec<u8>, Compression), Error> {
    let mut head = Vec::new();
    loop {
        let mut room = [0; 4];
        let n = match format::guess(&head) {
            Guess::Is(format) => return Ok((head, format)),
            Guess::Open => stream.read(&mut room)?,
        };
        if n == 0 {
            return Ok((head, Compression::Plain));
        }
        head.extend_from_slice(&room[..n]);
    }
}
