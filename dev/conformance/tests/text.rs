//! URLs in text: the law of redaction in its long form, and the differences from linkify, which finds links
//! in prose.

use linkify::{LinkFinder, LinkKind};
use urlid::redact::{NameList, Redactor};
use urlid::text::{CharacterReferences, find_urls};
use urlid_generators::{Choices, Seeded, cases, secret_line, seed};

#[test]
#[ignore = "at length: .ci/run"]
fn exactly_the_secrets_of_a_million_lines_are_replaced() {
    let redactor = Redactor::default().with_list(NameList::Common1);
    let (mut random, mut out) = (Seeded::new(seed()), Vec::new());
    for case in 0..cases(1_000_000) {
        let bytes = random.bytes(80);
        let line = secret_line(&mut Choices::new(&bytes));
        out.clear();
        redactor.redact_line(&line.bytes, &[], CharacterReferences::default(), &mut out);
        assert!(
            out == line.with_secrets_replaced(),
            "case {case}: {}\n{}",
            line.bytes.escape_ascii(),
            out.escape_ascii()
        );
    }
}

fn urlid(line: &str) -> Vec<String> {
    find_urls(line.as_bytes(), CharacterReferences::default()).map(|url| url.text.into_owned()).collect()
}

fn linkify(line: &str) -> Vec<String> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    finder.links(line).map(|link| link.as_str().to_owned()).collect()
}

#[test]
fn prose_is_read_as_linkify_reads_it() {
    for line in [
        "see https://a.example/, or https://b.example.",
        "(https://a.example/b_(c)) and https://a.example/b_(c)!",
        "(see https://a.example/).",
        "<https://a.example/b> \"https://a.example/?b=c\"",
        "'https://a.example/' https://a.example/it's",
        "[x](https://a.example/b)",
        "https://a.example/漢 git+ssh://a.example/ https://u:p)w@a.example/",
        "http:// ://h no url",
        "https://a.example/?a=b&c=d#e; https://a.example/*",
    ] {
        assert_eq!(urlid(line), linkify(line), "{line}");
    }
}

#[test]
fn linkify_misses_what_logs_need() {
    for (line, ours, theirs) in [
        // Escapes, as many writers of JSON make them.
        (r#"{"u":"https:\/\/a.example\/b"}"#, "https://a.example/b", ""),
        (r#"{"u":"https://a.example/?a\u0026b"}"#, "https://a.example/?a&b", r"https://a.example/?a\u0026b"),
        // Hosts that browsers open.
        ("http://[::1]:80/a", "http://[::1]:80/a", ""),
        ("https://a_b.example/", "https://a_b.example/", ""),
        ("https://a.example:/x", "https://a.example:/x", "https://a.example"),
        // Users and tokens, whose ends would be shown.
        ("https://u:p%40@a.example/", "https://u:p%40@a.example/", "https://u:p"),
        ("https://u:p|w@a.example/", "https://u:p|w@a.example/", "https://u:p"),
        ("https://a.example/?token=1|x", "https://a.example/?token=1|x", "https://a.example/?token=1"),
        ("https://a.example/?t=a)b&c", "https://a.example/?t=a)b&c", "https://a.example/?t=a"),
        // Words around a URL.
        ("end.http://a.example/", "http://a.example/", "end.http://a.example/"),
        ("“https://a.example/”", "https://a.example/", "https://a.example/”"),
    ] {
        assert_eq!([urlid(line).join(" "), linkify(line).join(" ")], [ours, theirs], "{line}");
    }
}
