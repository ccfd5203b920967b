//! The split of a text into scheme, authority, path, query and fragment.

use memchr::{memchr, memchr3};

use crate::draft::{Draft, Stage};

/// Returns the length of `ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` before a `:` at the start.
pub(crate) fn scheme_length(text: &[u8]) -> Option<usize> {
    let length = text.iter().position(|&byte| !is_scheme_byte(byte))?;
    (text[length] == b':' && text[0].is_ascii_alphabetic()).then_some(length)
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Returns the length of `1*( ALPHA / DIGIT / "+" / "-" / "." )` before a `:` at the start, as yarl reads a
/// scheme.
pub(crate) fn scheme_length_from_any(text: &[u8]) -> Option<usize> {
    let length = text.iter().position(|&byte| !is_scheme_byte(byte))?;
    (text[length] == b':' && length > 0).then_some(length)
}

/// Puts `http://` before a text without a scheme.
pub(crate) fn default_scheme(text: &mut Vec<u8>, prefix: &[u8]) {
    if scheme_length(text).is_none() {
        text.splice(..0, prefix.iter().copied());
    }
}

/// Splits the text as RFC 3986, appendix B does. The authority becomes the host until a rule splits it.
pub(crate) fn split(draft: &mut Draft) {
    split_at(draft, scheme_length);
}

/// Splits the text so, where a function finds the end of the scheme.
pub(crate) fn split_at(draft: &mut Draft, scheme_length: fn(&[u8]) -> Option<usize>) {
    let text = draft.text.as_slice();
    let (scheme, rest) = match scheme_length(text) {
        Some(length) => (Some(&text[..length]), &text[length + 1..]),
        None => (None, text),
    };
    draft.scheme.set_option(scheme);
    // The fragment is split off first, because a `?` in it does not start a query.
    let (rest, fragment) = cut(rest, b'#');
    let (rest, query) = cut(rest, b'?');
    draft.fragment.set_option(fragment);
    draft.query.set_option(query);
    let (authority, path) = match rest.strip_prefix(b"//") {
        Some(rest) => {
            let end = memchr(b'/', rest).unwrap_or(rest.len());
            (Some(&rest[..end]), &rest[end..])
        }
        None => (None, rest),
    };
    draft.host.set_option(authority);
    // Each part is set or removed, because `Draft::begin` keeps the parts of the last text.
    draft.userinfo.remove();
    draft.port.remove();
    draft.params.remove();
    draft.path.clear();
    draft.path.extend_from_slice(path);
    draft.stage = Stage::Parts;
}

/// Cuts at the first `delimiter`, which goes away.
pub(crate) fn cut(text: &[u8], delimiter: u8) -> (&[u8], Option<&[u8]>) {
    match memchr(delimiter, text) {
        Some(offset) => (&text[..offset], Some(&text[offset + 1..])),
        None => (text, None),
    }
}

/// Returns the offset of the first `/`, `?` or `#`.
pub(crate) fn authority_end(text: &[u8]) -> usize {
    memchr3(b'/', b'?', b'#', text).unwrap_or(text.len())
}
