//! `normalize-url-9`: `normalizeUrl` of version 9 of the npm package normalize-url, on Node 20.
//!
//! The package changes a `URL` with its setters, and each setter parses again. `rules::ada` reproduces their
//! results.

use crate::draft::Draft;
use crate::error;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::javascript::{decode_uri, is_word_byte, lower_case, starts_with, trimmed};
use crate::rules::normalize_url::{
    PARSE, SchemeInPath, WWW, class, collapse_slashes, has_other_scheme, set_host, set_path, text,
};
use crate::rules::url_search;
use urlid::Error;

pub(super) static PROFILE: Profile = Profile {
    name: "normalize-url-9",
    about: "`normalizeUrl` of the npm package normalize-url 9, with its defaults.",
    kind: Kind::Url,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Uts46,
    runtime: Some("Node 20.20.2: Ada 2.9.2 with UTS 46 of Unicode 15.0, ICU 78.2 with Unicode 17.0"),
    frozen_since: "2026-11-25",
    quirks: &[
        "A URL with a scheme other than `http`, `https` and `file` stays unchanged, if Node parses it. A \
         `data` URL has separate rules.",
        "A text without a scheme gets `http:`, and so do `localhost:80` and `h.x:80`, because their hosts \
         look like schemes.",
        "Escapes in the path are decoded once, so `%2541` becomes `%41`; an escaped delimiter, and a path with an escape that is not \
         UTF-8, stay.",
        "A `/` at the very end is dropped, even in a query.",
        "Fields are dropped if their name starts with `utm_` and a letter, digit or `_`. The others are \
         sorted only by name.",
        "A line end or tab that is escaped in path or query goes.",
        "A label is checked only for its directions, and a label with a joiner only for its first joiner. \
         Punycode need not be the shortest.",
        "`/a/.b/../c` stays at the end of a URL, because Node looks only at the first `/.` of such a path.",
    ],
    proof: "Compared with normalize-url 9.0.1 on Node 20.20.2: every code point at 44 places of a URL and 1,000,000 generated URLs, 0 \
        differences. Node 22.23.3 gives the same results as Node 20.20.2 for 217,088 code points at 16 places.",
    plain: None,
    groups: &[WHOLE_TEXT, PARTS, PRINT],
};

const VERSION: url_search::Version = url_search::Version { kept: b"&#?%+", ends_are_shared: false };

const WHOLE_TEXT: &[Rule] = &[
    Rule::new("trim", "Cut white space of JavaScript at both ends.", |d| {
        d.text = trimmed(&String::from_utf8_lossy(&d.text)).as_bytes().to_vec();
    }),
    Rule::checked(
        "data",
        "For a `data:` URL, in lower case, lower-case its type and charset, drop defaults, and cut white \
         space in attributes and base64. The URL is finished.",
        |d| {
            if starts_with(&d.text, "data:") {
                let form = data_url(text(d)?)?;
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
            if text(d).is_ok_and(|text| has_other_scheme(text, 5)) {
                d.finish();
            }
        },
    ),
    Rule::checked(
        "protocol",
        "A text without `//` at its start, or behind a word and `:`, gets `http:`; `//` becomes that. A path is an error.",
        add_protocol,
    ),
    PARSE,
];

const PARTS: &[Rule] = &[
    Rule::new("fragment", "Cut the fragment at `:~:text`, with a `#` before it; an empty one goes.", |d| {
        let kept = d.fragment.get().and_then(without_text_fragment).map(<[u8]>::to_vec);
        d.fragment.set_option(kept.as_deref());
    }),
    Rule::new(
        "slashes",
        "Collapse runs of `/` in the path, except the `//` after a text that looks like a scheme.",
        |d| {
            let collapsed = collapse_slashes(&String::from_utf8_lossy(&d.path), &SCHEME);
            set_path(d, &collapsed);
        },
    ),
    Rule::new(
        "decode-path",
        "Decode the path as `decodeURI` does, escape `\\`, and set it again; it stays where an escape is not UTF-8.",
        |d| {
            if let Some(decoded) = decode_uri(&String::from_utf8_lossy(&d.path)) {
                // The setter reads a `\` as a slash, but this one was data.
                set_path(d, &decoded.replace('\\', "%5C"));
            }
        },
    ),
    Rule::new("final-dot", "Cut one dot at the end of the host, and parse the rest.", |d| {
        let host = String::from_utf8_lossy(d.host.bytes()).into_owned();
        if let Some(host) = host.strip_suffix('.') {
            set_host(d, host);
        }
    }),
    WWW,
    Rule::new(
        "query",
        "Decode names and values, drop `utm_` fields, sort the others by the code units of their names, and \
         write them again. Existing escapes of delimiters stay, and so do escapes of `&`, `#`, `?`, `%` and \
         `+`. An empty value keeps or loses its `=` as its name had it. A `+` in a name becomes `%20`.",
        |d| {
            let written = String::from_utf8_lossy(d.query.bytes()).into_owned();
            let query =
                Some(url_search::normalise(&written, class(d), &VERSION)).filter(|query| !query.is_empty());
            d.query.set_option(query.as_deref().map(str::as_bytes));
        },
    ),
    Rule::new("trailing-slash", "Cut one `/` at the end of the path, which keeps its first.", |d| {
        let path = String::from_utf8_lossy(&d.path).into_owned();
        if let Some(path) = path.strip_suffix('/') {
            set_path(d, path);
        }
    }),
];

const PRINT: &[Rule] =
    &[Rule::new("print", "Put the parts together; without a fragment, one `/` at the very end goes.", |d| {
        d.join();
        if d.fragment.is_empty() && d.text.ends_with(b"/") {
            d.text.pop();
        }
    })];

/// Returns the form of a `data:` URL. A URL with a line end in the fragment lacks a form, and so does a URL
/// with `base64` but without a type before it.
fn data_url(text: &str) -> Result<String, Error> {
    let invalid =
        || error::text(text.as_bytes(), "a `data:` URL in lower case with a type, a comma and data");
    let (kind, rest) =
        text.strip_prefix("data:").and_then(|rest| rest.split_once(',')).ok_or_else(invalid)?;
    let (data, fragment) = match rest.split_once('#') {
        Some((data, fragment)) => (data, fragment),
        None => (rest, ""),
    };
    if fragment.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
        return Err(invalid());
    }
    let mut parts: Vec<&str> = kind.split(';').collect();
    let is_base64 = parts.pop_if(|last| *last == "base64").is_some();
    let (mime, attributes) = parts.split_first().ok_or_else(invalid)?;
    let mime = lower_case(mime);
    let mut written: Vec<String> = attributes
        .iter()
        .map(|attribute| attribute_of(attribute))
        .filter(|attribute| !attribute.is_empty())
        .collect();
    if is_base64 {
        written.push("base64".to_owned());
    }
    // RFC 2397: a URL without a type has `text/plain;charset=US-ASCII`, so both may be dropped.
    if !written.is_empty() || mime != "text/plain" {
        written.insert(0, mime);
    }
    let mut form = ["data:", &written.join(";"), ",", if is_base64 { trimmed(data) } else { data }].concat();
    if !fragment.is_empty() {
        form.push('#');
        form.push_str(fragment);
    }
    Ok(form)
}

/// Writes an attribute of a type. The text after a second `=` is dropped.
fn attribute_of(attribute: &str) -> String {
    let mut pieces = attribute.split('=').map(trimmed);
    let (name, value) = (pieces.next().unwrap_or_default(), pieces.next().unwrap_or_default());
    let value = if name == "charset" { lower_case(value) } else { value.to_owned() };
    match &*value {
        "us-ascii" if name == "charset" => String::new(),
        "" => name.to_owned(),
        _ => [name, "=", &value].concat(),
    }
}

fn add_protocol(draft: &mut Draft) -> Result<(), Error> {
    let text = &draft.text;
    let dots = text.iter().take_while(|&&byte| byte == b'.').count();
    let word = text.iter().take_while(|&&byte| is_word_byte(byte)).count();
    // The slashes are left out, because the parser adds them to a URL of a special scheme.
    if text.starts_with(b"//") {
        draft.text.splice(..2, *b"http:");
    } else if text[dots..].starts_with(b"/") {
        // The package lacks a base against which a relative URL could be resolved.
        return Err(error::text(text, "a URL, and no path"));
    } else if word == 0 || !text[word..].starts_with(b"://") {
        draft.text.splice(..0, *b"http:");
    }
    Ok(())
}

/// Returns the rest of a fragment, or `None` if the whole fragment is dropped.
fn without_text_fragment(fragment: &[u8]) -> Option<&[u8]> {
    let directive = fragment.windows(7).position(|window| window.eq_ignore_ascii_case(b":~:text"));
    match directive {
        None => Some(fragment).filter(|fragment| !fragment.is_empty()),
        // The match may start at the `#` before the fragment.
        Some(0) => None,
        Some(offset) => Some(fragment[..offset].strip_suffix(b"#").unwrap_or(&fragment[..offset])),
    }
}

const SCHEME: SchemeInPath = SchemeInPath { shortest: 2, is_letter: u8::is_ascii_lowercase };
