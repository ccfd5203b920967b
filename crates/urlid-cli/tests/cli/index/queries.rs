//! Queries on an index: several at once, with plans, counted, and cancelled.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use super::{Index, PAIR};
use crate::support::command;

const LINES: &str = "https://www.example.com/a?q\nhttps://www.example.com/b\nhttp://example.co.uk/\n\
                     https://example.sc:8443/\nhttps://example.tax/\n";

#[test]
fn several_queries_are_read_from_a_file() {
    let index = Index::new(LINES);
    // A byte order mark and every kind of line end are read as in lists of URLs.
    let questions = "\u{feff}tld=com\tsub=www\r\n\nport=8443\rpath=/nowhere\nhost=example.CO.uk\n";
    let file = index.folder.file("questions", questions);
    let file = file.to_str().expect("is text");
    let expected = "1\thttps://www.example.com/b\n1\thttps://www.example.com/a?q\n3\thttps://example.sc:8443/\n\
                    5\thttp://example.co.uk/\n";
    index.run("find", &["--questions", file]).is_quiet(0, expected);
    let ran = index.run("find", &["--questions", file, "--limit", "1", "--format", "csv", "--ids"]);
    let queries: Vec<_> = ran.out.lines().map(|line| line.split(',').next().unwrap_or_default()).collect();
    assert_eq!((ran.code, queries), (Some(0), vec!["question", "1", "3", "5"]), "{}", ran.err);
    index.run("find", &["--questions", file, "--limit", "0"]).is_quiet(1, "");
    let ran = index.run("find", &["--questions", file, "--explain"]);
    let plans: Vec<_> = ran.err.lines().filter_map(|line| line.split_once(": plan: ")).collect();
    assert_eq!(
        plans.iter().map(|(query, _)| *query).collect::<Vec<_>>(),
        ["urlid: question 1", "urlid: question 3", "urlid: question 4", "urlid: question 5"]
    );
}

#[test]
fn port_0_is_found_and_deleted_where_it_is_written() {
    let index = Index::new("http://b.foo.com:0/\nhttp://a.com:80/\nhttp://a.com/\n");
    index.run("find", &["--port", "0"]).is_quiet(0, "http://b.foo.com:0/\n");
    index.run("count", &["--port", "0", "--lacks", "port"]).is_quiet(1, "0\n");
    assert_eq!(index.run("delete", &["--port", "0"]).code, Some(0));
    index.run("find", &[]).is_quiet(0, "http://a.com/\nhttp://a.com:80/\n");
}

#[test]
fn a_bad_query_is_reported_with_its_line_and_no_query_runs() {
    let index = Index::new(LINES);
    for (questions, message) in [
        ("tld=com\nwho=me\n", "questions:2: no such condition: found `who=me`"),
        ("tld\n", "questions:1: a condition is name=value: found `tld`"),
        ("port=65536\n", "questions:1: ERR_PORT: port is out of range: found `65536`, expected 0 to 65535"),
        (
            "scheme=ws:\n",
            "questions:1: ERR_INVALID_SCHEME: scheme is not valid: found `ws:`, expected a letter",
        ),
        ("domain=a.com\ttld=com\n", "questions:1: ERR_HOST_NOT_DNS: registered-domain is given twice"),
    ] {
        let file = index.folder.file("questions", questions);
        let ran = index.run("find", &["--questions", file.to_str().expect("is text")]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{questions}");
        assert!(ran.err.contains(message), "{questions}: {}", ran.err);
    }
    let file = index.folder.file("questions", "tld=com\n");
    let ran = index.run("find", &["--questions", file.to_str().expect("is text"), "--tld", "com"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), "urlid: --questions goes without other conditions\n"));
    assert_eq!(index.run("find", &["--questions", "/nowhere"]).code, Some(4));
}

#[test]
fn a_plan_is_explained() {
    let index = Index::new(LINES);
    for (conditions, plan) in [
        (
            &["--tld", "com", "--domain", "example"][..],
            "48 key ranges with at least 22 of 64 hex digits known",
        ),
        (&["--domain", "example"], "skip scan"),
        (&["--path", "/a"], "scan of every row in"),
    ] {
        let ran = index.run("find", &[conditions, &["--explain"]].concat());
        assert!(ran.code == Some(0) && ran.err.starts_with(&format!("urlid: plan: {plan}")), "{}", ran.err);
    }
    assert_eq!(index.add(b"", &["--index", "path,query,fragment,sub"]).code, Some(0));
    for (conditions, part) in
        [(&["--path", "/a"][..], "path"), (&["--query", "q"], "query"), (&["--sub", "www"], "sub")]
    {
        let ran = index.run("find", &[conditions, &["--explain"]].concat());
        assert!(ran.err.starts_with(&format!("urlid: plan: index on {part}")), "{}", ran.err);
        assert_eq!(ran.code, Some(0), "{part}");
    }
}

#[test]
fn urls_are_found_by_the_parts_that_they_have_and_by_the_beginning_of_the_path() {
    let index = Index::new(LINES);
    index.run("find", &["--has", "query"]).is_quiet(0, "https://www.example.com/a?q\n");
    index.run("find", &["--has", "sub", "--lacks", "query,port"]).is_quiet(0, "https://www.example.com/b\n");
    index.run("count", &["--lacks", "sub,query,fragment,port"]).is_quiet(0, "2\n");
    index.run("find", &["--path-prefix", "/a"]).is_quiet(0, "https://www.example.com/a?q\n");
    index.run("count", &["--path-prefix", "/"]).is_quiet(0, "5\n");
    assert_eq!(index.run("find", &["--has", "path"]).code, Some(2));
    assert_eq!(index.run("find", &["--has", "sub", "--lacks", "sub"]).code, Some(2));
}

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
            "urlid: hint: `www.google.com` is no registered domain: try --under www.google.com, or --registered-domain google.com\n",
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
        said.contains("--tld uk leaves out hosts under") && said.ends_with("--under uk finds them too\n"),
        "{said}"
    );
}

#[test]
fn questions_without_answers_have_hints() {
    let index = Index::new(LINES);
    for (conditions, hint) in [
        (&["--query", "?q"][..], "hint: --query is written without its `?`: try --query 'q'"),
        (&["--fragment", "#f"], "hint: --fragment is written without its `#`: try --fragment 'f'"),
        (&["--domain", "exam*"], "hint: `*` in --domain stands for itself alone"),
        (&["--tld", "uk", "--domain", "co"], "hint: `co.uk` is a public suffix: try --tld co.uk"),
        (&["--tld", "example.com"], "hint: `example.com` is no public suffix: its suffix is `com`"),
    ] {
        let expected = format!("urlid: {hint}\n");
        index.run("find", conditions).is(1, "", &expected);
        index.run("count", conditions).is(1, "0\n", &expected);
    }
    index.run("find", &["--tld", "museum"]).is_quiet(1, "");
    for (conditions, message) in [
        (&["--path", "search"], "try --path '/search'; a path without a slash goes with --scheme"),
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
        ("registered-domain", "example.com\t2\nexample.co.uk\t1\nexample.sc\t1\nexample.tax\t1\n"),
        ("host", "www.example.com\t2\nexample.co.uk\t1\nexample.sc\t1\nexample.tax\t1\n"),
        ("sub", "\t3\nwww\t2\n"),
        ("port", "\t4\n8443\t1\n"),
        ("first-directory", "/\t5\n"),
        ("path", "/\t3\n/a\t1\n/b\t1\n"),
    ] {
        index.run("count", &["--by", part]).is_quiet(0, expected);
    }
    index.run("count", &["--by", "tld", "--limit", "1", "--format", "csv"]).is_quiet(0, "name,rows\ncom,2\n");
    index.run("count", &["--by", "tld", "--tld", "museum"]).is_quiet(1, "");
    let index = Index::new(&PAIR.join("\n"));
    let said = "urlid: 1 candidate left out: their identifiers fit, their URLs do not\n";
    index.run("count", &["--query", "id=27901"]).is(0, "1\n", said);
}

#[test]
fn rows_stop_where_nobody_reads_them() {
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
