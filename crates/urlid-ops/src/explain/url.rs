//! The facts about a URL: its parts, their places, and the digits computed from them.

use std::ops::Range;

use urlid::hashed_uri::HashedUri;
use urlid::reference::{Context, Reference};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Field, Slice};
use urlid::url_hash::UrlHash;
use urlid::web::Url;

use super::explanation::{Explanation, Fact, Facts, Part, Place, Refusal};
use super::id::{field_part, header_note};

/// Explains a URL. A text that is not a URL by any of the specifications is an error.
pub(crate) fn explain(text: &str, list: &SuffixList) -> Result<Explanation, urlid::Error> {
    // The split by RFC 3986 keeps the bytes as given, so places in it are places in the text.
    let reference = Reference::parse(text, Context::Rfc3986)?;
    let web = Url::parse(text);
    // A valid hashed URI is not shown as a URL; of an invalid one the error is shown.
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
        Err(error) => facts.push(("sxurl", Fact::Refused(Refusal::new(error)))),
    }
    match web {
        Ok(url) => {
            facts.push(("web", Fact::text(&url)));
            facts.push(("url-hash", Fact::text(UrlHash::from(&url))));
        }
        // The error of the URL Standard is returned because most texts are meant as web URLs.
        Err(error) if !is_explained => return Err(error),
        Err(error) => facts.push(("web", Fact::Refused(Refusal::new(&error)))),
    }
    facts.push((
        "hashed-uri",
        if is_hashed { Fact::from_result(HashedUri::parse(text)) } else { Fact::from_result(hashed) },
    ));
    Ok(Explanation { kind: "url", text: text.to_owned(), parts, facts: Facts(facts) })
}

/// Returns the parts of a URL that has a SXURL, in the order of the text.
fn slices(text: &str, reference: &Reference<'_>, components: &Components<'_>) -> Vec<Part> {
    let id = components.encode();
    let place = |piece: &str| place_of(text, piece);
    let authority = reference.authority();
    let raw_host = authority.map(|authority| place(authority.host)).unwrap_or_default();
    // `components` has the mapped host, whose offsets are not those of the text.
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
        // User and password go up to the `@`, which is the byte before the host.
        let start = place(user).start;
        let place = start..raw_host.start.saturating_sub(1);
        parts.insert(
            1,
            Part {
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

fn place_in_text(range: Range<usize>) -> Place {
    Place { start: range.start, end: range.end }
}

/// Returns where `piece`, which is a part of `text`, is in it.
fn place_of(text: &str, piece: &str) -> Range<usize> {
    // The difference of addresses. It is cut to the text, so that a piece of another text would give a wrong
    // place and no panic.
    let start = (piece.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    start..(start + piece.len()).min(text.len())
}

/// Returns where sub, domain and tld stand in the host as written; `None` for all of them where mapping
/// changed its labels.
fn host_places(raw: &str, components: &Components<'_>) -> [Option<Range<usize>>; 3] {
    // The full stops of host mapping (UTS 46).
    let is_dot = |character: char| matches!(character, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}');
    let labels: Vec<_> = raw.split(is_dot).map(|label| place_of(raw, label)).collect();
    let count = |part: &str| if part.is_empty() { 0 } else { part.split('.').count() };
    let counts = [components.sub(), components.domain(), components.tld()].map(count);
    // An escape may stand for a dot. As the counts are those of the labels, the splits below are in bounds.
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
