//! `str` and `unicodedata` of CPython 3.11: Unicode 14.0.

use std::borrow::Cow;

use super::generated::{LOWER, OTHER_DIGITS, UPPER, UPPER_TEXTS, ZEROS};
use super::normal_forms::{self, Decompositions, normalise};
use super::properties::{self, category};
use super::tables::BidiClass;
use super::tables::{Case, Category, mapped};

const CAPITAL_SIGMA: char = 'Σ';
const SIGMA: char = 'σ';
const FINAL_SIGMA: char = 'ς';

/// Returns the lower case, as `str.lower` does.
pub(crate) fn lower_case(text: &str) -> String {
    lower_case_by(text, lower_case_of, case)
}

/// Returns the lower case by functions of single characters: their lower case, and their role next to a
/// sigma.
pub(super) fn lower_case_by(text: &str, lower_of: fn(char) -> char, case: fn(char) -> Case) -> String {
    let mut lower = String::with_capacity(text.len());
    for (offset, character) in text.char_indices() {
        match character {
            // This is the only character with a lower case of two characters, by `SpecialCasing.txt`.
            'İ' => lower.push_str("i\u{307}"),
            CAPITAL_SIGMA if ends_word(&text[..offset], &text[offset + character.len_utf8()..], case) => {
                lower.push(FINAL_SIGMA);
            }
            CAPITAL_SIGMA => lower.push(SIGMA),
            _ => lower.push(lower_of(character)),
        }
    }
    lower
}

/// Returns the lower case of a character, if it is one character and does not depend on others.
pub(super) fn lower_case_of(character: char) -> char {
    match character {
        '\0'..='\x7f' => character.to_ascii_lowercase(),
        _ => mapped(&LOWER, character).unwrap_or(character),
    }
}

/// Returns whether a sigma between two texts is a final one. The nearest character before it must be cased
/// and the nearest after it must not be, ignoring case-ignorable ones.
fn ends_word(before: &str, after: &str, case: fn(char) -> Case) -> bool {
    // The condition `Final_Sigma` of the Unicode Standard, section 3.13.
    let first = |case: &Case| *case != Case::Ignorable;
    before.chars().rev().map(case).find(first) == Some(Case::Cased)
        && after.chars().map(case).find(first) != Some(Case::Cased)
}

/// Returns the role of a character next to a sigma.
pub(super) fn case(character: char) -> Case {
    if is_case_ignorable(character) {
        Case::Ignorable
    } else if is_cased(character) {
        Case::Cased
    } else {
        Case::Other
    }
}

/// Returns whether a character is `Cased` and not `Case_Ignorable`.
fn is_cased(character: char) -> bool {
    category(character) == Category::CasedLetter
        || matches!(character,
            'ª' | 'º' | 'Ⅰ'..='ⅿ' | 'Ⓐ'..='ⓩ'
            | '\u{1f130}'..='\u{1f149}' | '\u{1f150}'..='\u{1f169}' | '\u{1f170}'..='\u{1f189}')
}

/// Returns whether a character is `Case_Ignorable`: marks, format characters, modifiers, and punctuation
/// inside words.
fn is_case_ignorable(character: char) -> bool {
    let group = category(character);
    matches!(group, Category::Mark | Category::Format | Category::ModifierLetter | Category::ModifierSymbol)
        || matches!(
            character,
            '\'' | '.'
                | ':'
                | '·'
                | '\u{387}'
                | '\u{55f}'
                | '\u{5f4}'
                | '‘'
                | '’'
                | '\u{2024}'
                | '\u{2027}'
                | '\u{fe13}'
                | '\u{fe52}'
                | '\u{fe55}'
                | '\u{ff07}'
                | '\u{ff0e}'
                | '\u{ff1a}'
        )
}

/// Returns the upper case, as `str.upper` does.
pub(crate) fn upper_case(text: &str) -> String {
    // Methods of HTTP are ASCII.
    if text.is_ascii() {
        return text.to_ascii_uppercase();
    }
    let mut upper = String::with_capacity(text.len());
    for character in text.chars() {
        match UPPER_TEXTS.get(character) {
            Some((_, several)) => upper.push_str(several),
            None if character.is_ascii() => upper.push(character.to_ascii_uppercase()),
            None => upper.push(mapped(&UPPER, character).unwrap_or(character)),
        }
    }
    upper
}

/// Returns the normalisation form C.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    normalise(text, Decompositions::Canonical)
}

/// Returns the normalisation form KC.
pub(crate) fn nfkc(text: &str) -> Cow<'_, str> {
    normalise(text, Decompositions::All)
}

/// Returns the value of a decimal digit of any script, 0 to 9, as `unicodedata.decimal` does.
pub(crate) fn decimal_digit(character: char) -> Option<u8> {
    let before = ZEROS.partition_point(|&zero| zero <= character).checked_sub(1)?;
    u8::try_from(u32::from(character) - u32::from(ZEROS[before])).ok().filter(|&digit| digit < 10)
}

/// Returns whether a character is a digit for `str.isdigit`, decimal or not.
pub(crate) fn is_digit(character: char) -> bool {
    decimal_digit(character).is_some()
        || OTHER_DIGITS.iter().any(|(first, last)| (first..=last).contains(&&character))
}

/// Returns whether a character is white space for `str.isspace`, and removed by `str.strip`.
pub(crate) fn is_space(character: char) -> bool {
    matches!(character,
        // Python adds 1C to 1F to Unicode's `White_Space`.
        '\t'..='\r' | '\u{1c}'..=' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
        | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Returns the canonical combining class, as `unicodedata.combining` does.
pub(crate) fn combining_class(character: char) -> u8 {
    normal_forms::combining_class(character)
}

/// Returns whether the general category is Mn, Mc or Me.
pub(crate) fn is_mark(character: char) -> bool {
    matches!(category(character), Category::Mark | Category::SpacingMark)
}

/// Returns the bidirectional class, like `unicodedata.bidirectional`. Unassigned characters have none.
pub(crate) fn bidi_class(character: char) -> Option<BidiClass> {
    properties::bidi_class(character)
}
