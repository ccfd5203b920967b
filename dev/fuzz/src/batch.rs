//! Batches: many lines encoded at once have the same identifiers as separately, with every kernel of this
//! machine.

use urlid::ErrorCode;
use urlid::batch::{Cpu, Encoder, HostCacheKey, Kernels, Outcome};
use urlid::suffix::SuffixList;
use urlid::sxurl::Sxurl;
use urlid::url_hash::UrlHash;

use crate::text::texts;

/// Reads up to eight lines, some of them repeated so that they hit the host cache.
pub fn target(data: &[u8]) {
    let lines: [String; 8] = texts(data);
    let urls: Vec<&str> = lines.iter().chain(&lines[..3]).map(String::as_str).collect();
    for kernels in Cpu::available().filter_map(Kernels::new) {
        let mut sxurl = Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), HostCacheKey([1, 2]), kernels);
        let mut found = Vec::new();
        sxurl.encode_all(urls.iter().copied(), |batch| found.extend(batch.outcomes().map(id_or_code)));
        let expected = urls.iter().map(|url| {
            if url.is_empty() { Ok(None) } else { Sxurl::encode(url).map(Some).map_err(|error| error.code()) }
        });
        assert!(found.iter().cloned().eq(expected), "{urls:?}: {found:?}");

        let mut hash = Encoder::<UrlHash>::with_kernels(kernels);
        let mut found = Vec::new();
        hash.encode_all(urls.iter().copied(), |batch| found.extend(batch.outcomes().map(id_or_code)));
        let expected = urls.iter().map(|url| {
            if url.is_empty() {
                Ok(None)
            } else {
                UrlHash::encode(url).map(Some).map_err(|error| error.code())
            }
        });
        assert!(found.iter().cloned().eq(expected), "{urls:?}: {found:?}");
    }
}

fn id_or_code<I>(outcome: Outcome<I>) -> Result<Option<I>, ErrorCode> {
    match outcome {
        Outcome::Id(id) => Ok(Some(id)),
        Outcome::Blank => Ok(None),
        Outcome::Rejected(code) => Err(code),
    }
}
