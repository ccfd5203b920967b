//! Maps a URL's host to a DNS name in ASCII (SXURL, section 3; S-4 to S-10).

use alloc::borrow::Cow;

use urlid_simd::{Simd, Window, ascii_text};

use super::error;
use crate::error::Error;
use crate::host::{DomainProfile, domain_to_ascii, ends_in_number};
use crate::plain::{self, Accepted, host};

/// The length of the longest host that is mapped. Longer hosts are always errors, so mapping them would be
/// wasted work.
const LONGEST_RAW: usize = 4096;
/// The length of the longest host in ASCII (section 3).
const LONGEST: usize = 255;
/// The length of the longest label in ASCII (section 3).
const LONGEST_LABEL: usize = 63;

/// A text that is its own DNS name, so [`map`] returns it unchanged.
///
/// It consists of plain bytes, in labels of a valid length. No label is in Punycode, and the last label does
/// not start with a digit. Most hosts are plain names, and one pass detects them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainName<'a>(&'a str);

impl<'a> PlainName<'a> {
    /// Recognises a plain name.
    #[inline]
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (mut label_start, mut all) = (0, 0);
        for (offset, &byte) in bytes.iter().enumerate() {
            let kind = KIND[usize::from(byte)];
            all |= kind;
            if kind == DOT {
                if !is_plain_label(&bytes[label_start..offset]) {
                    return None;
                }
                label_start = offset + 1;
            }
        }
        let last = &bytes[label_start..];
        let is_plain = all & BAD_IN_LABEL == 0
            && bytes.len() <= LONGEST
            && is_plain_label(last)
            // A label that starts with a digit may be a number such as `0x7f`. `map` decides about such
            // hosts.
            && !last.first().is_some_and(u8::is_ascii_digit);
        is_plain.then_some(PlainName(text))
    }

    /// Recognises a plain name in the first `len` bytes of a window, at most 63.
    ///
    /// It computes [`PlainName::parse`] with a few comparisons, except that it rejects names with a label
    /// that starts with `x`.
    #[inline(always)]
    pub(crate) fn of_window<S: Simd>(simd: S, bytes: &'a [u8; 64], len: usize) -> Option<Self> {
        let window = simd.window(bytes);
        let text = ascii_text(simd, bytes, len)?;
        // Each bit is a byte, with the first byte on the right. For `a.xy` (len 4):
        //
        //   all          0000 1111    the bytes of the name
        //   dots         0000 0010
        //   starts       0000 0101    starts of labels: byte 0 and the byte after each dot
        //   bad_starts   1111 0110    `x` (maybe `xn--`), `.` (an empty label), and all bits after the name
        //                             (a final dot starts a label there)
        //
        // The name is at most 63 bytes long, so every label has a valid length.
        let len = len as u32;
        let all = !u64::MAX.unbounded_shl(len);
        let dots = window.equal(b'.') & all;
        let starts = dots << 1 | 1;
        let bad_starts = window.equal(b'x') | window.equal(b'.') | u64::MAX.unbounded_shl(len);
        // `| 1` is the label at byte 0, so that there is a highest bit even for an empty name.
        let last_start = 63 - (starts & all | 1).leading_zeros();
        let is_plain = len < 64
            && all & !window.within(&host::BYTES) == 0
            && starts & bad_starts == 0
            && !bytes[last_start as usize].is_ascii_digit();
        is_plain.then_some(PlainName(text))
    }

    /// Returns the text.
    pub(crate) fn as_str(self) -> &'a str {
        self.0
    }
}

#[inline]
fn is_plain_label(label: &[u8]) -> bool {
    (1..=LONGEST_LABEL).contains(&label.len()) && !(label[0] == b'x' && label.starts_with(b"xn--"))
}

const BAD_IN_LABEL: u8 = 1;
const DOT: u8 = 2;

/// The role of each byte in [`PlainName::parse`].
static KIND: [u8; 256] = {
    let mut kinds = [BAD_IN_LABEL; 256];
    let mut byte = 0;
    while byte < 256 {
        if host::BYTES.contains(byte as u8) {
            kinds[byte] = if byte as u8 == b'.' { DOT } else { 0 };
        }
        byte += 1;
    }
    kinds
};

/// Maps a host and checks it: first that it is a DNS name, then its lengths.
pub(crate) fn map(raw: &str) -> Result<Cow<'_, str>, Error> {
    if raw.is_empty() || raw.len() > LONGEST_RAW {
        return Err(error::HOST_LENGTH.error().with_shown(raw.len()));
    }
    if raw.starts_with('[') {
        return Err(error::ADDRESS_LITERAL.found(raw));
    }
    let host = domain_to_ascii(raw, DomainProfile::CheckedPunycode)?;
    if ends_in_number(&host) {
        return Err(error::ADDRESS_LITERAL.found(raw));
    }
    // S-10: the lengths are checked last and in ASCII, because mapping may have made the host longer or
    // shorter.
    check_lengths(&host)?;
    Ok(host)
}

fn check_lengths(host: &str) -> Result<(), Error> {
    let is_bad = |label: &&str| label.is_empty() || label.len() > LONGEST_LABEL;
    if let Some(label) = host.split('.').find(is_bad) {
        return Err(error::label_length(label, host));
    }
    if host.len() > LONGEST { Err(error::HOST_LENGTH.error().with_shown(host.len())) } else { Ok(()) }
}

/// Returns whether a scan shows that a URL is its own normal text. `false` does not prove the contrary.
///
/// Programs that store normal texts need not parse a URL that is recognised.
pub fn is_plain_normal_text(url: &str) -> bool {
    let Some(url) = plain::scan(url, &Accepted::Any) else { return false };
    let parts = &url.boundaries;
    // An empty query or fragment is not printed.
    let is_printed = |start: u32, end: u32| end - start != 1;
    // Port 0 is an error (S-9), and an empty path is printed as `/`.
    url.port != Some(0)
        && !parts.path().is_empty()
        && is_printed(parts.path_end, parts.query_end)
        && is_printed(parts.query_end, parts.end)
        && PlainName::parse(url.host()).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlid_simd::{Cpu, Kernels, Task};

    /// Recognises a plain name in a window.
    struct OfWindow<'t>(&'t [u8; 64], usize);

    impl<'t> Task for OfWindow<'t> {
        type Output = Option<PlainName<'t>>;

        #[inline(always)]
        fn run<S: Simd>(&mut self, simd: S) -> Self::Output {
            PlainName::of_window(simd, self.0, self.1)
        }
    }

    fn by_window(text: &str, kernels: Kernels) -> bool {
        let mut window = *b"a.x0".repeat(16).first_chunk::<64>().expect("64 bytes");
        window[..text.len()].copy_from_slice(text.as_bytes());
        kernels.run(OfWindow(&window, text.len())).is_some()
    }

    #[test]
    fn a_window_recognises_the_names_that_a_pass_recognises() {
        let pieces = ["a", "xn--a", "x", "0", "a0", "-", "_", ".", "A", "%41", ":", "@", "", "lllllllllllll"];
        let kernels = Cpu::available().filter_map(Kernels::new).collect::<Vec<_>>();
        for one in pieces {
            for two in pieces {
                for three in pieces {
                    for four in pieces {
                        let text = [one, two, three, four].concat();
                        let plain = PlainName::parse(&text).is_some();
                        let has_x = text.split('.').any(|label| label.starts_with('x'));
                        for &kernels in &kernels {
                            assert_eq!(by_window(&text, kernels), plain && !has_x, "{text:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_plain_name_is_mapped_to_itself() {
        let pieces = [
            "a",
            "xn--a",
            "xn-",
            "x",
            "0",
            "a0",
            "-",
            "_",
            ".",
            "..",
            "A",
            "é",
            "%41",
            " ",
            "0x1",
            &"l".repeat(62),
        ];
        let mut plain = 0;
        for one in pieces {
            for two in pieces {
                for three in pieces {
                    for four in pieces {
                        let text = [one, two, three, four].concat();
                        if PlainName::parse(&text).is_some() {
                            plain += 1;
                            assert_eq!(map(&text), Ok(Cow::Borrowed(text.as_str())), "{text:?}");
                        }
                    }
                }
            }
        }
        assert!(plain > 1000);
        for text in ["example.com", "a-b_c.d0", "r3---sn-x.googlevideo.com", "0.a"] {
            assert!(PlainName::parse(text).is_some(), "{text:?}");
        }
        for text in [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "1.2.3.4",
            "a.0",
            "xn--a.b",
            "b.xn--a",
            "a:1",
            "u@h",
            &"a.".repeat(128),
        ] {
            assert!(PlainName::parse(text).is_none(), "{text:?}");
        }
    }
}
