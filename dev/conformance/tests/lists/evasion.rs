//! Checks that a list matches exactly the texts that open a listed URL, for 60,000 spellings of 61 entries,
//! with ada as the judge.

use std::collections::BTreeSet;

use urlid::hashed_uri::{Algorithm, Variant};
use urlid::suffix::SuffixList;
use urlid_generators::{Seeded, cases, seed};
use urlid_lists::{
    Covers, HiddenList, Intake, ListBuilder, ListKind, ListMatcher, ListRules, Padding, Scratch, ShardIndex,
    ShardMatcher, Store, UserInfo,
};

use crate::judge::page;
use crate::spellings::entries;

const SPELLINGS: u64 = 60_000;

/// Calls `check` with each spelling and whether it opens a listed URL, or `None` if no browser opens it.
fn each_spelling(host: UserInfo, mut check: impl FnMut(&str, Option<bool>)) {
    let entries = entries();
    let listed: BTreeSet<String> =
        entries.iter().map(|entry| page(&entry.url(), host).expect("an entry is a URL")).collect();
    assert_eq!((entries.len(), listed.len()), (61, 61));
    let mut random = Seeded::new(seed());
    for _ in 0..cases(SPELLINGS) {
        let spelling = random.one(&entries).spell(&mut random);
        check(&spelling, page(&spelling, host).map(|page| listed.contains(&page)));
    }
}

fn matcher(rules: ListRules) -> ListMatcher {
    let mut builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("the rules are compatible");
    for entry in entries() {
        builder.add(&entry.url(), None).expect("an entry is a URL");
    }
    ListMatcher::new(&builder.finish(), None).expect("the list is not keyed")
}

/// Both directions: a spelling matches if and only if it opens a listed URL, and is rejected if and only if
/// no browser opens it.
fn check_both_directions(host: UserInfo) -> [u64; 3] {
    let matcher = matcher(ListRules { intake: Intake::Web(host), ..ListRules::default() });
    let (mut scratch, mut counts) = (Scratch::default(), [0; 3]);
    each_spelling(host, |spelling, opens| {
        let found = matcher.find(&mut scratch, spelling, None).ok().map(|found| found.is_some());
        assert_eq!(found, opens, "{host}: {spelling:?}, seed {}", seed());
        counts[opens.map_or(2, usize::from)] += 1;
    });
    counts
}

#[test]
fn a_list_with_plain_hosts_matches_what_opens_a_listed_url_and_nothing_else() {
    let [other, opening, rejected] = check_both_directions(UserInfo::Drop);
    let all = other + opening + rejected;
    assert!(6 * opening > all, "{opening} of {all} open an entry, {other} another page, {rejected} none");
    assert!(10 * other > opening, "{other} of {opening} are near misses");
}

/// The same with the hosts of older lists. The parts that they miss are left out of the page here.
#[test]
fn a_list_with_written_hosts_matches_what_is_the_listed_url_but_for_its_user_and_its_final_dot() {
    let written = check_both_directions(UserInfo::Keep)[1];
    let plain = check_both_directions(UserInfo::Drop)[1];
    assert!(
        written * 3 < plain * 2,
        "user information and final dots open {plain} entries, {written} without them"
    );
}

/// A greater coverage matches more, never less. Variant P is left out, because it is not coarser than N
/// (`/dir/` and `/dir/index.html`).
#[test]
fn spellings_that_open_a_listed_url_match_for_every_coverage() {
    let covers = [Covers::Url, Covers::Directory, Covers::Subdomains];
    let rules = covers.map(|covers| ListRules { covers, ..ListRules::of_variant(Variant::N) });
    let mut matchers = rules.map(|rules| (rules, matcher(rules)));
    let (mut scratch, mut turn) = (Scratch::default(), 0);
    each_spelling(UserInfo::Drop, |spelling, opens| {
        turn += 1;
        let count = matchers.len();
        let (rules, matcher) = &mut matchers[turn % count];
        let found = matcher.find(&mut scratch, spelling, None);
        assert!(opens != Some(true) || matches!(found, Ok(Some(_))), "{rules:?}: {spelling:?}: {found:?}");
        assert_eq!(found.is_err(), opens.is_none(), "{rules:?}: {spelling:?}");
    });
}

/// The index of shards, and the shards by their numbers.
type ShardFiles = (Vec<u8>, Vec<Vec<u8>>);

/// Returns the compiled bytes of a list of the entries, and its shards.
fn files(rules: ListRules, kind: ListKind) -> (Vec<u8>, ShardFiles) {
    let builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("the rules are compatible");
    let mut builder = builder.with_routes(SuffixList::compiled());
    entries().iter().for_each(|entry| builder.add(&entry.url(), None).expect("an entry is a URL"));
    let (list, routes) = builder.finish_routed();
    let list = list.compile(Store::usual(kind)).expect("it is whole");
    let mut bytes = Vec::new();
    list.write_compiled(&mut bytes).expect("memory can be written");
    let shards = list.shards(4, Some(&routes), Padding::Equal).expect("each entry has a route");
    let shard = |number| {
        let mut bytes = Vec::new();
        shards.write(number, &mut bytes).expect("memory can be written");
        bytes
    };
    (bytes, (shards.index().to_vec(), (0..shards.count()).map(shard).collect()))
}

#[test]
fn every_kind_and_its_shards_match_what_the_whole_list_matches() {
    let covers = [Covers::Url, Covers::Directory, Covers::Subdomains];
    let rules = covers.map(|covers| ListRules { covers, ..ListRules::of_variant(Variant::N) });
    let made: Vec<_> = rules
        .iter()
        .flat_map(|&rules| [ListKind::Exact, ListKind::Prefix].map(|kind| (rules, kind)))
        .map(|(rules, kind)| {
            let (bytes, (index, files)) = files(rules, kind);
            let list = HiddenList::from_compiled(bytes).expect("it was written");
            let compiled = ListMatcher::new(&list, None).expect("the list is not keyed");
            let index = ShardIndex::from_bytes(&index).expect("it was written");
            let shards = ShardMatcher::new(index, None).expect("the list is not keyed");
            (kind, matcher(rules), compiled, shards, files)
        })
        .collect();
    let (mut scratch, mut turn) = (Scratch::default(), 0);
    each_spelling(UserInfo::Drop, |spelling, _| {
        turn += 1;
        let (kind, whole, compiled, shards, files) = &made[turn % made.len()];
        let is_listed = |found: Result<Option<_>, urlid::Error>| {
            found.map(|found: Option<urlid_lists::Match<'_>>| found.is_some())
        };
        let expected = is_listed(whole.find(&mut scratch, spelling, None));
        let found = is_listed(compiled.find(&mut scratch, spelling, None));
        assert_eq!(found, expected, "{kind}: {spelling:?}");
        let fetch = |number: u32| Ok(files[number as usize].clone());
        let found = is_listed(shards.find_by(&mut scratch, spelling, None, fetch));
        assert_eq!(found, expected, "{kind}, shards: {spelling:?}");
    });
}

/// Labels of hosts: public suffixes, names above and below them, the empty label, and names that are not in
/// any rule.
const LABELS: [&str; 16] = [
    "",
    "a",
    "b",
    "www",
    "evil",
    "com",
    "co",
    "uk",
    "amazonaws",
    "s3",
    "windows",
    "net",
    "blob",
    "core",
    "kawasaki",
    "jp",
];

/// Subdomains, on separate hosts. An entry for a whole host matches the host, and every host of which it is
/// the last five, four, three or two labels. Tested as a whole list, compiled, and in shards, with one shard
/// for each candidate.
#[test]
fn an_entry_of_a_host_matches_wherever_it_is_the_end_of_a_host() {
    let mut random = Seeded::new(seed());
    let host = |random: &mut Seeded| {
        let labels: Vec<&str> = (0..1 + random.below(7)).map(|_| random.one(&LABELS)).collect();
        labels.join(".")
    };
    let rules = ListRules { covers: Covers::Subdomains, ..ListRules::default() };
    let builder = ListBuilder::new(rules, &[Algorithm::Sha1], None).expect("the rules are compatible");
    let (mut builder, mut listed) = (builder.with_routes(SuffixList::compiled()), BTreeSet::new());
    for name in ["amazonaws.com", "windows.net", "kawasaki.jp", "co.uk", "evil.com"] {
        listed.insert(name.to_owned());
    }
    // A dot at the end is not a part of a plain host, and an empty host is not a host.
    listed
        .extend((0..300).map(|_| host(&mut random)).filter(|host| !host.is_empty() && !host.ends_with('.')));
    for host in &listed {
        builder.add(&format!("http://{host}/"), None).expect("it is a URL");
    }
    let (list, routes) = builder.finish_routed();
    let shards = list.shards(6, Some(&routes), Padding::Equal).expect("it can be split");
    let files: Vec<Vec<u8>> = (0..shards.count())
        .map(|number| {
            let mut bytes = Vec::new();
            shards.write(number, &mut bytes).expect("memory can be written");
            bytes
        })
        .collect();
    let index = ShardIndex::from_bytes(shards.index()).expect("it was written");
    let sharded = ShardMatcher::new(index, None).expect("the list is not keyed");
    let compiled = list.compile(Store::usual(ListKind::Exact)).expect("it is whole");
    let matchers = [list, compiled].map(|list| ListMatcher::new(&list, None).expect("the list is not keyed"));
    let (mut scratch, mut hits) = (Scratch::default(), 0);
    for _ in 0..cases(20_000) {
        let host = host(&mut random);
        let end = random.one(&["", "", "."]);
        if host.is_empty() || host.ends_with('.') {
            continue;
        }
        let labels: Vec<&str> = host.split('.').collect();
        let above =
            (2..=5).filter(|&last| last <= labels.len()).map(|last| labels[labels.len() - last..].join("."));
        let expected = listed.contains(&host) || above.into_iter().any(|host| listed.contains(&host));
        hits += u64::from(expected);
        let url = format!("http://x@{host}{end}/dir/page?q");
        for matcher in &matchers {
            let found = matcher.find(&mut scratch, &url, None).expect("it is a URL");
            assert_eq!(found.is_some(), expected, "{url}, seed {}", seed());
        }
        let mut asked = 0;
        let fetch = |number: u32| {
            asked += 1;
            Ok(files[number as usize].clone())
        };
        let found = sharded.find_by(&mut scratch, &url, None, fetch).expect("it is a URL").is_some();
        assert_eq!((found, asked), (expected, 1), "shards: {url}, seed {}", seed());
    }
    assert!(hits > cases(20_000) / 20, "{hits}");
}
