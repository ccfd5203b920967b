//! `explain` shows which characters became which digits.

use serde_json::Value;

use crate::support::{DOCS, DOCS_ID, urlid};

fn json(args: &[&str]) -> Value {
    let ran = urlid(["explain", "--format", "json"].iter().chain(args));
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    serde_json::from_str(&ran.out).expect("it is JSON")
}

#[test]
fn every_part_stands_where_it_says() {
    let url = "HTTPS://u:p@www.Example.co.uk:08443/a/b?q=1#top";
    let report = json(&[url]);
    let id = report["sxurl"].as_str().expect("it has one");
    assert_eq!(format!("{id}\n"), urlid(["id", url]).out);
    let parts = report["parts"].as_array().expect("it has parts");
    let expected = [
        ("header", "HTTPS", "https"),
        ("user", "u:p", "u:p"),
        ("sub", "www", "www"),
        ("domain", "Example", "example"),
        ("tld", "co.uk", "co.uk"),
        ("port", "08443", "8443"),
        ("path", "/a/b", "/a/b"),
        ("params", "q=1", "q=1"),
        ("frag", "top", "top"),
    ];
    assert_eq!(parts.len(), expected.len());
    let at = |value: &Value| value.as_u64().expect("a number") as usize;
    for (part, (name, written, value)) in parts.iter().zip(expected) {
        assert_eq!((&part["name"], &part["value"]), (&name.into(), &value.into()));
        assert_eq!(&url[at(&part["start"])..at(&part["end"])], written);
        if name != "user" {
            assert_eq!(part["digits"], id[at(&part["hex_start"])..at(&part["hex_end"])]);
        }
    }
}

#[test]
fn a_host_that_was_mapped_is_shown_by_label() {
    let url = "https://www。BÜCHER.de";
    let report = json(&[url]);
    let part = |name: &str| {
        report["parts"]
            .as_array()
            .and_then(|parts| parts.iter().find(|part| part["name"] == name))
            .expect("is there")
    };
    let written = |name: &str| {
        let at = |key: &str| part(name)[key].as_u64().expect("a number") as usize;
        &url[at("start")..at("end")]
    };
    assert_eq!((written("domain"), &part("domain")["value"]), ("BÜCHER", &"xn--bcher-kva".into()));
    assert_eq!((written("sub"), written("tld")), ("www", "de"));
    assert_eq!(part("path")["note"], "an empty path counts as `/`");
    assert!(part("path")["start"].is_null());
}

#[test]
fn people_see_the_text_its_parts_and_the_digits_aligned() {
    let out = urlid(["explain", "--color", "never", "https://docs.rs/a?b"]).out;
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[1], "  https://docs.rs/a?b");
    assert_eq!(lines[2], "  hhhhh   dddd ttpp q");
    assert_eq!(lines[4].len(), lines[5].len());
    assert_eq!(lines[4].replace(' ', ""), urlid(["id", "https://docs.rs/a?b"]).out.trim_end());
    assert_eq!(lines[5], "  hhh tttt ddddddddddddddd ssssssss oooo ppppppppppppppp qqqqqqqqq ffffff");
}

#[test]
fn colour_is_for_those_who_want_it() {
    let colored = urlid(["explain", "--color", "always", "https://docs.rs/"]).out;
    assert!(colored.contains("\u{1b}["));
    let mut plain = String::new();
    let mut rest = colored.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').expect("a colour ends with m").1;
    }
    plain.push_str(rest);
    assert_eq!(plain, urlid(["explain", "https://docs.rs/"]).out);
}

#[test]
fn a_sxurl_is_decoded_and_guessed() {
    let report = json(&[DOCS_ID]);
    assert_eq!(report["kind"], "sxurl");
    let values: Vec<_> = report["parts"]
        .as_array()
        .expect("it has parts")
        .iter()
        .map(|part| (part["name"].as_str().expect("text"), part["value"].as_str()))
        .collect();
    let expected = [
        ("header", Some("https")),
        ("tld", Some("rs")),
        ("domain", None),
        ("sub", Some("")),
        ("port", None),
        ("path", Some("/")),
        ("params", Some("")),
        ("frag", Some("")),
    ];
    assert_eq!(values, expected);
}

#[test]
fn public_suffixes_that_share_a_slice_are_all_named() {
    // `sc` and `tax` have one 16-bit hash.
    let id = urlid(["id", "https://a.tax/"]).out;
    let report = json(&["--psl-sections", "icann", id.trim_end()]);
    assert_eq!(report["parts"][1]["note"], "guessed: one of sc, tax");
}

#[test]
fn other_identifiers_are_explained() {
    let report = json(&["HASHED:SHA1=87ED28009F511ED7EF630180A229BA257180A481+QUERY"]);
    assert_eq!(report["kind"], "hashed-uri");
    assert_eq!(report["digest"], "87ed28009f511ed7ef630180a229ba257180a481");
    assert_eq!(report["kept"], "the query; the fragment may be anything");
    // vectors/public.json, pub-urlhash-014.
    let report = json(&["6665717970336401-17144348346964290110-8676127418327760179-18299232156702324248"]);
    assert_eq!(report["digest"], "917acb676fae17003eaa5ca6fcf5eced33fd733bebcb677818b6a56ab1eef3fd");
    assert_eq!(report["url-very-short-hash"], "6665717970336401");
    assert_eq!(json(&["6665717970336401-17144348346964290110"])["kind"], "url-short-hash");
}

#[test]
fn a_text_without_any_form_is_refused() {
    let ran = urlid(["explain", "no url"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""));
    assert!(ran.err.starts_with("argument:1: ERR_URL_PARSE: "), "{}", ran.err);
    let part = json(&["mailto:a@b"]);
    assert_eq!(part["sxurl"]["error"], "ERR_INVALID_SCHEME");
    assert_eq!(part["web"], "mailto:a@b");
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_text_and_its_marks_are_wrapped_together() {
    // `script` makes a terminal, of 40 columns here.
    let program = env!("CARGO_BIN_EXE_urlid");
    let command = format!("stty rows 20 cols 40; {program} explain https://docs.rs/{}", "a".repeat(60));
    let mut script = std::process::Command::new("script");
    let output = script.args(["-qec", &command, "/dev/null"]).env("NO_COLOR", "1").output();
    let out = String::from_utf8(output.expect("there is script").stdout).expect("it is text");
    let lines: Vec<_> = out.lines().map(str::trim_end).collect();
    let expected = [
        format!("  https://docs.rs/{}", "a".repeat(22)),
        format!("  hhhhh   dddd ttp{}", "p".repeat(22)),
        format!("  {}", "a".repeat(38)),
        format!("  {}", "p".repeat(38)),
    ];
    assert_eq!(lines[1..5], expected, "{out}");
    let too_long: Vec<_> = lines.iter().filter(|line| line.len() > 40).collect();
    assert!(too_long.is_empty(), "{too_long:?}");
    // What is wrapped is whole: the identifier, and what stands behind the name of a fact.
    let joined: String = lines.iter().map(|line| line.trim_start()).collect();
    let id = urlid(["id", &format!("https://docs.rs/{}", "a".repeat(60))]).out;
    assert!(joined.contains(id.trim_end()), "{out}");
}

#[test]
fn a_hashed_uri_that_breaks_the_draft_has_the_check_that_it_fails() {
    for (text, code) in [
        ("hashed:sha256=00", "ERR_ALGORITHM"),
        ("HASHED:sha1=zz", "ERR_HASHED_SYNTAX"),
        ("hashed:md5=00", "ERR_DIGEST_LENGTH"),
    ] {
        let out = urlid(["explain", text]).out;
        assert!(out.contains(&format!("\n  hashed-uri  {code}: ")), "{out}");
    }
}

#[test]
fn a_url_or_an_identifier_needs_no_verb() {
    for word in [DOCS, DOCS_ID, "docs.rs", "localhost:3000", "//h/a", "192.0.2.1"] {
        assert_eq!(urlid([word]), urlid(["explain", word]), "{word}");
        for (before, after) in [("-q", "--format json"), ("--psl none", "-q"), ("--color=never", "--goto b")]
        {
            let (before, after) = (before.split(' '), after.split(' '));
            let words =
                |verb: Option<&'static str>| before.clone().chain(verb).chain([word]).chain(after.clone());
            assert_eq!(urlid(words(None)), urlid(words(Some("explain"))), "{word}");
        }
    }
    // A word that no verb reads, and a value in the place of a verb of a group, are not explained.
    for (words, named) in [
        ("indx", "'indx'"),
        ("indx docs.rs", "'indx'"),
        ("list docs.rs", "'docs.rs'"),
        ("-- docs.rs", "'docs.rs'"),
    ] {
        let ran = urlid(words.split(' '));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{words}");
        assert!(ran.err.contains(&format!("unrecognized subcommand {named}")), "{words}: {}", ran.err);
    }
}
