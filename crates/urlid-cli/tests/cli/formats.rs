//! The same rows in four formats, and in a file by `--out`, which appears whole or not at all.

use std::fs;

use crate::support::{DOCS, DOCS_ID, Folder, command, finish, urlid, urlid_on};

/// A good line, a blank one, a refused one that needs every kind of escaping, one that is not UTF-8.
const LINES: &[u8] = b"https://docs.rs/\n\nbad \"x\",\t\\\x1b\nbad \xff\n";

#[track_caller]
fn check(format: &str, expected: &str) {
    let ran = urlid_on(LINES, ["id", "--text-beside", "keep", "--format", format]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), expected), "{}", ran.err);
}

#[test]
fn text_has_one_line_for_each_line() {
    check("text", &format!("{DOCS_ID}\n\n\n\n"));
}

#[test]
fn csv_quotes() {
    let bad = "\"bad \"\"x\"\",\t\\\u{1b}\"";
    check(
        "csv",
        &format!("url,sxurl,error\n{DOCS},{DOCS_ID},\n\"\",,\n{bad},,ERR_INVALID_SCHEME\n,,ERR_UTF8\n"),
    );
}

#[test]
fn tsv_escapes() {
    let bad = "bad \"x\",\\t\\\\\u{1b}";
    check(
        "tsv",
        &format!("url\tsxurl\terror\n{DOCS}\t{DOCS_ID}\t\n\t\t\n{bad}\t\tERR_INVALID_SCHEME\n\t\tERR_UTF8\n"),
    );
}

#[test]
fn ndjson_is_json_with_null_where_there_is_nothing() {
    let expected = [
        format!(r#"{{"line":1,"url":"{DOCS}","sxurl":"{DOCS_ID}","error":null}}"#),
        r#"{"line":2,"url":"","sxurl":null,"error":null}"#.to_owned(),
        r#"{"line":3,"url":"bad \"x\",\t\\\u001b","sxurl":null,"error":"ERR_INVALID_SCHEME"}"#.to_owned(),
        r#"{"line":4,"url":null,"sxurl":null,"error":"ERR_UTF8"}"#.to_owned(),
    ];
    check("ndjson", &(expected.join("\n") + "\n"));
    for line in expected {
        serde_json::from_str::<serde_json::Value>(&line).expect("it is JSON");
    }
}

/// White space has an empty form by url-normalize, and a port of other digits has none.
const EMPTY_AND_REFUSED: &str = "\t\nhttp://h:\u{b2}/\n";

#[test]
fn an_empty_form_is_no_refusal() {
    let reported = "-:2: ERR_PORT: port is not valid: found `²`, expected at most 4300 digits, all of them decimal\n\
                    urlid: 1 line refused: 1 ERR_PORT\n";
    for (format, expected) in [
        ("text", "\n\n"),
        ("csv", "url,canonical,error\n\"\t\",\"\",\nhttp://h:²/,,ERR_PORT\n"),
        ("tsv", "url\tcanonical\terror\n\\t\t\t\nhttp://h:²/\t\tERR_PORT\n"),
        (
            "ndjson",
            "{\"line\":1,\"url\":\"\\t\",\"canonical\":\"\",\"error\":null}\n\
             {\"line\":2,\"url\":\"http://h:²/\",\"canonical\":null,\"error\":\"ERR_PORT\"}\n",
        ),
    ] {
        let args = ["canon", "--as", "url-normalize-3.1", "--format", format];
        let ran = urlid_on(EMPTY_AND_REFUSED.as_bytes(), args);
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), (expected, reported, Some(3)), "{format}");
    }
}

#[test]
fn an_empty_form_is_no_null_in_a_table() {
    for (format, table, expected) in [
        ("csv", "u\n\" \"\nhttp://h:²/\n", "u,u_canonical\n\" \",\"\"\nhttp://h:²/,\n"),
        ("tsv", "u\n \nhttp://h:²/\n", "u\tu_canonical\n \t\nhttp://h:²/\t\n"),
        (
            "ndjson",
            "{\"u\":\" \"}\n{\"u\":\"http://h:²/\"}\n",
            "{\"u\":\" \",\"u_canonical\":\"\"}\n{\"u\":\"http://h:²/\",\"u_canonical\":null}\n",
        ),
    ] {
        let args = ["canon", "--as", "url-normalize-3.1", "--column", "u", "--input-format", format, "-"];
        let ran = urlid_on(table.as_bytes(), args);
        assert_eq!((ran.out.as_str(), ran.code), (expected, Some(3)), "{format}: {}", ran.err);
        assert!(ran.err.ends_with("urlid: 1 line refused: 1 ERR_PORT\n"), "{}", ran.err);
    }
}

#[test]
fn each_kind_is_a_column_and_refused_on_its_own() {
    let ran = urlid_on(b"mailto:a@b\n", ["id", "-k", "sxurl,url-very-short-hash", "--format", "csv"]);
    let very_short = urlid_on(b"mailto:a@b\n", ["id", "-k", "url-very-short-hash"]).out;
    let expected = format!(
        "url,sxurl,url-very-short-hash,error\nmailto:a@b,,{},ERR_INVALID_SCHEME\n",
        very_short.trim_end()
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), expected.as_str()));
}

#[test]
fn rows_of_a_file_are_the_rows_line_by_line() {
    // An argument among the inputs makes the program take them all line by line.
    let odd =
        ["", "ü \u{9b}", "a,\"b\"", "tab\t\\", "\u{7f}", "http://1.2.3.4/", "http://h:0/", &"x".repeat(3000)];
    let mut lines = Vec::new();
    for number in 0..20_000 {
        lines.extend(format!("https://www.host-{}.com/path/{number}?q\r\n", number % 700).as_bytes());
        if number % 50 == 0 {
            lines.extend(odd[number / 50 % odd.len()].as_bytes());
            lines.extend(if number % 300 == 0 { &b"\xff\n"[..] } else { b"\n" });
        }
    }
    let folder = Folder::new();
    let file = folder.file("lines", &lines);
    let file = file.to_str().expect("a temporary name is UTF-8");
    for kind in ["sxurl", "url-hash"] {
        for format in ["text", "csv", "tsv", "ndjson"] {
            let args = ["id", "--max-line", "2000", "--kind", kind, "--format", format, file];
            let fast = urlid(args);
            let slow = urlid(args.into_iter().chain([DOCS]));
            let of_argument = slow.out.lines().next_back().expect("the argument has a row");
            assert!(of_argument.contains(DOCS) || format == "text");
            let slow_out = slow.out.strip_suffix(&format!("{of_argument}\n")).expect("the last row");
            assert!(fast.out == slow_out, "{kind} {format}");
            assert_eq!((fast.code, fast.err), (slow.code, slow.err), "{kind} {format}");
        }
    }
}

#[test]
fn a_value_with_a_line_end_is_one_line_of_text() {
    // The host of this URL is `a`, a line feed and `b` in Common Crawl's index.
    let lines = "http://a%0ab/\nhttp://c/\n";
    urlid_on(lines.as_bytes(), ["canon", "--as", "cc-host-2026-05"]).is_quiet(0, "a\\nb\nc\n");
}

/// Verbs that take lines and `--out`, with a line that some of them refuse.
fn verbs(folder: &Folder) -> Vec<Vec<String>> {
    let list = folder.file("list", urlid(["list", "make", "https://docs.rs/"]).out);
    let list = list.to_str().expect("UTF-8");
    [
        "id",
        "id --kind sxurl,url-hash",
        "id --kind url-hash --as web",
        "canon --as web",
        "canon --as surt-0.3.1",
        "parts",
        "parts --get %h",
        "parts --as cc-host-2026-05",
        "parts --of host",
        "parts --of id",
        "parts --of text",
        "uniq",
        "uniq --count",
        "count",
        "count --by host",
        &format!("list match {list}"),
        &format!("list match {list} --count"),
    ]
    .map(|verb| verb.split(' ').map(str::to_owned).collect())
    .into()
}

#[test]
fn a_file_has_the_bytes_of_standard_output() {
    let folder = Folder::new();
    let lines = folder
        .file("lines", "https://docs.rs/\n\nno url\nhttps://www.example.co.uk/a?b#c\nhttps://docs.rs/\n");
    let out = folder.path().join("out");
    for verb in verbs(&folder) {
        for more in [
            &[][..],
            &["--format", "ndjson"],
            &["--format", "csv"],
            &["--on-refused", "skip"],
            &["--on-refused", "fail"],
        ] {
            let run = |to: &[&str]| {
                let mut command = command();
                command.args(&verb).args(more).args(to).arg(&lines);
                finish(&mut command)
            };
            let printed = run(&[]);
            let written = run(&["--out", out.to_str().expect("UTF-8")]);
            assert_eq!((printed.code, &printed.err), (written.code, &written.err), "{verb:?} {more:?}");
            assert_eq!(written.out, "", "{verb:?} {more:?}");
            if printed.code == Some(2) {
                // An option that the verb does not have.
                assert!(!out.exists(), "{verb:?} {more:?}");
                continue;
            }
            assert_eq!(fs::read_to_string(&out).expect("is there"), printed.out, "{verb:?} {more:?}");
            fs::remove_file(&out).expect("is there");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 2, "temporary files are left");
}

#[test]
fn a_file_replaces_another_but_none_that_the_command_reads() {
    let folder = Folder::new();
    let lines = folder.file("lines", "https://docs.rs/\n");
    let out = folder.file("out", "old");
    let cut = folder.file("cut.gz", [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 0]);
    let [lines, out, cut] = [&lines, &out, &cut].map(|path| path.to_str().expect("UTF-8"));
    for verb in verbs(&folder) {
        let run = |more: &[&str]| finish(command().args(&verb).args(more));
        let ran = run(&[lines, "--out", lines]);
        assert!(ran.code == Some(2) && ran.err.contains("the command reads this file"), "{verb:?}: {ran:?}");
        let ran = run(&[lines, "--out", out, "--refused", out]);
        assert_eq!(ran.code, Some(2), "{verb:?}: {ran:?}");
        let ran = run(&[lines, "--out", folder.path().join("no/such").to_str().expect("UTF-8")]);
        assert!(ran.code == Some(4) && ran.err.contains("such"), "{verb:?}: {ran:?}");
        assert_eq!(fs::read_to_string(out).expect("is there"), "old", "{verb:?}");
        let missing = folder.path().join("missing");
        let lacking = ["-f", lines, "-f", missing.to_str().expect("UTF-8"), "--out", out];
        let ran = run(&lacking);
        assert!(ran.code == Some(4) && ran.err.contains("kept as it was"), "{verb:?}: {ran:?}");
        assert_eq!(fs::read_to_string(out).expect("is there"), "old", "{verb:?}: an input is missing");
        let ran = run(&["-f", lines, "-f", cut, "--out", out]);
        assert!(ran.code == Some(4) && ran.err.contains("kept as it was"), "{verb:?}: {ran:?}");
        assert_eq!(fs::read_to_string(out).expect("is there"), "old", "{verb:?}: an input is cut");
        fs::remove_file(out).expect("is there");
        let ran = run(&lacking);
        assert!(ran.code == Some(4) && ran.err.contains("missing"), "{verb:?}: {ran:?}");
        let written = fs::read_to_string(out).expect("is there");
        assert_eq!(written, run(&[lines]).out, "{verb:?}: what could be read is done");
        fs::write(out, "old").expect("is written");
    }
}

#[test]
fn indexes_pages_and_differences_do_not_replace_complete_files() {
    let folder = Folder::new();
    let cut = folder.file("cut.gz", [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 0]);
    let lines = folder.file("lines", "https://docs.rs/\n");
    let [cut, lines] = [&cut, &lines].map(|path| path.to_str().expect("UTF-8"));
    for (verb, written) in [
        (&["cdx", "make", cut, "--out"][..], "out"),
        (&["cdx", "make", cut, "--zipnum", "2", "--out"], "out.gz"),
        (&["cdx", "rekey", "--from", "surt-0.3.1", "--to", "ia-surt-1.3", cut, "--out"], "out"),
        (&["rules", "test", "--as", "web", cut, "--html"], "out"),
        (&["uniq", "--minus", cut, lines, "--out"], "out"),
        (&["uniq", "--both", cut, lines, "--out"], "out"),
    ] {
        let out = folder.file(written, "old");
        let ran = finish(command().args(verb).arg(folder.path().join("out")));
        assert!(ran.code == Some(4) || ran.code == Some(3), "{verb:?}: {ran:?}");
        assert_eq!(fs::read_to_string(&out).expect("is there"), "old", "{verb:?}");
        fs::remove_file(out).expect("is there");
    }
    let out = folder.path().join("new");
    let ran = finish(command().args(["uniq", "--minus", cut, lines, "--out"]).arg(&out));
    assert!(ran.code == Some(4) && !out.exists(), "{ran:?}");
}
