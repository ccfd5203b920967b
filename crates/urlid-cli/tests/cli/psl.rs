//! The public suffix list: which one it is, what changed, and that it is the one that is used.

use std::ffi::OsStr;

use crate::support::{Folder, urlid};

const OLD: &str =
    "// VERSION: old\n// ===BEGIN ICANN DOMAINS===\ncom\nuk\nco.uk\n// ===END ICANN DOMAINS===\n";
const NEW: &str = "// VERSION: new\n// COMMIT: abc\n// ===BEGIN ICANN DOMAINS===\ncom\nuk\n// ===END ICANN DOMAINS===\n\
    // ===BEGIN PRIVATE DOMAINS===\nblog.com\n// ===END PRIVATE DOMAINS===\n";

#[test]
fn info_describes_the_list_in_use() {
    let folder = Folder::new();
    let path = folder.file("new.dat", NEW);
    let psl = |args: &[&str]| {
        urlid([OsStr::new("--psl"), path.as_os_str()].into_iter().chain(args.iter().map(OsStr::new)))
    };
    let ran = psl(&["psl", "show"]);
    for fact in [
        "psl_version\tnew\n",
        "psl_commit\tabc\n",
        "psl_sections\tall\n",
        "icann_rules\t2\n",
        "private_rules\t1\n",
    ] {
        assert!(ran.out.contains(fact), "{fact:?} in {}", ran.out);
    }
    let info: serde_json::Value =
        serde_json::from_str(&psl(&["--psl-sections", "icann", "psl", "show", "--format", "ndjson"]).out)
            .expect("it is JSON");
    assert_eq!((&info["private_rules"], &info["psl_sections"]), (&0.into(), &"icann".into()));
    // The snapshot that is printed is that of the list that is used.
    let version: serde_json::Value =
        serde_json::from_str(&psl(&["--psl-sections", "icann", "--version", "--format", "json"]).out)
            .expect("it is JSON");
    assert_eq!(version["snapshot"]["psl_sha256"], info["psl_sha256"]);
    assert_eq!(version["snapshot"]["psl_version"], "new");
    assert_eq!(version["snapshot"]["psl_sections"], "icann");
}

#[test]
fn without_a_list_the_last_label_is_the_suffix() {
    urlid(["--psl", "none", "parts", "--of", "host", "www.example.co.uk", "localhost"])
        .is_quiet(0, "www.example\tco\tuk\n\t\tlocalhost\n");
    let ran = urlid(["--psl", "none", "--version", "--format", "json"]);
    assert!(ran.out.contains(r#""psl_version":"none","#), "{}", ran.out);
    let folder = Folder::new();
    let index = folder.path().join("none.db");
    let add =
        [OsStr::new("--psl"), OsStr::new("none"), OsStr::new("index"), OsStr::new("add"), index.as_os_str()];
    let urls = folder.file("urls.txt", "https://example.co.uk/\n");
    assert_eq!(urlid(add.into_iter().chain([urls.as_os_str()])).code, Some(0));
    let find = [OsStr::new("index"), OsStr::new("find"), index.as_os_str()];
    let conditions = ["--tld", "uk", "--domain", "co"].map(OsStr::new);
    urlid(find.into_iter().chain(conditions)).is_quiet(0, "https://example.co.uk/\n");
}

#[test]
fn a_list_that_would_not_be_used_is_an_error() {
    for option in [["--psl", "none"], ["--psl-sections", "icann"]] {
        for verb in [
            &["ref", "parse", "https://docs.rs/"][..],
            &["canon", "--as", "web"],
            &["index", "find", "urls.db"],
        ] {
            let ran = urlid(option.iter().chain(verb));
            let message = format!("urlid: {} has no effect on this verb\n", option[0]);
            assert_eq!((ran.code, ran.err), (Some(2), message), "{verb:?}");
        }
    }
}

#[test]
fn the_given_list_splits_everywhere() {
    let folder = Folder::new();
    let path = folder.file("new.dat", NEW);
    let run = |args: &[&str]| {
        urlid([OsStr::new("--psl"), path.as_os_str()].into_iter().chain(args.iter().map(OsStr::new)))
    };
    run(&["parts", "--of", "host", "a.blog.com"]).is_quiet(0, "\ta\tblog.com\n");
    run(&["parts", "--of", "host", "--psl-sections", "icann", "a.blog.com"]).is_quiet(0, "a\tblog\tcom\n");
    let own = run(&["id", "https://a.blog.com/"]).out;
    assert_ne!(own, urlid(["id", "https://a.blog.com/"]).out);
    assert_eq!(
        run(&["id", "--psl-sections", "icann", "https://a.blog.com/"]).out,
        urlid(["id", "https://a.blog.com/"]).out
    );
    assert!(run(&["explain", "https://a.blog.com/"]).out.contains(own.trim_end()));
    for kind in ["sxurl-crate-0", "sxurl-crate-1.0", "sxurl-crate-1.1"] {
        assert_ne!(
            run(&["id", "-k", kind, "https://a.blog.com/"]).out,
            urlid(["id", "-k", kind, "https://a.blog.com/"]).out
        );
    }
}

#[test]
fn diff_names_rules_and_the_urls_that_move() {
    let folder = Folder::new();
    let (old, new) = (folder.file("old.dat", OLD), folder.file("new.dat", NEW));
    let urls = ["https://example.com/", "https://a.co.uk/", "https://a.blog.com/"];
    let diff = |urls: &[&str]| {
        let verbs = ["psl", "diff"].map(OsStr::new);
        let lists = [old.as_os_str(), new.as_os_str()];
        urlid(verbs.into_iter().chain(lists).chain(urls.iter().map(OsStr::new)))
    };
    let rules = "gone\tco.uk\ticann\t\ncame\tblog.com\t\tprivate\n";
    diff(&[]).is_quiet(0, rules);
    let id = |list: &std::path::Path, url: &str| {
        urlid([OsStr::new("--psl"), list.as_os_str(), "id".as_ref(), url.as_ref()]).out.trim_end().to_owned()
    };
    let moved: String =
        urls[1..].iter().map(|url| format!("id\t{url}\t{}\t{}\n", id(&old, url), id(&new, url))).collect();
    diff(&urls).is_quiet(0, &format!("{rules}{moved}"));
    diff(&["ws:y"]).is(
        3,
        rules,
        "argument:1: ERR_INVALID_SCHEME: only https, http, ftp: found scheme `ws`\n\
         urlid: 1 line refused: 1 ERR_INVALID_SCHEME\n",
    );
    urlid(["psl", "diff", "compiled", "compiled"]).is_quiet(0, "");
    let ran = urlid(["psl", "diff", "compiled", "compiled", "--psl", "none"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), "urlid: --psl has no effect on this verb\n"));
    urlid(["psl", "diff", "compiled", "compiled", "--psl-sections", "icann"]).is_quiet(0, "");
}
