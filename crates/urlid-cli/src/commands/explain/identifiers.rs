//! Texts that are not URLs: the formats of identifiers that they can have, also those of published crates.

use urlid::compat::{Format, detect};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Slice, Sxurl};
use urlid_ops::explain::{Explanation, Fact, Facts, explain as explain_text, failed_check};

use crate::report::message::describe_without_code;

/// Explains a text. For people an identifier has more facts: its formats, and the numbers of its slices.
/// Programs find them in the rows of `parts`, and in JSON what the libraries give.
pub(super) fn explain(text: &str, list: &SuffixList, as_json: bool) -> Result<Explanation, urlid::Error> {
    let formats: Vec<&str> =
        detect(text).into_iter().filter(|format| *format != Format::Url).map(Format::name).collect();
    let mut explanation = match explain_text(text, list) {
        Ok(explanation) if as_json => return Ok(explanation),
        Ok(explanation) => explanation,
        Err(error) if formats.is_empty() => return Err(error),
        // The identifier of a published crate, which the libraries only recognise.
        Err(_) => Explanation {
            text: text.to_owned(),
            kind: "identifier",
            parts: Vec::new(),
            facts: Facts(Vec::new()),
        },
    };
    let facts = &mut explanation.facts.0;
    if let Ok(id) = Sxurl::from_hex(text) {
        let numbers = Slice::ALL.map(|slice| format!("{} {}", slice.label(), id.slice(slice)));
        facts.push(("numbers", Fact::Text(numbers.join(", "))));
    }
    if !formats.is_empty() {
        facts.push(("formats", Fact::Text(formats.join(" "))));
    }
    if let Some(error) = failed_check(text).filter(|_| !facts.iter().any(|(name, _)| *name == "sxurl")) {
        facts.push(("not_sxurl", Fact::Text(format!("{}: {}", error.code(), describe_without_code(&error)))));
    }
    Ok(explanation)
}
