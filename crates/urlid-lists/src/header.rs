//! The header of a list: `# key: value` lines before its entries.
//!
//! A written header has one key in each line, each key once, in this order:
//!
//! ```text
//! # urlid-list: 1
//! # variant: n
//! # intake: web
//! # user-info: drop
//! # algorithms: sha1
//! # keep: none
//! # covers: directory
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
//! `key-id` follows `covers` in a keyed list. The last four are present if the publisher gives them. The
//! compiled form has `kind` and `digest-bits` after the first line, and its own checksum instead of `digest`.
//! `snapshot` is `none`, except in the index of the shards of a list that covers subdomains, where it names
//! the public suffix list that routes. A valid header has each key at most once, only keys of its form, and
//! consistent values.

use core::fmt;

use urlid::hashed_uri::{Algorithm, Keep, KeyId};
use urlid::internal::decode_hex;
use urlid::snapshot::Snapshot;
use urlid::{Error, hex};

use crate::edition::Edition;
use crate::error;
use crate::kind::Store;
use crate::rules::{Covers, Intake, ListRules};

/// The version of the text form, of the compiled form, and of deltas and shards.
pub(super) const VERSION: u32 = 1;

/// Which form of a list a header is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HeaderForm {
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
/// use urlid_lists::{ListBuilder, ListRules};
///
/// let list = ListBuilder::new(ListRules::default(), &[Algorithm::Sha1], None)?.finish();
/// assert_eq!((list.header().count(), list.header().rules()), (0, ListRules::default()));
/// # Ok::<(), urlid::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListHeader {
    pub(super) rules: ListRules,
    /// Ascending, distinct and not empty. Keyed and unkeyed algorithms are never mixed.
    pub(super) algorithms: Vec<Algorithm>,
    /// There if and only if the algorithm is keyed.
    pub(super) key_id: Option<KeyId>,
    pub(super) count: u64,
    /// There if and only if this is the index of the shards of a list that covers subdomains.
    pub(super) snapshot: Option<Snapshot>,
    /// There if and only if the intake is `web`.
    pub(super) unicode: Option<String>,
    pub(super) edition: Edition,
    /// Whole digests in the text form.
    pub(super) store: Store,
}

impl ListHeader {
    /// Returns the rules of the list.
    pub fn rules(&self) -> ListRules {
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

    /// Returns the public suffix list by which shards are routed, in the index of a list that covers
    /// subdomains.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// Returns the Unicode version with which the maker mapped hosts, if the intake depends on it.
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

    /// Writes the lines, each with its line end. `digest` is the digest of the entries.
    pub(super) fn write(&self, f: &mut impl fmt::Write, digest: Option<&[u8; 32]>) -> fmt::Result {
        let ListRules { variant, intake, keep, covers } = self.rules;
        writeln!(f, "# urlid-list: {VERSION}")?;
        // Only the text form has a digest of its entries. The compiled form ends with a checksum.
        if digest.is_none() {
            writeln!(f, "# kind: {}", self.store.kind())?;
            writeln!(f, "# digest-bits: {}", self.store.bits_text())?;
        }
        writeln!(f, "# variant: {variant}")?;
        writeln!(f, "# intake: {intake}")?;
        writeln!(f, "# user-info: {}", intake.user_info())?;
        writeln!(f, "# algorithms: {}", Joined(&self.algorithms))?;
        writeln!(f, "# keep: {}", keep_name(keep))?;
        writeln!(f, "# covers: {covers}")?;
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

fn parse_keep(text: &str) -> Result<Keep, Error> {
    let expected = "none, query, fragment or query,fragment";
    let keep = Keep::EACH.into_iter().find(|&keep| keep_name(keep) == text);
    keep.ok_or_else(|| error::setting(text, expected))
}

/// A header that is being read.
#[derive(Debug, Default)]
pub(super) struct HeaderReader {
    form: HeaderForm,
    values: [Option<String>; KEYS.len()],
}

/// The keys, in the order of writing.
const KEYS: [&str; 18] = [
    "urlid-list",
    "kind",
    "digest-bits",
    "variant",
    "intake",
    "user-info",
    "algorithms",
    "keep",
    "covers",
    "key-id",
    "count",
    "digest",
    "snapshot",
    "unicode",
    "publisher",
    "sequence",
    "made",
    "expires",
];

/// The keys that the text form lacks.
const OF_COMPILED: [&str; 2] = ["kind", "digest-bits"];

#[derive(Debug)]
pub(super) struct ReadHeader {
    pub(super) header: ListHeader,
    /// The digest of the entries that it states.
    pub(super) digest: Option<[u8; 32]>,
}

impl HeaderReader {
    /// Starts a header of a form.
    pub(super) fn of_form(form: HeaderForm) -> Self {
        Self { form, ..Self::default() }
    }

    /// Reads the line with this number, which starts with `#`.
    pub(super) fn line(&mut self, number: u64, text: &str) -> Result<(), Error> {
        let shaped = text.strip_prefix("# ").and_then(|text| text.split_once(": "));
        let (key, value) = shaped.ok_or_else(|| error::SHAPE.found(text).with_number(number))?;
        let index = KEYS.iter().position(|known| *known == key);
        let index = index.filter(|_| self.form != HeaderForm::Text || !OF_COMPILED.contains(&key));
        // The version comes first, because it determines the valid keys.
        if index != Some(0) && self.values[0].is_none() {
            return Err(error::missing(KEYS[0]));
        }
        let index = index.ok_or_else(|| error::UNKNOWN_KEY.found(key).with_number(number))?;
        if index == 0 && value != VERSION.to_string() {
            return Err(error::VERSION.found(value));
        }
        match self.values[index].replace(value.to_owned()) {
            Some(_) => Err(error::REPEATED.error().with_subject(KEYS[index]).with_number(number)),
            None => Ok(()),
        }
    }

    /// Puts the header together.
    pub(super) fn finish(mut self) -> Result<ReadHeader, Error> {
        self.take(KEYS[0]).ok_or_else(|| error::missing(KEYS[0]))?;
        let store = self.store()?;
        let variant = self.required("variant", |text| text.parse().ok(), "none, n or p")?;
        let intake: Intake = self.required_setting("intake", str::parse)?;
        let intake = self.required_setting("user-info", |text| intake.with_user_info(text.parse()?))?;
        let keep = self.required_setting("keep", parse_keep)?;
        let covers: Covers = self.required_setting("covers", str::parse)?;
        let rules = ListRules { variant, intake, keep, covers };
        if !rules.are_compatible() {
            return Err(error::HEADER_INTAKE.error());
        }
        let expected = "names of hash algorithms, ascending, with commas";
        let algorithms: Vec<Algorithm> = self.required("algorithms", parse_algorithms, expected)?;
        let count = self.required("count", parse_count, "a number")?;
        let digest = self.optional("digest", decode_hex, "64 hexadecimal digits")?;
        let snapshot = match (self.form, rules.covers) {
            (HeaderForm::Index, Covers::Subdomains) => {
                let expected = "a snapshot, for the list covers subdomains";
                Some(self.required("snapshot", |text| text.parse().ok(), expected)?)
            }
            _ => {
                let expected = "none, for there are no hosts to route";
                self.required("snapshot", |text| (text == "none").then_some(None), expected)?
            }
        };
        let unicode = self.optional("unicode", parse_version, "a version")?;
        match rules.intake {
            Intake::Web(_) if unicode.is_none() => return Err(error::missing("unicode")),
            Intake::Rfc3986 if unicode.is_some() => {
                return Err(error::UNEXPECTED
                    .error()
                    .with_subject("unicode")
                    .with_shown("the intake is not `web`"));
            }
            Intake::Web(_) | Intake::Rfc3986 => {}
        }
        let key_id = self.optional("key-id", KeyId::parse, "16 hexadecimal digits")?;
        match algorithms.iter().filter(|algorithm| algorithm.is_keyed()).count() {
            0 if key_id.is_some() => {
                return Err(error::UNEXPECTED
                    .error()
                    .with_subject("key-id")
                    .with_shown("no algorithm needs a key"));
            }
            0 => {}
            keyed if keyed < algorithms.len() => return Err(error::MIXED_ALGORITHMS.error()),
            _ if key_id.is_none() => return Err(error::missing("key-id")),
            _ => {}
        }
        let edition = Edition {
            publisher: self.optional_setting("publisher", str::parse)?,
            sequence: self.optional("sequence", parse_count, "a number")?,
            made: self.optional_setting("made", str::parse)?,
            expires: self.optional_setting("expires", str::parse)?,
        };
        let header = ListHeader { rules, algorithms, key_id, count, snapshot, unicode, edition, store };
        Ok(ReadHeader { header, digest })
    }

    /// Returns how digests are stored. In a text they are whole.
    fn store(&mut self) -> Result<Store, Error> {
        if self.form == HeaderForm::Text {
            return Ok(Store::WHOLE);
        }
        let kind = self.required_setting("kind", str::parse)?;
        self.required_setting("digest-bits", |text| Store::parse(kind, text))
    }

    /// Removes and returns the value of a key.
    fn take(&mut self, key: &'static str) -> Option<String> {
        let index = KEYS.iter().position(|known| *known == key)?;
        self.values[index].take()
    }

    fn optional_setting<T>(
        &mut self,
        key: &'static str,
        parse: impl Fn(&str) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let Some(text) = self.take(key) else { return Ok(None) };
        parse(&text).map(Some).map_err(|error| error.with_kind(error::VALUE).with_subject(key))
    }

    fn required_setting<T>(
        &mut self,
        key: &'static str,
        parse: impl Fn(&str) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.optional_setting(key, parse)?.ok_or_else(|| error::missing(key))
    }

    fn optional<T>(
        &mut self,
        key: &'static str,
        parse: impl Fn(&str) -> Option<T>,
        expected: &'static str,
    ) -> Result<Option<T>, Error> {
        self.optional_setting(key, |text| parse(text).ok_or_else(|| error::setting(text, expected)))
    }

    fn required<T>(
        &mut self,
        key: &'static str,
        parse: impl Fn(&str) -> Option<T>,
        expected: &'static str,
    ) -> Result<T, Error> {
        self.optional(key, parse, expected)?.ok_or_else(|| error::missing(key))
    }
}

fn parse_algorithms(text: &str) -> Option<Vec<Algorithm>> {
    let algorithms: Vec<Algorithm> = text.split(',').map(|name| name.parse().ok()).collect::<Option<_>>()?;
    // Names are read in any letter case, but only one spelling is valid, so that equal lists have equal
    // bytes.
    let is_as_written = Joined(&algorithms).to_string() == text;
    (is_as_written && algorithms.is_sorted_by(|a, b| a < b)).then_some(algorithms)
}

/// Reads a number in its shortest form.
fn parse_count(text: &str) -> Option<u64> {
    // `parse` also accepts `+7` and `007`, which are invalid in a header, so that equal lists have equal
    // bytes.
    text.parse().ok().filter(|count: &u64| count.to_string() == text)
}

/// Reads a version of Unicode.
fn parse_version(text: &str) -> Option<String> {
    let is_version = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_version.then(|| text.to_owned())
}
