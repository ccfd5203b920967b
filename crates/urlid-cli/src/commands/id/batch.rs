//! Identifiers of many lines or texts at once, by a batch encoder for each core.
//!
//! They are the same as one by one, and so are the texts without one.

use std::io::Write;

use urlid::batch::{Batch, Encoder, HostCacheKey, Identifier, Kernels, Outcome};
use urlid::hashed_uri::HashedUri;
use urlid::url_hash::UrlHash;
use urlid::{Error, Sxurl};
use urlid_ops::IdKind;

use super::kinds::{Maker, Print};
use crate::output::table::Refuse;
use crate::report::refusals::{PRINTED, Refusal};

/// A batch encoder of one kind of identifier. Its output is a line for each text, empty where there is no identifier.
pub(super) trait IdWriter: Send {
    /// Appends the identifiers of lines.
    fn write_lines(&mut self, lines: &[u8], out: &mut Vec<u8>, refuse: &mut Refuse<'_>);

    /// Appends the identifiers of texts.
    fn write_texts(&mut self, texts: &[&str], out: &mut Vec<u8>, refuse: &mut Refuse<'_>);
}

/// Returns the writer of a kind, if there is a batch encoder of it.
pub(super) fn writer(kind: IdKind, maker: &Maker, kernels: Kernels) -> Option<Box<dyn IdWriter>> {
    Some(match kind {
        IdKind::Sxurl => {
            // Secret and random: with a known key, hosts could be made that all share one slot of the cache.
            let encoder = Encoder::<Sxurl>::new(maker.list(), HostCacheKey::random(), kernels);
            Box::new(EncoderWriter { encoder, write: |batch, out| batch.write_hex_lines(out) })
        }
        IdKind::UrlHash => {
            let encoder = Encoder::<UrlHash>::new(kernels);
            match maker.print() {
                Print::Hex => {
                    Box::new(EncoderWriter { encoder, write: |batch, out| batch.write_hex_lines(out) })
                }
                Print::Words => Box::new(EncoderWriter { encoder, write: write_words }),
            }
        }
        IdKind::HashedUri if maker.has_batched_hashed_uris() => {
            let encoder = Encoder::<HashedUri>::new(maker.keep(), kernels);
            Box::new(EncoderWriter { encoder, write: |batch, out| batch.write_hashed_uris(out) })
        }
        _ => return None,
    })
}

/// Appends a line of decimal words for each url-hash of a batch, an empty line where there is none.
fn write_words(batch: &Batch<'_, UrlHash>, out: &mut Vec<u8>) {
    for outcome in batch.outcomes() {
        if let Outcome::Id(hash) = outcome {
            write!(out, "{hash}").expect("writing to a Vec does not fail");
        }
        out.push(b'\n');
    }
}

/// Appends the lines of a batch.
type WriteBatch<I> = fn(&Batch<'_, I>, &mut Vec<u8>);

struct EncoderWriter<I: Identifier> {
    encoder: Encoder<I>,
    write: WriteBatch<I>,
}

impl<I: Identifier<Error = Error>> IdWriter for EncoderWriter<I>
where
    Encoder<I>: Send,
{
    fn write_lines(&mut self, lines: &[u8], out: &mut Vec<u8>, refuse: &mut Refuse<'_>) {
        let mut written = Written { write: self.write, out, refuse, before: 0, refused: 0 };
        self.encoder.encode_lines(lines, |batch| written.push(&batch));
    }

    fn write_texts(&mut self, texts: &[&str], out: &mut Vec<u8>, refuse: &mut Refuse<'_>) {
        let mut written = Written { write: self.write, out, refuse, before: 0, refused: 0 };
        self.encoder.encode_all(texts.iter().copied(), |batch| written.push(&batch));
    }
}

/// The batches of one call, one after the other.
struct Written<'o, 'r, I: Identifier> {
    write: WriteBatch<I>,
    out: &'o mut Vec<u8>,
    refuse: &'o mut Refuse<'r>,
    /// The texts of earlier batches, each of which counts its own from 0.
    before: usize,
    refused: u64,
}

impl<I: Identifier<Error = Error>> Written<'_, '_, I> {
    fn push(&mut self, batch: &Batch<'_, I>) {
        (self.write)(batch, self.out);
        for (index, code) in batch.exceptions() {
            let Some(code) = code else { continue };
            // Only the first may be printed, so the others need no more than their codes.
            let error = if self.refused < PRINTED { batch.error(index) } else { None };
            (self.refuse)(self.before + index, error.map_or(Refusal::Code(code), Refusal::from));
            self.refused += 1;
        }
        self.before += batch.len();
    }
}
