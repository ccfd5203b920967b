//! The body of a request without its transfer and content codings, read as leniently as warcio reads them.
//!
//! Where a body is not what its head says, the rest is taken as it is.

use flate2::{Decompress, FlushDecompress, Status};
use memchr::memchr;

use super::rules::MAX_BODY;
use crate::warc::http::HttpHead;

/// The bytes that are decoded at once. An error drops what the bytes decoded with it have given.
const BLOCK: usize = 16 << 10;
/// The most bytes of the line before a chunk.
const MAX_LINE: usize = 64;
/// The most bytes of a chunk.
const MAX_CHUNK: u64 = 1 << 31;

/// Returns the body in a record, `None` if it is longer than [`MAX_BODY`].
pub(super) fn decoded(head: &HttpHead, body: &[u8]) -> Option<Vec<u8>> {
    let coding = head.content_encoding.as_deref().and_then(Coding::of);
    let is_chunked = head.transfer_encoding.as_deref() == Some(b"chunked");
    let mut decoder = Decoder { coding, inflate: coding.map(Coding::inflate), out: Vec::new() };
    let rest = if is_chunked { push_chunks(body, &mut decoder)? } else { body };
    for block in rest.chunks(BLOCK) {
        decoder.push(block)?;
    }
    Some(decoder.out)
}

/// Passes the chunks of a body (RFC 9112, 7.1), and returns the bytes behind them that are none.
fn push_chunks<'a>(mut rest: &'a [u8], decoder: &mut Decoder) -> Option<&'a [u8]> {
    loop {
        let line_len =
            memchr(b'\n', &rest[..rest.len().min(MAX_LINE)]).map_or(rest.len().min(MAX_LINE), |end| end + 1);
        let (line, after) = rest.split_at(line_len);
        let Some(len) = line.strip_suffix(b"\r\n").and_then(chunk_len) else {
            decoder.push(line)?;
            return Some(after);
        };
        let chunk = &after[..after.len().min(usize::try_from(len).unwrap_or(usize::MAX))];
        let behind = &after[chunk.len()..];
        if len > chunk.len() as u64 {
            // The body is cut.
            decoder.push(chunk)?;
            return Some(&[]);
        }
        let ends_line = behind.starts_with(b"\r\n");
        let behind = &behind[behind.len().min(2)..];
        if !ends_line {
            // Not a chunk after all. What should be its end is lost.
            decoder.push(&[line, chunk].concat())?;
            return Some(behind);
        }
        if len == 0 {
            return Some(&[]);
        }
        decoder.push(chunk)?;
        rest = behind;
    }
}

/// Returns the number of bytes in a chunk by its line, as Python's `int` reads it: space, a sign, `0x` and single underscores are
/// allowed.
fn chunk_len(line: &[u8]) -> Option<u64> {
    let digits = line.split(|&byte| byte == b';').next().unwrap_or_default();
    let digits = str::from_utf8(digits).ok()?.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    let of_prefix = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let digits = of_prefix.map_or(digits, |digits| digits.strip_prefix('_').unwrap_or(digits));
    let groups = digits.split('_').map(str::as_bytes);
    if !groups.clone().all(|group| !group.is_empty() && group.iter().all(u8::is_ascii_hexdigit)) {
        return None;
    }
    let number = groups.flatten().try_fold(0_u64, |number, digit| {
        let digit = u64::from(char::from(*digit).to_digit(16)?);
        // Checked before each digit, so the shift loses no bits.
        (number <= MAX_CHUNK).then_some(number << 4 | digit)
    });
    number.filter(|number| *number <= MAX_CHUNK)
}

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Gzip,
    Zlib,
    Deflate,
}

impl Coding {
    fn of(name: &[u8]) -> Option<Self> {
        if name.eq_ignore_ascii_case(b"gzip") {
            Some(Coding::Gzip)
        } else if name.eq_ignore_ascii_case(b"deflate") {
            Some(Coding::Zlib)
        } else {
            None
        }
    }

    fn inflate(self) -> Decompress {
        match self {
            Coding::Gzip => Decompress::new_gzip(15),
            Coding::Zlib => Decompress::new(true),
            Coding::Deflate => Decompress::new(false),
        }
    }
}

/// Decodes the blocks of a body.
struct Decoder {
    coding: Option<Coding>,
    /// `None` if the body is taken as it is.
    inflate: Option<Decompress>,
    out: Vec<u8>,
}

impl Decoder {
    /// Appends what a block gives, `None` if that is too much.
    fn push(&mut self, block: &[u8]) -> Option<()> {
        let Some(inflate) = &mut self.inflate else {
            self.out.extend_from_slice(block);
            return (self.out.len() <= MAX_BODY).then_some(());
        };
        let (start, mut rest) = (self.out.len(), block);
        loop {
            let before = inflate.total_in();
            if self.out.len() > MAX_BODY {
                return None;
            }
            self.out.reserve(BLOCK);
            let status = inflate.decompress_vec(rest, &mut self.out, FlushDecompress::None);
            rest = &rest[(inflate.total_in() - before) as usize..];
            match status {
                Ok(Status::StreamEnd) => return Some(()),
                // With room left in `out`, the decoder has no more for these bytes.
                Ok(_) if rest.is_empty() && self.out.len() < self.out.capacity() => return Some(()),
                Ok(Status::BufError) if self.out.len() < self.out.capacity() => return Some(()),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        self.out.truncate(start);
        if start > 0 {
            return Some(());
        }
        // Not in this coding from its start.
        self.inflate = match self.coding {
            Some(Coding::Zlib) => {
                self.coding = Some(Coding::Deflate);
                self.coding.map(Coding::inflate)
            }
            _ => None,
        };
        self.push(block)
    }
}
