//! `urlcanon-semantic-0.3.1`: the canonicalizer `semantic` of the Python package urlcanon.

use crate::draft::{Draft, Part, Stage};
use crate::error;
use crate::profile::{Idna, Kind, Profile, Rule};
use crate::rules::{dots, escapes, idna2003, idna2008, ipv4, python, query, split, trim};
use urlid::Error;
use urlid::internal::escape::{C0_CONTROL, EscapeSet};
use urlid::internal::push_ipv6_address;

/// 00 to 20, 7F and more, `#` and `%`.
pub(crate) const ESCAPED: EscapeSet = C0_CONTROL.with(b" #%");
const PATH: EscapeSet = ESCAPED.with(b"?");
const FIELD: EscapeSet = ESCAPED.with(b"&=");

/// The special schemes and their default ports.
// Includes gopher, which the URL Standard no longer counts as special.
const SPECIAL: [(&[u8], &[u8]); 7] = [
    (b"ftp", b"21"),
    (b"gopher", b"70"),
    (b"http", b"80"),
    (b"https", b"443"),
    (b"ws", b"80"),
    (b"wss", b"443"),
    (b"file", b""),
];

pub(crate) static PROFILE: Profile = Profile {
    name: "urlcanon-semantic-0.3.1",
    about: "The canonicalizer `semantic` of the Python package urlcanon 0.3.1.",
    kind: Kind::Url,
    is_idempotent: false,
    needs_suffix_list: false,
    idna: Idna::Idna2008,
    runtime: Some("CPython 3.11, Unicode 14.0; IDNA 2008 and UTS 46 by the tables of the package idna 3.20"),
    frozen_since: "2026-11-22",
    quirks: &[
        "All before the first `:` is the scheme if it starts with a letter, so `example.com:80` has one.",
        "In `//host/path` without a scheme, `path` is the host.",
        "An IPv4 address is read as Python reads numbers, with signs and underscores.",
        "A host that neither IDNA 2008 nor IDNA 2003 can map keeps its case, as does one with `_` or brackets.",
        "An empty query keeps its `?`, and an empty port its `:`.",
        "A number in a host has at most 4300 decimal digits; a longer one is a name.",
    ],
    proof: "Compared with urlcanon 0.3.1 and idna 3.20 on CPython 3.11: every code point at 44 places of a URL, 100,000 real URLs and \
        1,000,000 generated ones, 0 differences.",
    plain: None,
    groups: &[SPLIT, HOST, PARTS],
};

const SPLIT: &[Rule] = &[
    Rule::new("trim", "Cut 00 to 20 at both ends.", |d| trim::trim(&mut d.text, trim::is_control_or_space)),
    Rule::new(
        "split",
        "The scheme is all before the first `:`, if it starts with a letter, in lower case; then come query and fragment.",
        |d| {
            split_at_first_colon(d);
            trim::delete(d.scheme.bytes_mut(), trim::is_tab_or_newline);
            d.scheme.bytes_mut().make_ascii_lowercase();
        },
    ),
    Rule::new(
        "authority",
        "An authority follows a special scheme and any slashes, and a host follows file and two slashes. \
         After any other scheme an authority follows `//`.",
        split_authority,
    ),
    Rule::new("default-scheme", "A missing scheme becomes http, and the path is split again.", |d| {
        if d.scheme.is_empty() {
            d.scheme.set(b"http");
            if !d.path.is_empty() {
                split_authority(d);
            }
        }
    }),
    Rule::new("delete-newlines", "Delete tabs and line ends everywhere.", |d| {
        trim::delete(&mut d.path, trim::is_tab_or_newline);
        trim::delete(d.query.bytes_mut(), trim::is_tab_or_newline);
    }),
    Rule::new("default-port", "Drop the default port of a special scheme.", |d| {
        if is_default_port(d) {
            d.port.remove();
        }
    }),
    Rule::new("drop-userinfo", "Drop user and password.", |d| d.userinfo.remove()),
];

const HOST: &[Rule] = &[
    Rule::new("decode", "Decode all but the query to a fixpoint.", |d| {
        let Draft { scheme, host, port, path, .. } = d;
        for part in [scheme.bytes_mut(), host.bytes_mut(), port.bytes_mut(), path] {
            escapes::decode_to_fixpoint(part);
        }
    }),
    Rule::checked(
        "address",
        "Write IPv6 in its shortest form, without a zone; one to four numbers, decimal, octal or hexadecimal, are IPv4.",
        write_address,
    ),
    Rule::new(
        "host-dots",
        "Cut dots at both ends of the host, also before a final line feed, and collapse runs of dots.",
        cut_dots,
    ),
    Rule::new(
        "host-idna",
        "With a special scheme, map the host by UTS 46 and IDNA 2008, or else by UTS 46 (STD 3) and IDNA \
         2003, if one succeeds.",
        |d| {
            let name =
                core::str::from_utf8(d.host.bytes()).ok().filter(|name| !name.is_empty() && is_special(d));
            if let Some(ascii) = name.and_then(|name| idna2008::encode(name).or_else(|| to_ascii_2003(name)))
            {
                d.host.set(ascii.as_bytes());
            }
        },
    ),
];

const PARTS: &[Rule] = &[
    Rule::new("encode", "Encode 00 to 20, 7F and more, `#` and `%`, and in the path also `?`.", |d| {
        let Draft { scheme, host, port, path, spare, .. } = d;
        for part in [scheme, host, port] {
            escapes::encode(part.bytes_mut(), &ESCAPED, spare);
        }
        escapes::encode(path, &PATH, spare);
    }),
    Rule::new(
        "query",
        "Decode names and values to a fixpoint; encode these bytes, `&` and `=` in them.",
        recode_query,
    ),
    Rule::new(
        "root",
        "With a special scheme, `\\` in the path becomes `/`, and the path starts with `/`.",
        |d| {
            if is_special(d) {
                d.path.iter_mut().filter(|byte| **byte == b'\\').for_each(|byte| *byte = b'/');
                if !d.path.starts_with(b"/") {
                    d.path.insert(0, b'/');
                }
            }
        },
    ),
    Rule::new("dots", "Remove dot segments as RFC 3986 does, if the path starts with `/`.", |d| {
        dots::remove_as_rfc3986(&mut d.path);
    }),
    Rule::new("slashes", "With a special scheme, collapse runs of `/` in the path.", |d| {
        if is_special(d) {
            trim::collapse(&mut d.path, b'/');
        }
    }),
    Rule::new("query-sort", "Sort the unchanged fields of the query.", |d| {
        let mut fields: Vec<&[u8]> = query::fields(d.query.bytes()).collect();
        fields.sort_unstable();
        d.spare.clear();
        query::join(fields, b'&', &mut d.spare);
        core::mem::swap(d.query.bytes_mut(), &mut d.spare);
    }),
    Rule::new("drop-fragment", "Drop the fragment.", |d| d.fragment.remove()),
    Rule::new("print", "Put the parts together.", |d| d.join()),
];

fn split_at_first_colon(draft: &mut Draft) {
    let is_scheme = draft.text.first().is_some_and(u8::is_ascii_alphabetic);
    let (scheme, rest) = match split::cut(&draft.text, b':') {
        (scheme, Some(rest)) if is_scheme => (Some(scheme), rest),
        _ => (None, draft.text.as_slice()),
    };
    let (rest, fragment) = split::cut(rest, b'#');
    let (path, query) = split::cut(rest, b'?');
    draft.scheme.set_option(scheme);
    draft.fragment.set_option(fragment);
    draft.query.set_option(query);
    draft.path.clear();
    draft.path.extend_from_slice(path);
    // The parts may have values of the last text, because `Draft::begin` does not reset them.
    let Draft { userinfo, host, port, params, .. } = draft;
    [userinfo, host, port, params].into_iter().for_each(Part::remove);
    draft.stage = Stage::Parts;
}

/// Splits an authority off the path. An empty authority without slashes before it is absent.
fn split_authority(draft: &mut Draft) {
    let path = core::mem::take(&mut draft.path);
    let is_file = draft.scheme.bytes() == b"file";
    let has_any_slashes = is_special(draft) && !is_file;
    let is_slash = |byte: u8| byte == b'/' || byte == b'\\' && is_special(draft);
    let (mut slashes, mut start) = (0, 0);
    while let Some(&byte) = path.get(start) {
        match is_slash(byte) && (has_any_slashes || slashes < 2) {
            true => slashes += 1,
            // The URL Standard removes these before it parses, so they do not end the run of slashes.
            false if trim::is_tab_or_newline(byte) => {}
            false => break,
        }
        start += 1;
    }
    if !has_any_slashes && slashes < 2 {
        draft.path = path;
        // The host is empty instead of missing, because a file URL is written with `//`.
        draft.host.set_option(is_file.then_some(b""));
        return;
    }
    let rest = &path[start..];
    let end = rest.iter().position(|&byte| is_slash(byte)).unwrap_or(rest.len());
    let (userinfo, host, port) =
        if is_file { (None, &rest[..end], None) } else { split_userinfo_and_port(&rest[..end]) };
    let Draft { userinfo: user_part, host: host_part, port: port_part, .. } = draft;
    for (part, text) in [(user_part, userinfo), (host_part, Some(host)), (port_part, port)] {
        part.set_option(text);
        trim::delete(part.bytes_mut(), trim::is_tab_or_newline);
    }
    draft.path = rest[end..].to_vec();
    let has_userinfo = !matches!(draft.userinfo.bytes(), b"" | b":");
    let has_port = draft.port.get().is_some() && !is_default_port(draft);
    if slashes == 0 && draft.host.is_empty() && !has_userinfo && !has_port {
        draft.port.remove();
        draft.host.remove();
    }
}

/// Userinfo ends at the last `@`, the host at `]` or the first `:`.
fn split_userinfo_and_port(authority: &[u8]) -> (Option<&[u8]>, &[u8], Option<&[u8]>) {
    let (userinfo, rest) = match memchr::memrchr(b'@', authority) {
        Some(offset) => (Some(&authority[..offset]), &authority[offset + 1..]),
        None => (None, authority),
    };
    let literal =
        rest.strip_prefix(b"[").and_then(|literal| memchr::memchr(b']', literal)).map(|offset| offset + 2);
    match literal.map(|length| rest.split_at(length)) {
        Some((host, b"")) => (userinfo, host, None),
        Some((host, [b':', port @ ..])) => (userinfo, host, Some(port)),
        _ => {
            let (host, port) = split::cut(rest, b':');
            (userinfo, host, port)
        }
    }
}

fn special_port(draft: &Draft) -> Option<&'static [u8]> {
    SPECIAL.iter().find(|(scheme, _)| *scheme == draft.scheme.bytes()).map(|(_, port)| *port)
}

pub(crate) fn is_special(draft: &Draft) -> bool {
    special_port(draft).is_some()
}

fn is_default_port(draft: &Draft) -> bool {
    draft.port.get().is_some_and(|port| !port.is_empty() && special_port(draft) == Some(port))
}

fn write_address(draft: &mut Draft) -> Result<(), Error> {
    let host = draft.host.bytes_mut();
    if host.starts_with(b"[") && host.ends_with(b"]") {
        if let Some((address, _)) = python::ipv6(&host[1..host.len() - 1]) {
            let mut shortest = String::from("[");
            push_ipv6_address(&address, &mut shortest);
            shortest.push(']');
            *host = shortest.into_bytes();
        }
    } else if let Some(number) = ipv4::as_python(host) {
        let address =
            u32::try_from(number).map_err(|_| error::host(host, "an address that is not negative"))?;
        ipv4::write(address, host);
    }
    Ok(())
}

/// The `$` of the package's regular expression also matches before a line feed at the end.
fn cut_dots(draft: &mut Draft) {
    let is_dot = |byte: u8| byte == b'.';
    let host = draft.host.bytes_mut();
    trim::trim_start(host, is_dot);
    let line_feed = host.pop_if(|last| *last == b'\n');
    trim::trim_end(host, is_dot);
    host.extend(line_feed);
    trim::collapse(host, b'.');
}

fn to_ascii_2003(name: &str) -> Option<String> {
    let mapped = idna2008::remap(name, idna2008::Ascii::Std3)?;
    // The package maps each label separately, and the last one may not be empty.
    let is_name = !mapped.is_empty() && !mapped.ends_with('.');
    is_name.then(|| idna2003::to_ascii(&mapped, idna2003::Codec::Python))?
}

fn recode_query(draft: &mut Draft) {
    // Recoding only changes bytes in `ESCAPED`, which include `%`, and `=`, the only delimiter that can occur
    // in a value.
    if !draft.query.bytes().iter().any(|&byte| byte == b'=' || ESCAPED.contains(byte)) {
        return;
    }
    let Draft { query, spare, .. } = draft;
    spare.clear();
    for (index, field) in query::fields(query.bytes()).enumerate() {
        if index > 0 {
            spare.push(b'&');
        }
        let (name, value) = query::name_and_value(field);
        push_recoded(name, spare);
        if let Some(value) = value {
            spare.push(b'=');
            push_recoded(value, spare);
        }
    }
    core::mem::swap(query.bytes_mut(), spare);
}

fn push_recoded(text: &[u8], out: &mut Vec<u8>) {
    let mut decoded = text.to_vec();
    escapes::decode_to_fixpoint(&mut decoded);
    FIELD.encode_bytes(&decoded, out);
}

#[cfg(test)]
mod tests {
    use crate::Form;

    /// Python rejects longer numbers, so such a host is a name; the shorter one is negative and no address.
    #[test]
    fn a_number_in_a_host_has_at_most_4300_digits() {
        let form: Form = "urlcanon-semantic-0.3.1".parse().expect("the profile is in the list");
        let text = |digits: usize| format!("http://-{}/", "1".repeat(digits));
        assert!(form.canonicalize(&text(4300)).is_err());
        assert_eq!(form.canonicalize(&text(4301)), Ok(text(4301)));
    }
}
