//! The digests that stand for texts, the width of keys, and the canonical form that keys are digests of.

use urlid::snapshot::Snapshot;
use urlid::suffix::SuffixList;
use urlid::{Error, hex};
use urlid_canonical::{Canonicalizer, Form, Rules};

use crate::description::Description;
use crate::seen::error::{EMPTY_FORM, SEEN_SET};
use crate::sort::TextDigest;

/// The bytes of the longest key.
pub(crate) const MOST: usize = 20;

/// A key: a digest of 16 bytes, or a fingerprint of 20.
///
/// Keys should be spread evenly, like the digests of a cryptographic hash. Other keys are stored and found as
/// well, but more slowly.
///
/// ```
/// use urlid_store::seen::SeenKey;
///
/// assert_eq!(SeenKey::new(&[7; 20]).map(|key| key.bytes(20).to_vec()), Some(vec![7; 20]));
/// assert_eq!(SeenKey::new(b"too short"), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeenKey([u8; MOST]);

impl SeenKey {
    /// Makes a key of 16 or 20 bytes, and returns `None` for other lengths.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Option<Self> {
        matches!(bytes.len(), 16 | 20).then(|| Self::padded(bytes))
    }

    /// Returns the first `width` bytes, at most 20.
    #[must_use]
    pub fn bytes(&self, width: usize) -> &[u8] {
        &self.0[..width.min(MOST)]
    }

    /// Makes a key from the bytes of a page or a record, at most 20. All keys of a set have the same width,
    /// so the zeros after them do not change their order.
    pub(crate) fn padded(bytes: &[u8]) -> Self {
        let mut key = [0; MOST];
        key[..bytes.len()].copy_from_slice(bytes);
        Self(key)
    }

    /// Returns the first four bytes as a number, which orders keys roughly.
    pub(crate) fn head(&self) -> u32 {
        u32::from_be_bytes([self.0[0], self.0[1], self.0[2], self.0[3]])
    }

    /// Returns eight bytes that are not part of the head.
    pub(crate) fn tail(&self) -> u64 {
        // Twelve bytes follow the eighth, so the chunk always exists. In a key of 16 bytes, all eight of its
        // bytes belong to the key.
        u64::from_le_bytes(*self.0[8..].first_chunk().unwrap_or(&[0; 8]))
    }
}

/// The kind of the keys of a set: digests of a canonical form, or fingerprints. A set records it and rejects
/// other keys.
///
/// ```
/// use urlid_store::seen::Keys;
///
/// let keys = Keys::of_form(&"surt-0.3.1".parse()?);
/// assert_eq!((keys.of(), keys.name(), keys.width()), ("canonical form", "surt-0.3.1", 16));
/// assert_eq!(Keys::fingerprints("scrapy-2.7/w3lib-2.5").width(), 20);
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// The data that the keys depend on, and the form unless they are fingerprints.
    pub(crate) description: Description,
    /// The name of fingerprints.
    pub(crate) fingerprint: Option<String>,
    /// The rules of sites that the form names. Recorded keys have only the digest of the rules.
    pub(crate) rules: Option<Rules>,
    /// The entries of the snapshot that the keys depend on. Other entries may differ.
    deciding: Vec<&'static str>,
}

impl Keys {
    /// Returns the kind of digests of texts in a canonical form, 16 bytes each.
    #[must_use]
    pub fn of_form(form: &Form) -> Self {
        let profile = form.profile();
        let mut deciding = Vec::new();
        if profile.needs_suffix_list {
            deciding.push("psl_sha256");
        }
        // Forms of a runtime contain its frozen Unicode data. Only the other forms depend on the library's
        // host mapping.
        if profile.runtime.is_none() {
            deciding.push("host_mapping");
        }
        Self {
            description: Self::describe(Some(form)),
            fingerprint: None,
            rules: form.rules().cloned(),
            deciding,
        }
    }

    /// Returns the kind of 20-byte fingerprints that are made elsewhere, under a name.
    #[must_use]
    pub fn fingerprints(name: impl Into<String>) -> Self {
        let fingerprint = Some(name.into());
        Self { description: Self::describe(None), fingerprint, rules: None, deciding: Vec::new() }
    }

    fn describe(form: Option<&Form>) -> Description {
        Description::new(SEEN_SET.format, SuffixList::compiled(), form)
    }

    /// Returns the keys that a description names: digests of a form, or fingerprints.
    pub(crate) fn recorded(description: Description, fingerprint: Option<String>) -> Option<Self> {
        let is_one = description.canonical_form.is_some() != fingerprint.is_some();
        // `difference` uses the deciding entries of the keys that a set is opened with, and never those of
        // recorded keys.
        is_one.then_some(Self { description, fingerprint, rules: None, deciding: Vec::new() })
    }

    /// Returns their origin: `canonical form` or `fingerprint`.
    #[must_use]
    pub fn of(&self) -> &'static str {
        if self.fingerprint.is_some() { "fingerprint" } else { "canonical form" }
    }

    /// Returns the name of the form or of the fingerprints.
    #[must_use]
    pub fn name(&self) -> &str {
        self.fingerprint.as_ref().or(self.description.canonical_form.as_ref()).map_or("", |name| name)
    }

    /// Returns the bytes of a key.
    #[must_use]
    pub fn width(&self) -> usize {
        if self.fingerprint.is_some() { 20 } else { 16 }
    }

    /// Returns the data that the keys depend on.
    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.description.snapshot
    }

    /// Returns the first difference between the data that these keys and recorded ones depend on: the entry,
    /// its value here, and its value there.
    pub(crate) fn difference<'a>(&'a self, recorded: &'a Keys) -> Option<(&'static str, &'a str, &'a str)> {
        let differences = self.snapshot().differences(recorded.snapshot());
        differences.into_iter().find(|(entry, ..)| self.deciding.contains(entry))
    }

    pub(crate) fn is_like(&self, other: &Keys) -> bool {
        let rules = |keys: &Keys| keys.description.rules_sha256;
        (self.of(), self.name(), rules(self)) == (other.of(), other.name(), rules(other))
    }

    /// Returns the kind and the name, for a message.
    pub(crate) fn shown(&self) -> String {
        match self.description.rules_sha256 {
            Some(sha256) => format!("{} `{}` of rules {}", self.of(), self.name(), hex::encode(&sha256)),
            None => format!("{} `{}`", self.of(), self.name()),
        }
    }
}

/// Returns the first half of the BLAKE3 digest of a text. The chance that two of a billion texts share it is
/// 1 in 10²⁰, and constructing such a pair takes about 2⁶⁴ attempts.
#[must_use]
pub fn digest(text: &str) -> TextDigest {
    let digest = blake3::hash(text.as_bytes());
    digest.as_bytes().first_chunk().map_or(0, |half| TextDigest::from_le_bytes(*half))
}

/// Computes the digests of the canonical forms of texts.
#[derive(Debug)]
pub struct Digester<'f> {
    canonicalizer: Canonicalizer<'f>,
    /// The buffer for the canonical form of the current text.
    canonical: String,
}

impl<'f> Digester<'f> {
    /// Makes a digester for a form.
    #[must_use]
    pub fn new(form: &'f Form) -> Self {
        Self { canonicalizer: form.canonicalizer(), canonical: String::new() }
    }

    /// Returns the digest of the canonical form of a text.
    ///
    /// # Errors
    /// If the text has no canonical form, or an empty one.
    pub fn digest(&mut self, text: &str) -> Result<TextDigest, Error> {
        self.canonical.clear();
        self.canonicalizer.canonicalize_into(text, &mut self.canonical)?;
        match self.canonical.is_empty() {
            true => Err(EMPTY_FORM.error()),
            false => Ok(digest(&self.canonical)),
        }
    }

    /// Returns the key of a text in a set of digests.
    ///
    /// # Errors
    /// The same as [`digest`](Self::digest).
    pub fn key(&mut self, text: &str) -> Result<SeenKey, Error> {
        self.digest(text).map(SeenKey::from)
    }
}

impl From<TextDigest> for SeenKey {
    fn from(digest: TextDigest) -> Self {
        // `digest` reads the bytes in the same order, so a key has the bytes of BLAKE3 in their order on
        // every machine.
        Self::padded(&digest.to_le_bytes())
    }
}
