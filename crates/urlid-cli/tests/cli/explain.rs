//! `explain` with colour and in a narrow terminal, and without its name.

use crate::support::{DOCS, DOCS_ID, urlid};

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
