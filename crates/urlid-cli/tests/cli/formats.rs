//! The same rows line by line and by file, and in a file by `--out`, which appears whole or not at all.

use std::fs;

use crate::support::{DOCS, Folder, command, finish, urlid};

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

/// Verbs that take lines and `--out`, with a line that some of them reject.
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
        "parts --get {host}",
        "parts --as cc-host-2026-05",
        "parts --of host",
        "parts --of id",
        "parts --of text",
        "uniq",
        "uniq --counts",
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
            &["--invalid", "skip"],
            &["--invalid", "report"],
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
fn an_output_replaces_a_file_but_not_an_input() {
    let folder = Folder::new();
    let lines = folder.file("lines", "https://docs.rs/\n");
    let out = folder.file("out", "old");
    let cut = folder.file("cut.gz", [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 0]);
    let [lines, out, cut] = [&lines, &out, &cut].map(|path| path.to_str().expect("UTF-8"));
    for verb in verbs(&folder) {
        let run = |more: &[&str]| finish(command().args(&verb).args(more));
        let ran = run(&[lines, "--out", lines]);
        assert!(ran.code == Some(2) && ran.err.contains("the command reads this file"), "{verb:?}: {ran:?}");
        let ran = run(&[lines, "--out", out, "--rejects", out]);
        assert_eq!(ran.code, Some(2), "{verb:?}: {ran:?}");
        let ran = run(&[lines, "--out", folder.path().join("no/such").to_str().expect("UTF-8")]);
        assert!(ran.code == Some(4) && ran.err.contains("such"), "{verb:?}: {ran:?}");
        assert_eq!(fs::read_to_string(out).expect("is there"), "old", "{verb:?}");
        let missing = folder.path().join("missing");
        let lacking = ["-f", lines, "-f", missing.to_str().expect("UTF-8"), "--out", out];
        let ran = run(&lacking);
        assert!(ran.code == Some(4) && ran.err.contains(": unchanged, because"), "{verb:?}: {ran:?}");
        assert_eq!(fs::read_to_string(out).expect("is there"), "old", "{verb:?}: an input is missing");
        let ran = run(&["-f", lines, "-f", cut, "--out", out]);
        assert!(ran.code == Some(4) && ran.err.contains(": unchanged, because"), "{verb:?}: {ran:?}");
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
        (&["cdx", "make", cut, "--replace", "--out"][..], "out"),
        (&["cdx", "make", cut, "--replace", "--zipnum", "2", "--out"], "out.gz"),
        (&["cdx", "merge", cut, "--replace", "--out"], "out"),
        (&["cdx", "rekey", "--from", "surt-0.3.1", "--to", "ia-surt-1.3", cut, "--replace", "--out"], "out"),
        (&["rules", "test", "--as", "web", cut, "--html"], "out"),
        (&["uniq", "--not-in", cut, lines, "--out"], "out"),
        (&["uniq", "--also-in", cut, lines, "--out"], "out"),
    ] {
        let out = folder.file(written, "old");
        let ran = finish(command().args(verb).arg(folder.path().join("out")));
        assert!(ran.code == Some(4) || ran.code == Some(3), "{verb:?}: {ran:?}");
        assert_eq!(fs::read_to_string(&out).expect("is there"), "old", "{verb:?}");
        fs::remove_file(out).expect("is there");
    }
    let out = folder.path().join("new");
    let ran = finish(command().args(["uniq", "--not-in", cut, lines, "--out"]).arg(&out));
    assert!(ran.code == Some(4) && !out.exists(), "{ran:?}");
}
