//! The texts that are their own normal form, which nearly all real URLs are: recognised in one pass and copied.
//!
//! A checker and nothing more. Whatever it does not know to be normal takes the way through the composition in
//! `web`, which defines what is right; that both agree wherever this one answers is a law.

use super::url::{Parts, Url};
use crate::escape::{FRAGMENT, PATH, SPECIAL_QUERY};
use crate::host::HostKind;

/// Bytes that may stand, by themselves, in a part that is in normal form.
const HOST_BYTE: u8 = 1;
const PATH_BYTE: u8 = 2;
const QUERY_BYTE: u8 = 4;
const FRAGMENT_BYTE: u8 = 8;

const PARTS_OF_BYTE: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let is_host = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_');
        // A dot or an escape may begin a dot segment.
        let is_path = !PATH.contains(byte as u8) && !matches!(byte as u8, b'\\' | b'.' | b'%');
        table[byte] = if is_host { HOST_BYTE } else { 0 }
            | if is_path { PATH_BYTE } else { 0 }
            | if SPECIAL_QUERY.contains(byte as u8) { 0 } else { QUERY_BYTE }
            | if FRAGMENT.contains(byte as u8) { 0 } else { FRAGMENT_BYTE };
        byte += 1;
    }
    table
};

/// Returns the URL if `text` is `http://` or `https://`, a domain name, and a path, query and fragment, all in normal
/// form, but that the path may be missing at the end.
pub(super) fn parse(text: &str) -> Option<Url> {
    let bytes = text.as_bytes();
    let scheme_end = match bytes {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => 6,
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => 5,
        _ => return None,
    };
    let host_start = scheme_end + 2;
    let host_end = skip(bytes, host_start, HOST_BYTE);
    if !is_domain(&bytes[host_start..host_end]) {
        return None;
    }
    let parts = |path_end: usize, query_end: usize| Parts {
        scheme_end,
        user_end: host_start,
        host_start,
        host_end,
        path_start: host_end,
        path_end,
        query_end,
        host: Some(HostKind::Domain),
        port: None,
    };
    match bytes.get(host_end) {
        None => return Some(Url::from_parts([text, "/"].concat(), parts(host_end + 1, host_end + 1))),
        Some(b'/') => {}
        Some(_) => return None,
    }

    let path_end = skip_path(bytes, host_end);
    let query_end = match bytes.get(path_end) {
        Some(b'?') => skip(bytes, path_end + 1, QUERY_BYTE),
        _ => path_end,
    };
    let end = match bytes.get(query_end) {
        Some(b'#') => skip(bytes, query_end + 1, FRAGMENT_BYTE),
        _ => query_end,
    };
    let is_whole = end == bytes.len() && end < u32::MAX as usize;
    is_whole.then(|| Url::from_parts(text.to_owned(), parts(path_end, query_end)))
}

/// Returns the offset of the first byte from `start` that may not stand in a part.
fn skip(bytes: &[u8], start: usize, part: u8) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let length = rest.iter().position(|&byte| PARTS_OF_BYTE[usize::from(byte)] & part == 0);
    start + length.unwrap_or(rest.len())
}

/// Returns the offset of the first byte from `start` that may not stand in a path, or that may begin a dot segment.
fn skip_path(bytes: &[u8], start: usize) -> usize {
    let mut offset = start;
    loop {
        offset = skip(bytes, offset, PATH_BYTE);
        match bytes.get(offset) {
            Some(b'.' | b'%') if bytes[offset - 1] != b'/' => offset += 1,
            _ => return offset,
        }
    }
}

/// Returns whether a host of plain bytes is a domain: not empty, and its last label no number.
fn is_domain(host: &[u8]) -> bool {
    let last_label = host.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    last_label.first().is_some_and(|byte| !byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::web::parse_composed;

    /// Pieces that are plain, and pieces that only look so.
    const PIECES: [&str; 44] = [
        "http://",
        "https://",
        "http:/",
        "HTTP://",
        "ftp://",
        "h",
        "host",
        "www.",
        "example.com",
        "1",
        "1.2.3.4",
        "0x7f",
        ".",
        "..",
        "_",
        "-",
        "xn--a",
        "X",
        "é",
        "@",
        ":",
        ":80",
        ":443",
        "/",
        "//",
        "/.",
        "/..",
        "/%2e",
        "/%2E.",
        "%",
        "%41",
        "\\",
        "?",
        "#",
        "'",
        "^",
        "\"",
        " ",
        "\t",
        "a",
        "b.c",
        "{",
        "|",
        "/a/b?c=d#e",
    ];

    #[test]
    fn what_is_plain_is_what_the_composition_gives() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % bound as u64) as usize
        };
        let mut plain = 0;
        for _ in 0..200_000 {
            let scheme = PIECES[next(3)];
            let text: String =
                std::iter::once(scheme).chain((0..next(7)).map(|_| PIECES[next(PIECES.len())])).collect();
            if let Some(url) = parse(&text) {
                assert_eq!(Ok(url), parse_composed(&text), "{text:?}");
                plain += 1;
            }
        }
        assert!(plain > 1_000, "the pieces make too few plain texts: {plain}");
    }

    #[test]
    fn what_is_not_plain_is_left_alone() {
        for text in [
            "",
            "http://",
            "http://h:80/",
            "http://1/",
            "http://h/./",
            "http://h/%2e",
            "http://h?q",
            "ftp://h/",
            "http://é/",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
