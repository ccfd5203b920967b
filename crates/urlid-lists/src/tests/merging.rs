//! Several lists as one, and the differences of two.

use super::*;
use urlid::ErrorCode;

#[test]
fn a_merged_list_is_the_list_of_all_uris() {
    let uris = uris();
    let rules = rfc3986(Variant::N, Keep::ALL, Covers::Directory);
    let build =
        |algorithms: &[Algorithm], uris: &[String]| build(rules, algorithms, uris.iter().map(String::as_str));
    let both = [Algorithm::Md5, Algorithm::Sha1];
    let halves = [build(&both, &uris[..200]), build(&both, &uris[100..])];
    let merged = HiddenList::merge(&halves).unwrap();
    assert_eq!(text(&merged), text(&build(&both, &uris)));
    let apart = [build(&both[..1], &uris), build(&both[1..], &uris)];
    assert_eq!(text(&HiddenList::merge(&apart).unwrap()), text(&merged));

    let with_unknown = read(SMALL).unwrap().0;
    let again = HiddenList::merge(&[with_unknown.clone(), with_unknown.clone()]).unwrap();
    assert_eq!(text(&again), text(&with_unknown).replace("# made: 2026-11-21\n", ""));
}

#[test]
fn lists_of_other_rules_are_not_merged() {
    let list = |rules| build(rules, &[Algorithm::Sha1], ["http://h.example/"]);
    let first = list(ListRules::default());
    let merge =
        |other| HiddenList::merge(&[first.clone(), other]).map(|_| ()).map_err(|error| error.to_string());
    let error = |text: &str| Err(text.to_owned());
    assert_eq!(
        merge(list(ListRules::of_variant(Variant::P))),
        error("lists have different `variant`: found p, expected n")
    );
    assert_eq!(
        merge(list(ListRules { intake: Intake::Rfc3986, ..ListRules::default() })),
        error("lists have different `intake`: found rfc3986, expected web")
    );
    assert_eq!(
        merge(list(ListRules { covers: Covers::Directory, ..ListRules::default() })),
        error("lists have different `covers`: found directory, expected url")
    );
    assert_eq!(HiddenList::merge(&[]).err().map(|error| error.code()), Some(ErrorCode::ListHeader));
}

#[test]
fn differences_are_the_added_and_the_removed_entries() {
    let list = |uris: &[&str]| build(ListRules::default(), &[Algorithm::Sha1], uris.iter().copied());
    let uris = ["http://a.example/", "http://b.example/", "http://c.example/"];
    let (old, new) = (list(&uris[..2]), list(&uris[1..]));
    let (gone, came) = (list(&uris[..1]), list(&uris[2..]));
    let mut differences: Vec<Difference<'_>> = old.differences(&new).unwrap().collect();
    differences.sort_by_key(|difference| matches!(difference, Difference::Added(_)));
    let only = |list| HiddenList::entries(list).next().unwrap();
    assert_eq!(differences, [Difference::Removed(only(&gone)), Difference::Added(only(&came))]);
    assert_eq!(old.differences(&old).unwrap().count(), 0);
    assert_eq!(old.differences(&list(&[])).unwrap().count(), 2);
}
