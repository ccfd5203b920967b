//! Parses the members of a JSON object that are read.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::cell::Cell;
use crate::error;
use urlid::Error;

/// Sets `cells` to the values of the members `names`, and returns the number of all members. None of `others` may occur.
pub(super) fn cells<'a>(
    line: &'a [u8],
    names: &[String],
    others: &[String],
    cells: &mut Vec<Cell<'a>>,
) -> Result<usize, Error> {
    cells.resize(names.len(), Cell::Missing);
    let members = Members { names, others, found: vec![None; names.len()], twice: None, count: 0 };
    let mut json = serde_json::Deserializer::from_slice(line);
    let read = members.deserialize(&mut json).and_then(|members| json.end().map(|()| members));
    let members = read.map_err(|source| error::NO_OBJECT.error().with_shown(source))?;
    if let Some(column) = members.twice {
        return Err(error::MEMBER_TWICE.error().with_subject(column));
    }
    for ((cell, value), name) in cells.iter_mut().zip(members.found).zip(names) {
        *cell = value.map_or(Cell::Missing, |value| cell_of(value, name));
    }
    Ok(members.count)
}

fn cell_of<'a>(value: &'a RawValue, name: &str) -> Cell<'a> {
    let json = value.get();
    let plain = json.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    match plain {
        // Valid JSON already, so a string without an escape is its text.
        Some(text) if !text.contains('\\') => Cell::Text(Cow::Borrowed(text.as_bytes())),
        Some(_) => match serde_json::from_str::<String>(json) {
            Ok(text) => Cell::Text(Cow::Owned(text.into_bytes())),
            Err(_) => Cell::Bad(error::NO_TEXT.error().with_subject(name.to_owned())),
        },
        None if json == "null" => Cell::Null,
        None => Cell::Bad(error::NO_TEXT.error().with_subject(name.to_owned())),
    }
}

/// Visits the members of an object.
struct Members<'n, 'a> {
    names: &'n [String],
    others: &'n [String],
    found: Vec<Option<&'a RawValue>>,
    /// A member that occurs twice, or that is to be added.
    twice: Option<String>,
    count: usize,
}

/// The name of a member.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> DeserializeSeed<'a> for Members<'_, 'a> {
    type Value = Self;

    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<Self, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Members<'_, 'a> {
    type Value = Self;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<M: MapAccess<'a>>(mut self, mut map: M) -> Result<Self, M::Error> {
        while let Some(Name(name)) = map.next_key()? {
            self.count += 1;
            match self.names.iter().position(|wanted| *wanted == name) {
                Some(place) => {
                    if self.found[place].replace(map.next_value()?).is_some() {
                        self.twice = Some(name.into_owned());
                    }
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                    if self.others.iter().any(|other| *other == name) {
                        self.twice = Some(name.into_owned());
                    }
                }
            }
        }
        Ok(self)
    }
}
