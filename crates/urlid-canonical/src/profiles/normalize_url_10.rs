//! `normalize-url-10`: `normalizeUrl` of version 10 of the npm package normalize-url, on Node 22, which has
//! the same `URL` as Node 20.

use crate::draft::Draft;
use crate::error;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::escapes::escaped_byte;
use crate::rules::javascript::{decode_uri, is_space, is_word_byte, lower_case, starts_with};
use crate::rules::normalize_url::{
    PARSE, SchemeInPath, WWW, class, collapse_slashes, has_other_scheme, has_port, is_own_scheme, set_host,
    set_path, text,
};
use crate::rules::{ada, split, url_search};
use urlid::Error;
use urlid::internal::escape::{UNRESERVED, escaped};
use urlid::reference::Class;

pub(super) static PROFILE: Profile = Profile {
    name: "normalize-url-10",
    about: "`normalizeUrl` of the npm package normalize-url 10, with its defaults.",
    kind: Kind::Url,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Uts46,
    runtime: Some("Node 22.23.3: Ada 2.9.2 with UTS 46 of Unicode 15.0, ICU 78.3 with Unicode 17.0"),
    frozen_since: "2026-11-27",
    quirks: &[
        "A URL with a scheme other than `http`, `https` and `file` stays unchanged, if Node parses it. A \
         `data` URL has separate rules, and so has a URL with a dot in its scheme that `//` does not follow.",
        "A text without a scheme gets `http:`, and so do `localhost:80` and `h.x:80`, because their hosts \
         look like schemes.",
        "Escapes in the path are decoded once, segment by segment. Escapes of delimiters, `%`, tabs and \
         line ends stay, and so does a segment with an escape that is not UTF-8.",
        "Fields are dropped if their name starts with `utm_` and a letter, digit or `_`. The others are \
         sorted only by name.",
        "Dots at the end of a host go only where Node reads the rest as the same name: `1.2.3.4..` keeps its two.",
        "A label is checked only for its directions, and a label with a joiner only for its first joiner. \
         Punycode need not be the shortest.",
        "`/a/.b/../c` stays at the end of a URL, because Node looks only at the first `/.` of such a path.",
        "After a scheme with a dot, a path that starts with `//` loses query and fragment, as in Node.",
    ],
    proof: "Compared with normalize-url 10.0.0 on Node 22.23.3: every code point at 44 places of a URL, 1,000,000 generated URLs and \
        1,600,000 texts of pieces that the package treats specially, 0 differences.",
    plain: None,
    groups: &[WHOLE_TEXT, PARTS, PRINT],
};

/// Escapes that stay in a path: tab and line ends, which the setters of `URL` remove, and `%`.
const KEPT_IN_PATH: &[u8] = b"\t\n\r%";
const VERSION: url_search::Version = url_search::Version { kept: b"\t\n\r#%&+?", ends_are_shared: true };
const SCHEME: SchemeInPath = SchemeInPath { shortest: 1, is_letter: u8::is_ascii_alphabetic };

const WHOLE_TEXT: &[Rule] = &[
    Rule::new(
        "trim",
        "Remove tabs and line ends, and cut C0 controls and white space of JavaScript at both ends.",
        |d| {
            let mut text = String::from_utf8_lossy(&d.text).into_owned();
            text.retain(|character| !matches!(character, '\t' | '\n' | '\r'));
            d.text = text.trim_matches(is_trimmed).as_bytes().to_vec();
        },
    ),
    Rule::checked(
        "data",
        "For a `data:` URL, lower-case its type, names and charset, drop defaults, empty parts and needless \
         quotes, decode unreserved characters of the data, and cut white space around base64. The URL is \
         finished.",
        |d| {
            if starts_with(&d.text, "data:") {
                let form = data_url(&text(d)?["data:".len()..]);
                d.finish_with(form.as_bytes());
            }
            Ok(())
        },
    ),
    Rule::new(
        "other-scheme",
        "A URL that Node parses with a scheme other than `http`, `https` and `file` is finished. \
         `localhost` with a port is not a scheme, and neither is a name with a dot that `//` does not \
         follow.",
        |d| {
            if text(d).is_ok_and(|text| has_other_scheme(text, usize::MAX)) {
                d.finish();
            }
        },
    ),
    Rule::checked(
        "protocol",
        "A text without a scheme, or with `//` at its start, gets `http://`. If digits follow the colon, a \
         text that looks like a scheme is a host with a port. A path is an error.",
        add_protocol,
    ),
    PARSE,
];

const PARTS: &[Rule] = &[
    Rule::new(
        "fragment",
        "Cut the fragment at `:~:text=`; an empty one goes. Escapes get capital digits.",
        |d| {
            let fragment = String::from_utf8_lossy(d.fragment.bytes());
            let kept = with_capital_escapes(without_text_fragment(&fragment));
            d.fragment.set_option(Some(kept.as_bytes()).filter(|fragment| !fragment.is_empty()));
        },
    ),
    Rule::new(
        "decode-path",
        "Decode each segment of the path as `decodeURI` does, but not `%25`, `%09`, `%0A` and `%0D`; escape `\\`, and set the path \
         again. Escapes get capital digits.",
        |d| {
            let path = String::from_utf8_lossy(&d.path).into_owned();
            let segments: Vec<String> = path.split('/').map(decoded_segment).collect();
            set(d, &segments.join("/"));
            let path = String::from_utf8_lossy(&d.path).into_owned();
            set(d, &with_capital_escapes(&path));
        },
    ),
    Rule::new(
        "slashes",
        "Collapse runs of `/` in the path, except the `//` after a text that looks like a scheme.",
        |d| {
            let collapsed = collapse_slashes(&String::from_utf8_lossy(&d.path), &SCHEME);
            set(d, &collapsed);
        },
    ),
    WWW,
    Rule::new(
        "final-dots",
        "Cut the dots at the end of the host, if the rest is read as itself. A host of only dots keeps one.",
        |d| {
            let host = String::from_utf8_lossy(d.host.bytes()).into_owned();
            if !host.ends_with('.') {
                return;
            }
            let name = Some(host.trim_end_matches('.')).filter(|name| !name.is_empty()).unwrap_or(".");
            // URL Standard, file host state: `localhost` is the empty host.
            let is_itself = !(class(d) == Class::File && name == "localhost")
                && ada::host(name).is_ok_and(|host| host == name);
            if is_itself {
                set_host(d, name);
            }
        },
    ),
    Rule::new(
        "query",
        "Decode names and values, drop `utm_` fields, sort the others by the code units of their names, and \
         write them again. Existing escapes of delimiters stay, and so do escapes of `&`, `#`, `?`, `%`, \
         `+`, tabs and line ends. An empty value keeps or loses its `=` as its name had it. A `+` in a name \
         becomes `%20`.",
        |d| {
            let written = String::from_utf8_lossy(d.query.bytes()).into_owned();
            let query = with_capital_escapes(&url_search::normalise(&written, class(d), &VERSION));
            d.query.set_option(Some(query.as_bytes()).filter(|query| !query.is_empty()));
        },
    ),
    Rule::new(
        "trailing-slash",
        "Cut one `/` at the end of the path, except its first `/` and the `/` of a text that looks like a \
         scheme.",
        |d| {
            let path = String::from_utf8_lossy(&d.path).into_owned();
            if path != "/" && !is_opaque(d) {
                set(d, without_slash(&path));
            }
        },
    ),
    Rule::new(
        "opaque-path",
        "A path without a first `/`, after a scheme with a dot: collapse its slashes, cut one at its end, and escape white space there.",
        |d| {
            if is_opaque(d) {
                let path = String::from_utf8_lossy(&d.path).into_owned();
                // `URL` removes spaces at the end of such a path if it is the last part.
                let is_last = d.query.get().or(d.fragment.get()).is_none();
                let path = if is_last { path.trim_end_matches(' ') } else { &path };
                let path = with_capital_escapes(without_slash(&collapse_slashes(path, &SCHEME)));
                d.path = with_escaped_end(&path).into_bytes();
            }
        },
    ),
];

const PRINT: &[Rule] = &[Rule::new(
    "print",
    "Put the parts together. Drop a `/` that is the whole path between a host and the end.",
    |d| {
        let is_root = d.path == b"/" && !d.host.is_empty() && d.query.is_empty() && d.fragment.is_empty();
        if is_root {
            d.path.clear();
        }
        d.join();
    },
)];

/// Returns whether the package trims a character at the ends of a text.
fn is_trimmed(character: char) -> bool {
    character <= ' ' || is_space(character)
}

fn add_protocol(draft: &mut Draft) -> Result<(), Error> {
    let text = text(draft)?;
    if text.starts_with("//") {
        draft.text.splice(..0, *b"http:");
    } else if text.trim_start_matches('.').starts_with('/') {
        // The package lacks a base against which a relative URL could be resolved.
        return Err(error::text(text.as_bytes(), "a URL, and no path"));
    } else if !has_scheme(text) {
        draft.text.splice(..0, *b"http://");
    }
    Ok(())
}

/// Returns whether the text has a scheme. A host before a port does not count.
fn has_scheme(text: &str) -> bool {
    split::scheme_length(text.as_bytes()).is_some_and(|length| {
        is_own_scheme(&text[..length]) || !has_port(&text.as_bytes()[length + 1..], usize::MAX)
    })
}

/// Returns whether the path is opaque, so that `URL` does not allow changing it.
fn is_opaque(draft: &Draft) -> bool {
    !draft.path.is_empty() && !draft.path.starts_with(b"/")
}

fn set(draft: &mut Draft, path: &str) {
    if !is_opaque(draft) && !draft.path.is_empty() {
        set_path(draft, path);
        // If there is no host, Node writes `/.` before such a path, and loses the parts after the path.
        if draft.host.get().is_none() && draft.path.starts_with(b"//") {
            draft.query.remove();
            draft.fragment.remove();
        }
    }
}

fn decoded_segment(segment: &str) -> String {
    decode_uri(&url_search::with_kept_escapes(segment, KEPT_IN_PATH))
        .map_or_else(|| segment.to_owned(), |decoded| decoded.replace('\\', "%5C"))
}

fn without_slash(path: &str) -> &str {
    let is_scheme = |before: &str| SCHEME.start(path.as_bytes(), 0, before.len()).is_some();
    match path.strip_suffix("://") {
        Some(before) if is_scheme(before) => path,
        _ => path.strip_suffix('/').unwrap_or(path),
    }
}

fn without_text_fragment(fragment: &str) -> &str {
    let directive =
        fragment.as_bytes().windows(8).position(|window| window.eq_ignore_ascii_case(b":~:text="));
    directive.map_or(fragment, |offset| &fragment[..offset])
}

fn with_capital_escapes(text: &str) -> String {
    url_search::replace_escapes(text, |_, escape| Some(escape.to_ascii_uppercase()))
}

/// Escapes the characters at the end of a text that would be removed.
fn with_escaped_end(text: &str) -> String {
    let kept = text.trim_end_matches(is_trimmed);
    let end = text[kept.len()..].bytes().flat_map(escaped).map(char::from);
    kept.chars().chain(end).collect()
}

/// Returns the form of the text after `data:`. Every text has one.
fn data_url(rest: &str) -> String {
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (kind, data) = match rest.split_once(',') {
        Some((kind, data)) => (kind, Some(data)),
        None => (rest, None),
    };
    // A browser looks for `;base64` at the end and ignores quotes.
    let kind = kind.trim_matches(' ');
    let before_base64 = without_base64(kind);
    let is_base64 = before_base64.is_some();
    let mut kind = media_type(before_base64.unwrap_or(kind), is_base64).join(";");
    if data.is_none() {
        kind = with_escaped_end(&kind);
    }
    // Removing parts may leave `;base64` at the end, which did not mean base64 before.
    if !is_base64 && without_base64(&kind).is_some() {
        kind.push(';');
    }
    let fragment = with_escaped_end(&with_capital_escapes(without_text_fragment(fragment)));
    let is_space = |character| matches!(character, '\u{c}' | ' ');
    let written = match data.unwrap_or_default() {
        data if is_base64 => with_escaped_end(data.trim_matches(is_space)),
        data if fragment.is_empty() => with_escaped_end(data),
        data => data.to_owned(),
    };
    let comma = if data.is_some() || kind.is_empty() { "," } else { "" };
    let hash = if fragment.is_empty() { "" } else { "#" };
    ["data:", &kind, comma, &with_capital_escapes(&decode_unreserved(&written)), hash, &fragment].concat()
}

/// Returns the part of a type before `;base64` at its end.
fn without_base64(kind: &str) -> Option<&str> {
    let start = kind.len().checked_sub("base64".len())?;
    let is_name = kind.as_bytes()[start..].eq_ignore_ascii_case(b"base64");
    is_name.then(|| kind[..start].trim_end_matches(' ').strip_suffix(';')).flatten()
}

/// Returns the parts of a type that are written. Its own name comes first, and defaults are left out.
fn media_type(kind: &str, is_base64: bool) -> Vec<String> {
    let mut parts = split_outside_quotes(kind).into_iter().map(|part| part.trim_matches(' '));
    let mime = lower_case(parts.next().unwrap_or_default());
    // A name without `=` lacks a value, which differs from an empty value.
    let attributes: Vec<(String, Option<String>)> =
        parts.map(attribute_of).filter(|(name, _)| !name.is_empty()).collect();
    let is_charset = |(name, _): &&(String, _)| name == "charset";
    let is_default =
        |(name, value): &(String, Option<String>)| name == "charset" && value.as_deref() == Some("us-ascii");
    // RFC 2397: a URL without a type has `text/plain;charset=US-ASCII`. The charset of a different type
    // counts, the first of several charsets counts, and `base64` must not become the last part.
    let exposes_base64 = match attributes.as_slice() {
        [.., (name, None), last] => !is_base64 && name == "base64" && is_default(last),
        _ => false,
    };
    let is_text = mime.is_empty() || mime == "text/plain";
    let keeps_default = !is_text || attributes.iter().filter(is_charset).count() > 1 || exposes_base64;
    let mut written: Vec<String> = attributes
        .into_iter()
        .filter(|attribute| keeps_default || !is_default(attribute))
        .map(|(name, value)| value.map_or_else(|| name.clone(), |value| [&name, "=", &value].concat()))
        .collect();
    if is_base64 {
        written.push("base64".to_owned());
    }
    if !written.is_empty() || !is_text {
        written.insert(0, mime);
    }
    written
}

/// Splits at each `;` outside of quoted values. A quoted value starts with a `"` directly after `=`.
fn split_outside_quotes(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut is_quoted, mut is_escaped, mut is_after_equals) = (0, false, false, false);
    for (offset, byte) in text.bytes().enumerate() {
        if is_quoted {
            is_quoted = byte != b'"' || is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
        } else if byte == b'"' && is_after_equals {
            (is_quoted, is_after_equals) = (true, false);
        } else if byte == b';' {
            parts.push(&text[start..offset]);
            (start, is_after_equals) = (offset + 1, false);
        } else {
            is_after_equals = byte == b'=';
        }
    }
    parts.push(&text[start..]);
    parts
}

fn attribute_of(attribute: &str) -> (String, Option<String>) {
    let (name, value) = match attribute.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (attribute, None),
    };
    let name = lower_case(name.trim_start_matches(' '));
    let value = value.map(|value| {
        let value = unquoted(value).unwrap_or_else(|| value.to_owned());
        if name == "charset" { lower_case(&value) } else { value }
    });
    (name, value)
}

/// Returns a quoted value without its quotes, if the result is a token.
fn unquoted(value: &str) -> Option<String> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    let mut token = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        // A `\` at the end does not escape anything.
        token.push(if character == '\\' { characters.next().unwrap_or(character) } else { character });
    }
    let is_token_byte = |byte| is_word_byte(byte) || b"!#$%&'*+-.^`|~".contains(&byte);
    (!token.is_empty() && token.bytes().all(is_token_byte)).then_some(token)
}

/// Decodes escapes of unreserved characters. A `%` is escaped if it would form an escape with decoded
/// characters.
fn decode_unreserved(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(offset) = rest.find('%') {
        decoded.push_str(&rest[..offset]);
        let after = &rest.as_bytes()[offset + 1..];
        let begins_escape = || match after {
            [b'%', escape @ ..] => escaped_byte(escape).is_some_and(|byte| byte.is_ascii_hexdigit()),
            _ => after.first().is_some_and(u8::is_ascii_hexdigit),
        };
        let mut length = 1;
        match escaped_byte(after) {
            Some(byte) if !UNRESERVED.contains(byte) => {
                decoded.push(char::from(byte));
                length = 3;
            }
            None if begins_escape() => decoded.push_str("%25"),
            _ => decoded.push('%'),
        }
        rest = &rest[offset + length..];
    }
    decoded.push_str(rest);
    decoded
}
