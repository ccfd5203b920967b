//! The digests of the canonical forms of lines, made by workers.

use urlid_canonical::Form;
use urlid_io::lines::Line;
use urlid_store::seen::Digester;
use urlid_store::sort::Digest;

use crate::input::driver::{ChunkOrLine, Worker};
use crate::report::refusals::Refusal;

/// The bytes that a worker makes of a line: its digest, little-endian.
const DIGEST_LEN: usize = size_of::<Digest>();

/// In place of the digest, a line that is blank or refused.
const NONE: Digest = 0;

/// Makes the digests of the canonical forms of lines.
pub(super) struct Digests<'f>(Digester<'f>);

impl<'f> Digests<'f> {
    pub(super) fn new(form: &'f Form) -> Self {
        Self(Digester::new(form))
    }

    pub(super) fn digest(&mut self, line: &Line<'_>) -> Result<Option<Digest>, Refusal> {
        match line.text? {
            "" => Ok(None),
            text => Ok(Some(self.0.digest(text)?)),
        }
    }
}

impl Worker for Digests<'_> {
    fn line(&mut self, line: &Line<'_>, _: bool, out: &mut Vec<u8>) -> Result<(), Refusal> {
        let digest = self.digest(line);
        let written = digest.as_ref().map_or(NONE, |digest| digest.unwrap_or(NONE));
        // For refused lines too: `with_digests` pairs digests with the lines of the chunk by position.
        out.extend_from_slice(&written.to_le_bytes());
        digest.map(drop)
    }
}

/// Passes the digests that a worker made, and their lines, to `take`. The bytes are as they came: an assumed
/// scheme is only in the text.
pub(super) fn with_digests<T>(
    made: &[u8],
    of: &ChunkOrLine<'_>,
    take: impl FnOnce(&[Digest], &[&[u8]]) -> T,
) -> T {
    // Workers append whole digests, so no rest is left.
    let mut digests = made.as_chunks::<DIGEST_LEN>().0.iter().map(|digest| Digest::from_le_bytes(*digest));
    // A form whose digest is zero would be lost, which has a chance of 1 to 2¹²⁸.
    let is_made = |(digest, _): &(Digest, &[u8])| *digest != NONE;
    match of {
        ChunkOrLine::Line(line) => match digests.next().filter(|digest| *digest != NONE) {
            Some(digest) => take(&[digest], &[line.bytes]),
            None => take(&[], &[]),
        },
        ChunkOrLine::Chunk(chunk) => {
            let (digests, lines): (Vec<_>, Vec<_>) = digests.zip(chunk.raw_lines()).filter(is_made).unzip();
            take(&digests, &lines)
        }
    }
}
