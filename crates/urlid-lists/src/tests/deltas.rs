//! Deltas: a list that is changed step by step ends as the list that was made at once.

use super::*;
use urlid::internal::digest::sha256;

/// Numbers that look random, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

const RULES: ListRules = ListRules {
    variant: Variant::N,
    intake: Intake::Web(UserInfo::Drop),
    keep: Keep::QUERY,
    covers: Covers::Directory,
};

/// The list of the numbers that are in a set, one in four with a query.
fn list_of(listed: &std::collections::BTreeSet<u64>, sequence: u64, store: Store) -> HiddenList {
    let algorithms = [Algorithm::Sha1, Algorithm::XSha256];
    let uri = |number: &u64| match number % 4 {
        0 => format!("http://h.example/{number}?q"),
        _ => format!("http://h.example/{number}"),
    };
    let uris: Vec<String> = listed.iter().map(uri).collect();
    let edition = Edition { sequence: Some(sequence), ..Edition::default() };
    build(RULES, &algorithms, uris.iter().map(String::as_str)).with_edition(edition).compile(store).unwrap()
}

fn written(delta: &Delta) -> Vec<u8> {
    let mut bytes = Vec::new();
    delta.write(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_thousand_random_updates_end_byte_for_byte_in_the_list_that_was_made_at_once() {
    for store in [Store::WHOLE, Store::usual(ListKind::Exact), Store::usual(ListKind::Prefix)] {
        let mut numbers = Numbers(7);
        let mut listed = std::collections::BTreeSet::new();
        let mut old = list_of(&listed, 0, store);
        let mut followed = old.clone();
        for sequence in 1..=1000 {
            for _ in 0..numbers.below(12) {
                listed.insert(numbers.below(500));
            }
            for _ in 0..numbers.below(12) {
                listed.remove(&numbers.below(500));
            }
            if numbers.below(50) == 0 {
                listed.clear();
            }
            let new = list_of(&listed, sequence, store);
            let delta = Delta::from_bytes(&written(&Delta::between(&old, &new, None).unwrap())).unwrap();
            assert_eq!(delta.header().edition().sequence, Some(sequence));
            followed = delta.apply(&followed).unwrap();
            old = new;
        }
        assert_eq!(compiled(&followed), compiled(&old), "{store}");
        // What was followed is a list like any other.
        assert_eq!(compiled(&HiddenList::from_compiled(compiled(&followed)).unwrap()), compiled(&old));
    }
}

#[test]
fn a_delta_changes_everything_that_a_list_has() {
    // Another algorithm, flags, entries by unknown algorithms, and no entry at all.
    let rules = ListRules { covers: Covers::Subdomains, ..ListRules::default() };
    let one = build(rules, &[Algorithm::Sha1], ["http://a.example/", "http://b.example/"]);
    let mut builder =
        ListBuilder::new(ListRules { keep: Keep::ALL, ..rules }, &[Algorithm::Md5], None).unwrap();
    builder.add("http://a.example/?q#f", None).unwrap();
    let other = builder.finish();
    let empty = build(rules, &[Algorithm::Sha1], []);
    let lists = [&one, &other, &empty];
    for old in lists {
        for new in lists {
            let delta = Delta::between(old, new, Some("a signature")).unwrap();
            let delta = Delta::from_bytes(&written(&delta)).unwrap();
            assert_eq!(delta.signature(), Some("a signature"));
            assert_eq!(compiled(&delta.apply(old).unwrap()), compiled(new));
        }
    }
    let unknown = read(SMALL).unwrap().0;
    let known = HiddenList { unknown: Vec::new(), ..unknown.clone() };
    let delta = Delta::between(&known, &unknown, None).unwrap();
    assert_eq!(
        compiled(&Delta::from_bytes(&written(&delta)).unwrap().apply(&known).unwrap()),
        compiled(&unknown)
    );
}

#[test]
fn a_delta_of_other_rules_is_an_error() {
    let list = |rules| build(rules, &[Algorithm::Sha1], ["http://a.example/"]);
    let one = list(ListRules::default());
    let code =
        |old: &HiddenList, new: &HiddenList| Delta::between(old, new, None).map(drop).unwrap_err().code();
    assert_eq!(code(&one, &list(ListRules::of_variant(Variant::P))), ErrorCode::ListHeader);
    assert_eq!(code(&one, &one.compile(Store::usual(ListKind::Prefix)).unwrap()), ErrorCode::ListHeader);
}

#[test]
fn chains_are_followed_from_any_list_on_them() {
    let lists: Vec<HiddenList> = (1..=5)
        .map(|number| list_of(&(0..number * 3).collect(), number, Store::usual(ListKind::Prefix)))
        .collect();
    let delta = |from: usize, to: usize| Delta::between(&lists[from], &lists[to], None).unwrap();
    let chain = [delta(0, 1), delta(1, 2), delta(2, 3)];
    let start =
        |list: usize| Delta::start_of(&chain, lists[list].checksum()).map_err(|error| error.to_string());
    assert_eq!([0, 1, 2, 3].map(start), [Ok(0), Ok(1), Ok(2), Ok(3)]);
    assert_eq!(
        start(4),
        Err("delta does not apply to this list: it was made for a different list".to_owned())
    );
    let gap = Delta::start_of(&[delta(0, 1), delta(2, 3)], lists[0].checksum()).unwrap_err();
    assert_eq!(gap.to_string(), "delta 2 does not apply to the result of the previous delta");
    assert_eq!(chain[0].apply(&lists[1]).unwrap_err().code(), ErrorCode::ListDelta);

    // In any order, with a short cut, a way back and a delta that leads nowhere.
    let all = [delta(3, 4), delta(1, 0), delta(2, 3), delta(0, 1), delta(1, 3), delta(1, 2)];
    assert_eq!(Delta::newest_chain(&all, &lists[0]), [3, 4, 0]);
    assert_eq!(Delta::newest_chain(&all, &lists[3]), [0]);
    assert!(Delta::newest_chain(&all, &lists[4]).is_empty());
    // Ways back alone, even by two steps, are no way to a newer list.
    assert!(Delta::newest_chain(&[delta(2, 1), delta(1, 0)], &lists[2]).is_empty());
    // Of lists without a sequence nothing says which is older, so deltas are followed.
    let unnumbered = |list: &HiddenList| {
        let mut list = list.clone();
        list.header.edition.sequence = None;
        list
    };
    let (old, new) = (unnumbered(&lists[0]), unnumbered(&lists[1]));
    assert_eq!(Delta::newest_chain(&[Delta::between(&old, &new, None).unwrap()], &old), [0]);
}

#[test]
fn damaged_deltas_are_errors() {
    let lists = [0..40, 10..60].map(|listed| list_of(&listed.collect(), 1, Store::usual(ListKind::Prefix)));
    let bytes = written(&Delta::between(&lists[0], &lists[1], None).unwrap());
    for offset in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[offset] ^= 0x10;
        assert_eq!(Delta::from_bytes(&damaged).unwrap_err().code(), ErrorCode::ListDelta, "byte {offset}");
        // With the right checksum it is an error, or does not make the list; what a signature says is checked
        // elsewhere.
        let content = damaged.len() - 32;
        let checksum = sha256(&[&damaged[..content]]);
        damaged[content..].copy_from_slice(&checksum);
        if let (Ok(delta), true) = (Delta::from_bytes(&damaged), offset < content) {
            assert!(delta.apply(&lists[0]).is_err(), "byte {offset}");
        }
        assert!(Delta::from_bytes(&bytes[..offset]).is_err(), "cut at {offset}");
    }
}
