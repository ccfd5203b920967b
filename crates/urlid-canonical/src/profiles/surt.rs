//! `surt-0.3.1`: the sort-friendly key of the Python package `surt`, as returned by `surt.surt(url)`.

use crate::draft::Draft;
use crate::error;
use crate::plain;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::authority::{self, PortZero};
use crate::rules::idna2003::Codec;
use crate::rules::surt_key::{self, SurtOptions};
use crate::rules::surt_key::{MASSAGE, pass_through};
use crate::rules::{dots, escapes, idna2003, ipv4, split, trim};
use urlid::internal::escape::{C0_CONTROL, EscapeSet};

/// All bytes outside 21 to 7E, and `%` and `#`.
pub(crate) const ESCAPED: EscapeSet = C0_CONTROL.with(b" %#");

pub(super) static PROFILE: Profile = Profile {
    name: "surt-0.3.1",
    about: "The key of the Python package surt 0.3.1, which pywb and cdxj-indexer sort their indexes by.",
    kind: Kind::Key,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Idna2003,
    runtime: Some("CPython 3.11, Unicode 14.0"),
    frozen_since: "2026-11-22",
    quirks: &[
        "`host:port` without `http://` is read as a scheme and its rest.",
        "An IPv6 address loses its brackets, and an IPv4 address is reversed like a name.",
        "`www.` is removed once, even before a top-level domain.",
        "An escaped `?` in the path becomes a `?`, so a key is not always its own key.",
        "A host that is not an address although it looks like one is not resolved; the package may query DNS.",
    ],
    proof: "Compared with the package on CPython 3.11: every code point at 44 places of a URL, 100,000 real URLs and 1,000,000 generated ones, \
        0 differences.",
    plain: Some(plain::surt),
    groups: &[
        &[PASS_THROUGH],
        PARSE,
        GOOGLE,
        &[HOST_CASE, STRIP_WWW],
        MASSAGE,
        &[Rule::new(
            "print",
            "Host labels reversed with `,`, `:port`, `)`, path, `?query`; without a host the URL.",
            print,
        )],
    ],
};

const PASS_THROUGH: Rule =
    Rule::new("pass-through", "An empty text becomes `-`; a text that starts with `filedesc` stays.", |d| {
        pass_through(d, &[b"filedesc"]);
    });

/// The rules of the package's class `handyurl`, for a text.
pub(crate) const PARSE: &[Rule] = &[
    Rule::new("trim", "Cut white space (09 to 0D, 20) at both ends.", |d| {
        trim::trim(&mut d.text, trim::is_ascii_space);
    }),
    Rule::new("delete-newlines", "Delete tabs and line ends everywhere.", |d| {
        trim::delete(&mut d.text, trim::is_tab_or_newline);
    }),
    Rule::checked("not-blank", "A text that is now empty is an error.", |d| {
        if d.text.is_empty() {
            Err(error::text(&d.text, "a character other than white space"))
        } else {
            Ok(())
        }
    }),
    Rule::new("default-scheme", "A text without `scheme:` gets `http://`.", |d| {
        split::default_scheme(&mut d.text, b"http://");
    }),
    Rule::new(
        "repeated-scheme",
        "Keep only the last of several `http://` or `https://` at the start.",
        |d| drop_repeated_schemes(&mut d.text),
    ),
    Rule::new("split", "Split as RFC 2396 does.", split::split),
    Rule::new("trailing-colons", "Cut every `:` at the end of the authority.", |d| {
        trim::trim_end(d.host.bytes_mut(), |byte| byte == b':');
    }),
    Rule::checked(
        "authority",
        "The host is after the last `@`, between `[` and `]` or before the first `:`. A port is 0 to 65535 \
         or an error, and 0 counts as missing.",
        |d| authority::split_as_python(d, PortZero::Dropped),
    ),
    Rule::new("drop-userinfo", "Drop user and password.", |d| d.userinfo.remove()),
    Rule::new(
        "host-in-path",
        "If a scheme `http…` lacks a host, the first path segment is the host.",
        |d| {
            if d.scheme.bytes().starts_with(b"http") {
                host_from_path(d);
            }
        },
    ),
];

/// The rules of the package's module `GoogleURLCanonicalizer`, for the parts.
pub(crate) const GOOGLE: &[Rule] = &[
    Rule::new("drop-fragment", "Drop the fragment.", |d| d.fragment.remove()),
    Rule::new(
        "query-escapes",
        "Decode the query to a fixpoint. Encode `%`, `#` and all bytes outside 21 to 7E.",
        |d| {
            escapes::decode_to_fixpoint(d.query.bytes_mut());
            escapes::encode(d.query.bytes_mut(), &ESCAPED, &mut d.spare);
        },
    ),
    Rule::new("host-decode", "Decode the host to a fixpoint.", |d| {
        escapes::decode_to_fixpoint(d.host.bytes_mut());
    }),
    Rule::new(
        "host-idna",
        "Map a host that is not ASCII by IDNA 2003, without its bytes that are not UTF-8. On failure it \
         stays.",
        |d| {
            let host = d.host.bytes_mut();
            if !host.is_ascii() {
                let name: String = host.utf8_chunks().map(|chunk| chunk.valid()).collect();
                if let Some(ascii) = idna2003::to_ascii(&name, Codec::Python) {
                    *host = ascii.into_bytes();
                }
            }
        },
    ),
    Rule::new("host-dots", "Replace each `..` of the host by `.`, once, and cut dots at both ends.", |d| {
        halve_dots(d.host.bytes_mut());
        trim::trim(d.host.bytes_mut(), |byte| byte == b'.');
    }),
    Rule::new(
        "host-ipv4",
        "A host of only digits is an address by their low 32 bits. One to four decimal or octal parts are \
         read as by `inet_aton`.",
        |d| {
            let host = d.host.bytes_mut();
            if let Some(address) = ipv4::low_32_bits(host).or_else(|| address_in_parts(host)) {
                ipv4::write(address, host);
            }
        },
    ),
    Rule::new("host-encode", "Lower-case the host and encode it.", |d| {
        d.host.bytes_mut().make_ascii_lowercase();
        escapes::encode(d.host.bytes_mut(), &ESCAPED, &mut d.spare);
    }),
    Rule::new("path-decode", "Decode the path to a fixpoint.", |d| escapes::decode_to_fixpoint(&mut d.path)),
    Rule::new(
        "path-dots",
        "With a host, drop `.` and empty segments; `..` removes the segment before it or stays.",
        |d| {
            if !d.host.is_empty() {
                dots::remove_as_ia(&mut d.path, &mut d.spare);
            }
        },
    ),
    Rule::new("path-encode", "Encode the path.", |d| escapes::encode(&mut d.path, &ESCAPED, &mut d.spare)),
];

pub(crate) const HOST_CASE: Rule = Rule::new("host-case", "Lower-case the host and its escapes.", |d| {
    d.host.bytes_mut().make_ascii_lowercase();
});

pub(crate) const STRIP_WWW: Rule = Rule::new(
    "strip-www",
    "Strip `www`, digits and a dot from the host, once, unless the scheme is `dns`.",
    |d| {
        if d.scheme.bytes() != b"dns"
            && let Some(length) = authority::www_length(d.host.bytes())
        {
            d.host.bytes_mut().drain(..length);
        }
    },
);

fn drop_repeated_schemes(text: &mut Vec<u8>) {
    let next =
        |text: &[u8]| [&b"http://"[..], b"https://"].iter().find(|p| text.starts_with(p)).map(|p| p.len());
    // Everything before the last prefix is removed, so `http://https://a` becomes `https://a`.
    let (mut last, mut end) = (0, 0);
    while let Some(length) = next(&text[end..]) {
        (last, end) = (end, end + length);
    }
    text.drain(..last);
}

fn host_from_path(draft: &mut Draft) {
    if !draft.host.is_empty() || draft.path.is_empty() {
        return;
    }
    // The number of slashes does not matter: `http:/h/a` and `http:///h/a` name one host.
    trim::trim_start(&mut draft.path, |byte| byte == b'/');
    let end = split::authority_end(&draft.path);
    draft.host.set(&draft.path[..end]);
    draft.path.drain(..end);
    if draft.path.is_empty() {
        draft.path.push(b'/');
    }
}

/// Replaces `..` by `.` from left to right, each dot once.
fn halve_dots(host: &mut Vec<u8>) {
    let mut follows_kept_dot = false;
    host.retain(|&byte| {
        // `str.replace` makes one pass, so `....` becomes `..` and stays that.
        let is_second = byte == b'.' && follows_kept_dot;
        follows_kept_dot = byte == b'.' && !is_second;
        !is_second
    });
}

/// `[1-9]d*(.d+){0,3}` or `0[0-7]*(.[0-7]+){0,3}`
fn address_in_parts(host: &[u8]) -> Option<u32> {
    let is_octal = host.first() == Some(&b'0');
    let address = ipv4::inet_aton(host)?;
    (!is_octal || host.iter().all(|byte| !matches!(byte, b'8' | b'9'))).then_some(address)
}

fn print(draft: &mut Draft) {
    // The key writes `?` before a query that is present, so an empty query is removed.
    if draft.query.is_empty() {
        draft.query.remove();
    }
    let mut text = core::mem::take(&mut draft.text);
    text.clear();
    surt_key::push(draft, SurtOptions::default(), &mut text);
    draft.text = text;
    draft.finish();
}
