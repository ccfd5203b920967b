//! Making lists.

use super::*;

#[test]
fn equal_urls_make_equal_lists() {
    let expected = thus_list();
    for input in [
        "http://www.thus.net\n",
        "HTTP://www.Thus.net#end\r\n\nhttp://www.thus.net:80",
        "http://www.thus.net?q\n",
    ] {
        urlid_on(input.as_bytes(), ["list", "make"]).is(0, &expected, "urlid: made a list of 1 entry\n");
    }
    urlid(["list", "make", THUS]).is(0, &expected, "urlid: made a list of 1 entry\n");
}

#[test]
fn a_list_says_how_it_was_made() {
    let ran = urlid([
        "list",
        "make",
        "--variant",
        "p",
        "--intake",
        "rfc3986",
        "--alg",
        "md5,X-SHA256,md5",
        "--keep",
        "query,fragment",
        "--ladder=hosts",
        "--made",
        "2026-11-21",
        "http://h.example/A?b",
    ]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[..8],
        [
            "# urlid-list: 4",
            "# variant: p",
            "# intake: rfc3986",
            "# host: written",
            "# algorithms: md5,x-sha256",
            "# keep: query,fragment",
            "# ladder: hosts",
            "# count: 2"
        ]
    );
    let snapshot = urlid(["--version", "--format", "json"]).out;
    assert!(lines[8].starts_with("# digest: "));
    let sha256 = lines[9]
        .split(' ')
        .find_map(|pair| pair.strip_prefix("psl_sha256="))
        .expect("a snapshot names its list");
    assert!(lines[9].starts_with("# snapshot: psl_version=") && snapshot.contains(sha256));
    assert_eq!(lines[10], "# made: 2026-11-21");
    assert!(lines[11].starts_with("hashed:md5=") && lines[11].ends_with("+query"));
    assert!(lines[12].starts_with("hashed:x-sha256=") && lines[12].ends_with("+query"));
    assert_eq!(lines.len(), 13);
}

#[test]
fn lines_that_are_no_urls_are_refused_and_the_others_listed() {
    let ran = urlid_on(b"http://www.thus.net\nhttp://a b/\nrelative\n\xff\n", ["list", "make"]);
    assert_eq!((ran.code, ran.out), (Some(3), thus_list()));
    assert!(
        ran.err.contains("-:2: ERR_URL_PARSE: host has a forbidden character: found `a b`"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("-:3: ERR_URL_PARSE") && ran.err.contains("-:4: ERR_UTF8"), "{}", ran.err);
    let ran = urlid_on(b"http://h/a b\nrelative\n", ["list", "make", "--intake", "rfc3986"]);
    assert!(
        ran.err.contains("-:1: ERR_NOT_URI: uri has a character that no URI has: found ` ` at byte 10"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("-:2: ERR_RELATIVE"), "{}", ran.err);
    let relative = urlid_on(b"//www.thus.net", ["list", "make", "--base", "http://h/"]);
    assert_eq!(relative.out, thus_list());
}

#[test]
fn options_that_make_no_list_are_usage_errors() {
    for (args, message) in [
        (&["--alg", "sha256"][..], "hash algorithm is not registered"),
        (&["--alg", "x-other"], "ERR_ALGORITHM"),
        (&["--alg", "x-hmac-sha256"], "ERR_KEY"),
        (&["--made", "2026-02-30"], "expected a date"),
        (&["--ladder=up"], "invalid value"),
    ] {
        let ran = urlid(["list", "make"].iter().chain(args).chain(&[THUS]));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_url_that_only_a_browser_opens_is_listed_and_found() {
    let folder = Folder::new();
    for list in &lists(&folder, &["--ladder", "http://evil.example/malware/"], "") {
        let ran = finish(command().args(["list", "match", "--only-matching"]).arg(list).arg(BROWSER_ONLY));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        assert!(ran.out.starts_with("http://evil.example/malware/?|\thashed:sha1="), "{}", ran.out);
    }
    let ran = urlid(["list", "make", "--variant", "none", "--intake", "web", THUS]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("intake `web` with variant `none`"), "{}", ran.err);
}

#[test]
fn every_line_matches_the_list_that_was_made_of_it_in_variant_p_with_a_ladder() {
    let folder = Folder::new();
    let url = "http://h.example/index.html";
    for intake in ["web", "rfc3986"] {
        for list in &lists(&folder, &["--variant", "p", "--ladder", "--intake", intake, url], "") {
            assert_eq!(finish(command().args(["list", "match", "-c"]).arg(list).arg(url)).code, Some(0));
        }
    }
}

#[test]
fn a_list_of_which_an_input_cannot_be_read_is_not_written() {
    let folder = Folder::new();
    let urls = folder.file("urls", THUS);
    let ran = finish(command().args(["list", "make"]).arg(urls).arg(folder.path().join("missing")));
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{}", ran.err);
}

#[test]
fn comments_are_no_urls_and_words_after_the_ladder_are_no_files() {
    urlid_on(b"# bad places\nhttp://www.thus.net\n#\n", ["list", "make"]).is(
        0,
        &thus_list(),
        "urlid: made a list of 1 entry\n",
    );
    let ran = urlid(["list", "make", "--ladder", "hosts", THUS]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("--ladder=hosts chooses the ladder, ./hosts names the file"), "{}", ran.err);
}
