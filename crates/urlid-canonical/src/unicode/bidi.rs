//! Bidirectional classes, and the directions that IDNA 2003 makes of them.

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
