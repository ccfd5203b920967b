//! The index of format version 1 that this repository keeps: whatever this library becomes, it opens, answers and can be migrated.
//!
//! `fixtures/v1.urlid` was made by loading `URLS` under `LIST`, with all optional indexes, and sealing it. It is never made anew: a
//! library that cannot read it has broken the format.

use std::path::{Path, PathBuf};

use crate::common::{all, find, question};
use urlid::ErrorCode;
use urlid::suffix::{Sections, SuffixList};
use urlid_index::{
    Condition, EncoderOptions, Index, Load, LoadOptions, SeenSet, SliceIndex, compact, delete, migrate, seal,
};

const LIST: &str = "// VERSION: 2026-11-21_fixture\n// COMMIT: 0\n// ===BEGIN ICANN DOMAINS===\ncom\nuk\nco.uk\nsc\ntax\n\
// ===END ICANN DOMAINS===\n// ===BEGIN PRIVATE DOMAINS===\ngithub.io\n// ===END PRIVATE DOMAINS===\n";

const URLS: [&str; 8] = [
    "https://example.com/item?id=27901",
    "https://example.com/item?id=107826",
    "https://example.sc/",
    "https://example.tax/",
    "http://www.example.co.uk:8080/a/b?x=1#frag",
    "ftp://ftp.example.com:21/pub/file.txt",
    "https://someone.github.io/",
    "https://xn--bcher-kva.com/\u{fc}?\u{fc}",
];

/// Copies the fixture, because reading may recover and tidy a file.
fn fixture(directory: &Path) -> PathBuf {
    let path = directory.join("v1.urlid");
    let kept = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v1.urlid");
    std::fs::copy(kept, &path).expect("the fixture is in the tree");
    path
}

#[test]
fn version_1_is_read() {
    let directory = tempfile::tempdir().expect("a directory");
    let index = Index::open(&fixture(directory.path())).expect("opens");
    assert_eq!(index.rows().expect("counts"), 8);
    assert_eq!(index.describe().expect("describes").suffixes.text(), LIST);
    assert_eq!(index.describe().expect("describes").snapshot.psl_version, "2026-11-21_fixture");
    assert_eq!(index.describe().expect("describes").slice_indexes, SliceIndex::ALL);
    let mut urls = find(&index, &[]).0;
    urls.sort_unstable();
    let mut expected = URLS.to_vec();
    expected.sort_unstable();
    assert_eq!(urls, expected);
    let table: [(&[(Condition, &str)], &str); 5] = [
        (&[(Condition::Query, "id=27901")], URLS[0]),
        (&[(Condition::Tld, "tax")], URLS[3]),
        (&[(Condition::Port, "8080")], URLS[4]),
        (&[(Condition::Domain, "someone")], URLS[6]),
        (&[(Condition::Host, "B\u{fc}cher.com")], URLS[7]),
    ];
    for (ask, url) in table {
        assert_eq!(find(&index, ask).0, [url]);
    }
    let seen = index.verify(&mut |finding| panic!("{finding}"));
    assert_eq!(seen.expect("is verified").rows, 8);
}

#[test]
fn version_1_is_not_added_to_before_it_is_migrated() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = fixture(directory.path());
    let list = SuffixList::parse(LIST, Sections::All).expect("is a list");
    let before = std::fs::read(&path).expect("reads");
    let error = Load::begin(&path, &list, LoadOptions::default()).expect_err("is old");
    assert_eq!(error.code(), ErrorCode::IndexFormat);
    let message = "index is of an older format: found version 1 in ";
    assert!(error.to_string().starts_with(message), "{error}");
    SeenSet::open(&path, &list, None, EncoderOptions::default()).expect_err("is old");
    assert_eq!(std::fs::read(&path).expect("reads"), before);

    // Everything else works on it as it is.
    assert_eq!(delete(&path, &question(&[(Condition::Tld, "tax")])).expect("deletes").rows, 1);
    assert!(!Index::open(&path).expect("opens").get_url("ws://h/").expect("is looked up").is_stored);
    compact(&path).expect("compacts");
    assert_eq!(all(&path).len(), 7);

    let reader = Index::open(&path).expect("opens");
    assert_eq!(reader.describe().expect("describes").format, 1);
    let done = migrate(&path, &list, &mut |_| ()).expect("migrates");
    assert_eq!((done.from_format, done.to_format, done.moved), (1, 2, 0));
    // A reader that was open meanwhile goes on with the new format.
    assert_eq!(reader.describe().expect("describes").format, 2);
    let mut load = Load::begin(&path, &list, LoadOptions::default()).expect("begins");
    load.push("http://1.2.3.4/").expect("takes");
    assert_eq!(load.finish().expect("ends").new, 1);
    assert_eq!(find(&reader, &[(Condition::Host, "1.2.3.4")]).0, ["http://1.2.3.4/"]);
    assert_eq!(reader.rows().expect("counts"), 8);
    let seen = reader.verify(&mut |finding| panic!("{finding}")).expect("is verified");
    assert_eq!(seen.rows, 8);
    drop(reader);
    seal(&path).expect("seals");
    assert!(migrate(&path, &list, &mut |_| ()).expect("is done").is_unchanged());
}

#[test]
fn version_1_is_migrated_to_another_list_in_the_same_step() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = fixture(directory.path());
    let stopped = migrate(&path, SuffixList::compiled(), &mut |_| ()).expect("migrates");
    assert_eq!((stopped.from_format, stopped.to_format, stopped.rows), (1, 2, 8));
    let index = Index::open(&path).expect("opens");
    let seen = index.verify(&mut |finding| panic!("{finding}")).expect("is verified");
    assert_eq!(seen.rows, 8);
}
