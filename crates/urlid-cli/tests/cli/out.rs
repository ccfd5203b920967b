//! `--out FILE` has the bytes that standard output would have, for every verb and format, and a file appears whole or not at all.

use std::fs;

use crate::support::{Folder, command, finish, urlid};

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
    let (lines, out) = (lines.to_str().expect("UTF-8"), out.to_str().expect("UTF-8"));
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
        fs::remove_file(out).expect("is there");
        let ran = run(&lacking);
        assert!(ran.code == Some(4) && ran.err.contains("missing"), "{verb:?}: {ran:?}");
        let written = fs::read_to_string(out).expect("is there");
        assert_eq!(written, run(&[lines]).out, "{verb:?}: what could be read is done");
        fs::write(out, "old").expect("is written");
    }
}
