//! IPv6 addresses as WHATWG reads and prints them.
//!
//! The standard library's parser accepts the same texts: hexadecimal groups, one `::` for at least one group,
//! and a dotted quad at the end, in decimal without leading zeros. Like WHATWG, it rejects zone identifiers.
//! The printed forms differ in one case.

use alloc::string::String;
use core::fmt::Write;
use core::net::Ipv6Addr;

/// Parses the text between the brackets (WHATWG "IPv6 parser").
pub(super) fn parse(text: &str) -> Option<Ipv6Addr> {
    text.parse().ok()
}

/// Returns whether a host in brackets is an address with a zone: `[fe80::1%25eth0]`, or with a bare `%`.
pub(crate) fn has_zone(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|text| text.split_once('%'));
    address.is_some_and(|(address, _)| parse(address).is_some())
}

/// Appends the address in its compressed form (WHATWG "IPv6 serializer"): lower case, the first longest run
/// of two or more zero groups as `::`, never a dotted quad.
pub fn push(address: &Ipv6Addr, out: &mut String) {
    let [.., high, low] = address.segments();
    let written = match address.to_ipv4_mapped() {
        // The standard library prints a dotted quad here.
        Some(_) => write!(out, "::ffff:{high:x}:{low:x}"),
        None => write!(out, "{address}"),
    };
    written.expect("a String takes any text");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        let printed = parse(text).map(|address| {
            let mut out = String::new();
            push(&address, &mut out);
            out
        });
        assert_eq!(printed.as_deref(), expected, "{text}");
    }

    #[test]
    fn addresses_are_compressed() {
        for (text, expected) in [
            ("::", "::"),
            ("0:0:0:0:0:0:0:0", "::"),
            ("1::", "1::"),
            ("::1:2:3:4:5:6:7", "0:1:2:3:4:5:6:7"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
            ("1:0:0:2:0:0:3:4", "1::2:0:0:3:4"),
            ("1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0"),
            ("00AB:CDEF::", "ab:cdef::"),
            ("::1.2.3.4", "::102:304"),
            ("::ffff:1.2.3.4", "::ffff:102:304"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
            ("::ffff:0:0", "::ffff:0:0"),
        ] {
            check(text, Some(expected));
        }
    }

    #[test]
    fn other_texts_are_not_addresses() {
        for text in [
            "",
            ":",
            ":::",
            "1",
            ":1",
            "1:",
            "1::2::3",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7:8::",
            "::1:2:3:4:5:6:7:8",
            "::12345",
            "::g",
            "1.2.3.4",
            "::1.2.3",
            "::1.2.3.4.5",
            "::1.2.3.256",
            "::01.2.3.4",
            "::1.2.3.4:5",
            "1:2:3:4:5:6:7:1.2.3.4",
            "::1%eth0",
            "::+1",
            " ::1",
            "[::1]",
        ] {
            check(text, None);
        }
    }
}
