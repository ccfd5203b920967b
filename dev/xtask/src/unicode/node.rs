//! The differences of Node 20 from the tables of PyPI's idna and of CPython. Its `URL` is older, and its
//! lower case is newer.

use std::iter::zip;

use super::facts::{END, Facts, Mapping};
use super::rust::{self, Source};

pub(super) const TARGET: &str = "crates/urlid-canonical/src/unicode/node/generated.rs";

/// Returns the source of the tables.
pub(super) fn generate() -> Result<String, String> {
    let (node, python, idna) = (&Facts::of_node()?, &Facts::of_python()?, &Facts::of_idna()?);
    let mut out = Source(HEAD.to_owned());
    let classes = node.values("class");
    let rejected = rejected(&classes, &idna.values("class"))?;
    out.spans("What UTS 46 rejects here.", "REJECTED", "", rejected.iter().map(|code| (*code, "")));

    let differing = |name: &str, counts: fn(&str) -> bool| -> Vec<(u32, String)> {
        let (here, there) = (node.values(name), python.values(name));
        let both = (0..END).zip(zip(here, there));
        let differing = both.filter(|(_, (here, there))| here != there && counts(here));
        differing.map(|(code, (here, _))| (code, here.to_owned())).collect()
    };
    let marks = differing("combining", |class| class != "any");
    let marks: Vec<String> =
        marks.iter().map(|(code, class)| format!("({},{class})", rust::character(*code))).collect();
    out.array("Combining classes that are not those of Unicode 14.0.", "MARKS", "(char, u8)", &marks);

    let joining = (0..).zip(node.values("joining")).filter(|(_, joining)| *joining != "-");
    let joining = joining.map(|(code, joining)| (code, name_of(joining)));
    out.spans("Joining types, of what is not transparent.", "JOINING", "Joining", joining);

    let case = differing("case", |_| true);
    let case = case.iter().map(|(code, case)| (*code, case.as_str()));
    out.spans("What is beside a sigma, where it is not that of Unicode 14.0.", "CASE", "Case", case);
    out.runs("Lower case that Unicode 14.0 does not have.", "LOWER", &newer_lower_case(node, python)?);
    Ok(out.0)
}

/// Returns the code points that are rejected here and not by idna. All others must be treated identically.
fn rejected(here: &[&str], idna: &[&str]) -> Result<Vec<u32>, String> {
    let mut rejected = Vec::new();
    for (code, (here, idna)) in (0..END).zip(zip(here, idna)) {
        match (*here, *idna) {
            ("any", _) | ("rejected", "disallowed") | ("ignored", "ignored") => {}
            ("rejected", _) => rejected.push(code),
            // The class of code points that idna never keeps in a label is also `mapped`.
            ("same" | "mapped", "mapped") => {}
            ("same", idna) if idna.starts_with("label") => {}
            _ => return Err(format!("U+{code:04X} is {here} in Node 20, and {idna} for idna")),
        }
    }
    Ok(rejected)
}

/// Returns the lower-case mappings that Node has and CPython lacks. All others must be identical.
fn newer_lower_case(node: &Facts, python: &Facts) -> Result<Mapping, String> {
    let (node, python) = (node.mapping("lower"), python.mapping("lower"));
    match python.iter().find(|(code, lower)| node.get(code) != Some(lower)) {
        Some((code, _)) => Err(format!("U+{code:04X} has another lower case in Node 20 than in CPython")),
        None => {
            let newer = node.iter().filter(|(code, _)| !python.contains_key(code));
            Ok(newer.map(|(code, lower)| (*code, lower.clone())).collect())
        }
    }
}

fn name_of(joining: &str) -> &'static str {
    match joining {
        "L" => "Left",
        "R" => "Right",
        _ => "Dual",
    }
}

const HEAD: &str = "\
//! What Node 20 has otherwise. Written by `cargo xtask unicode`; do not edit.

use crate::unicode::idna::Joining;
use crate::unicode::tables::{Case, MappedRange, run};
";
