//! Functions of Go packages on texts: `strings`, `net` and `golang.org/x/net/idna` (Go 1.19, x/net 0.7), and
//! the host that `net/url` reads: `Hostname()` of the result of `url.Parse`.
//!
//! These functions do not depend on a version of Unicode. `idna.ToASCII` is the profile `Punycode`, which
//! neither maps nor normalises.

use core::char::REPLACEMENT_CHARACTER;
use core::net::{Ipv4Addr, Ipv6Addr};

use super::escapes::escaped_byte;
use super::punycode;

/// `unicode.IsSpace`.
pub(crate) use crate::unicode::is_white_space as is_space;

/// Implements `idna.ToASCII`: the Punycode of each label is decoded, and the label is encoded if it is not
/// ASCII. Returns `None` if the Punycode of a label is malformed.
pub(crate) fn to_ascii(name: &[u8]) -> Option<Vec<u8>> {
    let mut ascii = Vec::with_capacity(name.len());
    for (index, label) in name.split(|&byte| byte == b'.').enumerate() {
        if index > 0 {
            ascii.push(b'.');
        }
        let decoded =
            label.strip_prefix(punycode::PREFIX.as_bytes()).map(|digits| decode_punycode(digits).ok_or(()));
        let decoded = decoded.transpose().ok()?;
        let label = decoded.as_deref().unwrap_or(label);
        if label.is_ascii() {
            ascii.extend_from_slice(label);
        } else {
            ascii.extend_from_slice(punycode::PREFIX.as_bytes());
            punycode::encode(label, &mut ascii)?;
        }
    }
    Some(ascii)
}

/// The number of code points at which `x/net` stops decoding a label.
const LONGEST: usize = 1024;

/// Returns the label for the digits of Punycode, or `None` if they are malformed.
fn decode_punycode(digits: &[u8]) -> Option<Vec<u8>> {
    if digits.is_empty() {
        return Some(Vec::new());
    }
    let (basic, mut digits) = match digits.iter().rposition(|&byte| byte == b'-') {
        // The last `-` ends the basic code points. Go rejects a `-` at the start. At the end, there are no
        // digits after it.
        Some(0) => return None,
        Some(end) if end + 1 == digits.len() => return Some(digits[..end].to_vec()),
        Some(end) => (&digits[..end], &digits[end + 1..]),
        None => (&digits[..0], digits),
    };
    // A surrogate can be decoded. It stays in its place until the whole label is text.
    let mut label: Vec<u32> = punycode::code_points(basic).map(u32::from).collect();
    let (mut i, mut n, mut bias) = (0_i32, punycode::INITIAL_N as u32, punycode::INITIAL_BIAS);
    while !digits.is_empty() {
        let before = i;
        i = punycode::read_delta(&mut digits, i, bias)?;
        // This is the limit of `x/net`. It also limits the insertions below, which need quadratic time in the
        // length.
        if label.len() >= LONGEST {
            return None;
        }
        // The label has fewer than 1024 code points, so only `n` can overflow.
        let count = label.len() as i32 + 1;
        bias = punycode::adapt(i - before, count, before == 0);
        n = n.checked_add((i / count) as u32).filter(|&n| n <= u32::from(char::MAX))?;
        i %= count;
        label.insert(i as usize, n);
        i += 1;
    }
    let character = |&n: &u32| char::from_u32(n).unwrap_or(REPLACEMENT_CHARACTER);
    Some(label.iter().map(character).collect::<String>().into_bytes())
}

/// Returns whether `net.ParseIP` accepts a text. It allows any number of zeros before the digits of a group
/// of an IPv6 address.
pub(crate) fn is_ip(text: &str) -> bool {
    // Go (since 1.17) and Rust both reject leading zeros in IPv4.
    text.parse::<Ipv4Addr>().is_ok()
        || text.split(':').map(last_four_digits).collect::<Vec<_>>().join(":").parse::<Ipv6Addr>().is_ok()
}

fn last_four_digits(group: &str) -> &str {
    let extra = group.len().saturating_sub(4);
    let zeros = group.bytes().take_while(|&byte| byte == b'0').count();
    if group.contains('.') { group } else { &group[extra.min(zeros)..] }
}

/// Returns the host, which may be empty. `None` is an error of `Parse`.
pub(crate) fn hostname(text: &str) -> Option<String> {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    check_escapes(fragment)?;
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return None;
    }
    let (has_scheme, rest) = cut_scheme(text)?;
    let hierarchy = rest.split('?').next().unwrap_or_default();
    if !hierarchy.starts_with('/') {
        // After a scheme the rest is opaque, and its escapes are not read.
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

/// Implements `getScheme`: whether there is a scheme, and the text after it. A colon at the start is an
/// error.
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

/// Fails unless two digits follow each `%`, which is the only check outside of a host.
fn check_escapes(text: &str) -> Option<()> {
    text.split('%').skip(1).all(|rest| escaped_byte(rest.as_bytes()).is_some()).then_some(())
}

/// Implements `parseHost`, which decodes the host and keeps its port.
fn decode_host(text: &str) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(text.len());
    if text.starts_with('[') {
        let end = text.rfind(']')?;
        if !is_optional_port(&text.as_bytes()[end + 1..]) {
            return None;
        }
        if let Some(zone) = text[..end].find("%25") {
            // Only the zone may have escapes of bytes that need no escape.
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

/// Implements `validOptionalPort`: an empty text, or a colon and digits, which may be missing.
fn is_optional_port(text: &[u8]) -> bool {
    text.strip_prefix(b":").map_or(text.is_empty(), |digits| digits.iter().all(u8::is_ascii_digit))
}

/// The escapes that are decoded.
#[derive(Clone, Copy)]
enum Escapes {
    /// The escapes of bytes beyond ASCII, and `%25`.
    OfHost,
    /// The escapes of bytes that a host can contain unescaped, of a space, and `%25`.
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

/// Returns whether `shouldEscape` keeps a byte unescaped in a host. It is not called for bytes beyond ASCII.
fn is_host_byte(byte: u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphanumeric() || b"!$&'()*+,;=:[]<>\"-_.~".contains(&byte)
}

/// Implements `splitHostPort`: the host without a port and without brackets around it.
fn without_port(text: &[u8]) -> &[u8] {
    let colon = memchr::memrchr(b':', text).filter(|&colon| is_optional_port(&text[colon..]));
    let host = &text[..colon.unwrap_or(text.len())];
    host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]")).unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_decoded_and_encoded() {
        for (name, expected) in [
            ("é.example", Some("xn--9ca.example")),
            ("É.XN--9ca", Some("xn--dca.XN--9ca")),
            ("xn--9ca.é", Some("xn--9ca.xn--9ca")),
            ("xn--9CA.é", Some("xn--9ca.xn--9ca")),
            ("xn--abc-.xn--.é", Some("abc..xn--9ca")),
            ("xn--\u{e9}-9ca", Some("xn--rba9h")),
            ("xn---9ca.é", None),
            ("..é.", Some("..xn--9ca.")),
        ] {
            let found = to_ascii(name.as_bytes()).and_then(|ascii| String::from_utf8(ascii).ok());
            assert_eq!(found.as_deref(), expected, "{name}");
        }
    }

    /// The samples of RFC 3492, section 7.1, whose letters all are in lower case.
    #[test]
    fn samples_of_the_rfc() {
        for (label, digits) in [
            ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
            ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
            ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
            ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
            ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
            ("安室奈美恵-with-super-monkeys", "-with-super-monkeys-pc58ag80a8qai00g7n9n"),
            ("ひとつ屋根の下2", "2-u9tlzr9756bt3uc0v"),
            ("パフィーdeルンバ", "de-jg4avhby1noc0d"),
        ] {
            assert_eq!(punycode::encoded(label.as_bytes()).as_deref(), Some(digits));
            assert_eq!(decode_punycode(digits.as_bytes()).as_deref(), Some(label.as_bytes()));
        }
    }

    #[test]
    fn malformed_digits_have_no_label() {
        for digits in ["-", "-9ca", "9", "99999999", "9c_", "é9ca-é"] {
            assert_eq!(decode_punycode(digits.as_bytes()), None, "{digits}");
        }
    }

    #[test]
    fn only_a_label_of_fewer_than_1024_code_points_grows() {
        let digits = |count: usize| ["a".repeat(count), "-9ca".to_owned()].concat();
        assert!(decode_punycode(digits(1023).as_bytes()).is_some());
        assert!(decode_punycode(digits(1024).as_bytes()).is_none());
    }

    #[test]
    fn addresses_may_have_zeros() {
        for text in ["1.2.3.4", "::1", "00001::", "::00ffff:1.2.3.4", "0::0000000000abcd"] {
            assert!(is_ip(text), "{text}");
        }
        for text in ["1.2.3", "01.2.3.4", "::0x1", "1::2::3", "::00012345", "::01.2.3.4", "::1%1", "", "::é"]
        {
            assert!(!is_ip(text), "{text}");
        }
    }
}
