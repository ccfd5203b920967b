//! Bodies of JSON as fields of a query, by the rules of Python's `json` module.
//!
//! Python's JSON is a superset of RFC 8259: it has `NaN` and `Infinity`, single surrogates, UTF-16 and
//! UTF-32, and numbers of any length. Texts are stored as bytes of UTF-8 in which surrogates also have three
//! bytes, so that two texts are equal if they are equal in Python.

mod parser;
mod value;

use std::borrow::Cow;
use std::collections::HashMap;

use parser::{Fault, Parser};
use value::{push_decoded, scalar_at, text_at};

use super::text::{BodyRules, push_field};
use crate::cdxj::request::text::MAX_QUERY;

/// Returns the deepest nesting of values, including the innermost one. It is the depth that CPython 3.11
/// allows when the indexer calls it.
fn max_depth(rules: BodyRules) -> usize {
    match rules {
        BodyRules::CdxjIndexer => 985,
        BodyRules::Pywb => 988,
    }
}

/// Returns the fields of a body as a query, `None` if it is not JSON.
pub(super) fn query(body: &[u8], rules: BodyRules) -> Option<String> {
    let mut documents = Documents::default();
    match documents.add(body, rules) {
        Ok(()) => {}
        // cdxj-indexer reads each line of such a body as a document.
        Err(Fault::Syntax) if rules == BodyRules::CdxjIndexer && body.contains(&b'\n') => {
            documents = Documents::default();
            for line in body.split(|&byte| byte == b'\n') {
                documents.add(line, rules).ok()?;
            }
        }
        Err(_) => return None,
    }
    let (mut fields, mut entry) = (QueryFields::default(), 0);
    while entry < documents.tape.len() {
        entry = documents.push_fields(entry, None, rules, &mut fields)?;
    }
    let mut out = String::new();
    for QueryField { name, value } in &fields.first {
        push_field(checked(name)?, checked(value)?, &mut out);
    }
    Some(out)
}

/// Some documents, parsed.
#[derive(Default)]
struct Documents {
    text: Vec<u8>,
    /// The offset of each value and of each name, in order. The offset of an array or object is followed by
    /// the index of the entry after its last one.
    tape: Vec<u32>,
}

impl Documents {
    /// Parses a document.
    fn add(&mut self, bytes: &[u8], rules: BodyRules) -> Result<(), Fault> {
        let start = self.text.len();
        push_decoded(bytes, &mut self.text)?;
        let max_depth = max_depth(rules);
        let mut parser = Parser { text: &self.text, at: start, tape: &mut self.tape, max_depth };
        parser.skip_space();
        parser.value(1)?;
        parser.skip_space();
        if parser.at == self.text.len() { Ok(()) } else { Err(Fault::Syntax) }
    }

    /// Adds the values at an entry as fields, and returns the entry after them. `name` is the name of the
    /// innermost member, if it has one that is not empty.
    fn push_fields<'t>(
        &'t self,
        entry: usize,
        name: Option<usize>,
        rules: BodyRules,
        fields: &mut QueryFields<'t>,
    ) -> Option<usize> {
        let at = self.tape[entry] as usize;
        match self.text[at] {
            b'[' => {
                // This recursion is as deep as the values, and the parser has limited their depth.
                let (mut next, end) = (entry + 2, self.tape[entry + 1] as usize);
                while next < end {
                    next = self.push_fields(next, name, rules, fields)?;
                }
                Some(end)
            }
            b'{' => {
                let end = self.tape[entry + 1] as usize;
                // As in a `dict`, a name has its first place and its last value.
                let (mut members, mut places) = (Vec::new(), HashMap::new());
                let mut next = entry + 2;
                while next < end {
                    let text = text_at(&self.text, self.tape[next] as usize);
                    let name = (!text.is_empty()).then(|| fields.id(text));
                    let place = *places.entry(name).or_insert_with(|| {
                        members.push((name, 0));
                        members.len() - 1
                    });
                    members[place].1 = next + 1;
                    next = self.behind(next + 1);
                }
                for (name, value) in members {
                    self.push_fields(value, name, rules, fields)?;
                }
                Some(end)
            }
            _ => {
                if let Some(name) = name {
                    fields.push(name, scalar_at(&self.text, at, rules)?)?;
                }
                Some(entry + 1)
            }
        }
    }

    /// Returns the entry after a value.
    fn behind(&self, entry: usize) -> usize {
        match self.text[self.tape[entry] as usize] {
            b'[' | b'{' => self.tape[entry + 1] as usize,
            _ => entry + 1,
        }
    }
}

/// The fields, restricted to those that fit into a query.
#[derive(Default)]
pub(super) struct QueryFields<'t> {
    names: Vec<Name<'t>>,
    ids: HashMap<Cow<'t, [u8]>, usize>,
    /// The kept fields in order, and the sum of the lengths of their names. In a query each name is at least
    /// as long.
    pub(super) first: Vec<QueryField<'t>>,
    first_len: usize,
    /// The indexes in `first`.
    places: HashMap<(usize, u32), usize>,
}

/// A value and its name, with a number after it if it is not the first of that name.
pub(super) struct QueryField<'t> {
    pub(super) name: Cow<'t, [u8]>,
    pub(super) value: Cow<'t, [u8]>,
}

/// The name of a member. A list of many values may have a long one, so it is hashed once.
struct Name<'t> {
    text: Cow<'t, [u8]>,
    is_unicode: bool,
    /// The number of fields that have the name, or were given it with a number after it.
    count: u32,
}

impl<'t> QueryFields<'t> {
    /// Returns the index of a name in `names`.
    pub(super) fn id(&mut self, text: Cow<'t, [u8]>) -> usize {
        *self.ids.entry(text).or_insert_with_key(|text| {
            let is_unicode = checked(text).is_some();
            self.names.push(Name { text: text.clone(), is_unicode, count: 0 });
            self.names.len() - 1
        })
    }

    /// Adds a field. The second field with a name gets the suffix `.2_`, and replaces a field that was
    /// written with this name. Returns `None` if the field is dropped and is not Unicode.
    pub(super) fn push(&mut self, id: usize, value: Cow<'t, [u8]>) -> Option<()> {
        // A field is identified by its name and number: `a.2_` is the second of `a`, whether it was written
        // so or is numbered here.
        let mut field = (id, 1);
        if self.names[id].count == 0
            && let Some((base, number)) = parted(&self.names[id].text)
        {
            let base = self.id(base);
            field = (base, number);
            // Numbering has already given the name to a different field.
            self.names[id].count = u32::from(number <= self.names[base].count);
        }
        let name = &mut self.names[id];
        name.count += 1;
        if name.count > 1 {
            field = (id, name.count);
        }
        if let Some(place) = self.places.get(&field) {
            self.first[*place].value = value;
            return Some(());
        }
        // Python fails on any text that is not Unicode, so such a text is detected even after the fields have
        // exceeded the limit.
        if self.first_len > MAX_QUERY {
            return checked(&value).filter(|_| name.is_unicode).map(|_| ());
        }
        let text = match name.count {
            1 => name.text.clone(),
            number => Cow::Owned([&name.text, format!(".{number}_").as_bytes()].concat()),
        };
        // Includes `=` and `&`.
        self.first_len += text.len() + 2;
        self.places.insert(field, self.first.len());
        self.first.push(QueryField { name: text, value });
        Some(())
    }
}

/// Splits a name with a number after it, as the second and later fields have, into the two.
fn parted<'t>(name: &Cow<'t, [u8]>) -> Option<(Cow<'t, [u8]>, u32)> {
    let front = name.strip_suffix(b"_")?;
    let dot = front.iter().rposition(|&byte| byte == b'.')?;
    let number: u32 = str::from_utf8(&front[dot + 1..]).ok()?.parse().ok()?;
    // Only without leading zeros, because `a.02_` is a separate name.
    let is_written_so = number >= 2 && number.to_string().as_bytes() == &front[dot + 1..];
    let base = match name {
        Cow::Borrowed(name) => Cow::Borrowed(&name[..dot]),
        Cow::Owned(name) => Cow::Owned(name[..dot].to_vec()),
    };
    is_written_so.then_some((base, number))
}

/// Returns a text if it is Unicode, so that it is free of lone surrogates.
pub(super) fn checked(text: &[u8]) -> Option<&[u8]> {
    str::from_utf8(text).is_ok().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: Option<&str>) {
        assert_eq!(query(body.as_bytes(), BodyRules::CdxjIndexer).as_deref(), expected, "{body}");
    }

    #[test]
    fn members_are_fields() {
        check(
            r#"{"a": 1, "b": {"a": [2, true, {"c": null}], "d": "x y"}}"#,
            Some("a=1&a.2_=2&a.3_=True&c=None&d=x+y"),
        );
        check(r#"{"a": 1, "b": 2, "a": [3, 4]}"#, Some("a=3&a.2_=4&b=2"));
        check(r#"{"a.2_": 1, "a": [2, 3], "b": {"a.2_": 4}}"#, Some("a.2_=3&a=2&a.2_.2_=4"));
        check(r#"{"a": [1, 2], "b": {"a.2_": 3}}"#, Some("a=1&a.2_=2&a.2_.2_=3"));
        check(r#"[1, "", {"": 2}]"#, Some(""));
        check("{\"a\": 1}\n{\"a\": 2}", Some("a=1&a.2_=2"));
        check("{\"a\": 1}\n{\"a\": 2}\n", None);
        check(r#"{"a": "\ud83d\ude00\u00e9"}"#, Some("a=%F0%9F%98%80%C3%A9"));
        check(r#"{"a": "\ud83d"}"#, None);
        check(r#"{"\ud83d": []}"#, Some(""));
        check(r#"{"a": [NaN, -Infinity, 1e999, -0, -0.0, 1E5, 01]}"#, None);
        check(
            r#"{"a": [NaN, -Infinity, 1e999, -0, -0.0, 1E5]}"#,
            Some("a=nan&a.2_=-inf&a.3_=inf&a.4_=0&a.5_=-0.0&a.6_=100000.0"),
        );
        for bad in
            ["", "{", "[1,]", "{\"a\"}", "{a: 1}", "tru", "\"\t\"", "1 2", "1.", "\"\\x\"", "\u{feff}", "-"]
        {
            check(bad, None);
        }
    }

    #[test]
    fn too_deeply_nested_json_is_not_a_body() {
        let nested = |depth: usize| format!("{{\"a\":{}1{}}}", "[".repeat(depth), "]".repeat(depth));
        for rules in [BodyRules::CdxjIndexer, BodyRules::Pywb] {
            let most = max_depth(rules) - 2;
            assert_eq!(query(nested(most).as_bytes(), rules).as_deref(), Some("a=1"));
            assert_eq!(query(nested(most + 1).as_bytes(), rules), None);
        }
        check(&"[".repeat(1 << 20), None);
    }
}
