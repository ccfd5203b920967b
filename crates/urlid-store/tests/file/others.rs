//! URLs without an SXURL are kept, found, counted, deleted, merged, migrated and verified like all others.

use std::ops::ControlFlow;
use std::path::Path;

use crate::{all, find, fresh, load, load_with, question};
use rusqlite::Connection;
use urlid::suffix::{Sections, SuffixList};
use urlid_store::file::{Index, LoadOptions, compact, delete, merge, migrate, seal};
use urlid_store::question::{Condition, GroupBy, Question};

/// As they are written, and as they are stored, in the order of the index: the last seven have no SXURL.
const URLS: [(&str, &str); 9] = [
    ("https://www.example.com", "https://www.example.com/"),
    (" http:\\\\example.com\\a", "http://example.com/a"),
    ("mailto:a@b.example", "mailto:a@b.example"),
    ("HTTP://0x1020304:080/a/../b", "http://1.2.3.4:80/a/../b"),
    ("https://[0::1]/?q", "https://[::1]/?q"),
    ("wss://u:p@www.Example.com", "wss://www.example.com/"),
    ("https://www.example.com./", "https://www.example.com./"),
    ("ssh://git@GitHub.com/x", "ssh://GitHub.com/x"),
    ("ws://www.example.co.uk/#f", "ws://www.example.co.uk/#f"),
];

fn written() -> Vec<&'static str> {
    URLS.iter().map(|(written, _)| *written).collect()
}

/// The stored texts, sorted.
fn stored() -> Vec<String> {
    let mut stored: Vec<String> = URLS.iter().map(|(_, stored)| (*stored).to_owned()).collect();
    stored.sort_unstable();
    stored
}

fn sorted(mut urls: Vec<String>) -> Vec<String> {
    urls.sort_unstable();
    urls
}

#[track_caller]
fn is_sound(path: &Path) {
    let mut findings = Vec::new();
    let index = Index::open(path).expect("opens");
    index.verify(&mut |finding| findings.push(finding.to_string())).expect("is verified");
    assert_eq!(findings, [""; 0]);
}

#[test]
fn every_way_of_loading_keeps_all_of_them() {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, transaction_lines) in [("at once", 1_000), ("sorted in a file", 2)] {
        let path = directory.path().join(name);
        let options = LoadOptions { transaction_lines, ..LoadOptions::default() };
        let loaded = load_with(&path, &written(), options.clone());
        assert_eq!((loaded.taken, loaded.new, loaded.without_sxurl, loaded.credentials), (9, 9, 7, 2));
        assert_eq!(sorted(all(&path)), stored(), "{name}");
        let again = load_with(&path, &written(), options);
        assert_eq!((again.new, again.without_sxurl), (0, 7));
        assert_eq!(load(&path, &["ws://new/", "https://new.example/"]).new, 2);
        is_sound(&path);
    }
}

#[test]
fn questions_are_answered_over_both_tables() {
    let (_directory, path) = fresh("index");
    load(&path, &written());
    let index = Index::open(&path).expect("opens");
    type Conditions = &'static [(Condition, &'static str)];
    let table: [(Conditions, &[usize]); 12] = [
        (&[(Condition::Host, "1.2.3.4")], &[3]),
        (&[(Condition::Host, "[::1]")], &[4]),
        (&[(Condition::Host, "www.example.com")], &[0, 5]),
        (&[(Condition::Host, "github.com")], &[7]),
        (&[(Condition::Host, "")], &[2]),
        (&[(Condition::Domain, "example"), (Condition::Tld, "com")], &[0, 1, 5, 6]),
        (&[(Condition::Domain, "example")], &[0, 1, 5, 6, 8]),
        (&[(Condition::Tld, "co.uk")], &[8]),
        (&[(Condition::Scheme, "wss")], &[5]),
        (&[(Condition::Path, "/"), (Condition::Has, "sub")], &[0, 5, 6, 8]),
        (&[(Condition::PathPrefix, "/a")], &[1, 3]),
        (&[(Condition::Port, "80")], &[3]),
    ];
    for (ask, numbers) in table {
        let (urls, found) = find(&index, ask);
        let expected: Vec<String> = numbers.iter().map(|number| URLS[*number].1.to_owned()).collect();
        assert_eq!(sorted(urls), sorted(expected), "{ask:?}");
        assert_eq!(index.count(&question(ask)).expect("counts").rows, found.rows);
    }
    for (written, stored) in URLS {
        let lookup = index.get_url(written, None).expect("is looked up");
        assert_eq!((lookup.is_stored, lookup.url.as_str()), (true, stored), "{written}");
    }
    assert!(!index.get_url("http://1.2.3.4/", None).expect("is looked up").is_stored);

    let (groups, _) = index.group(&Question::default(), GroupBy::RegisteredDomain).expect("groups");
    let groups: Vec<_> = groups.iter().map(|group| (group.name.as_str(), group.rows)).collect();
    let expected = [("example.com", 4), ("", 3), ("example.co.uk", 1), ("github.com", 1)];
    assert_eq!(groups, expected);
    let stats = index.stats().expect("counts");
    assert_eq!((stats.rows, stats.without_sxurl, index.rows().expect("counts")), (9, 7, 9));
}

#[test]
fn a_search_that_is_stopped_reads_no_further() {
    let (_directory, path) = fresh("index");
    load(&path, &written());
    let index = Index::open(&path).expect("opens");
    for most in 1..9 {
        let mut left = most;
        let found = index.find(&Question::default(), &mut |_| {
            left -= 1;
            if left > 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!((found.expect("finds").rows, left), (most, 0));
    }
}

#[test]
fn they_are_deleted_merged_sealed_and_compacted() {
    let directory = tempfile::tempdir().expect("a directory");
    let at = |name: &str| directory.path().join(name);
    load(&at("one"), &written()[..5]);
    load(&at("two"), &written()[3..]);
    let merged = merge(&at("both"), &[&at("one"), &at("two")], LoadOptions::default()).expect("merges");
    assert_eq!((merged.taken, merged.new), (11, 9));
    assert_eq!(sorted(all(&at("both"))), stored());

    let deleted = delete(&at("both"), &question(&[(Condition::Domain, "example")])).expect("deletes");
    assert_eq!(deleted.rows, 5);
    assert_eq!(all(&at("both")).len(), 4);
    is_sound(&at("both"));
    compact(&at("both")).expect("compacts");
    seal(&at("both")).expect("seals");
    assert_eq!(all(&at("both")).len(), 4);
    assert_eq!(load(&at("both"), &written()).new, 5);
    is_sound(&at("both"));
}

#[test]
fn migrating_to_a_different_list_reads_both_tables() {
    let (_directory, path) = fresh("index");
    load(&path, &written());
    let text = "// ===BEGIN ICANN DOMAINS===\ncom\nuk\n// ===END ICANN DOMAINS===\n\
                // ===BEGIN PRIVATE DOMAINS===\n// ===END PRIVATE DOMAINS===\n";
    let list = SuffixList::parse(text, Sections::All).expect("is a list");
    let done = migrate(&path, &list, &mut |_| ()).expect("migrates");
    assert_eq!((done.rows, done.moved), (9, 0));
    let index = Index::open(&path).expect("opens");
    assert_eq!(find(&index, &[(Condition::Domain, "co"), (Condition::Tld, "uk")]).0, [URLS[8].1]);
    is_sound(&path);
}

#[test]
fn each_kind_of_damage_is_found() {
    let table = [
        (
            "UPDATE other SET host_key = 'x' WHERE url LIKE 'ssh:%'",
            "has a host key that does not match `ssh://GitHub.com/x`",
        ),
        (
            "UPDATE other SET url = 'x' WHERE url LIKE 'ssh:%'",
            "has a text that is not a URL: found `x`: text has no scheme: expected an absolute URL, or a base",
        ),
        (
            "UPDATE other SET url = 'SSH://GitHub.com/x' WHERE url LIKE 'ssh:%'",
            "is not in normal form: found `SSH://GitHub.com/x`",
        ),
        (
            "UPDATE other SET url = 'http://github.com/' WHERE url LIKE 'ssh:%'",
            "belongs in the table `url`: found `http://github.com/`, which has an SXURL",
        ),
        (
            "DELETE FROM other WHERE url LIKE 'ssh:%'",
            "number of rows was changed outside the program: found 6, expected 7",
        ),
        (
            "UPDATE other SET url = CAST(x'7373683aff' AS TEXT) WHERE url LIKE 'ssh:%'",
            "row 6 of `other` has a text that is not UTF-8",
        ),
    ];
    for (damage, message) in table {
        let (_directory, path) = fresh("damaged");
        load(&path, &written());
        let changed = Connection::open(&path).expect("opens").execute(damage, []).expect(damage);
        assert_eq!(changed, 1, "{damage}");
        let index = Index::open(&path).expect("opens");
        let mut found = Vec::new();
        index.verify(&mut |finding| found.push(finding.to_string())).expect("is verified");
        assert!(found.iter().any(|text| text.ends_with(message)), "{message}: {found:?}");
    }
}
