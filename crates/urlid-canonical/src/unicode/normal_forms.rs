//! Normalisation forms C and KC, by the tables of Unicode 14.0 and the algorithm of
//! [UAX #15](https://www.unicode.org/reports/tr15/).

use std::borrow::Cow;
use std::cmp::Ordering;

use super::generated::{COMBINING_CLASSES, COMPOSED, DECOMPOSED, OLD_DECOMPOSED};
use super::properties::age;
use super::tables::{Age, value};

/// The set of decompositions to apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decompositions {
    /// Only canonical decompositions.
    Canonical,
    /// Canonical and compatibility decompositions.
    All,
    /// All decompositions of Unicode 3.2.
    AllOfUnicode3_2,
}

const CANONICAL: u8 = 0;

// Syllables of Hangul by their numbers: 19 leading consonants, 21 vowels, and 27 trailing consonants, which
// may be missing.
const SYLLABLES: u32 = 0xac00;
const LEADING: u32 = 0x1100;
const VOWELS: u32 = 0x1161;
const BEFORE_TRAILING: u32 = 0x11a7;
const LEADING_COUNT: u32 = 19;
const VOWEL_COUNT: u32 = 21;
const TRAILING_COUNT: u32 = 28;

pub(super) fn combining_class(character: char) -> u8 {
    value(&COMBINING_CLASSES, character)
}

/// Decomposes a text, orders its marks, and composes it.
pub(super) fn normalise(text: &str, which: Decompositions) -> Cow<'_, str> {
    normalise_by(text, which, combining_class)
}

/// Does the same as [`normalise`] with a different function of combining classes.
pub(super) fn normalise_by(text: &str, which: Decompositions, class: fn(char) -> u8) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut decomposed = Vec::with_capacity(text.len());
    text.chars().for_each(|character| decompose(character, which, &mut decomposed));
    let mut characters: Vec<(char, u8)> =
        decomposed.into_iter().map(|character| (character, class(character))).collect();
    order_marks(&mut characters);
    compose(&mut characters);
    Cow::Owned(characters.into_iter().map(|(character, _)| character).collect())
}

fn decompose(character: char, which: Decompositions, out: &mut Vec<char>) {
    match step(character, which) {
        // Each entry of the table is one step, and its parts may have their own entries.
        Some(Step::Text(parts)) => parts.chars().for_each(|part| decompose(part, which, out)),
        Some(Step::Syllable(jamo)) => out.extend(jamo.into_iter().flatten()),
        Some(Step::Other(other)) => decompose(other, which, out),
        None => out.push(character),
    }
}

/// One step of a decomposition.
enum Step {
    Text(&'static str),
    Syllable([Option<char>; 3]),
    /// The ideograph of Unicode 3.2 that differs from today's.
    Other(char),
}

fn step(character: char, which: Decompositions) -> Option<Step> {
    if character.is_ascii() {
        return None;
    }
    let syllable = u32::from(character).wrapping_sub(SYLLABLES);
    if syllable < LEADING_COUNT * VOWEL_COUNT * TRAILING_COUNT {
        // The number of a syllable is (leading × 21 + vowel) × 28 + trailing, where 0 means that there is no
        // trailing consonant.
        let (rest, trailing) = (syllable / TRAILING_COUNT, syllable % TRAILING_COUNT);
        let trailing = char::from_u32(BEFORE_TRAILING + trailing).filter(|_| trailing > 0);
        let leading = char::from_u32(LEADING + rest / VOWEL_COUNT);
        return Some(Step::Syllable([leading, char::from_u32(VOWELS + rest % VOWEL_COUNT), trailing]));
    }
    if which == Decompositions::AllOfUnicode3_2 {
        if age(character) != Age::Unicode3_2 {
            return None;
        }
        if let Some((_, old)) = OLD_DECOMPOSED.iter().find(|(changed, _)| *changed == character) {
            return Some(Step::Other(*old));
        }
    }
    let (kind, text) = DECOMPOSED.get(character)?;
    (kind == CANONICAL || which != Decompositions::Canonical).then_some(Step::Text(text))
}

/// Sorts each run of marks by combining class. Marks of one class keep their order.
fn order_marks(characters: &mut [(char, u8)]) {
    for marks in characters.split_mut(|(_, class)| *class == 0) {
        marks.sort_by_key(|(_, class)| *class);
    }
}

/// Composes each starter with the following characters, as far as they are not blocked.
fn compose(characters: &mut Vec<(char, u8)>) {
    // Characters are composed in place. Kept characters move up over those that were composed with a starter.
    let mut kept = 0_usize;
    let mut starter: Option<usize> = None;
    for index in 0..characters.len() {
        let (character, class) = characters[index];
        if let Some(place) = starter {
            let previous: &(char, u8) = &characters[kept - 1];
            // There is neither a starter nor a character of the same or a higher class in between.
            let is_next = kept - 1 == place || previous.1 < class;
            let (first, _) = characters[place];
            if let Some(composed) = pair(first, character).filter(|_| is_next) {
                characters[place].0 = composed;
                continue;
            }
        }
        if class == 0 {
            starter = Some(kept);
        }
        characters[kept] = (character, class);
        kept += 1;
    }
    characters.truncate(kept);
}

/// Returns the composition of two characters.
fn pair(first: char, second: char) -> Option<char> {
    if let Some(syllable) = syllable(first.into(), second.into()) {
        return Some(syllable);
    }
    // `COMPOSED` has the places of the decompositions into two characters, in the order of these pairs.
    let place =
        COMPOSED.binary_search_by(|place| compare(DECOMPOSED.at((*place).into()), first, second)).ok()?;
    DECOMPOSED.code_point(COMPOSED[place].into())
}

fn compare(text: &str, first: char, second: char) -> Ordering {
    text.chars().cmp([first, second])
}

fn syllable(first: u32, second: u32) -> Option<char> {
    // A number before the range wraps around to a number past its end, so one comparison is enough.
    let (leading, vowel) = (first.wrapping_sub(LEADING), second.wrapping_sub(VOWELS));
    if leading < LEADING_COUNT && vowel < VOWEL_COUNT {
        return char::from_u32(SYLLABLES + (leading * VOWEL_COUNT + vowel) * TRAILING_COUNT);
    }
    let (syllable, trailing) = (first.wrapping_sub(SYLLABLES), second.wrapping_sub(BEFORE_TRAILING));
    let is_open = syllable < LEADING_COUNT * VOWEL_COUNT * TRAILING_COUNT && syllable % TRAILING_COUNT == 0;
    let is_pair = is_open && (1..TRAILING_COUNT).contains(&trailing);
    if is_pair { char::from_u32(first + trailing) } else { None }
}
