//! The data of Node 20.20.2: of its `URL`, which is Ada 2.9.2, and of `toLowerCase`, which comes from ICU
//! 78.2.
//!
//! Ada has data of several versions. The mapping of UTS 46 and the normal form are from Unicode 15.0, marks,
//! viramas and directions from 13.0, and joining types from older versions. ICU has Unicode 17.0. The tables
//! are the differences from the tables of `idna` and of `python`. The rules are in `rules::ada`.

mod generated;

use std::borrow::Cow;

use super::idna::{self, Class, Joining};
use super::normal_forms::{self, Decompositions, normalise_by};
use super::properties::{self, age};
use super::python::{self, lower_case_by};
use super::tables::BidiClass;
use super::tables::{Age, Case, Category, mapped, spanned};
use generated::{CASE, JOINING, LOWER, MARKS, REJECTED};

const VIRAMA: u8 = 9;

/// Maps a name by UTS 46. Returns `None` if a character is rejected.
pub(crate) fn map(name: &str) -> Option<String> {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        match Class::new(character) {
            _ if character.is_ascii() => out.push(character.to_ascii_lowercase()),
            _ if is_rejected(character) => return None,
            Class::Disallowed => return None,
            Class::Ignored => {}
            // PyPI's idna and today's UTS 46 have `ß`.
            Class::Mapped if character == 'ẞ' => out.push_str("ss"),
            Class::Mapped => idna::push_mapped(character, &mut out),
            Class::Label(..) => out.push(character),
        }
    }
    Some(out)
}

fn is_rejected(character: char) -> bool {
    let before = REJECTED.partition_point(|(first, _)| *first <= character);
    REJECTED[..before].last().is_some_and(|(_, last)| character <= *last)
}

/// Returns the normalisation form C, with the combining classes of Unicode 15.0. Its compositions are the
/// same as in 14.0.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    normalise_by(text, Decompositions::Canonical, |character| {
        let newer = MARKS.iter().find(|(mark, _)| *mark == character);
        newer.map_or_else(|| normal_forms::combining_class(character), |(_, class)| *class)
    })
}

/// Returns whether the general category in Unicode 13.0 is Mn, Mc or Me.
pub(crate) fn is_mark(character: char) -> bool {
    matches!(properties::category_in_java(character), Category::Mark | Category::SpacingMark)
}

/// Returns whether a character is a virama in Unicode 13.0.
pub(crate) fn is_virama(character: char) -> bool {
    age(character) <= Age::Unicode13 && normal_forms::combining_class(character) == VIRAMA
}

/// Returns the bidirectional class in Unicode 13.0, or `None` for unassigned characters.
pub(crate) fn bidi_class(character: char) -> Option<BidiClass> {
    properties::bidi_class_in_java(character)
}

/// Returns the joining type; transparent characters have none.
pub(crate) fn joining(character: char) -> Joining {
    spanned(&JOINING, character).unwrap_or(Joining::Other)
}

/// Returns the lower case, as `toLowerCase` does.
pub(crate) fn lower_case(text: &str) -> String {
    let lower_of = |character| mapped(&LOWER, character).unwrap_or_else(|| python::lower_case_of(character));
    lower_case_by(text, lower_of, |character| {
        spanned::<Case>(&CASE, character).unwrap_or_else(|| python::case(character))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_mapped_as_in_unicode_15() {
        for (name, expected) in [
            ("BÜCHER", Some("bücher")),
            ("ẞß", Some("ssß")),
            ("a。b\u{ad}", Some("a.b")),
            ("\u{1806}", None),
            ("\u{1c89}", None),
            ("\u{1e030}", Some("а")),
        ] {
            assert_eq!(map(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn lower_case_matches_unicode_17() {
        for (text, lower) in [
            ("İΑΣ", "i\u{307}ας"),
            ("\u{1c89}", "\u{1c8a}"),
            ("\u{16ea0}Σ", "\u{16ebb}ς"),
            // A letter without case since Unicode 16.0.
            ("ʕΣ", "ʕσ"),
        ] {
            assert_eq!(lower_case(text), lower, "{text}");
        }
    }
}
