//! URIs that are canonical already: recognised in one pass, so that nothing has to be taken apart.
//!
//! For variant N alone. Says nothing about a URI that it does not recognise; those go the way of the rules, which gives the
//! same text for every URI that is recognised here.

use super::keep::Keep;
use super::syntax;

/// Returns the length of the prefix of `uri` that is its canonical text in variant N, and what is kept in it, for plain
/// `http` and `https` URIs: lower case up to the path, no user and no port, a host that is no address, no escape, no
/// fragment.
pub(super) fn canonical_prefix(uri: &str, keep: Keep) -> Option<(usize, Keep)> {
    let bytes = uri.as_bytes();
    let has_index_rule = bytes.starts_with(b"http://");
    let host_start = match has_index_rule {
        true => "http://".len(),
        false if bytes.starts_with(b"https://") => "https://".len(),
        false => return None,
    };
    let after = &bytes[host_start..];
    let host_length = after.iter().position(|&byte| !HOST_BYTES[usize::from(byte)]).unwrap_or(after.len());
    let (host, rest) = after.split_at(host_length);
    let is_name = host.last().is_some_and(u8::is_ascii_lowercase);
    if !is_name || !matches!(rest.first(), None | Some(b'/' | b'?')) || syntax::has_notable(bytes) {
        return None;
    }
    let path_length = memchr::memchr(b'?', rest).unwrap_or(rest.len());
    let (path, query) = rest.split_at(path_length);
    if has_index_rule && is_index(path) {
        return None;
    }
    match query.len() {
        length if length == 0 || !keep.query => Some((uri.len() - length, Keep::NONE)),
        // A query that is kept and empty is not printed.
        1 => None,
        _ => Some((uri.len(), Keep::QUERY)),
    }
}

/// Whether rule 8 of appendix A empties the last segment. Most paths are told by their last byte.
fn is_index(path: &[u8]) -> bool {
    match path.last() {
        Some(b'l') => path.ends_with(b"/index.html"),
        Some(b'm') => path.ends_with(b"/index.htm"),
        _ => false,
    }
}

/// The bytes of a plain host: lower-case letters, digits, hyphen, dot and underscore.
const HOST_BYTES: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        bytes[byte] = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_');
        byte += 1;
    }
    bytes
};

#[cfg(test)]
mod tests {
    use super::super::canonical::{Canonical, canonicalize_by_rules};
    use super::super::{Variant, canonicalize};
    use super::*;

    /// Every text of a few pieces, plain ones and such as only look plain.
    fn texts() -> Vec<String> {
        let starts = ["http://", "https://", "HTTP://", "http:/", "ftp://", ""];
        let hosts =
            ["", "h", "a-b.c_d", "H", "h.", "1.2.3.04", "a1", "u@h", "h:80", "h:", "[::1]", "h%61", "\u{e9}"];
        let paths =
            ["", "/", "/a/", "/index.html", "/a/index.htm", "/xindex.html", "/a b", "/%61", "//", "/A"];
        let ends = ["", "?", "?q", "?q?r", "#", "#f", "?q#f", "?index.html", "?/index.html"];
        let mut texts = Vec::new();
        for start in starts {
            for host in hosts {
                for path in paths {
                    texts.extend(ends.map(|end| [start, host, path, end].concat()));
                }
            }
        }
        texts
    }

    #[test]
    fn what_is_recognised_is_what_the_rules_make() {
        let mut recognised = 0;
        for text in texts() {
            for keep in Keep::EACH {
                let by_rules = canonicalize_by_rules(String::new(), &text, None, keep, Variant::N);
                assert_eq!(canonicalize(&text, None, keep, Variant::N), by_rules, "{text}");
                recognised += usize::from(canonical_prefix(&text, keep).is_some());
            }
        }
        assert!(recognised > 200, "{recognised}");
        let made = |text| canonicalize(text, None, Keep::QUERY, Variant::N).map(Canonical::into_string);
        assert_eq!(made("http://h/a?b").as_deref(), Ok("http://h/a?b"));
    }
}
