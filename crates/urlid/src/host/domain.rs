//! Converts domain names to ASCII: percent-decoding, then UTS 46 (WHATWG URL, "domain to ASCII"). Only this
//! module uses the crate `idna`.
//!
//! The flags are the standard's: non-transitional, hyphens allowed, bidi and joiners checked, DNS lengths not
//! checked. The two profiles differ only for an ASCII label that starts with `xn--` and is not valid
//! Punycode.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

use idna::punycode;
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use crate::error::Error;
use crate::host::error;
use crate::plain;

/// Selects whether ASCII labels in Punycode are checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DomainProfile {
    /// WHATWG of 2026-06: an ASCII host is lower-cased and accepted.
    Web,
    /// SXURL: every `xn--` label must be valid under UTS 46.
    CheckedPunycode,
}

/// Appends the ASCII form of a domain in the WHATWG profile.
pub(super) fn push(raw: &str, out: &mut String) -> Result<(), Error> {
    if plain::host::plain_len(raw.as_bytes()) == raw.len() && !raw.is_empty() {
        out.push_str(raw);
        return Ok(());
    }
    let text = domain_to_ascii(raw, DomainProfile::Web)?;
    if text.is_empty() {
        return Err(error::EMPTY.error());
    }
    out.push_str(&text);
    Ok(())
}

/// Returns the ASCII form of a domain. It is empty if the mapping removes every character.
pub(crate) fn domain_to_ascii(raw: &str, profile: DomainProfile) -> Result<Cow<'_, str>, Error> {
    let Some(decoded) = percent_decode(raw) else {
        return Err(error::NOT_UTF8.found(raw));
    };
    let needs_mapping =
        !decoded.is_ascii() || (profile == DomainProfile::CheckedPunycode && has_punycode_label(&decoded));
    let mapped = if needs_mapping {
        Cow::Owned(map(&decoded).ok_or_else(|| {
            if decoded.split(is_dot).any(is_too_long) {
                error::LONG_LABEL.found(raw)
            } else {
                error::IDNA.found(raw)
            }
        })?)
    } else {
        lowercase(decoded)
    };
    if mapped.bytes().any(is_forbidden_domain_byte) {
        Err(error::FORBIDDEN_BYTE.found(raw))
    } else {
        Ok(mapped)
    }
}

fn map(domain: &str) -> Option<String> {
    Uts46::new()
        // The list of forbidden bytes is empty here because `domain_to_ascii` also checks hosts that are not
        // mapped.
        .to_ascii(domain.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow, DnsLength::Ignore)
        .ok()
        .filter(|mapped| !mapped.split('.').any(is_doubly_encoded))
        .map(Cow::into_owned)
}

/// Returns a domain in ASCII as people read it, with its labels in Punycode decoded. Returns `None` if a
/// label is not valid under UTS 46.
///
/// ```
/// use urlid::host::to_unicode;
///
/// assert_eq!(to_unicode("xn--bcher-kva.example").as_deref(), Some("b\u{fc}cher.example"));
/// assert_eq!(to_unicode("xn--a.example"), None);
/// ```
pub fn to_unicode(domain: &str) -> Option<Cow<'_, str>> {
    let (text, result) = Uts46::new().to_unicode(domain.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Allow);
    result.ok().filter(|()| !domain.split('.').any(is_doubly_encoded)).map(|()| text)
}

/// The full stops of UTS 46.
fn is_dot(character: char) -> bool {
    matches!(character, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

/// Returns whether a label is too long to be mapped: the time grows with the square of the length.
fn is_too_long(label: &str) -> bool {
    // The limits are from `idna`, which copied them from ICU: 2,000 bytes of Punycode to decode, 1,000
    // characters to encode. Here they only choose the error.
    let limit = if label.is_ascii() { 2000 } else { 1000 };
    label.chars().count() > limit
}

/// Returns whether a Punycode label decodes to a label that starts with `xn--`. UTS 46 forbids such labels
/// ("Validity Criteria", 4) but `idna` accepts them.
fn is_doubly_encoded(label: &str) -> bool {
    // Punycode inserts only characters that are not ASCII, so `xn--` can only be the literal start of the
    // label.
    label.starts_with("xn--xn--")
        && punycode::decode_to_string(&label[4..]).is_some_and(|decoded| decoded.starts_with("xn--"))
}

fn lowercase(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(text.to_ascii_lowercase())
    } else {
        text
    }
}

fn has_punycode_label(domain: &str) -> bool {
    domain.split('.').any(|label| label.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("xn--")))
}

/// Decodes `%XX` and keeps all other text. Returns `None` if the result is not UTF-8.
fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        match (byte, crate::escape::escaped_byte(tail)) {
            (b'%', Some(value)) => {
                decoded.push(value);
                rest = &tail[2..];
            }
            _ => {
                decoded.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

/// WHATWG "forbidden host code point".
pub(super) fn is_forbidden_host_byte(byte: u8) -> bool {
    matches!(
        byte,
        0 | b'\t'
            | b'\n'
            | b'\r'
            | b' '
            | b'#'
            | b'/'
            | b':'
            | b'<'
            | b'>'
            | b'?'
            | b'@'
            | b'['
            | b'\\'
            | b']'
            | b'^'
            | b'|'
    )
}

/// WHATWG "forbidden domain code point".
pub(super) fn is_forbidden_domain_byte(byte: u8) -> bool {
    byte <= 0x1f || byte == 0x7f || byte == b'%' || is_forbidden_host_byte(byte)
}
