//! Reading the header of a list: each key once, none that its form lacks, and no value that contradicts
//! another.

use super::edition::Edition;
use super::header::{Form, Joined, ListHeader, VERSION, keep_name, ladder_name};
use super::kind::Store;
use super::rules::{Intake, Ladder, Rules};
use crate::error;
use urlid::Error;
use urlid::hashed_uri::{Algorithm, Keep, KeyId};
use urlid::internal::decode_hex;

fn parse_keep(text: &str) -> Result<Keep, Error> {
    let expected = "none, query, fragment or query,fragment";
    let keep = Keep::EACH.into_iter().find(|&keep| keep_name(keep) == text);
    keep.ok_or_else(|| error::setting(text, expected))
}

fn parse_ladder(text: &str) -> Result<Ladder, Error> {
    let ladder = [Ladder::None, Ladder::Path, Ladder::Hosts].into_iter().find(|&it| ladder_name(it) == text);
    ladder.ok_or_else(|| error::setting(text, "none, path or labels"))
}

/// A header that is being read.
#[derive(Debug, Default)]
pub(super) struct HeaderReader {
    form: Form,
    values: [Option<String>; KEYS.len()],
}

/// The keys, in the order of writing.
const KEYS: [&str; 18] = [
    "urlid-list",
    "kind",
    "digest-bits",
    "variant",
    "intake",
    "host",
    "algorithms",
    "keep",
    "ladder",
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

/// A header that was read.
#[derive(Debug)]
pub(super) struct ReadHeader {
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
        let index = KEYS.iter().position(|known| *known == key);
        let index = index.filter(|_| self.form != Form::Text || !OF_COMPILED.contains(&key));
        // The version comes first, since it decides which keys are known.
        if index != Some(0) && self.values[0].is_none() {
            return Err(error::missing(KEYS[0]));
        }
        let index = index.ok_or_else(|| error::UNKNOWN_KEY.found(key).with_number(number))?;
        if index == 0 {
            check_version(value)?;
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
        let intake = self.required_setting("host", |text| intake.with_host(text.parse()?))?;
        let keep = self.required_setting("keep", parse_keep)?;
        let ladder = self.ladder()?;
        let rules = Rules { variant, intake, keep, ladder };
        if !rules.are_compatible() {
            return Err(error::HEADER_INTAKE.error());
        }
        let expected = "names of hash algorithms, ascending, with commas";
        let algorithms: Vec<Algorithm> = self.required("algorithms", parse_algorithms, expected)?;
        let count = self.required("count", parse_count, "a number")?;
        let digest = self.optional("digest", decode_hex, "64 hexadecimal digits")?;
        let snapshot = match (self.form, rules.ladder) {
            (Form::Index, Ladder::Hosts) => {
                let expected = "a snapshot, for the ladder has hosts";
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

    /// Returns how digests are stored; in a text they are whole.
    fn store(&mut self) -> Result<Store, Error> {
        if self.form == Form::Text {
            return Ok(Store::WHOLE);
        }
        let kind = self.required_setting("kind", str::parse)?;
        self.required_setting("digest-bits", |text| Store::parse(kind, text))
    }

    fn ladder(&mut self) -> Result<Ladder, Error> {
        // An entry of such a list matched other hosts than it would now, so it is not read as what it looks
        // like.
        if self.value("ladder") == Some("hosts") {
            return Err(error::LADDER_GONE.error());
        }
        self.required_setting("ladder", parse_ladder)
    }

    /// Returns the value of a key.
    fn value(&self, key: &'static str) -> Option<&str> {
        self.values[KEYS.iter().position(|known| *known == key)?].as_deref()
    }

    /// Takes the value of a key.
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

/// Checks the version of the format, which older versions of this library had too.
fn check_version(text: &str) -> Result<(), Error> {
    match text.parse::<u32>() {
        Ok(VERSION) if text.len() == 1 => Ok(()),
        Ok(1..VERSION) if text.len() == 1 => Err(error::VERSION_GONE.found(text)),
        _ => Err(error::VERSION.found(text)),
    }
}

fn parse_algorithms(text: &str) -> Option<Vec<Algorithm>> {
    let algorithms: Vec<Algorithm> = text.split(',').map(|name| name.parse().ok()).collect::<Option<_>>()?;
    // Names are read in any case, but only one spelling is written: equal lists have equal bytes.
    let is_as_written = Joined(&algorithms).to_string() == text;
    (is_as_written && algorithms.is_sorted_by(|a, b| a < b)).then_some(algorithms)
}

/// Reads a number in its shortest form, as it is written.
fn parse_count(text: &str) -> Option<u64> {
    // `parse` also takes `+7` and `007`, which no header has: equal lists have equal bytes.
    text.parse().ok().filter(|count: &u64| count.to_string() == text)
}

/// Reads a version of Unicode.
fn parse_version(text: &str) -> Option<String> {
    let is_version = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_version.then(|| text.to_owned())
}
