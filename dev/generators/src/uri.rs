//! URIs of the generic syntax, for which the Hashed URI and SXURL are made.

use crate::choices::Choices;
use crate::parts::{HOSTS, SCHEMES};
use crate::text::{path, query_and_fragment};

/// Returns an absolute URI or relative reference with only characters that a URI can contain.
pub fn uri(choices: &mut Choices<'_>) -> String {
    let mut uri = String::new();
    if choices.is(14) {
        uri = uri + choices.one(&SCHEMES) + ":";
    }
    if choices.is(12) {
        uri = uri + "//" + &authority(choices);
    }
    uri += &path(choices);
    only_allowed(&(uri + &query_and_fragment(choices)))
}

/// Returns an absolute `http` or `https` URI.
pub fn http_uri(choices: &mut Choices<'_>) -> String {
    let scheme = choices.one(&["http", "https", "HTTP", "Https"]);
    let text = [scheme, "://", &authority(choices), &path(choices), &query_and_fragment(choices)].concat();
    only_allowed(&text)
}

/// Returns a URL with a scheme of SXURL, as people write it: any characters, usually with a host that is a
/// name.
pub fn sxurl_url(choices: &mut Choices<'_>) -> String {
    let scheme = choices.one(&["https", "http", "ftp", "HTTPS", "Http", "FTP"]);
    [scheme, "://", &authority(choices), &path(choices), &query_and_fragment(choices)].concat()
}

fn authority(choices: &mut Choices<'_>) -> String {
    let user = if choices.is(3) { choices.one(&["u@", "U:P@", "a%40b@", "@", "u:@"]) } else { "" };
    let host = if choices.is(3) {
        choices.one(&[
            "010.020.030.040",
            "10.20.30.40",
            "0.00.000.1",
            "[::1]",
            "[FE80::A]",
            "A.B.C.",
            "localhost",
            "",
        ])
    } else {
        choices.one(&HOSTS)
    };
    let port = if choices.is(4) {
        choices.one(&[":80", ":443", ":21", ":0080", ":8080", ":", ":0", ":65535", ":65536", ":00"])
    } else {
        ""
    };
    [user, host, port].concat()
}

/// Drops characters that a URI cannot contain, and every `#` but the first.
fn only_allowed(text: &str) -> String {
    let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
    let is_allowed = |&c: &char| c.is_ascii_graphic() && !"<>\"{}|\\^`%#".contains(c);
    let clean = |text: &str| -> String {
        // An escape is kept completely or dropped.
        let mut pieces = text.split('%');
        let mut clean: String = pieces.next().unwrap_or_default().chars().filter(is_allowed).collect();
        for piece in pieces {
            let is_escape =
                piece.get(..2).is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
            clean += if is_escape { "%" } else { "" };
            clean.extend(piece.chars().filter(is_allowed));
        }
        clean
    };
    if text.contains('#') { [clean(before), clean(fragment)].join("#") } else { clean(before) }
}
