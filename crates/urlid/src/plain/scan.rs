//! The scan of a single text: one pass that finds the boundaries of a plain URL and checks its bytes.

use super::boundaries::{Boundaries, PlainScheme, scheme_of};
use super::host;

/// A plain URL: scheme and `://` in lower case, a host that is a name in plain bytes, maybe a port in normal
/// form, and parts of accepted bytes.
#[derive(Clone, Copy, Debug)]
pub struct PlainUrl<'t> {
    /// The whole text.
    pub text: &'t str,
    /// The scheme, which is one of three in lower case.
    pub scheme: PlainScheme,
    /// The byte offset of the end of the host.
    pub host_end: usize,
    /// The port, if one is written.
    pub port: Option<u16>,
    /// The offsets of the parts.
    pub boundaries: Boundaries,
}

/// The bytes that a system accepts after the authority.
pub enum Accepted {
    /// Every byte.
    Any,
    /// Every byte; the text has no `#`.
    AnyNoFragment,
    /// The bits of each byte: [`PATH`], [`INNER_PATH`], [`QUERY`], [`FRAGMENT`].
    Table(&'static [u8; 256]),
}

/// The byte may be in a path.
pub const PATH: u8 = 1;
/// The byte may be in a path, but not begin a segment.
pub const INNER_PATH: u8 = 2;
/// The byte may be in a query.
pub const QUERY: u8 = 4;
/// The byte may be in a fragment.
pub const FRAGMENT: u8 = 8;

/// The longest text that is scanned, so that offsets fit in 32 bits.
const LONGEST: usize = 1 << 30;

/// The authority of a plain URL, up to where it ends, whatever follows.
struct Authority {
    scheme: PlainScheme,
    start: usize,
    host_end: usize,
    port: Option<u16>,
    end: usize,
}

/// Recognises the authority of a plain URL.
#[inline(always)]
fn scan_authority(bytes: &[u8]) -> Option<Authority> {
    let (scheme, start) = scheme_of(bytes.first_chunk()?);
    let (scheme, start) = (scheme?, start as usize);
    let host_end = start + host::plain_len(bytes.get(start..)?);
    let (port, end) = match bytes.get(host_end) {
        Some(b':') => {
            host::port(&bytes[host_end + 1..]).map(|(port, len)| (Some(port), host_end + 1 + len))?
        }
        _ => (None, host_end),
    };
    host::ends_in_name(&bytes[..host_end]).then_some(Authority { scheme, start, host_end, port, end })
}

/// Returns the host of a URL whose authority is plain, whatever the other parts are.
#[inline]
pub fn host_of(text: &str) -> Option<&str> {
    let authority = scan_authority(text.as_bytes())?;
    let is_end = matches!(text.as_bytes().get(authority.end), None | Some(b'/' | b'?' | b'#'));
    // `Part::of` returns the errors of parsing, and from 4 GiB on a text is one.
    (is_end && text.len() <= LONGEST).then(|| &text[authority.start..authority.host_end])
}

/// Recognises a plain URL.
#[inline(always)]
pub fn scan<'t>(text: &'t str, accepted: &Accepted) -> Option<PlainUrl<'t>> {
    let bytes = text.as_bytes();
    let Authority { scheme, start: authority, host_end, port, end: authority_end } = scan_authority(bytes)?;
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
    // Offsets beyond 32 bits are cut off here, and dropped with the whole result below.
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
    /// Returns the offset of the first byte from the slash at `start` on that may not be in a path.
    #[inline(always)]
    fn path_end(&self, bytes: &[u8], start: usize) -> usize {
        match self {
            Self::Any => start + memchr::memchr2(b'?', b'#', &bytes[start..]).unwrap_or(bytes.len() - start),
            Self::AnyNoFragment => {
                start + memchr::memchr(b'?', &bytes[start..]).unwrap_or(bytes.len() - start)
            }
            Self::Table(table) => {
                let rest = &bytes[start..];
                // The first byte is the slash itself. What begins a segment comes after a slash, and needs
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

    /// Returns the offset of the first byte from `start` on that may not be in a query.
    #[inline(always)]
    fn query_end(&self, bytes: &[u8], start: usize) -> usize {
        match self {
            Self::Any => start + memchr::memchr(b'#', &bytes[start..]).unwrap_or(bytes.len() - start),
            Self::AnyNoFragment => bytes.len(),
            Self::Table(table) => skip(table, QUERY, bytes, start),
        }
    }

    /// Returns the offset of the first byte from `start` on that may not be in a fragment.
    #[inline(always)]
    fn fragment_end(&self, bytes: &[u8], start: usize) -> usize {
        match self {
            Self::Any | Self::AnyNoFragment => bytes.len(),
            Self::Table(table) => skip(table, FRAGMENT, bytes, start),
        }
    }
}

/// Returns the offset of the first byte from `start` on that lacks a bit.
#[inline(always)]
fn skip(table: &[u8; 256], bit: u8, bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start..];
    let length = rest.iter().position(|&byte| table[usize::from(byte)] & bit == 0);
    start + length.unwrap_or(rest.len())
}
