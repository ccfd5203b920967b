//! The query as a list of fields.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::escapes;
use crate::draft::Part;
use urlid::internal::escape::UNRESERVED;

/// Sorts the fields between `&` by name and value, as bytes. A field without `=` comes before one with an
/// empty value, and empty fields stay.
pub(crate) fn sort(query: &mut Part, spare: &mut Vec<u8>) {
    let text = query.bytes();
    if memchr::memchr(b'&', text).is_none() || fields(text).is_sorted_by_key(name_and_value) {
        return;
    }
    let mut sorted: Vec<&[u8]> = fields(text).collect();
    sorted.sort_by_key(|field| name_and_value(field));
    spare.clear();
    join(sorted, b'&', spare);
    core::mem::swap(query.bytes_mut(), spare);
}

/// Decodes the fields once, with `+` as a space, drops empty ones, sorts them by name and value, and writes
/// them as `name=value` between `&`, with all but unreserved characters escaped and spaces as `+`.
pub(crate) fn sort_decoded(query: &mut Part, is_separator: fn(u8) -> bool, spare: &mut Vec<u8>) {
    if !query.is_empty() {
        let fields = query.bytes().split(|&byte| is_separator(byte)).filter(|field| !field.is_empty());
        push_sorted(fields, b"&", spare);
        core::mem::swap(query.bytes_mut(), spare);
    }
}

/// Writes fields, decoded and sorted as [`sort_decoded`] does, with a separator between them.
pub(crate) fn push_sorted<'a>(fields: impl Iterator<Item = &'a [u8]>, separator: &[u8], out: &mut Vec<u8>) {
    let name_and_value = |field| {
        let (name, value) = name_and_value(field);
        (decoded(name), decoded(value.unwrap_or_default()))
    };
    let mut fields: Vec<(Vec<u8>, Vec<u8>)> = fields.map(name_and_value).collect();
    // The decoded fields are sorted, because escapes would change the order.
    fields.sort();
    out.clear();
    for (index, (name, value)) in fields.iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(separator);
        }
        push_encoded(name, out);
        out.push(b'=');
        push_encoded(value, out);
    }
}

/// Decodes a name or a value once to a text, with `+` as a space. Bytes that are not UTF-8 become U+FFFD.
pub(crate) fn decoded_text(text: &[u8]) -> String {
    String::from_utf8_lossy(&decoded(text)).into_owned()
}

/// Returns the name of a field as text, decoded like in a form. Bytes that are not UTF-8 become U+FFFD
/// (<https://url.spec.whatwg.org/#urlencoded-parsing>).
pub(crate) fn decoded_name(name: &[u8]) -> Cow<'_, str> {
    if memchr::memchr2(b'%', b'+', name).is_some() {
        return decoded_text(name).into();
    }
    String::from_utf8_lossy(name)
}

fn decoded(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    // Done before decoding, because `%2B` stands for a plus sign instead of a space.
    text.iter_mut().filter(|byte| **byte == b'+').for_each(|byte| *byte = b' ');
    escapes::decode_once(&mut text, |_| true);
    text
}

fn push_encoded(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            b' ' => out.push(b'+'),
            _ => UNRESERVED.encode_bytes(&[byte], out),
        }
    }
}

/// Drops the fields with a name for which `is_dropped` returns `true`. A query that loses its last field is
/// also dropped.
pub(crate) fn drop_fields(query: &mut Part, spare: &mut Vec<u8>, is_dropped: impl Fn(&[u8]) -> bool) {
    drop_fields_by(query, spare, |name, _| is_dropped(name));
}

/// Drops fields by their name and value. Like [`drop_fields`] otherwise. Each field is examined once, and an
/// empty field is kept.
pub(crate) fn drop_fields_by(
    query: &mut Part,
    spare: &mut Vec<u8>,
    mut is_dropped: impl FnMut(&[u8], Option<&[u8]>) -> bool,
) {
    let text = query.bytes();
    let mut is_kept = |field: &[u8]| {
        let (name, value) = name_and_value(field);
        // An empty field lacks a name, so rules do not apply to it.
        field.is_empty() || !is_dropped(name, value)
    };
    // Most queries are unchanged and are not copied.
    let Some(first) = fields(text).position(|field| !is_kept(field)) else { return };
    let (before, after) = (fields(text).take(first), fields(text).skip(first + 1));
    spare.clear();
    join(before.chain(after.filter(|field| is_kept(field))), b'&', spare);
    if spare.is_empty() { query.remove() } else { core::mem::swap(query.bytes_mut(), spare) }
}

/// Leaves the names of the fields, sorted as decoded bytes and each once, with all but unreserved characters
/// escaped and spaces as `+`. A query without names is dropped.
pub(crate) fn keep_names(query: &mut Part, spare: &mut Vec<u8>) {
    let names: BTreeSet<_> =
        fields(query.bytes()).map(|field| decoded_name(name_and_value(field).0).into_owned()).collect();
    spare.clear();
    for name in names.iter().filter(|name| !name.is_empty()) {
        spare.extend_from_slice(if spare.is_empty() { b"" } else { b"&" });
        push_encoded(name.as_bytes(), spare);
    }
    if spare.is_empty() { query.remove() } else { core::mem::swap(query.bytes_mut(), spare) }
}

/// Sorts the fields by their decoded names, as bytes, and returns whether the order changed. Fields with the
/// same name keep their order, and empty fields come first.
pub(crate) fn sort_by_name(query: &mut Part, spare: &mut Vec<u8>) -> bool {
    let text = query.bytes();
    let is_sorted = || {
        fields(text)
            .is_sorted_by(|a, b| decoded_name(name_and_value(a).0) <= decoded_name(name_and_value(b).0))
    };
    if memchr::memchr(b'&', text).is_none() || is_sorted() {
        return false;
    }
    let mut sorted: Vec<&[u8]> = fields(text).collect();
    // Stable, and each name is decoded once, not once for each comparison.
    sorted.sort_by_cached_key(|field| decoded_name(name_and_value(field).0));
    spare.clear();
    join(sorted, b'&', spare);
    core::mem::swap(query.bytes_mut(), spare);
    true
}

/// Returns the fields between `&`.
pub(crate) fn fields(query: &[u8]) -> impl Iterator<Item = &[u8]> {
    query.split(|&byte| byte == b'&')
}

/// Cuts a field at its first `=`.
pub(crate) fn name_and_value(field: &[u8]) -> (&[u8], Option<&[u8]>) {
    super::split::cut(field, b'=')
}

/// Appends the fields with a delimiter between them.
pub(crate) fn join<'a>(fields: impl IntoIterator<Item = &'a [u8]>, delimiter: u8, out: &mut Vec<u8>) {
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            out.push(delimiter);
        }
        out.extend_from_slice(field);
    }
}
