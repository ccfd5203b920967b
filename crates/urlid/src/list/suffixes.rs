//! The public suffix list by which a ladder with hosts climbs: which one a list was made with, and whether it is at hand.
//!
//! By another one, hosts climb to other domains, and what is listed is not found. Two suffix lists are one if the digest of
//! the text and the sections that count are the same; their names and dates do not matter.

use core::fmt;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;

use super::header::ListHeader;
use super::value::HiddenList;
use crate::error_code::{Coded, ErrorCode};
use crate::excerpt::Excerpt;
use crate::hex;
use crate::snapshot::Snapshot;
use crate::suffix::{Sections, SuffixList};

/// No suffix list is longer than this, in bytes of text; the real one is a third of a million.
const MOST_TEXT: usize = 64 << 20;

impl HiddenList {
    /// Returns the public suffix list that a list with a ladder of hosts was made with, if it is at hand: a compiled list
    /// carries it, a text names it, and the one of this library is always at hand. None without such a ladder.
    pub fn suffixes(&self) -> Option<&SuffixList> {
        self.suffixes.as_ref()
    }

    /// Returns the list with the public suffix list that it was made with. A list whose ladder has no hosts needs none.
    ///
    /// # Errors
    /// [`OtherSuffixList`] if it is not the one that the header names.
    ///
    /// ```
    /// use urlid::hashed_uri::Algorithm;
    /// use urlid::list::{Ladder, ListBuilder, Rules};
    /// use urlid::suffix::{Sections, SuffixList};
    ///
    /// let rules = Rules { ladder: Ladder::Hosts, ..Rules::default() };
    /// let list = ListBuilder::new(rules, &[Algorithm::Sha1], None)?.finish();
    /// let other = SuffixList::parse("com\n", Sections::All)?;
    /// assert!(list.with_suffixes(&other).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_suffixes(mut self, suffixes: &SuffixList) -> Result<Self, OtherSuffixList> {
        if let Some(snapshot) = &self.header.snapshot {
            OtherSuffixList::check(snapshot, suffixes)?;
            self.suffixes = Some(suffixes.clone());
        }
        Ok(self)
    }

    /// Checks that the public suffix list that the list was made with is at hand, or is not needed.
    ///
    /// # Errors
    /// [`OtherSuffixList`] if it is not.
    pub fn check_suffixes(&self) -> Result<(), OtherSuffixList> {
        match (&self.header.snapshot, &self.suffixes) {
            (Some(snapshot), None) => OtherSuffixList::check(snapshot, Default::default()),
            _ => Ok(()),
        }
    }
}

/// Whether a list may be matched by another public suffix list than it was made with.
///
/// ```
/// use urlid::list::OnOtherSuffixes;
///
/// assert_eq!(OnOtherSuffixes::default(), OnOtherSuffixes::Fail);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnOtherSuffixes {
    /// No: an error, because hosts climb to other domains, and what is listed may not be found.
    #[default]
    Fail,
    /// Yes.
    Accept,
}

/// Returns the suffix list of a list with this header: the one given, or the compiled one if the header names that.
pub(super) fn suffixes_of(header: &ListHeader, given: Option<SuffixList>) -> Option<SuffixList> {
    let snapshot = header.snapshot.as_ref()?;
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
    fn check(snapshot: &Snapshot, suffixes: &SuffixList) -> Result<(), Self> {
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
