//! The validity of a label: RFC 5891, section 4.2, with the contexts of RFC 5892, appendix A, and the Bidi
//! rule of RFC 5893.

use crate::unicode::idna::{Class, Joining, Script};
use crate::unicode::{BidiClass, python};

/// The combining class of a virama.
const VIRAMA: u8 = 9;

/// A label as characters.
pub(super) struct Label<'t> {
    text: &'t str,
    characters: Vec<char>,
}

impl<'t> Label<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, characters: text.chars().collect() }
    }

    /// Returns nothing unless all rules hold.
    pub(super) fn check(&self) -> Option<()> {
        let first = *self.characters.first()?;
        let is_valid = has_valid_hyphens(self.text)
            && !python::is_mark(first)
            && python::nfc(self.text) == self.text
            && (0..self.characters.len()).all(|index| self.is_allowed(index))
            && self.has_valid_directions();
        is_valid.then_some(())
    }

    /// RFC 5892: the character is allowed in labels, and in its context.
    fn is_allowed(&self, index: usize) -> bool {
        let label = &self.characters;
        let before = index.checked_sub(1).map(|index| label[index]);
        let after = label.get(index + 1).copied();
        // The contexts of RFC 5892, appendix A.1 to A.9, in that order.
        match label[index] {
            '\u{200c}' => self.follows_virama(index) || self.joins(index),
            '\u{200d}' => self.follows_virama(index),
            '\u{b7}' => before == Some('l') && after == Some('l'),
            '\u{375}' => after.is_some_and(|after| Class::new(after).script() == Script::Greek),
            '\u{5f3}' | '\u{5f4}' => {
                before.is_some_and(|before| Class::new(before).script() == Script::Hebrew)
            }
            '\u{30fb}' => label
                .iter()
                .any(|&other| other != '\u{30fb}' && Class::new(other).script() == Script::Japanese),
            '\u{660}'..='\u{669}' => !label.iter().any(|other| ('\u{6f0}'..='\u{6f9}').contains(other)),
            '\u{6f0}'..='\u{6f9}' => !label.iter().any(|other| ('\u{660}'..='\u{669}').contains(other)),
            character => Class::new(character).is_label(),
        }
    }

    fn follows_virama(&self, index: usize) -> bool {
        index > 0 && python::combining_class(self.characters[index - 1]) == VIRAMA
    }

    /// A non-joiner stands between letters that would join without it; transparent characters between them do
    /// not matter.
    fn joins(&self, index: usize) -> bool {
        let is_opaque = |joining: &Joining| *joining != Joining::Transparent;
        let joining = |character: &char| Class::new(*character).joining();
        let (before, after) = (&self.characters[..index], &self.characters[index + 1..]);
        let left = before.iter().rev().map(joining).find(is_opaque);
        let right = after.iter().map(joining).find(is_opaque);
        matches!(left, Some(Joining::Left | Joining::Dual))
            && matches!(right, Some(Joining::Right | Joining::Dual))
    }

    /// RFC 5893, section 2. Where nothing goes from right to left, it is enough that Unicode 14.0 assigns all
    /// characters. The fifth and sixth rule need no code: they are about labels from left to right, in which
    /// nothing may go from right to left.
    fn has_valid_directions(&self) -> bool {
        let classes = self.characters.iter().map(|&character| python::bidi_class(character));
        let Some(classes) = classes.collect::<Option<Vec<BidiClass>>>() else { return false };
        if !classes.iter().any(|class| matches!(class, BidiClass::R | BidiClass::AL | BidiClass::AN)) {
            return true;
        }
        let last = classes.iter().rfind(|class| **class != BidiClass::NSM);
        matches!(classes[0], BidiClass::R | BidiClass::AL)
            && classes.iter().all(|class| is_allowed_from_right_to_left(*class))
            && matches!(last, Some(BidiClass::R | BidiClass::AL | BidiClass::EN | BidiClass::AN))
            && !(classes.contains(&BidiClass::EN) && classes.contains(&BidiClass::AN))
    }
}

/// No hyphen at the ends, nor two as third and fourth character.
pub(super) fn has_valid_hyphens(label: &str) -> bool {
    // RFC 5891, 4.2.3.1: `--` at this place is reserved for prefixes such as `xn--`.
    !label.starts_with('-') && !label.ends_with('-') && !label.chars().skip(2).take(2).eq(['-', '-'])
}

fn is_allowed_from_right_to_left(class: BidiClass) -> bool {
    use BidiClass::{AL, AN, BN, CS, EN, ES, ET, NSM, ON, R};
    matches!(class, R | AL | AN | EN | ES | CS | ET | ON | BN | NSM)
}
