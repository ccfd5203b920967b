//! URLs checked against lists.

use super::*;

#[test]
fn check_says_of_each_url_whether_and_by_which_entry() {
    let folder = Folder::new();
    for list in &lists(&folder, &["--intake", "rfc3986"], "http://www.thus.net\nhttp://h.example/a\n") {
        let urls = "HTTP://www.THUS.net#end\n\nhttp://other.example/\na b\nhttp://h.example/a?q";
        let ran = finish(
            command()
                .args(["list", "match", "--all"])
                .arg(list)
                .arg(folder.file("urls.gz", gzip(urls.as_bytes()))),
        );
        let lines: Vec<&str> = ran.out.split('\n').collect();
        assert_eq!(lines[0], format!("HTTP://www.THUS.net#end\t{THUS_ENTRY}"));
        assert_eq!(lines[1..4], ["", "http://other.example/\t", "a b\t!ERR_NOT_URI"]);
        assert!(lines[4].starts_with("http://h.example/a?q\thashed:sha1="));
        assert_eq!((lines.len(), ran.code), (6, Some(3)));
        assert!(ran.err.contains("urls.gz:4: ERR_NOT_URI"), "{}", ran.err);
    }
}

/// Several chunks, so that every thread has some, come out in their order.
#[test]
fn many_candidates_keep_their_order() {
    let folder = Folder::new();
    let listed: String = (0..1000).map(|n| format!("http://h{n}.example/{}\n", n * 7)).collect();
    let candidates: String = (0..60_000)
        .map(|n| format!("http://h{}.example/{}\n", n % 1000, n / 1000 % 8 * (n % 1000)))
        .collect();
    let expected: Vec<&str> =
        candidates.lines().filter(|line| listed.lines().any(|listed| listed == *line)).collect();
    let [_, compiled] = &lists(&folder, &[], &listed);
    let ran = finish(command().args(["list", "match"]).arg(compiled).arg(folder.file("urls", &candidates)));
    let found: Vec<&str> = ran.out.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
    assert_eq!(found, expected);
    let ran = finish(command().args(["list", "match", "-v"]).arg(compiled).arg(folder.path().join("urls")));
    assert_eq!(ran.out.lines().count(), 60_000 - expected.len());
}

#[test]
fn a_rejected_url_counts_as_the_caller_says_and_is_never_silent() {
    let folder = Folder::new();
    let [list, _] = &lists(&folder, &["--intake", "rfc3986"], THUS);
    let urls = folder.file("urls", format!("{THUS}\n{BROWSER_ONLY}\n\nhttp://b.example/\n"));
    let check = |args: &[&str]| finish(command().args(["list", "match"]).args(args).arg(list).arg(&urls));
    let answers = format!("{THUS}\t{THUS_ENTRY}\n{BROWSER_ONLY}\t!ERR_NOT_URI\n\nhttp://b.example/\t\n");
    for (how, code, matched, unmatched) in [
        (
            "report",
            3,
            format!("{THUS}\t{THUS_ENTRY}\n{BROWSER_ONLY}\t!ERR_NOT_URI\n"),
            "http://b.example/\n".to_owned(),
        ),
        (
            "match",
            0,
            format!("{THUS}\t{THUS_ENTRY}\n{BROWSER_ONLY}\t!ERR_NOT_URI\n"),
            "http://b.example/\n".to_owned(),
        ),
        ("no-match", 0, format!("{THUS}\t{THUS_ENTRY}\n"), format!("{BROWSER_ONLY}\nhttp://b.example/\n")),
    ] {
        for (mode, expected) in [("--all", &answers), ("--stats", &matched), ("-v", &unmatched)] {
            let option = if how == "report" { "--invalid" } else { "--invalid-as" };
            let ran = check(&[option, how, mode]);
            assert_eq!((ran.code, &ran.out), (Some(code), expected), "{how} {mode}: {}", ran.err);
            assert_eq!(ran.err.contains("urls:2: ERR_NOT_URI"), how == "report", "{how} {mode}: {}", ran.err);
        }
    }
    let one = finish(command().args(["list", "match", "--invalid-as=match"]).arg(list).arg(BROWSER_ONLY));
    one.is_quiet(0, &format!("{BROWSER_ONLY}\t!ERR_NOT_URI\n"));
}
