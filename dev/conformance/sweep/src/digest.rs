//! The digest of a function's results for the URLs of a block.
//!
//! Most code points are copied, percent-encoded or encoded in Punycode, so each gives different bytes. The
//! digest hashes a mark instead of these bytes, so that blocks that are treated identically have the same
//! digest and the record of digests is short. A mark is a byte that UTF-8 does not have. It replaces only
//! bytes that follow from the code point, so different answers have different marked texts.

use sha2::{Digest as _, Sha256};

use crate::shapes::{Shape, escape};

/// The code point unchanged, its escapes in capitals, its escapes in small letters, and around Punycode,
/// which is decoded.
const RAW: u8 = 0xf8;
const CAPITAL_ESCAPES: u8 = 0xf9;
const SMALL_ESCAPES: u8 = 0xfa;
const PUNYCODE: u8 = 0xfb;
/// The bytes that end a label. Some of the implementations allow all other bytes in a label.
const LABEL_ENDS: &[u8] = b"./,)";
/// Written after each answer, or instead of an error.
const END: u8 = 0xfe;
const ERROR: u8 = 0xff;

/// Returns the digest of the answers to the URLs of code points. `answer` appends an answer, or returns
/// false for an error.
pub fn digest(
    shape: &Shape,
    code_points: impl Iterator<Item = char>,
    answer: &mut impl FnMut(&str, &mut String) -> bool,
) -> u32 {
    let mut sha = Sha256::new();
    let (mut url, mut text, mut marked) = (String::new(), String::new(), Vec::new());
    for code_point in code_points {
        url.clear();
        text.clear();
        marked.clear();
        shape.write(code_point, &mut url);
        if answer(&url, &mut text) {
            Marks::new(code_point).mark(&text, &mut marked);
        } else {
            marked.push(ERROR);
        }
        marked.push(END);
        sha.update(&marked);
    }
    let bytes = sha.finalize();
    u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The texts that marks replace.
struct Marks {
    code_point: char,
    raw: ([u8; 4], usize),
    capital: String,
    small: String,
}

impl Marks {
    fn new(code_point: char) -> Self {
        let mut raw = [0; 4];
        let len = code_point.encode_utf8(&mut raw).len();
        let mut capital = String::new();
        escape(code_point, &mut capital);
        let small = capital.to_ascii_lowercase();
        Self { code_point, raw: (raw, len), capital, small }
    }

    /// Appends an answer with marks. ASCII code points are not marked.
    fn mark(&self, text: &str, out: &mut Vec<u8>) {
        if self.code_point.is_ascii() {
            out.extend_from_slice(text.as_bytes());
            return;
        }
        let raw = &self.raw.0[..self.raw.1];
        let mut offset = 0;
        while let Some(&byte) = text.as_bytes().get(offset) {
            let rest = &text.as_bytes()[offset..];
            if let Some((label, len)) = punycode(rest) {
                self.mark_label(&label, out);
                offset += len;
                continue;
            }
            let (mark, len) = match byte {
                b'%' if rest.starts_with(self.capital.as_bytes()) => (CAPITAL_ESCAPES, self.capital.len()),
                b'%' if rest.starts_with(self.small.as_bytes()) => (SMALL_ESCAPES, self.small.len()),
                0x80.. if rest.starts_with(raw) => (RAW, raw.len()),
                _ => (byte, 1),
            };
            out.push(mark);
            offset += len;
        }
    }

    fn mark_label(&self, label: &str, out: &mut Vec<u8>) {
        out.push(PUNYCODE);
        let mut bytes = [0; 4];
        for character in label.chars() {
            if character == self.code_point {
                out.push(RAW);
            } else {
                out.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
            }
        }
        out.push(PUNYCODE);
    }
}

/// Returns the text of a Punycode label and the length of the label, or `None` unless the text encodes to
/// this label again.
fn punycode(rest: &[u8]) -> Option<(String, usize)> {
    let code = rest.strip_prefix(b"xn--")?;
    let len = code.iter().take_while(|byte| !LABEL_ENDS.contains(byte)).count();
    let code = core::str::from_utf8(&code[..len]).ok()?;
    let label = idna::punycode::decode_to_string(code)?;
    let is_same = idna::punycode::encode_str(&label).is_some_and(|encoded| encoded == code);
    is_same.then(|| (label, "xn--".len() + len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::SHAPES;

    /// A shape with only the code point in its host.
    const ALONE: Shape = SHAPES[5];

    /// A function that replaces the code point by the result of `shown`.
    fn replaced(shown: impl Fn(char) -> String) -> impl FnMut(&str, &mut String) -> bool {
        move |url, out| {
            url.chars().for_each(|character| {
                if character.is_ascii() { out.push(character) } else { out.push_str(&shown(character)) }
            });
            true
        }
    }

    fn are_alike(shown: impl Fn(char) -> String + Copy) -> bool {
        let digest = |code_point| digest(&ALONE, [code_point].into_iter(), &mut replaced(shown));
        digest('ä') == digest('ö')
    }

    #[test]
    fn code_points_that_are_treated_alike_have_one_digest() {
        assert!(are_alike(|character| character.to_string()));
        assert!(are_alike(|character| if character == 'ä' { "%C3%A4".into() } else { "%C3%B6".into() }));
        assert!(are_alike(|character| if character == 'ä' { "%c3%a4".into() } else { "%c3%b6".into() }));
        assert!(are_alike(|character| if character == 'ä' { "xn--4ca".into() } else { "xn--nda".into() }));
    }

    #[test]
    fn other_answers_have_other_digests() {
        assert!(!are_alike(|character| if character == 'ä' { "%C3%A4".into() } else { "%c3%b6".into() }));
        assert!(!are_alike(|_| "ä".into()));
        assert!(!are_alike(|_| "%C3%A4".into()));
        assert!(!are_alike(|_| "xn--4ca".into()));
        assert!(!are_alike(|character| if character == 'ä' { "xn--4ca".into() } else { "ö".into() }));
        let rejected = digest(&ALONE, "ä".chars(), &mut |_, _| false);
        assert_ne!(rejected, digest(&ALONE, "ä".chars(), &mut |_, _| true));
    }
}
