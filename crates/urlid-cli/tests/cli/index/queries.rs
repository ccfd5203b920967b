//! Questions to an index in the words of people, with hints, counted, and cancelled.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::{Index, PAIR};
use crate::support::command;

const LINES: &str = "https://www.example.com/a?q\nhttps://www.example.com/b\nhttp://example.co.uk/\n\
                     https://example.sc:8443/\nhttps://example.tax/\n";

#[test]
fn questions_in_the_words_of_people() {
    let index = Index::new(
        "https://en.wikipedia.org/\nhttp://wikipedia.org./x\nhttps://notwikipedia.org/\nhttps://a.co.uk/\n\
         https://b.a.co.uk/\nhttps://x.github.io/\nws://y.x.github.io/\nhttp://1.2.3.4/\nhttp://uk/\n",
    );
    let find = |conditions: &[&str]| {
        let ran = index.run("find", &[conditions, &["--quiet"]].concat());
        let mut urls: Vec<String> = ran.out.lines().map(str::to_owned).collect();
        urls.sort();
        (urls, index.run("find", conditions).err)
    };
    let wikipedia = &["http://wikipedia.org./x", "https://en.wikipedia.org/"][..];
    let table: [(&[&str], &[&str], &str); 12] = [
        (&["--under", "wikipedia.org"], wikipedia, ""),
        (&["--under", ".Wikipedia.org."], wikipedia, ""),
        (&["--under", "en.wikipedia.org"], &["https://en.wikipedia.org/"], ""),
        (&["--registered-domain", "wikipedia.org"], wikipedia, ""),
        (
            &["--domain", "wikipedia.org"],
            wikipedia,
            "urlid: note: --domain wikipedia.org is read as --registered-domain wikipedia.org\n",
        ),
        (&["--under", "uk"], &["http://uk/", "https://a.co.uk/", "https://b.a.co.uk/"], ""),
        (&["--under", "github.io"], &["https://x.github.io/", "ws://y.x.github.io/"], ""),
        (&["--under", "1.2.3.4"], &["http://1.2.3.4/"], ""),
        (&["--under", "3.4"], &[], ""),
        (&["--tld", "co.uk", "--domain", "a"], &["https://a.co.uk/", "https://b.a.co.uk/"], ""),
        (
            &["--registered-domain", "www.google.com"],
            &[],
            "urlid: hint: `www.google.com` is not a registered domain: try --under www.google.com, or --registered-domain google.com\n",
        ),
        (
            &["--registered-domain", "github.io"],
            &[],
            "urlid: hint: `github.io` is a public suffix: try --under github.io\n",
        ),
    ];
    for (conditions, urls, said) in table {
        assert_eq!(
            find(conditions),
            (urls.iter().map(|url| (*url).to_owned()).collect(), said.to_owned()),
            "{conditions:?}"
        );
    }
    let ran = index.run("delete", &["--domain", "wikipedia.org", "--dry-run"]);
    assert!(
        ran.out.contains(": 2 would be deleted")
            && ran.err.contains("note: --domain wikipedia.org is read as"),
        "{ran:?}"
    );
    let (urls, said) = find(&["--tld", "uk"]);
    assert_eq!(urls, ["http://uk/"]);
    assert!(
        said.contains("--tld uk excludes hosts under") && said.ends_with("--under uk also finds them\n"),
        "{said}"
    );
}

#[test]
fn questions_without_answers_have_hints() {
    let index = Index::new(LINES);
    for (conditions, hint) in [
        (&["--query", "?q"][..], "hint: --query is written without its `?`: try --query 'q'"),
        (&["--fragment", "#f"], "hint: --fragment is written without its `#`: try --fragment 'f'"),
        (&["--domain", "exam*"], "hint: `*` in --domain is an ordinary character, not a wildcard"),
        (&["--tld", "uk", "--domain", "co"], "hint: `co.uk` is a public suffix: try --tld co.uk"),
        (&["--tld", "example.com"], "hint: `example.com` is not a public suffix: its suffix is `com`"),
    ] {
        let expected = format!("urlid: {hint}\n");
        index.run("find", conditions).is(1, "", &expected);
        index.run("count", conditions).is(1, "0\n", &expected);
    }
    index.run("find", &["--tld", "museum"]).is_quiet(1, "");
    for (conditions, message) in [
        (&["--path", "search"], "try --path '/search'; a path without a slash needs --scheme"),
        (&["--host", "a b"], "ERR_HOST_NOT_DNS"),
        (&["--tld", ".com"], "try --tld com\n"),
        (&["--host", "https://www.example.com:443/a"], "try --host www.example.com --port 443\n"),
        (&["--host", "example.com/"], "try --host example.com\n"),
    ] {
        let ran = index.run("find", conditions);
        assert!(ran.code == Some(2) && ran.err.contains(message), "{ran:?}");
    }
}

#[test]
fn answers_are_counted_whole_and_by_part() {
    let index = Index::new(LINES);
    index.run("count", &[]).is_quiet(0, "5\n");
    index.run("count", &["--tld", "com"]).is_quiet(0, "2\n");
    index.run("count", &["--tld", "museum"]).is_quiet(1, "0\n");
    index.run("count", &["--tld", "com", "--format", "ndjson"]).is_quiet(0, "{\"rows\":2}\n");
    for (part, expected) in [
        ("scheme", "https\t4\nhttp\t1\n"),
        ("tld", "com\t2\nco.uk\t1\nsc\t1\ntax\t1\n"),
        ("domain", "example\t5\n"),
        ("registered_domain", "example.com\t2\nexample.co.uk\t1\nexample.sc\t1\nexample.tax\t1\n"),
        ("host", "www.example.com\t2\nexample.co.uk\t1\nexample.sc\t1\nexample.tax\t1\n"),
        ("sub", "\t3\nwww\t2\n"),
        ("port", "\t4\n8443\t1\n"),
        ("first_directory", "/\t5\n"),
        ("path", "/\t3\n/a\t1\n/b\t1\n"),
    ] {
        index.run("count", &["--by", part]).is_quiet(0, expected);
    }
    index.run("count", &["--by", "tld", "--limit", "1", "--format", "csv"]).is_quiet(0, "name,rows\ncom,2\n");
    index.run("count", &["--by", "tld", "--tld", "museum"]).is_quiet(1, "");
    let index = Index::new(&PAIR.join("\n"));
    let said = "urlid: 1 candidate left out because their identifiers match but their URLs do not\n";
    index.run("count", &["--query", "id=27901"]).is(0, "1\n", said);
}

#[test]
fn rows_stop_when_the_reader_is_gone() {
    let lines: String = (0..50_000).map(|n| format!("https://example.com/{n}\n")).collect();
    let index = Index::new(&lines);
    for (verb, args) in [
        ("find", &[][..]),
        ("find", &["--format", "ndjson"]),
        ("export", &["--format", "urls"]),
        ("export", &["--format", "csv"]),
    ] {
        let mut child = command()
            .args(index.args(verb, args))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program is there");
        let mut out = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let mut first = String::new();
        out.read_line(&mut first).expect("there is a line");
        drop(out);
        let output = child.wait_with_output().expect("it was started");
        assert!(first.ends_with('\n'), "{verb} {args:?}: {first}");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{verb} {args:?}");
    }
}
