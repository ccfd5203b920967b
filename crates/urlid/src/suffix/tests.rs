//! Tests which texts are lists, the metadata of a list, and each rule of the split.
//!
//! `dev/conformance/tests/psl.rs` compares every rule of the real list, and random hosts.

use super::*;
use crate::digest;
use crate::error::ErrorCode;

fn parts(list: &SuffixList, host: &str) -> String {
    let Split { sub, domain, tld } = list.split_normal(host);
    format!("{sub}|{domain}|{tld}")
}

fn check(list: &SuffixList, expected: &[(&str, &str)]) {
    for (host, parts_expected) in expected {
        assert_eq!(parts(list, host), *parts_expected, "{host}");
    }
}

const SMALL: &str = "\
// VERSION: 2026-01-02_03-04-05_UTC
// COMMIT: 0123abc

// ===BEGIN ICANN DOMAINS===
com
*.ck
!www.ck
jp
*.kobe.jp
!city.kobe.jp
бг  text after white space is no part of the rule
// ===END ICANN DOMAINS===
// ===BEGIN PRIVATE DOMAINS===
blog.com
*.cloud.com
日本.com
// ===END PRIVATE DOMAINS===
";

#[test]
fn the_longest_rule_decides_and_without_one_the_last_label() {
    let list = SuffixList::parse(SMALL, Sections::All).unwrap();
    check(
        &list,
        &[
            ("a.com", "|a|com"),
            ("b.a.com", "b|a|com"),
            ("c.b.a.com", "c.b|a|com"),
            ("a.blog.com", "|a|blog.com"),
            ("localhost", "||localhost"),
            ("a.internal", "|a|internal"),
            ("com.internal", "|com|internal"),
        ],
    );
}

#[test]
fn a_host_that_is_a_suffix_is_all_tld() {
    let list = SuffixList::parse(SMALL, Sections::All).unwrap();
    check(&list, &[("com", "||com"), ("blog.com", "||blog.com"), ("a.ck", "||a.ck"), ("other", "||other")]);
    for (host, expected) in
        [("com", true), ("blog.com", true), ("a.ck", true), ("other", true), ("a.com", false)]
    {
        assert_eq!(list.is_normal_suffix(host), expected, "{host}");
    }
}

#[test]
fn a_wildcard_matches_the_children_of_its_name_and_not_the_name() {
    let list = SuffixList::parse(SMALL, Sections::All).unwrap();
    check(
        &list,
        &[
            ("ck", "||ck"),
            ("b.a.ck", "|b|a.ck"),
            ("kobe.jp", "|kobe|jp"),
            ("a.kobe.jp", "||a.kobe.jp"),
            ("c.b.a.kobe.jp", "c|b|a.kobe.jp"),
            ("cloud.com", "|cloud|com"),
            ("b.a.cloud.com", "|b|a.cloud.com"),
        ],
    );
}

#[test]
fn an_exception_excludes_its_name_from_the_wildcard() {
    let list = SuffixList::parse(SMALL, Sections::All).unwrap();
    check(
        &list,
        &[
            ("www.ck", "|www|ck"),
            ("a.www.ck", "a|www|ck"),
            ("city.kobe.jp", "|city|kobe.jp"),
            ("a.city.kobe.jp", "a|city|kobe.jp"),
            ("citys.kobe.jp", "||citys.kobe.jp"),
        ],
    );
}

#[test]
fn a_rule_in_unicode_matches_the_ascii_name() {
    let list = SuffixList::parse(SMALL, Sections::All).unwrap();
    check(&list, &[("a.xn--90ae", "|a|xn--90ae"), ("b.a.xn--wgv71a.com", "b|a|xn--wgv71a.com")]);
    assert_eq!(list.split_normal("a.бг").tld, "бг", "hosts are in ASCII, other text meets the default rule");
    check(SuffixList::compiled(), &[("a.b.xn--55qx5d.cn", "a|b|xn--55qx5d.cn")]);
}

#[test]
fn private_rules_count_if_all_sections_do() {
    for (host, all, icann) in [
        ("a.github.io", "|a|github.io", "a|github|io"),
        ("b.a.s3.amazonaws.com", "b|a|s3.amazonaws.com", "b.a.s3|amazonaws|com"),
        ("b.a.compute.amazonaws.com", "|b|a.compute.amazonaws.com", "b.a.compute|amazonaws|com"),
        ("a.co.uk", "|a|co.uk", "|a|co.uk"),
    ] {
        assert_eq!(parts(SuffixList::compiled(), host), all, "{host}");
        assert_eq!(parts(SuffixList::compiled_with(Sections::Icann), host), icann, "{host}");
    }
    let list = SuffixList::parse(SMALL, Sections::Icann).unwrap();
    check(
        &list,
        &[("b.a.blog.com", "b.a|blog|com"), ("b.a.cloud.com", "b.a|cloud|com"), ("www.ck", "|www|ck")],
    );
}

#[test]
fn the_parts_of_any_text_make_the_text() {
    let lists = [SuffixList::compiled().clone(), SuffixList::parse(SMALL, Sections::All).unwrap()];
    let pieces = ["", ".", "a", "com", "é", "\u{0}", "日本", "a-label-of-many-bytes", "ck", "/"];
    for index in 0..pieces.len().pow(4) {
        let text: String =
            (0..4).map(|place| pieces[index / pieces.len().pow(place) % pieces.len()]).collect();
        for list in &lists {
            let Split { sub, domain, tld } = list.split_normal(&text);
            let whole = match (sub, domain) {
                ("", "") if text == tld => tld.to_owned(),
                ("", _) if text.len() == domain.len() + tld.len() + 1 => format!("{domain}.{tld}"),
                _ => format!("{sub}.{domain}.{tld}"),
            };
            assert_eq!(whole, text);
        }
    }
}

#[test]
fn offsets_match_the_parts_and_the_suffix_slice() {
    let list = SuffixList::compiled();
    for (host, tld, domain, is_known) in [
        ("www.example.com", 12, 4, true),
        ("a.example.co.uk", 10, 2, true),
        ("city.kobe.jp", 5, 0, true),
        ("a.b.kobe.jp", 2, 0, false),
        ("a.internal", 2, 0, false),
        ("com", 0, 0, true),
    ] {
        let expected = digest::sha256(&[b"tld\0", &host.as_bytes()[tld..]]);
        // A smaller binary does not have slices.
        let is_stored = is_known && !cfg!(feature = "compact");
        let tld_hash = is_stored.then_some(u16::from_be_bytes([expected[30], expected[31]]));
        assert_eq!(list.split_offsets(host), SplitOffsets { tld, domain, tld_hash }, "{host}");
        let parsed = SuffixList::parse(list.text(), Sections::All).unwrap();
        assert_eq!(parsed.split_offsets(host), SplitOffsets { tld, domain, tld_hash: None }, "{host}");
    }
}

#[test]
fn a_list_has_its_date_its_commit_and_its_text() {
    let list = SuffixList::parse(SMALL, Sections::Icann).unwrap();
    assert_eq!((list.version(), list.commit()), ("2026-01-02_03-04-05_UTC", "0123abc"));
    assert_eq!((list.text(), list.sections()), (SMALL, Sections::Icann));
    assert_eq!(list.sha256(), digest::sha256(&[SMALL.as_bytes()]));

    let bare = SuffixList::parse("com", Sections::All).unwrap();
    assert_eq!((bare.version(), bare.commit()), ("", ""));

    let compiled = SuffixList::compiled();
    let parsed = SuffixList::parse(compiled.text(), Sections::All).unwrap();
    assert_eq!(compiled.version(), parsed.version());
    assert_eq!(compiled.commit(), parsed.commit());
    assert_eq!(compiled.sha256(), parsed.sha256());
    assert_eq!(compiled.sections(), Sections::All);
}

#[test]
fn rules_come_in_the_order_of_the_text_with_their_section() {
    let texts = |sections| {
        let list = SuffixList::parse(SMALL, sections).unwrap();
        list.rules()
            .map(|rule| format!("{} {:?} {:?} {}", rule.line, rule.section, rule.kind, rule.text))
            .collect()
    };
    let all: Vec<String> = texts(Sections::All);
    assert_eq!(all.len(), 10);
    assert_eq!(all[1], "6 Icann Wildcard *.ck");
    assert_eq!(all[2], "7 Icann Exception !www.ck");
    assert_eq!(all[6], "11 Icann Plain бг");
    assert_eq!(all[9], "16 Private Plain 日本.com");
    assert_eq!(texts(Sections::Icann), all[..7]);
}

#[test]
fn a_list_is_shared_between_threads_and_cheap_to_copy() {
    fn check<T: Send + Sync + Clone>(_: &T) {}
    let list = SuffixList::parse(SMALL, Sections::All).unwrap();
    check(&list);
    assert_eq!(list.clone().text().as_ptr(), list.text().as_ptr());
}

#[test]
fn differences_are_rules_by_their_meaning() {
    let old = SuffixList::parse("com\nбг\n*.ck\n", Sections::All).unwrap();
    let new = SuffixList::parse("*.ck\nxn--90ae\n!www.ck\nck\n", Sections::All).unwrap();
    let texts = |rules: &[SuffixRule<'_>]| rules.iter().map(|rule| rule.text.to_owned()).collect::<Vec<_>>();
    let changes = diff(&old, &new);
    assert_eq!(texts(&changes.gone), ["com"]);
    assert_eq!(texts(&changes.came), ["!www.ck", "ck"]);
    let none = diff(&new, &new);
    assert_eq!((none.gone, none.came), (vec![], vec![]));

    let all = SuffixList::compiled();
    let moved = diff(SuffixList::compiled_with(Sections::Icann), all);
    assert!(moved.gone.is_empty() && moved.came.iter().all(|rule| rule.section == Section::Private));
    assert_eq!(moved.came.len(), all.rules().filter(|rule| rule.section == Section::Private).count());
}

#[test]
fn a_bad_line_is_rejected_by_its_number() {
    for (text, message) in [
        ("com\na..b\n", "line 2 is `a..b`, expected a rule"),
        (".com", "line 1 is `.com`, expected a rule"),
        ("com.", "line 1 is `com.`, expected a rule"),
        ("\n\na.*.b", "line 3 is `a.*.b`, expected a rule"),
        ("*a.b", "line 1 is `*a.b`, expected a rule"),
        ("!com", "line 1 is `!com`, expected a rule"),
        ("!", "line 1 is `!`, expected a rule"),
        ("*.", "line 1 is `*.`, expected a rule"),
        ("!*.a.b", "line 1 is `!*.a.b`, expected a rule"),
        ("com\n trailing", "line 2 is ` trailing`, expected a rule"),
        ("com\n<html>\u{1b}", "line 2 is `<html>\\u{1b}`, expected a name that a host can have"),
        ("a%2eb", "line 1 is `a%2eb`, expected a name that a host can have"),
        ("xn--a.com", "line 1 is `xn--a.com`, expected a name that a host can have"),
        ("", "line 1 is the last, expected at least one rule"),
        ("// a comment\n\n", "line 2 is the last, expected at least one rule"),
        (
            "// ===BEGIN ICANN DOMAINS===\ncom",
            "line 1 starts the ICANN section, expected a line that ends it",
        ),
        (
            "// ===BEGIN PRIVATE DOMAINS===\n// ===END ICANN DOMAINS===",
            "line 2 starts or ends a section, expected the opposite",
        ),
        ("com\n// ===END ICANN DOMAINS===", "line 2 starts or ends a section, expected the opposite"),
        (
            "// ===BEGIN ICANN DOMAINS===\n// ===BEGIN ICANN DOMAINS===",
            "line 2 starts or ends a section, expected the opposite",
        ),
    ] {
        let error = SuffixList::parse(text, Sections::All).unwrap_err();
        assert_eq!(error.to_string(), format!("suffix list is not valid: {message}"), "{text:?}");
        assert_eq!(error.code(), ErrorCode::ListLine);
    }
    let long = "a".repeat(1000);
    let error = SuffixList::parse(&long, Sections::All).unwrap_err();
    assert!(error.to_string().len() < 200);
    let private = "// ===BEGIN PRIVATE DOMAINS===\na.com\n// ===END PRIVATE DOMAINS===";
    assert!(SuffixList::parse(private, Sections::All).is_ok());
    let error = SuffixList::parse(private, Sections::Icann).unwrap_err();
    assert_eq!(error.to_string(), "suffix list is not valid: line 3 is the last, expected at least one rule");
}

#[test]
fn byte_order_marks_line_ends_case_and_repeats_are_accepted() {
    for text in ["\u{feff}com", "com\r\nnet\r\n", "com\ncom\n", "COM", "// x\n//y\n\t\ncom // z", "*"] {
        let list = SuffixList::parse(text, Sections::All).unwrap();
        assert_eq!(parts(&list, "b.a.com"), "b|a|com", "{text:?}");
    }
}
