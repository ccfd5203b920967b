//! The tables of Unicode 14.0, with the differences of Unicode 13.0 and 3.2.

use super::facts::{END, Facts, Mapping};
use super::rust::{self, Source};

pub(super) const TARGET: &str = "crates/urlid-canonical/src/unicode/generated.rs";

/// The variants of `Age`, in their order.
const AGES: [&str; 4] = ["Unicode3_2", "Unicode13", "Unicode14", "Unassigned"];

/// The variants of `Category`, in their order.
const CATEGORIES: [&str; 14] = [
    "Other",
    "CasedLetter",
    "ModifierLetter",
    "OtherLetter",
    "Mark",
    "SpacingMark",
    "Number",
    "Connector",
    "Dash",
    "Currency",
    "ModifierSymbol",
    "Space",
    "Control",
    "Format",
];

/// The variants of `BidiClass`, in their order.
const BIDI_CLASSES: [&str; 23] = [
    "L", "R", "AL", "EN", "ES", "ET", "AN", "CS", "NSM", "BN", "B", "S", "WS", "ON", "LRE", "LRO", "RLE",
    "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
];

/// Returns the variant for a general category.
fn group(category: &str) -> &'static str {
    match category {
        "Lu" | "Ll" | "Lt" => "CasedLetter",
        "Lm" => "ModifierLetter",
        "Lo" => "OtherLetter",
        "Mn" | "Me" => "Mark",
        "Mc" => "SpacingMark",
        "Nd" | "Nl" | "No" => "Number",
        "Pc" => "Connector",
        "Pd" => "Dash",
        "Sc" => "Currency",
        "Sk" => "ModifierSymbol",
        "Zs" => "Space",
        "Cc" => "Control",
        "Cf" => "Format",
        _ => "Other",
    }
}

/// Returns the variant of `Direction` for a bidirectional class.
fn direction(class: &str) -> &'static str {
    match class {
        "R" | "AL" => "Right",
        "L" => "Left",
        _ => "Neutral",
    }
}

/// Returns the source of the tables.
pub(super) fn generate() -> Result<String, String> {
    let (python, java) = (&Facts::of_python()?, &Facts::of_java()?);
    let [category, bidi, old_category, old_bidi] =
        ["category", "bidi", "old-category", "old-bidi"].map(|name| python.values(name));
    let [java_category, java_bidi] = ["category", "bidi"].map(|name| java.values(name));
    let age = |code: u32| match code as usize {
        code if old_category[code] != "Cn" => "Unicode3_2",
        code if java_category[code] != "Cn" => "Unicode13",
        code if category[code] != "Cn" => "Unicode14",
        _ => "Unassigned",
    };
    let ages: Vec<(u32, &str)> = (0..END).map(|code| (code, age(code))).collect();
    let of_age =
        |wanted: &'static [&str]| ages.iter().filter(|(_, age)| wanted.contains(age)).map(|(code, _)| *code);
    let assigned = || of_age(&["Unicode3_2", "Unicode13", "Unicode14"]);

    let mut out = Source(HEAD.to_owned());
    out.ranges("The versions that assign the code points first.", "AGES", &AGES, ages.iter().copied())?;
    let groups = assigned().map(|code| (code, group(category[code as usize])));
    out.ranges("General categories, of assigned code points.", "CATEGORIES", &CATEGORIES, groups)?;
    let classes = assigned().map(|code| (code, bidi[code as usize]));
    out.ranges("Bidirectional classes, of assigned code points.", "BIDI_CLASSES", &BIDI_CLASSES, classes)?;
    let combining = python.values("combining");
    let numbers: Vec<String> = (0..=u8::MAX).map(|number| number.to_string()).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    out.ranges("Canonical combining classes.", "COMBINING_CLASSES", &numbers, (0..).zip(combining))?;

    let changed = of_age(&["Unicode3_2", "Unicode13"]).filter_map(|code| {
        let (group, class) = (group(java_category[code as usize]), java_bidi[code as usize]);
        let is_equal = group == self::group(category[code as usize]) && class == bidi[code as usize];
        (!is_equal).then(|| format!("({},Category::{group},BidiClass::{class})", rust::character(code)))
    });
    let changed: Vec<String> = changed.collect();
    out.array("What Unicode 13.0 has otherwise.", "CHANGED_IN_14", "(char, Category, BidiClass)", &changed);
    let changed = of_age(&["Unicode3_2"]).map(|code| (code, direction(old_bidi[code as usize])));
    let changed = changed.filter(|(code, old)| *old != direction(bidi[*code as usize]));
    let mut runs: Vec<(u32, u32, &str)> = Vec::new();
    for (code, old) in changed {
        match runs.last_mut() {
            Some((_, last, value)) if *last + 1 == code && *value == old => *last = code,
            _ => runs.push((code, code, old)),
        }
    }
    let runs: Vec<String> = runs
        .iter()
        .map(|(first, last, old)| {
            format!("({}, {}, Direction::{old})", rust::character(*first), rust::character(*last))
        })
        .collect();
    out.array(
        "Directions that Unicode 3.2 has otherwise.",
        "OLD_DIRECTIONS",
        "(char, char, Direction)",
        &runs,
    );

    mappings(&mut out, python);
    let is_older = |code: &u32| matches!(age(*code), "Unicode3_2" | "Unicode13");
    for name in ["lower", "zero"] {
        let older = |facts: &Facts| -> Mapping {
            facts
                .mapping(name)
                .iter()
                .filter(|(code, _)| is_older(code))
                .map(|(code, text)| (*code, text.clone()))
                .collect()
        };
        if older(python) != *java.mapping(name) {
            return Err(format!(
                "{name}: Java has another mapping than CPython for what Unicode 13.0 assigns"
            ));
        }
    }
    Ok(out.0)
}

/// Adds case, digits, decompositions and compositions.
fn mappings(out: &mut Source, python: &Facts) {
    let is_one = |text: &str| text.chars().count() == 1;
    let ones = |name: &str| -> Mapping {
        let pairs = python.mapping(name).iter().filter(|(_, text)| is_one(text));
        pairs.map(|(code, text)| (*code, text.clone())).collect()
    };
    let texts = |name: &str, kind: u8| -> Vec<(u32, u8, &str)> {
        python.mapping(name).iter().map(|(code, text)| (*code, kind, text.as_str())).collect()
    };
    out.runs("Lower case, without that of U+0130, which is two characters.", "LOWER", &ones("lower"));
    out.runs("Upper case that is one character.", "UPPER", &ones("upper"));
    let longer: Vec<(u32, u8, &str)> =
        texts("upper", 0).into_iter().filter(|(_, _, text)| !is_one(text)).collect();
    out.texts("Upper case that is several characters", "UPPER_TEXTS", &longer);
    let zeros: Vec<String> = python.mapping("zero").keys().map(|code| rust::character(*code)).collect();
    out.array(
        "The zeros of the decimal digits; the other nine follow each of them.",
        "ZEROS",
        "char",
        &zeros,
    );
    let digits = python.mapping("digit").keys().map(|code| (*code, ""));
    out.spans(
        "Digits that are not decimal ones: raised, lowered, circled and the like.",
        "OTHER_DIGITS",
        "",
        digits,
    );
    out.texts("Table B.3 of RFC 3454 where it is not the lower case", "FOLDED", &texts("fold", 0));

    let mut decomposed = [texts("canonical", 0), texts("compatible", 1)].concat();
    decomposed.sort_unstable();
    out.texts(
        "Decompositions, one step of them: canonical (0), or of compatibility (1)",
        "DECOMPOSED",
        &decomposed,
    );
    let composed = python.mapping("composed");
    let places = (0..).zip(&decomposed).filter(|(_, (code, ..))| composed.contains_key(code));
    let mut places: Vec<(&str, u16)> = places.map(|(place, (_, _, text))| (*text, place)).collect();
    places.sort_unstable();
    let places: Vec<String> = places.iter().map(|(_, place)| place.to_string()).collect();
    out.array(
        "The places in `DECOMPOSED` of what is composed again, by their texts.",
        "COMPOSED",
        "u16",
        &places,
    );
    let pairs =
        python.mapping("corrected").iter().filter_map(|(code, text)| Some((code, text.chars().next()?)));
    let pairs: Vec<String> =
        pairs.map(|(code, old)| format!("({}, {})", rust::character(*code), rust::character(old))).collect();
    out.array("Decompositions that Unicode 3.2 has otherwise.", "OLD_DECOMPOSED", "(char, char)", &pairs);
}

const HEAD: &str = "\
//! Unicode data of CPython 3.11 and Java 17. Written by `cargo xtask unicode`; do not edit.

use super::tables::{BidiClass, Category, Direction, MappedRange, Texts, run};
";
