//! Hidden lists over real URLs: every line of a list matches the list, under all rules that a list can have.
//!
//! `evasion` tests spellings of listed URLs that try to bypass a list.

mod evasion;
mod judge;
mod second;
mod spellings;

use urlid::hashed_uri::{Algorithm, Keep, Variant};
use urlid_lists::{Covers, Intake, ListBuilder, ListMatcher, ListRules, Scratch, UserInfo};
use urlid_testing::{corpora, root};

/// Each set of rules is tried on one of this many lines, a different one for each set. `URLID_LONG=1` tries
/// all lines.
const ONE_OF: usize = 64;

#[test]
fn every_line_of_a_corpus_matches_a_list_of_it() {
    // Most lines of a crawl can be in a list, and so can the lines of the generated corpus that are URLs of
    // the web.
    corpora().for_each(|text| check(&text, text.lines().count() * 3 / 4));
}

#[test]
fn every_line_of_the_samples_matches_a_list_of_it() {
    let text = std::fs::read_to_string(root().join("samples/debian_homepages.txt"));
    check(&text.expect("it is in the repository"), 25_000);
}

/// Checks lists of one line each. At least `least` lines can be in a list by the strictest rules.
fn check(text: &str, least: usize) {
    let lines: Vec<&str> = text.lines().collect();
    let is_long = std::env::var_os("URLID_LONG").is_some_and(|value| value == "1");
    let one_of = if is_long { 1 } else { ONE_OF };
    for (number, rules) in all_rules().enumerate() {
        let mut listed = 0;
        for line in lines.iter().skip(number % one_of).step_by(one_of) {
            listed += usize::from(matches_itself(line, rules));
        }
        assert!(listed * one_of >= least, "{rules:?}: only {listed} lines were tried");
    }
}

/// Checks that a line matches a list of only this line. Returns whether it can be in a list.
fn matches_itself(line: &str, rules: ListRules) -> bool {
    let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("the rules are compatible");
    if builder.add(line, None).is_err() {
        return false;
    }
    let matcher = ListMatcher::new(&builder.finish(), None).expect("the list is not keyed");
    let found = matcher.find(&mut Scratch::default(), line, None);
    assert!(matches!(found, Ok(Some(_))), "{rules:?}: {line:?}: {found:?}");
    true
}

fn all_rules() -> impl Iterator<Item = ListRules> {
    let variants = [
        (Variant::None, Intake::Rfc3986),
        (Variant::N, Intake::Rfc3986),
        (Variant::P, Intake::Rfc3986),
        (Variant::N, Intake::Web(UserInfo::Drop)),
        (Variant::N, Intake::Web(UserInfo::Keep)),
        (Variant::P, Intake::Web(UserInfo::Drop)),
    ];
    let covers = [Covers::Url, Covers::Directory, Covers::Subdomains];
    variants.into_iter().flat_map(move |(variant, intake)| {
        Keep::EACH.into_iter().flat_map(move |keep| {
            covers.into_iter().map(move |covers| ListRules { variant, intake, keep, covers })
        })
    })
}
