//! Lists of other formats: what becomes of each kind of line.

use super::*;
use urlid::suffix::SuffixList;

fn check(format: ListFormat, lines: &[(&str, Result<&[&str], LeftOut>)]) {
    let mut import = ListImport::new(format, SuffixList::compiled());
    for (line, expected) in lines {
        let expected = expected.map(|urls| urls.iter().map(|url| (*url).to_owned()).collect::<Vec<_>>());
        assert_eq!(import.line(line), expected, "{format}: {line}");
    }
}

const NONE: Result<&[&str], LeftOut> = Ok(&[]);

#[test]
fn hosts_files_list_hosts_exactly() {
    check(
        ListFormat::Hosts,
        &[
            ("# a comment", NONE),
            ("", NONE),
            ("  0.0.0.0\tbad.example # why", Ok(&["http://bad.example/", "https://bad.example/"])),
            (
                "127.0.0.1 a.example b.example.",
                Ok(&["http://a.example/", "https://a.example/", "http://b.example/", "https://b.example/"]),
            ),
            ("0.0.0.0 0.0.0.0", Ok(&["http://0.0.0.0/", "https://0.0.0.0/"])),
            ("127.0.0.1 localhost", Err(LeftOut::PublicSuffix)),
            ("0.0.0.0 co.uk", Err(LeftOut::PublicSuffix)),
            ("0.0.0.0", Err(LeftOut::Malformed)),
            ("0.0.0.0 bad.example/path", Err(LeftOut::Malformed)),
        ],
    );
}

#[test]
fn filters_list_hosts_and_urls() {
    check(
        ListFormat::Abp,
        &[
            ("[Adblock Plus 2.0]", NONE),
            ("! Title: a list", NONE),
            ("||bad.example^", Ok(&["http://bad.example/", "https://bad.example/"])),
            ("||é.example^", Ok(&["http://é.example/", "https://é.example/"])),
            ("|https://h.example/x", Ok(&["https://h.example/x"])),
            ("http://h.example/x?y", Ok(&["http://h.example/x?y"])),
            ("@@||good.example^", Err(LeftOut::Exception)),
            ("||bad.example^$third-party", Err(LeftOut::Options)),
            ("|https://h.example/$script", Err(LeftOut::Options)),
            ("h.example##.ad", Err(LeftOut::Element)),
            ("/banner[0-9]+/", Err(LeftOut::Expression)),
            ("||*.bad.example^", Err(LeftOut::Wildcard)),
            ("||bad.example", Err(LeftOut::Wildcard)),
            ("||bad.example^path", Err(LeftOut::Wildcard)),
            ("||bad.example/path^", Err(LeftOut::Wildcard)),
            ("|https://h.example/x|", Err(LeftOut::Wildcard)),
            ("https://h.example/*/x", Err(LeftOut::Wildcard)),
            ("/ads.js", Err(LeftOut::Wildcard)),
            ("||com^", Err(LeftOut::PublicSuffix)),
            ("||github.io^", Err(LeftOut::PublicSuffix)),
            ("||^", Err(LeftOut::Malformed)),
            ("||a b^", Err(LeftOut::Malformed)),
        ],
    );
}

#[test]
fn domains_and_urlhaus_have_an_entry_a_line() {
    check(
        ListFormat::Domains,
        &[
            ("# a comment", NONE),
            ("bad.example # why", Ok(&["http://bad.example/", "https://bad.example/"])),
            ("*.bad.example", Err(LeftOut::Wildcard)),
            ("uk", Err(LeftOut::PublicSuffix)),
            ("http://bad.example/", Err(LeftOut::Malformed)),
        ],
    );
    check(
        ListFormat::Urlhaus,
        &[
            ("# id,dateadded,url,url_status", NONE),
            (r#""1","2026-01-01 00:00:00","http://h.example/a,b","online""#, Ok(&["http://h.example/a,b"])),
            (r#"1,2026-01-01,https://h.example/x"#, Ok(&["https://h.example/x"])),
            (r#""1","a ""quoted"" word","http://h.example/""x","y""#, Ok(&["http://h.example/\"x"])),
            (r#""1","2","ftp://h.example/""#, Err(LeftOut::Malformed)),
            (r#""1","2","http://h.example/"#, Err(LeftOut::Malformed)),
            (r#""1","2""#, Err(LeftOut::Malformed)),
            (r#""1"x,"2","http://h.example/""#, Err(LeftOut::Malformed)),
        ],
    );
}

#[test]
fn hosts_are_matched_as_the_format_has_them() {
    let made = |format: ListFormat, line: &str| {
        let mut import = ListImport::new(format, SuffixList::compiled());
        let urls = import.line(line).unwrap();
        let rules = Rules { ladder: format.ladder(), ..Rules::default() };
        let list = build(rules, &[Algorithm::Sha1], urls.iter().map(String::as_str));
        (list, import.hosts(), import.deep_hosts())
    };
    let (exact, ..) = made(ListFormat::Hosts, "0.0.0.0 bad.example");
    let (below, hosts, deep) = made(ListFormat::Domains, "bad.example");
    assert_eq!((hosts, deep), (1, 0));
    for (uri, is_exact, is_below) in [
        ("http://bad.example/x?y", true, true),
        ("https://BAD.example", true, true),
        ("https://www.bad.example/x", false, true),
        ("http://worse.example/", false, false),
        ("http://bad.example:8080/", false, false),
        ("ws://bad.example/", false, false),
    ] {
        assert_eq!(
            (!found(&exact, uri).is_empty(), !found(&below, uri).is_empty()),
            (is_exact, is_below),
            "{uri}"
        );
    }
    assert_eq!(made(ListFormat::Domains, "a.b.c.d.e.example").2, 1);
}
