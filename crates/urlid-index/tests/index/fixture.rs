//! The index of format version 1 that this repository keeps: whatever this library becomes, it opens and answers.
//!
//! `fixtures/v1.urlid` was made by loading `URLS` under `LIST`, with all optional indexes, and sealing it. It is never made anew: a
//! library that cannot read it has broken the format.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::common::find;
use urlid_index::{Condition, Index, SliceIndex};

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
    let seen = index.verify(&mut |finding| panic!("{finding}"), &mut |_| ControlFlow::Continue(()));
    assert_eq!(seen.expect("is verified").rows, 8);
}
