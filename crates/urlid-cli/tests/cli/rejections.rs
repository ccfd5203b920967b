//! Rejected lines are printed, counted and kept; and the exit codes: 4, 2, 3, 1, the first that applies.

use crate::support::{DOCS, DOCS_ID, Folder, urlid, urlid_on};

#[test]
fn the_first_ten_are_told_and_all_are_counted() {
    let mut lines = "https://h:0/\n".repeat(11);
    lines.push_str("https:///\nx\n");
    let ran = urlid_on(lines.as_bytes(), ["id"]);
    let said: Vec<_> = ran.err.lines().collect();
    assert_eq!(said.len(), 12);
    assert!(said[9].starts_with("-:10: ERR_PORT: "), "{}", said[9]);
    let sum = "urlid: 13 lines rejected (the first 10 are shown): 1 ERR_HOST_LEN, 1 ERR_INVALID_SCHEME, 11 ERR_PORT";
    assert_eq!(said[10], sum);
    assert_eq!(said[11], "urlid: hint: - may not be a list of URLs: 13 of its 13 lines are rejected");
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), "\n".repeat(13).as_str()));
}

#[test]
fn messages_contain_no_terminal_controls() {
    let folder = Folder::new();
    let evil = "\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}";
    let file = folder.file(format!("{evil}.txt"), format!("{evil}\nhttps://h{evil}/\nhttps://h:{evil}/\n"));
    let file = file.to_str().expect("it is UTF-8").to_owned();
    let option = format!("--{evil}");
    let runs: [&[&str]; 9] = [
        &["id", &file],
        &["parts", "--of", "host", evil],
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

/// Checks what `--invalid` does for a verb, of which `good` is a line that it takes.
#[track_caller]
fn check_invalid(verb: &[&str], good: &str, bad: &[u8]) {
    let line = |text: &[u8]| [text, b"\n"].concat();
    let input = [line(good.as_bytes()), line(bad), line(good.as_bytes())].concat();
    let run = |how: &str, input: &[u8]| urlid_on(input, verb.iter().chain(&["--invalid", how]));
    let report = run("report", &input);
    assert_eq!(report.code, Some(3), "{verb:?}: {}", report.err);
    assert!(
        report.err.starts_with("-:2: ERR_") && report.err.contains("urlid: 1 line rejected: 1 ERR_"),
        "{report:?}"
    );
    assert_eq!(urlid_on(&input, verb), report, "{verb:?}: report is what is done without the option");

    let ignore = run("ignore", &input);
    assert_eq!((ignore.code, &ignore.out, &ignore.err), (Some(0), &report.out, &report.err), "{verb:?}");

    let skip = run("skip", &input);
    let without = run("skip", &[line(good.as_bytes()), line(good.as_bytes())].concat());
    assert_eq!((skip.code, &skip.out), (Some(0), &without.out), "{verb:?}: {}", skip.err);
    assert!(skip.err.contains("urlid: 1 line skipped: 1 ERR_") && !skip.err.contains("-:2:"), "{skip:?}");
}

#[test]
fn each_verb_reports_ignores_or_skips() {
    let folder = Folder::new();
    let list = urlid(["list", "make", "https://listed.example/"]).out;
    let list = folder.file("list", list);
    let list = list.to_str().expect("it is UTF-8");
    let hashed = "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481";
    let thus = "http://www.thus.net";
    let bad_port = b"https://h:0x/";
    let table: &[(&[&str], &str, &[u8])] = &[
        (&["id"], DOCS, bad_port),
        (&["id", "--kind", "url-hash"], DOCS, bad_port),
        (&["id", "--kind", "url-hash", "--words"], DOCS, b"\xff"),
        (&["id", "--kind", "sxurl,hashed-uri"], DOCS, bad_port),
        (&["id", "--format", "csv"], DOCS, bad_port),
        (&["canon", "--as", "web"], DOCS, bad_port),
        (&["canon", "--as", "sxurl", "--format", "tsv"], DOCS, bad_port),
        (&["canon", "diff", "--from", "web", "--to", "web+drop-fragment"], "https://h/#f", bad_port),
        (&["canon", "expressions"], DOCS, b"\xff"),
        (&["parts", "--of", "text"], DOCS, b"\xff"),
        (&["parts", "--of", "id"], DOCS_ID, b"no id"),
        (&["parts", "--of", "host"], "docs.rs", b"a..b"),
        (&["parts"], DOCS, bad_port),
        (&["parts", "--format", "csv"], DOCS, b"relative"),
        (&["ref", "parse"], DOCS, b"\xff"),
        (&["ref", "ord"], DOCS, b"\xff"),
        (&["ref", "upto", "query"], DOCS, b"\xff"),
        (&["ref", "goto", DOCS], "../a", b"\xff"),
        (&["resolve", "https://h/"], "../a", bad_port),
        (&["explain"], DOCS, bad_port),
        (&["list", "match", "--urls", hashed, "-"], thus, b"relative"),
        (&["psl", "diff", "compiled", "compiled", "-"], DOCS, bad_port),
        (&["list", "make", "--intake", "rfc3986"], DOCS, b"no uri"),
        (&["list", "audit", list, "-"], DOCS, bad_port),
    ];
    for (verb, good, bad) in table {
        check_invalid(verb, good, bad);
    }
}

#[test]
fn rows_that_are_skipped_keep_their_line_numbers() {
    let input = format!("{DOCS}\nhttps://h:0/\n\n{DOCS}\n");
    for verb in [&["id"][..], &["id", "-k", "url-hash,sxurl"], &["canon", "--as", "sxurl"]] {
        let run =
            |how| urlid_on(input.as_bytes(), verb.iter().chain(&["--format", "ndjson", "--invalid", how]));
        let kept: String = run("report")
            .out
            .lines()
            .filter(|row| row.contains("\"error\":null"))
            .map(|row| format!("{row}\n"))
            .collect();
        let skip = run("skip");
        assert_eq!((skip.code, &skip.out), (Some(0), &kept), "{verb:?}");
        assert!(kept.lines().count() == 3 && kept.contains("{\"line\":4,"), "{kept}");
    }
}

#[test]
fn the_exit_code_says_what_happened() {
    let missing = "/nowhere/at/all";
    let table: &[(&[&str], &[u8], i32)] = &[
        (&["id", DOCS], b"", 0),
        (&["id"], b"", 0),
        (&["id", "-"], b"\n\n", 0),
        (&["--help"], b"", 0),
        (&["id", "--help"], b"", 0),
        (&["-V"], b"", 0),
        (&["parts", "--of", "text", "nothing"], b"", 1),
        (&[], b"", 2),
        (&["nonsense"], b"", 2),
        (&["id", "--nonsense"], b"", 2),
        (&["id", "--kind", "nonsense"], b"", 2),
        (&["id", "--format", "nonsense"], b"", 2),
        (&["id", "--max-line", "0"], b"", 2),
        (&["resolve", "no base", "x"], b"", 2),
        (&["index", "add", missing, "--as", "surt-0.3.1"], b"", 2),
        (&["id", "--column", "url", "--records", "all", missing], b"", 2),
        (&["list", "diff", "-", "-"], b"", 2),
        (&["list", "merge", "-", missing, "-"], b"", 2),
        (&["id", "--key", missing, DOCS], b"", 2),
        (&["id", "--words", DOCS], b"", 2),
        (&["id", "--keep", "query", "--kind", "url-hash", DOCS], b"", 2),
        (&["id", "--body", "x", DOCS], b"", 2),
        (&["id", "--tracking-list", missing, DOCS], b"", 2),
        (&["explain", "--tracking-list", missing, DOCS], b"", 2),
        (&["canon", "--as", "web", "--keep", "query", DOCS], b"", 2),
        (&["index", "add", missing, "--tracking-list", missing], b"", 2),
        (&["uniq", "--resume", DOCS], b"", 2),
        (&["uniq", "--wait", DOCS], b"", 2),
        (&["uniq", "--seen", missing, "--counts", DOCS], b"", 2),
        (&["uniq", "--limit", "1", DOCS], b"", 2),
        (&["uniq", "--per", "host", DOCS], b"", 2),
        (&["uniq", "--per", "host", "--limit", "0", DOCS], b"", 2),
        (&["uniq", "--per", "host", "--limit", "1", "--psl", "none", DOCS], b"", 2),
        (&["uniq", "--per", "host", "--limit", "1", "--seen", missing, DOCS], b"", 2),
        (&["uniq", "--per", "host", "--limit", "1", "--sample", "1", DOCS], b"", 2),
        (&["uniq", "--sample", "0", DOCS], b"", 2),
        (&["uniq", "--sample", "1", "--counts", DOCS], b"", 2),
        (&["uniq", "--not-in", missing, "--also-in", missing, DOCS], b"", 2),
        (&["uniq", "--not-in", missing, "--seen", missing, DOCS], b"", 2),
        (&["uniq", "--not-in", "-"], b"", 2),
        (&["id", "ws:y"], b"", 3),
        (&["id", "-"], b"x\n", 3),
        (&["resolve", "mailto:a", "x"], b"", 3),
        (&["id", missing], b"", 4),
        (&["id", missing, "ws:y"], b"", 4),
        (&["id", "ws:y", missing, DOCS], b"", 4),
        (&["id", "/"], b"", 4),
        (&["id", "--psl", missing, DOCS], b"", 4),
        (&["id", "--rejects", missing, DOCS], b"", 4),
        (&["vectors", missing], b"", 4),
        (&["index", "find", missing], b"", 4),
        (&["index", "get", missing, DOCS], b"", 4),
        (&["index", "show", missing], b"", 4),
        (&["man", "--out", missing], b"", 4),
    ];
    for (args, input, code) in table {
        let ran = urlid_on(input, *args);
        assert_eq!(ran.code, Some(*code), "{args:?}: {}", ran.err);
    }
}
