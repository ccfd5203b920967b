//! The works of urlid itself, on one core and in memory. The other verbs compare them with peers.

use std::ops::Range;

use urlid::Sxurl;
use urlid::batch::{Encoder, HostCacheKey, Kernels};
use urlid::hashed_uri::{HashedUri, HashedUriWriter, Keep, Options};
use urlid::suffix::SuffixList;
use urlid::url_hash::UrlHash;
use urlid::web::Url;
use urlid_canonical::{Form, HostSuffixes, RequestFingerprinter, W3lib, expressions};

use crate::corpus::Corpus;

// The works by their names in records.
pub(crate) const SXURL_BATCH: &str = "urlid: SXURL to hex lines, batch";
pub(crate) const SXURL_ONE: &str = "urlid: SXURL, Encoder::encode";
pub(crate) const SXURL_PLAIN: &str = "urlid: SXURL, Sxurl::encode";
pub(crate) const HASH_BATCH: &str = "urlid: url-hash, batch";
pub(crate) const HASHED_BATCH: &str = "urlid: hashed URI lines, batch";
pub(crate) const HASHED: &str = "urlid: hashed URI, HashedUriWriter";
pub(crate) const WEB: &str = "urlid: web::Url::parse";
pub(crate) const SPLIT: &str = "urlid: suffix split";
pub(crate) const SURT_ONE: &str = "urlid: surt-0.3.1, one at a time";
pub(crate) const SURT_LINES: &str = "urlid: surt-0.3.1, lines";
pub(crate) const W3LIB_LINES: &str = "urlid: w3lib-2.5, lines";
pub(crate) const FINGERPRINT_LINES: &str = "urlid: fingerprint of Scrapy, lines";
pub(crate) const SAFE_BROWSING: &str = "urlid: safe-browsing-v4";
pub(crate) const EXPRESSIONS: &str = "urlid: expressions of safe-browsing-v4, hashed";

/// The works that `bench peers` measures, but for the split.
pub(crate) const IDENTIFIERS: [&str; 7] =
    [SXURL_BATCH, HASH_BATCH, SXURL_ONE, SXURL_PLAIN, HASHED_BATCH, HASHED, WEB];
/// The works that `bench profiles` measures.
pub(crate) const FORMS: [&str; 6] =
    [SURT_ONE, SURT_LINES, W3LIB_LINES, SAFE_BROWSING, FINGERPRINT_LINES, EXPRESSIONS];

/// A work. It receives a range of lines and returns a number that depends on all its results.
pub(crate) type Work<'a> = Box<dyn FnMut(Range<usize>) -> u64 + 'a>;

/// Lines, and data about them that some works need.
pub(crate) struct Lines<'a> {
    pub(crate) lines: Vec<&'a str>,
    text: &'a [u8],
    offsets: Vec<usize>,
    /// The host of each line in normal form, or an empty text if it is missing or an IPv6 address.
    ///
    /// The hosts are slices of one text, like the lines. Separate strings are scattered on the heap, and
    /// fetching them needed a third of the time of a split.
    pub(crate) hosts: Vec<&'static str>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(corpus: &'a Corpus) -> Self {
        let lines = corpus.lines();
        let host = |line: &&str| {
            let host = Url::parse(line).ok().and_then(|url| url.host_str().map(str::to_owned));
            host.filter(|host| !host.contains(':')).unwrap_or_default()
        };
        let hosts: Vec<String> = lines.iter().map(host).collect();
        let hosts = hosts.join("\n").leak().split('\n').collect();
        Lines { lines, text: corpus.text.as_bytes(), offsets: corpus.offsets(), hosts }
    }

    /// Returns the bytes of a range of lines, with their ends.
    fn bytes(&self, range: Range<usize>) -> &'a [u8] {
        &self.text[self.offsets[range.start]..self.offsets[range.end]]
    }

    /// Returns the work with this name.
    pub(crate) fn work<'b>(&'b self, name: &str) -> Option<Work<'b>> {
        let lines = self.lines.as_slice();
        Some(match name {
            SXURL_BATCH => {
                let mut encode_lines = sxurl_lines();
                Box::new(move |range| encode_lines(self.bytes(range)))
            }
            HASH_BATCH => {
                let mut encoder = Encoder::<UrlHash>::new();
                Box::new(move |range| {
                    let mut sum = 0;
                    encoder.encode_lines(self.bytes(range), |batch| {
                        sum += u64::from(batch.ids()[batch.len() - 1][0]);
                    });
                    sum
                })
            }
            SXURL_ONE => {
                let mut encoder = sxurl_encoder();
                Box::new(move |range| {
                    each(lines, range, |line| {
                        encoder.encode(line).map_or(0, |id| u64::from(id.as_bytes()[31]))
                    })
                })
            }
            SXURL_PLAIN => Box::new(|range| {
                each(lines, range, |line| Sxurl::encode(line).map_or(0, |id| u64::from(id.as_bytes()[31])))
            }),
            HASHED_BATCH => {
                let mut encoder = Encoder::<HashedUri>::new(Keep::NONE);
                let mut hashed_lines = Vec::new();
                Box::new(move |range| {
                    hashed_lines.clear();
                    encoder.encode_lines(self.bytes(range), |batch| {
                        batch.write_hashed_uris(&mut hashed_lines);
                    });
                    u64::from(hashed_lines[hashed_lines.len() / 2])
                })
            }
            HASHED => {
                let mut writer = HashedUriWriter::new(&Options::default()).expect("sha1 needs no key");
                let mut hashed = String::new();
                Box::new(move |range| {
                    each(lines, range, |line| {
                        hashed.clear();
                        writer.write(line, &mut hashed).map_or(0, |()| u64::from(hashed.as_bytes()[12]))
                    })
                })
            }
            WEB => Box::new(|range| {
                each(lines, range, |line| Url::parse(line).map_or(0, |url| url.as_str().len() as u64))
            }),
            SPLIT => {
                let list = SuffixList::compiled();
                Box::new(move |range| {
                    range.map(|index| list.split_normal(self.hosts[index]).domain.len() as u64).sum()
                })
            }
            SURT_ONE => {
                let surt = form("surt-0.3.1");
                Box::new(move |range| {
                    each(lines, range, |line| surt.canonicalize(line).map_or(0, |key| key.len() as u64))
                })
            }
            SURT_LINES => canonical_lines(form("surt-0.3.1"), lines),
            W3LIB_LINES => canonical_lines(form("w3lib-2.5"), lines),
            SAFE_BROWSING => canonical_lines(form("safe-browsing-v4"), lines),
            FINGERPRINT_LINES => {
                let mut fingerprinter = RequestFingerprinter::new(W3lib::V2_5);
                Box::new(move |range| {
                    each(lines, range, |line| {
                        let fingerprint = fingerprinter.fingerprint(line, "GET", b"");
                        fingerprint.map_or(0, |digest| u64::from(digest[0]))
                    })
                })
            }
            EXPRESSIONS => Box::new(|range| {
                let found = lines[range]
                    .iter()
                    .filter_map(|line| expressions(line, HostSuffixes::LastSevenLabels).ok());
                found.flatten().map(|expression| u64::from(expression.hash()[0])).sum()
            }),
            _ => return None,
        })
    }
}

fn form(name: &str) -> Form {
    name.parse().expect("it is a profile")
}

/// Returns the work that makes lines of a canonical form.
fn canonical_lines<'a>(form: Form, lines: &'a [&str]) -> Work<'a> {
    let mut out = String::new();
    Box::new(move |range| {
        out.clear();
        let mut canonicalizer = form.canonicalizer();
        for line in &lines[range] {
            // A text without a form is an empty line.
            let _ = canonicalizer.canonicalize_into(line, &mut out);
            out.push('\n');
        }
        out.len() as u64
    })
}

/// Returns an encoder whose host cache has the same key in every run.
fn sxurl_encoder() -> Encoder<Sxurl> {
    let key = HostCacheKey([0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]);
    Encoder::<Sxurl>::with_kernels(SuffixList::compiled(), key, Kernels::detect())
}

/// Returns the work that makes lines of SXURLs from lines of URLs.
pub(crate) fn sxurl_lines() -> impl FnMut(&[u8]) -> u64 {
    let (mut encoder, mut hex) = (sxurl_encoder(), Vec::new());
    move |lines| {
        hex.clear();
        encoder.encode_lines(lines, |batch| batch.write_hex_lines(&mut hex));
        u64::from(hex[hex.len() / 2])
    }
}

/// Sums the results of a work for some lines.
pub(crate) fn each(lines: &[&str], range: Range<usize>, mut work: impl FnMut(&str) -> u64) -> u64 {
    lines[range].iter().map(|line| work(line)).fold(0, u64::wrapping_add)
}
