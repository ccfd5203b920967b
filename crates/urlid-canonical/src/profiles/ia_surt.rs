//! `ia-surt-1.3`: the key of Java's `WaybackURLKeyMaker` in webarchive-commons 1.3.0 to 3.0.4, which is also
//! the column `url_surtkey` of Common Crawl, and the same key with `www.` kept.

use crate::draft::Draft;
use crate::error;
use crate::plain;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::idna2003::Codec;
use crate::rules::surt_key::{MASSAGE, pass_through};
use crate::rules::{authority, dots, escapes, idna2003, ipv4, split, trim};
use crate::unicode::java;
use urlid::internal::escape::{C0_CONTROL, EscapeSet};

/// All bytes outside 21 to 7F, and `#`. A `%` is escaped unless it starts an escape.
const ESCAPED: EscapeSet = C0_CONTROL.with(b" #").without(b"\x7f");

const QUIRKS: &[&str] = &[
    "`mailto:x` is an error, because it becomes `http://mailto:x`, and `x` is not a port.",
    "Port 0 of `http` and `https` stays, and so does a negative port. A port may have digits of any script.",
    "`user@[::1]` is an error: behind an `@` a bracket does not hide colons.",
    "A text that starts with `dns:`, `filedesc:` or `warcinfo:` after leading blanks is its own key, with these blanks.",
    "Escapes that are not UTF-8 stay.",
    "A host with code points that Unicode 3.2 does not assign is percent-encoded.",
    "An IPv6 address loses its brackets unless it holds a dot.",
];

const PROOF: &str = "Compared with webarchive-commons at 3921259 (3.0.4) on Java 17.0.15: every code point at 44 places of a URL and \
    1,000,000 generated URLs; `ia-surt-1.3` also with 1.3.0 on 100,000 real URLs: 0 differences.";

pub(super) static PROFILE: Profile = WITH_WWW_STRIPPED;

const WITH_WWW_STRIPPED: Profile = Profile {
    name: "ia-surt-1.3",
    about: "The key of webarchive-commons 1.3 to 3.0, and `url_surtkey` of Common Crawl.",
    kind: Kind::Key,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Idna2003,
    runtime: Some("OpenJDK 17, Unicode 13.0"),
    frozen_since: "2026-11-22",
    quirks: QUIRKS,
    proof: PROOF,
    plain: Some(plain::ia_surt),
    groups: &[BEFORE_WWW, &[STRIP_WWW], MASSAGE, PRINT],
};

pub(super) static KEEP_WWW: Profile = Profile {
    name: "ia-surt-1.3-keep-www",
    about: "The key of webarchive-commons 1.3 to 3.0 with `www.` kept, as `NonMassagingIAURLCanonicalizer` gives it.",
    plain: Some(plain::ia_surt_keep_www),
    groups: &[BEFORE_WWW, MASSAGE, PRINT],
    ..WITH_WWW_STRIPPED
};

const BEFORE_WWW: &[Rule] = &[
    Rule::new(
        "pass-through",
        "An empty text becomes `-`; a text that starts with `filedesc` or `warcinfo` stays.",
        |d| pass_through(d, &[b"filedesc", b"warcinfo"]),
    ),
    Rule::checked(
        "dns",
        "`dns:` and a host become the reversed host and `)`; without a host that is an error.",
        |d| {
            let Some(host) = d.text.strip_prefix(b"dns:") else { return Ok(()) };
            if host.is_empty() {
                return Err(error::host(host, "a name or an address"));
            }
            let mut key = Vec::with_capacity(d.text.len());
            authority::push_reversed(without_brackets(host), &mut key);
            key.push(b')');
            d.finish_with(&key);
            Ok(())
        },
    ),
    Rule::new(
        "opaque",
        "If only the next two rules make a text start with `dns:`, `filedesc:` or `warcinfo:`, the unchanged text \
         is the key, or with a `(` the changed text after the first one.",
        opaque,
    ),
    Rule::new("trim", "Cut 00 to 20 at both ends.", |d| trim::trim(&mut d.text, trim::is_control_or_space)),
    Rule::new(
        "delete-newlines",
        "Delete tabs and line ends everywhere, including U+0085, U+2028 and U+2029.",
        |d| delete_newlines(&mut d.text),
    ),
    Rule::new(
        "default-scheme",
        "A text that does not start with `http`, `https`, `ftp`, `mms`, `rtsp` or `wais` and `://` gets `http://`.",
        |d| {
            if !has_known_scheme(&d.text) {
                d.text.splice(..0, *b"http://");
            }
        },
    ),
    Rule::new("extra-slashes", "Drop slashes after `http://` or `https://`.", |d| {
        for prefix in [&b"http://"[..], b"https://"] {
            if let Some(rest) = d.text.strip_prefix(prefix) {
                let slashes = rest.iter().take_while(|&&byte| byte == b'/').count();
                d.text.drain(prefix.len()..prefix.len() + slashes);
            }
        }
    }),
    Rule::new("split", "Split as RFC 2396 does.", split::split),
    Rule::checked(
        "authority",
        "The host is after the first `@` and before the first `:` after it. If there is no `@`, the search \
         for the `:` starts after the `]` of a host that starts with `[`. A port is a 32-bit number or an error.",
        authority::split_as_java,
    ),
    Rule::new("drop-fragment", "Drop userinfo and fragment.", |d| {
        d.userinfo.remove();
        d.fragment.remove();
    }),
    Rule::new(
        "query-escapes",
        "Decode the UTF-8 of the query to a fixpoint. Encode `#` and all bytes outside 21 to 7F.",
        |d| {
            escapes::decode_utf8_to_fixpoint(d.query.bytes_mut());
            escapes::encode_keeping_escapes(d.query.bytes_mut(), &ESCAPED, &mut d.spare);
        },
    ),
    Rule::new("host-decode", "Decode the UTF-8 of the host to a fixpoint.", |d| {
        escapes::decode_utf8_to_fixpoint(d.host.bytes_mut());
    }),
    Rule::new(
        "host-idna",
        "Map a host that is not ASCII by IDNA 2003 without unassigned code points.",
        |d| {
            let host = d.host.bytes_mut();
            let name = if host.is_ascii() { None } else { core::str::from_utf8(host).ok() };
            if let Some(ascii) = name.and_then(|name| idna2003::to_ascii(name, Codec::Java)) {
                *host = ascii.into_bytes();
            }
        },
    ),
    Rule::checked(
        "host-dots",
        "Cut dots at both ends of the host and collapse runs of dots. An empty rest is an error.",
        |d| {
            trim::trim(d.host.bytes_mut(), |byte| byte == b'.');
            trim::collapse(d.host.bytes_mut(), b'.');
            if d.host.is_empty() { Err(error::host(b"", "a name or an address")) } else { Ok(()) }
        },
    ),
    Rule::new(
        "host-ipv4",
        "A host of only digits, below 2 to the 63, is an address by their low 32 bits. Four decimal or four \
         octal parts are also an address.",
        |d| {
            let host = d.host.bytes_mut();
            if let Some(address) = ipv4::dword(host).or_else(|| ipv4::quad_as_java(host)) {
                ipv4::write(address, host);
            }
        },
    ),
    Rule::new("host-case", "Lower-case the host and encode it.", |d| {
        let host = d.host.bytes_mut();
        if let Ok(name) = core::str::from_utf8(host) {
            *host = java::lower_case(name).into_bytes();
        }
        escapes::encode_keeping_escapes(d.host.bytes_mut(), &ESCAPED, &mut d.spare);
        // Again, since the encoder writes escapes in upper case, and the key has them in lower case.
        d.host.bytes_mut().make_ascii_lowercase();
    }),
    Rule::new("path-decode", "Decode the UTF-8 of the path to a fixpoint.", |d| {
        escapes::decode_utf8_to_fixpoint(&mut d.path);
    }),
    Rule::new(
        "path-dots",
        "Drop `.` and empty segments; `..` removes the segment before it or stays.",
        |d| dots::remove_as_ia(&mut d.path, &mut d.spare),
    ),
    Rule::new("path-encode", "Encode the path.", |d| {
        escapes::encode_keeping_escapes(&mut d.path, &ESCAPED, &mut d.spare);
    }),
    Rule::new("default-port", "Drop port 80 of `http`, 443 of `https` and 0 of other schemes.", |d| {
        let is_web =
            [&b"http"[..], b"https"].iter().any(|scheme| d.scheme.bytes().eq_ignore_ascii_case(scheme));
        if is_web {
            authority::drop_default_port(d, &["http", "https"]);
        } else if d.port.bytes() == b"0" {
            d.port.remove();
        }
    }),
];

const STRIP_WWW: Rule =
    Rule::new("strip-www", "Strip `www`, digits and a dot from the host, again and again.", |d| {
        let mut start = 0;
        // All prefixes are cut at once, because a host with many of them would otherwise be moved once for
        // each.
        while let Some(length) = authority::www_length(&d.host.bytes()[start..]) {
            start += length;
        }
        d.host.bytes_mut().drain(..start);
    });

const PRINT: &[Rule] = &[
    Rule::new("brackets", "Drop the brackets of a host without a dot.", |d| {
        let host = d.host.bytes();
        let inner = without_brackets(host).len();
        if inner < host.len() {
            d.host.bytes_mut().truncate(1 + inner);
            d.host.bytes_mut().remove(0);
        }
    }),
    Rule::new("print", "Host labels reversed with `,`, `:port`, `)`, path, `?query`.", print),
];

fn has_known_scheme(text: &[u8]) -> bool {
    split::scheme_length(text).is_some_and(|length| {
        let scheme = &text[..length];
        [&b"http"[..], b"https", b"ftp", b"mms", b"rtsp", b"wais"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known))
            && text[length + 1..].starts_with(b"//")
    })
}

/// A host that was empty brackets lacks labels.
fn print(draft: &mut Draft) {
    let Draft { text, host, port, path, query, .. } = draft;
    text.clear();
    authority::push_reversed(host.bytes(), text);
    if let Some(port) = port.get() {
        text.push(b':');
        text.extend_from_slice(port);
    }
    text.push(b')');
    text.extend_from_slice(path);
    if !query.is_empty() {
        text.push(b'?');
        text.extend_from_slice(query.bytes());
    }
    draft.finish();
}

/// Returns the text in the brackets of a host without a dot.
fn without_brackets(host: &[u8]) -> &[u8] {
    let inner = host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]"));
    inner.filter(|inner| !inner.contains(&b'.')).unwrap_or(host)
}

/// Finishes with a text whose prefix the key maker has missed because of leading blanks. The parser returns
/// such a text unchanged.
fn opaque(draft: &mut Draft) {
    // Only these can start such a text: the prefixes, and U+0085, U+2028 and U+2029, which are deleted first.
    // Other texts are not copied.
    let first = draft.text.iter().find(|&&byte| !trim::is_control_or_space(byte));
    if !matches!(first, Some(b'd' | b'f' | b'w' | 0x80..)) {
        return;
    }
    let Draft { text, spare, .. } = draft;
    spare.clear();
    spare.extend_from_slice(text);
    trim::trim(spare, trim::is_control_or_space);
    delete_newlines(spare);
    if [&b"dns:"[..], b"filedesc:", b"warcinfo:"].iter().any(|prefix| spare.starts_with(prefix)) {
        if let (_, Some(key)) = split::cut(spare, b'(') {
            text.clear();
            text.extend_from_slice(key);
        }
        draft.finish();
    }
}

fn delete_newlines(text: &mut Vec<u8>) {
    trim::delete(text, trim::is_tab_or_newline);
    if let Ok(characters) = core::str::from_utf8(text)
        && characters.contains(is_unicode_newline)
    {
        *text = characters.replace(is_unicode_newline, "").into_bytes();
    }
}

fn is_unicode_newline(character: char) -> bool {
    matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}')
}
