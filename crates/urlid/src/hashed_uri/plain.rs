//! URIs that are canonical already: recognised by a scan, so that nothing has to be taken apart.
//!
//! For variant N alone. A URI that is not recognised takes the rules of appendix A, which give the same text for every URI
//! that is.

use super::keep::Keep;
use super::syntax;
use crate::plain::{self, Accepted, PlainScheme};

/// Returns the length of the prefix of `uri` that is its canonical text in variant N, and what is kept in it, for plain
/// URLs: lower case up to the path, no user and no port, a host that is no address, no escape, no fragment.
pub(super) fn canonical_prefix(uri: &str, keep: Keep) -> Option<(usize, Keep)> {
    if syntax::has_notable(uri.as_bytes()) {
        return None;
    }
    let url = plain::scan(uri, &Accepted::AnyNoFragment)?;
    let has_index_rule = url.scheme == PlainScheme::Http;
    if url.port.is_some() || has_index_rule && is_index(url.path()) {
        return None;
    }
    let query_start = url.boundaries.path_end as usize;
    match uri.len() - query_start {
        length if length == 0 || !keep.query => Some((query_start, Keep::NONE)),
        // A query that is kept and empty is not printed.
        1 => None,
        _ => Some((uri.len(), Keep::QUERY)),
    }
}

/// Returns whether rule 8 of appendix A empties the last segment. The last byte decides for most paths.
fn is_index(path: &[u8]) -> bool {
    match path.last() {
        Some(b'l') => path.ends_with(b"/index.html"),
        Some(b'm') => path.ends_with(b"/index.htm"),
        _ => false,
    }
}

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
