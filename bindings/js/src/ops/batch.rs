//! Many identifiers at once, of lines.

use urlid::batch::{Encoder, HostCacheKey, Identifier, Kernels};
use urlid::suffix::SuffixList;
use urlid::{ErrorCode, Sxurl};

use crate::arguments::Arguments;
use crate::output::{Fault, Output};
use crate::session::{Op, Session};

pub(super) const OPS: &[Op] = &[("sxurl_lines", sxurl_lines), ("url_hash_lines", url_hash_lines)];

/// Arguments: lines, and 16 random bytes for the key of the host cache.
fn sxurl_lines(session: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    let (lines, seed) = (arguments.bytes()?, arguments.bytes()?);
    let encoder = session.sxurls.get_or_insert_with(|| {
        let mut words = seed.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word));
        let key = [0; 2].map(|none| words.next().unwrap_or(none));
        Encoder::<Sxurl>::new(<&SuffixList>::default(), HostCacheKey(key), Kernels::detect())
    });
    Ok(encode(encoder, lines))
}

/// Arguments: lines.
fn url_hash_lines(session: &mut Session, arguments: &mut Arguments<'_>) -> Result<Output, Fault> {
    Ok(encode(session.url_hashes.get_or_insert_default(), arguments.bytes()?))
}

/// Returns the identifiers, 32 bytes a line, and behind them 8 bytes for each line without one, and how many these are.
///
/// A line without an identifier has zeros. Its 8 bytes are the index of the line and the number of its error's code among
/// all of them, from 1, or 0 for a blank line. All numbers are little-endian words of four bytes.
fn encode<I: Identifier<Value = [u8; 32]>>(encoder: &mut Encoder<I>, lines: &[u8]) -> Output {
    let (mut ids, mut exceptions) = (Vec::new(), Vec::new());
    encoder.encode_lines(lines, |batch| {
        let start = ids.len() / 32;
        ids.extend_from_slice(batch.ids().as_flattened());
        for (index, code) in batch.exceptions() {
            let index = start + index;
            ids[32 * index..32 * (index + 1)].fill(0);
            exceptions.push([index as u32, code.map_or(0, number_of)]);
        }
    });
    let count = exceptions.len() as u32;
    let words = exceptions.as_flattened().iter().chain([&count]).flat_map(|word| word.to_le_bytes());
    ids.extend(words);
    Output::Bytes(ids)
}

/// Returns the number of a code among all of them, from 1.
fn number_of(code: ErrorCode) -> u32 {
    ErrorCode::ALL.iter().position(|other| *other == code).map_or(0, |index| index as u32 + 1)
}
