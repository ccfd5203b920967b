//! The canonical text of a hierarchical URI in variants N and P: rules 2 to 9 of the draft's appendix A, in
//! their order.
//!
//! The input is the pieces that remain after 4.3 (1) and (2). Most rules change text that is already written:
//! a component is appended, and then its rules are applied to it.

use alloc::string::String;

use super::keep::Variant;
use super::keep::{Pieces, push_scheme};
use super::syntax;
use crate::error::Error;
use crate::reference::authority::default_port;

/// The ends of the last segment that rule 7 replaces, each with its replacement.
const EXTENSIONS: [(&str, &str); 4] =
    [(".html", ".htm"), (".jpeg", ".jpg"), (".text", ".txt"), (".ram", ".ra")];

/// The last segments that rule 8 empties.
const INDEXES: [&str; 2] = ["index.htm", "index.html"];

/// Appends the canonical text in variant N or P.
pub(super) fn push(pieces: &Pieces<'_>, variant: Variant, out: &mut String) -> Result<(), Error> {
    push_scheme(pieces.scheme, out); // 9, "always"; 4
    let scheme_end = out.len() - 1;
    let mut authority = split_authority(&out[..scheme_end], pieces.authority)?; // 2
    // Ports are compared as numbers before rule 5 removes zeroes. Otherwise `:080` would stay as `:80` (H-8).
    drop_default_port(&out[..scheme_end], &mut authority); // 3
    push_authority(&authority, variant, pieces.path, out); // 4, 5, 9
    let path_start = out.len();
    push_path(pieces.path, variant, out); // 4, 6, 9
    if variant == Variant::P {
        shorten_extension(path_start, out); // 7
    }
    // H-12: the draft names only `http`, so `https` keeps its index pages.
    if out[..scheme_end] == *"http" {
        empty_index(path_start, out); // 8
    }
    push_kept("?", pieces.query, variant, out); // H-5
    push_kept("#", pieces.fragment, variant, out);
    Ok(())
}

/// An authority in the form of rule 2. An empty part counts as absent.
enum UriAuthority<'a> {
    Server {
        user: &'a str,
        host: &'a str,
        port: &'a str,
    },
    /// Any other text, kept whole.
    Other(&'a str),
}

/// 2: splits the authority. A text that is not `[user@]host[:port]` is an error if the scheme is known to
/// have such authorities. For other schemes it is kept whole (H-6).
fn split_authority<'a>(scheme: &str, authority: Option<&'a str>) -> Result<UriAuthority<'a>, Error> {
    let text = authority.unwrap_or_default();
    match split_server(text) {
        Some(server) => Ok(server),
        None if scheme == "file" || default_port(scheme).is_some() => Err(syntax::AUTHORITY.found(text)),
        None => Ok(UriAuthority::Other(text)),
    }
}

/// `server = [ [ userinfo "@" ] hostport ]` of RFC 2396 with the brackets of RFC 2732. A host name may have
/// any characters, because real names have underscores.
fn split_server(text: &str) -> Option<UriAuthority<'_>> {
    let has_delimiter = memchr::memchr3(b'@', b':', b'[', text.as_bytes()).is_some();
    if !has_delimiter && memchr::memchr(b']', text.as_bytes()).is_none() {
        return Some(UriAuthority::Server { user: "", host: text, port: "" });
    }
    // RFC 2396 does not allow `@` in a user, so the first one ends it. A host cannot have a second one.
    let (user, host_and_port) = text.split_once('@').unwrap_or(("", text));
    let host_length = if host_and_port.starts_with('[') {
        host_and_port.find(']')? + 1
    } else {
        host_and_port.find(':').unwrap_or(host_and_port.len())
    };
    let (host, rest) = host_and_port.split_at(host_length);
    let port = if rest.is_empty() { "" } else { rest.strip_prefix(':')? };

    let is_host = match host.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(address) => !address.is_empty() && address.bytes().all(is_ipv6_byte),
        None => !host.is_empty() && !host.contains(['@', '[', ']']),
    };
    let is_user = !user.contains(['[', ']']);
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit());
    (is_user && is_host && is_port).then_some(UriAuthority::Server { user, host, port })
}

fn is_ipv6_byte(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.')
}

/// 3: deletes a port that equals the default of the scheme as a number (H-8).
fn drop_default_port(scheme: &str, authority: &mut UriAuthority<'_>) {
    if let UriAuthority::Server { port, .. } = authority
        && !port.is_empty()
        && let Ok(number) = without_zeroes(port).parse::<u16>()
        && default_port(scheme) == Some(number)
    {
        *port = "";
    }
}

/// 4, 5, 9: appends the authority with its slashes, unless it is absent or empty (H-10).
fn push_authority(authority: &UriAuthority<'_>, variant: Variant, path: &str, out: &mut String) {
    let start = out.len();
    match *authority {
        // This arm is only reached for an empty authority, because `split_server` rejects an empty host next
        // to a user or a port.
        UriAuthority::Server { host: "", .. } => {
            // The path's own slashes would be read as an authority. Variant P leaves only one of them.
            if variant == Variant::N && path.starts_with("//") {
                out.push_str("//");
            }
        }
        UriAuthority::Other(text) => {
            out.push_str("//");
            out.push_str(text);
        }
        UriAuthority::Server { user, host, port } => {
            out.push_str("//");
            if !user.is_empty() {
                out.push_str(user);
                out.push('@');
            }
            push_host(host, out);
            if !port.is_empty() {
                out.push(':');
                out.push_str(without_zeroes(port));
            }
        }
    }
    if variant == Variant::P {
        out[start..].make_ascii_lowercase();
    }
}

/// 4, 5: appends the host: a dotted quad without leading zeroes, an address in brackets unchanged (H-16), a
/// name in lower case.
fn push_host(host: &str, out: &mut String) {
    if host.starts_with('[') {
        out.push_str(host);
    } else if is_dotted_quad(host) {
        for (index, number) in host.split('.').enumerate() {
            if index > 0 {
                out.push('.');
            }
            out.push_str(without_zeroes(number));
        }
    } else {
        let start = out.len();
        out.push_str(host);
        out[start..].make_ascii_lowercase();
    }
}

/// Four runs of decimal digits (H-8).
fn is_dotted_quad(host: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    host.starts_with(|first: char| first.is_ascii_digit())
        && host.split('.').count() == 4
        && host.split('.').all(is_number)
}

/// 5: removes leading zeroes but keeps the last digit in any case (H-8).
fn without_zeroes(digits: &str) -> &str {
    match digits.trim_start_matches('0') {
        "" => &digits[digits.len().saturating_sub(1)..],
        significant => significant,
    }
}

/// 4, 6, 9: appends the segments, each after a slash. P: in lower case and without empty segments, including
/// the last one (H-9).
fn push_path(path: &str, variant: Variant, out: &mut String) {
    if variant == Variant::N {
        out.push_str(path);
        return;
    }
    let start = out.len();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        out.push('/');
        out.push_str(segment);
    }
    out[start..].make_ascii_lowercase();
}

/// 7: replaces the end of the last segment.
fn shorten_extension(path_start: usize, out: &mut String) {
    let path = &out[path_start..];
    if let Some((long, short)) = EXTENSIONS.iter().find(|(long, _)| path.ends_with(long)) {
        out.truncate(out.len() - long.len());
        out.push_str(short);
    }
}

/// 8: empties the last segment if it is an index page. Its slash stays, as the examples show (H-9).
fn empty_index(path_start: usize, out: &mut String) {
    let path = &out[path_start..];
    // The case matters in N (H-12). In P, the path is in lower case already, and rule 7 has changed `.html`
    // to `.htm`.
    let found = INDEXES.iter().find(|index| path.ends_with(**index));
    if let Some(index) = found.filter(|index| path[..path.len() - index.len()].ends_with('/')) {
        out.truncate(out.len() - index.len());
    }
}

/// 9, H-5: appends a query or fragment that was kept and is not empty (H-3). P: in lower case.
fn push_kept(delimiter: &str, kept: Option<&str>, variant: Variant, out: &mut String) {
    let Some(text) = kept.filter(|text| !text.is_empty()) else { return };
    let start = out.len();
    out.push_str(delimiter);
    out.push_str(text);
    if variant == Variant::P {
        out[start..].make_ascii_lowercase();
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Keep, Variant, canonicalize};
    use crate::hashed_uri::syntax;

    fn check(uri: &str, n: &str, p: &str) {
        let text = |variant| canonicalize(uri, None, Keep::ALL, variant).unwrap().into_string();
        assert_eq!((text(Variant::N), text(Variant::P)), (n.to_owned(), p.to_owned()), "{uri}");
    }

    #[test]
    fn rules_for_segments_leave_a_host_alone_that_looks_like_one() {
        check("http://example.html/", "http://example.html/", "http://example.html");
        check("http://index.htm", "http://index.htm", "http://index.htm");
        check("http://index.html//", "http://index.html//", "http://index.html");
        check("ftp://x.ram?y.ram", "ftp://x.ram?y.ram", "ftp://x.ram?y.ram");
    }

    #[test]
    fn the_last_segment_is_shortened_once_and_then_emptied() {
        check("http://h/.html", "http://h/.html", "http://h/.htm");
        check("http://h/index.html", "http://h/", "http://h/");
        check("http://h/index.html?q", "http://h/?q", "http://h/?q");
        check("http://h/xindex.html", "http://h/xindex.html", "http://h/xindex.htm");
        check("http://h/x.text.html", "http://h/x.text.html", "http://h/x.text.htm");
    }

    #[test]
    fn an_empty_authority_is_removed_but_a_path_never_becomes_an_authority() {
        check("file:///a", "file:/a", "file:/a");
        check("file:////a", "file:////a", "file:/a");
        check("http:////index.html", "http:////", "http:/");
        check("http://", "http:", "http:");
        check("foo:///", "foo:/", "foo:");
    }

    #[test]
    fn every_part_of_an_authority_has_its_own_rules() {
        check("http://U:P@H:0080/", "http://U:P@h/", "http://u:p@h");
        check("http://@H:", "http://h", "http://h");
        check("https://h:00", "https://h:0", "https://h:0");
        check("http://000.0.01.10", "http://0.0.1.10", "http://0.0.1.10");
        check("http://[00::A]:080", "http://[00::A]", "http://[00::a]");
        check("http://my_H%41ST", "http://my_hast", "http://my_hast");
        check("http://%48%2Dx:8%30/", "http://h-x/", "http://h-x");
        check("foo://A,B:x/C", "foo://A,B:x/C", "foo://a,b:x/c");
        check(
            "ftp://h:99999999999999999999021/",
            "ftp://h:99999999999999999999021/",
            "ftp://h:99999999999999999999021",
        );
    }

    #[test]
    fn an_authority_that_does_not_fit_is_an_error_where_hosts_are_expected() {
        for authority in
            ["a:b:c", "a@b@c", ":80", "@", "u@", "h:8x", "[::1", "[::1]x", "[]", "[v1.x]", "a[b]", "[@h"]
        {
            for scheme in "http https ftp gopher telnet nntp ldap rtsp ws wss file".split(' ') {
                let uri = format!("{scheme}://{authority}/x");
                let error = canonicalize(&uri, None, Keep::NONE, Variant::N).unwrap_err();
                assert!(error.is(syntax::AUTHORITY), "{uri}");
                assert!(canonicalize(&uri, None, Keep::NONE, Variant::None).is_ok(), "{uri}");
            }
            check(
                &format!("foo://{authority}"),
                &format!("foo://{authority}"),
                &format!("foo://{authority}"),
            );
        }
    }
}
