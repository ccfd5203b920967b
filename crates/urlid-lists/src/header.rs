//! The header of a list: `# key: value` lines before its entries.
//!
//! One key a line, each once, in this order when written:
//!
//! ```text
//! # urlid-list: 4
//! # variant: n
//! # intake: web
//! # host: plain
//! # algorithms: sha1
//! # keep: none
//! # ladder: path
//! # count: 2
//! # digest: 9f4c…
//! # snapshot: none
//! # unicode: 18.0
//! # publisher: Example
//! # sequence: 7
//! # made: 2026-11-25
//! # expires: 2026-11-26
//! ```
//!
//! `key-id` follows `ladder` in a keyed list; the last four are there if the publisher gives them. The
//! compiled form has `kind` and `digest-bits` after the first line, and its own checksum instead of `digest`.
//! `snapshot` is `none`, except in the index of the shards of a list with a ladder of hosts: there it names
//! the public suffix list that routes.

use core::fmt;

use super::edition::Edition;
use super::kind::Store;
use super::rules::{Ladder, Rules};
use urlid::hashed_uri::{Algorithm, Keep, KeyId};
use urlid::hex;
use urlid::snapshot::Snapshot;

/// The version of the format, of lists in either form, of deltas and of indexes of shards.
pub(super) const VERSION: u32 = 4;

/// Which form of a list a header is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    #[default]
    Text,
    Compiled,
    /// The index of shards.
    Index,
}

/// The header of a list.
///
/// ```
/// use urlid::hashed_uri::Algorithm;
/// use urlid_lists::{ListBuilder, Rules};
///
/// let list = ListBuilder::new(Rules::default(), &[Algorithm::Sha1], None)?.finish();
/// assert_eq!((list.header().count(), list.header().rules()), (0, Rules::default()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListHeader {
    pub(super) rules: Rules,
    /// Ascending, distinct, at least one; keyed ones and others are never mixed.
    pub(super) algorithms: Vec<Algorithm>,
    /// There if and only if the algorithm is keyed.
    pub(super) key_id: Option<KeyId>,
    pub(super) count: u64,
    /// There if and only if this is the index of the shards of a list whose ladder has hosts.
    pub(super) snapshot: Option<Snapshot>,
    /// There if and only if the intake is `web`.
    pub(super) unicode: Option<String>,
    pub(super) edition: Edition,
    /// Whole digests in the text form.
    pub(super) store: Store,
}

impl ListHeader {
    /// Returns the rules of the list.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the algorithms that entries may have, in the order of their names.
    pub fn algorithms(&self) -> &[Algorithm] {
        &self.algorithms
    }

    /// Returns the name of the key that a keyed list was made with.
    pub fn key_id(&self) -> Option<KeyId> {
        self.key_id
    }

    /// Returns the number of entries.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the public suffix list by which shards are routed, in the index of a list whose ladder has
    /// hosts.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// Returns the Unicode version by which the maker mapped hosts, where the intake depends on it.
    pub fn unicode(&self) -> Option<&str> {
        self.unicode.as_deref()
    }

    /// Returns the publisher's data of this edition.
    pub fn edition(&self) -> &Edition {
        &self.edition
    }

    /// Returns how digests are stored.
    pub fn store(&self) -> Store {
        self.store
    }

    /// Writes the lines, each with its line end; `digest` is that of the entries.
    pub(super) fn write(&self, f: &mut impl fmt::Write, digest: Option<&[u8; 32]>) -> fmt::Result {
        let Rules { variant, intake, keep, ladder } = self.rules;
        writeln!(f, "# urlid-list: {VERSION}")?;
        // Only the text form has a digest of its entries; the compiled form ends with a checksum.
        if digest.is_none() {
            writeln!(f, "# kind: {}", self.store.kind())?;
            writeln!(f, "# digest-bits: {}", self.store.bits_text())?;
        }
        writeln!(f, "# variant: {variant}")?;
        writeln!(f, "# intake: {intake}")?;
        writeln!(f, "# host: {}", intake.host())?;
        writeln!(f, "# algorithms: {}", Joined(&self.algorithms))?;
        writeln!(f, "# keep: {}", keep_name(keep))?;
        writeln!(f, "# ladder: {}", ladder_name(ladder))?;
        if let Some(id) = self.key_id {
            writeln!(f, "# key-id: {id}")?;
        }
        writeln!(f, "# count: {}", self.count)?;
        if let Some(digest) = digest {
            writeln!(f, "# digest: {}", hex::encode(digest))?;
        }
        match &self.snapshot {
            Some(snapshot) => writeln!(f, "# snapshot: {snapshot}")?,
            None => writeln!(f, "# snapshot: none")?,
        }
        if let Some(version) = &self.unicode {
            writeln!(f, "# unicode: {version}")?;
        }
        let Edition { publisher, sequence, made, expires } = &self.edition;
        publisher.iter().try_for_each(|name| writeln!(f, "# publisher: {name}"))?;
        sequence.iter().try_for_each(|number| writeln!(f, "# sequence: {number}"))?;
        made.iter().try_for_each(|date| writeln!(f, "# made: {date}"))?;
        expires.iter().try_for_each(|date| writeln!(f, "# expires: {date}"))
    }

    /// Returns the lines as the compiled form has them.
    pub(super) fn compiled_text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, None).expect("writing to a String does not fail");
        text
    }
}

/// Writes names with commas between them.
pub(super) struct Joined<'a>(pub(super) &'a [Algorithm]);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(index, name)| match index {
            0 => write!(f, "{name}"),
            _ => write!(f, ",{name}"),
        })
    }
}

/// Returns the value of `keep`.
pub(super) fn keep_name(keep: Keep) -> &'static str {
    match (keep.query, keep.fragment) {
        (false, false) => "none",
        (true, false) => "query",
        (false, true) => "fragment",
        (true, true) => "query,fragment",
    }
}

/// Returns the value of `ladder`. `hosts` in a header was a ladder that climbed by a public suffix list, so
/// the word for the ladder of today is another one.
pub(super) fn ladder_name(ladder: Ladder) -> &'static str {
    match ladder {
        Ladder::None => "none",
        Ladder::Path => "path",
        Ladder::Hosts => "labels",
    }
}
