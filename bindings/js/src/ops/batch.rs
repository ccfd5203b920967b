//! Many identifiers at once, of lines or of texts.

use urlid::batch::{Batch, Encoder, HostCacheKey, Identifier, Kernels};
use urlid::suffix::SuffixList;
use urlid::{ErrorCode, Sxurl};

use crate::output::Output;
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[
    // Lines, and 16 random bytes for the key of the host cache.
    ("sxurl_lines", |session, arguments| {
        let (lines, seed) = (arguments.bytes()?, arguments.bytes()?);
        Ok(encode_lines(sxurls(session, seed), lines))
    }),
    // Concatenated texts, the offsets of their ends as little-endian words of four bytes, and 16 random
    // bytes for the key of the host cache.
    ("sxurl_texts", |session, arguments| {
        let (texts, ends, seed) = (arguments.bytes()?, arguments.bytes()?, arguments.bytes()?);
        let encoder = sxurls(session, seed);
        let blank = encoder.encode("").err().map(|error| error.code());
        Ok(encode_texts(encoder, texts, ends, blank))
    }),
    // Lines.
    ("url_hash_lines", |session, arguments| {
        Ok(encode_lines(session.url_hashes.get_or_insert_default(), arguments.bytes()?))
    }),
    // Concatenated texts and the offsets of their ends.
    ("url_hash_texts", |session, arguments| {
        let (texts, ends) = (arguments.bytes()?, arguments.bytes()?);
        let encoder = session.url_hashes.get_or_insert_default();
        let blank = encoder.encode("").err().map(|error| error.code());
        Ok(encode_texts(encoder, texts, ends, blank))
    }),
];

fn sxurls<'s>(session: &'s mut Session, seed: &[u8]) -> &'s mut Encoder<Sxurl> {
    session.sxurls.get_or_insert_with(|| {
        let mut words = seed.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
        // The module lacks a source of random numbers, so JavaScript passes some. They are used only for the
        // first batch, which makes the encoder.
        let key = [0; 2].map(|none| words.next().unwrap_or(none));
        Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), HostCacheKey(key), Kernels::detect())
    })
}

fn encode_lines<I: Identifier<Value = [u8; 32]>>(encoder: &mut Encoder<I>, lines: &[u8]) -> Output {
    let mut found = Found::default();
    encoder.encode_lines(lines, |batch| found.add(&batch));
    found.into_output()
}

/// `blank` is the code of an empty text, which batches treat as a blank line.
fn encode_texts<I: Identifier<Value = [u8; 32]>>(
    encoder: &mut Encoder<I>,
    texts: &[u8],
    ends: &[u8],
    blank: Option<ErrorCode>,
) -> Output {
    let mut found = Found { blank, ..Found::default() };
    let ends = ends.as_chunks().0.iter().map(|end| u32::from_le_bytes(*end) as usize);
    encoder.encode_column(texts, [0].into_iter().chain(ends), |batch| found.add(&batch));
    found.into_output()
}

/// The identifiers of lines or texts.
#[derive(Default)]
struct Found {
    /// 32 bytes each, which are zeros without an identifier.
    ids: Vec<u8>,
    /// The lines or texts without an identifier: the index, and the number of the error's code among all
    /// codes, from 1, or 0 for a blank line.
    exceptions: Vec<[u32; 2]>,
    /// The code of an empty text.
    blank: Option<ErrorCode>,
}

impl Found {
    fn add<I: Identifier<Value = [u8; 32]>>(&mut self, batch: &Batch<'_, I>) {
        let start = self.ids.len() / 32;
        self.ids.extend_from_slice(batch.ids().as_flattened());
        for (index, code) in batch.rejected() {
            // `exceptions` counts within its batch.
            let index = start + index;
            self.ids[32 * index..32 * (index + 1)].fill(0);
            // The memory of the module has 32-bit addresses, so an index fits.
            self.exceptions.push([index as u32, code.or(self.blank).map_or(0, number_of)]);
        }
    }

    /// Returns the identifiers, then the eight bytes of each exception, then the number of exceptions. All
    /// numbers are little-endian words of four bytes.
    fn into_output(mut self) -> Output {
        let count = self.exceptions.len() as u32;
        let words = self.exceptions.as_flattened().iter().chain([&count]);
        self.ids.extend(words.flat_map(|word| word.to_le_bytes()));
        Output::Bytes(self.ids)
    }
}

/// Returns the number of a code among all codes, from 1.
fn number_of(code: ErrorCode) -> u32 {
    ErrorCode::ALL.iter().position(|other| *other == code).map_or(0, |index| index as u32 + 1)
}
