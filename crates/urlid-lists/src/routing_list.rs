//! The public suffix list by which the entries of shards are routed: named by a snapshot, carried by the
//! index.
//!
//! Two suffix lists are one if the digest of the text and the sections that count are the same; their names
//! and dates do not matter.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::error;
use urlid::Error;
use urlid::hex;
use urlid::internal::Excerpt;
use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList};

/// No suffix list is longer than this, in bytes of text; the real one is a third of a million.
const MOST_TEXT: usize = 64 << 20;

fn sections_of(snapshot: &Snapshot) -> Option<Sections> {
    [Sections::Icann, Sections::All].into_iter().find(|sections| sections.name() == snapshot.psl_sections)
}

/// Compresses the text of a suffix list, by zlib (RFC 1950).
pub(super) fn pack(suffixes: &SuffixList) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(suffixes.text().as_bytes()).and_then(|()| encoder.finish());
    packed.expect("writing to memory does not fail")
}

/// Restores a suffix list; nothing if the bytes are not one, or not the one that a snapshot names.
pub(super) fn unpack(packed: &[u8], snapshot: &Snapshot) -> Option<SuffixList> {
    let mut decoder = ZlibDecoder::new(packed);
    let mut text = String::new();
    // One byte more than is allowed shows that the text is too long, without reading what a small stream
    // could expand to.
    let length = decoder.by_ref().take(MOST_TEXT as u64 + 1).read_to_string(&mut text).ok()?;
    // Bytes after the stream would belong to no part of the index.
    if length > MOST_TEXT || decoder.total_in() != packed.len() as u64 {
        return None;
    }
    let sections = sections_of(snapshot)?;
    let compiled = SuffixList::compiled_with(sections);
    // The list of this library is built in, and parsing the same text again would take its time in each load.
    if compiled.text() == text {
        return Some(compiled.clone()).filter(|list| check(snapshot, list).is_ok());
    }
    let list = SuffixList::parse(&text, sections).ok()?;
    check(snapshot, &list).is_ok().then_some(list)
}

/// Checks that a snapshot names a suffix list.
pub(super) fn check(snapshot: &Snapshot, suffixes: &SuffixList) -> Result<(), Error> {
    let digest = hex::encode(&suffixes.sha256());
    if (&snapshot.psl_sha256, sections_of(snapshot)) == (&digest, Some(suffixes.sections())) {
        return Ok(());
    }
    let found = describe(suffixes.version(), &digest, suffixes.sections().name());
    let expected = describe(&snapshot.psl_version, &snapshot.psl_sha256, &snapshot.psl_sections);
    Err(error::OTHER_SUFFIX_LIST.error().with_shown(found).with_expected(expected))
}

fn describe(version: &str, digest: &str, sections: &str) -> String {
    let digest: String = digest.chars().take(16).collect();
    format!("{} with the SHA-256 {digest}…, sections {}", Excerpt(version), Excerpt(sections))
}
