//! Recognises URIs that are already canonical by a scan, without splitting them.
//!
//! The scan only supports variant N. Other URIs are processed by the rules of appendix A, which give the same
//! text for every recognised URI.

use urlid_simd::{Simd, Window};

use super::keep::Keep;
use super::syntax;
use crate::escape::escaped_byte;
use crate::plain::{self, Accepted, Boundaries, PlainScheme, first_bits, host, window};
use crate::reference::authority::default_port;

/// Returns the length of the prefix of `uri` that is its canonical text in variant N, and the kept parts.
/// Only plain URLs are recognised: they are in lower case up to the path, without a user, with a host that is
/// not an address, with a port in normal form or without one, and their prefix has no escapes that rules
/// change.
pub(super) fn canonical_prefix(uri: &str, keep: Keep) -> Option<(usize, Keep)> {
    let bytes = uri.as_bytes();
    let is_notable = syntax::has_notable(bytes);
    let url = plain::scan(uri, if is_notable { &Accepted::Any } else { &Accepted::AnyNoFragment })?;
    // Rule 3 deletes such a port, so the canonical text would not be a prefix of the URI.
    if url.port.is_some() && url.port == default_port(url.scheme.name()) {
        return None;
    }
    let (end, kept) = prefix(bytes, &url.boundaries, keep)?;
    let is_final = !is_notable || are_notable_final(bytes, 0, &url.boundaries, end);
    is_final.then_some((end as usize, kept))
}

/// Returns the end of the canonical text of a line, which starts with the line, and the kept parts. This is
/// [`canonical_prefix`] for a line that is followed by padding.
#[inline(always)]
pub(crate) fn canonical_prefix_of_line<S: Simd>(
    simd: S,
    bytes: &[u8],
    line: &Boundaries,
    keep: Keep,
) -> Option<(u32, Keep)> {
    let scheme = line.scheme?;
    // `or_else` is avoided, because its closure would not be inlined and would lack the instructions of
    // `simd`.
    let notable = match first_notable(simd, bytes, line, line.authority_end) {
        Some(notable) => notable,
        None => {
            first_notable(simd, bytes, line, host::end_before_port(bytes, line.authority(), scheme.name())?)?
        }
    };
    let (end, kept) = prefix(bytes, line, keep)?;
    let is_final = notable == line.end || are_notable_final(bytes, notable as usize, line, end);
    is_final.then_some((end, kept))
}

/// Returns the offset of the first byte that is excluded, a `%` or a `#`, or else the end. Returns `None` if
/// the host is not a name or has other bytes than a plain one. The bytes between `host_end` and the end of
/// the authority are not checked.
#[inline(always)]
fn first_notable<S: Simd>(simd: S, bytes: &[u8], line: &Boundaries, host_end: u32) -> Option<u32> {
    if !host::ends_in_name(&bytes[..host_end as usize]) {
        return None;
    }
    let (mut offset, mut first) = (line.authority, line.end);
    while offset < line.end {
        let window = simd.window(window(bytes, offset));
        let [host, all] = [host_end, line.end].map(|end| first_bits(end, offset));
        if host & !window.within(&host::BYTES) != 0 {
            return None;
        }
        let notable = all & !window.within(&syntax::PLAIN);
        if notable != 0 {
            first = first.min(offset + notable.trailing_zeros());
        }
        offset += 64;
    }
    Some(first)
}

/// Returns the end of the canonical text of a URL and the kept parts, if the rules do not change any byte.
#[inline(always)]
fn prefix(bytes: &[u8], url: &Boundaries, keep: Keep) -> Option<(u32, Keep)> {
    // The lengths include the delimiter: 0 is an absent part, 1 an empty one.
    let (query, fragment) = (url.query_end - url.path_end, url.end - url.query_end);
    let kept = Keep { query: keep.query && query > 0, fragment: keep.fragment && fragment > 0 };
    let end = match kept {
        Keep { fragment: true, .. } => url.end,
        Keep { query: true, .. } => url.query_end,
        Keep::NONE => url.path_end,
    };
    // A query or fragment that is kept but empty is not printed.
    let is_changed = kept.query && query == 1
        // A kept fragment after a dropped query leaves a gap, so the canonical text is not a prefix.
        || kept.fragment && (fragment == 1 || query > 0 && !kept.query)
        || url.scheme == Some(PlainScheme::Http) && is_index(&bytes[url.path()]);
    (!is_changed).then_some((end, kept))
}

/// Returns whether the notable bytes from `start` on (excluded bytes, `%` and `#`) are only the `#` of the
/// fragment and escapes, and every escape before `end` stays encoded.
#[cold]
fn are_notable_final(bytes: &[u8], mut start: usize, url: &Boundaries, end: u32) -> bool {
    let bytes = &bytes[..url.end as usize];
    while let Some(offset) = syntax::next_notable(bytes, start) {
        let is_final = match bytes[offset] {
            b'%' => escaped_byte(&bytes[offset + 1..])
                .is_some_and(|byte| offset >= end as usize || !syntax::is_unreserved(byte)),
            b'#' => offset == url.query_end as usize,
            _ => false,
        };
        if !is_final {
            return false;
        }
        start = offset + 1;
    }
    true
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
    use urlid_generators::Seeded;
    use urlid_simd::{Cpu, Kernels, Task};

    use super::super::canonical::{Canonical, canonicalize_by_rules};
    use super::super::{Variant, canonicalize};
    use super::*;

    struct PrefixOfLine<'t>(&'t [u8], u32, Keep);

    impl Task for PrefixOfLine<'_> {
        type Output = Option<(u32, Keep)>;

        #[inline(always)]
        fn run<S: Simd>(&mut self, simd: S) -> Self::Output {
            let boundaries = Boundaries::of_line(simd, self.0, true, 0..self.1);
            canonical_prefix_of_line(simd, self.0, &boundaries, self.2)
        }
    }

    /// Every text of a few pieces, both plain ones and ones that only look plain.
    fn texts() -> Vec<String> {
        let starts = ["http://", "https://", "HTTP://", "http:/", "ftp://", ""];
        let hosts = [
            "", "h", "a-b.c_d", "H", "h.", "1.2.3.04", "a1", "u@h", "h:80", "h:8080", "h:080", "h:443", "h:",
            "[::1]", "h%61", "\u{e9}",
        ];
        let paths = [
            "",
            "/",
            "/a/",
            "/index.html",
            "/a/index.htm",
            "/xindex.html",
            "/a b",
            "/%61",
            "/%2f",
            "/%2",
            "//",
            "/A",
            "/%20/%C3%a9",
            "/%c3%7e",
        ];
        let ends = [
            "",
            "?",
            "?q",
            "?q?r",
            "#",
            "#f",
            "?q#f",
            "?q#",
            "?#f",
            "#f#",
            "?index.html",
            "?/index.html",
            "?%41",
            "?%3d#%2f",
            "#%4",
            "#%5a",
        ];
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

    /// Texts of random pieces, many of which are plain.
    fn random_texts() -> Vec<String> {
        const PIECES: [&str; 24] = [
            "a",
            "b.c",
            "Z",
            ".",
            "/",
            "//",
            "?",
            "#",
            "%",
            "%4",
            "%41",
            "%2e",
            "%2F",
            "%c3%a9",
            "index.html",
            ":81",
            "@",
            "-",
            "_",
            "~",
            "'",
            " ",
            "\u{e9}",
            "0123456789012345678901234567890123456789012345678901234567890",
        ];
        let mut random = Seeded::new(3);
        let text = |_| {
            let start =
                random.one(&["http://h", "https://a.example", "ftp://h.example", "http://"]).to_owned();
            (0..random.below(8)).fold(start, |text, _| text + random.one(&PIECES))
        };
        (0..50_000).map(text).collect()
    }

    #[test]
    fn recognised_texts_match_the_rules() {
        let mut recognised = 0;
        let paths: Vec<_> = Cpu::available().filter_map(Kernels::new).collect();
        for text in texts().into_iter().chain(random_texts()) {
            let line = [text.as_bytes(), b"/#%", &[b'/'; 128]].concat();
            for keep in Keep::EACH {
                let by_rules = canonicalize_by_rules(String::new(), &text, None, keep, Variant::N);
                assert_eq!(canonicalize(&text, None, keep, Variant::N), by_rules, "{text}");
                let prefix = canonical_prefix(&text, keep);
                recognised += usize::from(prefix.is_some());
                for kernels in &paths {
                    let found = kernels.run(PrefixOfLine(&line, text.len() as u32, keep));
                    assert_eq!(found.map(|(end, kept)| (end as usize, kept)), prefix, "{text}");
                }
            }
        }
        assert!(recognised > 10_000, "{recognised}");
        let made = |text| canonicalize(text, None, Keep::QUERY, Variant::N).map(Canonical::into_string);
        assert_eq!(made("http://h/a?b").as_deref(), Ok("http://h/a?b"));
    }
}
