//! `safe-browsing-v4` and `safe-browsing-v5`: the canonical URLs from which Safe Browsing computes its
//! expressions.

use crate::error;
use crate::plain;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::{dots, escapes, go, ipv4, python, split, trim};
use urlid::Error;
use urlid::internal::escape::{C0_CONTROL, EscapeSet};
use urlid::internal::push_ipv6_address;

/// 00 to 20, 7F and more, `#` and `%`.
const ESCAPED: EscapeSet = C0_CONTROL.with(b" #%");

/// The number of decoding passes at which `webrisk` gives up.
const TOO_MANY_PASSES: usize = 1024;

pub(crate) static V4: Profile = WITH_IPV4;

const WITH_IPV4: Profile = Profile {
    name: "safe-browsing-v4",
    about: "The canonical URL of Safe Browsing's Update API v4, as Google's client `webrisk` makes it.",
    kind: Kind::Url,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::None,
    runtime: Some("Go 1.19 of Debian 12 with its packages x/net 0.7 and x/text, google/webrisk at c93dde6"),
    frozen_since: "2026-11-22",
    quirks: &[
        "The whole text is decoded before it is split, so an escaped `/`, `?`, `@` or `:` becomes one.",
        "Escapes are in upper case; the older client `safebrowsing` writes them in lower case, for other hashes.",
        "The scheme is in lower case. The client leaves it unchanged, and expressions do not contain it.",
        "A colon at the start is an empty scheme, which goes away.",
        "The host may be empty behind an `@`.",
        "Ports are dropped, whatever they are.",
        "A host that is not ASCII becomes Punycode without any mapping, its bytes that are not UTF-8 as \
         U+FFFD. In a host with such a label, a label that starts with `xn--` is decoded first, and is an \
         error if it is malformed.",
        "A host with no bytes beyond ASCII other than 80 stays unchanged.",
        "An empty query loses its `?`, although the specification keeps it.",
        "Escapes that are nested 1024 times are an error.",
    ],
    proof: "Compared with google/webrisk c93dde6, built by Go 1.19 with x/net 0.7, expressions too: every code point at 44 places of a \
        URL, 100,000 real URLs and 1,000,000 generated ones, 0 differences.",
    plain: Some(plain::safe_browsing),
    groups: &[WHOLE_TEXT, HOST, PATH],
};

pub(crate) static V5: Profile = Profile {
    name: "safe-browsing-v5",
    about: "The canonical URL of Safe Browsing v5: as v4, with IPv6 addresses in their shortest form. Only its \
        expressions depend on the public suffix list.",
    frozen_since: "2026-11-22",
    proof: "From the specification, not compared.",
    groups: &[WHOLE_TEXT, HOST, HOST_IPV6, PATH],
    ..WITH_IPV4
};

const WHOLE_TEXT: &[Rule] = &[
    Rule::new("drop-fragment", "Cut the text at the first `#`.", |d| {
        let end = split::cut(&d.text, b'#').0.len();
        d.text.truncate(end);
    }),
    Rule::new("trim", "Cut white space at both ends; delete tabs and line ends everywhere.", |d| {
        if let Ok(text) = std::str::from_utf8(&d.text) {
            let trimmed = text.trim_matches(go::is_space);
            if trimmed.len() < text.len() {
                d.text = trimmed.as_bytes().to_vec();
            }
        }
        trim::delete(&mut d.text, trim::is_tab_or_newline);
    }),
    Rule::checked("decode", "Decode the whole text to a fixpoint, in fewer than 1024 passes.", |d| {
        decode(&mut d.text)
    }),
    Rule::new("encode", "Encode 00 to 20, 7F and more, `#` and `%`, in upper case.", |d| {
        escapes::encode(&mut d.text, &ESCAPED, &mut d.spare);
    }),
    Rule::checked(
        "scheme",
        "A scheme must be followed by `//`, and is written in lower case. A text without one gets `http://`, in place of a colon at \
         its start.",
        |d| match split::scheme_length(&d.text) {
            Some(length) if !d.text[length + 1..].starts_with(b"//") => {
                Err(error::text(&d.text, "`//` after the scheme"))
            }
            Some(length) => {
                d.text[..length].make_ascii_lowercase();
                Ok(())
            }
            None => {
                let empty_scheme = usize::from(d.text.starts_with(b":"));
                d.text.splice(..empty_scheme, *b"http://");
                Ok(())
            }
        },
    ),
];

const HOST: &[Rule] = &[
    Rule::new("split", "Cut at the first `?`; the authority ends at the first `/`.", split::split),
    Rule::checked(
        "authority",
        "The authority is not empty. The host is after its last `@`. A `[` at its start needs a `]`. A `:` \
         and digits at its end are dropped.",
        |d| {
            let host = d.host.bytes_mut();
            if host.is_empty() {
                return Err(error::host(host, "a name or an address"));
            }
            let start = memchr::memrchr(b'@', host).map_or(0, |offset| offset + 1);
            host.drain(..start);
            if host.starts_with(b"[") && !host.contains(&b']') {
                return Err(error::host(host, "a `]` for the `[`"));
            }
            // A port needs digits, so `h:` keeps its colon.
            let digits = host.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let end = host.len() - digits;
            if digits > 0 && host[..end].ends_with(b":") {
                host.truncate(end - 1);
            }
            Ok(())
        },
    ),
    Rule::checked(
        "host-punycode",
        "If the decoded host has a byte above 80, its labels in Punycode are decoded, and those that are not ASCII become Punycode.",
        |d| {
            // Characters outside ASCII are already escaped.
            if !d.host.bytes().contains(&b'%') {
                return Ok(());
            }
            let mut decoded = d.host.bytes().to_vec();
            escapes::decode_to_fixpoint(&mut decoded);
            if decoded.iter().all(|&byte| byte <= 0x80) {
                return Ok(());
            }
            let ascii = go::to_ascii(&decoded).ok_or_else(|| error::host(&decoded, "valid Punycode"))?;
            d.host.set(&ascii);
            Ok(())
        },
    ),
    // The order of Safe Browsing's specification: dots, then IPv4, then case.
    Rule::new("host-dots", "Collapse dots of the host, and cut them at both ends.", |d| {
        trim::collapse(d.host.bytes_mut(), b'.');
        trim::trim(d.host.bytes_mut(), |byte| byte == b'.');
    }),
    Rule::new("host-ipv4", "One to four numbers are an address, read as Windows reads them.", |d| {
        let host = d.host.bytes_mut();
        if let Some(address) = ipv4::lenient(host) {
            ipv4::write(address, host);
        }
    }),
    Rule::checked("host-case", "Decode the host to a fixpoint, lower-case it and encode it.", |d| {
        decode(d.host.bytes_mut())?;
        d.host.bytes_mut().make_ascii_lowercase();
        escapes::encode(d.host.bytes_mut(), &ESCAPED, &mut d.spare);
        Ok(())
    }),
];

const HOST_IPV6: &[Rule] = &[Rule::new(
    "host-ipv6",
    "Write an IPv6 address in its shortest form; one that maps IPv4 (::ffff:0:0/96, 64:ff9b::/96) is that IPv4 address.",
    |d| {
        let host = d.host.bytes_mut();
        let literal = host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]"));
        let Some((address, "")) = literal.and_then(python::ipv6) else { return };
        match address.segments() {
            [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
                ipv4::write(u32::from(high) << 16 | u32::from(low), host);
            }
            _ => {
                let mut shortest = String::from("[");
                push_ipv6_address(&address, &mut shortest);
                shortest.push(']');
                *host = shortest.into_bytes();
            }
        }
    },
)];

const PATH: &[Rule] = &[
    Rule::new(
        "path",
        "Drop `.` and empty segments; `..` removes the segment before it; a last `/` stays.",
        |d| dots::clean(&mut d.path, &mut d.spare),
    ),
    Rule::new("query", "Drop an empty query.", |d| {
        if d.query.is_empty() {
            d.query.remove();
        }
    }),
    Rule::new("print", "Put scheme, host, path and query together.", |d| d.join()),
];

/// Decodes to a fixpoint.
fn decode(text: &mut Vec<u8>) -> Result<(), Error> {
    match escapes::decode_counting_passes(text) {
        ..TOO_MANY_PASSES => Ok(()),
        _ => Err(error::text(text, "escapes nested less than 1024 times")),
    }
}
