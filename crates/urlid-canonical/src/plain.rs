//! The forms of plain URLs, which one scan recognises. This fast path handles most real URLs without the
//! rules.
//!
//! The rules define a form. A test compares both ways on real and generated URLs.

use crate::rules::escapes::escaped_byte;
use urlid::internal::plain::{self, Accepted, FRAGMENT, INNER_PATH, PATH, PlainScheme, PlainUrl, QUERY};

/// How often `www` is stripped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StripWww {
    Never,
    Once,
    Always,
}

/// Appends the form `surt-0.3.1`, which drops port 0.
pub(super) fn surt(text: &str, out: &mut String) -> bool {
    plain::scan(text, &OF_SURT).is_some_and(|url| push_key(&url, StripWww::Once, |_, port| port == 0, out))
}

/// Appends the form `ia-surt-1.3`, which drops port 0 of `ftp`.
pub(super) fn ia_surt(text: &str, out: &mut String) -> bool {
    plain::scan(text, &OF_KEYS).is_some_and(|url| push_key(&url, StripWww::Always, is_zero_of_ftp, out))
}

/// Appends the form `ia-surt-1.3-keep-www`.
pub(super) fn ia_surt_keep_www(text: &str, out: &mut String) -> bool {
    plain::scan(text, &OF_KEYS).is_some_and(|url| push_key(&url, StripWww::Never, is_zero_of_ftp, out))
}

fn is_zero_of_ftp(scheme: PlainScheme, port: u16) -> bool {
    // The rule keeps port 0 of http and https. `ftp` is the only other scheme of a plain URL.
    scheme == PlainScheme::Ftp && port == 0
}

/// Bytes that the rules neither escape nor decode. `(` may start a session.
static OF_KEYS: Accepted = Accepted::Table(&table(b"%()", b"/.", b"%"));

/// The same with escapes, which [`push_decoded`] decodes.
static OF_SURT: Accepted = Accepted::Table(&table(b"()", b"/.", b""));

/// Appends a text with its escapes in the form that `surt-0.3.1` produces by decoding and encoding. Escapes
/// of graphic ASCII are decoded, and the others stay unchanged. Returns false if a `%` does not start an
/// escape, and for an escape of `%` or of a rejected byte. Its decoded form could change how the text is
/// read.
#[inline]
fn push_decoded(text: &str, rejected: &[u8], out: &mut String) -> bool {
    let mut start = 0;
    for offset in memchr::memchr_iter(b'%', text.as_bytes()) {
        let Some(byte) = escaped_byte(&text.as_bytes()[offset + 1..]) else { return false };
        if byte == b'%' || rejected.contains(&byte) {
            return false;
        }
        // The rules also decode `#`, and encode it again. The digits of remaining escapes may have either
        // case, because the key is in lower case at the end.
        if byte.is_ascii_graphic() && byte != b'#' {
            out.push_str(&text[start..offset]);
            out.push(char::from(byte));
            start = offset + "%00".len();
        }
    }
    out.push_str(&text[start..]);
    true
}

/// Appends the key of a plain URL, or leaves `out` unchanged.
#[inline]
fn push_key(
    url: &PlainUrl<'_>,
    strip: StripWww,
    is_dropped: fn(PlainScheme, u16) -> bool,
    out: &mut String,
) -> bool {
    let start = out.len();
    let is_pushed = push_authority(url, strip, is_dropped, out) && push_path_and_query(url, out);
    if !is_pushed {
        out.truncate(start);
    }
    is_pushed
}

#[inline]
fn push_authority(
    url: &PlainUrl<'_>,
    strip: StripWww,
    is_dropped: fn(PlainScheme, u16) -> bool,
    out: &mut String,
) -> bool {
    let mut host = url.host();
    while let Some(length) = www_length(host).filter(|_| strip != StripWww::Never) {
        host = &host[length..];
        if strip == StripWww::Once {
            break;
        }
    }
    if !push_reversed(host, out) {
        return false;
    }
    let default = match url.scheme {
        PlainScheme::Http => Some(80),
        PlainScheme::Https => Some(443),
        // Both packages drop only the default ports of http and https.
        PlainScheme::Ftp => None,
    };
    if let Some(port) = url.port.filter(|&port| Some(port) != default && !is_dropped(url.scheme, port)) {
        out.push(':');
        out.push_str(itoa::Buffer::new().format(port));
    }
    true
}

#[inline]
fn push_path_and_query(url: &PlainUrl<'_>, out: &mut String) -> bool {
    let (path, query) = (path_of(url), query_of(url).unwrap_or_default());
    out.push(')');
    let start = out.len();
    let is_decoded = match path.len() {
        0 | 1 => {
            out.push('/');
            true
        }
        // An escaped `/` or `.` may become part of a dot segment, and `(` and `)` part of a session.
        _ => push_decoded(path.strip_suffix('/').unwrap_or(path), b"/.()", out),
    };
    let mut query_start = out.len();
    if !query.is_empty() {
        out.push('?');
        query_start += 1;
    }
    // In the query everything may be decoded, because the rules split it into fields only afterwards.
    if !is_decoded || !push_decoded(query, b"", out) || has_session_name(&out.as_bytes()[query_start..]) {
        return false;
    }
    // The key is lower-cased before sorting, like in the rules, because capital letters sort before small
    // ones.
    out[start..].make_ascii_lowercase();
    sort_fields(query_start, out);
    true
}

/// Sorts the fields of the query from an offset to the end.
fn sort_fields(start: usize, out: &mut String) {
    let fields = || out[start..].split('&').map(name_and_value);
    if !out[start..].contains('&') || fields().is_sorted() {
        return;
    }
    let mut sorted: Vec<(&str, Option<&str>)> = fields().collect();
    sorted.sort();
    let mut query = String::with_capacity(out.len() - start);
    for (index, (name, value)) in sorted.into_iter().enumerate() {
        if index > 0 {
            query.push('&');
        }
        query.push_str(name);
        if let Some(value) = value {
            query.push('=');
            query.push_str(value);
        }
    }
    out.replace_range(start.., &query);
}

/// Every session pattern has one of the names `nid`, `sid` and `fid` at its end.
fn has_session_name(query: &[u8]) -> bool {
    // A session has at least 16 bytes. `| 32` turns a capital letter into a small one.
    query.len() >= 16
        && memchr::memchr2_iter(b'd', b'D', query).any(|offset| {
            offset >= 2
                && query[offset - 1] | 32 == b'i'
                && matches!(query[offset - 2] | 32, b'n' | b's' | b'f')
        })
}

/// Returns the length of `www`, digits and a dot.
fn www_length(host: &str) -> Option<usize> {
    super::rules::authority::www_length(host.as_bytes())
}

/// Appends the labels from the last to the first. Returns false if one is empty.
fn push_reversed(host: &str, out: &mut String) -> bool {
    let mut end = host.len();
    for (dot, _) in host.bytes().enumerate().rev().filter(|(_, byte)| *byte == b'.') {
        // The rules collapse and remove such dots, so the plain path leaves them to the rules.
        if dot + 1 == end {
            return false;
        }
        out.push_str(&host[dot + 1..end]);
        out.push(',');
        end = dot;
    }
    out.push_str(&host[..end]);
    end > 0
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

/// Appends the forms `w3lib-2.5` and `w3lib-2.4`, which are equal for a plain URL.
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
        // `parse_qsl` keeps blank values, and `urlencode` then writes `a` as `a=`.
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

/// Appends the forms `safe-browsing-v4` and `safe-browsing-v5`.
pub(super) fn safe_browsing(text: &str, out: &mut String) -> bool {
    let Some(url) = plain::scan(text, &OF_SAFE_BROWSING).filter(|url| has_full_labels(url.host())) else {
        return false;
    };
    // The host is the end of the authority here, because Safe Browsing drops any port.
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

/// Makes a table of the accepted bytes. A path accepts graphic ASCII without `not_in_path`, and bytes of
/// `inside_segments` cannot start a segment. A query accepts graphic ASCII without `not_in_query`, and a
/// fragment accepts all of it.
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

/// Returns whether all labels are non-empty. The last one always is.
fn has_full_labels(host: &str) -> bool {
    !host.starts_with('.') && !host.as_bytes().windows(2).any(|two| two == b"..")
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
