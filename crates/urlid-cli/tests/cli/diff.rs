//! `diff` says whether two URLs are the same, under which form, and what differs; and with `--hosts`, which
//! host others read in a URL.

use serde_json::Value;

use crate::support::{urlid, urlid_on};

#[test]
fn the_exit_code_is_the_answer() {
    let table: [(&[&str], i32); 14] = [
        (&["HTTP://h.example:80/a/../b", "http://h.example/b"], 0),
        (&["http://h.example/a/", "http://h.example/a"], 1),
        (&["http://h.example/a/", "http://h.example/a", "--as", "surt-0.3.1"], 0),
        (&["http://h.example/#a", "http://h.example/#b", "--as", "web+drop-fragment"], 0),
        (&["http://h.example/", "no url"], 3),
        (&["no url", "http://h.example/"], 3),
        (&["http://h.example/"], 2),
        (&["http://h.example/", "http://h.example/", "--as", "no-form"], 2),
        (&["http://h.example/", "http://h.example/", "http://h.example/"], 2),
        (&["--hosts", "http://h.example/"], 0),
        (&["http://h.example/", "mailto:me@h.example", "http://i.example/", "--hosts"], 0),
        (&["--hosts", "http://h.example/", "//h.example/"], 1),
        (&["--hosts", "http://h.example/", "http://h.example/\\@i.example/", "--as", "web"], 2),
        (&["--hosts", "no file, and no URL"], 1),
    ];
    for (args, code) in table {
        assert_eq!(urlid([&["diff"], args].concat()).code, Some(code), "{args:?}");
    }
}

#[test]
fn parts_are_aligned_and_the_verdict_names_what_differs() {
    let ran = urlid(["diff", "http://www.h.example/a/?q", "https://h.example/a"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[..6],
        [
            "≠ scheme    http           https",
            "≠ host      www.h.example  h.example",
            "≠ path      /a/            /a",
            "≠ query     q              -",
            "",
            "different under web: scheme, www., trailing slash, query",
        ]
    );
    assert!(
        lines.contains(&"  surt-0.3.1               different  query; ignores scheme, www., trailing slash"),
        "{}",
        ran.out
    );
    assert_eq!(ran.err, "");
}

#[test]
fn one_that_is_refused_is_reported_and_the_other_is_shown() {
    let ran = urlid(["diff", "http://1.2.3.4/", "no\u{7}url", "--format", "json"]);
    assert_eq!(ran.code, Some(3));
    let report: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    assert_eq!(report["verdict"]["a"], "http://1.2.3.4/");
    assert_eq!(report["verdict"]["b"]["error"], "ERR_URL_PARSE");
    assert_eq!(report["verdict"]["same"], Value::Null);
    assert!(ran.err.contains("ERR_URL_PARSE") && !ran.err.contains('\u{7}'), "{}", ran.err);
}

/// Every form and kind of identifier gives in `diff` what its own command gives.
#[test]
fn the_values_are_those_of_the_other_commands() {
    let (a, b) = ("HTTPS://www.H.example/a/../B?y=2&x=1#f", "https://h.example/b?x=1&y=2");
    let ran = urlid(["diff", a, b, "--format", "json"]);
    let report: Value = serde_json::from_str(&ran.out).expect("it is JSON");
    let forms = report["forms"].as_array().expect("a list");
    assert!(forms.len() > 15, "{}", forms.len());
    for form in forms {
        let name = form["name"].as_str().expect("a name");
        let of = |url: &str| urlid(["canon", "--as", name, url]).out.trim_end().to_owned();
        assert_eq!((&form["a"], &form["b"]), (&of(a).into(), &of(b).into()), "{name}");
        assert_eq!(form["same"], form["a"] == form["b"], "{name}");
    }
    for identifier in report["identifiers"].as_array().expect("a list") {
        let name = identifier["name"].as_str().expect("a name");
        let of = |url: &str| urlid(["id", "--kind", name, url]).out.trim_end().to_owned();
        let value = identifier["a"].as_str().expect("a text");
        match name {
            // The program prints decimal words, as the specification does.
            "url-hash" => assert_eq!(value.len(), 64),
            _ => assert_eq!(value, of(a), "{name}"),
        }
    }
}

#[test]
fn a_reader_that_rejects_a_url_has_null() {
    let lines = b"http://a.example\\@b.example/\nfile:///a\n\n\xff\nhttp://H.example/\n";
    let ran = urlid_on(lines, ["diff", "--hosts", "--format", "json"]);
    let row = |number: usize, url: &str, values: [&str; 6], error: &str| {
        let [agree, url_standard, rfc, cpython, java, go] = values;
        format!(
            "{{\"line\":{number},\"url\":{url},\"hosts_agree\":{agree},\"url-standard\":{url_standard},\"rfc-3986\":{rfc},\
             \"cpython-3.11\":{cpython},\"java-17\":{java},\"go-1.19\":{go},\"error\":{error}}}\n"
        )
    };
    let upper = r#""H.example""#;
    let lower = r#""h.example""#;
    let expected = [
        row(
            1,
            r#""http://a.example\\@b.example/""#,
            ["false", r#""a.example""#, "null", r#""b.example""#, "null", "null"],
            "null",
        ),
        row(2, r#""file:///a""#, ["true", r#""""#, r#""""#, r#""""#, r#""""#, r#""""#], "null"),
        row(3, r#""""#, ["null"; 6], "null"),
        row(4, "null", ["null"; 6], r#""ERR_UTF8""#),
        row(5, r#""http://H.example/""#, ["true", lower, upper, lower, upper, upper], "null"),
    ];
    assert_eq!((ran.code, ran.out), (Some(3), expected.concat()));
}
