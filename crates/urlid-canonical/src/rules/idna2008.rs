//! `encode` of PyPI's idna 3.20 with `uts46=True`: the mapping of UTS 46, then IDNA 2008 on each label (RFC
//! 5891, section 4.2, with the contexts of RFC 5892, appendix A, and the Bidi rule of RFC 5893).
//!
//! The package has its own tables (`unicode::idna`). If it uses `unicodedata`, this is the module of CPython
//! 3.11.

use crate::unicode::idna::{Class, Joining, Script, push_mapped};
use crate::unicode::{BidiClass, python};

/// The longest name that the package reads, in characters.
const LONGEST_INPUT: usize = 1024;
/// The longest name without a dot at its end, in characters.
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

/// The ASCII characters that a mapped name may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ascii {
    /// All of them.
    Any,
    /// Letters, digits, the hyphen and the dot: `UseSTD3ASCIIRules`.
    Std3,
}

/// Maps and normalises a name like `uts46_remap`. Returns `None` if one of its characters is disallowed.
pub(crate) fn remap(name: &str, ascii: Ascii) -> Option<String> {
    if name.chars().nth(LONGEST_INPUT).is_some() {
        return None;
    }
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        let start = out.len();
        match Class::new(character) {
            _ if character.is_ascii() => out.push(character.to_ascii_lowercase()),
            Class::Disallowed => return None,
            Class::Ignored => {}
            Class::Mapped => push_mapped(character, &mut out),
            Class::Label(..) => out.push(character),
        }
        // The package checks each piece before NFC. `=` and U+0338 are two characters at this point, and one
        // afterwards.
        if ascii == Ascii::Std3 && !out[start..].bytes().all(is_std3) {
            return None;
        }
    }
    if !out.is_ascii() {
        out = python::nfc(&out).into_owned();
    }
    Some(out)
}

fn is_std3(byte: u8) -> bool {
    !byte.is_ascii() || byte == b'.' || is_letter_digit_or_hyphen(byte)
}

/// Returns whether an ASCII byte is allowed in mapped labels.
fn is_letter_digit_or_hyphen(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

/// Returns the ASCII form of a domain name, or `None` if a label is invalid or the name is too long.
pub(crate) fn encode(name: &str) -> Option<String> {
    let mapped = remap(name, Ascii::Any)?;
    // The limit is one more than the longest name, for a dot at the end.
    if mapped.chars().nth(LONGEST_NAME + 1).is_some() {
        return None;
    }
    let labels = mapped.strip_suffix('.').unwrap_or(&mapped);
    let mut ascii = String::with_capacity(mapped.len());
    for label in labels.split('.') {
        push_label(label, &mut ascii)?;
        ascii.push('.');
    }
    ascii.pop();
    // RFC 1035 allows 255 octets, with a length byte before each label and the root, which are 253 as a text.
    if ascii.len() > LONGEST_NAME {
        return None;
    }
    ascii.push_str(&mapped[labels.len()..]);
    Some(ascii)
}

/// Appends the A-label of a mapped label, as `alabel` of the package does.
fn push_label(label: &str, out: &mut String) -> Option<()> {
    let start = out.len();
    if label.is_ascii() {
        check_ascii(label)?;
        out.push_str(label);
    } else {
        Label::new(label).check()?;
        out.push_str("xn--");
        out.push_str(&idna::punycode::encode_str(label)?);
    }
    (out.len() - start <= LONGEST_LABEL).then_some(())
}

/// Fails if a label with the prefix of Punycode is not the encoding of a valid label, in the spelling of the
/// encoder.
fn check_ascii(label: &str) -> Option<()> {
    let Some(punycode) = label.strip_prefix("xn--") else {
        let is_valid = !label.is_empty() && label.bytes().all(is_letter_digit_or_hyphen);
        return (is_valid && has_valid_hyphens(label)).then_some(());
    };
    let decoded = idna::punycode::decode_to_string(punycode)?;
    // The package rejects a hyphen at the end, which would follow basic code points without any digits.
    if punycode.ends_with('-') || idna::punycode::encode_str(&decoded)? != punycode {
        return None;
    }
    Label::new(&decoded).check()
}

/// The combining class of a virama.
const VIRAMA: u8 = 9;

/// A label as characters.
struct Label<'t> {
    text: &'t str,
    characters: Vec<char>,
}

impl<'t> Label<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, characters: text.chars().collect() }
    }

    /// Returns `None` unless all rules hold.
    fn check(&self) -> Option<()> {
        let first = *self.characters.first()?;
        let is_valid = has_valid_hyphens(self.text)
            && !python::is_mark(first)
            && python::nfc(self.text) == self.text
            && (0..self.characters.len()).all(|index| self.is_allowed(index))
            && self.has_valid_directions();
        is_valid.then_some(())
    }

    /// RFC 5892: the character is allowed in labels, and in its context.
    fn is_allowed(&self, index: usize) -> bool {
        let label = &self.characters;
        let before = index.checked_sub(1).map(|index| label[index]);
        let after = label.get(index + 1).copied();
        // The contexts of RFC 5892, appendix A.1 to A.9, in that order.
        match label[index] {
            '\u{200c}' => self.follows_virama(index) || self.joins(index),
            '\u{200d}' => self.follows_virama(index),
            '\u{b7}' => before == Some('l') && after == Some('l'),
            '\u{375}' => after.is_some_and(|after| Class::new(after).script() == Script::Greek),
            '\u{5f3}' | '\u{5f4}' => {
                before.is_some_and(|before| Class::new(before).script() == Script::Hebrew)
            }
            '\u{30fb}' => label
                .iter()
                .any(|&other| other != '\u{30fb}' && Class::new(other).script() == Script::Japanese),
            '\u{660}'..='\u{669}' => !label.iter().any(|other| ('\u{6f0}'..='\u{6f9}').contains(other)),
            '\u{6f0}'..='\u{6f9}' => !label.iter().any(|other| ('\u{660}'..='\u{669}').contains(other)),
            character => Class::new(character).is_label(),
        }
    }

    fn follows_virama(&self, index: usize) -> bool {
        index > 0 && python::combining_class(self.characters[index - 1]) == VIRAMA
    }

    /// Returns whether a non-joiner is between letters that would join without it. Transparent characters
    /// between them do not matter.
    fn joins(&self, index: usize) -> bool {
        let is_opaque = |joining: &Joining| *joining != Joining::Transparent;
        let joining = |character: &char| Class::new(*character).joining();
        let (before, after) = (&self.characters[..index], &self.characters[index + 1..]);
        let left = before.iter().rev().map(joining).find(is_opaque);
        let right = after.iter().map(joining).find(is_opaque);
        matches!(left, Some(Joining::Left | Joining::Dual))
            && matches!(right, Some(Joining::Right | Joining::Dual))
    }

    /// Implements RFC 5893, section 2. Without right-to-left characters, Unicode 14.0 only has to assign all
    /// characters. The fifth and sixth rule need no code. They are about left-to-right labels, which must not
    /// contain right-to-left characters.
    fn has_valid_directions(&self) -> bool {
        let classes = self.characters.iter().map(|&character| python::bidi_class(character));
        let Some(classes) = classes.collect::<Option<Vec<BidiClass>>>() else { return false };
        if !classes.iter().any(|class| matches!(class, BidiClass::R | BidiClass::AL | BidiClass::AN)) {
            return true;
        }
        let last = classes.iter().rfind(|class| **class != BidiClass::NSM);
        matches!(classes[0], BidiClass::R | BidiClass::AL)
            && classes.iter().all(|class| is_allowed_from_right_to_left(*class))
            && matches!(last, Some(BidiClass::R | BidiClass::AL | BidiClass::EN | BidiClass::AN))
            && !(classes.contains(&BidiClass::EN) && classes.contains(&BidiClass::AN))
    }
}

/// Returns whether there is no hyphen at the ends, and no two hyphens as third and fourth character.
fn has_valid_hyphens(label: &str) -> bool {
    // RFC 5891, 4.2.3.1: `--` at this place is reserved for prefixes such as `xn--`.
    !label.starts_with('-') && !label.ends_with('-') && !label.chars().skip(2).take(2).eq(['-', '-'])
}

fn is_allowed_from_right_to_left(class: BidiClass) -> bool {
    use BidiClass::{AL, AN, BN, CS, EN, ES, ET, NSM, ON, R};
    matches!(class, R | AL | AN | EN | ES | CS | ET | ON | BN | NSM)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_map_as_in_2008() {
        for (name, expected) in [
            ("BÜCHER.example", Some("xn--bcher-kva.example")),
            ("faß.de", Some("xn--fa-hia.de")),
            ("é。x．", Some("xn--9ca.x.")),
            ("xn--9ca", Some("xn--9ca")),
            ("l·l", Some("xn--ll-0ea")),
            ("a·b", None),
            ("☃.net", None),
            ("😀.la", None),
            ("a_b.c", None),
            ("-a.c", None),
            ("a-.é", None),
            ("ab--é", None),
            ("\u{301}a", None),
            ("a..é", None),
            ("xn--é", None),
            ("xn--abc-", None),
            ("", None),
            (".", None),
        ] {
            assert_eq!(encode(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn names_and_labels_have_their_limits() {
        let label = "a".repeat(63);
        let name = |last: usize| format!("{label}.{label}.{label}.{}", "a".repeat(last));
        for (name, is_valid) in [
            (label.clone(), true),
            (format!("{label}a"), false),
            (format!("{}é", "a".repeat(55)), true),
            (format!("{}é", "a".repeat(56)), false),
            (name(61), true),
            (name(62), false),
            (name(61) + ".", true),
            (name(62) + ".", false),
            ("\u{ad}".repeat(1023) + "a", true),
            ("\u{ad}".repeat(1024) + "a", false),
        ] {
            assert_eq!(encode(&name).is_some(), is_valid, "{} characters", name.chars().count());
        }
    }

    #[test]
    fn ascii_is_checked_before_nfc() {
        for (name, std3, any) in [
            ("A-b.C", Some("a-b.c"), Some("a-b.c")),
            ("A_b", None, Some("a_b")),
            ("a≠", Some("a≠"), Some("a≠")),
            ("=\u{338}", None, Some("≠")),
            ("＝", None, Some("=")),
            ("ﬀ＠", None, Some("ff@")),
            ("\u{37a}", None, Some(" ι")),
            ("…", None, None),
        ] {
            assert_eq!(remap(name, Ascii::Std3).as_deref(), std3, "{name}");
            assert_eq!(remap(name, Ascii::Any).as_deref(), any, "{name}");
        }
    }
}
