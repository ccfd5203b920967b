//! The texts of bodies of JSON as UTF-8 with surrogates, and its values as texts. Numbers are written like
//! Python's `repr`.

use std::borrow::Cow;

use super::parser::Fault;
use super::parser::{scalar_len, unit_at};
use crate::cdxj::request::text::BodyRules;

/// Returns the string at a place that was parsed before.
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
            // A high surrogate and the low one after it are one character. Any other surrogate is kept by
            // itself.
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

/// Returns the text of a string, number or word at a place, or `None` for any other value.
pub(super) fn scalar_at(text: &[u8], at: usize, rules: BodyRules) -> Option<Cow<'_, [u8]>> {
    if text[at] == b'"' {
        return Some(text_at(text, at));
    }
    let (len, is_whole) = scalar_len(&text[at..])?;
    let scalar = str::from_utf8(&text[at..at + len]).ok()?;
    let is_pywb = rules == BodyRules::Pywb;
    Some(match scalar {
        // A whole number in Python, where zero does not have a sign.
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
                    // Written as in JavaScript, but without an exponent.
                    true if number == 0.0 => "0".to_owned(),
                    true if number.fract() == 0.0 => format!("{number:.0}"),
                    _ => float_text(number),
                }
                .into_bytes(),
            )
        }
    })
}

/// Appends the text of a document and recognises its encoding by its first bytes.
pub(super) fn push_decoded(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
    // UTF-32 is tested before UTF-16, because its little-endian mark starts with the one of UTF-16. If the
    // mark is missing, the zeros of ASCII characters decide, as in Python's `json.detect_encoding`.
    match bytes {
        [0, 0, 0xfe, 0xff, rest @ ..] => push_utf32(rest, u32::from_be_bytes, out),
        [0xff, 0xfe, 0, 0, rest @ ..] => push_utf32(rest, u32::from_le_bytes, out),
        [0xfe, 0xff, rest @ ..] => push_utf16(rest, u16::from_be_bytes, out),
        [0xff, 0xfe, rest @ ..] => push_utf16(rest, u16::from_le_bytes, out),
        [0xef, 0xbb, 0xbf, rest @ ..] => push_utf8(rest, out),
        [0, 0, _, _, ..] => push_utf32(bytes, u32::from_be_bytes, out),
        [0, _, _, _, ..] | [0, _] => push_utf16(bytes, u16::from_be_bytes, out),
        [_, 0, 0, 0, ..] => push_utf32(bytes, u32::from_le_bytes, out),
        [_, 0, _, _, ..] | [_, 0] => push_utf16(bytes, u16::from_le_bytes, out),
        _ => push_utf8(bytes, out),
    }
}

fn push_utf8(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
    let mut rest = bytes;
    while let Err(error) = str::from_utf8(rest) {
        match &rest[error.valid_up_to()..] {
            // Python decodes with `surrogatepass`, which accepts a surrogate in three bytes.
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, after @ ..] => rest = after,
            _ => return Err(Fault::Other),
        }
    }
    out.extend_from_slice(bytes);
    Ok(())
}

fn push_utf16(bytes: &[u8], of_bytes: fn([u8; 2]) -> u16, out: &mut Vec<u8>) -> Result<(), Fault> {
    let (units, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Fault::Other);
    }
    for unit in char::decode_utf16(units.iter().map(|unit| of_bytes(*unit))) {
        match unit {
            Ok(char) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(error) => push_surrogate(error.unpaired_surrogate(), out),
        }
    }
    Ok(())
}

fn push_utf32(bytes: &[u8], of_bytes: fn([u8; 4]) -> u32, out: &mut Vec<u8>) -> Result<(), Fault> {
    let (units, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Fault::Other);
    }
    for unit in units {
        let number = of_bytes(*unit);
        match (char::from_u32(number), u16::try_from(number)) {
            (Some(char), _) => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            // Below 2^16 only surrogates are not characters.
            (None, Ok(surrogate)) => push_surrogate(surrogate, out),
            (None, Err(_)) => return Err(Fault::Other),
        }
    }
    Ok(())
}

/// Appends a surrogate as UTF-8 would encode its number.
pub(super) fn push_surrogate(unit: u16, out: &mut Vec<u8>) {
    // 1110xxxx 10xxxxxx 10xxxxxx
    let [high, low] = [unit >> 6 & 0x3f, unit & 0x3f].map(|bits| 0x80 | bits as u8);
    out.extend([0xe0 | (unit >> 12) as u8, high, low]);
}

/// Returns a number as Python's `repr` writes it, with the fewest digits that identify the number.
pub(super) fn float_text(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let shortest = format!("{number:e}");
    let digits = shortest.bytes().take_while(|byte| *byte != b'e').filter(u8::is_ascii_digit).count();
    let places = digits - 1;
    // If two texts are equally near, Python uses the one with an even last digit, as does rounding here. The
    // shortest text is the larger one.
    let even = format!("{number:.places$e}");
    let text = if even.parse() == Ok(number) { even } else { shortest };
    let (digits, exponent) = text.split_once('e').expect("it has an exponent");
    let exponent: i32 = exponent.parse().expect("it is a number");
    // Python's `repr` writes exponents below -4, and from 16 on.
    if (-4..16).contains(&exponent) {
        return plain(digits, exponent);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

/// Returns a number without an exponent, and with a digit after the point.
fn plain(digits: &str, exponent: i32) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let digits = digits.replace('.', "");
    let Ok(whole) = usize::try_from(exponent + 1) else {
        return format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    };
    if whole == 0 {
        return format!("{sign}0.{digits}");
    }
    match digits.split_at_checked(whole) {
        Some((whole, rest)) if !rest.is_empty() => format!("{sign}{whole}.{rest}"),
        _ => format!("{sign}{digits:0<whole$}.0"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_python_writes_them() {
        // From `repr` of CPython 3.11.
        for (number, expected) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (0.0001, "0.0001"),
            (0.000_012_5, "1.25e-05"),
            (794_588_257_420_104.0 + 0.25, "794588257420104.2"),
            (794_588_257_420_104.0 + 0.75, "794588257420104.8"),
            (-123.456, "-123.456"),
            (-0.5, "-0.5"),
            (0.012, "0.012"),
            (9_007_199_254_740_992.0, "9007199254740992.0"),
            (2.225_073_858_507_201_4e-308, "2.2250738585072014e-308"),
            (5e-324, "5e-324"),
            (1e100, "1e+100"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(float_text(number), expected);
        }
    }
}
