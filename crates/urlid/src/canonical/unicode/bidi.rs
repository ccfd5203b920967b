//! Bidirectional classes, and the directions that IDNA 2003 makes of them.

use super::generated::{BIDI_CLASSES, CHANGED_IN_14, OLD_DIRECTIONS};
use super::tables::{Age, age, value};

/// The bidirectional class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::upper_case_acronyms, reason = "the names of the standard")]
pub(in crate::canonical) enum BidiClass {
    L,
    R,
    AL,
    EN,
    ES,
    ET,
    AN,
    CS,
    NSM,
    BN,
    B,
    S,
    WS,
    ON,
    LRE,
    LRO,
    RLE,
    RLO,
    PDF,
    LRI,
    RLI,
    FSI,
    PDI,
}

impl BidiClass {
    const ALL: [Self; 23] = [
        Self::L,
        Self::R,
        Self::AL,
        Self::EN,
        Self::ES,
        Self::ET,
        Self::AN,
        Self::CS,
        Self::NSM,
        Self::BN,
        Self::B,
        Self::S,
        Self::WS,
        Self::ON,
        Self::LRE,
        Self::LRO,
        Self::RLE,
        Self::RLO,
        Self::PDF,
        Self::LRI,
        Self::RLI,
        Self::FSI,
        Self::PDI,
    ];

    /// Returns the class in Unicode 14.0.
    pub(super) fn of(character: char) -> Option<Self> {
        let is_assigned = age(character) != Age::Unassigned;
        is_assigned.then(|| Self::ALL[usize::from(value(&BIDI_CLASSES, character))])
    }
}

/// What IDNA 2003 asks of a character: whether it is of the category RandALCat, of LCat, or of none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::canonical) enum Direction {
    Left,
    Right,
    Neutral,
}

impl From<BidiClass> for Direction {
    fn from(class: BidiClass) -> Self {
        match class {
            BidiClass::L => Self::Left,
            BidiClass::R | BidiClass::AL => Self::Right,
            _ => Self::Neutral,
        }
    }
}

impl Direction {
    /// Returns the direction in Unicode 3.2. What that does not assign has none.
    pub(in crate::canonical) fn in_unicode_3_2(character: char) -> Self {
        if age(character) != Age::Unicode3_2 {
            return Self::Neutral;
        }
        let changed = OLD_DIRECTIONS.iter().find(|(first, last, _)| (first..=last).contains(&&character));
        let today = BidiClass::of(character).map_or(Self::Neutral, Self::from);
        changed.map_or(today, |(.., direction)| *direction)
    }

    /// Returns the direction that the normalisation data of Java 17 have, in which code points that are not assigned have one.
    pub(in crate::canonical) fn in_java(character: char) -> Self {
        if let Some((_, _, class)) = CHANGED_IN_14.iter().find(|(changed, ..)| *changed == character) {
            return Self::from(*class);
        }
        match BidiClass::of(character) {
            Some(class) if age(character) <= Age::Unicode13 => Self::from(class),
            _ => Self::of_unassigned(character),
        }
    }

    /// The defaults of `DerivedBidiClass.txt`: blocks for scripts from right to left, currency symbols, and what is ignored.
    fn of_unassigned(character: char) -> Self {
        match character {
            '\u{20a0}'..='\u{20cf}' => Self::Neutral,
            _ if is_ignored(character) => Self::Neutral,
            '\u{590}'..='\u{8ff}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{feff}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}' => Self::Right,
            _ => Self::Left,
        }
    }
}

/// Noncharacters, and default ignorable code points that are not assigned.
fn is_ignored(character: char) -> bool {
    matches!(character, '\u{2065}' | '\u{fff0}'..='\u{fff8}' | '\u{e0000}'..='\u{e0fff}' | '\u{fdd0}'..='\u{fdef}')
        || u32::from(character) & 0xfffe == 0xfffe
}
