//! The query as normalize-url writes it. It is decoded, sorted and encoded again, and an escaped delimiter
//! stays escaped.

use std::collections::HashSet;

use super::ada;
use super::escapes::escaped_byte;
use super::javascript::{compare, decode_uri_component, is_word_byte, push_field, starts_with};
use super::query;
use urlid::internal::escape::escaped;
use urlid::reference::Class;

/// The differences between versions of the package.
pub(crate) struct Version {
    /// Bytes with escapes that stay.
    pub(crate) kept: &'static [u8],
    /// Whether the end of a token may be the start of the next one, so that both are found.
    pub(crate) ends_are_shared: bool,
}

/// Returns the normal form of a query, both without `?`.
pub(crate) fn normalise(written: &str, class: Class, version: &Version) -> String {
    // An escaped delimiter is replaced by a token, which is a word and its two digits, until everything else
    // is decoded.
    let token = has_escaped_delimiter(written).then(|| unused_token(written, version));
    let text = match &token {
        Some(token) => {
            replace_escapes(written, |byte, _| is_delimiter(byte).then(|| format!("{token}{byte:02X}")))
        }
        None => written.to_owned(),
    };
    let without_tokens = |text: &str, write: fn(u8, &mut String)| match &token {
        Some(token) => replace_tokens(text, token, write),
        None => text.to_owned(),
    };
    let mut fields: Vec<(String, String, String)> = Vec::new();
    for (name, value) in fields_of(&text) {
        let shown = without_tokens(&name, |byte, out| out.push(char::from(byte)));
        if !is_tracking(&shown) {
            fields.push((shown, name, value));
        }
    }
    // `URLSearchParams.sort` is stable: fields with the same name keep their order.
    fields.sort_by(|(one, ..), (other, ..)| compare(one, other));
    let mut sorted = String::with_capacity(text.len());
    for (_, name, value) in &fields {
        push_field(name, value, &mut sorted);
    }
    let decoded = decode_all_but(&sorted, version.kept);
    // The package assigns `search`, and its setter encodes the query again.
    let set = String::from_utf8_lossy(&ada::set_query(&decoded, class)).into_owned();
    let set = without_tokens(&set, |byte, out| out.extend(escaped(byte).map(char::from)));
    restore_empty_values(&set, written)
}

/// Returns names and values as `URLSearchParams` reads them.
fn fields_of(query: &str) -> impl Iterator<Item = (String, String)> {
    query::fields(query.as_bytes()).filter(|field| !field.is_empty()).map(|field| {
        let (name, value) = query::name_and_value(field);
        (query::decoded_text(name), query::decoded_text(value.unwrap_or_default()))
    })
}

fn is_delimiter(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&byte)
}

fn has_escaped_delimiter(text: &str) -> bool {
    memchr::memchr_iter(b'%', text.as_bytes())
        .any(|offset| escaped_byte(&text.as_bytes()[offset + 1..]).is_some_and(is_delimiter))
}

/// Replaces the escapes if a function returns a text for their byte and spelling.
pub(crate) fn replace_escapes(text: &str, replacement: impl Fn(u8, &str) -> Option<String>) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(offset) = rest.find('%') {
        replaced.push_str(&rest[..offset]);
        rest = &rest[offset..];
        let escape = escaped_byte(&rest.as_bytes()[1..]).map(|byte| (byte, &rest[..3]));
        let length = match escape.and_then(|(byte, escape)| replacement(byte, escape)) {
            Some(replacement) => {
                replaced.push_str(&replacement);
                3
            }
            None => {
                replaced.push('%');
                1
            }
        };
        rest = &rest[length..];
    }
    replaced.push_str(rest);
    replaced
}

const TOKEN: &str = "__normalize_url_encoded_reserved__";

/// Returns the word of the first number without a token in the query, both as written and decoded.
fn unused_token(query: &str, version: &Version) -> String {
    let mut used = HashSet::new();
    let decoded = decode_uri_component(query).unwrap_or_else(|| {
        // The text of `URLSearchParams`. All characters of a token are written unescaped there.
        let mut written = String::new();
        fields_of(query).for_each(|(name, value)| push_field(&name, &value, &mut written));
        written
    });
    for text in [query, &decoded] {
        let mut rest = text;
        while let Some(offset) = rest.find(TOKEN) {
            rest = &rest[offset..];
            let number = &rest[TOKEN.len()..];
            let digits = number.bytes().take_while(u8::is_ascii_digit).count();
            let is_token = digits > 0 && number[digits..].starts_with("__");
            let end = if version.ends_are_shared { 0 } else { 2 };
            let length = if is_token { TOKEN.len() + digits + end } else { 1 };
            // A number that does not fit cannot be the first unused one.
            used.extend(number[..digits].parse::<usize>().ok().filter(|_| is_token));
            rest = &rest[length..];
        }
    }
    let unused = (0..).find(|number| !used.contains(number)).expect("a text has not all numbers");
    format!("{TOKEN}{unused}__")
}

/// Replaces each token by its byte.
fn replace_tokens(text: &str, token: &str, write: fn(u8, &mut String)) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(offset) = rest.find(token) {
        let (before, after) = (&rest[..offset], &rest[offset + token.len()..]);
        let digits =
            after.as_bytes().first_chunk::<2>().filter(|digits| digits.iter().all(is_capital_hex_digit));
        match digits.and_then(|digits| escaped_byte(digits)) {
            Some(byte) => {
                replaced.push_str(before);
                write(byte, &mut replaced);
                rest = &after[2..];
            }
            None => {
                replaced.push_str(&rest[..=offset]);
                rest = &rest[offset + 1..];
            }
        }
    }
    replaced.push_str(rest);
    replaced
}

fn is_capital_hex_digit(byte: &u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'A'..=b'F')
}

/// `/^utm_\w+/i`
fn is_tracking(name: &str) -> bool {
    starts_with(name.as_bytes(), "utm_") && name.as_bytes().get(4).is_some_and(|&byte| is_word_byte(byte))
}

/// Decodes the escapes of a text that `URLSearchParams` wrote, except those of some bytes.
fn decode_all_but(text: &str, kept: &[u8]) -> String {
    let protected = with_kept_escapes(text, kept);
    decode_uri_component(&protected).unwrap_or(protected)
}

/// Escapes the `%` of the escapes that decoding should keep.
pub(crate) fn with_kept_escapes(text: &str, kept: &[u8]) -> String {
    replace_escapes(text, |byte, escape| kept.contains(&byte).then(|| ["%25", &escape[1..]].concat()))
}

/// Removes the `=` before an empty value if the query had only the name, and writes `+` in names as `%20`.
fn restore_empty_values(query: &str, written: &str) -> String {
    let without_equals: HashSet<String> = written
        .split('&')
        .filter(|field| !field.is_empty() && !field.contains('='))
        .map(decoded_name)
        .collect();
    let mut restored = String::with_capacity(query.len());
    for field in query.split('&').filter(|field| !field.is_empty()) {
        if !restored.is_empty() {
            restored.push('&');
        }
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        let name = name.replace('+', "%20");
        restored.push_str(&name);
        let is_bare = value.is_empty() && !name.is_empty() && without_equals.contains(&decoded_name(&name));
        if !is_bare {
            restored.push('=');
            restored.push_str(value);
        }
    }
    restored
}

/// Decodes a name like the package. If an escape is not UTF-8, it decodes by `URLSearchParams`, which removes
/// a `?` at the start.
fn decoded_name(name: &str) -> String {
    decode_uri_component(&name.replace('+', "%20"))
        .unwrap_or_else(|| query::decoded_text(name.strip_prefix('?').unwrap_or(name).as_bytes()))
}
