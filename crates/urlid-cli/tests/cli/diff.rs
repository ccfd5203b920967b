//! `diff` says whether two URLs are the same, under which form, and what differs; and with `--hosts`, which
//! host others read in a URL.

use serde_json::Value;

use crate::support::urlid;

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

/// Every form and kind of identifier gives in `diff` what its own command gives.
#[test]
fn values_match_the_other_commands() {
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
