//! Refused lines are printed, counted and kept.

use crate::support::{DOCS, DOCS_ID, Folder, urlid, urlid_on};

#[test]
fn a_refusal_names_file_line_code_and_reason() {
    let folder = Folder::new();
    let path = folder.file("urls.txt", format!("{DOCS}\nws://h/\n{DOCS}\n"));
    let ran = urlid([std::ffi::OsStr::new("id"), path.as_os_str()]);
    let err = format!(
        "{}:2: ERR_INVALID_SCHEME: only https, http, ftp: found scheme `ws`\nurlid: 1 line refused: 1 ERR_INVALID_SCHEME\n",
        path.display()
    );
    ran.is(3, &format!("{DOCS_ID}\n\n{DOCS_ID}\n"), &err);
}

#[test]
fn the_first_ten_are_told_and_all_are_counted() {
    let mut lines = "https://h:0/\n".repeat(11);
    lines.push_str("https:///\nx\n");
    let ran = urlid_on(lines.as_bytes(), ["id"]);
    let said: Vec<_> = ran.err.lines().collect();
    assert_eq!(said.len(), 11);
    assert!(said[9].starts_with("-:10: ERR_PORT: "), "{}", said[9]);
    let sum =
        "urlid: 13 lines refused (the first 10 are shown): 1 ERR_HOST_LEN, 1 ERR_INVALID_SCHEME, 11 ERR_PORT";
    assert_eq!(said[10], sum);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), "\n".repeat(13).as_str()));
}

#[test]
fn rejects_take_every_refused_line_escaped() {
    let folder = Folder::new();
    let path = folder.path().join("rejects.tsv");
    let mut lines = b"a\\b\tc\x1b[31m\nbad \xff\n".to_vec();
    lines.extend(b"https://docs.rs/\n");
    lines.extend([b'x'; 100]);
    let args = ["id", "--max-line", "80", "--rejects", path.to_str().expect("it is UTF-8")];
    assert_eq!(urlid_on(&lines, args).code, Some(3));
    let rejects = std::fs::read_to_string(&path).expect("it was written");
    let long = "x".repeat(64);
    let expected = format!(
        "-\t1\tERR_INVALID_SCHEME\ta\\\\b\\tc\\x1b[31m\n-\t2\tERR_UTF8\tbad \\xff\n-\t4\tERR_LINE_LEN\t{long}\n"
    );
    assert_eq!(rejects, expected);
}

#[test]
fn nothing_in_a_message_steers_the_terminal() {
    let folder = Folder::new();
    let evil = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}";
    let file = folder.file(format!("{evil}.txt"), format!("{evil}\nhttps://h{evil}/\nhttps://h:{evil}/\n"));
    let file = file.to_str().expect("it is UTF-8").to_owned();
    let option = format!("--{evil}");
    let runs: [&[&str]; 9] = [
        &["id", &file],
        &["split", evil],
        &["resolve", evil, "x"],
        &["explain", evil],
        &[evil],
        &["id", &option],
        &["id", "--kind", evil],
        &["vectors", &file],
        &["index", "find", &file, "--domain", evil],
    ];
    for args in runs {
        let ran = urlid(args);
        // `vectors` prints failures on standard output.
        let said = if args[0] == "vectors" { &ran.out } else { &ran.err };
        assert!(!said.is_empty(), "{args:?} says something");
        let bad = said.chars().find(|&c| (c.is_control() && c != '\n') || c == '\u{202e}');
        assert_eq!(bad, None, "{args:?} says {said:?}");
    }
}
