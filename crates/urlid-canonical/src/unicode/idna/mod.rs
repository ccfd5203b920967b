//! The data of PyPI's idna 3.20 for each character: its mapping in UTS 46, and its properties for IDNA 2008.
//!
//! The package has its own tables, which are newer than the tables of the Python that runs it. The rules are
//! in `rules::idna2008`.

mod generated;

use super::python::{lower_case, nfkc};
use super::tables::{mapped, range};
use generated::{CLASSES, SHIFTED, TEXTS};

/// The treatment of a character by the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// UTS 46 rejects it.
    Disallowed,
    /// UTS 46 drops it.
    Ignored,
    /// UTS 46 maps it, perhaps to itself. IDNA 2008 does not allow it in labels.
    Mapped,
    /// UTS 46 keeps it, and IDNA 2008 allows it in labels, or in some contexts.
    Label(Joining, Script),
}

/// The joining type, as far as a rule depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joining {
    Other,
    Transparent,
    Left,
    Right,
    Dual,
}

/// The script, as far as a rule depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Other,
    Greek,
    Hebrew,
    /// Hiragana, Katakana and Han.
    Japanese,
}

/// The common property of a range of characters.
enum Range {
    All(Class),
    /// Like letters of two cases: the first is mapped, the second is allowed in labels, and so on.
    Alternating,
}

/// The ranges, in the order in which the generator numbers them.
const RANGES: [Range; 13] = [
    Range::All(Class::Disallowed),
    Range::All(Class::Ignored),
    Range::All(Class::Mapped),
    Range::Alternating,
    Range::All(LETTER),
    Range::All(Class::Label(Joining::Transparent, Script::Other)),
    Range::All(Class::Label(Joining::Left, Script::Other)),
    Range::All(Class::Label(Joining::Right, Script::Other)),
    Range::All(Class::Label(Joining::Dual, Script::Other)),
    Range::All(Class::Label(Joining::Other, Script::Greek)),
    Range::All(Class::Label(Joining::Other, Script::Hebrew)),
    Range::All(Class::Label(Joining::Transparent, Script::Hebrew)),
    Range::All(Class::Label(Joining::Other, Script::Japanese)),
];

const LETTER: Class = Class::Label(Joining::Other, Script::Other);

impl Class {
    /// Returns the class of a character.
    pub(crate) fn new(character: char) -> Self {
        let (start, place) = range(&CLASSES, character);
        match RANGES[usize::from(place)] {
            Range::All(class) => class,
            Range::Alternating if (u32::from(character) - start) % 2 == 0 => Self::Mapped,
            Range::Alternating => LETTER,
        }
    }

    /// Returns whether IDNA 2008 allows the character in labels.
    pub(crate) fn is_label(self) -> bool {
        matches!(self, Self::Label(..))
    }

    /// Returns the joining type of a character in labels.
    pub(crate) fn joining(self) -> Joining {
        match self {
            Self::Label(joining, _) => joining,
            _ => Joining::Other,
        }
    }

    /// Returns the script of a character in labels.
    pub(crate) fn script(self) -> Script {
        match self {
            Self::Label(_, script) => script,
            _ => Script::Other,
        }
    }
}

/// Appends the mapping of a character of the class `Mapped` in UTS 46.
///
/// The table is small because it holds only mappings that NFKC and lower case of Unicode 14.0 do not give.
/// These are mappings of newer characters, and some that fold case differently.
pub(crate) fn push_mapped(character: char, out: &mut String) {
    if let Some(target) = mapped(&SHIFTED, character) {
        out.push(target);
    } else if let Some((_, text)) = TEXTS.get(character) {
        out.push_str(text);
    } else {
        // This is NFKC_Casefold, from which UTS 46 derives its mappings.
        let mut bytes = [0; 4];
        out.push_str(&nfkc(&lower_case(&nfkc(character.encode_utf8(&mut bytes)))));
    }
}
