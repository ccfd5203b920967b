//! `url-normalize-3.1`: `url_normalize` of the Python package url-normalize, with its defaults.

use crate::draft::Draft;
use crate::error;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::escapes::escaped_byte;
use crate::rules::python;
use crate::rules::python::{BRACKETS, NFKC};
use crate::rules::url_normalize::{DOTS, PRINT, port, to_ascii};
use crate::rules::{escapes, query, split, trim};
use crate::unicode::python as unicode;
use urlid::Error;
use urlid::internal::escape::{EscapeSet, UNRESERVED, escaped};

const ALL: EscapeSet = UNRESERVED;
const PATH: EscapeSet = ALL.without(b":/[]@!$&'()*+,;=");
const USERINFO: EscapeSet = ALL.without(b"!$&'()*+,;=:");
const QUERY: EscapeSet = ALL.without(b":/?[]@!$'()*+,;");
const FRAGMENT: EscapeSet = ALL.without(b"=");
const ESCAPED_FRAGMENT: EscapeSet = ALL.without(b"/");

/// Schemes that are followed by `//`, however many slashes there were.
const WITH_AUTHORITY: [&[u8]; 4] = [b"http", b"https", b"ftp", b"ftps"];

pub(crate) static PROFILE: Profile = Profile {
    name: "url-normalize-3.1",
    about: "`url_normalize` of the Python package url-normalize 3.1.0, with its defaults.",
    kind: Kind::Url,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Idna2008,
    runtime: Some("CPython 3.11, Unicode 14.0; IDNA 2008 and UTS 46 by the tables of the package idna 3.20"),
    frozen_since: "2026-11-22",
    quirks: &[
        "A text without a scheme gets `https://`, unless it starts with one `/`.",
        "Fields of the query keep their order, and `a=` is not `a`.",
        "`#!x` becomes the field `_escaped_fragment_=x`.",
        "A host that IDNA 2008 rejects is mapped by IDNA 2003, and is an error if that fails. IDNA 2008 \
         also rejects characters that Unicode 14.0 does not assign.",
        "A port with a character that is not a digit stays. Digits that are not decimal, such as `²`, are \
         an error, and so are more than 4300.",
        "A text of white space has an empty form, which is not an error.",
    ],
    proof: "Compared with url-normalize 3.1.0 and idna 3.20 on CPython 3.11: every code point at 44 places of a URL, 100,000 real URLs and \
        1,000,000 generated ones, 0 differences.",
    plain: None,
    groups: &[WHOLE_TEXT, AUTHORITY, PARTS],
};

const WHOLE_TEXT: &[Rule] = &[
    Rule::new(
        "trim",
        "Cut 00 to 20 and white space of Unicode at the start; delete tabs and line ends everywhere.",
        |d| {
            trim_start(&mut d.text);
            trim::delete(&mut d.text, trim::is_tab_or_newline);
            if d.text.is_empty() {
                d.finish();
            }
        },
    ),
    Rule::new(
        "scheme",
        "A text without a scheme gets `https`, unless it is `-` or starts with one `/`; so does `localhost` or a name \
         with a dot before `:` and a number. The slashes after http, https, ftp and ftps become two.",
        |d| add_scheme(&mut d.text, "https"),
    ),
    Rule::new(
        "escaped-fragment",
        "Drop empty fields of the query; `#!x` becomes the field `_escaped_fragment_=x`.",
        |d| {
            split::split(d);
            drop_empty_fields(d);
            escape_fragment(d);
        },
    ),
];

const AUTHORITY: &[Rule] = &[
    BRACKETS,
    NFKC,
    Rule::new("authority", "Userinfo ends at the last `@`; the port follows `]` or the first `:`.", |d| {
        d.scheme.bytes_mut().make_ascii_lowercase();
        split_authority(d);
    }),
    Rule::checked(
        "host",
        "Lower-case the host, cut dots at its ends, and map its labels by UTS 46 and IDNA 2008, or the whole by IDNA 2003.",
        map_host,
    ),
    Rule::new(
        "userinfo",
        "Decode userinfo except reserved characters, NFC, and encode it; an empty one goes.",
        |d| match d.userinfo.bytes() {
            b"" | b":" => d.userinfo.remove(),
            _ => recode(d.userinfo.bytes_mut(), &USERINFO, is_reserved),
        },
    ),
    Rule::checked(
        "port",
        "A port of decimal digits, of any script, is written as a number, and the default of 11 schemes goes; other digits in it are an error.",
        port,
    ),
];

const PARTS: &[Rule] = &[
    Rule::new("query", "Decode names and values except `%2B`, NFC, and encode them.", |d| {
        recode_query(d, |_| true);
    }),
    Rule::new("fragment", "Decode the fragment, NFC, and encode it.", |d| {
        recode(d.fragment.bytes_mut(), &FRAGMENT, |_| false);
    }),
    Rule::new("path", "Decode the path except reserved characters, NFC, and encode it.", |d| {
        recode(&mut d.path, &PATH, is_reserved);
    }),
    DOTS,
    PRINT,
];

fn trim_start(text: &mut Vec<u8>) {
    trim::trim_start(text, trim::is_control_or_space);
    if let Ok(characters) = core::str::from_utf8(text) {
        // Both kinds are trimmed in one pass, because controls and other white space may alternate.
        let is_space = |character: char| character <= ' ' || unicode::is_space(character);
        let start = characters.len() - characters.trim_start_matches(is_space).len();
        text.drain(..start);
    }
}

/// Adds a scheme to a text without one.
pub(crate) fn add_scheme(text: &mut Vec<u8>, scheme: &str) {
    match after_default_scheme(text) {
        Some(delimiter) => drop(text.splice(..0, scheme.bytes().chain(delimiter.bytes()))),
        None => two_slashes(text),
    }
}

/// Returns the text between a default scheme and a text without a scheme.
fn after_default_scheme(text: &[u8]) -> Option<&'static str> {
    let scheme = split::scheme_length(text).map(|length| text.split_at(length));
    match (text, scheme) {
        ([b'/', b'/', ..], _) => Some(":"),
        // The package reads both as the path of a file.
        (b"-" | [b'/', ..], _) => None,
        (_, None) => Some("://"),
        (_, Some((scheme, rest))) => {
            let is_host = scheme.contains(&b'.') || scheme.eq_ignore_ascii_case(b"localhost");
            (is_host && starts_with_port(&rest[1..])).then_some("://")
        }
    }
}

/// `[0-9]+\s*([/?#]|$)`
fn starts_with_port(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = String::from_utf8_lossy(&text[digits..]);
    let rest = rest.trim_start_matches(unicode::is_space);
    digits > 0 && (rest.is_empty() || rest.starts_with(['/', '?', '#']))
}

fn two_slashes(text: &mut Vec<u8>) {
    let Some(length) = split::scheme_length(text) else { return };
    let (scheme, rest) = text.split_at(length);
    if WITH_AUTHORITY.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
        let slashes = rest[1..].iter().take_while(|&&byte| byte == b'/').count();
        text.splice(length + 1..length + 1 + slashes, *b"//");
    }
}

fn drop_empty_fields(draft: &mut Draft) {
    let Draft { query, spare, .. } = draft;
    spare.clear();
    query::join(query::fields(query.bytes()).filter(|field| !field.is_empty()), b'&', spare);
    query.set_option((!spare.is_empty()).then_some(spare));
}

fn escape_fragment(draft: &mut Draft) {
    let Some(payload) = draft.fragment.bytes().strip_prefix(b"!") else { return };
    let mut payload = payload.to_vec();
    recode(&mut payload, &ESCAPED_FRAGMENT, |_| false);
    let mut query = draft.query.bytes().to_vec();
    if !query.is_empty() {
        query.push(b'&');
    }
    // Google's AJAX crawling scheme: a crawler fetched `#!x` under this address.
    query.extend_from_slice(b"_escaped_fragment_=");
    query.append(&mut payload);
    draft.query.set(&query);
    draft.fragment.remove();
}

fn split_authority(draft: &mut Draft) {
    let authority = String::from_utf8_lossy(draft.host.bytes()).into_owned();
    let authority = authority.trim_end_matches(unicode::is_space);
    let (userinfo, rest) = match authority.rsplit_once('@') {
        Some((userinfo, rest)) => (Some(userinfo.as_bytes()), rest),
        None => (None, authority),
    };
    let (host, port) = if rest.starts_with('[') {
        rest.split_once(']').unwrap_or((rest, ""))
    } else {
        rest.split_once(':').unwrap_or((rest, ""))
    };
    draft.userinfo.set_option(userinfo);
    draft.host.set(host.as_bytes());
    if rest.starts_with('[') {
        // `split_once` has consumed it. The rule `brackets` has rejected a `[` without a `]`.
        draft.host.bytes_mut().push(b']');
    }
    let port = port.strip_prefix(':').filter(|_| rest.starts_with('[')).unwrap_or(port);
    draft.port.set_option((!port.is_empty()).then_some(port.as_bytes()));
}

pub(crate) fn map_host(draft: &mut Draft) -> Result<(), Error> {
    let host = draft.host.bytes_mut();
    if host.starts_with(b"[") && host.ends_with(b"]") {
        // A zone keeps its case.
        let end = memchr::memchr(b'%', host).unwrap_or(host.len());
        let zone = host.split_off(end);
        python::lower_case(host);
        host.extend_from_slice(&zone);
        return Ok(());
    }
    python::lower_case(host);
    let text = core::str::from_utf8(host).map_err(|_| error::NOT_UTF8.error())?;
    // RFC 3490, 3.1, counts these three as dots between labels.
    let name = text.trim_start_matches('.').trim_end_matches(['.', '\u{3002}', '\u{ff0e}', '\u{ff61}']);
    *host = to_ascii(name).ok_or_else(|| error::host(host, "a name by IDNA 2008 or 2003"))?.into_bytes();
    Ok(())
}

/// Writes the fields with names, as written, that `is_kept` accepts.
pub(crate) fn recode_query(draft: &mut Draft, is_kept: impl Fn(&[u8]) -> bool) {
    let Draft { query, spare, .. } = draft;
    spare.clear();
    for field in query::fields(query.bytes()).filter(|field| !field.is_empty()) {
        let (name, value) = query::name_and_value(field);
        let name = recoded_name(name);
        if !is_kept(&name) {
            continue;
        }
        if !spare.is_empty() {
            spare.push(b'&');
        }
        spare.extend_from_slice(&name);
        if let Some(value) = value {
            spare.push(b'=');
            push_recoded(value, &QUERY, |byte| byte == b'+', spare);
        }
    }
    core::mem::swap(query.bytes_mut(), spare);
}

/// Returns the name of a field as in the form.
pub(crate) fn recoded_name(name: &[u8]) -> Vec<u8> {
    let mut recoded = Vec::with_capacity(name.len());
    push_recoded(name, &QUERY, |byte| byte == b'+', &mut recoded);
    recoded
}

fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!$&'()*+,;=".contains(&byte)
}

/// Decodes once, normalises by NFC and encodes. The escapes of the bytes that `is_kept` accepts stay, in
/// upper case.
fn recode(text: &mut Vec<u8>, set: &EscapeSet, is_kept: fn(u8) -> bool) {
    // All other bytes are ASCII, which NFC does not change.
    if text.iter().any(|&byte| byte == b'%' || set.contains(byte)) {
        let mut recoded = Vec::with_capacity(text.len());
        push_recoded(text, set, is_kept, &mut recoded);
        *text = recoded;
    }
}

/// Text between kept escapes is normalised separately.
fn push_recoded(text: &[u8], set: &EscapeSet, is_kept: fn(u8) -> bool, out: &mut Vec<u8>) {
    let (mut start, mut offset) = (0, 0);
    while offset < text.len() {
        let kept = (text[offset] == b'%')
            .then(|| escaped_byte(&text[offset + 1..]))
            .flatten()
            .filter(|&byte| is_kept(byte));
        match kept {
            Some(byte) => {
                push_piece(&text[start..offset], set, out);
                out.extend_from_slice(&escaped(byte));
                offset += 3;
                start = offset;
            }
            None => offset += 1,
        }
    }
    push_piece(&text[start..], set, out);
}

fn push_piece(piece: &[u8], set: &EscapeSet, out: &mut Vec<u8>) {
    let mut decoded = piece.to_vec();
    escapes::decode_once(&mut decoded, |_| true);
    for chunk in decoded.utf8_chunks() {
        set.encode_bytes(python::nfc(chunk.valid()).as_bytes(), out);
        set.encode_bytes(chunk.invalid(), out);
    }
}

#[cfg(test)]
mod tests {
    use crate::Form;

    #[test]
    fn a_port_has_at_most_4300_digits_zeros_included() {
        let form: Form = "url-normalize-3.1".parse().expect("the profile is in the list");
        let canonicalize = |port: &str| form.canonicalize(&format!("http://h:{port}/")).ok();
        let zeros = "0".repeat(4298);
        assert_eq!(canonicalize(&format!("{zeros}81")).as_deref(), Some("http://h:81/"));
        assert_eq!(canonicalize(&format!("{zeros}081")), None);
        assert_eq!(canonicalize(&format!("{zeros}08x")), Some(format!("http://h:{zeros}08x/")));
    }
}
