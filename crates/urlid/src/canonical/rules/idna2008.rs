//! ToASCII of the Python package `idna` with `uts46=True`: the mapping of UTS 46, then IDNA 2008 (RFC 5891 to 5893) on
//! each label.
//!
//! The checks that UTS 46 shares with IDNA 2008 are those of the crate `idna`. RFC 5892 allows fewer code points, and
//! some only in a context; these rules are here.

use icu_normalizer::uts46::Uts46MapperBorrowed;
use icu_properties::props::{GeneralCategory, Script};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};
use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

/// The package's limit for a name, in characters.
const LONGEST_NAME: usize = 1024;

/// Maps and normalises a name as UTS 46 does; nothing if one of its code points is disallowed.
pub(in crate::canonical) fn map(name: &str) -> Option<String> {
    if name.chars().count() > LONGEST_NAME {
        return None;
    }
    let lower_case = name.chars().map(|character| character.to_ascii_lowercase());
    let mapped: String = Uts46MapperBorrowed::new().map_normalize(lower_case).collect();
    (!mapped.contains(char::REPLACEMENT_CHARACTER)).then_some(mapped)
}

/// Returns the ASCII form of a domain name, or nothing if a label is not valid or the name is too long.
pub(in crate::canonical) fn to_ascii(name: &str) -> Option<String> {
    let mapped = map(name)?;
    let labels = mapped.strip_suffix('.').unwrap_or(&mapped);
    let mut ascii = String::with_capacity(mapped.len());
    for label in labels.split('.') {
        push_label(label, &mut ascii)?;
        ascii.push('.');
    }
    if labels.len() == mapped.len() {
        ascii.pop();
    }
    (ascii.len() <= 253 + mapped.len() - labels.len()).then_some(ascii)
}

fn push_label(label: &str, out: &mut String) -> Option<()> {
    let uts46 = Uts46::new();
    let ascii =
        uts46.to_ascii(label.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Check, DnsLength::Verify).ok()?;
    let (unicode, _) = uts46.to_unicode(ascii.as_bytes(), AsciiDenyList::EMPTY, Hyphens::Check);
    let characters: Vec<char> = unicode.chars().collect();
    let is_valid = (0..characters.len()).all(|index| is_valid(&characters, index));
    is_valid.then(|| out.push_str(&ascii))
}

/// RFC 5892, section 3, with the contexts of its appendix A. A joiner has passed the same rule in UTS 46.
fn is_valid(label: &[char], index: usize) -> bool {
    let before = index.checked_sub(1).map(|index| label[index]);
    let after = label.get(index + 1).copied();
    let has_script = |character: char, script| CodePointMapData::<Script>::new().get(character) == script;
    match label[index] {
        '-' | '\u{df}' | '\u{3c2}' | '\u{6fd}' | '\u{6fe}' | '\u{f0b}' | '\u{3007}' | '\u{200c}'
        | '\u{200d}' => true,
        '\u{b7}' => before == Some('l') && after == Some('l'),
        '\u{375}' => after.is_some_and(|after| has_script(after, Script::Greek)),
        '\u{5f3}' | '\u{5f4}' => before.is_some_and(|before| has_script(before, Script::Hebrew)),
        '\u{30fb}' => label.iter().any(|&other| {
            other != '\u{30fb}'
                && [Script::Hiragana, Script::Katakana, Script::Han]
                    .iter()
                    .any(|&script| has_script(other, script))
        }),
        '\u{660}'..='\u{669}' => !label.iter().any(|other| ('\u{6f0}'..='\u{6f9}').contains(other)),
        '\u{6f0}'..='\u{6f9}' => !label.iter().any(|other| ('\u{660}'..='\u{669}').contains(other)),
        character => !is_excluded(character) && is_letter_or_digit(character),
    }
}

/// Code points that are letters, marks or digits and disallowed all the same: exceptions, blocks of marks, old Jamo.
fn is_excluded(character: char) -> bool {
    matches!(character,
        '\u{640}' | '\u{7fa}' | '\u{302e}' | '\u{302f}' | '\u{3031}'..='\u{3035}' | '\u{303b}'
        | '\u{20d0}'..='\u{20ff}' | '\u{1d100}'..='\u{1d24f}'
        | '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97f}' | '\u{d7b0}'..='\u{d7ff}')
}

fn is_letter_or_digit(character: char) -> bool {
    const CATEGORIES: CodePointMapDataBorrowed<'static, GeneralCategory> =
        CodePointMapData::<GeneralCategory>::new();
    matches!(
        CATEGORIES.get(character),
        GeneralCategory::LowercaseLetter
            | GeneralCategory::OtherLetter
            | GeneralCategory::ModifierLetter
            | GeneralCategory::NonspacingMark
            | GeneralCategory::SpacingMark
            | GeneralCategory::DecimalNumber
    )
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
            ("a..é", None),
            ("xn--é", None),
            ("", None),
            (".", None),
        ] {
            assert_eq!(to_ascii(name).as_deref(), expected, "{name}");
        }
    }
}
