//! The boundaries of a URL's parts in its text: scheme, authority, path, query and fragment (RFC 3986,
//! Appendix B). The scan of a single text is one pass that finds the boundaries of a plain URL and checks its
//! bytes.

use core::ops::Range;

use urlid_simd::{Simd, Window};

use super::host;

/// A scheme of plain URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainScheme {
    /// `https`.
    Https,
    /// `http`.
    Http,
    /// `ftp`.
    Ftp,
}

impl PlainScheme {
    /// Returns the name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            PlainScheme::Https => "https",
            PlainScheme::Http => "http",
            PlainScheme::Ftp => "ftp",
        }
    }
}

/// The offsets of a URL's parts in its text.
///
/// ```text
/// https://www.example.com:8080/path?query#fragment
///         |                   |    |     |       |
///     authority    authority_end   |  query_end end
///                              path_end
/// ```
///
/// There is a query if `path_end` is before `query_end`, and a fragment if `query_end` is before `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boundaries {
    /// The offset after `://`.
    pub authority: u32,
    /// The end of the authority: the offset of the path's slash, or of the next delimiter.
    pub authority_end: u32,
    /// The end of the path: the offset of the `?` or `#`, or `end`.
    pub path_end: u32,
    /// The end of the query: the offset of the `#`, or `end`.
    pub query_end: u32,
    /// The length of the text.
    pub end: u32,
    /// The scheme, if it is in lower case and followed by `://`, and the whole text is UTF-8.
    pub scheme: Option<PlainScheme>,
}

impl Boundaries {
    /// Finds the boundaries of a line of `bytes`, which must continue for 128 bytes after the line.
    ///
    /// Only the scheme is checked, and an authority may be empty.
    #[inline(always)]
    pub fn of_line<S: Simd>(simd: S, bytes: &[u8], is_utf8: bool, line: Range<u32>) -> Boundaries {
        let first = window(bytes, line.start);
        let windows = [simd.window(first), simd.window(window(bytes, line.start + 64))];
        let (scheme, authority) = scheme_of(first.first_chunk().expect("a window has more than eight bytes"));
        let len = line.end - line.start;
        // All bits after the line count as found, so a part without a delimiter ends at the end of the line.
        let behind = u128::MAX.unbounded_shl(len);
        // Excludes the bytes of the scheme, which are among the first eight.
        let searched = u128::MAX ^ u128::from(!(u64::MAX << authority));
        // Returns the offset of the first of these bytes, or `WINDOWS`.
        let first_of = |bytes: u128| ((bytes | behind) & searched).trailing_zeros();

        let hashes = both(windows, |window| window.equal(b'#'));
        let questions = both(windows, |window| window.equal(b'?'));
        let slashes = both(windows, |window| window.equal(b'/'));
        let is_text = is_utf8 || both(windows, |window| window.non_ascii()) & !behind == 0;
        // Each part ends at the first delimiter of its own or a later part. A `?` after the `#` does not
        // start a query.
        let mut boundaries = Boundaries {
            authority: line.start + authority,
            authority_end: line.start + first_of(slashes | questions | hashes),
            path_end: line.start + first_of(questions | hashes),
            query_end: line.start + first_of(hashes),
            end: line.end,
            scheme: scheme.filter(|_| is_text),
        };
        if len > WINDOWS {
            boundaries.search_further(simd, bytes, is_utf8, line.start + WINDOWS);
        }
        boundaries
    }

    /// Searches the rest of a longer line for the boundaries that were not found before `offset`.
    #[inline(always)]
    fn search_further<S: Simd>(&mut self, simd: S, bytes: &[u8], is_utf8: bool, offset: u32) {
        let search = Search { simd, bytes, end: self.end };
        // An end that equals `offset` has not been found yet. The `#` is searched first. If the first windows
        // contained it, all three ends are known. Otherwise each search below stops at the end of the part
        // that contains it.
        if self.query_end == offset {
            self.query_end = search.first(offset, |window| window.equal(b'#'));
            if self.path_end == offset {
                let search = Search { end: self.query_end, ..search };
                self.path_end = search.first(offset, |window| window.equal(b'?'));
                if self.authority_end == offset {
                    let search = Search { end: self.path_end, ..search };
                    self.authority_end = search.first(offset, |window| window.equal(b'/'));
                }
            }
        }
        if !is_utf8 && search.first(offset, |window| window.non_ascii()) < self.end {
            self.scheme = None;
        }
    }

    /// Returns the range of the authority.
    #[inline(always)]
    pub fn authority(&self) -> Range<usize> {
        self.authority as usize..self.authority_end as usize
    }

    /// Returns the range of the path.
    #[inline(always)]
    pub fn path(&self) -> Range<usize> {
        self.authority_end as usize..self.path_end as usize
    }
}

/// Returns the 64 bytes that start at `offset`, which is at most 64 bytes after the end of a line.
#[inline(always)]
pub fn window(bytes: &[u8], offset: u32) -> &[u8; 64] {
    bytes[offset as usize..].first_chunk().expect("there are two windows behind every line")
}

/// Returns a mask of the bytes before `end` in the window at `offset`.
#[inline(always)]
pub fn first_bits(end: u32, offset: u32) -> u64 {
    !u64::MAX.unbounded_shl(end.saturating_sub(offset))
}

/// The number of bytes of a line that are searched together. Most lines are shorter.
const WINDOWS: u32 = 128;

#[inline(always)]
fn both<W: Window>([low, high]: [W; 2], mask: impl Fn(W) -> u64) -> u128 {
    u128::from(mask(low)) | u128::from(mask(high)) << 64
}

/// A search that reads one window at a time.
#[derive(Clone, Copy)]
struct Search<'t, S> {
    simd: S,
    bytes: &'t [u8],
    end: u32,
}

impl<S: Simd> Search<'_, S> {
    /// Returns the offset of the first byte at or after `offset` that is in the mask of its window, or the
    /// end.
    #[inline(always)]
    fn first(&self, mut offset: u32, mask: impl Fn(S::Window) -> u64) -> u32 {
        while offset < self.end {
            let bytes = mask(self.simd.window(window(self.bytes, offset)));
            if bytes != 0 {
                return self.end.min(offset + bytes.trailing_zeros());
            }
            offset += 64;
        }
        self.end
    }
}

/// Returns the lower-case scheme at the start of the bytes, and the combined length of the scheme and `://`.
///
/// The bytes may extend beyond the line. If bytes after the line complete a scheme, the line has an empty
/// authority, and every system rejects those.
#[inline(always)]
pub(super) fn scheme_of(bytes: &[u8; 8]) -> (Option<PlainScheme>, u32) {
    let first = u64::from_le_bytes(*bytes);
    // `http` and `https` are both common and in random order, so a branch would often be mispredicted. The
    // code shifts the `s` out instead.
    let is_https = bytes[4] == b's';
    let behind_name = first >> (32 + 8 * u32::from(is_https));
    // The first byte of the text is the lowest byte of the number:
    //
    //   http://x    first  x  /  /  :  p  t  t  h     first >> 32   x  /  /  :
    //   https://    first  /  /  :  s  p  t  t  h     first >> 40      /  /  :
    if (first as u32 == u32::from_le_bytes(*b"http")) & (behind_name & 0xff_ffff == SEPARATOR) {
        (Some(if is_https { PlainScheme::Https } else { PlainScheme::Http }), 7 + u32::from(is_https))
    } else if first & (u64::MAX >> 16) == u64::from_le_bytes(*b"ftp://\0\0") {
        (Some(PlainScheme::Ftp), 6)
    } else {
        (None, 0)
    }
}

/// The bytes `://` as a number.
const SEPARATOR: u64 = u64::from_le_bytes(*b"://\0\0\0\0\0");

/// A plain URL: scheme and `://` in lower case, a host that is a name in plain bytes, an optional port in
/// normal form, and parts of accepted bytes.
#[derive(Clone, Copy, Debug)]
pub struct PlainUrl<'t> {
    /// The whole text.
    pub text: &'t str,
    /// The scheme, which is one of three in lower case.
    pub scheme: PlainScheme,
    /// The byte offset of the end of the host.
    pub host_end: usize,
    /// The port, if there is one.
    pub port: Option<u16>,
    /// The offsets of the parts.
    pub boundaries: Boundaries,
}

/// The bytes that a system accepts after the authority.
pub enum Accepted {
    /// Every byte.
    Any,
    /// Every byte. The text has no `#`.
    AnyNoFragment,
    /// The bits of each byte: [`PATH`], [`INNER_PATH`], [`QUERY`], [`FRAGMENT`].
    Table(&'static [u8; 256]),
}

/// The byte may be in a path.
pub const PATH: u8 = 1;
/// The byte may be in a path, but not at the start of a segment.
pub const INNER_PATH: u8 = 2;
/// The byte may be in a query.
pub const QUERY: u8 = 4;
/// The byte may be in a fragment.
pub const FRAGMENT: u8 = 8;

/// The longest text that is scanned, so that offsets fit in 32 bits.
const LONGEST: usize = 1 << 30;

/// The authority of a plain URL up to its end. Any byte may follow.
struct PlainAuthority {
    scheme: PlainScheme,
    start: usize,
    host_end: usize,
    port: Option<u16>,
    end: usize,
}

/// Recognises the authority of a plain URL.
#[inline(always)]
fn scan_authority(bytes: &[u8]) -> Option<PlainAuthority> {
    let (scheme, start) = scheme_of(bytes.first_chunk()?);
    let (scheme, start) = (scheme?, start as usize);
    let host_end = start + host::plain_len(bytes.get(start..)?);
    let (port, end) = match bytes.get(host_end) {
        Some(b':') => {
            host::port(&bytes[host_end + 1..]).map(|(port, len)| (Some(port), host_end + 1 + len))?
        }
        _ => (None, host_end),
    };
    host::ends_in_name(&bytes[..host_end]).then_some(PlainAuthority { scheme, start, host_end, port, end })
}

/// Returns the host of a URL with a plain authority. The other parts may be anything.
#[inline]
pub fn host_of(text: &str) -> Option<&str> {
    let authority = scan_authority(text.as_bytes())?;
    let is_end = matches!(text.as_bytes().get(authority.end), None | Some(b'/' | b'?' | b'#'));
    // For a text of 4 GiB or more, `Part::of` has to return the parser's error.
    (is_end && text.len() <= LONGEST).then(|| &text[authority.start..authority.host_end])
}

/// Recognises a plain URL.
#[inline(always)]
pub fn scan<'t>(text: &'t str, accepted: &Accepted) -> Option<PlainUrl<'t>> {
    let bytes = text.as_bytes();
    let PlainAuthority { scheme, start: authority, host_end, port, end: authority_end } =
        scan_authority(bytes)?;
    let path_end = match bytes.get(authority_end) {
        Some(b'/') => accepted.path_end(bytes, authority_end),
        _ => authority_end,
    };
    let query_end = match bytes.get(path_end) {
        Some(b'?') => accepted.query_end(bytes, path_end + 1),
        _ => path_end,
    };
    let end = match bytes.get(query_end) {
        Some(b'#') => accepted.fragment_end(bytes, query_end + 1),
        _ => query_end,
    };
    let is_whole = end == bytes.len() && end <= LONGEST;
    // Offsets beyond 32 bits are truncated here, and the check below then drops the whole result.
    let [authority, authority_end, path_end, query_end, end] =
        [authority, authority_end, path_end, query_end, end].map(|offset| offset as u32);
    let boundaries = Boundaries { authority, authority_end, path_end, query_end, end, scheme: Some(scheme) };
    is_whole.then_some(PlainUrl { text, scheme, host_end, port, boundaries })
}

impl<'t> PlainUrl<'t> {
    /// Returns the host, without a port.
    pub fn host(&self) -> &'t str {
        &self.text[self.boundaries.authority as usize..self.host_end]
    }
}

impl Accepted {
    /// Returns the offset of the first byte, starting at the slash at `start`, that may not be in a path.
    #[inline(always)]
    fn path_end(&self, bytes: &[u8], start: usize) -> usize {
        match self {
            Self::Any => start + memchr::memchr2(b'?', b'#', &bytes[start..]).unwrap_or(bytes.len() - start),
            Self::AnyNoFragment => {
                start + memchr::memchr(b'?', &bytes[start..]).unwrap_or(bytes.len() - start)
            }
            Self::Table(table) => {
                let rest = &bytes[start..];
                // The first byte is the slash itself. The byte after a slash starts a segment and needs
                // `PATH`.
                let mut accepted = PATH | INNER_PATH;
                let length = rest.iter().position(|&byte| {
                    let is_accepted = table[usize::from(byte)] & accepted != 0;
                    accepted = if byte == b'/' { PATH } else { PATH | INNER_PATH };
                    !is_accepted
                });
                start + length.unwrap_or(rest.len())
            }
        }
    }

    /// Returns the offset of the first byte at or after `start` that may not be in a query.
    #[inline(always)]
    fn query_end(&self, bytes: &[u8], start: usize) -> usize {
        match self {
            Self::Any => start + memchr::memchr(b'#', &bytes[start..]).unwrap_or(bytes.len() - start),
            Self::AnyNoFragment => bytes.len(),
            Self::Table(table) => skip(table, QUERY, bytes, start),
        }
    }

    /// Returns the offset of the first byte at or after `start` that may not be in a fragment.
    #[inline(always)]
    fn fragment_end(&self, bytes: &[u8], start: usize) -> usize {
        match self {
            Self::Any | Self::AnyNoFragment => bytes.len(),
            Self::Table(table) => skip(table, FRAGMENT, bytes, start),
        }
    }
}

/// Returns the offset of the first byte at or after `start` that lacks a bit.
#[inline(always)]
fn skip(table: &[u8; 256], bit: u8, bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..];
    let length = rest.iter().position(|&byte| table[usize::from(byte)] & bit == 0);
    start + length.unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::{Accepted, scan};
    use urlid_simd::{Cpu, Kernels, Task};

    /// Finds the boundaries of a line.
    struct OfLine<'t>(&'t [u8], Range<u32>);

    impl Task for OfLine<'_> {
        type Output = Boundaries;

        #[inline(always)]
        fn run<S: Simd>(&mut self, simd: S) -> Boundaries {
            Boundaries::of_line(simd, self.0, true, self.1.clone())
        }
    }

    #[test]
    fn boundaries_in_a_line_match_boundaries_in_its_text() {
        let fillers = ["", "a", &"x".repeat(61), &"ü".repeat(70)];
        let mut scanned = 0;
        for scheme in
            ["https://h", "http://host.example:8080", "ftp://ftp", "HTTP://h", "https://", "http", ""]
        {
            for ends in ["", "/", "?", "#", "/?", "/#", "?#", "#?", "?/", "#/", "/?#", "#?/", "/?#/?#"] {
                for filler in fillers {
                    let parts: Vec<String> = ends.chars().map(|end| format!("{end}{filler}")).collect();
                    let text = [scheme, &parts.concat()].concat();
                    let Some(url) = scan(&text, &Accepted::Any) else { continue };
                    scanned += 1;
                    let end = text.len() as u32;
                    for kernels in Cpu::available().filter_map(Kernels::new) {
                        let bytes = [text.as_bytes(), b"s://a?b#c/", &[b'/'; 128]].concat();
                        assert_eq!(kernels.run(OfLine(&bytes, 0..end)), url.boundaries, "{text:?}");
                    }
                }
            }
        }
        assert_eq!(scanned, 3 * 13 * 4);
    }

    #[test]
    fn a_scheme_completed_only_by_the_next_bytes_lacks_an_authority() {
        for (text, behind) in [("http", "s://a/b"), ("https:/", "/a"), ("http:", "//a?b")] {
            let bytes = [text.as_bytes(), behind.as_bytes(), &[b'/'; 128]].concat();
            for kernels in Cpu::available().filter_map(Kernels::new) {
                assert!(kernels.run(OfLine(&bytes, 0..text.len() as u32)).authority().is_empty(), "{text:?}");
            }
        }
    }
}
