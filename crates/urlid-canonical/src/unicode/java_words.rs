//! The words of a text, as `java.text.BreakIterator` of Java 17 finds them: in Java, a sigma is final at the
//! end of a word.
//!
//! A word is letters with single punctuation between them; a number is digits likewise; and words and numbers
//! that touch are one word. What is between words is given by single characters, although Java keeps some of
//! them together.

use super::properties::category_in_java;
use super::tables::Category;

/// The class of a character in the rules of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A format character: as if it were not there.
    Ignored,
    Letter,
    Digit,
    /// It belongs to what is before it.
    Mark,
    /// The end of a phrase in Hindi, which may end a word.
    Danda,
    InWord,
    InNumber,
    InBoth,
    /// It stands in both, and begins a number.
    Dot,
    BeforeNumber,
    AfterNumber,
    Other,
}

/// The state of the scan of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
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
    /// Nothing may follow.
    End,
}

impl State {
    /// Returns the state after a character, unless the word cannot go on with it.
    fn after(self, kind: Kind) -> Option<Self> {
        Some(match (self, kind) {
            (_, Kind::Ignored) => self,
            (Self::Start | Self::Word | Self::InWord | Self::Number, Kind::Letter) => Self::Word,
            (Self::Word, Kind::Mark) => Self::Word,
            (Self::Word, Kind::InWord | Kind::InBoth | Kind::Dot) => Self::InWord,
            (Self::Word, Kind::Danda) => Self::WordEnd,
            (Self::InWord | Self::End, _) => return None,
            (_, Kind::Digit) => Self::Number,
            (Self::Number, Kind::Mark) => Self::Number,
            (Self::Number, Kind::InNumber | Kind::InBoth | Kind::Dot) => Self::InNumber,
            (Self::Number, Kind::AfterNumber) => Self::End,
            (Self::Start, Kind::BeforeNumber | Kind::Dot) => Self::BeforeNumber,
            (Self::Start, _) => Self::End,
            _ => return None,
        })
    }

    /// Whether a word may end here.
    fn is_end(self) -> bool {
        !matches!(self, Self::InWord | Self::InNumber)
    }
}

/// Returns where the words begin and end.
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
    // The longest match: the scan goes on while it can, and the word ends at the last place where it may.
    let (mut state, mut length) = (State::Start, 0);
    for (offset, character) in text.char_indices() {
        let Some(next) = state.after(kind(character)) else { break };
        state = next;
        if state.is_end() {
            length = offset + character.len_utf8();
        }
    }
    length
}

fn kind(character: char) -> Kind {
    match character {
        '.' => Kind::Dot,
        '"' | '\'' => Kind::InBoth,
        ',' | '\u{66b}' => Kind::InNumber,
        '\u{ad}' | '\u{2027}' => Kind::InWord,
        '%' | '&' | '¢' | '\u{66a}' | '\u{2030}' | '\u{2031}' => Kind::AfterNumber,
        '#' => Kind::BeforeNumber,
        '\u{964}' | '\u{965}' => Kind::Danda,
        _ if is_kana_or_kanji(character) => Kind::Other,
        _ if is_letter_by_mistake(character) => Kind::Letter,
        _ if is_control_by_mistake(character) => Kind::Other,
        _ => match category_in_java(character) {
            Category::CasedLetter
            | Category::ModifierLetter
            | Category::OtherLetter
            | Category::SpacingMark => Kind::Letter,
            Category::Mark => Kind::Mark,
            Category::Number => Kind::Digit,
            Category::Connector | Category::Dash => Kind::InWord,
            Category::Currency => Kind::BeforeNumber,
            Category::Format => Kind::Ignored,
            Category::ModifierSymbol | Category::Space | Category::Control | Category::Other => Kind::Other,
        },
    }
}

/// Words of Japanese are runs of one of its scripts, and hold no sigma.
fn is_kana_or_kanji(character: char) -> bool {
    matches!(character,
        '\u{3005}' | '\u{4e00}'..='\u{9fa5}' | '\u{f900}'..='\u{fa2d}'
        | '\u{3041}'..='\u{3094}' | '\u{309b}'..='\u{309e}' | '\u{30a1}'..='\u{30fe}')
}

// Java's table goes on with the letters of large blocks to their ends, and leaves the last one of a range of
// format characters above U+FFFF out.
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
