//! Rehearses a new suffix list on the URLs of the golden file: its changes, and the results that stay under
//! the old list.
//!
//! The procedure is in `docs/stability.md`. The tests of `xtask` run `cargo xtask psl` with the same list.

use urlid::suffix::{SuffixList, diff};
use urlid::sxurl::Sxurl;

const URLS: &str = include_str!("golden/urls.txt");
const IDS: &str = include_str!("golden/ids.tsv");

/// Returns the list of this release, as its users would store it, and a list without the rule `co.uk` and
/// with `quince.com`.
fn old_and_new() -> (SuffixList, SuffixList) {
    let compiled = SuffixList::compiled();
    let old = compiled.text().to_owned();
    let new = old.replacen("\nco.uk\n", "\n", 1).replacen("\ncom\n", "\ncom\nquince.com\n", 1);
    let new = new.replacen("VERSION: ", "VERSION: rehearsal-", 1);
    let parse = |text: &str| SuffixList::parse(text, compiled.sections()).expect("a list");
    (parse(&old), parse(&new))
}

fn id(url: &str, list: &SuffixList) -> String {
    Sxurl::encode_with(url, list).map_or_else(|error| error.code().to_string(), |id| id.to_hex())
}

#[test]
fn only_the_new_list_changes_identifiers_and_only_under_changed_rules() {
    let (old, new) = old_and_new();
    let changes = diff(&old, &new);
    assert_eq!((changes.gone.len(), changes.came.len()), (1, 1));
    assert_eq!((changes.gone[0].name, changes.came[0].name), ("co.uk", "quince.com"));
    let mut moved = 0;
    for (url, row) in URLS.lines().zip(IDS.lines().skip(1)) {
        let recorded = row.split('\t').next().expect("a row has columns");
        if url.contains("\\u{") {
            continue;
        }
        assert_eq!(id(url, &old), recorded, "{url} under the old list");
        if id(url, &new) != recorded {
            let url = url.to_ascii_lowercase();
            assert!(url.contains("co.uk") || url.contains("quince.com"), "{url} is under no changed rule");
            moved += 1;
        }
    }
    assert!(moved > 10, "{moved} identifiers are under a changed rule");
}

#[test]
fn the_snapshots_of_two_lists_are_never_equal() {
    let (old, new) = old_and_new();
    assert_eq!(old.sha256(), SuffixList::compiled().sha256());
    assert_ne!(old.sha256(), new.sha256());
    assert!(new.version().starts_with("rehearsal-"), "{}", new.version());
}
