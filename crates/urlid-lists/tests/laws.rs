//! Laws of hidden lists: a listed URI always matches.

use std::cell::Cell;

use proptest::{prop_assert, prop_assert_eq};
use urlid::Error;
use urlid::hashed_uri::{Algorithm, Keep, Variant};
use urlid::web::Url;
use urlid_generators::{Choices, hostile_text, http_uri, uri, web_url};
use urlid_lists::{Covers, Intake, ListBuilder, ListMatcher, ListRules, Scratch, UserInfo};

use urlid_testing::{check_all, skip};

const COVERS: [Covers; 3] = [Covers::Url, Covers::Directory, Covers::Subdomains];

fn any_text(choices: &mut Choices<'_>) -> String {
    match choices.below(4) {
        0 => http_uri(choices),
        1 => uri(choices),
        2 => web_url(choices),
        _ => hostile_text(choices),
    }
}

fn any_rules(choices: &mut Choices<'_>) -> ListRules {
    let (variant, intake) = choices.one(&[
        (Variant::N, Intake::Web(UserInfo::Drop)),
        (Variant::N, Intake::Web(UserInfo::Keep)),
        (Variant::P, Intake::Web(UserInfo::Drop)),
        (Variant::N, Intake::Rfc3986),
        (Variant::P, Intake::Rfc3986),
        (Variant::None, Intake::Rfc3986),
    ]);
    ListRules { variant, intake, keep: choices.one(&Keep::EACH), covers: choices.one(&COVERS) }
}

/// Makes a list of one text.
fn list_of(text: &str, rules: ListRules) -> Result<ListMatcher, Error> {
    let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("the rules are compatible");
    builder.add(text, None)?;
    Ok(ListMatcher::new(&builder.finish(), None).expect("the list is not keyed"))
}

#[test]
fn every_line_of_a_list_matches_it() {
    check_all(|choices| {
        let (rules, text) = (any_rules(choices), any_text(choices));
        let Ok(matcher) = list_of(&text, rules) else { return skip() };
        let scratch = &mut Scratch::default();
        prop_assert!(matches!(matcher.find(scratch, &text, None), Ok(Some(_))), "{rules:?}: {text:?}");
        let mut found = Vec::new();
        matcher.find_many(scratch, &[&text], None, &mut found);
        prop_assert!(matches!(found[..], [Ok(Some(_))]), "{rules:?}: {text:?}");
        Ok(())
    });
}

#[test]
fn the_web_intake_rejects_exactly_the_texts_that_are_not_urls() {
    check_all(|choices| {
        let (rules, text) = (any_rules(choices), any_text(choices));
        if rules.intake == Intake::Rfc3986 {
            return skip();
        }
        prop_assert_eq!(list_of(&text, rules).is_ok(), Url::parse(&text).is_ok(), "{:?}: {:?}", rules, text);
        Ok(())
    });
}

/// A list whose intake is `web` matches a URL by its normal form and by every text that a browser reads as
/// that.
#[test]
fn the_web_intake_treats_a_text_like_its_normal_form() {
    check_all(|choices| {
        let (rules, text) = (any_rules(choices), any_text(choices));
        let Some(url) = Url::parse(&text).ok().filter(|_| rules.intake != Intake::Rfc3986) else {
            return skip();
        };
        for (listed, candidate) in [(text.as_str(), url.as_str()), (url.as_str(), text.as_str())] {
            let matcher = list_of(listed, rules).expect("it is a URL");
            let found = matcher.find(&mut Scratch::default(), candidate, None);
            prop_assert!(matches!(found, Ok(Some(_))), "{rules:?}: {listed:?} and {candidate:?}");
        }
        Ok(())
    });
}

/// A URL of few hosts and paths, so that one is often above another, in any spelling that a browser reads.
fn near_url(choices: &mut Choices<'_>) -> String {
    const SCHEMES: [&str; 6] = ["http", "http", "https", "HTTP", "ftp", "foo"];
    const HOSTS: [&str; 12] = [
        "h.example",
        "a.h.example",
        "b.a.h.example",
        "A%2Eh.example.",
        "3.2.1.b.a.h.example",
        "4.3.2.1.b.a.h.example",
        ".h.example",
        "example",
        "10.20.30.40",
        "30.40",
        "[::1]",
        "u@a.h.example",
    ];
    const PORTS: [&str; 4] = ["", "", ":80", ":8080"];
    const SEGMENTS: [&str; 11] =
        ["a", "b", "%61", "", "..", "%2e%2E", ".", "index.html", "x%2Fy", "Ä", "a%2Eb"];
    const ENDS: [&str; 5] = ["", "", "?q", "?q#f", "#f"];
    let mut url = format!("{}://{}{}", choices.one(&SCHEMES), choices.one(&HOSTS), choices.one(&PORTS));
    // More directories than are looked up, sometimes.
    let times = if choices.is(8) { 20 } else { 1 };
    for _ in 0..choices.below(4) * times {
        url.push('/');
        url.push_str(choices.one(&SEGMENTS));
    }
    url + choices.one(&["", "/"]) + choices.one(&ENDS)
}

/// A list without the entries that others cover matches what the whole list matches.
#[test]
fn a_compacted_list_matches_the_same() {
    let (covered, listed) = (Cell::new(0), Cell::new(0));
    check_all(|choices| {
        let rules = ListRules {
            variant: Variant::N,
            intake: choices.one(&[Intake::Web(UserInfo::Drop), Intake::Web(UserInfo::Keep)]),
            keep: choices.one(&Keep::EACH),
            covers: choices.one(&[Covers::Directory, Covers::Subdomains]),
        };
        let new = || {
            ListBuilder::new(rules, &[Algorithm::Sha1, Algorithm::Md5], None).expect("they are compatible")
        };
        let (mut whole, mut compacted) =
            (new(), new().with_compaction().expect("they are rules of such lists"));
        let entries: Vec<String> = (0..2 + choices.below(6)).map(|_| near_url(choices)).collect();
        for entry in &entries {
            prop_assert_eq!(whole.add(entry, None).is_ok(), compacted.add(entry, None).is_ok());
        }
        let left_out = compacted.compact();
        let (whole, compacted) = (whole.finish(), compacted.finish());
        prop_assert_eq!(whole.len(), compacted.len() + left_out);
        covered.set(covered.get() + left_out);
        listed.set(listed.get() + whole.len());
        let [whole, compacted] =
            [whole, compacted].map(|list| ListMatcher::new(&list, None).expect("no key"));
        let scratch = &mut Scratch::default();
        let candidates: Vec<String> = (0..12).map(|_| near_url(choices)).collect();
        for url in entries.iter().chain(&candidates) {
            let found = |matcher: &ListMatcher, scratch: &mut Scratch| {
                matcher.find(scratch, url, None).map(|found| found.is_some())
            };
            prop_assert_eq!(
                found(&whole, scratch),
                found(&compacted, scratch),
                "{:?}: {} in {:?}",
                rules,
                url,
                entries
            );
        }
        Ok(())
    });
    assert!(covered.get() > 100 && covered < listed, "{covered:?} of {listed:?}");
}

#[test]
fn only_lists_whose_entries_are_above_others_are_compacted() {
    let covers_directories = ListRules { covers: Covers::Directory, ..ListRules::default() };
    let web = ListRules { variant: Variant::P, ..covers_directories };
    let rfc3986 = ListRules { intake: Intake::Rfc3986, ..covers_directories };
    for (rules, found) in [(ListRules::default(), "`url`"), (web, "`p`"), (rfc3986, "rfc3986")] {
        let builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("they are compatible");
        let error = builder.with_compaction().map(drop).expect_err("an entry is not above others");
        assert!(error.to_string().contains(found), "{error}");
    }
}
