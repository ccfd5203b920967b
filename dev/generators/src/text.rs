//! Hostile texts, absolute URLs as people write them, and texts that are almost identifiers.

use crate::choices::Choices;
use crate::parts::{FRAGMENTS, HOSTS, SCHEMES, SEGMENTS, VALUES};

/// Returns up to seven concatenated pieces with a meaning for a parser.
pub fn hostile_text(choices: &mut Choices<'_>) -> String {
    let count = choices.below(8);
    (0..count).map(|_| choices.one(&FRAGMENTS)).collect()
}

/// Returns an absolute URL with any of its parts, most of which a browser accepts.
pub fn web_url(choices: &mut Choices<'_>) -> String {
    let mut url = format!("{}:", choices.one(&SCHEMES));
    url += choices.one(&["//", "//", "//", "//", "//", "//", "/", "", "///", "\\\\"]);
    if choices.is(3) {
        url += choices.one(&["u@", "u:p@", ":p@", "@", "a@b:c:d@", "ü:%@"]);
    }
    if choices.is(1) {
        url += &ipv6(choices);
    } else {
        url += choices.one(&HOSTS);
    }
    if choices.is(4) {
        url += choices.one(&[":80", ":443", ":21", ":8080", ":", ":0", ":00080", ":65535", ":65536", ":x"]);
    }
    url += &path(choices);
    url + &query_and_fragment(choices)
}

/// Returns an address in brackets, or almost one: any number of groups, `::` anywhere, sometimes a dotted
/// quad.
fn ipv6(choices: &mut Choices<'_>) -> String {
    let mut address = String::from("[");
    for _ in 0..choices.below(10) {
        address += choices.one(&["1:", "0:", ":", "ff:", "00a:", "FFFF:", "12345:", "1", "::"]);
    }
    address += choices.one(&["1", "::", "", "1.2.3.4", "1.2.3", "01.2.3.4", "256.1.1.1", "0", "g"]);
    address + "]"
}

/// Returns a path, usually rooted.
pub(crate) fn path(choices: &mut Choices<'_>) -> String {
    let mut path = String::new();
    for _ in 0..choices.below(6) {
        path += choices.one(&["/", "/", "/", "/", "/", "/", "//", "\\"]);
        path += choices.one(&SEGMENTS);
    }
    path
}

/// Returns a query, a fragment, both or neither, each with its delimiter.
pub(crate) fn query_and_fragment(choices: &mut Choices<'_>) -> String {
    let mut text = String::new();
    if choices.is(6) {
        text = text + "?" + choices.one(&VALUES);
    }
    if choices.is(5) {
        text = text + "#" + choices.one(&VALUES);
    }
    text
}

/// Returns a text that is an identifier of some kind, or almost: digits, decimal words or a hashed URI,
/// sometimes with an extra piece.
pub fn id_text(choices: &mut Choices<'_>) -> String {
    let digits = |choices: &mut Choices<'_>, count: usize| -> String {
        (0..count).map(|_| choices.one(b"0123456789abcdefABCDEF") as char).collect()
    };
    let mut text = match choices.below(4) {
        0 => {
            let header = choices.one(&["10", "11", "12", "13", "14", "15", "16", "00", "20", "1f"]);
            let count = choices.one(&[62, 62, 62, 62, 61, 63, 30, 14]);
            header.to_owned() + &digits(choices, count)
        }
        1 => {
            let words = choices.one(&[4, 2, 1, 3, 5]);
            let one_word = [
                "0",
                "1",
                "18446744073709551615",
                "18446744073709551616",
                "00",
                "+1",
                "",
                "-",
                "12345678901",
            ];
            (0..words).map(|_| choices.one(&one_word)).collect::<Vec<_>>().join("-")
        }
        2 => {
            let algorithm = choices.one(&[
                "md5", "sha1", "x-sha256", "x-sha384", "x-blake3", "x-new", "sha256", "SHA1", "", "x-",
            ]);
            let count = choices.one(&[40, 32, 64, 96, 128, 41, 2, 0]);
            let flags =
                choices.one(&["", "+frag", "+query", "+frag+query", "+query+frag", "+FRAG+frag", "+", "+x"]);
            let scheme = choices.one(&["hashed:", "hashed:", "HASHED:", "hash:", ""]);
            [scheme, algorithm, "=", &digits(choices, count), flags].concat()
        }
        _ => hostile_text(choices),
    };
    if choices.is(2) {
        text += choices.one(&FRAGMENTS);
    }
    text
}
