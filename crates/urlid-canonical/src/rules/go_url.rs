//! The host that `net/url` of Go 1.19 reads: `Hostname()` of what `url.Parse` returns.

use super::escapes::escaped_byte;

/// Returns the host, empty if there is none; `None` is an error of `Parse`.
pub(crate) fn hostname(text: &str) -> Option<String> {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    check_escapes(fragment)?;
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return None;
    }
    let (has_scheme, rest) = cut_scheme(text)?;
    let hierarchy = rest.split('?').next().unwrap_or_default();
    if !hierarchy.starts_with('/') {
        // After a scheme it is opaque, and its escapes are not read.
        let segment = hierarchy.split('/').next().unwrap_or_default();
        return match has_scheme {
            true => Some(String::new()),
            false if segment.contains(':') => None,
            false => check_escapes(hierarchy).map(|()| String::new()),
        };
    }
    let authority = hierarchy.strip_prefix("//").filter(|rest| has_scheme || !rest.starts_with('/'));
    let Some(authority) = authority else { return check_escapes(hierarchy).map(|()| String::new()) };
    let (authority, path) = authority.split_at(authority.find('/').unwrap_or(authority.len()));
    check_escapes(path)?;
    let (userinfo, host_and_port) = authority.rsplit_once('@').unwrap_or(("", authority));
    check_escapes(userinfo)?;
    if !userinfo.bytes().all(is_userinfo_byte) {
        return None;
    }
    let decoded = decode_host(host_and_port)?;
    Some(String::from_utf8_lossy(without_port(&decoded)).into_owned())
}

/// `getScheme`: whether there is a scheme, and what follows it. A colon at the start is an error.
fn cut_scheme(text: &str) -> Option<(bool, &str)> {
    if text.starts_with(':') {
        return None;
    }
    Some(match super::split::scheme_length(text.as_bytes()) {
        Some(length) => (true, &text[length + 1..]),
        None => (false, text),
    })
}

/// `validUserinfo`.
fn is_userinfo_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte)
}

/// Checks that each `%` is followed by two digits, which is all that is checked outside of a host.
fn check_escapes(text: &str) -> Option<()> {
    text.split('%').skip(1).all(|rest| escaped_byte(rest.as_bytes()).is_some()).then_some(())
}

/// `parseHost`: decodes the host, its port still after it.
fn decode_host(text: &str) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(text.len());
    if text.starts_with('[') {
        let end = text.rfind(']')?;
        if !is_optional_port(&text.as_bytes()[end + 1..]) {
            return None;
        }
        if let Some(zone) = text[..end].find("%25") {
            decode(&text[..zone], Escapes::OfHost, &mut decoded)?;
            decode(&text[zone..end], Escapes::OfZone, &mut decoded)?;
            decode(&text[end..], Escapes::OfHost, &mut decoded)?;
            return Some(decoded);
        }
    } else if let Some(colon) = text.rfind(':')
        && !is_optional_port(&text.as_bytes()[colon..])
    {
        return None;
    }
    decode(text, Escapes::OfHost, &mut decoded)?;
    Some(decoded)
}

/// `validOptionalPort`: nothing, or a colon and digits, which may be missing.
fn is_optional_port(text: &[u8]) -> bool {
    text.strip_prefix(b":").map_or(text.is_empty(), |digits| digits.iter().all(u8::is_ascii_digit))
}

/// Which escapes are decoded.
#[derive(Clone, Copy)]
enum Escapes {
    /// Those of bytes beyond ASCII, and `%25`.
    OfHost,
    /// Those of bytes that a host can have as they are, of a space, and `%25`.
    OfZone,
}

/// `unescape` of a host or a zone.
fn decode(text: &str, escapes: Escapes, decoded: &mut Vec<u8>) -> Option<()> {
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            decoded.push(Some(*first).filter(|&byte| is_host_byte(byte))?);
            continue;
        }
        let byte = escaped_byte(after)?;
        let is_decoded = match escapes {
            Escapes::OfHost => !byte.is_ascii(),
            Escapes::OfZone => byte.is_ascii() && is_host_byte(byte) || byte == b' ',
        };
        decoded.push(Some(byte).filter(|&byte| is_decoded || byte == b'%')?);
        rest = &after[2..];
    }
    Some(())
}

/// Returns whether a byte is not escaped in a host, by `shouldEscape`; those beyond ASCII are not asked about there.
fn is_host_byte(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"!$&'()*+,;=:[]<>\"-_.~".contains(&byte)
}

/// `splitHostPort`: the host without a port, and without brackets around it.
fn without_port(text: &[u8]) -> &[u8] {
    let colon = memchr::memrchr(b':', text).filter(|&colon| is_optional_port(&text[colon..]));
    let host = &text[..colon.unwrap_or(text.len())];
    host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]")).unwrap_or(host)
}
