//! The rules of `canonicalize_url` and `safe_url_string` of the Python package w3lib, versions 2.4 and 2.5.
//!
//! Scrapy's fingerprints use both functions.

use super::authority::{self, PortZero};
use super::idna2003::{self, Codec};
use super::python::{self, EmptyAuthority};
use super::python::{BRACKETS, NFKC};
use super::{dots, escapes, query, split, trim};
use crate::draft::Draft;
use crate::error;
use crate::profile::Rule;
use urlid::Error;
use urlid::internal::escape::{EscapeSet, UNRESERVED};
use urlid::internal::push_ipv6_address;

// RFC 3986's sub-delims without `;` and `=`, which the userinfo set of the URL Standard escapes.
const USERINFO: EscapeSet = UNRESERVED.without(b"!$&'()*+,");
/// Bytes escaped in the parameters of version 2.5, before they are split off the path. A `%` stays, even if
/// it is not an escape.
pub(crate) const PARAMS_2_5: EscapeSet = UNRESERVED.without(b":/?@!$&'()*+,;=%");
/// Bytes escaped in the query of a request with a special scheme.
// The URL Standard's special-query set has `'` in addition to its query set.
const SPECIAL_QUERY: EscapeSet = PARAMS_2_5.with(b"'");
/// Bytes escaped in a path, and in the parameters of version 2.4.
const PATH: EscapeSet = PARAMS_2_5.without(b"[]|");

const SPECIAL: [&[u8]; 6] = [b"http", b"https", b"ftp", b"file", b"ws", b"wss"];

pub(crate) const TRIM: &[Rule] = &[
    Rule::new("trim", "Cut 00 to 20 at both ends.", |d| trim::trim(&mut d.text, trim::is_control_or_space)),
    Rule::new(
        "delete-newlines",
        "Delete tabs and line ends everywhere, then cut 00 to 20 at the start.",
        |d| {
            trim::delete(&mut d.text, trim::is_tab_or_newline);
            trim::trim_start(&mut d.text, trim::is_control_or_space);
        },
    ),
];

const SPLIT: Rule = Rule::new("split", "Split as RFC 3986 does; lower-case the scheme.", |d| {
    split::split(d);
    d.scheme.bytes_mut().make_ascii_lowercase();
});

const DROP_FRAGMENT: Rule = Rule::new("drop-fragment", "Drop the fragment.", |d| d.fragment.remove());

const PARAMS: Rule = Rule::new(
    "params",
    "Cut the parameters off the last segment where the scheme has some.",
    python::split_params,
);

pub(crate) const AUTHORITY_2_5: &[Rule] = &[
    Rule::new(
        "backslashes",
        "Before `?` and `#`, `\\` becomes `/` in http, https, ftp, file, ws and wss URLs.",
        |d| turn_backslashes(&mut d.text),
    ),
    SPLIT,
    Rule::checked(
        "brackets",
        "Brackets come in pairs and hold an IPv6 address or an `IPvFuture`. The host starts with them, and \
         only a port may follow.",
        |d| check_brackets(d.host.bytes()),
    ),
    Rule::checked("nfkc", "NFKC of the authority must not add a delimiter.", |d| {
        python::check_nfkc(d.host.bytes(), &['/', '?', '#', '@', ':', '\\'])
    }),
    Rule::checked(
        "port",
        "A port is 0 to 65535, or an error; it is written as a number, and an empty one counts as missing.",
        split_authority,
    ),
    Rule::new(
        "userinfo",
        "Decode user and password once and encode them, including `:`, `;` and `=`.",
        |d| {
            encode_userinfo(d, |_| {});
        },
    ),
    Rule::checked(
        "host-idna",
        "Lower-case the host. Map a host that is not ASCII by NFKC and IDNA 2003, if that succeeds.",
        |d| map_host(d, |host| idna2003::to_ascii(&python::nfkc(host)?.1, Codec::Python)),
    ),
    Rule::new("host-ipv6", "Write an IPv6 address in its shortest form.", |d| {
        shorten_ipv6(d.host.bytes_mut())
    }),
];

pub(crate) const PARTS_2_5: &[Rule] = &[
    DROP_FRAGMENT,
    PARAMS,
    Rule::new("params-encode", "Encode the parameters.", |d| {
        escapes::encode(d.params.bytes_mut(), &PARAMS_2_5, &mut d.spare);
    }),
    Rule::new(
        "query",
        "Decode the fields between `&` once, drop empty ones, sort them by name and value, and write `name=value`.",
        |d| query::sort_decoded(&mut d.query, |byte| byte == b'&', &mut d.spare),
    ),
    Rule::new(
        "path",
        "Decode the path once, except `%25`, `%2F`, `%3B` and `%3F`, and encode it; empty is `/`.",
        |d| {
            escapes::decode_once(&mut d.path, |byte| !matches!(byte, b'%' | b'/' | b';' | b'?'));
            escapes::encode(&mut d.path, &PATH, &mut d.spare);
            root_if_empty(d);
        },
    ),
    Rule::new("dots", "Remove dot segments as RFC 3986 does, if the path starts with `/`.", |d| {
        dots::remove_as_rfc3986(&mut d.path);
    }),
    Rule::new("print", "Put the parts together as `urlunparse` does.", |d| {
        d.join_authority();
        python::unparse(d, EmptyAuthority::ByPath);
    }),
];

pub(crate) const AUTHORITY_2_4: &[Rule] = &[
    SPLIT,
    BRACKETS,
    NFKC,
    Rule::new(
        "authority-idna",
        "Map the authority by IDNA 2003 if it is not ASCII and that succeeds.",
        |d| {
            let authority = core::str::from_utf8(d.host.bytes()).ok().filter(|text| !text.is_ascii());
            if let Some(ascii) = authority.and_then(|text| idna2003::to_ascii(text, Codec::Python)) {
                d.host.set(ascii.as_bytes());
            }
        },
    ),
    Rule::new(
        "authority-case",
        "Lower-case the text after the last `@`, and cut every `:` at its end.",
        |d| {
            let start = memchr::memrchr(b'@', d.host.bytes()).map_or(0, |offset| offset + 1);
            let mut host = d.host.bytes_mut().split_off(start);
            python::lower_case(&mut host);
            trim::trim_end(&mut host, |byte| byte == b':');
            d.host.bytes_mut().append(&mut host);
        },
    ),
];

pub(crate) const PARTS_2_4: &[Rule] = &[
    DROP_FRAGMENT,
    PARAMS,
    Rule::new("params-encode", "Encode the parameters.", |d| {
        escapes::encode(d.params.bytes_mut(), &PATH, &mut d.spare);
    }),
    Rule::new(
        "query",
        "Decode the fields between `&` or `;` once, drop empty ones, sort them by name and value, and write `name=value`.",
        |d| query::sort_decoded(&mut d.query, |byte| matches!(byte, b'&' | b';'), &mut d.spare),
    ),
    Rule::new("path", "Decode the path once, except `%2F` and `%3F`, and encode it; empty is `/`.", |d| {
        escapes::decode_once(&mut d.path, |byte| !matches!(byte, b'/' | b'?'));
        escapes::encode(&mut d.path, &PATH, &mut d.spare);
        root_if_empty(d);
    }),
    Rule::new("print", "Put the parts together as `urlunparse` does.", |d| {
        python::unparse(d, EmptyAuthority::ByScheme);
    }),
];

/// `safe_url_string` of version 2.5, after its rules on the authority.
pub(crate) const SAFE_URL_2_5: &[Rule] =
    &[Rule::new("safe-url", "Encode path, query and fragment, and put the parts together.", |d| {
        encode_parts(d);
        if d.path.is_empty() && !d.query.is_empty() && is_special(d.scheme.bytes()) {
            d.path.push(b'/');
        }
        d.join_authority();
        python::unparse(d, EmptyAuthority::ByPath);
    })];

/// `safe_url_string` of version 2.4.
pub(crate) const SAFE_URL_2_4: &[Rule] = &[
    SPLIT,
    BRACKETS,
    NFKC,
    Rule::checked(
        "port",
        "A port is 0 to 65535, or an error; it is written as a number, and an empty one counts as missing.",
        |d| authority::split_as_python(d, PortZero::Kept),
    ),
    Rule::new(
        "userinfo",
        "Decode user and password once, as UTF-8, and encode them, `:`, `;` and `=` too.",
        |d| {
            encode_userinfo(d, |text| *text = String::from_utf8_lossy(text).into_owned().into_bytes());
        },
    ),
    Rule::checked(
        "host-idna",
        "Lower-case the host; map what is not ASCII by IDNA 2003, if that succeeds.",
        |d| map_host(d, |host| idna2003::to_ascii(core::str::from_utf8(host).ok()?, Codec::Python)),
    ),
    Rule::new("safe-url", "Encode path, query and fragment, and put the parts together.", |d| {
        encode_parts(d);
        d.join_authority();
        python::unparse(d, EmptyAuthority::ByScheme);
    }),
];

fn encode_parts(draft: &mut Draft) {
    let Draft { scheme, path, query, fragment, spare, .. } = draft;
    escapes::encode(path, &PARAMS_2_5, spare);
    escapes::encode(query.bytes_mut(), query_set(scheme.bytes()), spare);
    escapes::encode(fragment.bytes_mut(), &PARAMS_2_5, spare);
}

/// Returns the bytes that are escaped in the query of a request.
pub(crate) fn query_set(scheme: &[u8]) -> &'static EscapeSet {
    if is_special(scheme) { &SPECIAL_QUERY } else { &PARAMS_2_5 }
}

fn is_special(scheme: &[u8]) -> bool {
    SPECIAL.iter().any(|special| special.eq_ignore_ascii_case(scheme))
}

fn turn_backslashes(text: &mut [u8]) {
    let Some(length) = split::scheme_length(text) else { return };
    if !is_special(&text[..length]) {
        return;
    }
    let end = memchr::memchr2(b'?', b'#', text).unwrap_or(text.len());
    text[..end].iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
}

fn check_brackets(authority: &[u8]) -> Result<(), Error> {
    python::check_brackets(authority)?;
    if !authority.contains(&b'[') {
        return Ok(());
    }
    let start = memchr::memrchr(b'@', authority).map_or(0, |offset| offset + 1);
    let (before, literal) = split::cut(&authority[start..], b'[');
    let Some(literal) = literal else {
        // The brackets are in the userinfo, and the host is read as if it were inside them.
        return python::check_bracketed_host(split::cut(before, b':').0);
    };
    let (host, after) = split::cut(literal, b']');
    if !before.is_empty() || after.is_some_and(|after| !after.is_empty() && !after.starts_with(b":")) {
        return Err(error::host(authority, "nothing beside `[`, an address, `]` and a port"));
    }
    python::check_bracketed_host(host)
}

/// Splits the authority like Python, except if only the userinfo has a `[`.
///
/// w3lib first looks for a `[` in the whole authority, then for the host after a `[` of the rest. If only the
/// userinfo has one, neither host nor port is found.
fn split_authority(draft: &mut Draft) -> Result<(), Error> {
    let authority = draft.host.bytes_mut();
    if let Some(at) = memchr::memrchr(b'@', authority)
        && authority[..at].contains(&b'[')
        && !authority[at..].contains(&b'[')
    {
        authority.truncate(at + 1);
    }
    authority::split_as_python(draft, PortZero::Kept)
}

fn encode_userinfo(draft: &mut Draft, clean: fn(&mut Vec<u8>)) {
    let Some(userinfo) = draft.userinfo.get() else { return };
    let mut encoded = Vec::with_capacity(userinfo.len());
    // The userinfo is split before decoding. A decoded `:` is escaped again, and does not divide.
    let (user, password) = split::cut(userinfo, b':');
    for (delimiter, text) in [(&b""[..], Some(user)), (b":", password)] {
        if let Some(text) = text {
            let mut text = text.to_vec();
            escapes::decode_once(&mut text, |_| true);
            clean(&mut text);
            encoded.extend_from_slice(delimiter);
            USERINFO.encode_bytes(&text, &mut encoded);
        }
    }
    draft.userinfo.set(&encoded);
}

/// Maps the host, which comes without its brackets and gets them again if it has a colon.
fn map_host(draft: &mut Draft, to_ascii: fn(&[u8]) -> Option<String>) -> Result<(), Error> {
    let host = draft.host.bytes_mut();
    // Only an address has a colon here, because the host of a name ends at the first one.
    if host.contains(&b':') {
        if !host.is_ascii() {
            return Err(error::host(host, "an address in ASCII"));
        }
        host.insert(0, b'[');
        host.push(b']');
    } else if !host.is_ascii() {
        // Python's `hostname` does not change the text after a `%`, for zones of addresses. The text is
        // mapped unchanged.
        let end = memchr::memchr(b'%', host).unwrap_or(host.len());
        let mut lower = host[..end].to_vec();
        python::lower_case(&mut lower);
        host.splice(..end, lower);
        if let Some(ascii) = to_ascii(host) {
            *host = ascii.into_bytes();
        }
    }
    python::lower_case(host);
    Ok(())
}

fn shorten_ipv6(host: &mut Vec<u8>) {
    let literal = host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]"));
    if let Some((address, zone)) = literal.and_then(python::ipv6) {
        let mut shortest = String::from("[");
        push_ipv6_address(&address, &mut shortest);
        // The zone stays as written, because only the address has a shortest form.
        shortest.push_str(zone);
        shortest.push(']');
        *host = shortest.into_bytes();
    }
}

fn root_if_empty(draft: &mut Draft) {
    if draft.path.is_empty() {
        draft.path.push(b'/');
    }
}
