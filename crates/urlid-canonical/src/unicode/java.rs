//! `String`, `Character` and `Integer` of Java 17 with Unicode 13.0, and the words of a text, as
//! `java.text.BreakIterator` finds them. In Java, a sigma is final at the end of a word.
//!
//! A word is letters with single punctuation between them. A number is digits with single punctuation between
//! them. Adjacent words and numbers are one word. The text between words is returned as single characters,
//! although Java keeps some of them together.

use super::properties::{age, category, category_in_java};
use super::python;
use super::tables::{Age, Category};

/// Returns the lower case, as `toLowerCase(Locale.ROOT)` does.
pub(crate) fn lower_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let final_sigmas = final_sigmas(text);
    let mut final_sigmas = final_sigmas.iter().peekable();
    let mut lower = String::with_capacity(text.len());
    for (offset, character) in text.char_indices() {
        match character {
            // This is the only character with a lower case of two characters, by `SpecialCasing.txt`.
            'İ' => lower.push_str("i\u{307}"),
            _ if final_sigmas.next_if_eq(&&offset).is_some() => lower.push('ς'),
            _ => lower.push(lower_case_of(character)),
        }
    }
    lower
}

/// Returns the lower case of Unicode 14.0 for characters of Unicode 13.0. `cargo xtask unicode` checks that
/// both agree.
fn lower_case_of(character: char) -> char {
    match age(character) {
        Age::Unicode3_2 | Age::Unicode13 => python::lower_case_of(character),
        Age::Unicode14 | Age::Unassigned => character,
    }
}

/// Returns the offsets of the capital sigmas that end a word after a cased character.
fn final_sigmas(text: &str) -> Vec<usize> {
    if text.contains('Σ') {
        words(text).flat_map(|(start, end)| final_sigmas_of_word(text, start, end)).collect()
    } else {
        Vec::new()
    }
}

// From a sigma on, Java asks for a boundary at each offset, in UTF-16 units. In the middle of a character
// above U+FFFF, it finds a boundary after this character. The exceptions are a character at the start of the
// text, and one after U+FFFF, which counts as the start. Text beyond such a character is therefore ignored.
fn final_sigmas_of_word(text: &str, start: usize, end: usize) -> Vec<usize> {
    let mut is_followed = false;
    let mut candidates = Vec::new();
    for (offset, character) in text[start..end].char_indices().rev() {
        if character == 'Σ' && !is_followed {
            candidates.push(start + offset);
        }
        is_followed = is_cased(character) || is_followed && character <= '\u{ffff}';
    }
    candidates.retain(|&sigma| {
        let before = text[start..sigma].char_indices().rev();
        let mut telling = before.filter(|&(_, character)| is_cased(character) || character > '\u{ffff}');
        telling.next().is_some_and(|(offset, character)| {
            let is_first = || matches!(text[..start + offset].chars().next_back(), None | Some('\u{ffff}'));
            is_cased(character) && (character <= '\u{ffff}' || is_first())
        })
    });
    candidates.reverse();
    candidates
}

/// Returns whether a character is a letter with case, or one of the letters, marks and symbols that Java
/// adds.
fn is_cased(character: char) -> bool {
    let is_letter = age(character) <= Age::Unicode13 && category(character) == Category::CasedLetter;
    is_letter
        || matches!(character,
            '\u{2b0}'..='\u{2b8}' | '\u{2c0}' | '\u{2c1}' | '\u{2e0}'..='\u{2e4}' | '\u{345}' | '\u{37a}'
            | '\u{1d2c}'..='\u{1d61}' | '\u{2160}'..='\u{217f}' | '\u{24b6}'..='\u{24e9}')
}

/// Returns the value of a digit like `Character.digit`. These are decimal digits of any script, and Latin
/// letters, including full-width ones.
pub(crate) fn digit(character: char, radix: u32) -> Option<u32> {
    let value = match character {
        'a'..='z' | 'A'..='Z' => character.to_digit(36),
        '\u{ff21}'..='\u{ff3a}' => Some(u32::from(character) - 0xff21 + 10),
        '\u{ff41}'..='\u{ff5a}' => Some(u32::from(character) - 0xff41 + 10),
        _ if age(character) <= Age::Unicode13 => python::decimal_digit(character).map(u32::from),
        _ => None,
    };
    value.filter(|&value| value < radix)
}

/// Reads a number like `Integer.parseInt`: a sign, and digits of any script, except digits of two UTF-16
/// units.
pub(crate) fn parse_int(text: &str, radix: u32) -> Option<i32> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = digits.chars().try_fold(0_i64, |value, character| {
        let digit = digit(character, radix).filter(|_| character <= '\u{ffff}')?;
        // The value stops growing far beyond the limits, so that any length of text is allowed.
        Some((value * i64::from(radix) + i64::from(digit)).min(1 << 40))
    })?;
    let value = if is_negative { -value } else { value };
    i32::try_from(value).ok().filter(|_| !digits.is_empty())
}

/// Implements `Character.isISOControl`.
pub(crate) fn is_iso_control(character: char) -> bool {
    matches!(character, '\0'..='\x1f' | '\x7f'..='\u{9f}')
}

/// Implements `Character.isSpaceChar`: the categories Zs, Zl and Zp.
pub(crate) fn is_space_char(character: char) -> bool {
    matches!(
        character,
        ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// Implements `Character.isWhitespace`: these characters without the no-break ones, and some controls.
pub(crate) fn is_whitespace(character: char) -> bool {
    let breaks_no_line = matches!(character, '\u{a0}' | '\u{2007}' | '\u{202f}');
    is_space_char(character) && !breaks_no_line || matches!(character, '\t'..='\r' | '\x1c'..='\x1f')
}

/// The class of a character in the rules of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordClass {
    /// A format character, which is ignored.
    Ignored,
    Letter,
    Digit,
    /// A mark, which belongs to the character before it.
    Mark,
    /// The end of a phrase in Hindi, which may end a word.
    Danda,
    InWord,
    InNumber,
    InBoth,
    /// Punctuation in both words and numbers, which can also start a number.
    Dot,
    BeforeNumber,
    AfterNumber,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordState {
    Start,
    Word,
    /// After punctuation inside a word. Only a letter makes it part of the word.
    InWord,
    /// Only a number may follow.
    WordEnd,
    Number,
    /// After punctuation inside a number. Only a digit makes it part of the number.
    InNumber,
    BeforeNumber,
    /// The end. No further character belongs to the word.
    End,
}

impl WordState {
    /// Returns the state after a character, or `None` if the word cannot continue with it.
    fn after(self, kind: WordClass) -> Option<Self> {
        Some(match (self, kind) {
            (_, WordClass::Ignored) => self,
            (Self::Start | Self::Word | Self::InWord | Self::Number, WordClass::Letter) => Self::Word,
            (Self::Word, WordClass::Mark) => Self::Word,
            (Self::Word, WordClass::InWord | WordClass::InBoth | WordClass::Dot) => Self::InWord,
            (Self::Word, WordClass::Danda) => Self::WordEnd,
            (Self::InWord | Self::End, _) => return None,
            (_, WordClass::Digit) => Self::Number,
            (Self::Number, WordClass::Mark) => Self::Number,
            (Self::Number, WordClass::InNumber | WordClass::InBoth | WordClass::Dot) => Self::InNumber,
            (Self::Number, WordClass::AfterNumber) => Self::End,
            (Self::Start, WordClass::BeforeNumber | WordClass::Dot) => Self::BeforeNumber,
            (Self::Start, _) => Self::End,
            _ => return None,
        })
    }

    /// Returns whether a word may end here.
    fn is_end(self) -> bool {
        !matches!(self, Self::InWord | Self::InNumber)
    }
}

/// Returns the start and the end of each word.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut start = 0;
    core::iter::from_fn(move || {
        let length = first_word(&text[start..]);
        start += length;
        (length > 0).then_some((start - length, start))
    })
}

/// Returns the length of the longest word at the start.
fn first_word(text: &str) -> usize {
    // The longest match wins. The scan continues while it can, and the word ends at the last possible place.
    let (mut state, mut length) = (WordState::Start, 0);
    for (offset, character) in text.char_indices() {
        let Some(next) = state.after(kind(character)) else { break };
        state = next;
        if state.is_end() {
            length = offset + character.len_utf8();
        }
    }
    length
}

fn kind(character: char) -> WordClass {
    match character {
        '.' => WordClass::Dot,
        '"' | '\'' => WordClass::InBoth,
        ',' | '\u{66b}' => WordClass::InNumber,
        '\u{ad}' | '\u{2027}' => WordClass::InWord,
        '%' | '&' | '¢' | '\u{66a}' | '\u{2030}' | '\u{2031}' => WordClass::AfterNumber,
        '#' => WordClass::BeforeNumber,
        '\u{964}' | '\u{965}' => WordClass::Danda,
        _ if is_kana_or_kanji(character) => WordClass::Other,
        _ if is_letter_by_mistake(character) => WordClass::Letter,
        _ if is_control_by_mistake(character) => WordClass::Other,
        _ => match category_in_java(character) {
            Category::CasedLetter
            | Category::ModifierLetter
            | Category::OtherLetter
            | Category::SpacingMark => WordClass::Letter,
            Category::Mark => WordClass::Mark,
            Category::Number => WordClass::Digit,
            Category::Connector | Category::Dash => WordClass::InWord,
            Category::Currency => WordClass::BeforeNumber,
            Category::Format => WordClass::Ignored,
            Category::ModifierSymbol | Category::Space | Category::Control | Category::Other => {
                WordClass::Other
            }
        },
    }
}

/// Returns whether a character is Japanese. Japanese words are runs of one script, and do not contain a
/// sigma.
fn is_kana_or_kanji(character: char) -> bool {
    matches!(character,
        '\u{3005}' | '\u{4e00}'..='\u{9fa5}' | '\u{f900}'..='\u{fa2d}'
        | '\u{3041}'..='\u{3094}' | '\u{309b}'..='\u{309e}' | '\u{30a1}'..='\u{30fe}')
}

// Returns whether Java counts a character as a letter by mistake. Its table continues the letters of large
// blocks to the end of the block, and omits the last character of a range of format characters above U+FFFF.
fn is_letter_by_mistake(character: char) -> bool {
    matches!(character,
        '\u{18cd6}'..='\u{18cff}' | '\u{2a6de}'..='\u{2a6ff}' | '\u{2b735}'..='\u{2b73f}' | '\u{2b81e}' | '\u{2b81f}'
        | '\u{2cea2}'..='\u{2ceaf}' | '\u{2fa1e}'..='\u{2ffff}')
}

fn is_control_by_mistake(character: char) -> bool {
    matches!(
        character,
        '\u{110bd}' | '\u{110cd}' | '\u{13438}' | '\u{1bca3}' | '\u{1d17a}' | '\u{e0001}' | '\u{e007f}'
    )
}
