//! Parts of many URLs, and texts without a scheme.

use crate::support::{DOCS, DOCS_ID, Folder, Ran, urlid, urlid_on};

#[test]
fn parts_of_a_file_match_parts_of_arguments() {
    let folder = Folder::new();
    let lines: Vec<String> =
        (0..30_000).map(|n| format!("https://u@h{}.example.co.uk/{n}?q={n}", n % 100)).collect();
    let path = folder.file("urls", lines.join("\n") + "\n\nno url\n");
    let path = path.to_str().expect("it is UTF-8");
    for format in ["text", "csv", "ndjson"] {
        let ran = urlid(["parts", "--format", format, path]);
        let by_line = urlid(["parts", "--format", format, path, "https:"]);
        let last = by_line.out.lines().next_back().expect("the argument has a row");
        let rows = by_line.out.strip_suffix(&format!("{last}\n")).expect("it is the last row");
        assert!(ran.code == Some(3) && ran.out == rows, "{format}");
    }
}

#[test]
fn a_scheme_can_be_assumed_by_every_verb() {
    let folder = Folder::new();
    let list = urlid(["list", "make", DOCS]).out;
    let list = folder.file("list", list);
    let list = list.to_str().expect("it is UTF-8");
    let hashed = urlid(["id", "--kind", "hashed-uri", DOCS]).out;
    let verbs: &[&[&str]] = &[
        &["id"],
        &["id", "--kind", "url-hash"],
        &["id", "--kind", "sxurl,hashed-uri"],
        &["canon", "--as", "surt-0.3.1"],
        &["canon", "diff", "--from", "web", "--to", "surt-0.3.1"],
        &["parts"],
        &["canon", "expressions"],
        &["list", "match", "--urls", hashed.trim_end()],
        &["psl", "diff", "compiled", "compiled"],
        &["list", "make"],
        &["list", "match", list],
        &["list", "audit", list],
    ];
    for verb in verbs {
        let run = |url: &str| urlid(verb.iter().chain(&["--assume", "https", url]));
        let (without, with) = (run("docs.rs/"), run(DOCS));
        let rest = |ran: &Ran| ran.out.replace(DOCS, "").replace("docs.rs/", "");
        let same = rest(&without) == rest(&with);
        assert!(
            same && without.code == with.code && without.code != Some(3),
            "{verb:?}: {without:?} {with:?}"
        );
        let piped = urlid_on(b"docs.rs/\n", verb.iter().chain(&["--assume", "https", "-"]));
        assert_eq!((piped.code, piped.out), (without.code, without.out), "{verb:?}");
    }
    let path = folder.file("urls", "docs.rs\n\nhttp://docs.rs\n");
    let ran = urlid(["id", "--assume", "https", "--file", path.to_str().expect("it is UTF-8")]);
    let http = urlid(["id", "http://docs.rs"]).out;
    ran.is_quiet(0, &format!("{DOCS_ID}\n\n{http}"));
    let index = folder.path().join("urls.db");
    let index = index.to_str().expect("it is UTF-8");
    let verb = ["index", "add", index, "-", "--assume", "https"];
    assert_eq!(urlid_on(b"docs.rs\n", verb).code, Some(0));
    urlid(["index", "find", index]).is_quiet(0, &format!("{DOCS}\n"));
    let ran = urlid_on(b"a,u\n1,docs.rs/x\n", verb.iter().chain(&["--column", "u"]));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    urlid(["index", "count", index]).is_quiet(0, "2\n");
}
