//! Properties of code points in Unicode 14.0, and the differences in Unicode 3.2 and Java 17.

use super::generated::{AGES, BIDI_CLASSES, CATEGORIES, CHANGED_IN_14, OLD_DIRECTIONS};
use super::tables::{Age, Category, value};
use super::tables::{BidiClass, Direction};

/// Returns the age of a code point. Noncharacters count as unassigned.
pub(super) fn age(character: char) -> Age {
    match value(&AGES, character) {
        0 => Age::Unicode3_2,
        1 => Age::Unicode13,
        2 => Age::Unicode14,
        _ => Age::Unassigned,
    }
}

/// Returns the general category in Unicode 14.0.
pub(super) fn category(character: char) -> Category {
    match age(character) {
        Age::Unassigned => Category::Other,
        _ => Category::ALL[usize::from(value(&CATEGORIES, character))],
    }
}

/// Returns the general category in Unicode 13.0.
pub(super) fn category_in_java(character: char) -> Category {
    let changed = CHANGED_IN_14.iter().find(|(changed, ..)| *changed == character);
    match changed {
        Some((_, old, _)) => *old,
        None if age(character) <= Age::Unicode13 => category(character),
        None => Category::Other,
    }
}

/// Returns the bidirectional class in Unicode 14.0.
pub(super) fn bidi_class(character: char) -> Option<BidiClass> {
    let is_assigned = age(character) != Age::Unassigned;
    is_assigned.then(|| BidiClass::ALL[usize::from(value(&BIDI_CLASSES, character))])
}

/// Returns the direction in Unicode 3.2. Characters that it does not assign have none.
pub(super) fn old_direction(character: char) -> Direction {
    if age(character) != Age::Unicode3_2 {
        return Direction::Neutral;
    }
    let changed = OLD_DIRECTIONS.iter().find(|(first, last, _)| (first..=last).contains(&&character));
    let today = bidi_class(character).map_or(Direction::Neutral, Direction::from);
    changed.map_or(today, |(.., direction)| *direction)
}

/// Returns the bidirectional class in Unicode 13.0.
pub(super) fn bidi_class_in_java(character: char) -> Option<BidiClass> {
    let changed = CHANGED_IN_14.iter().find(|(changed, ..)| *changed == character);
    match changed {
        Some((_, _, class)) => Some(*class),
        None => bidi_class(character).filter(|_| age(character) <= Age::Unicode13),
    }
}

/// Returns the direction in Java 17, which also gives unassigned code points a direction.
pub(super) fn direction_in_java(character: char) -> Direction {
    bidi_class_in_java(character).map_or_else(|| direction_of_unassigned(character), Direction::from)
}

/// Returns the defaults of `DerivedBidiClass.txt` for right-to-left blocks, currency symbols, and ignored
/// code points.
fn direction_of_unassigned(character: char) -> Direction {
    match character {
        '\u{20a0}'..='\u{20cf}' => Direction::Neutral,
        _ if is_ignored(character) => Direction::Neutral,
        '\u{590}'..='\u{8ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{feff}'
        | '\u{10800}'..='\u{10fff}'
        | '\u{1e800}'..='\u{1efff}' => Direction::Right,
        _ => Direction::Left,
    }
}

/// Returns whether a code point is a noncharacter, or an unassigned default ignorable code point.
fn is_ignored(character: char) -> bool {
    matches!(character, '\u{2065}' | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}' | '\u{fdd0}'..='\u{fdef}')
        // The last two code points of each plane.
        || u32::from(character) & 0xfffe == 0xfffe
}
