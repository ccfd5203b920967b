//! Which public suffix list a hidden list was made with: named by a snapshot, carried as bytes, and how another one is told from it.
//!
//! Two suffix lists are one if the digest of the text and the sections that count are the same; their names and dates do not
//! matter.

use core::fmt;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::hex;
use crate::snapshot::Snapshot;
use crate::suffix::{Sections, SuffixList};

/// No suffix list is longer than this, in bytes of text; the real one is a third of a million.
const MOST_TEXT: usize = 64 << 20;

/// Returns the suffix list that a snapshot names: the one given, or the compiled one; nothing if neither is that.
pub(super) fn named(snapshot: &Snapshot, given: Option<SuffixList>) -> Option<SuffixList> {
    let compiled = || sections_of(snapshot).map(|sections| SuffixList::compiled(sections).clone());
    given.or_else(compiled).filter(|list| OtherSuffixList::check(snapshot, list).is_ok())
}

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
    let length = decoder.by_ref().take(MOST_TEXT as u64 + 1).read_to_string(&mut text).ok()?;
    if length > MOST_TEXT || decoder.total_in() != packed.len() as u64 {
        return None;
    }
    let sections = sections_of(snapshot)?;
    let compiled = SuffixList::compiled(sections);
    if compiled.text() == text {
        return Some(compiled.clone()).filter(|list| OtherSuffixList::check(snapshot, list).is_ok());
    }
    let list = SuffixList::parse(&text, sections).ok()?;
    OtherSuffixList::check(snapshot, &list).is_ok().then_some(list)
}

/// The public suffix list at hand is another one than a list was made with, so what the list matches is not known.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid::list::{Ladder, ListBuilder, Rules};
/// use urlid::suffix::SuffixList;
///
/// let rules = Rules { ladder: Ladder::Hosts, ..Rules::default() };
/// let list = ListBuilder::new(rules, &[Algorithm::Sha1], None)?.with_suffixes(&SuffixList::none()).finish();
/// let error = list.with_suffixes(<&SuffixList>::default()).unwrap_err();
/// assert_eq!(error.expected, "`none` with the SHA-256 6adeb56f3917a0b5…, sections `all`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSuffixList {
    /// The suffix list at hand, in words.
    pub found: String,
    /// The one that the list was made with, in words.
    pub expected: String,
}

impl OtherSuffixList {
    /// Checks that a snapshot names a suffix list.
    pub(super) fn check(snapshot: &Snapshot, suffixes: &SuffixList) -> Result<(), Self> {
        let digest = hex::encode(&suffixes.sha256());
        if (&snapshot.psl_sha256, sections_of(snapshot)) == (&digest, Some(suffixes.sections())) {
            return Ok(());
        }
        let found = describe(suffixes.version(), &digest, suffixes.sections().name());
        let expected = describe(&snapshot.psl_version, &snapshot.psl_sha256, &snapshot.psl_sections);
        Err(Self { found, expected })
    }
}

fn describe(version: &str, digest: &str, sections: &str) -> String {
    let digest: String = digest.chars().take(16).collect();
    format!("{} with the SHA-256 {digest}…, sections {}", Excerpt::of(version), Excerpt::of(sections))
}

impl Coded for OtherSuffixList {
    fn code(&self) -> ErrorCode {
        ErrorCode::Snapshot
    }
}

impl fmt::Display for OtherSuffixList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { found, expected } = self;
        write!(f, "list climbs by another public suffix list: found {found}, expected {expected}")
    }
}

impl core::error::Error for OtherSuffixList {}
