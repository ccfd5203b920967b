//! The facts about an identifier alone: its fields, and values whose hashes they are.

use urlid::hashed_uri::HashedUri;
use urlid::hex;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Field, Slice, Sxurl};
use urlid::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};

use super::explanation::{Digits, Explanation, Fact, Facts, Part, Refusal};

/// Explains the 64 digits of a SXURL.
pub(crate) fn sxurl(text: &str, list: &SuffixList) -> Option<Explanation> {
    let id = Sxurl::from_hex(text).ok()?;
    let parts = Field::ALL.map(|field| {
        let mut part = field_part(&id, field);
        (part.value, part.note) = match field {
            Field::Header => (Some(id.scheme().to_string()), header_note(&id)),
            Field::Port => match id.port() {
                Some(port) => (Some(port.to_string()), String::new()),
                None => (None, "none is written".to_owned()),
            },
            // The list has some ten thousand suffixes: few enough to hash them all, unlike domains or paths.
            Field::Tld => guess(suffixes_of(&id, list)),
            // Empty for a host that is itself a public suffix; any other label is too hard to guess.
            Field::Domain => guess(known(&id, Slice::Domain, &[""])),
            Field::Sub => guess(known(&id, Slice::Sub, &["", "www"])),
            // An empty path counts as `/` in SXURLs, so the empty text is no candidate.
            Field::Path => guess(known(&id, Slice::Path, &["/"])),
            Field::Params => guess(known(&id, Slice::Params, &[""])),
            Field::Frag => guess(known(&id, Slice::Frag, &[""])),
        };
        part
    });
    let facts = vec![("sxurl", Fact::Text(id.to_hex()))];
    Some(Explanation { kind: "sxurl", text: text.to_owned(), parts: parts.into(), facts: Facts(facts) })
}

/// Explains a hashed URI.
pub(crate) fn hashed_uri(text: &str) -> Option<Explanation> {
    let hashed = HashedUri::parse(text).ok()?;
    let keep = match (hashed.keep().query, hashed.keep().fragment) {
        (false, false) => "neither query nor fragment: both may be anything",
        (true, false) => "the query; the fragment may be anything",
        (false, true) => "the fragment; the query may be anything",
        (true, true) => "query and fragment",
    };
    let digest = hex::encode(hashed.digest());
    let known = if hashed.is_known() { "can be computed here" } else { "for private use, not known here" };
    let facts = vec![
        ("algorithm", Fact::Text(format!("{}: {known}", hashed.algorithm()))),
        ("digest", Fact::Text(digest)),
        ("kept", Fact::text(keep)),
        // A Hashed URI names its algorithm and what it kept, never the variant by which it was canonicalised.
        ("variant", Fact::text("not part of the text; N unless its maker says otherwise")),
        ("hashed-uri", Fact::text(hashed)),
    ];
    Some(Explanation { kind: "hashed-uri", text: text.to_owned(), parts: Vec::new(), facts: Facts(facts) })
}

/// Explains a url-hash or one of its short forms, in words or in digits.
pub(crate) fn url_hash(text: &str) -> Option<Explanation> {
    let report = |kind, facts| {
        Some(Explanation { kind, text: text.to_owned(), parts: Vec::new(), facts: Facts(facts) })
    };
    if let Ok(hash) = text.parse().or_else(|_| UrlHash::from_hex(text)) {
        let mut facts = vec![
            ("url-hash", Fact::text(hash)),
            ("digest", Fact::Text(hash.to_hex())),
            ("url-short-hash", Fact::text(hash.short())),
            ("url-very-short-hash", Fact::text(hash.very_short())),
        ];
        // Any 64 digits are a url-hash, so the reason why these are not an SXURL is shown first.
        if let Some(error) = failed_check(text) {
            facts.insert(0, ("sxurl", Fact::Refused(Refusal::new(&error))));
        }
        return report("url-hash", facts);
    }
    if let Ok(hash) = text.parse().or_else(|_| UrlShortHash::from_hex(text)) {
        let facts = vec![
            ("url-short-hash", Fact::text(hash)),
            ("digest", Fact::Text(hash.to_hex())),
            ("url-very-short-hash", Fact::text(hash.very_short())),
        ];
        return report("url-short-hash", facts);
    }
    let hash = text.parse().or_else(|_| UrlVeryShortHash::from_hex(text)).ok()?;
    let facts = vec![("url-very-short-hash", Fact::text(hash)), ("digest", Fact::Text(hash.to_hex()))];
    report("url-very-short-hash", facts)
}

/// Returns a field of an identifier as a part without a value.
pub(crate) fn field_part(id: &Sxurl, field: Field) -> Part {
    let range = field.hex_range();
    let digits = id.to_hex()[range.clone()].to_owned();
    let digits = Digits { digits, hex_start: range.start, hex_end: range.end };
    Part { name: field.name(), value: None, place: None, digits: Some(digits), note: String::new() }
}

/// Returns the reason why a text of hexadecimal digits is not an SXURL; `None` if it is one, or has other
/// characters.
pub fn failed_check(text: &str) -> Option<urlid::Error> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digits { Sxurl::from_hex(text).err() } else { None }
}

/// Describes the header.
pub(crate) fn header_note(id: &Sxurl) -> String {
    let flags = [
        ("sub", id.has_sub()),
        ("params", id.has_params()),
        ("frag", id.has_frag()),
        ("port", id.has_port()),
    ];
    let present: Vec<_> = flags.into_iter().filter_map(|(name, is_set)| is_set.then_some(name)).collect();
    let present =
        if present.is_empty() { "no flag".to_owned() } else { format!("with {}", present.join(", ")) };
    format!("version {}, {present}", id.version())
}

/// Returns the public suffixes whose hash the identifier has.
fn suffixes_of(id: &Sxurl, list: &SuffixList) -> Vec<String> {
    // The field has 16 bits, so several of some ten thousand suffixes can share a hash.
    let mut names: Vec<String> = list.names().filter(|name| id.matches(Slice::Tld, name)).collect();
    names.sort();
    names
}

/// Returns those of some common values whose hash the identifier has.
fn known(id: &Sxurl, slice: Slice, values: &[&str]) -> Vec<String> {
    values.iter().filter(|value| id.matches(slice, value)).map(|&value| value.to_owned()).collect()
}

/// Describes the values that a hash may stand for.
fn guess(values: Vec<String>) -> (Option<String>, String) {
    match values.as_slice() {
        [] => (None, "not guessed".to_owned()),
        [value] if value.is_empty() => (Some(String::new()), "absent: the hash of the empty text".to_owned()),
        [value] => (Some(value.clone()), "guessed: it has this hash".to_owned()),
        // No value is chosen: the hash alone does not tell them apart.
        several => (None, format!("guessed: one of {}", several.join(", "))),
    }
}
