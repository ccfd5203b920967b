//! Recognises and copies URLs that are their own normal form, except that the slash of an empty path may be
//! missing.
//!
//! A scan recognises such URLs. The composition in `web` parses all others. Tests compare both.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::net::Ipv4Addr;

use urlid_simd::{AsciiSet, Simd, Window};

use super::path::has_dot_segments;
use super::url::Url;
use super::view::{Parts, UrlView};
use crate::escape::{self, SPECIAL_QUERY};
use crate::host::HostKind;
use crate::plain::{
    self, Accepted, Boundaries, FRAGMENT, INNER_PATH, PATH, PlainUrl, QUERY, first_bits, host, window,
};
use crate::reference::authority::default_port;

/// The bytes after the authority that are never escaped, in path, query and fragment. `?` and `#` end parts
/// there.
///
/// A URL with `\` or `'` is not recognised: `\` is a slash in a path, and `'` is escaped only in a query.
const AFTER_AUTHORITY: AsciiSet = escape::PATH.others().without(b'\\').without(b'\'').with(b"?#");

/// The difference between a URL and its normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlainForm {
    /// The URL is its normal form.
    Normal,
    /// The URL is a scheme and an authority, and lacks the slash of the empty path.
    Rootless,
    /// A scan cannot tell.
    Unrecognised,
}

impl PlainForm {
    /// Returns the form of a URL whose parts are all normal.
    #[inline(always)]
    fn of_normal_parts(url: &Boundaries) -> PlainForm {
        // A slash can be appended to the text, but cannot be inserted before a query or a fragment.
        match (url.authority_end == url.end, url.path().is_empty()) {
            (true, _) => PlainForm::Rootless,
            (false, false) => PlainForm::Normal,
            (false, true) => PlainForm::Unrecognised,
        }
    }
}

/// The bytes of each part that are their own normal form. A `.` or an escape may start a dot segment.
static ACCEPTED: Accepted = Accepted::Table(&{
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let byte = index as u8;
        table[index] = match byte {
            b'.' | b'%' => INNER_PATH,
            b'\\' => 0,
            _ => PATH * !escape::PATH.contains(byte) as u8,
        };
        table[index] |= QUERY * !SPECIAL_QUERY.contains(byte) as u8;
        table[index] |= FRAGMENT * !escape::FRAGMENT.contains(byte) as u8;
        index += 1;
    }
    table
});

/// Recognises a URL by a scan. Returns the difference from its normal form. The host is a name.
#[inline]
fn recognise(text: &str) -> Option<(PlainUrl<'_>, PlainForm)> {
    let url = plain::scan(text, &ACCEPTED)?;
    let has_default_port = url.port.is_some() && url.port == default_port(url.scheme.name());
    let form = PlainForm::of_normal_parts(&url.boundaries);
    (form != PlainForm::Unrecognised && !has_default_port).then_some((url, form))
}

/// Appends the normal form of a URL that a scan recognises, and returns true. Otherwise returns
/// false and leaves `out` unchanged.
pub fn push_normal(text: &str, out: &mut String) -> bool {
    let form = recognise(text).map(|(_, form)| form);
    if form.is_some() {
        out.push_str(text);
    }
    if form == Some(PlainForm::Rootless) {
        out.push('/');
    }
    form.is_some()
}

/// Parses a URL that a scan recognises.
#[inline]
pub(super) fn parse(text: &str) -> Option<Url> {
    let (url, form) = recognise(text)?;
    let parts = parts_of(&url);
    Some(match form {
        PlainForm::Rootless => {
            let [path_end, query_end] = [parts.path_end + 1, parts.query_end + 1];
            Url::from_parts([text, "/"].concat(), Parts { path_end, query_end, ..parts })
        }
        _ => Url::from_parts(text.to_owned(), parts),
    })
}

/// Returns a text and its parts, if a scan recognises the text as a URL in normal form.
#[inline]
pub(super) fn view(text: &str) -> Option<UrlView<'_>> {
    let (url, form) = recognise(text)?;
    (form == PlainForm::Normal).then(|| UrlView { text, parts: parts_of(&url) })
}

#[inline(always)]
fn parts_of(url: &PlainUrl<'_>) -> Parts {
    let Boundaries { authority, authority_end, path_end, query_end, .. } = url.boundaries;
    Parts {
        scheme_end: authority as usize - "//".len(),
        user_end: authority as usize,
        host_start: authority as usize,
        host_end: url.host_end,
        path_start: authority_end as usize,
        path_end: path_end as usize,
        query_end: query_end as usize,
        host: Some(HostKind::Domain),
        port: url.port,
    }
}

/// Returns the form of a line that is followed by padding.
#[inline(always)]
pub(crate) fn form_of_line<S: Simd>(simd: S, bytes: &[u8], line: &Boundaries) -> PlainForm {
    let Some(scheme) = line.scheme else { return PlainForm::Unrecognised };
    // If there is a port, the last label is read with the port as if that were a part of the label.
    // `end_before_port` then checks the host without the port.
    if !(host::ends_in_name(&bytes[..line.authority_end as usize]) || is_address(&bytes[line.authority()])) {
        return PlainForm::Unrecognised;
    }
    let is_normal = is_normal_line(simd, bytes, line, line.authority_end)
        || host::end_before_port(bytes, line.authority(), scheme.name())
            .is_some_and(|end| is_normal_line(simd, bytes, line, end));
    if is_normal { PlainForm::of_normal_parts(line) } else { PlainForm::Unrecognised }
}

/// Returns whether a host is an IPv4 address in its normal form.
#[cold]
fn is_address(host: &[u8]) -> bool {
    // The standard library reads exactly four decimal numbers without leading zeros.
    str::from_utf8(host).is_ok_and(|host| host.parse::<Ipv4Addr>().is_ok())
}

/// Returns whether the host has plain bytes, every byte after the authority stays unescaped in all parts, and
/// the path has no dot segments. The bytes between `host_end` and the end of the authority are ignored.
#[inline(always)]
fn is_normal_line<S: Simd>(simd: S, bytes: &[u8], line: &Boundaries, host_end: u32) -> bool {
    let mut offset = line.authority;
    let (mut slash_before, mut may_have_dots) = (0, 0);
    while offset < line.end {
        let window = simd.window(window(bytes, offset));
        let [host, authority, path, all] =
            [host_end, line.authority_end, line.path_end, line.end].map(|end| first_bits(end, offset));
        let slashes = window.equal(b'/');
        // Bit i is byte i of the window, so `<< 1` marks the byte after a slash and `>> 1` the byte before a
        // `2`. `slash_before` carries over from the previous window. `%2` may start an escaped dot, and so
        // may a `%` at the end of the window.
        let escapes = window.equal(b'%') & (window.equal(b'2') >> 1 | 1 << 63);
        let dots = (slashes << 1 | slash_before) & (window.equal(b'.') | escapes);
        let bad = host & !window.within(&host::BYTES) | all & !authority & !window.within(&AFTER_AUTHORITY);
        if bad != 0 {
            return false;
        }
        may_have_dots |= path & !authority & dots;
        slash_before = slashes >> 63;
        offset += 64;
    }
    may_have_dots == 0 || is_free_of_dots(&bytes[line.path()])
}

/// Returns whether a path has no dot segments, although some segment starts with a possible dot.
#[cold]
fn is_free_of_dots(path: &[u8]) -> bool {
    !has_dot_segments(path)
}

#[cfg(test)]
mod tests {
    use urlid_generators::Seeded;

    use super::*;
    use crate::suffix::SuffixList;
    use crate::web::parse::{join_composed, parse_composed};
    use crate::web::{Part, UrlParts};

    /// Pieces that are plain, and pieces that only look plain.
    const PIECES: [&str; 50] = [
        "http://",
        "https://",
        "ftp://",
        "http:/",
        "HTTP://",
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
        ":21",
        ":08",
        ":0",
        ":65535",
        ":65536",
        "/",
        "//",
        "/.",
        "/..",
        "/%2e",
        "/%2E.",
        "/%41",
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
    fn recognised_texts_match_the_composition() {
        let mut random = Seeded::new(1);
        let bases = ["http://h/a?b#c", "https://u@h:8/a/b", "file:///C:/a", "s://h/a", "mailto:a"];
        let bases = bases.map(|base| parse_composed(base).expect("it is a URL"));
        let mut recognised = 0;
        for _ in 0..200_000 {
            let mut text = random.one(&PIECES[..4]).to_owned();
            (0..random.below(7)).for_each(|_| text += random.one(&PIECES));
            if let Some(url) = parse(&text) {
                for base in &bases {
                    assert_eq!(Ok(&url), join_composed(base, &text).as_ref(), "{text:?} against {base}");
                }
                assert_eq!(Ok(url), parse_composed(&text), "{text:?}");
                recognised += 1;
            }
        }
        assert!(recognised > 1_000, "the pieces make too few plain texts: {recognised}");
    }

    #[test]
    fn the_parts_of_a_text_match_its_url() {
        let (mut random, list) = (Seeded::new(2), SuffixList::compiled());
        for _ in 0..100_000 {
            let mut text = random.one(&PIECES[..4]).to_owned();
            (0..random.below(7)).for_each(|_| text += random.one(&PIECES));
            let url = parse_composed(&text).ok();
            let of_url = url.as_ref().map(|url| UrlParts::new(url, list));
            let mut parsed = None;
            let of_text = UrlParts::parse(&text, list, &mut parsed).ok();
            assert_eq!(of_text.as_ref().map(UrlParts::as_str), url.as_ref().map(Url::as_str), "{text:?}");
            assert_eq!(of_text.as_ref().map(UrlParts::all), of_url.as_ref().map(UrlParts::all), "{text:?}");
            for part in Part::ALL {
                let one = part.of(&text, list);
                let expected = of_url.as_ref().map(|parts| parts.get(part));
                assert_eq!(one.as_ref().ok().map(Option::as_deref), expected, "{text:?}");
            }
            for (part, value) in Part::ALL.into_iter().zip(of_url.iter().flat_map(|parts| parts.all())) {
                assert_eq!(of_url.as_ref().and_then(|parts| parts.get(part)), value, "{text:?}");
            }
        }
    }

    #[test]
    fn plain_texts_are_recognised_and_others_are_not() {
        for text in ["http://h", "https://a.b_c/", "ftp://ftp:80/a%41?/./%#?", "http://h/a.b/E%E4.?q#"] {
            assert!(parse(text).is_some(), "{text:?}");
        }
        for text in [
            "",
            "http://",
            "http://h:80/",
            "http://1/",
            "http://h/./",
            "http://h/%2e",
            "http://h?q",
            "http://é/",
            "http://h/?'",
            "http://h/ ",
            "http://h/?\u{7f}",
            "http://h/#`",
        ] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn plain_bytes_are_escaped_in_no_part_that_can_hold_them() {
        for byte in (0..=255).filter(|&byte| AFTER_AUTHORITY.contains(byte)) {
            assert!(byte == b'?' || byte == b'#' || !escape::PATH.contains(byte), "{byte:#x} in a path");
            assert!(byte == b'#' || !SPECIAL_QUERY.contains(byte), "{byte:#x} in a query");
            assert!(!escape::FRAGMENT.contains(byte), "{byte:#x} in a fragment");
        }
        let has = |byte| AFTER_AUTHORITY.contains(byte);
        assert!(has(b'%') && has(b'|') && !has(b'\\') && !has(0x80));
    }
}
