//! A URL's host to a DNS name in ASCII (SXURL, section 3; docs/spec/sxurl.md, S-4 to S-10).

use std::borrow::Cow;

use super::error::EncodeError;
use crate::excerpt::Excerpt;
use crate::host::{DomainProfile, domain_to_ascii, ends_in_number};

/// The longest host that is looked at, so that no work is done on what can only be refused.
const LONGEST_RAW: usize = 4096;
/// The longest host in ASCII (section 3).
const LONGEST: usize = 255;
/// The longest label in ASCII (section 3).
const LONGEST_LABEL: usize = 63;

/// Returns whether a text is its own DNS name for sure, and would pass every check of [`map`].
///
/// Small letters, digits, `-`, `_` and dots, in labels of a good length, none in Punycode, the last beginning with no
/// digit. Most hosts are so, and one pass shows it.
#[inline]
pub(super) fn is_plain_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut label_start, mut all) = (0, 0);
    for (offset, &byte) in bytes.iter().enumerate() {
        let kind = KIND[usize::from(byte)];
        all |= kind;
        if kind == DOT {
            if !is_plain_label(&bytes[label_start..offset]) {
                return false;
            }
            label_start = offset + 1;
        }
    }
    let last = &bytes[label_start..];
    all & BAD_IN_LABEL == 0
        && bytes.len() <= LONGEST
        && is_plain_label(last)
        && !last.first().is_some_and(u8::is_ascii_digit)
}

#[inline]
fn is_plain_label(label: &[u8]) -> bool {
    (1..=LONGEST_LABEL).contains(&label.len()) && !(label[0] == b'x' && label.starts_with(b"xn--"))
}

const BAD_IN_LABEL: u8 = 1;
const DOT: u8 = 2;

/// What each byte is to [`is_plain_name`].
static KIND: [u8; 256] = {
    let mut kinds = [BAD_IN_LABEL; 256];
    let mut byte = 0;
    while byte < 128 {
        match byte as u8 {
            b'.' => kinds[byte] = DOT,
            b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' => kinds[byte] = 0,
            _ => {}
        }
        byte += 1;
    }
    kinds
};

/// Maps a host and checks it: first that it is a DNS name, then its lengths.
pub(super) fn map(raw: &str) -> Result<Cow<'_, str>, EncodeError> {
    if raw.is_empty() || raw.len() > LONGEST_RAW {
        return Err(EncodeError::HostLength { length: raw.len() });
    }
    if raw.starts_with('[') {
        return Err(EncodeError::AddressLiteral { host: Excerpt::of(raw) });
    }
    let host = domain_to_ascii(raw, DomainProfile::CheckedPunycode)?;
    if ends_in_number(&host) {
        return Err(EncodeError::AddressLiteral { host: Excerpt::of(raw) });
    }
    check_lengths(&host)?;
    Ok(host)
}

fn check_lengths(host: &str) -> Result<(), EncodeError> {
    let is_bad = |label: &&str| label.is_empty() || label.len() > LONGEST_LABEL;
    if let Some(label) = host.split('.').find(is_bad) {
        return Err(EncodeError::LabelLength { host: Excerpt::of(host), length: label.len() });
    }
    match host.len() > LONGEST {
        true => Err(EncodeError::HostLength { length: host.len() }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
                        if is_plain_name(&text) {
                            plain += 1;
                            assert_eq!(map(&text), Ok(Cow::Borrowed(text.as_str())), "{text:?}");
                        }
                    }
                }
            }
        }
        assert!(plain > 1000);
        for text in ["example.com", "a-b_c.d0", "r3---sn-x.googlevideo.com", "0.a"] {
            assert!(is_plain_name(text), "{text:?}");
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
            assert!(!is_plain_name(text), "{text:?}");
        }
    }
}
