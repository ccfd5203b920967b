//! Zstandard in web archives: single frames, and the dictionary before them
//! (<https://iipc.github.io/warc-specifications/specifications/warc-zstd/>).

use std::io::{self, BufRead, Read};

use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// The largest window that is decoded, as a power of two: 128 MiB, the limit of the `zstd` program without
/// `--long`. The decoder keeps a whole window in memory.
pub const MAX_WINDOW_LOG: u32 = 27;
/// The most bytes of a dictionary, compressed and decompressed. This is the least limit that the
/// specification allows for decoders.
pub(crate) const MAX_DICTIONARY: usize = 8 << 20;

/// The first bytes of a frame that may hold a dictionary.
const DICTIONARY_FRAME: &[u8] = b"\x5d\x2a\x4d\x18";
/// The first bytes of a dictionary (RFC 8878, section 5).
const DICTIONARY: &[u8] = b"\x37\xa4\x30\xec";
/// The first bytes of a frame.
const FRAME: &[u8] = b"\x28\xb5\x2f\xfd";

/// Consumes the dictionary frame at the start of a file, if it has one, and returns the dictionary, which is
/// empty otherwise. `source` must have buffered four bytes.
///
/// # Errors
/// If the dictionary is damaged or too large.
pub fn dictionary(source: &mut impl BufRead) -> io::Result<Vec<u8>> {
    if !source.fill_buf()?.starts_with(DICTIONARY_FRAME) {
        return Ok(Vec::new());
    }
    source.consume(DICTIONARY_FRAME.len());
    let mut length = [0; 4];
    source.read_exact(&mut length)?;
    let length = u64::from(u32::from_le_bytes(length));
    let mut data = Vec::new();
    let mut frame = source.take(length);
    frame.by_ref().take(4).read_to_end(&mut data)?;
    if data != DICTIONARY && data != FRAME {
        // A different skippable frame, which decoders skip.
        let skipped = io::copy(&mut frame, &mut io::sink())? + data.len() as u64;
        return if skipped == length { Ok(Vec::new()) } else { Err(cut()) };
    }
    if length > MAX_DICTIONARY as u64 {
        return Err(too_large(&format!("{length}")));
    }
    frame.read_to_end(&mut data)?;
    match data.len() as u64 == length {
        true if data.starts_with(FRAME) => decompressed(&data),
        true => Ok(data),
        false => Err(cut()),
    }
}

/// Decompresses a dictionary.
fn decompressed(data: &[u8]) -> io::Result<Vec<u8>> {
    let (mut frames, mut source, mut found) = (Frames::new(&[])?, data, Vec::new());
    let mut room = vec![0; 64 << 10];
    loop {
        match frames.read(&mut source, &mut room) {
            Ok(0) => break,
            Ok(n) => found.extend_from_slice(&room[..n]),
            Err(error) => return Err(damaged(&error.to_string().to_lowercase())),
        }
        if found.len() > MAX_DICTIONARY {
            return Err(too_large("more"));
        }
    }
    match (source.is_empty(), found.starts_with(DICTIONARY)) {
        (true, true) => Ok(found),
        (true, false) => Err(damaged("expected `37 a4 30 ec` at its start")),
        // A wrong length would otherwise swallow records.
        (false, _) => Err(damaged("other data follows it in its frame")),
    }
}

fn damaged(detail: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the dictionary is damaged: {detail}"))
}

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file ends in the frame of the dictionary")
}

fn too_large(found: &str) -> io::Error {
    let limit = MAX_DICTIONARY >> 20;
    let message = format!("the dictionary is too large: expected at most {limit} MiB, found {found} bytes");
    io::Error::new(io::ErrorKind::InvalidData, message)
}

/// Decodes frames one after the other.
pub(crate) struct Frames {
    decoder: Decoder<'static>,
    is_over: bool,
}

impl Frames {
    /// Starts with the first frame. All frames use the dictionary, if it is not empty.
    pub(crate) fn new(dictionary: &[u8]) -> io::Result<Self> {
        let mut decoder = Decoder::with_dictionary(dictionary)?;
        decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG))?;
        Ok(Frames { decoder, is_over: false })
    }

    /// Reads bytes of the current frame. 0 is its end.
    pub(crate) fn read(&mut self, source: &mut impl BufRead, room: &mut [u8]) -> io::Result<usize> {
        if self.is_over || room.is_empty() {
            return Ok(0);
        }
        loop {
            // Called even without input, because the decoder may have more of a block than there was room
            // for.
            let stored = source.fill_buf()?;
            let is_end = stored.is_empty();
            let (mut input, mut output) = (InBuffer::around(stored), OutBuffer::around(&mut *room));
            // 0 at the end of the frame, otherwise a hint.
            let hint = self.decoder.run(&mut input, &mut output)?;
            let (used, made) = (input.pos(), output.pos());
            source.consume(used);
            self.is_over = hint == 0;
            if self.is_over || made > 0 {
                return Ok(made);
            }
            if is_end {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
            }
        }
    }

    /// Starts the next frame.
    pub(crate) fn next(&mut self) -> io::Result<()> {
        self.is_over = false;
        self.decoder.reinit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(length: u32, data: &[u8]) -> Vec<u8> {
        [DICTIONARY_FRAME, &length.to_le_bytes(), data].concat()
    }

    fn found(length: u32, data: &[u8]) -> Result<(usize, usize), String> {
        let file = frame(length, data);
        let mut source = &file[..];
        let found = dictionary(&mut source).map_err(|error| error.to_string());
        Ok((found?.len(), source.len()))
    }

    #[test]
    fn a_dictionary_is_found_compressed_or_not_and_other_frames_are_skipped() {
        let plain = [DICTIONARY, b"xyz"].concat();
        assert_eq!(found(7, &[&plain[..], b"next"].concat()), Ok((7, 4)));
        let stored = urlid_testing::zstd(&plain);
        assert_eq!(found(stored.len() as u32, &[&stored[..], b"next"].concat()), Ok((7, 4)));
        assert_eq!(found(3, b"abcnext"), Ok((0, 4)));
        assert_eq!(found(0, b"next"), Ok((0, 4)));
        assert_eq!(dictionary(&mut &b"\x5d\x2a\x4d"[..]).map_err(|_| ()), Ok(Vec::new()));
    }

    #[test]
    fn lengths_that_lie_are_errors() {
        let plain = [DICTIONARY, b"xyz"].concat();
        let stored = urlid_testing::zstd(&plain);
        let length = stored.len() as u32;
        let bomb = urlid_testing::zstd(&[DICTIONARY, &vec![0; MAX_DICTIONARY]].concat());
        for (length, data, message) in [
            (8, &plain[..], "the file ends in the frame of the dictionary"),
            (9, b"abc", "the file ends in the frame of the dictionary"),
            (u32::MAX, &plain, "the dictionary is too large: expected at most 8 MiB, found 4294967295 bytes"),
            (
                bomb.len() as u32,
                &bomb,
                "the dictionary is too large: expected at most 8 MiB, found more bytes",
            ),
            (length - 1, &stored, "the dictionary is damaged: unexpected end of file"),
            (
                length + 1,
                &[&stored[..], b"x"].concat(),
                "the dictionary is damaged: other data follows it in its frame",
            ),
            (
                urlid_testing::zstd(b"text").len() as u32,
                &urlid_testing::zstd(b"text"),
                "the dictionary is damaged: expected `37 a4 30 ec` at its start",
            ),
        ] {
            assert_eq!(found(length, data), Err(message.to_owned()));
        }
    }
}
