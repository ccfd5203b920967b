//! The facts about a text. For a URL they are its parts, their places and the digits computed from them. For
//! an identifier they are its fields, and values with these hashes.

use std::ops::Range;

use urlid::hashed_uri::HashedUri;
use urlid::hex;
use urlid::reference::{Context, Reference};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Field, Slice, Sxurl};
use urlid::url_hash::{UrlHash, UrlShortHash, UrlVeryShortHash};
use urlid::web::Url;

use super::{Digits, ExplainedPart, Explanation, Fact, Facts, Rejection, TextSpan};

/// Returns the kind of a text and its parts. The text is tried as an identifier first.
///
/// # Errors
/// [`urlid::Error`] if the text is neither an identifier nor a URL by any of the specifications.
pub fn explain(text: &str, list: &SuffixList) -> Result<Explanation, urlid::Error> {
    // SXURLs are tried first, because they have a version and checks. Any 64 digits can be a url-hash.
    let found = sxurl(text, list).or_else(|| hashed_uri(text)).or_else(|| url_hash(text));
    match (found, failed_check(text)) {
        (Some(explanation), _) => Ok(explanation),
        // Hexadecimal digits are also a relative reference, but the failed check of the SXURL is more useful.
        (None, Some(error)) => Err(error),
        (None, None) => explain_url(text, list),
    }
}

/// Explains a URL. If the text is not a URL by any of the specifications, returns an error.
fn explain_url(text: &str, list: &SuffixList) -> Result<Explanation, urlid::Error> {
    // The split by RFC 3986 keeps the given bytes, so offsets in it are offsets in the text.
    let reference = Reference::parse(text, Context::Rfc3986)?;
    let web = Url::parse(text);
    // A valid hashed URI is not shown as a URL. For an invalid one, the error is shown.
    let is_hashed = reference.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("hashed"));
    let hashed = HashedUri::encode(text);
    let components = Components::parse(text, list);

    let tokens: Vec<_> = reference.tokens().map(|token| token.kind.name()).collect();
    let is_explained = web.is_ok() || hashed.is_ok() || components.is_ok();
    let mut facts = vec![("tokens", Fact::Text(tokens.join(" ")))];
    let mut parts = Vec::new();
    match &components {
        Ok(components) => {
            parts = slices(text, &reference, components);
            facts.push(("sxurl", Fact::text(components.encode())));
            facts.push(("sxurl-text", Fact::Text(components.to_normal_text())));
        }
        Err(error) => facts.push(("sxurl", Fact::Rejected(Rejection::new(error)))),
    }
    match web {
        Ok(url) => {
            facts.push(("web", Fact::text(&url)));
            facts.push(("url-hash", Fact::text(UrlHash::from(&url))));
        }
        // The error of the URL Standard is returned, because most texts are meant as web URLs.
        Err(error) if !is_explained => return Err(error),
        Err(error) => facts.push(("web", Fact::Rejected(Rejection::new(&error)))),
    }
    facts.push((
        "hashed-uri",
        if is_hashed { Fact::from_result(HashedUri::parse(text)) } else { Fact::from_result(hashed) },
    ));
    Ok(Explanation { kind: "url", text: text.to_owned(), parts, facts: Facts(facts) })
}

/// Returns the parts of a URL that has a SXURL, in the order of the text.
fn slices(text: &str, reference: &Reference<'_>, components: &Components<'_>) -> Vec<ExplainedPart> {
    let id = components.encode();
    let place = |piece: &str| place_of(text, piece);
    let authority = reference.authority();
    let raw_host = authority.map(|authority| place(authority.host)).unwrap_or_default();
    // `components` has the mapped host, and its offsets differ from the offsets in the text.
    let [sub, domain, tld] = host_places(&text[raw_host.clone()], components)
        .map(|part| part.map(|part| raw_host.start + part.start..raw_host.start + part.end));

    let part = |field: Field, value: String, place: Option<Range<usize>>| {
        let mut part = field_part(&id, field);
        part.place = place.filter(|place| !place.is_empty()).map(place_in_text);
        part.note =
            if value.is_empty() { "absent: the hash of the empty text".to_owned() } else { String::new() };
        part.value = Some(value);
        part
    };
    let mut scheme = part(Field::Header, components.scheme().to_string(), reference.scheme().map(place));
    scheme.note = header_note(&id);
    let mut port =
        part(Field::Port, String::new(), authority.and_then(|authority| authority.port).map(place));
    port.note = "none is written".to_owned();
    if let Some(number) = components.port() {
        port.value = Some(number.to_string());
        port.note = String::new();
    }
    let mut path = part(Field::Path, components.path().to_owned(), Some(place(reference.path())));
    if reference.path().is_empty() {
        path.note = "an empty path counts as `/`".to_owned();
    }
    let slice = |slice: Slice, place| part(slice.field(), components.part(slice).to_owned(), place);
    let mut parts = vec![
        scheme,
        slice(Slice::Sub, sub),
        slice(Slice::Domain, domain),
        slice(Slice::Tld, tld),
        port,
        path,
        slice(Slice::Params, reference.query().map(place)),
        slice(Slice::Frag, reference.fragment().map(place)),
    ];
    if let Some(user) = authority.and_then(|authority| authority.user) {
        // User and password end at the `@`, which is the byte before the host.
        let start = place(user).start;
        let place = start..raw_host.start.saturating_sub(1);
        parts.insert(
            1,
            ExplainedPart {
                name: "user",
                value: Some(text[place.clone()].to_owned()),
                place: Some(place_in_text(place)),
                digits: None,
                note: "credentials are in no slice".to_owned(),
            },
        );
    }
    parts
}

fn place_in_text(range: Range<usize>) -> TextSpan {
    TextSpan { start: range.start, end: range.end }
}

/// Returns the range of `piece`, which is a part of `text`, in it.
fn place_of(text: &str, piece: &str) -> Range<usize> {
    // The offset is the difference of addresses. It is limited to the text, so that a piece of a different
    // text would give a wrong place instead of a panic.
    let start = (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    start..(start + piece.len()).min(text.len())
}

/// Returns the places of sub, domain and tld in the host as written. All of them are `None` if mapping
/// changed the labels of the host.
fn host_places(raw: &str, components: &Components<'_>) -> [Option<Range<usize>>; 3] {
    // The full stops of host mapping (UTS 46).
    let is_dot = |character: char| matches!(character, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}');
    let labels: Vec<_> = raw.split(is_dot).map(|label| place_of(raw, label)).collect();
    let count = |part: &str| if part.is_empty() { 0 } else { part.split('.').count() };
    let counts = [components.sub(), components.domain(), components.tld()].map(count);
    // An escape may represent a dot. The counts are the counts of the labels, so the splits below are in
    // bounds.
    if raw.contains('%') || counts.iter().sum::<usize>() != labels.len() {
        return [None, None, None];
    }
    let mut rest = labels.as_slice();
    counts.map(|count| {
        let (part, after) = rest.split_at(count);
        rest = after;
        Some(part.first()?.start..part.last()?.end)
    })
}

/// The ids in section 10 of the SXURL specification that do not belong to any URL (docs/spec/sxurl.md,
/// errata), the wrong field, and the note on it.
const MISPRINTS: [(&str, Field, &str); 2] = [
    (
        "13e62fe9cee73c091a1a7baa4cd029005098911d78458033269b3218b2e78f0f",
        Field::Frag,
        "misprint of the specification, example C: the digits of `f` are 90e78f",
    ),
    (
        "13e2e319cee73c091a1a7b5b7f800220fbcb7e8070cf84487f86a9df2b86e801",
        Field::Tld,
        "misprint of the specification, example D: the digits of `ai` are d321",
    ),
];

/// Explains the 64 digits of a SXURL.
fn sxurl(text: &str, list: &SuffixList) -> Option<Explanation> {
    let id = Sxurl::from_hex(text).ok()?;
    let misprint = MISPRINTS.iter().find(|(id, ..)| id.eq_ignore_ascii_case(text));
    let parts = Field::ALL.map(|field| {
        let mut part = field_part(&id, field);
        if let Some((_, _, note)) = misprint.filter(|(_, wrong, _)| *wrong == field) {
            part.note = (*note).to_owned();
            return part;
        }
        (part.value, part.note) = match field {
            Field::Header => (Some(id.scheme().to_string()), header_note(&id)),
            Field::Port => match id.port() {
                Some(port) => (Some(port.to_string()), String::new()),
                None => (None, "none is written".to_owned()),
            },
            // The list has some ten thousand suffixes. They are few enough to hash all of them, unlike
            // domains or paths.
            Field::Tld => guess(suffixes_of(&id, list)),
            // The value is empty for a host that is itself a public suffix. Any other label is too hard to
            // guess.
            Field::Domain => guess(known(&id, Slice::Domain, &[""])),
            Field::Sub => guess(known(&id, Slice::Sub, &["", "www"])),
            // An empty path counts as `/` in SXURLs, so the empty text is not a candidate.
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
fn hashed_uri(text: &str) -> Option<Explanation> {
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
        // A Hashed URI contains its algorithm and the kept parts, but never the variant of its
        // canonicalisation.
        ("variant", Fact::text("not part of the text; N unless its maker says otherwise")),
        ("hashed-uri", Fact::text(hashed)),
    ];
    Some(Explanation { kind: "hashed-uri", text: text.to_owned(), parts: Vec::new(), facts: Facts(facts) })
}

/// Explains a url-hash or one of its short forms, in words or in digits.
fn url_hash(text: &str) -> Option<Explanation> {
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
        // Any 64 digits are a url-hash, so the reason that they are not an SXURL is shown first.
        if let Some(error) = failed_check(text) {
            facts.insert(0, ("sxurl", Fact::Rejected(Rejection::new(&error))));
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
    // 16 decimal digits are both hexadecimal digits and a decimal word. The program prints the hexadecimal
    // digits.
    let (digits, word) = (UrlVeryShortHash::from_hex(text), text.parse::<UrlVeryShortHash>());
    let hash = digits.clone().or(word.clone()).ok()?;
    let mut facts = vec![("url-very-short-hash", Fact::text(hash)), ("digest", Fact::Text(hash.to_hex()))];
    if let (Ok(_), Ok(word)) = (digits, word) {
        facts.push(("digest_of_word", Fact::Text(word.to_hex())));
    }
    report("url-very-short-hash", facts)
}

/// Returns a field of an identifier as a part without a value.
fn field_part(id: &Sxurl, field: Field) -> ExplainedPart {
    let range = field.hex_range();
    let digits = id.to_hex()[range.clone()].to_owned();
    let digits = Digits { digits, hex_start: range.start, hex_end: range.end };
    ExplainedPart { name: field.name(), value: None, place: None, digits: Some(digits), note: String::new() }
}

/// Returns the reason that a text of hexadecimal digits is not an SXURL. Returns `None` if it is an SXURL, or
/// has other characters.
pub fn failed_check(text: &str) -> Option<urlid::Error> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_digits { Sxurl::from_hex(text).err() } else { None }
}

/// Describes the header.
fn header_note(id: &Sxurl) -> String {
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

/// Returns the public suffixes with the hash of the identifier.
fn suffixes_of(id: &Sxurl, list: &SuffixList) -> Vec<String> {
    // The field has 16 bits, so several of some ten thousand suffixes can share a hash.
    let mut names: Vec<String> = list.names().filter(|name| id.matches(Slice::Tld, name)).collect();
    names.sort();
    names
}

/// Returns the common values with the hash of the identifier.
fn known(id: &Sxurl, slice: Slice, values: &[&str]) -> Vec<String> {
    values.iter().filter(|value| id.matches(slice, value)).map(|&value| value.to_owned()).collect()
}

/// Describes the possible values of a hash.
fn guess(values: Vec<String>) -> (Option<String>, String) {
    match values.as_slice() {
        [] => (None, "not guessed".to_owned()),
        [value] if value.is_empty() => (Some(String::new()), "absent: the hash of the empty text".to_owned()),
        [value] => (Some(value.clone()), "guessed: it has this hash".to_owned()),
        // No value is chosen, because the hash does not distinguish them.
        several => (None, format!("guessed: one of {}", several.join(", "))),
    }
}
