//! Bodies of JSON as fields of a query, by the rules of Python's `json` module.
//!
//! Its JSON is more than that of RFC 8259: `NaN` and `Infinity`, single surrogates, UTF-16 and UTF-32, numbers of any length. Texts are
//! kept as bytes of UTF-8 in which surrogates have three bytes too, so that two texts are equal if those of Python are.

use std::borrow::Cow;
use std::collections::HashMap;

use super::text::push_field;
use super::{BodyRules, MAX_QUERY};

/// The most values within each other, the innermost included: as many as CPython 3.11 has room for when cdxj-indexer calls it.
const MAX_DEPTH: usize = 985;
/// The most digits of a whole number that Python reads.
const MAX_DIGITS: usize = 4300;

/// The reason a body is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// It is not JSON; its lines may be.
    Syntax,
    /// Its text is not Unicode, or it has more than Python can hold.
    Other,
}

/// Returns the fields of a body as a query, `None` if it is not JSON.
pub(super) fn query(body: &[u8], rules: BodyRules) -> Option<String> {
    let mut documents = Documents::default();
    match documents.add(body) {
        Ok(()) => {}
        Err(Fault::Syntax) if rules == BodyRules::CdxjIndexer && body.contains(&b'\n') => {
            documents = Documents::default();
            for line in body.split(|&byte| byte == b'\n') {
                documents.add(line).ok()?;
            }
        }
        Err(_) => return None,
    }
    let (mut fields, mut entry) = (Fields::default(), 0);
    while entry < documents.tape.len() {
        entry = documents.push_fields(entry, None, rules, &mut fields)?;
    }
    let mut out = String::new();
    for (name, value) in &fields.first {
        push_field(checked(name)?, checked(value)?, &mut out);
    }
    Some(out)
}

/// Returns a text if it is Unicode: if no surrogate is alone.
fn checked(text: &[u8]) -> Option<&[u8]> {
    str::from_utf8(text).is_ok().then_some(text)
}

/// Some documents, parsed.
#[derive(Default)]
struct Documents {
    text: Vec<u8>,
    /// The offset of each value and of each name, in order. The offset of an array or object is followed by the index of the entry
    /// behind its last one.
    tape: Vec<u32>,
}

impl Documents {
    /// Parses a document.
    fn add(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let start = self.text.len();
        push_decoded(bytes, &mut self.text)?;
        let text = std::mem::take(&mut self.text);
        let mut parser = Parser { text: &text, at: start, tape: &mut self.tape };
        parser.skip_space();
        let result = parser.value(1).and_then(|()| {
            parser.skip_space();
            if parser.at == text.len() { Ok(()) } else { Err(Fault::Syntax) }
        });
        self.text = text;
        result
    }

    /// Adds the values at an entry as fields, and returns the entry behind them. `name` is that of the innermost member, if it has
    /// one that is not empty.
    fn push_fields<'t>(
        &'t self,
        entry: usize,
        name: Option<usize>,
        rules: BodyRules,
        fields: &mut Fields<'t>,
    ) -> Option<usize> {
        let at = self.tape[entry] as usize;
        match self.text[at] {
            b'[' => {
                let (mut next, end) = (entry + 2, self.tape[entry + 1] as usize);
                while next < end {
                    next = self.push_fields(next, name, rules, fields)?;
                }
                Some(end)
            }
            b'{' => {
                let end = self.tape[entry + 1] as usize;
                // As in a `dict`, a name has its first place and its last value.
                let (mut members, mut places) = (Vec::new(), HashMap::new());
                let mut next = entry + 2;
                while next < end {
                    let text = text_at(&self.text, self.tape[next] as usize);
                    let name = (!text.is_empty()).then(|| fields.id(text));
                    let place = *places.entry(name).or_insert_with(|| {
                        members.push((name, 0));
                        members.len() - 1
                    });
                    members[place].1 = next + 1;
                    next = self.behind(next + 1);
                }
                for (name, value) in members {
                    self.push_fields(value, name, rules, fields)?;
                }
                Some(end)
            }
            _ => {
                if let Some(name) = name {
                    fields.push(name, scalar_at(&self.text, at, rules)?)?;
                }
                Some(entry + 1)
            }
        }
    }

    /// Returns the entry behind a value.
    fn behind(&self, entry: usize) -> usize {
        match self.text[self.tape[entry] as usize] {
            b'[' | b'{' => self.tape[entry + 1] as usize,
            _ => entry + 1,
        }
    }
}

/// The fields, of which only those are kept that fit into a query.
#[derive(Default)]
struct Fields<'t> {
    names: Vec<Name<'t>>,
    ids: HashMap<Cow<'t, [u8]>, usize>,
    /// The kept fields in order, and the sum of the lengths of their names, each of which is as long in a query or longer.
    first: Vec<(Cow<'t, [u8]>, Cow<'t, [u8]>)>,
    first_len: usize,
    /// The indexes in `first`.
    places: HashMap<(usize, u32), usize>,
}

/// The name of a member. A list of many values may have a long one, so it is hashed once.
struct Name<'t> {
    text: Cow<'t, [u8]>,
    is_unicode: bool,
    /// How many fields have the name, or were given it with a number behind it.
    count: u32,
}

impl<'t> Fields<'t> {
    /// Returns the index of a name in `names`.
    fn id(&mut self, text: Cow<'t, [u8]>) -> usize {
        *self.ids.entry(text).or_insert_with_key(|text| {
            let is_unicode = checked(text).is_some();
            self.names.push(Name { text: text.clone(), is_unicode, count: 0 });
            self.names.len() - 1
        })
    }

    /// Adds a field. The second one with a name gets `.2_` behind it, which replaces a field that is named so itself. `None` if the
    /// field is dropped and no text.
    fn push(&mut self, id: usize, value: Cow<'t, [u8]>) -> Option<()> {
        let mut field = (id, 1);
        if self.names[id].count == 0
            && let Some((base, number)) = parted(&self.names[id].text)
        {
            let base = self.id(base);
            field = (base, number);
            // The name was given to another field by its number.
            self.names[id].count = u32::from(number <= self.names[base].count);
        }
        let name = &mut self.names[id];
        name.count += 1;
        if name.count > 1 {
            field = (id, name.count);
        }
        if let Some(place) = self.places.get(&field) {
            self.first[*place].1 = value;
            return Some(());
        }
        if self.first_len > MAX_QUERY {
            return checked(&value).filter(|_| name.is_unicode).map(|_| ());
        }
        let text = match name.count {
            1 => name.text.clone(),
            number => Cow::Owned([&name.text, format!(".{number}_").as_bytes()].concat()),
        };
        // With `=` and `&`.
        self.first_len += text.len() + 2;
        self.places.insert(field, self.first.len());
        self.first.push((text, value));
        Some(())
    }
}

/// Splits a name with a number behind it, as the second and later fields have, into the two.
fn parted<'t>(name: &Cow<'t, [u8]>) -> Option<(Cow<'t, [u8]>, u32)> {
    let front = name.strip_suffix(b"_")?;
    let dot = front.iter().rposition(|&byte| byte == b'.')?;
    let number: u32 = str::from_utf8(&front[dot + 1..]).ok()?.parse().ok()?;
    let is_written_so = number >= 2 && number.to_string().as_bytes() == &front[dot + 1..];
    let base = match name {
        Cow::Borrowed(name) => Cow::Borrowed(&name[..dot]),
        Cow::Owned(name) => Cow::Owned(name[..dot].to_vec()),
    };
    is_written_so.then_some((base, number))
}

/// Appends the text of a document, whose encoding is recognised by its first bytes.
fn push_decoded(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), Fault> {
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
            // A surrogate.
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
            (None, Ok(surrogate)) => push_surrogate(surrogate, out),
            (None, Err(_)) => return Err(Fault::Other),
        }
    }
    Ok(())
}

/// Appends a surrogate as UTF-8 would encode its number.
fn push_surrogate(unit: u16, out: &mut Vec<u8>) {
    let [high, low] = [unit >> 6 & 0x3f, unit & 0x3f].map(|bits| 0x80 | bits as u8);
    out.extend([0xe0 | (unit >> 12) as u8, high, low]);
}

/// Parses a document in text.
struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    tape: &'a mut Vec<u32>,
}

impl Parser<'_> {
    fn next(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.next() {
            self.at += 1;
        }
    }

    /// Skips this byte with the space around it, and returns whether it was there.
    fn skip(&mut self, byte: u8) -> bool {
        self.skip_space();
        let is_there = self.next() == Some(byte);
        if is_there {
            self.at += 1;
            self.skip_space();
        }
        is_there
    }

    fn push(&mut self) {
        // A body has fewer bytes than there are numbers.
        self.tape.push(self.at as u32);
    }

    fn value(&mut self, depth: usize) -> Result<(), Fault> {
        let Some(first) = self.next() else { return Err(Fault::Syntax) };
        if depth > MAX_DEPTH {
            return Err(Fault::Other);
        }
        self.push();
        let close = match first {
            b'"' => return self.string(),
            b'[' => b']',
            b'{' => b'}',
            _ => {
                let (len, is_whole) = scalar_len(&self.text[self.at..]).ok_or(Fault::Syntax)?;
                let digits = len - usize::from(first == b'-');
                if is_whole && digits > MAX_DIGITS {
                    return Err(Fault::Other);
                }
                self.at += len;
                return Ok(());
            }
        };
        let entry = self.tape.len();
        self.tape.push(0);
        self.at += 1;
        if !self.skip(close) {
            loop {
                if first == b'{' {
                    self.skip_space();
                    if self.next() != Some(b'"') {
                        return Err(Fault::Syntax);
                    }
                    self.push();
                    self.string()?;
                    if !self.skip(b':') {
                        return Err(Fault::Syntax);
                    }
                }
                self.skip_space();
                self.value(depth + 1)?;
                if !self.skip(b',') {
                    break;
                }
            }
            self.skip_space();
            if self.next() != Some(close) {
                return Err(Fault::Syntax);
            }
            self.at += 1;
        }
        self.tape[entry] = self.tape.len() as u32;
        Ok(())
    }

    /// Skips a string with its quotes.
    fn string(&mut self) -> Result<(), Fault> {
        self.at += 1;
        loop {
            match self.next().ok_or(Fault::Syntax)? {
                b'"' => {
                    self.at += 1;
                    return Ok(());
                }
                b'\\' => {
                    let len = match self.text.get(self.at + 1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if unit_at(self.text, self.at).is_some() => 6,
                        _ => return Err(Fault::Syntax),
                    };
                    self.at += len;
                }
                0..=0x1f => return Err(Fault::Syntax),
                _ => self.at += 1,
            }
        }
    }
}

/// Returns the number of an escape `\uXXXX` at a place.
fn unit_at(text: &[u8], at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)? as u16))
}

/// The words that are values.
const WORDS: [&str; 6] = ["null", "true", "false", "NaN", "Infinity", "-Infinity"];

/// Returns the length of the word or number that a text begins with, and whether it is a whole number.
fn scalar_len(text: &[u8]) -> Option<(usize, bool)> {
    if let Some(word) = WORDS.iter().find(|word| text.starts_with(word.as_bytes())) {
        return Some((word.len(), false));
    }
    let digits = |at: usize| text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(text.starts_with(b"-"));
    let whole = match text.get(sign)? {
        b'0' => sign + 1,
        b'1'..=b'9' => sign + digits(sign),
        _ => return None,
    };
    let mut len = whole;
    if text.get(len) == Some(&b'.') && digits(len + 1) > 0 {
        len += 1 + digits(len + 1);
    }
    if let Some(b'e' | b'E') = text.get(len) {
        let sign = usize::from(matches!(text.get(len + 1), Some(b'+' | b'-')));
        let exponent = digits((len + 1 + sign).min(text.len()));
        if exponent > 0 {
            len += 1 + sign + exponent;
        }
    }
    Some((len, len == whole))
}

/// Returns the string at a place, which was parsed before.
fn text_at(text: &[u8], at: usize) -> Cow<'_, [u8]> {
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
fn scalar_at(text: &[u8], at: usize, rules: BodyRules) -> Option<Cow<'_, [u8]>> {
    if text[at] == b'"' {
        return Some(text_at(text, at));
    }
    let (len, is_whole) = scalar_len(&text[at..])?;
    let scalar = str::from_utf8(&text[at..at + len]).ok()?;
    let is_pywb = rules == BodyRules::Pywb;
    Some(match scalar {
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

/// Returns a number as Python's `repr` writes it: the fewest digits that give the number again.
fn float_text(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let text = format!("{number:e}");
    let (digits, exponent) = text.split_once('e').expect("it has an exponent");
    let exponent: i32 = exponent.parse().expect("it is a number");
    match exponent {
        -4..16 => format!("{number:?}"),
        ..0 => format!("{digits}e-{:02}", -exponent),
        _ => format!("{digits}e+{exponent:02}"),
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
            (5e-324, "5e-324"),
            (1e100, "1e+100"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(float_text(number), expected);
        }
    }

    fn check(body: &str, expected: Option<&str>) {
        assert_eq!(query(body.as_bytes(), BodyRules::CdxjIndexer).as_deref(), expected, "{body}");
    }

    #[test]
    fn members_are_fields() {
        check(
            r#"{"a": 1, "b": {"a": [2, true, {"c": null}], "d": "x y"}}"#,
            Some("a=1&a.2_=2&a.3_=True&c=None&d=x+y"),
        );
        check(r#"{"a": 1, "b": 2, "a": [3, 4]}"#, Some("a=3&a.2_=4&b=2"));
        check(r#"{"a.2_": 1, "a": [2, 3], "b": {"a.2_": 4}}"#, Some("a.2_=3&a=2&a.2_.2_=4"));
        check(r#"{"a": [1, 2], "b": {"a.2_": 3}}"#, Some("a=1&a.2_=2&a.2_.2_=3"));
        check(r#"[1, "", {"": 2}]"#, Some(""));
        check("{\"a\": 1}\n{\"a\": 2}", Some("a=1&a.2_=2"));
        check("{\"a\": 1}\n{\"a\": 2}\n", None);
        check(r#"{"a": "\ud83d\ude00\u00e9"}"#, Some("a=%F0%9F%98%80%C3%A9"));
        check(r#"{"a": "\ud83d"}"#, None);
        check(r#"{"\ud83d": []}"#, Some(""));
        check(r#"{"a": [NaN, -Infinity, 1e999, -0, -0.0, 1E5, 01]}"#, None);
        check(
            r#"{"a": [NaN, -Infinity, 1e999, -0, -0.0, 1E5]}"#,
            Some("a=nan&a.2_=-inf&a.3_=inf&a.4_=0&a.5_=-0.0&a.6_=100000.0"),
        );
        for bad in
            ["", "{", "[1,]", "{\"a\"}", "{a: 1}", "tru", "\"\t\"", "1 2", "1.", "\"\\x\"", "\u{feff}", "-"]
        {
            check(bad, None);
        }
    }

    #[test]
    fn what_is_nested_too_deep_is_no_body() {
        let nested = |depth: usize| format!("{{\"a\":{}1{}}}", "[".repeat(depth), "]".repeat(depth));
        check(&nested(MAX_DEPTH - 2), Some("a=1"));
        check(&nested(MAX_DEPTH - 1), None);
        check(&"[".repeat(1 << 20), None);
    }
}
