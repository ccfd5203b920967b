//! Reading the header of a list: each key once, none that its format lacks, and no value that contradicts another.

use super::date::Date;
use super::edition::Edition;
use super::header::{Form, Format, Joined, ListHeader, keep_name};
use super::kind::Store;
use super::rules::{HostForm, Intake, Ladder, Rules};
use crate::error;
use urlid::Error;
use urlid::hashed_uri::{Algorithm, Keep, KeyId};
use urlid::internal::decode_hex;

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
            // The version must come first, since it decides which keys are known.
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
    // `parse` also takes `+7` and `007`, which no header has: equal lists have equal bytes.
    text.parse().ok().filter(|count: &u64| count.to_string() == text)
}

/// Reads a version of Unicode.
fn parse_version(text: &str) -> Option<String> {
    let is_version = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_version.then(|| text.to_owned())
}
