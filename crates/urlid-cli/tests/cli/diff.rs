//! `diff` says whether two URLs are the same, under which form, and what differs.

use serde_json::Value;

use crate::support::urlid;

#[test]
fn the_exit_code_is_the_answer() {
    let table: [(&[&str], i32); 8] = [
        (&["HTTP://h.example:80/a/../b", "http://h.example/b"], 0),
        (&["http://h.example/a/", "http://h.example/a"], 1),
        (&["http://h.example/a/", "http://h.example/a", "--as", "surt-0.3.1"], 0),
        (&["http://h.example/#a", "http://h.example/#b", "--as", "web+drop-fragment"], 0),
        (&["http://h.example/", "no url"], 3),
        (&["no url", "http://h.example/"], 3),
        (&["http://h.example/"], 2),
        (&["http://h.example/", "http://h.example/", "--as", "no-form"], 2),
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
