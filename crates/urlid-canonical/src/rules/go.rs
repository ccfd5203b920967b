//! Functions of Go packages on texts: `strings`, `net` and `golang.org/x/net/idna` (Go 1.19, x/net 0.7).
//!
//! None of it depends on a version of Unicode. `idna.ToASCII` is the profile `Punycode`, which neither maps nor normalises.

use core::net::{Ipv4Addr, Ipv6Addr};

use super::punycode;

/// `unicode.IsSpace`.
pub(crate) use crate::unicode::is_white_space as is_space;

/// `idna.ToASCII`: each label with its Punycode decoded, and then encoded if it is not ASCII. Nothing is returned where the Punycode
/// of a label is malformed.
pub(crate) fn to_ascii(name: &[u8]) -> Option<Vec<u8>> {
    let mut ascii = Vec::with_capacity(name.len());
    for (index, label) in name.split(|&byte| byte == b'.').enumerate() {
        if index > 0 {
            ascii.push(b'.');
        }
        let decoded =
            label.strip_prefix(punycode::PREFIX.as_bytes()).map(|digits| punycode::decode(digits).ok_or(()));
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

/// Whether `net.ParseIP` reads a text. It allows any number of zeros before the digits of a group of an IPv6 address.
pub(crate) fn is_ip(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok()
        || text.split(':').map(last_four_digits).collect::<Vec<_>>().join(":").parse::<Ipv6Addr>().is_ok()
}

fn last_four_digits(group: &str) -> &str {
    let extra = group.len().saturating_sub(4);
    let zeros = group.bytes().take_while(|&byte| byte == b'0').count();
    if group.contains('.') { group } else { &group[extra.min(zeros)..] }
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
