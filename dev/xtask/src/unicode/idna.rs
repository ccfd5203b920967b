//! The tables of PyPI's idna 3.20, which has its own Unicode data instead of its Python's.

use super::facts::{Facts, Mapping};
use super::rust::Source;

pub(super) const TARGET: &str = "crates/urlid-canonical/src/unicode/idna/generated.rs";

const MAPPED: &str = "mapped";
const LETTER: &str = "label - -";
const ALTERNATING: &str = "alternating";

/// The symbols of ranges, in the order of `RANGES` in `unicode/idna`.
const CLASSES: [&str; 13] = [
    "disallowed",
    "ignored",
    MAPPED,
    ALTERNATING,
    LETTER,
    "label T -",
    "label L -",
    "label R -",
    "label D -",
    "label - Greek",
    "label - Hebrew",
    "label T Hebrew",
    "label - Japanese",
];

/// Returns the source of the tables.
pub(super) fn generate() -> Result<String, String> {
    let facts = Facts::of_idna()?;
    let mut out = Source(HEAD.to_owned());
    let mut classes = facts.values("class");
    alternate(&mut classes);
    out.ranges("Classes, in the order of `RANGES`.", "CLASSES", &CLASSES, (0..).zip(classes))?;
    let (ones, several): (Mapping, Mapping) =
        facts.mapping("mapped").clone().into_iter().partition(|(_, text)| text.chars().count() == 1);
    out.runs("What UTS 46 maps to one character.", "SHIFTED", &ones);
    let several: Vec<(u32, u8, &str)> =
        several.iter().map(|(code, text)| (*code, 0, text.as_str())).collect();
    out.texts("What UTS 46 maps to several characters", "TEXTS", &several);
    Ok(out.0)
}

/// Makes one range of letters whose cases alternate: mapped, label, mapped, label.
fn alternate(classes: &mut [&str]) {
    let mut start = 0;
    while start < classes.len() {
        let (pairs, _) = classes[start..].as_chunks::<2>();
        let length = 2 * pairs.iter().take_while(|pair| **pair == [MAPPED, LETTER]).count();
        // A single pair would split ranges that are longer without it.
        if length > 2 {
            classes[start..start + length].fill(ALTERNATING);
        }
        start += length.max(1);
    }
}

const HEAD: &str = "\
//! What PyPI's idna 3.20 holds. Written by `cargo xtask unicode`; do not edit.

use crate::unicode::tables::{MappedRange, Texts, run};
";
