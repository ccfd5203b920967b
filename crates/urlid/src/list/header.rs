//! The header of a list: `# key: value` lines before its entries (docs/lists.md, "The text form").
//!
//! One key a line, each once, in this order when written:
//!
//! ```text
//! # urlid-list: 1
//! # variant: n
//! # algorithms: sha1
//! # keep: none
//! # ladder: path
//! # count: 2
//! # snapshot: none
//! ```
//!
//! `key-id` follows `ladder` in a keyed list, `date` comes last if there is one.

use std::fmt;

use super::error::HeaderError;
use super::terms::{Date, Ladder, Rules, TermError};
use crate::excerpt::Excerpt;
use crate::hashed_uri::{Algorithm, Keep, KeyId};
use crate::snapshot::Snapshot;

/// The version of the format, in the text form and in the compiled one.
const VERSION: &str = "1";

/// What a list says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub(super) rules: Rules,
    /// Ascending, distinct, at least one.
    pub(super) algorithms: Vec<Algorithm>,
    /// There if and only if an algorithm is keyed.
    pub(super) key_id: Option<KeyId>,
    pub(super) count: u64,
    /// There if and only if the ladder has hosts.
    pub(super) snapshot: Option<Snapshot>,
    pub(super) date: Option<Date>,
}

impl Header {
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

    /// Returns the date that the publisher gave.
    pub fn date(&self) -> Option<Date> {
        self.date
    }
}

impl fmt::Display for Header {
    /// Writes the lines, each with its line end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { variant, keep, ladder } = self.rules;
        writeln!(f, "# urlid-list: {VERSION}")?;
        writeln!(f, "# variant: {variant}")?;
        writeln!(f, "# algorithms: {}", Joined(&self.algorithms))?;
        writeln!(f, "# keep: {}", keep_name(keep))?;
        writeln!(f, "# ladder: {ladder}")?;
        if let Some(id) = self.key_id {
            writeln!(f, "# key-id: {id}")?;
        }
        writeln!(f, "# count: {}", self.count)?;
        match &self.snapshot {
            Some(snapshot) => writeln!(f, "# snapshot: {snapshot}")?,
            None => writeln!(f, "# snapshot: none")?,
        }
        match self.date {
            Some(date) => writeln!(f, "# date: {date}"),
            None => Ok(()),
        }
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

fn parse_keep(text: &str) -> Result<Keep, TermError> {
    let expected = "none, query, fragment or query,fragment";
    let keep = Keep::EACH.into_iter().find(|&keep| keep_name(keep) == text);
    keep.ok_or_else(|| TermError { found: Excerpt::of(text), expected })
}

/// A header that is being read.
#[derive(Debug, Default)]
pub(super) struct HeaderReader {
    values: [Option<String>; KEYS.len()],
}

/// The keys, in the order of writing.
const KEYS: [&str; 9] =
    ["urlid-list", "variant", "algorithms", "keep", "ladder", "key-id", "count", "snapshot", "date"];

impl HeaderReader {
    /// Takes the line with this number, which begins with `#`.
    pub(super) fn line(&mut self, number: u64, text: &str) -> Result<(), HeaderError> {
        let shaped = text.strip_prefix("# ").and_then(|text| text.split_once(": "));
        let (key, value) =
            shaped.ok_or_else(|| HeaderError::Shape { line: number, found: Excerpt::of(text) })?;
        let index = KEYS.iter().position(|known| *known == key);
        let index = index.ok_or_else(|| HeaderError::UnknownKey { line: number, key: Excerpt::of(key) })?;
        if index > 0 && self.values[0].is_none() {
            return Err(HeaderError::Missing { key: KEYS[0] });
        }
        if index == 0 && value != VERSION {
            return Err(HeaderError::Version { found: Excerpt::of(value) });
        }
        match self.values[index].replace(value.to_owned()) {
            Some(_) => Err(HeaderError::Repeated { line: number, key: KEYS[index] }),
            None => Ok(()),
        }
    }

    /// Puts the header together.
    pub(super) fn finish(self) -> Result<Header, HeaderError> {
        let [version, variant, algorithms, keep, ladder, key_id, count, snapshot, date] = self.values;
        required(0, version)?;
        let rules = Rules {
            variant: value(1, required(1, variant)?, |text| text.parse().ok(), "none, n or p")?,
            keep: term(3, required(3, keep)?, parse_keep)?,
            ladder: term(4, required(4, ladder)?, str::parse)?,
        };
        let algorithms = value(
            2,
            required(2, algorithms)?,
            parse_algorithms,
            "names of hash algorithms, ascending, with commas",
        )?;
        let count = value(6, required(6, count)?, parse_count, "a number")?;
        let snapshot = required(7, snapshot)?;
        let snapshot = match rules.ladder {
            Ladder::Hosts => {
                Some(value(7, snapshot, |text| text.parse().ok(), "a snapshot, for the ladder has hosts")?)
            }
            Ladder::None | Ladder::Path => value(
                7,
                snapshot,
                |text| (text == "none").then_some(None),
                "none, for the ladder has no hosts",
            )?,
        };
        let key_id = match algorithms.iter().any(Algorithm::is_keyed) {
            true => Some(value(5, required(5, key_id)?, KeyId::parse, "16 hexadecimal digits")?),
            false if key_id.is_some() => return Err(HeaderError::KeyIdWithoutKey),
            false => None,
        };
        let date = date.map(|date| term(8, date, str::parse)).transpose()?;
        Ok(Header { rules, algorithms, key_id, count, snapshot, date })
    }
}

fn required(index: usize, value: Option<String>) -> Result<String, HeaderError> {
    value.ok_or(HeaderError::Missing { key: KEYS[index] })
}

fn term<T>(
    index: usize,
    text: String,
    parse: impl Fn(&str) -> Result<T, TermError>,
) -> Result<T, HeaderError> {
    parse(&text).map_err(|TermError { found, expected }| HeaderError::Value {
        key: KEYS[index],
        found,
        expected,
    })
}

fn value<T>(
    index: usize,
    text: String,
    parse: impl Fn(&str) -> Option<T>,
    expected: &'static str,
) -> Result<T, HeaderError> {
    parse(&text).ok_or_else(|| HeaderError::Value { key: KEYS[index], found: Excerpt::of(&text), expected })
}

fn parse_algorithms(text: &str) -> Option<Vec<Algorithm>> {
    let algorithms: Vec<Algorithm> = text.split(',').map(|name| name.parse().ok()).collect::<Option<_>>()?;
    let is_as_written = Joined(&algorithms).to_string() == text;
    (is_as_written && algorithms.is_sorted_by(|a, b| a < b)).then_some(algorithms)
}

/// Reads a number in its shortest form, as it is written.
fn parse_count(text: &str) -> Option<u64> {
    text.parse().ok().filter(|count: &u64| count.to_string() == text)
}
