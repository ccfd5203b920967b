//! Canaries for the data that identifiers depend on: Unicode data and the public suffix list.
//!
//! A failure here means that identifiers of some URLs have changed although the code of this library has not.
//! Such a change needs a new snapshot: change the constants of `Snapshot` and the canary together.

use urlid::snapshot::Snapshot;
use urlid::suffix::{Sections, SuffixList, diff};
use urlid::sxurl::Sxurl;
use urlid::web::Url;

/// Returns the ASCII form of a label, if it has one.
fn label(text: &str) -> Option<String> {
    let url = Url::parse(&format!("https://{text}.example/")).ok()?;
    url.host_str()?.strip_suffix(".example").map(str::to_owned)
}

/// The first Unicode version that assigns each character, newest last.
const SINCE: [(&str, char); 6] = [
    ("14.0", '\u{1df00}'),
    ("15.0", '\u{1df25}'),
    ("15.1", '\u{2ebf0}'),
    ("16.0", '\u{10d4a}'),
    ("17.0", '\u{323b0}'),
    ("18.0", '\u{3e8ac}'),
];

/// Characters that are unassigned in all Unicode versions up to the snapshot's.
const UNASSIGNED: [char; 3] = ['\u{3fd00}', '\u{50000}', '\u{e0fff}'];

#[test]
fn the_unicode_data_is_of_the_version_of_the_snapshot() {
    let unicode = Snapshot::new(SuffixList::compiled()).unicode;
    let mut known = SINCE.iter().filter(|(_, character)| label(&character.to_string()).is_some());
    assert_eq!(known.clone().count(), SINCE.len(), "the data is older than the snapshot says");
    assert_eq!(known.next_back().map(|(version, _)| *version), Some(unicode.as_str()));
    for character in UNASSIGNED {
        assert_eq!(
            label(&character.to_string()),
            None,
            "U+{:X} came with a newer version",
            u32::from(character)
        );
    }
}

#[test]
fn mappings_that_once_changed_match_the_record() {
    for (text, expected) in [
        // Deviations, which are kept because processing is non-transitional.
        ("faß", Some("xn--fa-hia")),
        ("βόλος", Some("xn--nxasmm1c")),
        // Capital sharp s: `ss` up to Unicode 15.0, `ß` since.
        ("faẞ", Some("xn--fa-hia")),
        // Full stops and widths.
        ("ａｂ", Some("ab")),
        ("ﬁ", Some("fi")),
        ("Å", Some("xn--5ca")),
        // Ignored, forbidden, and allowed between letters that join.
        ("a\u{ad}b", Some("ab")),
        ("a\u{200d}b", None),
        ("क्\u{200d}ष", Some("xn--11b2ezcw70k")),
        ("\u{fffd}", None),
        // Right to left: a digit must not start a label.
        ("א1", Some("xn--1-zhc")),
        ("1א", None),
    ] {
        let found = label(text);
        assert_eq!(found.as_deref(), expected, "{text}");
    }
}

#[test]
fn the_host_mapping_is_the_recorded_one() {
    let snapshot = Snapshot::new(SuffixList::compiled());
    assert_eq!(snapshot.host_mapping, "e533e77a9535138b");
}

#[test]
fn the_suffix_list_is_the_one_of_the_snapshot() {
    let snapshot = Snapshot::new(SuffixList::compiled());
    assert_eq!(snapshot.psl_version, "2026-10-22_08-36-41_UTC");
    let compiled = SuffixList::compiled();
    let parsed = SuffixList::parse(compiled.text(), Sections::All).expect("the compiled list is one");
    assert_eq!(Snapshot::new(&parsed), snapshot);
    let count = |sections| SuffixList::compiled_with(sections).rules().count();
    assert_eq!((count(Sections::Icann), count(Sections::All)), (6949, 10397));
}

/// Names that are decided by a rule of each kind.
#[test]
fn hosts_are_split_as_recorded() {
    let split = |sections, host| {
        let split = SuffixList::compiled_with(sections).split_normal(host);
        [split.sub, split.domain, split.tld].join("|")
    };
    for (host, all, icann) in [
        ("www.example.com", "www|example|com", "www|example|com"),
        ("a.example.co.uk", "a|example|co.uk", "a|example|co.uk"),
        ("co.uk", "||co.uk", "||co.uk"),
        ("a.b.kawasaki.jp", "|a|b.kawasaki.jp", "|a|b.kawasaki.jp"),
        ("a.city.kawasaki.jp", "a|city|kawasaki.jp", "a|city|kawasaki.jp"),
        ("www.ck", "|www|ck", "|www|ck"),
        ("a.b.ck", "|a|b.ck", "|a|b.ck"),
        ("octocat.github.io", "|octocat|github.io", "octocat|github|io"),
        ("a.s3.amazonaws.com", "|a|s3.amazonaws.com", "a.s3|amazonaws|com"),
        ("a.xn--p1ai", "|a|xn--p1ai", "|a|xn--p1ai"),
        ("a.b.unlisted", "a|b|unlisted", "a|b|unlisted"),
        ("localhost", "||localhost", "||localhost"),
    ] {
        assert_eq!(
            (split(Sections::All, host).as_str(), split(Sections::Icann, host).as_str()),
            (all, icann),
            "{host}"
        );
    }
}

/// A removed rule changes identifiers; the difference names the rule, and the snapshots differ.
#[test]
fn a_changed_list_is_noticed_by_name() {
    let old = SuffixList::compiled();
    let text = old.text().replacen("\ngithub.io\n", "\n", 1);
    assert_ne!(text, old.text());
    let new = SuffixList::parse(&text, Sections::All).expect("a list without a rule is one");

    let difference = diff(old, &new);
    let names: Vec<&str> = difference.gone.iter().map(|rule| rule.name).collect();
    assert_eq!((names, difference.came.len()), (vec!["github.io"], 0));

    let (old_snapshot, new_snapshot) = (Snapshot::new(old), Snapshot::new(&new));
    let changed: Vec<&str> = old_snapshot.differences(&new_snapshot).iter().map(|(key, ..)| *key).collect();
    assert_eq!(changed, ["psl_sha256"]);

    let url = "https://octocat.github.io/";
    assert_ne!(Sxurl::encode_with(url, old), Sxurl::encode_with(url, &new));
    assert_eq!(
        Sxurl::encode_with("https://example.com/", old),
        Sxurl::encode_with("https://example.com/", &new)
    );
}

#[test]
fn a_snapshot_is_read_back_whatever_the_version_and_commit_of_the_list() {
    let list = SuffixList::parse("// VERSION: my own\tlist \u{1b}[2J\n// COMMIT: a b\ncom\n", Sections::All)
        .expect("it is a list");
    let snapshot = Snapshot::new(&list);
    assert_eq!((snapshot.psl_version.as_str(), snapshot.psl_commit.as_str()), ("my_own_list__[2J", "a_b"));
    assert_eq!(snapshot.to_string().parse(), Ok(snapshot));
}
