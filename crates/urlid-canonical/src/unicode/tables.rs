//! The kinds of tables and their search: properties by ranges, and mappings by runs or to texts.
//!
//! The contents of the tables are generated. This module also has bidirectional classes, and the directions
//! that IDNA 2003 derives from them.

/// The version of Unicode that first assigned a code point, among the versions of the runtimes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Age {
    Unicode3_2,
    Unicode13,
    Unicode14,
    Unassigned,
}

/// The general category, as far as a rule depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Category {
    Other,
    /// Lu, Ll and Lt.
    CasedLetter,
    /// Lm.
    ModifierLetter,
    /// Lo.
    OtherLetter,
    /// Mn and Me.
    Mark,
    /// Mc.
    SpacingMark,
    /// Nd, Nl and No.
    Number,
    /// Pc.
    Connector,
    /// Pd.
    Dash,
    /// Sc.
    Currency,
    /// Sk.
    ModifierSymbol,
    /// Zs.
    Space,
    /// Cc.
    Control,
    /// Cf.
    Format,
}

impl Category {
    /// The variants by their numbers in tables.
    pub(super) const ALL: [Self; 14] = [
        Self::Other,
        Self::CasedLetter,
        Self::ModifierLetter,
        Self::OtherLetter,
        Self::Mark,
        Self::SpacingMark,
        Self::Number,
        Self::Connector,
        Self::Dash,
        Self::Currency,
        Self::ModifierSymbol,
        Self::Space,
        Self::Control,
        Self::Format,
    ];
}

/// The role of a character next to a sigma, which is final after a cased character and not before one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// `Cased`, but not `Case_Ignorable`.
    Cased,
    /// `Case_Ignorable`: the character is skipped, and the one beyond it counts.
    Ignorable,
    Other,
}

/// Returns the value of the span that a character is in.
pub(super) fn spanned<T: Copy>(spans: &[(char, char, T)], character: char) -> Option<T> {
    let before = spans.partition_point(|(first, ..)| *first <= character).checked_sub(1)?;
    let (_, last, value) = spans[before];
    (character <= last).then_some(value)
}

/// Returns the value of a property. An entry is the first code point of a range, shifted by 8 bits, and its
/// value.
pub(super) fn value(ranges: &[u32], character: char) -> u8 {
    range(ranges, character).1
}

/// Returns the start of a character's range, and the value of the property in it.
pub(super) fn range(ranges: &[u32], character: char) -> (u32, u8) {
    //   31                       8 7       0
    //  │ first code point        24│ value 8│    an entry
    let after = ranges.partition_point(|entry| entry >> 8 <= u32::from(character));
    // The first range starts at 0, so there is a previous entry.
    let entry = ranges[after - 1];
    (entry >> 8, entry.to_le_bytes()[0])
}

/// The code points `start`, `start + step` and so on, each mapped to the code point `delta` further.
#[derive(Clone, Copy, Debug)]
pub(super) struct MappedRange {
    start: u32,
    count: u16,
    step: u8,
    delta: i32,
}

pub(super) const fn run(start: u32, count: u16, step: u8, delta: i32) -> MappedRange {
    MappedRange { start, count, step, delta }
}

/// Returns the mapping of a character.
pub(super) fn mapped(runs: &[MappedRange], character: char) -> Option<char> {
    let code = u32::from(character);
    // Runs do not overlap, so only the last one that starts at or before the character can contain it.
    let before = runs.partition_point(|run| run.start <= code).checked_sub(1)?;
    let MappedRange { start, count, step, delta } = runs[before];
    let (offset, step) = (code - start, u32::from(step));
    let is_member = offset % step == 0 && offset / step < u32::from(count);
    char::from_u32(code.checked_add_signed(delta)?).filter(|_| is_member)
}

/// A mapping of code points to texts, which are in one string in the order of the code points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Texts {
    /// The start of each range of mapped code points, shifted by 8 bits, with a kind, and the index of its
    /// first text. The last entry is past all code points.
    pub(super) ranges: &'static [(u32, u16)],
    /// The start of each text, and at last the end of the last one.
    pub(super) offsets: &'static [u16],
    pub(super) text: &'static str,
}

impl Texts {
    /// Returns the kind and the text of a code point.
    pub(super) fn get(&self, character: char) -> Option<(u8, &'static str)> {
        let code = u32::from(character);
        let after = self.ranges.partition_point(|(start, _)| start >> 8 <= code);
        let (start, first) = self.ranges[after.checked_sub(1)?];
        let place = usize::from(first) + (code - (start >> 8)) as usize;
        // The next range starts where the texts of this one end. It exists, because the last entry is past
        // all code points.
        let is_mapped = place < usize::from(self.ranges[after].1);
        is_mapped.then(|| (start.to_le_bytes()[0], self.at(place)))
    }

    /// Returns the text at a place.
    pub(super) fn at(&self, place: usize) -> &'static str {
        &self.text[self.offsets[place].into()..self.offsets[place + 1].into()]
    }

    /// Returns the code point with the text at an index.
    pub(super) fn code_point(&self, place: usize) -> Option<char> {
        let after = self.ranges.partition_point(|(_, first)| usize::from(*first) <= place);
        let (start, first) = self.ranges[after.checked_sub(1)?];
        char::from_u32((start >> 8) + (place - usize::from(first)) as u32)
    }
}

/// The bidirectional class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::upper_case_acronyms, reason = "the names of the standard")]
pub(crate) enum BidiClass {
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
    /// The variants by their numbers in tables.
    pub(super) const ALL: [Self; 23] = [
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
}

/// The directional category of a character in IDNA 2003: RandALCat, LCat or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
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
