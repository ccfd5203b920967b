//! Parses the members of a JSON object that are read.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::fields::Cell;
use crate::error;
use urlid::Error;

/// The members that are read, at the top level of the object or in nested objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Paths {
    /// For each path, the names from the outermost to the innermost member.
    steps: Vec<Vec<String>>,
    /// The names of all paths, undivided, each of which may be a member of an object. After them, the first
    /// steps of the paths with several steps.
    names: Vec<String>,
}

impl Paths {
    /// Splits each name at its dots into steps to nested members.
    pub(super) fn new(names: &[String]) -> Self {
        let steps: Vec<Vec<String>> =
            names.iter().map(|name| name.split('.').map(str::to_owned).collect()).collect();
        let first = steps.iter().filter(|steps| steps.len() > 1).map(|steps| steps[0].clone());
        let names = names.iter().cloned().chain(first).collect();
        Paths { steps, names }
    }
}

/// Sets `cells` to the values of the members at `paths`, and returns the number of members of the object. A
/// member in `others` is an error.
pub(super) fn cells<'a>(
    line: &'a [u8],
    paths: &Paths,
    others: &[String],
    cells: &mut Vec<Cell<'a>>,
) -> Result<usize, Error> {
    let mut json = serde_json::Deserializer::from_slice(line);
    let members = Members::new(&paths.names, others);
    let read = members.deserialize(&mut json).and_then(|members| json.end().map(|()| members));
    let members = read.map_err(|source| error::NO_OBJECT.error().with_shown(source))?;
    if let Some(column) = members.twice {
        return Err(error::MEMBER_TWICE.error().with_subject(column));
    }
    let (whole, first) = members.found.split_at(paths.steps.len());
    let mut first = first.iter();
    for ((steps, name), value) in paths.steps.iter().zip(&paths.names).zip(whole) {
        let within = if steps.len() > 1 { first.next().copied().flatten() } else { None };
        cells.push(match (value, within) {
            (Some(value), _) => cell_of(value, name),
            (None, Some(within)) => member(within, &steps[1..], name),
            (None, None) => Cell::Missing,
        });
    }
    Ok(members.count)
}

/// Returns the value of a member of an object, or of members of members.
fn member<'a>(object: &'a RawValue, steps: &[String], name: &str) -> Cell<'a> {
    let Some((step, rest)) = steps.split_first() else { return cell_of(object, name) };
    if object.get() == "null" {
        return Cell::Null;
    }
    let mut json = serde_json::Deserializer::from_str(object.get());
    // A text or a list does not have members.
    let Ok(members) = Members::new(std::slice::from_ref(step), &[]).deserialize(&mut json) else {
        return Cell::Missing;
    };
    match members.found[..] {
        _ if members.twice.is_some() => Cell::Bad(error::MEMBER_TWICE.error().with_subject(name.to_owned())),
        [Some(value)] => member(value, rest, name),
        _ => Cell::Missing,
    }
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
        None => {
            let error = error::NO_TEXT.error().with_subject(name.to_owned());
            match json.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
                true => Cell::Number(json, error),
                false => Cell::Bad(error),
            }
        }
    }
}

/// Visits the members of an object.
struct Members<'n, 'a> {
    /// The names of the members that are read. One may be there as a value and as a step to others.
    names: &'n [String],
    others: &'n [String],
    found: Vec<Option<&'a RawValue>>,
    /// A member that occurs twice, or that would be added.
    twice: Option<String>,
    count: usize,
}

impl<'n> Members<'n, '_> {
    fn new(names: &'n [String], others: &'n [String]) -> Self {
        Members { names, others, found: vec![None; names.len()], twice: None, count: 0 }
    }
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
            if !self.names.iter().any(|wanted| *wanted == name) {
                map.next_value::<IgnoredAny>()?;
                if self.others.iter().any(|other| *other == name) {
                    self.twice = Some(name.into_owned());
                }
                continue;
            }
            let value: &RawValue = map.next_value()?;
            for (found, _) in self.found.iter_mut().zip(self.names).filter(|(_, wanted)| **wanted == name) {
                if found.replace(value).is_some() {
                    self.twice = Some(name.clone().into_owned());
                }
            }
        }
        Ok(self)
    }
}
