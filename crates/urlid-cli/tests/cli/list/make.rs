//! Making lists.

use super::*;

#[test]
fn equal_urls_make_equal_lists() {
    let expected = thus_list();
    for (input, said) in [
        ("http://www.thus.net\n", ""),
        (
            "HTTP://www.Thus.net#end\r\n\nhttp://www.thus.net:80",
            "urlid: blocks more than the source: 1 URL that matches with any fragment: HTTP://www.Thus.net#end\n",
        ),
        (
            "http://www.thus.net?q\n",
            "urlid: blocks more than the source: 1 URL that matches with any query: http://www.thus.net?q\n",
        ),
    ] {
        let said = format!("{said}urlid: made a list of 1 entry\n");
        urlid_on(input.as_bytes(), ["list", "make"]).is(0, &expected, &said);
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
        "--covers=subdomains",
        "--made",
        "2026-11-21",
        "http://h.example/A?b",
    ]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[..8],
        [
            "# urlid-list: 1",
            "# variant: p",
            "# intake: rfc3986",
            "# host: written",
            "# algorithms: md5,x-sha256",
            "# keep: query,fragment",
            "# covers: subdomains",
            "# count: 2"
        ]
    );
    assert!(lines[8].starts_with("# digest: "));
    assert_eq!(lines[9], "# snapshot: none");
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
        (&["--covers=hosts"], "invalid value"),
    ] {
        let ran = urlid(["list", "make"].iter().chain(args).chain(&[THUS]));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_url_that_only_a_browser_opens_is_listed_and_found() {
    let folder = Folder::new();
    for list in &lists(&folder, &["--covers=directory", "http://evil.example/malware/"], "") {
        let ran = finish(command().args(["list", "match", "--only-matching"]).arg(list).arg(BROWSER_ONLY));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
        assert!(ran.out.starts_with("http://evil.example/malware/?|\thashed:sha1="), "{}", ran.out);
    }
    let ran = urlid(["list", "make", "--variant", "none", "--intake", "web", THUS]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("intake `web` with variant `none`"), "{}", ran.err);
}

#[test]
fn every_line_matches_the_list_that_was_made_of_it_in_variant_p() {
    let folder = Folder::new();
    let url = "http://h.example/index.html";
    for intake in ["web", "rfc3986"] {
        for list in &lists(&folder, &["--variant", "p", "--covers=directory", "--intake", intake, url], "") {
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
fn comments_are_not_urls() {
    urlid_on(b"# bad places\nhttp://www.thus.net\n#\n", ["list", "make"]).is(
        0,
        &thus_list(),
        "urlid: made a list of 1 entry\n",
    );
}

#[test]
fn a_list_of_nothing_is_not_written_and_says_so_even_if_quiet() {
    let folder = Folder::new();
    let nothing = "urlid: nothing of the source can be listed, so no list is written\n";
    for (format, source, code, said) in [
        ("domains", "0.0.0.0 a.example\n", 1, "left out 1 line of several words: 0.0.0.0 a.example\n"),
        ("hosts", "a.example\n", 1, "left out 1 line without an address: a.example\n"),
        ("abp", "0.0.0.0 a.example\n", 1, "left out 1 line of several words: 0.0.0.0 a.example\n"),
        ("urlhaus", "http://a.example/\n", 1, "left out 1 malformed line: http://a.example/\n"),
        ("urlhaus", "1,2,http://a b/\n", 3, ""),
    ] {
        folder.file("source", source);
        folder.file("list", "the last edition");
        let ran = in_folder(&folder, &format!("make --quiet --from {format} source -o list"));
        assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{format}: {}", ran.err);
        assert!(ran.err.contains(said) && ran.err.ends_with(nothing), "{format}: {}", ran.err);
        assert_eq!(bytes(&folder, "list"), b"the last edition");
    }
    for (source, code) in [(&b"http://co.uk/\n"[..], 1), (b"co.uk\n", 3), (b"\xff\n", 3)] {
        let ran = urlid_on(source, ["list", "make", "--quiet"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(code), ""), "{}", ran.err);
        assert!(ran.err.ends_with(nothing), "{}", ran.err);
    }
    // So it is with a download that failed, and where exceptions take everything out.
    done(&folder, "key --secret secret --public public");
    for (format, source) in [
        ("abp", "! nothing\n||a.example^\n@@||a.example^\n"),
        ("abp", "||a.example^\n||a.example^$badfilter\n"),
        ("hosts", "# nothing\n"),
        ("domains", ""),
        ("urlhaus", "\n"),
    ] {
        folder.file("source", source);
        folder.file("list", "the last edition");
        for options in ["", " --sign secret", " --routes routes", " --compact"] {
            let ran = in_folder(&folder, &format!("make --quiet --from {format} source -o list{options}"));
            // Entries for one URL cannot be compacted.
            let code = if format == "urlhaus" && options == " --compact" { 2 } else { 1 };
            assert_eq!(ran.code, Some(code), "{format}{options}: {}", ran.err);
            assert!(code == 2 || ran.err.ends_with(nothing), "{format}{options}: {}", ran.err);
            assert_eq!(bytes(&folder, "list"), b"the last edition");
            assert!(["list.minisig", "routes"].iter().all(|name| !folder.path().join(name).exists()));
        }
    }
    let ran = urlid_on(b"", ["list", "make"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(1), "", nothing));
}

/// A list that somebody else made may be empty.
#[test]
fn an_empty_list_is_not_made_into_others() {
    let folder = Folder::new();
    let list = thus_list().replace(&format!("{THUS_WEB_ENTRY}\n"), "").replace("count: 1", "count: 0");
    let digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    folder.file(
        "empty",
        list.replace("424c30d99495933123772e4e96e9e9b257a7eb602987059186c3c159677a3354", digest),
    );
    for words in [
        "compile empty -o out",
        "merge empty empty -o out",
        "merge empty empty",
        "shards empty --bits 1 -o out",
    ] {
        let ran = in_folder(&folder, words);
        assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{words}: {}", ran.err);
        assert!(ran.err.ends_with("list is empty, so nothing is written\n"), "{words}: {}", ran.err);
        assert!(!folder.path().join("out").exists());
    }
}

#[test]
fn filters_of_several_inputs_are_one_list() {
    let folder = Folder::new();
    folder.file("exceptions", "@@||good.example^\n||worse.example^$badfilter\n");
    folder.file("filters", "||good.example^\n||worse.example^\n||bad.example^\n|https://h.example/x\n");
    let ran = done(&folder, "make --from abp exceptions filters -o list");
    assert!(ran.err.contains("made a list of 2 entries\n"), "{}", ran.err);
    let ran = done(&folder, "make --from abp filters exceptions --approximate -o list");
    assert!(ran.err.contains("made a list of 3 entries\n"), "{}", ran.err);
    assert!(
        ran.err.contains("blocks more than the source: 1 URL that matches on the hosts below its own"),
        "{}",
        ran.err
    );
    let ran = done(
        &folder,
        "match --count --quiet list http://good.example/ http://worse.example/ https://a.h.example/x",
    );
    assert_eq!(ran.out, "1\n");
    for words in [
        "make --approximate filters",
        "make --approximate --from hosts filters",
        "make --suffixes drop filters",
    ] {
        assert_eq!(in_folder(&folder, words).code, Some(2), "{words}");
    }
}

#[test]
fn a_compacted_list_lacks_what_others_cover() {
    let input =
        b"http://example.com/\nhttp://ads.example.com/\nhttp://example.com/a/b\nhttps://example.com/a/\n";
    let make = ["list", "make", "--covers=subdomains"];
    let ran = urlid_on(input, [&make[..], &["--compact"]].concat());
    let expected = urlid(make.into_iter().chain(["http://example.com/", "https://example.com/a/"]));
    assert_eq!((ran.code, &ran.out), (Some(0), &expected.out));
    assert!(
        ran.err.ends_with("urlid: left out 2 entries that others cover\nurlid: made a list of 2 entries\n")
    );
    // A file of hosts lists exact hosts.
    let ran = urlid_on(b"0.0.0.0 h.example a.h.example\n", ["list", "make", "--from", "hosts", "--compact"]);
    assert!(
        ran.err.ends_with("urlid: left out 0 entries that others cover\nurlid: made a list of 4 entries\n")
    );
    let ran = urlid(["list", "make", "--compact", "http://example.com/"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--compact needs --covers") && ran.err.contains("found `url`"), "{}", ran.err);
}
