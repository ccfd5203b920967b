//! The query as a list of fields.

use crate::canonical::draft::Part;

/// Sorts the fields between `&` by name and value, as bytes. A field without `=` comes before one with an empty
/// value, and empty fields stay.
pub(in crate::canonical) fn sort(query: &mut Part, spare: &mut Vec<u8>) {
    let text = query.bytes();
    if memchr::memchr(b'&', text).is_none() || fields(text).is_sorted_by_key(name_and_value) {
        return;
    }
    let mut sorted: Vec<&[u8]> = fields(text).collect();
    sorted.sort_by_key(|field| name_and_value(field));
    spare.clear();
    join(sorted, b'&', spare);
    std::mem::swap(query.bytes_mut(), spare);
}

/// Returns the fields between `&`.
pub(in crate::canonical) fn fields(query: &[u8]) -> impl Iterator<Item = &[u8]> {
    query.split(|&byte| byte == b'&')
}

/// Cuts a field at its first `=`.
pub(in crate::canonical) fn name_and_value(field: &[u8]) -> (&[u8], Option<&[u8]>) {
    super::split::cut(field, b'=')
}

/// Appends the fields with a delimiter between them.
pub(in crate::canonical) fn join<'a>(
    fields: impl IntoIterator<Item = &'a [u8]>,
    delimiter: u8,
    out: &mut Vec<u8>,
) {
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            out.push(delimiter);
        }
        out.extend_from_slice(field);
    }
}
