//! The values of JSON as texts.

use std::borrow::Cow;

use super::encoding::push_surrogate;
use super::number::float_text;
use super::parser::{scalar_len, unit_at};
use crate::cdxj::request::rules::BodyRules;

/// Returns the string at a place, which was parsed before.
pub(super) fn text_at(text: &[u8], at: usize) -> Cow<'_, [u8]> {
    let rest = &text[at + 1..];
    let plain = memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
    if rest.get(plain) != Some(&b'\\') {
        return Cow::Borrowed(&rest[..plain]);
    }
    let (mut out, mut at) = (rest[..plain].to_vec(), at + 1 + plain);
    while let Some(&byte) = text.get(at).filter(|&&byte| byte != b'"') {
        if byte != b'\\' {
            out.push(byte);
            at += 1;
            continue;
        }
        let escaped = text.get(at + 1).copied().unwrap_or_default();
        if escaped != b'u' {
            out.push(match escaped {
                b'b' => 8,
                b'f' => 12,
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                other => other,
            });
            at += 2;
            continue;
        }
        let unit = unit_at(text, at).unwrap_or_default();
        at += 6;
        let low = unit_at(text, at).filter(|low| (0xdc00..0xe000).contains(low));
        match (char::from_u32(u32::from(unit)), low) {
            (Some(char), _) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            (None, Some(low)) if unit < 0xdc00 => {
                let pair = char::decode_utf16([unit, low]).flatten();
                pair.for_each(|char| out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()));
                at += 6;
            }
            (None, _) => push_surrogate(unit, &mut out),
        }
    }
    Cow::Owned(out)
}

/// Returns the text of a string, number or word at a place, `None` if it has none.
pub(super) fn scalar_at(text: &[u8], at: usize, rules: BodyRules) -> Option<Cow<'_, [u8]>> {
    if text[at] == b'"' {
        return Some(text_at(text, at));
    }
    let (len, is_whole) = scalar_len(&text[at..])?;
    let scalar = str::from_utf8(&text[at..at + len]).ok()?;
    let is_pywb = rules == BodyRules::Pywb;
    Some(match scalar {
        // A whole number in Python, where zero has no sign.
        "-0" => Cow::Borrowed(b"0"),
        "null" | "true" | "false" if is_pywb => Cow::Borrowed(scalar.as_bytes()),
        "null" => Cow::Borrowed(b"None"),
        "true" => Cow::Borrowed(b"True"),
        "false" => Cow::Borrowed(b"False"),
        "NaN" => Cow::Borrowed(b"nan"),
        "Infinity" | "-Infinity" if is_pywb => return None,
        "Infinity" => Cow::Borrowed(b"inf"),
        "-Infinity" => Cow::Borrowed(b"-inf"),
        _ if is_whole => Cow::Borrowed(scalar.as_bytes()),
        _ => {
            let number: f64 = scalar.parse().ok()?;
            Cow::Owned(
                match is_pywb {
                    true if number.is_infinite() => return None,
                    // As JavaScript writes it, but without an exponent.
                    true if number == 0.0 => "0".to_owned(),
                    true if number.fract() == 0.0 => format!("{number:.0}"),
                    _ => float_text(number),
                }
                .into_bytes(),
            )
        }
    })
}
