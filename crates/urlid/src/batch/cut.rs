//! Where the parts of each line are: scheme, authority, path, query and fragment (RFC 3986, Appendix B).

use urlid_simd::{Simd, Task, Window};

use super::text::{Line, Text, window};
use crate::sxurl::Scheme;

/// The offsets of a URL's parts in its text.
///
/// ```text
/// https://www.example.com:8080/path?query#fragment
///         |                   |    |     |       |
///     authority    authority_end   |  query_end  line end
///                              path_end
/// ```
///
/// There is a query if `path_end` is before `query_end`, a fragment if that is before the end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) authority: u32,
    pub(super) authority_end: u32,
    pub(super) path_end: u32,
    pub(super) query_end: u32,
    pub(super) end: u32,
    /// The scheme, if it is written in lower case, with `://` behind it.
    pub(super) scheme: Option<Scheme>,
}

impl Cut {
    /// Returns the length of the authority.
    #[inline]
    pub(super) fn authority_len(&self) -> usize {
        (self.authority_end - self.authority) as usize
    }
}

/// Cuts lines.
pub(super) struct CutLines<'t> {
    pub(super) text: Text<'t>,
    pub(super) lines: &'t [Line],
    pub(super) cuts: &'t mut Vec<Cut>,
}

impl Task for CutLines<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let (bytes, is_utf8) = (self.text.bytes(), self.text.is_utf8());
        self.cuts.clear();
        for &line in self.lines {
            self.cuts.push(cut(simd, bytes, is_utf8, line));
        }
    }
}

/// Bytes of a line that are looked at together; most lines have less.
const AT_ONCE: u32 = 128;

/// Cuts a line.
#[inline(always)]
fn cut<S: Simd>(simd: S, bytes: &[u8], is_utf8: bool, line: Line) -> Cut {
    let first = window(bytes, line.start as usize);
    let windows = [simd.window(first), simd.window(window(bytes, line.start as usize + 64))];
    let (scheme, authority) = scheme_of(first);
    let behind = u128::MAX.unbounded_shl(line.len() as u32);
    // All but the bytes of the scheme, which are among the first eight.
    let searched = u128::MAX ^ u128::from(!(u64::MAX << authority));
    // The place of the first one, or `AT_ONCE`.
    let from = |places: u128| ((places | behind) & searched).trailing_zeros();

    let hashes = both(windows, |window| window.equal(b'#'));
    let questions = both(windows, |window| window.equal(b'?'));
    let slashes = both(windows, |window| window.equal(b'/'));
    let is_text = is_utf8 || both(windows, |window| window.non_ascii()) & !behind == 0;
    let mut cut = Cut {
        authority: line.start + authority,
        authority_end: line.start + from(slashes | questions | hashes),
        path_end: line.start + from(questions | hashes),
        query_end: line.start + from(hashes),
        end: line.end,
        scheme: scheme.filter(|_| is_text),
    };
    if line.len() > AT_ONCE as usize {
        cut_further(simd, bytes, is_utf8, line, &mut cut);
    }
    cut
}

/// Asks both windows.
#[inline(always)]
fn both<W: Window>([low, high]: [W; 2], question: impl Fn(W) -> u64) -> u128 {
    u128::from(question(low)) | u128::from(question(high)) << 64
}

/// Looks for the ends that were not among the first bytes of a longer line.
#[inline(always)]
fn cut_further<S: Simd>(simd: S, bytes: &[u8], is_utf8: bool, line: Line, cut: &mut Cut) {
    let beyond = line.start + AT_ONCE;
    let find = Find { simd, bytes, end: line.end };
    if cut.query_end == beyond {
        cut.query_end = find.from(beyond, |window| window.equal(b'#'));
        if cut.path_end == beyond {
            let find = Find { end: cut.query_end, ..find };
            cut.path_end = find.from(beyond, |window| window.equal(b'?'));
            if cut.authority_end == beyond {
                let find = Find { end: cut.path_end, ..find };
                cut.authority_end = find.from(beyond, |window| window.equal(b'/'));
            }
        }
    }
    if !is_utf8 && find.from(beyond, |window| window.non_ascii()) < line.end {
        cut.scheme = None;
    }
}

/// Finds bytes, window by window.
#[derive(Clone, Copy)]
struct Find<'t, S> {
    simd: S,
    bytes: &'t [u8],
    end: u32,
}

impl<S: Simd> Find<'_, S> {
    /// Returns the offset of the first byte from `offset` on that the question is true of, or the end.
    #[inline(always)]
    fn from(&self, mut offset: u32, question: impl Fn(S::Window) -> u64) -> u32 {
        while offset < self.end {
            let places = question(self.simd.window(window(self.bytes, offset as usize)));
            if places != 0 {
                return self.end.min(offset + places.trailing_zeros());
            }
            offset += 64;
        }
        self.end
    }
}

/// Returns the scheme in lower case that the bytes begin with, and the length of it and `://`.
///
/// The bytes may be more than the line. A scheme that only its neighbour completes leaves no authority, which is for the plain
/// path.
#[inline(always)]
fn scheme_of(bytes: &[u8; 64]) -> (Option<Scheme>, u32) {
    let [http, https, ftp] = [b"http://\0", b"https://", b"ftp://\0\0"].map(|name| u64::from_le_bytes(*name));
    let (first, _) = bytes.split_first_chunk().expect("a window has more than eight bytes");
    let first = u64::from_le_bytes(*first);
    // Both are common and in random order: a question that is answered without a jump.
    let is_https = first == https;
    if is_https | (first & (u64::MAX >> 8) == http) {
        (Some(if is_https { Scheme::Https } else { Scheme::Http }), 7 + u32::from(is_https))
    } else if first & (u64::MAX >> 16) == ftp {
        (Some(Scheme::Ftp), 6)
    } else {
        (None, 0)
    }
}
