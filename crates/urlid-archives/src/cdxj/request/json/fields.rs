//! The fields of bodies of JSON, each of which has a name of its own.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::cdxj::request::rules::MAX_QUERY;

/// The fields, of which only those are kept that fit into a query.
#[derive(Default)]
pub(super) struct Fields<'t> {
    names: Vec<Name<'t>>,
    ids: HashMap<Cow<'t, [u8]>, usize>,
    /// The kept fields in order, and the sum of the lengths of their names, each of which is as long in a
    /// query or longer.
    pub(super) first: Vec<Field<'t>>,
    first_len: usize,
    /// The indexes in `first`.
    places: HashMap<(usize, u32), usize>,
}

/// A value and its name, with a number after it if it is not the first of that name.
pub(super) struct Field<'t> {
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

impl<'t> Fields<'t> {
    /// Returns the index of a name in `names`.
    pub(super) fn id(&mut self, text: Cow<'t, [u8]>) -> usize {
        *self.ids.entry(text).or_insert_with_key(|text| {
            let is_unicode = checked(text).is_some();
            self.names.push(Name { text: text.clone(), is_unicode, count: 0 });
            self.names.len() - 1
        })
    }

    /// Adds a field. The second one with a name gets `.2_` after it, which replaces a field that is named so
    /// itself. `None` if the field is dropped and is not Unicode.
    pub(super) fn push(&mut self, id: usize, value: Cow<'t, [u8]>) -> Option<()> {
        // A field is known by its name and number: `a.2_` is the second of `a`, whether it was written so or
        // is numbered here.
        let mut field = (id, 1);
        if self.names[id].count == 0
            && let Some((base, number)) = parted(&self.names[id].text)
        {
            let base = self.id(base);
            field = (base, number);
            // The name was given to another field by its number.
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
        // Python fails on any text that is not Unicode, so that is noticed even where the field does not fit
        // any more.
        if self.first_len > MAX_QUERY {
            return checked(&value).filter(|_| name.is_unicode).map(|_| ());
        }
        let text = match name.count {
            1 => name.text.clone(),
            number => Cow::Owned([&name.text, format!(".{number}_").as_bytes()].concat()),
        };
        // With `=` and `&`.
        self.first_len += text.len() + 2;
        self.places.insert(field, self.first.len());
        self.first.push(Field { name: text, value });
        Some(())
    }
}

/// Splits a name with a number after it, as the second and later fields have, into the two.
fn parted<'t>(name: &Cow<'t, [u8]>) -> Option<(Cow<'t, [u8]>, u32)> {
    let front = name.strip_suffix(b"_")?;
    let dot = front.iter().rposition(|&byte| byte == b'.')?;
    let number: u32 = str::from_utf8(&front[dot + 1..]).ok()?.parse().ok()?;
    // Without leading zeros: `a.02_` is a name of its own.
    let is_written_so = number >= 2 && number.to_string().as_bytes() == &front[dot + 1..];
    let base = match name {
        Cow::Borrowed(name) => Cow::Borrowed(&name[..dot]),
        Cow::Owned(name) => Cow::Owned(name[..dot].to_vec()),
    };
    is_written_so.then_some((base, number))
}

/// Returns a text if it is Unicode: if no surrogate is alone.
pub(super) fn checked(text: &[u8]) -> Option<&[u8]> {
    str::from_utf8(text).is_ok().then_some(text)
}
