//! The data of Nameprep (RFC 3491), the preparation of names for IDNA 2003, on Unicode 3.2, as in CPython
//! 3.11 and Java 17.
//!
//! CPython uses only the assigned code points, the categories and the directions of Unicode 3.2. Its lower
//! case, its combining classes and its compositions are from Unicode 14.0, even for later code points.

use std::borrow::Cow;

use super::generated::FOLDED;
use super::normal_forms::{Decompositions, normalise};
use super::properties::{self, age};
use super::python;
use super::tables::Age;
use super::tables::Direction;

/// Returns whether Unicode 3.2 assigns a code point.
pub(crate) fn is_assigned(character: char) -> bool {
    age(character) == Age::Unicode3_2
}

/// Maps a character by table B.3, which is case folding for a text that is not normalised. If a character has
/// no entry, CPython uses its lower case.
pub(crate) fn fold(character: char) -> Cow<'static, str> {
    match FOLDED.get(character) {
        Some((_, folded)) => Cow::Borrowed(folded),
        None => Cow::Owned(python::lower_case(character.encode_utf8(&mut [0; 4]))),
    }
}

/// Maps a character by table B.3 of Unicode 3.2, which is the table of Java 17.
pub(crate) fn fold_assigned(character: char) -> Cow<'static, str> {
    let folded = fold(character);
    if is_assigned(character) && folded.chars().all(is_assigned) {
        folded
    } else {
        Cow::Owned(character.to_string())
    }
}

/// Returns the normalisation form KC like CPython's `unicodedata.ucd_3_2_0`.
pub(crate) fn nfkc(text: &str) -> Cow<'_, str> {
    normalise(text, Decompositions::AllOfUnicode3_2)
}

pub(crate) fn direction(character: char) -> Direction {
    properties::old_direction(character)
}

pub(crate) fn direction_in_java(character: char) -> Direction {
    properties::direction_in_java(character)
}
