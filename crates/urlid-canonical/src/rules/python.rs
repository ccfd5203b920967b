//! `urllib.parse` of CPython 3.11: its splitting and joining of a URL, the checks of `urlsplit` that the
//! forms of several packages start with, and the host that it reads.

use core::net::Ipv6Addr;
use std::borrow::Cow;

use urlid::Error;

use super::{split, trim};
use crate::draft::{Draft, Part, Stage};
use crate::error;
use crate::profile::Rule;
use crate::unicode::python as unicode;

/// Schemes that get `//` when they are joined, with or without an authority.
const USES_NETLOC: [&str; 25] = [
    "ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews",
    "prospero", "rtsp", "rtsps", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws",
    "wss",
];

/// Schemes with parameters in the last segment. A reference without a scheme is one of them.
const USES_PARAMS: [&str; 15] = [
    "", "ftp", "hdl", "prospero", "http", "imap", "https", "shttp", "rtsp", "rtsps", "rtspu", "sip", "sips",
    "mms", "sftp",
];

/// Returns whether a scheme is in a list. `tel` also has parameters.
fn is_in(list: &[&str], scheme: &Part) -> bool {
    list.iter().any(|name| name.as_bytes() == scheme.bytes())
}

/// Splits the parameters off the last segment. They are the text after its first `;`.
pub(crate) fn split_params(draft: &mut Draft) {
    if !is_in(&USES_PARAMS, &draft.scheme) && draft.scheme.bytes() != b"tel" {
        return;
    }
    let segment = memchr::memrchr(b'/', &draft.path).unwrap_or(0);
    if let Some(offset) = memchr::memchr(b';', &draft.path[segment..]) {
        let offset = segment + offset;
        draft.params.set(&draft.path[offset + 1..]);
        draft.path.truncate(offset);
    }
}

/// Fails unless the authority has both brackets or neither.
pub(crate) fn check_brackets(authority: &[u8]) -> Result<(), Error> {
    if authority.contains(&b'[') == authority.contains(&b']') {
        Ok(())
    } else {
        Err(error::host(authority, "both brackets or none"))
    }
}

/// Fails unless the text in brackets is an IPv6 address, with an optional zone, or an `IPvFuture`.
///
/// The letter of the latter must be a small one. CPython reads a capital one as an address, and the pattern
/// of w3lib 2.5 rejects it.
pub(crate) fn check_bracketed_host(host: &[u8]) -> Result<(), Error> {
    let is_valid = match host.strip_prefix(b"v") {
        Some(future) => is_ipv_future(future),
        None => ipv6(host).is_some(),
    };
    is_valid.then_some(()).ok_or_else(|| error::host(host, "an IPv6 address"))
}

/// `1*HEXDIG "." 1*any`
fn is_ipv_future(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    digits > 0 && text[digits..].starts_with(b".") && text.len() > digits + 1
}

/// Reads an address like `ipaddress.IPv6Address`. The second value is the zone with its `%`.
pub(crate) fn ipv6(text: &[u8]) -> Option<(Ipv6Addr, &str)> {
    let text = core::str::from_utf8(text).ok()?;
    let (address, zone) = text.split_at(text.find('%').unwrap_or(text.len()));
    if zone == "%" || zone.matches('%').count() > 1 {
        return None;
    }
    Some((address.parse().ok()?, zone))
}

/// Fails if the NFKC of an authority that is not ASCII contains a new delimiter.
pub(crate) fn check_nfkc(authority: &[u8], delimiters: &[char]) -> Result<(), Error> {
    let Some((cleaned, normal)) = nfkc(authority) else { return Ok(()) };
    // CVE-2019-9636: IDNA would turn `℀` into `a/c`, and the host would end at a different place.
    if cleaned != normal && normal.contains(delimiters) {
        Err(error::host(authority, "no delimiter after NFKC"))
    } else {
        Ok(())
    }
}

/// Returns a text that is not ASCII without `@`, `:`, `#` and `?`, and the NFKC of the result.
pub(crate) fn nfkc(text: &[u8]) -> Option<(String, String)> {
    let text = core::str::from_utf8(text).ok().filter(|text| !text.is_ascii())?;
    // CPython does the same: a written delimiter was not added by NFKC.
    let cleaned = text.replace(['@', ':', '#', '?'], "");
    let normal = unicode::nfkc(&cleaned).into_owned();
    Some((cleaned, normal))
}

/// The longest decimal number that `int` reads, in digits (`sys.int_info.default_max_str_digits`). Zeros at
/// its start count.
// The limit of CPython's `int`, against its quadratic time (CVE-2020-10735).
pub(crate) const MOST_DIGITS: usize = 4300;

/// Reads a number like `int(text, radix)`: white space around it, a sign, a prefix of the radix, `_` between
/// digits. A value that is far too large for an address is capped.
pub(crate) fn int(text: &[u8], radix: u32) -> Option<i128> {
    let text =
        core::str::from_utf8(text).ok()?.trim_matches(|character| matches!(character, '\t'..='\r' | ' '));
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let prefixes = match radix {
        8 => ["0o", "0O"],
        16 => ["0x", "0X"],
        // Decimal numbers do not have a prefix, so these are not used.
        _ => ["_", "_"],
    };
    let rest = prefixes.iter().find_map(|prefix| digits.strip_prefix(prefix).filter(|_| radix != 10));
    // Python accepts a `_` between prefix and digits.
    let digits = rest.map_or(digits, |rest| rest.strip_prefix('_').unwrap_or(rest));
    // CPython has no limit for bases that are powers of two, which it reads in linear time.
    if radix == 10 && digits.len() - digits.matches('_').count() > MOST_DIGITS {
        return None;
    }
    // The value is capped below, so that it cannot overflow. Callers compare with 32 bits or less.
    let value = digits.split('_').try_fold(0_i128, |value, run| {
        let digits = (!run.is_empty()).then_some(run)?.chars();
        digits.map(|digit| digit.to_digit(radix)).try_fold(value, |value, digit| {
            Some((value * i128::from(radix) + i128::from(digit?)).min(1 << 80))
        })
    })?;
    Some(if is_negative { -value } else { value })
}

/// Reads a decimal number like `int(text)`, which accepts digits and white space of every script.
pub(crate) fn int_of_any_script(text: &[u8]) -> Option<i128> {
    let text = core::str::from_utf8(text).ok()?;
    if text.is_ascii() {
        return int(text.as_bytes(), 10);
    }
    let ascii = |character: char| match character {
        '\0'..'\x7f' => Some(character as u8),
        _ if unicode::is_space(character) => Some(b' '),
        _ => decimal_digit(character),
    };
    int(&text.chars().map(ascii).collect::<Option<Vec<u8>>>()?, 10)
}

/// Returns the ASCII digit for a decimal digit of any script.
pub(crate) fn decimal_digit(character: char) -> Option<u8> {
    unicode::decimal_digit(character).map(|digit| b'0' + digit)
}

/// Returns the NFC of a text.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    unicode::nfc(text)
}

/// Trims white space at both ends, like `str.strip`.
pub(crate) fn strip(text: &mut Vec<u8>) {
    let Ok(characters) = core::str::from_utf8(text) else { return };
    let end = characters.trim_end_matches(unicode::is_space).len();
    let start = end - characters[..end].trim_start_matches(unicode::is_space).len();
    text.truncate(end);
    text.drain(..start);
}

/// Lower-cases as `str.lower` does.
pub(crate) fn lower_case(text: &mut Vec<u8>) {
    match core::str::from_utf8(text) {
        Ok(characters) if !characters.is_ascii() => *text = unicode::lower_case(characters).into_bytes(),
        _ => text.make_ascii_lowercase(),
    }
}

/// The schemes that get an empty authority if theirs is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmptyAuthority {
    /// Schemes that normally have an authority, unless the path starts with `//`. A rootless path gets a
    /// root.
    ByScheme,
    /// Such schemes with an empty or rooted path, and every path that starts with `//`.
    ByPath,
}

/// Joins the text like `urlunparse`. Empty parts lose their delimiters.
pub(crate) fn unparse(draft: &mut Draft, rule: EmptyAuthority) {
    let Draft { text, scheme, host, path, params, query, fragment, .. } = draft;
    let is_rooted = path.first() == Some(&b'/');
    let is_double = path.starts_with(b"//");
    let has_natural = !scheme.is_empty() && is_in(&USES_NETLOC, scheme);
    let has_authority = !host.is_empty()
        || match rule {
            EmptyAuthority::ByScheme => has_natural && !is_double,
            EmptyAuthority::ByPath => is_double || has_natural && (path.is_empty() || is_rooted),
        };
    text.clear();
    if !scheme.is_empty() {
        text.extend_from_slice(scheme.bytes());
        text.push(b':');
    }
    if has_authority {
        text.extend_from_slice(b"//");
        text.extend_from_slice(host.bytes());
        // `urlunparse` has appended the parameters to the path before it looks for a root.
        if !(is_rooted || path.is_empty() && params.is_empty()) {
            text.push(b'/');
        }
    }
    text.extend_from_slice(path);
    for (delimiter, part) in [(b';', params), (b'?', query), (b'#', fragment)] {
        if !part.is_empty() {
            text.push(delimiter);
            text.extend_from_slice(part.bytes());
        }
    }
    draft.stage = Stage::Text;
}

/// The check of brackets in `urlsplit` of CPython 3.11.
pub(crate) const BRACKETS: Rule =
    Rule::checked("brackets", "Brackets come in pairs and hold an IPv6 address or an `IPvFuture`.", |d| {
        check_authority(d.host.bytes())
    });

/// Its check of characters that NFKC changes.
pub(crate) const NFKC: Rule = Rule::checked("nfkc", "NFKC of the authority must not add a delimiter.", |d| {
    check_nfkc(d.host.bytes(), &DELIMITERS)
});

const DELIMITERS: [char; 5] = ['/', '?', '#', '@', ':'];

fn check_authority(authority: &[u8]) -> Result<(), Error> {
    check_brackets(authority)?;
    match split::cut(authority, b'[') {
        (_, Some(rest)) => check_bracketed_host(split::cut(rest, b']').0),
        (_, None) => Ok(()),
    }
}

/// Returns `urlsplit(text).hostname`. `None` in Python is an empty text, and `None` is an error.
pub(crate) fn hostname(text: &str) -> Option<String> {
    let mut text = text.trim_start_matches(|character| character <= ' ').as_bytes().to_vec();
    trim::delete(&mut text, trim::is_tab_or_newline);
    let start = split::scheme_length(&text).map_or(0, |length| length + 1);
    let Some(rest) = text[start..].strip_prefix(b"//") else { return Some(String::new()) };
    let authority = &rest[..split::authority_end(rest)];
    check_authority(authority).ok()?;
    check_nfkc(authority, &DELIMITERS).ok()?;
    let host = &authority[memchr::memrchr(b'@', authority).map_or(0, |at| at + 1)..];
    let host = match split::cut(host, b'[') {
        (_, Some(rest)) => split::cut(rest, b']').0,
        (_, None) => split::cut(host, b':').0,
    };
    // The text after a `%` is a zone, and its case stays.
    let (name, zone) = host.split_at(memchr::memchr(b'%', host).unwrap_or(host.len()));
    let mut name = name.to_vec();
    lower_case(&mut name);
    name.extend_from_slice(zone);
    String::from_utf8(name).ok()
}
