//! The body of a request without its transfer and content codings, read as leniently as by warcio.
//!
//! If a body does not have the coding that its head names, the rest is used unchanged.

use flate2::{Decompress, FlushDecompress, Status};

use super::text::MAX_BODY;
use crate::warc::http::{HttpHead, push_chunks};

/// The bytes that are decoded at once. An error drops the output of all bytes in its block.
const BLOCK: usize = 16 << 10;

/// Returns the body in a record, `None` if it is longer than [`MAX_BODY`].
pub(super) fn decoded(head: &HttpHead, body: &[u8]) -> Option<Vec<u8>> {
    let coding = head.content_encoding.as_deref().and_then(Coding::parse);
    let is_chunked = head.transfer_encoding.as_deref() == Some(b"chunked");
    let mut decoder = BodyDecoder { coding, inflate: coding.map(Coding::inflate), out: Vec::new() };
    let rest = if is_chunked { push_chunks(body, &mut |bytes| decoder.push(bytes))? } else { body };
    for block in rest.chunks(BLOCK) {
        decoder.push(block)?;
    }
    Some(decoder.out)
}

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Gzip,
    Zlib,
    Deflate,
}

impl Coding {
    fn parse(name: &[u8]) -> Option<Self> {
        if name.eq_ignore_ascii_case(b"gzip") {
            Some(Coding::Gzip)
        } else if name.eq_ignore_ascii_case(b"deflate") {
            // Servers send `deflate` with and without the header of zlib. `push` tries the bare form if this
            // one fails at once.
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
struct BodyDecoder {
    coding: Option<Coding>,
    /// `None` if the body is used unchanged.
    inflate: Option<Decompress>,
    out: Vec<u8>,
}

impl BodyDecoder {
    /// Appends the decoded bytes of a block. Returns `None` if the body becomes too long.
    fn push(&mut self, block: &[u8]) -> Option<()> {
        let Some(inflate) = &mut self.inflate else {
            self.out.extend_from_slice(block);
            return (self.out.len() <= MAX_BODY).then_some(());
        };
        let (start, mut rest) = (self.out.len(), block);
        loop {
            let before = inflate.total_in();
            // Checked for each block of output, because a small body may inflate to any size.
            if self.out.len() > MAX_BODY {
                return None;
            }
            self.out.reserve(BLOCK);
            let status = inflate.decompress_vec(rest, &mut self.out, FlushDecompress::None);
            rest = &rest[(inflate.total_in() - before) as usize..];
            match status {
                Ok(Status::StreamEnd) => return Some(()),
                // Room is left in `out`, so the decoder has finished these bytes.
                Ok(_) if rest.is_empty() && self.out.len() < self.out.capacity() => return Some(()),
                Ok(Status::BufError) if self.out.len() < self.out.capacity() => return Some(()),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        self.out.truncate(start);
        // Earlier blocks were in this coding, so only this one is damaged, and dropped.
        if start > 0 {
            return Some(());
        }
        // The body does not have this coding from its start.
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
