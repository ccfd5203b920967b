//! `normalize-url-9`: `normalizeUrl` of version 9 of the npm package normalize-url, on Node 20.
//!
//! The package works on a `URL` by its setters, each of which parses again: `rules::ada` has what they leave.

use crate::draft::{Draft, Stage};
use crate::error;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::ada::{self, Behind};
use crate::rules::javascript::{decode_uri, is_word_byte, lower_case, starts_with, trimmed};
use crate::rules::{split, url_search};
use urlid::reference::Class;
use urlid::{Error, web};

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
        "A URL of another scheme than `http`, `https` and `file` stays as it is, if Node parses it; one of `data` has rules of its own.",
        "A text without a scheme gets `http:`, and so does `localhost:80`, and `h.x:80`, whose host looks like a scheme.",
        "Escapes in the path are decoded once, so `%2541` becomes `%41`; an escaped delimiter, and a path with an escape that is not \
         UTF-8, stay.",
        "A `/` at the very end goes, that of a query too.",
        "Fields whose name starts with `utm_` and a letter, digit or `_` go; the others are sorted by name alone.",
        "A line end or tab that is escaped in path or query goes.",
        "A label is checked for its directions alone, and one with a joiner only for its first joiner; Punycode need not be the shortest.",
        "`/a/.b/../c` stays where nothing is behind it: Node looks at the first `/.` of such a path only.",
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
        "A `data:` URL, in lower case: lower-case its type and charset, drop what is the default, and cut white space in attributes and \
         base64. It is finished.",
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
        "A URL that Node parses, of another scheme than `http`, `https` and `file`, is finished. `localhost` with a port is no \
         scheme, nor is one with a dot and no `//` behind it.",
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

pub(super) const PARSE: Rule =
    Rule::checked("parse", "Parse as the `URL` of Node 20 does, and drop user and password.", |d| {
        let url = ada::parse(text(d)?)?;
        d.stage = Stage::Parts;
        d.scheme.set(url.scheme.as_bytes());
        d.userinfo.remove();
        d.host.set_option(url.host.as_deref().map(str::as_bytes));
        d.port
            .set_option(url.port.map(|port| itoa::Buffer::new().format(port).as_bytes().to_vec()).as_deref());
        d.path = url.path;
        d.params.remove();
        d.query.set_option(url.query.as_deref());
        d.fragment.set_option(url.fragment.as_deref());
        Ok(())
    });

pub(super) const WWW: Rule = Rule::new(
    "www",
    "Cut one `www.` before a label of 1 to 63 bytes and a rest of 2 to 63, all of letters, digits and hyphens, unless a `www.` \
         follows it.",
    |d| {
        let host = String::from_utf8_lossy(d.host.bytes()).into_owned();
        if let Some(host) = host.strip_prefix("www.").filter(|host| may_lose_www(host)) {
            set_host(d, host);
        }
    },
);

const PARTS: &[Rule] = &[
    Rule::new("fragment", "Cut the fragment at `:~:text`, with a `#` before it; an empty one goes.", |d| {
        let kept = d.fragment.get().and_then(without_text_fragment).map(<[u8]>::to_vec);
        d.fragment.set_option(kept.as_deref());
    }),
    Rule::new(
        "slashes",
        "Collapse runs of `/` in the path, except the `//` of what looks like a scheme.",
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
                // The setter takes a `\` for a slash, and this one was data.
                set_path(d, &decoded.replace('\\', "%5C"));
            }
        },
    ),
    Rule::new("final-dot", "Cut one dot at the end of the host, and parse what is left.", |d| {
        let host = String::from_utf8_lossy(d.host.bytes()).into_owned();
        if let Some(host) = host.strip_suffix('.') {
            set_host(d, host);
        }
    }),
    WWW,
    Rule::new(
        "query",
        "Decode names and values, drop fields of `utm_`, sort the others by the code units of their names, and write them again. Of the \
         escapes, those of delimiters that were there stay, and those of `&`, `#`, `?`, `%` and `+`. An empty value keeps or loses its \
         `=` as its name had it; a `+` in a name becomes `%20`.",
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

pub(super) fn text(draft: &Draft) -> Result<&str, Error> {
    core::str::from_utf8(&draft.text).map_err(|_| error::NOT_UTF8.error())
}

/// Returns the form of a `data:` URL. A line end in the fragment has none, nor has `base64` without a type
/// before it.
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
    // RFC 2397: `text/plain;charset=US-ASCII` is what a URL without a type has, so both may go.
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

/// Writes an attribute of a type. What follows a second `=` goes.
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

/// Whether the text is finished. After `localhost` and a colon, up to `longest_port` digits are a port.
pub(super) fn has_other_scheme(text: &str, longest_port: usize) -> bool {
    let cleaned = web::clean(text);
    let Some(length) = split::scheme_length(cleaned.as_bytes()) else { return false };
    let scheme = &cleaned[..length];
    if is_own_scheme(scheme) || ada::parse(text).is_err() {
        return false;
    }
    // The package looks for these in the text before tabs and line ends are removed.
    let has_authority = starts_with(text.as_bytes(), &[scheme, "://"].concat());
    let is_port = || has_port(text.as_bytes().get(length + 1..).unwrap_or_default(), longest_port);
    has_authority || !(scheme.contains('.') || scheme.eq_ignore_ascii_case("localhost") && is_port())
}

/// Whether a scheme is one that the package normalises.
pub(super) fn is_own_scheme(scheme: &str) -> bool {
    ["http", "https", "file"].iter().any(|own| scheme.eq_ignore_ascii_case(own))
}

/// Whether digits are all, or a delimiter follows them.
pub(super) fn has_port(text: &[u8], longest: usize) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=longest).contains(&digits) && matches!(text.get(digits), None | Some(b'/' | b'?' | b'#'))
}

fn add_protocol(draft: &mut Draft) -> Result<(), Error> {
    let text = &draft.text;
    let dots = text.iter().take_while(|&&byte| byte == b'.').count();
    let word = text.iter().take_while(|&&byte| is_word_byte(byte)).count();
    // Without slashes: the parser adds them to a URL of a special scheme.
    if text.starts_with(b"//") {
        draft.text.splice(..2, *b"http:");
    } else if text[dots..].starts_with(b"/") {
        // The package has no base to resolve a relative URL against.
        return Err(error::text(text, "a URL, and no path"));
    } else if word == 0 || !text[word..].starts_with(b"://") {
        draft.text.splice(..0, *b"http:");
    }
    Ok(())
}

/// Returns the rest of a fragment; `None` if all of it goes.
fn without_text_fragment(fragment: &[u8]) -> Option<&[u8]> {
    let directive = fragment.windows(7).position(|window| window.eq_ignore_ascii_case(b":~:text"));
    match directive {
        None => Some(fragment).filter(|fragment| !fragment.is_empty()),
        // The `#` before the fragment may be the one that goes.
        Some(0) => None,
        Some(offset) => Some(fragment[..offset].strip_suffix(b"#").unwrap_or(&fragment[..offset])),
    }
}

/// What looks like a scheme in a path: a letter at the start of a word, then letters, digits, `+`, `-` and
/// `.`, and `://`.
pub(super) struct SchemeInPath {
    pub(super) shortest: usize,
    pub(super) is_letter: fn(&u8) -> bool,
}

const SCHEME: SchemeInPath = SchemeInPath { shortest: 2, is_letter: u8::is_ascii_lowercase };

impl SchemeInPath {
    /// Returns the first start, from an offset on, of one that ends at a colon.
    pub(super) fn start(&self, path: &[u8], from: usize, colon: usize) -> Option<usize> {
        const LONGEST: usize = 51;
        let is_scheme_byte =
            |byte: &u8| (self.is_letter)(byte) || byte.is_ascii_digit() || b"+-.".contains(byte);
        // Bounded, so that a path of many colons is not walked back from each of them.
        let length =
            path[from..colon].iter().rev().take(LONGEST).take_while(|byte| is_scheme_byte(byte)).count();
        let is_start = |&start: &usize| {
            (self.is_letter)(&path[start])
                && start.checked_sub(1).is_none_or(|before| !is_word_byte(path[before]))
        };
        (colon - length..(colon + 1).saturating_sub(self.shortest)).find(is_start)
    }
}

/// Writes one `/` for each run of them, except in the `://` of what looks like a scheme.
pub(super) fn collapse_slashes(path: &str, scheme: &SchemeInPath) -> String {
    let mut collapsed = String::with_capacity(path.len());
    let mut rest = 0;
    for (colon, separator) in path.match_indices("://") {
        if colon >= rest
            && let Some(start) = scheme.start(path.as_bytes(), rest, colon)
        {
            push_collapsed(&path[rest..start], &mut collapsed);
            let end = colon + separator.len();
            collapsed.push_str(&path[start..end]);
            rest = end;
        }
    }
    push_collapsed(&path[rest..], &mut collapsed);
    collapsed
}

fn push_collapsed(path: &str, out: &mut String) {
    let mut is_slash = false;
    out.extend(path.chars().filter(|&character| {
        let is_repeated = is_slash && character == '/';
        is_slash = character == '/';
        !is_repeated
    }));
}

pub(super) fn class(draft: &Draft) -> Class {
    Class::of_scheme(&String::from_utf8_lossy(draft.scheme.bytes()))
}

pub(super) fn set_path(draft: &mut Draft, path: &str) {
    let is_last = draft.query.get().or(draft.fragment.get()).is_none();
    let behind = if is_last { Behind::Nothing } else { Behind::QueryOrFragment };
    draft.path = ada::set_path(path, class(draft), behind);
}

/// Sets the host, if the new one is valid. That of a file may be empty, as `localhost` becomes.
pub(super) fn set_host(draft: &mut Draft, host: &str) {
    let is_file = draft.scheme.bytes() == b"file";
    let host = if is_file && host.is_empty() { Ok(String::new()) } else { ada::host(host) };
    if let Ok(host) = host {
        // URL Standard, file host state: `localhost` is the empty host.
        draft.host.set(if is_file && host == "localhost" { b"" } else { host.as_bytes() });
    }
}

fn may_lose_www(host: &str) -> bool {
    let is_name = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte))
    };
    let lengths = host.split_once('.').map(|(label, rest)| (label.len(), rest.len()));
    !host.starts_with("www.")
        && is_name(host)
        // 63 is the longest label of DNS; the package bounds all that follows the first label by it, too.
        && lengths.is_some_and(|(label, rest)| (1..=63).contains(&label) && (2..=63).contains(&rest))
}
