//! Splits a text like `java.net.URL` and, if that fails, `java.net.URI` of Java 17.
//!
//! A `URL` has one of a few schemes, and checks hardly more than the port. A `URI` has any scheme, and the
//! grammar of RFC 2396 with any visible character that is not ASCII. Only a `URI` decodes its parts.
//!
//! Each has a parser of IPv6 addresses. Both allow leading zeros that the standard library of Rust rejects:
//! `[::01.2.3.4]`, and only in `java.net.URL` also `[::00001]`.

use std::borrow::Cow;

use urlid::Error;
use urlid::internal::escape::{EscapeSet, UNRESERVED};

use crate::error;
use crate::rules::escapes::escaped_byte;
use crate::unicode::java;

/// The parts that getters of `URL` and `URI` return. `None` is `null`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JavaUrl<'t> {
    pub(super) scheme: Option<Cow<'t, str>>,
    pub(super) host: Option<&'t str>,
    pub(super) port: Option<i32>,
    pub(super) path: Option<Cow<'t, str>>,
    pub(super) query: Option<Cow<'t, str>>,
    /// The text between the scheme and the fragment of a URI, decoded.
    pub(super) specific: Cow<'t, str>,
}

impl JavaUrl<'_> {
    /// Returns the host in lower case, or the looked-up name as written.
    pub(crate) fn host(&self) -> Option<Cow<'_, str>> {
        match self.scheme.as_deref()? {
            "dns" => Some(Cow::Borrowed(&self.specific)),
            "whois" => {
                let path = self.path.as_deref().unwrap_or(&self.specific);
                Some(Cow::Borrowed(path.trim_start_matches('/')))
            }
            _ => self.host.map(|host| Cow::Owned(java::lower_case(host))),
        }
    }
}

/// Reads a text as a URL, else as a URI. If the result has no host, reads it again with two slashes after
/// `http:` or `https:`.
pub(crate) fn read<'t>(text: &'t str, repaired: &'t mut String) -> Result<JavaUrl<'t>, Error> {
    let first = read_url(text).or_else(|| read_uri(text));
    if first.as_ref().is_some_and(|url| url.host().as_deref() != Some("")) || !has_other_slashes(text) {
        return first.ok_or_else(|| error::text(text.as_bytes(), "a URL or a URI"));
    }
    let (scheme, rest) = text.split_once(':').unwrap_or_default();
    repaired.extend([scheme, "://", rest.trim_start_matches('/')]);
    match (read_url(repaired), first) {
        (Some(url), _) => Ok(url),
        // The parts of the first reading stay.
        (None, Some(first)) => Ok(match read_uri(repaired) {
            Some(uri) => {
                JavaUrl { path: first.path, query: first.query, port: first.port.or(uri.port), ..uri }
            }
            None => first,
        }),
        (None, None) => read_uri(repaired).ok_or_else(|| error::text(text.as_bytes(), "a URL or a URI")),
    }
}

fn has_other_slashes(text: &str) -> bool {
    let rest = text.strip_prefix("http:").or_else(|| text.strip_prefix("https:"));
    rest.is_some_and(|rest| rest.len() - rest.trim_start_matches('/').len() != 2)
}

/// Reads a text like `new URL(text)`. `None` is its exception.
fn read_url(text: &str) -> Option<JavaUrl<'_>> {
    let text = text.trim_matches(|character| character <= ' ');
    let text = match text.get(..4) {
        // `new URL` skips the prefix that RFC 1738 recommends for URLs in running text.
        Some(prefix) if prefix.eq_ignore_ascii_case("url:") => &text[4..],
        _ => text,
    };
    // A `/` before the first `:` means that there is no scheme, and `new URL` without a context needs one.
    let (scheme, rest) = text.split_at(text.find([':', '/']).filter(|&end| text[end..].starts_with(':'))?);
    let scheme = scheme.to_ascii_lowercase();
    let rest = rest[1..].split_once('#').map_or(&rest[1..], |(rest, _)| rest);
    match scheme.as_str() {
        "mailto" if rest.chars().all(java::is_whitespace) => None,
        // In this scheme the query starts at the last `?`. The port is the port of the URI.
        "mailto" => {
            let port = read_uri(text).and_then(|uri| uri.port);
            Some(JavaUrl { host: Some(""), port, ..of_parts(scheme, rest, rest.rsplit_once('?')) })
        }
        "jar" => {
            // The handler of `jar:` makes a URL from the text before `!/`, and fails if this fails.
            read_url(rest.rsplit_once("!/")?.0)?;
            Some(JavaUrl { host: Some(""), ..of_parts(scheme, rest, rest.rsplit_once('?')) })
        }
        // Together with `mailto` and `jar`, these are the schemes with a handler in Java 17. Other schemes
        // throw.
        "http" | "https" | "ftp" | "file" | "jrt" | "jmod" => read_authority(scheme, rest),
        _ => None,
    }
}

fn of_parts<'t>(scheme: String, rest: &'t str, cut: Option<(&'t str, &'t str)>) -> JavaUrl<'t> {
    let (path, query) = cut.map_or((rest, None), |(path, query)| (path, Some(Cow::Borrowed(query))));
    JavaUrl { scheme: Some(scheme.into()), path: Some(path.into()), query, ..JavaUrl::default() }
}

fn read_authority(scheme: String, rest: &str) -> Option<JavaUrl<'_>> {
    let url = of_parts(scheme, rest, rest.split_once('?'));
    let before_query = rest.split('?').next().unwrap_or_default();
    // Four slashes start the name of a Windows share.
    let Some(after) = before_query.strip_prefix("//").filter(|after| !after.starts_with("//")) else {
        return Some(JavaUrl { host: Some(""), ..url });
    };
    let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
    let host_and_port = match authority.split_once('@') {
        // `URLStreamHandler` does not accept an authority with two `@` as server-based, so it has no host.
        Some((_, rest)) if rest.contains('@') => "",
        Some((_, rest)) => rest,
        None => authority,
    };
    let (host, port) = if host_and_port.starts_with('[') {
        // The shortest address is `[::]`, with its `]` at 3.
        let end = host_and_port.find(']').filter(|&end| end > 2)? + 1;
        let (host, port) = host_and_port.split_at(end);
        let (address, scope) = host[1..end - 1].split_once('%').unwrap_or((&host[1..end - 1], "0"));
        if !is_in_url(address) || scope.is_empty() {
            return None;
        }
        (host, if port.is_empty() { port } else { port.strip_prefix(':')? })
    } else {
        host_and_port.split_once(':').unwrap_or((host_and_port, ""))
    };
    if host.contains(is_illegal_in_host) {
        return None;
    }
    let port = if port.is_empty() { -1 } else { java::parse_int(port, 10).filter(|&port| port >= -1)? };
    // -1 is Java's mark for a missing port, and a written -1 also counts as missing.
    let port = Some(port).filter(|&port| port != -1);
    Some(JavaUrl { host: Some(host), port, path: Some(path.into()), ..url })
}

/// Returns whether `IPAddressUtil` rejects a character in a host: controls, and characters with a delimiter
/// in their compatibility form. Later updates of Java 17 check this. The userinfo may contain them.
fn is_illegal_in_host(character: char) -> bool {
    const DELIMITERS: [char; 17] =
        ['⁇', '⁈', '⁉', '℀', '℁', '℅', '℆', '⩴', '﹕', '﹖', '﹟', '﹫', '＃', '／', '：', '？', '＠'];
    character.is_ascii_control() || DELIMITERS.contains(&character)
}

/// Bytes that are not allowed in any part of a URI: RFC 2396 with the brackets of RFC 2732.
const NOT_URIC: EscapeSet = UNRESERVED.without(b"!*'();/?:@&=+$,[]%");
const NOT_PATH: EscapeSet = NOT_URIC.with(b"?[]");
const NOT_REGISTRY: EscapeSet = NOT_PATH.with(b"/");
const NOT_USERINFO: EscapeSet = NOT_REGISTRY.with(b"@");

/// Returns `new URI(text).getHost()`. The inner `None` is `null`, and the outer one is the exception.
pub(crate) fn uri_host(text: &str) -> Option<Option<&str>> {
    read_uri(text).map(|uri| uri.host)
}

/// Reads a text like `new URI(text)`. `None` is its exception.
fn read_uri(text: &str) -> Option<JavaUrl<'_>> {
    let (scheme, rest) = match text.find([':', '/', '?', '#']) {
        Some(end) if text[end..].starts_with(':') => (Some(&text[..end]), &text[end + 1..]),
        _ => (None, text),
    };
    if let Some(scheme) = scheme {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        if !scheme.starts_with(|first: char| first.is_ascii_alphabetic()) || !scheme.bytes().all(is_letter) {
            return None;
        }
    }
    let (specific, fragment) = rest.split_once('#').map_or((rest, ""), |(rest, fragment)| (rest, fragment));
    check(fragment, &NOT_URIC)?;
    let scheme = scheme.map(Cow::Borrowed);
    let uri = JavaUrl { scheme, specific: decode_outside_brackets(specific), ..JavaUrl::default() };
    if uri.scheme.is_some() && !specific.starts_with('/') {
        check(specific, &NOT_URIC)?;
        return (!specific.is_empty()).then_some(uri);
    }
    let (hierarchy, query) = match specific.split_once('?') {
        Some((hierarchy, query)) => (hierarchy, Some(query)),
        None => (specific, None),
    };
    check(query.unwrap_or_default(), &NOT_URIC)?;
    let (authority, path) = match hierarchy.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", hierarchy),
    };
    // An empty authority is an error at the end of the text, but allowed before a path, a query or a
    // fragment.
    if hierarchy == "//" && query.is_none() && !rest.contains('#') {
        return None;
    }
    check(path, &NOT_PATH)?;
    // RFC 2396, 3.2: an authority that is not a server may be a name of some registry, without a host.
    let (host, port) = match server(authority) {
        Some((host, port)) => (Some(host), port),
        None => {
            check(authority, &NOT_REGISTRY)?;
            (None, None)
        }
    };
    Some(JavaUrl { host, port, path: Some(decode(path)), query: query.map(decode), ..uri })
}

/// Fails unless a part has no byte of a set, two digits after each `%`, and only visible characters beyond
/// ASCII.
fn check(part: &str, excluded: &EscapeSet) -> Option<()> {
    let is_good = |(offset, character): (usize, char)| match character {
        '%' => escaped_byte(&part.as_bytes()[offset + 1..]).is_some(),
        '\0'..='\x7f' => !excluded.contains(character as u8),
        _ => !java::is_iso_control(character) && !java::is_space_char(character),
    };
    part.char_indices().all(is_good).then_some(())
}

/// Splits a server-based authority. Returns `None` if it is the name of a registry.
fn server(authority: &str) -> Option<(&str, Option<i32>)> {
    let (userinfo, host_and_port) = authority.split_once('@').unwrap_or(("", authority));
    check(userinfo, &NOT_USERINFO)?;
    let (host, port) = match host_and_port.strip_prefix('[') {
        Some(rest) => {
            let end = rest.find(']')?;
            let (address, scope) = rest[..end].split_once('%').unwrap_or((&rest[..end], "0"));
            let is_scope = |byte: u8| byte.is_ascii_alphanumeric() || b"_.".contains(&byte);
            if !is_in_uri(address) || scope.is_empty() || !scope.bytes().all(is_scope) {
                return None;
            }
            host_and_port.split_at(end + 2)
        }
        None => host_and_port.split_at(host_and_port.find(':').unwrap_or(host_and_port.len())),
    };
    if !host.starts_with('[') && !is_ipv4(host) && !is_host_name(host) {
        return None;
    }
    match port.strip_prefix(':') {
        None if port.is_empty() => Some((host, None)),
        None => None,
        Some("") => Some((host, None)),
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some((host, Some(digits.parse().ok()?)))
        }
        Some(_) => None,
    }
}

/// Returns whether a text is labels of letters, digits and inner hyphens, with an optional final dot. The
/// last of several labels must start with a letter.
fn is_host_name(host: &str) -> bool {
    let labels = host.strip_suffix('.').unwrap_or(host);
    let is_label = |label: &str| {
        let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && !label.starts_with('-') && !label.ends_with('-') && label.bytes().all(is_inner)
    };
    let last = labels.rsplit('.').next().unwrap_or_default();
    let is_alone = last.len() == labels.len();
    // Unlike `toplabel` of RFC 2396, `java.net.URI` allows a host of one label to start with a digit.
    labels.split('.').all(is_label)
        && (is_alone || last.starts_with(|first: char| first.is_ascii_alphabetic()))
}

/// Decodes all escapes except those between `[` and `]`.
fn decode_outside_brackets(text: &str) -> Cow<'_, str> {
    // A `%` in brackets starts the zone of an address, and `java.net.URI` does not decode it.
    let (mut decoded, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('[') {
        let inside;
        (inside, rest) = after.split_at(after.find(']').unwrap_or(after.len()));
        decoded.extend([&decode(before), "[", inside]);
    }
    // After a bracket, `decoded` would not be empty.
    if decoded.is_empty() {
        return decode(rest);
    }
    decoded.push_str(&decode(rest));
    Cow::Owned(decoded)
}

/// Decodes escapes as UTF-8. Invalid bytes become U+FFFD, one for each byte or each part of a sequence.
fn decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        match escaped_byte(after).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns whether `java.net.URL` accepts an address.
pub(super) fn is_in_url(address: &str) -> bool {
    let is_group = |group: &str| group.trim_start_matches('0').len() <= 4;
    // `IPAddressUtil.textToNumericFormatV4` rejects more than 15 characters before it reads them.
    is_address(address, is_group, |ipv4| ipv4.len() <= "255.255.255.255".len() && is_ipv4(ipv4))
}

/// Returns whether `java.net.URI` accepts an address.
pub(super) fn is_in_uri(address: &str) -> bool {
    is_address(address, |group| group.len() <= 4, is_ipv4)
}

/// Returns whether a text is four numbers up to 255, with any number of leading zeros.
pub(super) fn is_ipv4(text: &str) -> bool {
    let is_byte = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_digit())
            && part.parse::<u32>().is_ok_and(|value| value < 256)
    };
    text.split('.').count() == 4 && text.split('.').all(is_byte)
}

/// Returns whether a text is eight groups of hexadecimal digits. `::` replaces one or more groups, and an
/// IPv4 address replaces the last two.
fn is_address(text: &str, is_group: fn(&str) -> bool, is_ipv4: fn(&str) -> bool) -> bool {
    let is_group = |group: &str| {
        !group.is_empty() && group.bytes().all(|byte| byte.is_ascii_hexdigit()) && is_group(group)
    };
    // Counts the groups. An IPv4 address can only be at the end of the text.
    let count = |groups: &str, is_end: bool| -> Option<usize> {
        if groups.is_empty() {
            return Some(0);
        }
        let (before, last) =
            groups.rsplit_once(':').map_or((None, groups), |(before, last)| (Some(before), last));
        let groups = before.map_or(0, |before| before.split(':').count());
        let are_groups = before.is_none_or(|before| before.split(':').all(is_group));
        match last {
            _ if !are_groups => None,
            _ if is_group(last) => Some(groups + 1),
            _ if is_end && is_ipv4(last) => Some(groups + 2),
            _ => None,
        }
    };
    match text.split_once("::") {
        Some((before, after)) => {
            count(before, false).zip(count(after, true)).is_some_and(|(before, after)| before + after < 8)
        }
        None => count(text, true) == Some(8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_match_java() {
        // What Java 17.0.15 takes: by `new URL`, by `new URI`.
        for (address, url, uri) in [
            ("::1", true, true),
            ("::", true, true),
            ("1::", true, true),
            ("1:2:3:4:5:6:7:8", true, true),
            ("1:2:3:4:5:6:7::", true, true),
            ("1:2:3:4:5:6:7:8::", false, false),
            ("1:2:3:4:5:6:7", false, false),
            ("1:", false, false),
            (":1", false, false),
            (":::", false, false),
            ("::1::2", false, false),
            ("::1.2.3.4", true, true),
            ("::01.002.0003.4", true, true),
            ("::0000000001.2.3.4", false, true),
            ("::256.2.3.4", false, false),
            ("::1.2.3", false, false),
            ("1.2.3.4", false, false),
            ("1.2.3.4::", false, false),
            ("::00001", true, false),
            ("::10000", false, false),
            ("::g", false, false),
        ] {
            assert_eq!((is_in_url(address), is_in_uri(address)), (url, uri), "{address}");
        }
    }
}
