//! Compares other implementations with urlid on generated inputs. They agree, or differ in a listed way.
//!
//! Each comparison runs 20,000 cases. A million of each, with a different seed:
//!
//! ```text
//! URLID_CASES=1000000 URLID_SEED=7 cargo test --release --package conformance --test differential
//! ```
//!
//! A finding is shown with the seed and the number of its case.

mod ada;
mod crates;
mod rfc3986;
mod url_crate;

use std::collections::BTreeMap;

use urlid::reference::{Context, Reference};
use urlid::web::Url;
use urlid_generators::{Choices, Seeded, cases, hostile_text, seed, web_url};

/// Runs a comparison on the configured number of cases. A case returns `None`, the name of the known class
/// of the difference, or an error. Returns the number of cases in each class.
fn compare_all(
    mut compare: impl FnMut(&mut Choices<'_>) -> Result<Option<&'static str>, String>,
) -> BTreeMap<&'static str, u64> {
    let (seed, mut classes) = (seed(), BTreeMap::new());
    let mut random = Seeded::new(seed);
    let mut bytes = [0; 64];
    for case in 0..cases(20_000) {
        random.fill(&mut bytes);
        match compare(&mut Choices::new(&bytes)) {
            Ok(None) => {}
            Ok(Some(class)) => *classes.entry(class).or_default() += 1,
            Err(difference) => panic!("URLID_SEED={seed}, case {case}: {difference}"),
        }
    }
    report(&format!("seed {seed}, {} cases; known differences: {classes:?}", cases(20_000)));
    classes
}

#[expect(clippy::print_stderr, reason = "the output of a test run shows how much was compared")]
fn report(line: &str) {
    eprintln!("{line}");
}

/// Returns a text and, half of the time, a base that is a URL.
fn input(choices: &mut Choices<'_>) -> (Option<Url>, String) {
    let text =
        |choices: &mut Choices<'_>| if choices.is(8) { hostile_text(choices) } else { web_url(choices) };
    let base = if choices.is(8) { Url::parse(&text(choices)).ok() } else { None };
    (base, text(choices))
}

/// Returns urlid's result for an input.
fn parse(base: &Option<Url>, text: &str) -> Option<Url> {
    match base {
        Some(base) => base.join(text).ok(),
        None => Url::parse(text).ok(),
    }
}

/// Returns whether a text contains the character whose mapping was added in Unicode 18, which older data
/// lacks.
fn has_new_character(text: &str) -> bool {
    text.contains('\u{3e8ac}') || text.to_ascii_lowercase().contains("%f0%be%a2%ac")
}

/// Reads a text by RFC 3986.
fn generic(text: &str) -> Reference<'_> {
    Reference::parse(text, Context::Rfc3986).expect("the text is short")
}
