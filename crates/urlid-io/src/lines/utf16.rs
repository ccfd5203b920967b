//! UTF-16 with a byte order mark, decoded to UTF-8.

use crate::error;
use crate::lines::stream::ByteStream;
use urlid::Error;

/// The bytes that are read at once.
const STEP: usize = 64 << 10;

/// Content that is decoded if its first bytes show UTF-16, and passed through otherwise.
pub(crate) struct Unicode {
    stream: Box<dyn ByteStream>,
    state: Encoding,
}

enum Encoding {
    /// The first bytes are unread.
    Start,
    Bytes {
        /// The bytes that were read to decide, and are not returned yet.
        head: Vec<u8>,
    },
    Utf16(Utf16),
}

/// The decoder.
struct Utf16 {
    unit: fn([u8; 2]) -> u16,
    /// The bytes that are not decoded yet: half a code unit, or half a pair.
    bytes: Vec<u8>,
    text: Vec<u8>,
    /// The bytes of `text` that were returned.
    used: usize,
}

/// Returns the byte order of UTF-16 text that starts with its mark.
fn order(head: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    match head {
        [0xff, 0xfe, ..] => Some(u16::from_le_bytes),
        [0xfe, 0xff, ..] => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// Returns whether a text starts with a byte order mark of UTF-16 or UTF-32, so that its bytes differ from
/// the bytes of its lines.
pub(crate) fn has_wide_mark(head: &[u8]) -> bool {
    order(head).is_some() || head.starts_with(UTF32_BE)
}

const UTF32_LE: &[u8] = b"\xff\xfe\0\0";
const UTF32_BE: &[u8] = b"\0\0\xfe\xff";

impl Unicode {
    pub(crate) fn new(stream: Box<dyn ByteStream>) -> Self {
        Unicode { stream, state: Encoding::Start }
    }

    /// Reads as few bytes as decide.
    fn start(&mut self) -> Result<(), Error> {
        let (mut head, mut room) = (Vec::new(), [0; 4]);
        let is_open = |head: &[u8]| {
            let marks: [&[u8]; 3] = [UTF32_LE, UTF32_BE, b"\xfe\xff"];
            marks.iter().any(|mark| head.len() < mark.len() && mark.starts_with(head))
        };
        while is_open(&head) {
            let left = room.len() - head.len();
            match self.stream.read(&mut room[..left])? {
                0 => break,
                n => head.extend_from_slice(&room[..n]),
            }
        }
        // UTF-32 is tested first, because its little-endian mark starts with the one of UTF-16.
        if head == UTF32_LE || head == UTF32_BE {
            return Err(error::KIND.error().with_shown("UTF-32 text"));
        }
        self.state = match order(&head) {
            Some(unit) => {
                let bytes = head.split_off(2);
                Encoding::Utf16(Utf16 { unit, bytes, text: Vec::new(), used: 0 })
            }
            None => Encoding::Bytes { head },
        };
        Ok(())
    }
}

impl Utf16 {
    /// Decodes the bytes that were read. At the end of the input, an incomplete character becomes a byte that
    /// rejects its line.
    fn decode(&mut self, is_end: bool) {
        self.used = 0;
        self.text.clear();
        let units: Vec<u16> =
            self.bytes.chunks_exact(2).map(|pair| (self.unit)([pair[0], pair[1]])).collect();
        // The second half of a pair may come with the next bytes.
        let is_half = !is_end && units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit));
        let whole = units.len() - usize::from(is_half);
        for character in char::decode_utf16(units[..whole].iter().copied()) {
            match character {
                Ok(character) => {
                    self.text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                // The byte is not valid in UTF-8, so the line is rejected.
                Err(_) => self.text.push(0xff),
            }
        }
        self.bytes.drain(..2 * whole);
        if is_end && !self.bytes.is_empty() {
            self.bytes.clear();
            self.text.push(0xff);
        }
    }

    fn read(&mut self, stream: &mut dyn ByteStream, room: &mut [u8]) -> Result<usize, Error> {
        while self.used == self.text.len() && !room.is_empty() {
            let start = self.bytes.len();
            self.bytes.resize(start + STEP, 0);
            let read = stream.read(&mut self.bytes[start..]);
            self.bytes.truncate(start + read.as_ref().copied().unwrap_or_default());
            let is_end = read? == 0;
            self.decode(is_end);
            if is_end {
                break;
            }
        }
        let n = room.len().min(self.text.len() - self.used);
        room[..n].copy_from_slice(&self.text[self.used..self.used + n]);
        self.used += n;
        Ok(n)
    }
}

impl ByteStream for Unicode {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Error> {
        if matches!(self.state, Encoding::Start) && !room.is_empty() {
            self.start()?;
        }
        match &mut self.state {
            Encoding::Start => Ok(0),
            Encoding::Bytes { head } if head.is_empty() => self.stream.read(room),
            Encoding::Bytes { head } => {
                let n = head.len().min(room.len());
                room[..n].copy_from_slice(&head[..n]);
                head.drain(..n);
                Ok(n)
            }
            Encoding::Utf16(decoder) => decoder.read(self.stream.as_mut(), room),
        }
    }

    fn is_ready(&mut self) -> bool {
        let is_there = match &self.state {
            Encoding::Start => false,
            Encoding::Bytes { head } => !head.is_empty(),
            Encoding::Utf16(decoder) => decoder.used < decoder.text.len(),
        };
        is_there || self.stream.is_ready()
    }

    fn is_idle(&mut self) -> bool {
        !self.is_ready() && self.stream.is_idle()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::stream::ReaderStream;

    /// Returns a slow pipe's content, a few bytes at a time.
    fn decoded(bytes: &[u8], step: usize) -> Result<Vec<u8>, Error> {
        struct Slow(Vec<u8>, usize);
        impl std::io::Read for Slow {
            fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
                let n = self.1.min(self.0.len()).min(room.len());
                room[..n].copy_from_slice(&self.0.drain(..n).collect::<Vec<_>>());
                Ok(n)
            }
        }
        let mut stream = Unicode::new(Box::new(ReaderStream(Slow(bytes.to_vec(), step))));
        let (mut out, mut room) = (Vec::new(), [0; 5]);
        loop {
            match stream.read(&mut room)? {
                0 => return Ok(out),
                n => out.extend_from_slice(&room[..n]),
            }
        }
    }

    #[test]
    fn marked_utf16_is_decoded_and_nothing_else() {
        let text = "\u{feff}https://\u{e9}.example/\u{1f600}\r\n\u{feff}x\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for step in [1, 2, 3, 100] {
            let expected = text.strip_prefix('\u{feff}').expect("it has a mark").as_bytes();
            assert_eq!(decoded(&little, step).as_deref(), Ok(expected), "{step}");
            assert_eq!(decoded(&big, step).as_deref(), Ok(expected), "{step}");
            for other in [&b""[..], b"\xff", b"\xfe", b"\xffx", b"\0", b"\0\0", b"h", b"\xef\xbb\xbfx"] {
                assert_eq!(decoded(other, step).as_deref(), Ok(other), "{step}");
            }
            assert_eq!(decoded(b"\xff\xfe", step).as_deref(), Ok(&b""[..]));
            // A half pair, alone and at the end, and half a code unit.
            assert_eq!(decoded(b"\xff\xfe\x00\xd8x\0", step).as_deref(), Ok(&b"\xffx"[..]));
            assert_eq!(decoded(b"\xff\xfe\x00\xd8", step).as_deref(), Ok(&b"\xff"[..]));
            assert_eq!(decoded(b"\xff\xfex\0y", step).as_deref(), Ok(&b"x\xff"[..]));
            for utf32 in [b"\xff\xfe\0\0x\0\0\0", b"\0\0\xfe\xff\0\0\0x"] {
                let error = decoded(utf32, step).expect_err("it is not read");
                assert!(error.is(error::KIND) && error.to_string().contains("UTF-32"), "{error}");
            }
        }
    }
}
