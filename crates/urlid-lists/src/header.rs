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
//! `key-id` follows `ladder` in a keyed list; the last four are there if the publisher gives them. The compiled form has `kind`
//! and `digest-bits` after the first line, and its own checksum instead of `digest`. Format 3 lacks those two and has `date`
//! instead of the last four. Format 2 also lacks `host` (its hosts are as they are written), and format 1 `intake` (it is
//! `rfc3986`), `digest` and `unicode`.

use core::fmt;

use super::date::Date;
use super::edition::Edition;
use super::kind::Store;
use super::rules::{HostForm, Intake, Ladder, Rules};
use crate::error;
use urlid::Error;
use urlid::hashed_uri::{Algorithm, Keep, KeyId};
use urlid::hex;
use urlid::internal::decode_hex;
use urlid::snapshot::Snapshot;

/// The version of the format, in the text form and in the compiled one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Format {
    /// Without intake and digest: read, no longer written.
    One,
    /// Without the form of hosts, and without a suffix list in the compiled form: read, no longer written.
    Two,
    /// Without kinds, sequence and expiry, and with whole digests as they are in the compiled form: read, no longer written.
    Three,
    /// The one that is written.
    Four,
}

/// Which form of a list a header is of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Form {
    #[default]
    Text,
    Compiled,
}

impl Format {
    pub(super) const EACH: [Self; 4] = [Self::One, Self::Two, Self::Three, Self::Four];
    pub(super) const WRITTEN: Self = Self::Four;

    /// Returns the number of the version.
    pub(super) fn number(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Three => 3,
            Self::Four => 4,
        }
    }
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
    /// There if and only if the ladder has hosts.
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

    /// Returns the public suffix list and Unicode data that the maker had, where the ladder depends on them.
    pub fn snapshot(&self) -> Option<&Snapshot> {
        self.snapshot.as_ref()
    }

    /// Returns the Unicode version by which the maker mapped hosts, where the intake depends on it.
    pub fn unicode(&self) -> Option<&str> {
        self.unicode.as_deref()
    }

    /// Returns what the publisher says of this edition.
    pub fn edition(&self) -> &Edition {
        &self.edition
    }

    /// Returns how digests are stored.
    pub fn store(&self) -> Store {
        self.store
    }

    /// Writes the lines, each with its line end; `digest` is that of the entries.
    pub(super) fn write(
        &self,
        f: &mut impl fmt::Write,
        format: Format,
        digest: Option<&[u8; 32]>,
    ) -> fmt::Result {
        let Rules { variant, intake, keep, ladder } = self.rules;
        writeln!(f, "# urlid-list: {}", format.number())?;
        if format >= Format::Four && digest.is_none() {
            writeln!(f, "# kind: {}", self.store.kind())?;
            writeln!(f, "# digest-bits: {}", self.store.bits_text())?;
        }
        writeln!(f, "# variant: {variant}")?;
        if format >= Format::Two {
            writeln!(f, "# intake: {intake}")?;
        }
        if format >= Format::Three {
            writeln!(f, "# host: {}", intake.host())?;
        }
        writeln!(f, "# algorithms: {}", Joined(&self.algorithms))?;
        writeln!(f, "# keep: {}", keep_name(keep))?;
        writeln!(f, "# ladder: {ladder}")?;
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
        self.write_edition(f, format)
    }

    fn write_edition(&self, f: &mut impl fmt::Write, format: Format) -> fmt::Result {
        let Edition { publisher, sequence, made, expires } = &self.edition;
        if format < Format::Four {
            return made.iter().try_for_each(|date| writeln!(f, "# date: {date}"));
        }
        publisher.iter().try_for_each(|name| writeln!(f, "# publisher: {name}"))?;
        sequence.iter().try_for_each(|number| writeln!(f, "# sequence: {number}"))?;
        made.iter().try_for_each(|date| writeln!(f, "# made: {date}"))?;
        expires.iter().try_for_each(|date| writeln!(f, "# expires: {date}"))
    }

    /// Returns the lines as the compiled form has them.
    pub(super) fn compiled_text(&self, format: Format) -> String {
        let mut text = String::new();
        self.write(&mut text, format, None).expect("writing to a String does not fail");
        text
    }
}

/// Writes names with commas between them.
struct Joined<'a>(&'a [Algorithm]);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(index, name)| match index {
            0 => write!(f, "{name}"),
            _ => write!(f, ",{name}"),
        })
    }
}

/// Returns the value of `keep`.
fn keep_name(keep: Keep) -> &'static str {
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
    form: Form,
    format: Option<Format>,
    values: [Option<String>; KEYS.len()],
}

/// The keys, in the order of writing, and the first and the last format that has each.
const KEYS: [(&str, Format, Format); 19] = [
    ("urlid-list", Format::One, Format::Four),
    ("kind", Format::Four, Format::Four),
    ("digest-bits", Format::Four, Format::Four),
    ("variant", Format::One, Format::Four),
    ("intake", Format::Two, Format::Four),
    ("host", Format::Three, Format::Four),
    ("algorithms", Format::One, Format::Four),
    ("keep", Format::One, Format::Four),
    ("ladder", Format::One, Format::Four),
    ("key-id", Format::One, Format::Four),
    ("count", Format::One, Format::Four),
    ("digest", Format::Two, Format::Four),
    ("snapshot", Format::One, Format::Four),
    ("unicode", Format::Two, Format::Four),
    ("date", Format::One, Format::Three),
    ("publisher", Format::Four, Format::Four),
    ("sequence", Format::Four, Format::Four),
    ("made", Format::Four, Format::Four),
    ("expires", Format::Four, Format::Four),
];

/// The keys that only the compiled form has.
const OF_COMPILED: [&str; 2] = ["kind", "digest-bits"];

/// A header that was read.
#[derive(Debug)]
pub(super) struct ReadHeader {
    pub(super) format: Format,
    pub(super) header: ListHeader,
    /// The digest of the entries that it states.
    pub(super) digest: Option<[u8; 32]>,
}

impl HeaderReader {
    /// Begins a header of a form.
    pub(super) fn of_form(form: Form) -> Self {
        Self { form, ..Self::default() }
    }

    /// Takes the line with this number, which begins with `#`.
    pub(super) fn line(&mut self, number: u64, text: &str) -> Result<(), Error> {
        let shaped = text.strip_prefix("# ").and_then(|text| text.split_once(": "));
        let (key, value) = shaped.ok_or_else(|| error::SHAPE.found(text).with_number(number))?;
        let unknown = || error::UNKNOWN_KEY.found(key).with_number(number);
        let index = KEYS.iter().position(|known| known.0 == key).ok_or_else(unknown)?;
        match self.format {
            None if index > 0 => return Err(error::missing(KEYS[0].0)),
            None => {
                let format = Format::EACH.into_iter().find(|format| format.number().to_string() == value);
                self.format = Some(format.ok_or_else(|| error::VERSION.found(value))?);
            }
            Some(format) if !(KEYS[index].1..=KEYS[index].2).contains(&format) => return Err(unknown()),
            Some(_) if self.form == Form::Text && OF_COMPILED.contains(&key) => return Err(unknown()),
            Some(_) => {}
        }
        match self.values[index].replace(value.to_owned()) {
            Some(_) => Err(error::REPEATED.error().with_subject(KEYS[index].0).with_number(number)),
            None => Ok(()),
        }
    }

    /// Puts the header together.
    pub(super) fn finish(mut self) -> Result<ReadHeader, Error> {
        let format = self.format.ok_or_else(|| error::missing(KEYS[0].0))?;
        let store = self.store(format)?;
        let variant = self.required("variant", |text| text.parse().ok(), "none, n or p")?;
        let intake = self.intake(format)?;
        let keep = self.required_setting("keep", parse_keep)?;
        let ladder = self.required_setting("ladder", str::parse)?;
        let rules = Rules { variant, intake, keep, ladder };
        if !rules.are_compatible() {
            return Err(error::HEADER_INTAKE.error());
        }
        let expected = "names of hash algorithms, ascending, with commas";
        let algorithms: Vec<Algorithm> = self.required("algorithms", parse_algorithms, expected)?;
        let count = self.required("count", parse_count, "a number")?;
        let digest = self.optional("digest", decode_hex, "64 hexadecimal digits")?;
        let snapshot = match rules.ladder {
            Ladder::Hosts => {
                let expected = "a snapshot, for the ladder has hosts";
                Some(self.required("snapshot", |text| text.parse().ok(), expected)?)
            }
            Ladder::None | Ladder::Path => {
                let expected = "none, for the ladder has no hosts";
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
        let edition = self.edition()?;
        let header = ListHeader { rules, algorithms, key_id, count, snapshot, unicode, edition, store };
        Ok(ReadHeader { format, header, digest })
    }

    /// Returns how the compiled form stores digests; before format 4, and in a text, they are whole.
    fn store(&mut self, format: Format) -> Result<Store, Error> {
        match (self.form, format) {
            (Form::Compiled, Format::Four) => {
                let kind = self.required_setting("kind", str::parse)?;
                self.required_setting("digest-bits", |text| Store::parse(kind, text))
            }
            _ => Ok(Store::WHOLE),
        }
    }

    fn edition(&mut self) -> Result<Edition, Error> {
        let date =
            self.optional("date", |text| text.parse().ok().filter(|date: &Date| date.is_day()), DAY)?;
        Ok(Edition {
            publisher: self.optional_setting("publisher", str::parse)?,
            sequence: self.optional("sequence", parse_count, "a number")?,
            made: self.optional_setting("made", str::parse)?.or(date),
            expires: self.optional_setting("expires", str::parse)?,
        })
    }

    /// Returns the intake, with hosts in the form of `host`, which the older formats lack.
    fn intake(&mut self, format: Format) -> Result<Intake, Error> {
        if format == Format::One {
            return Ok(Intake::Rfc3986);
        }
        let intake: Intake = self.required_setting("intake", str::parse)?;
        match (format, intake) {
            (Format::Two, Intake::Web(_)) => Ok(Intake::Web(HostForm::Written)),
            (Format::Two, Intake::Rfc3986) => Ok(intake),
            _ => self.required_setting("host", |text| intake.with_host(text.parse()?)),
        }
    }

    /// Takes the value of a key.
    fn take(&mut self, key: &'static str) -> Option<String> {
        let index = KEYS.iter().position(|known| known.0 == key)?;
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

const DAY: &str = "a date as 2026-01-31";

fn parse_algorithms(text: &str) -> Option<Vec<Algorithm>> {
    let algorithms: Vec<Algorithm> = text.split(',').map(|name| name.parse().ok()).collect::<Option<_>>()?;
    let is_as_written = Joined(&algorithms).to_string() == text;
    (is_as_written && algorithms.is_sorted_by(|a, b| a < b)).then_some(algorithms)
}

/// Reads a number in its shortest form, as it is written.
fn parse_count(text: &str) -> Option<u64> {
    text.parse().ok().filter(|count: &u64| count.to_string() == text)
}

/// Reads a version of Unicode.
fn parse_version(text: &str) -> Option<String> {
    let is_version = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_version.then(|| text.to_owned())
}
