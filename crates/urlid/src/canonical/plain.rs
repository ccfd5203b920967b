//! The forms of plain URLs, which one scan recognises: most real URLs take this way instead of the rules.
//!
//! The rules define a form. A test compares both ways on real and generated URLs.

use crate::plain::{self, Accepted, FRAGMENT, INNER_PATH, PATH, PlainScheme, PlainUrl, QUERY};

/// Appends the form of a text, as the rules of a profile give it, and returns true; or appends nothing.
pub(super) type PlainForm = fn(&str, &mut String) -> bool;

/// How often `www` is stripped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StripWww {
    Never,
    Once,
    Always,
}

/// `surt-0.3.1`: port 0 is none.
pub(super) fn surt(text: &str, out: &mut String) -> bool {
    push_key(text, StripWww::Once, |port| port == 0, out)
}

/// `ia-surt-1.3`.
pub(super) fn ia_surt(text: &str, out: &mut String) -> bool {
    push_key(text, StripWww::Always, |_| false, out)
}

/// `ia-surt-1.3-keep-www`.
pub(super) fn ia_surt_keep_www(text: &str, out: &mut String) -> bool {
    push_key(text, StripWww::Never, |_| false, out)
}

/// Bytes that no rule escapes or decodes. `(` may begin a session.
static OF_KEYS: Accepted = Accepted::Table(&table(b"%()", b"/.", b"%"));

fn push_key(text: &str, strip: StripWww, is_dropped: fn(u16) -> bool, out: &mut String) -> bool {
    let Some(url) = plain::scan(text, &OF_KEYS) else { return false };
    let mut host = url.host();
    let (path, query) = (path_of(&url), query_of(&url).unwrap_or_default());
    if !has_full_labels(host) || has_session_name(query) {
        return false;
    }
    while let Some(length) = www_length(host).filter(|_| strip != StripWww::Never) {
        host = &host[length..];
        if strip == StripWww::Once {
            break;
        }
    }
    push_reversed(host, out);
    let default = match url.scheme {
        PlainScheme::Http => Some(80),
        PlainScheme::Https => Some(443),
        PlainScheme::Ftp => None,
    };
    if let Some(port) = url.port.filter(|&port| Some(port) != default && !is_dropped(port)) {
        out.push(':');
        out.push_str(itoa::Buffer::new().format(port));
    }
    out.push(')');
    let start = out.len();
    match path.len() {
        0 => out.push('/'),
        1 => out.push_str(path),
        _ => out.push_str(path.strip_suffix('/').unwrap_or(path)),
    }
    if !query.is_empty() {
        out.push('?');
        push_sorted(query, out);
    }
    out[start..].make_ascii_lowercase();
    true
}

/// Sorts the fields as they are in lower case.
fn push_sorted(query: &str, out: &mut String) {
    if !query.contains('&') {
        return out.push_str(query);
    }
    let lower_case = query.to_ascii_lowercase();
    let mut fields: Vec<(&str, Option<&str>)> = lower_case.split('&').map(name_and_value).collect();
    if fields.is_sorted() {
        return out.push_str(query);
    }
    fields.sort();
    for (index, (name, value)) in fields.into_iter().enumerate() {
        if index > 0 {
            out.push('&');
        }
        out.push_str(name);
        if let Some(value) = value {
            out.push('=');
            out.push_str(value);
        }
    }
}

/// Every session pattern has one of these names at its end.
fn has_session_name(query: &str) -> bool {
    query.len() >= 16
        && query.as_bytes().windows(3).any(|name| {
            name[2] | 32 == b'd' && name[1] | 32 == b'i' && matches!(name[0] | 32, b'n' | b's' | b'f')
        })
}

/// The length of `www`, digits and a dot.
fn www_length(host: &str) -> Option<usize> {
    super::rules::authority::www_length(host.as_bytes())
}

fn push_reversed(host: &str, out: &mut String) {
    for (index, label) in host.rsplit('.').enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.push_str(label);
    }
}

/// Bytes of paths and queries that w3lib neither escapes nor decodes. It escapes delimiters in fields.
static OF_W3LIB: Accepted = Accepted::Table(&{
    let mut table = table(b"%;[]|\\^`{}\"<>", b".", b"");
    let mut byte = 0;
    while byte < 256 {
        let is_field = (byte as u8).is_ascii_alphanumeric()
            || matches!(byte as u8, b'-' | b'.' | b'_' | b'~' | b'+' | b'&' | b'=');
        table[byte] = (table[byte] & !QUERY) | (QUERY * is_field as u8);
        byte += 1;
    }
    table
});

/// `w3lib-2.5` and `w3lib-2.4`, which give a plain URL the same form.
pub(super) fn w3lib(text: &str, out: &mut String) -> bool {
    let Some(url) = plain::scan(text, &OF_W3LIB) else { return false };
    let query = query_of(&url).unwrap_or_default();
    let fields = || query.split('&').filter(|field| !field.is_empty()).map(name_and_value);
    // A `=` in a value is escaped.
    if fields().any(|(_, value)| value.is_some_and(|value| value.contains('='))) {
        return false;
    }
    out.push_str(&text[..url.boundaries.authority_end as usize]);
    out.push_str(match path_of(&url) {
        "" => "/",
        path => path,
    });
    let mut fields: Vec<(&str, &str)> =
        fields().map(|(name, value)| (name, value.unwrap_or_default())).collect();
    fields.sort();
    for (index, (name, value)) in fields.into_iter().enumerate() {
        out.push(if index == 0 { '?' } else { '&' });
        out.push_str(name);
        out.push('=');
        out.push_str(value);
    }
    true
}

/// Bytes that Safe Browsing neither escapes nor decodes.
static OF_SAFE_BROWSING: Accepted = Accepted::Table(&table(b"%", b"/.", b"%"));

/// `safe-browsing-v4` and `safe-browsing-v5`.
pub(super) fn safe_browsing(text: &str, out: &mut String) -> bool {
    let Some(url) = plain::scan(text, &OF_SAFE_BROWSING).filter(|url| has_full_labels(url.host())) else {
        return false;
    };
    out.push_str(&text[..url.host_end]);
    out.push_str(match path_of(&url) {
        "" => "/",
        path => path,
    });
    if let Some(query) = query_of(&url).filter(|query| !query.is_empty()) {
        out.push('?');
        out.push_str(query);
    }
    true
}

/// Makes a table: graphic ASCII without some bytes in a path, some of which begin no segment, without some in a query, and all in
/// a fragment.
const fn table(not_in_path: &[u8], inside_segments: &[u8], not_in_query: &[u8]) -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        if byte != b'?' && byte != b'#' && !contains(not_in_path, byte) {
            table[byte as usize] |= if contains(inside_segments, byte) { INNER_PATH } else { PATH };
        }
        if byte != b'#' && !contains(not_in_query, byte) {
            table[byte as usize] |= QUERY;
        }
        table[byte as usize] |= FRAGMENT;
        byte += 1;
    }
    table
}

const fn contains(bytes: &[u8], byte: u8) -> bool {
    let mut index = 0;
    while index < bytes.len() {
        if bytes[index] == byte {
            return true;
        }
        index += 1;
    }
    false
}

/// Whether no label is empty. The last one never is.
fn has_full_labels(host: &str) -> bool {
    !host.starts_with('.') && !host.contains("..")
}

fn path_of<'t>(url: &PlainUrl<'t>) -> &'t str {
    &url.text[url.boundaries.path()]
}

fn query_of<'t>(url: &PlainUrl<'t>) -> Option<&'t str> {
    url.text[url.boundaries.path_end as usize..url.boundaries.query_end as usize].strip_prefix('?')
}

fn name_and_value(field: &str) -> (&str, Option<&str>) {
    match field.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (field, None),
    }
}
