//! URLs checked against lists.

use super::*;

#[test]
fn check_says_of_each_url_whether_and_by_which_entry() {
    let folder = Folder::new();
    for list in &lists(&folder, &["--intake", "rfc3986"], "http://www.thus.net\nhttp://h.example/a\n") {
        let urls = "HTTP://www.THUS.net#end\n\nhttp://other.example/\na b\nhttp://h.example/a?q";
        let ran = finish(
            command().args(["list", "match"]).arg(list).arg(folder.file("urls.gz", gzip(urls.as_bytes()))),
        );
        let lines: Vec<&str> = ran.out.split('\n').collect();
        assert_eq!(lines[0], format!("HTTP://www.THUS.net#end\t{THUS_ENTRY}"));
        assert_eq!(lines[1..4], ["", "http://other.example/\t", "a b\t!ERR_NOT_URI"]);
        assert!(lines[4].starts_with("http://h.example/a?q\thashed:sha1="));
        assert_eq!((lines.len(), ran.code), (6, Some(3)));
        assert!(ran.err.contains("urls.gz:4: ERR_NOT_URI"), "{}", ran.err);
    }
}

#[test]
fn check_selects_and_exits_like_grep() {
    let folder = Folder::new();
    let [list, _] = &lists(&folder, &[], THUS);
    let urls = b"http://a.example/\nhttp://www.thus.net\nhttp://b.example/\n";
    let check = |args: &[&str]| {
        urlid_on(
            urls,
            ["list", "match"].iter().chain(args).map(std::ffi::OsStr::new).chain([list.as_os_str()]),
        )
    };
    check(&["--only-matching"]).is_quiet(0, &format!("{THUS}\t{THUS_WEB_ENTRY}\n"));
    check(&["--invert"]).is_quiet(0, "http://a.example/\nhttp://b.example/\n");
    check(&["--count"]).is_quiet(0, "1\n");
    check(&["--count", "--invert"]).is_quiet(0, "2\n");
    check(&["-c", "--stats"]).is(
        0,
        "1\n",
        "urlid: 1 matched, 2 not matched, 3 digests, at most 1 for a URL\n",
    );

    let one = |args: &[&str]| finish(command().args(["list", "match"]).arg(list).args(args));
    one(&["--only-matching", "http://a.example/"]).is_quiet(1, "");
    one(&["-v", THUS]).is_quiet(1, "");
    one(&["-c", "http://a.example/"]).is_quiet(1, "0\n");
    assert_eq!(one(&["--only-matching", "-v", THUS]).code, Some(2));
}

#[test]
fn what_an_entry_covers_matches() {
    let folder = Folder::new();
    for list in &lists(
        &folder,
        &["--covers=subdomains", "--keep", "query"],
        "http://b.example/1/\nhttp://c.example/p?q\n",
    ) {
        let urls = ["http://a.b.example/1/2.html?param=1", "http://b.example/1/", "http://x.c.example/p?q"];
        let misses =
            ["http://b.example/1", "http://b.example/", "https://b.example/1/", "http://c.example/p?z"];
        let ran =
            finish(command().args(["list", "match", "--only-matching"]).arg(list).args(urls).args(misses));
        let matched: Vec<&str> = ran.out.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
        assert_eq!((matched, ran.code), (urls.to_vec(), Some(0)));
        let ran = finish(command().args(["list", "match", "--stats", "-c"]).arg(list).arg(urls[0]));
        assert!(ran.err.contains("at most 170 for a URL"), "{}", ran.err);
    }
}

/// No suffix list is in a list, and none is needed: `amazonaws.com` has suffixes below it, `co.uk` is one,
/// `kawasaki.jp` is above nothing else.
#[test]
fn an_entry_above_a_public_suffix_matches_below_it() {
    let folder = Folder::new();
    let entries = "http://amazonaws.com/\nhttp://kawasaki.jp/\nhttp://co.uk/\n";
    folder.file("urls", entries);
    folder.file("none.dat", "// VERSION: none\nxyz\n");
    done(&folder, "make --quiet --covers=subdomains --suffixes keep urls --routes routes -o text");
    done(&folder, "compile text -o compiled");
    done(&folder, "shards text --routes routes --bits 4 --out shards");
    let below =
        "http://b.s3.amazonaws.com/x http://amazonaws.com./ http://a.b.kawasaki.jp/ http://bbc.co.uk/";
    for list in ["text", "compiled", "--shards shards"] {
        let ran = done(
            &folder,
            &format!("match --quiet --count {list} {below} http://jp/ http://amazonaws.com.x/"),
        );
        assert_eq!(ran.out, "4\n", "{list}");
        let ran = in_folder(&folder, &format!("match --psl none.dat {list} {below}"));
        assert!(ran.code == Some(2) && ran.err.contains("--psl has no effect"), "{list}: {}", ran.err);
    }
    let ran = done(&folder, "audit --shards shards urls");
    assert!(ran.out.starts_with("3 entries in 16 shards, 3 of them in the index, "), "{}", ran.out);
    // Routes are by one suffix list, and the shards follow it.
    let ran = in_folder(&folder, "shards text --routes routes --bits 4 --out other --psl none.dat");
    assert_eq!(ran.code, Some(4));
    assert!(
        ran.err.contains("routes: ERR_SNAPSHOT: routes are by another public suffix list"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("--psl and --psl-sections give the suffix list"), "{}", ran.err);
    // No published file has the name of an entry's host.
    for file in std::fs::read_dir(folder.path().join("shards")).expect("it was made") {
        let bytes = std::fs::read(file.expect("it is there").path()).expect("it is there");
        for name in ["amazonaws", "kawasaki", "co.uk"] {
            assert!(!bytes.windows(name.len()).any(|some| some == name.as_bytes()), "{name}");
        }
    }
}

#[test]
fn credentials_and_a_final_dot_do_not_hide_a_url() {
    let folder = Folder::new();
    let urls = ["http://x@evil.example/", "http://evil.example./", "http://x@www.evil.example./p"];
    let listed = |args: &[&str]| {
        let made = urlid(
            ["list", "make", "--quiet", "--covers=subdomains", "http://evil.example/"].iter().chain(args),
        );
        let list = folder.file("list", &made.out);
        urls.map(|url| run(&["match"], &[&list, Path::new(url)]).code)
    };
    assert_eq!(listed(&[]), [Some(0); 3]);
    assert_eq!(listed(&["--host", "plain"]), [Some(0); 3]);
    assert_eq!(listed(&["--host", "written"]), [Some(1); 3]);
    urlid(["list", "make", "--intake", "rfc3986", "--host", "plain", "http://h/"]).is(
        2,
        "",
        "urlid: --host: found `plain`, expected written, for the intake is rfc3986\n",
    );
}

#[test]
fn a_keyed_list_asks_for_its_key() {
    let folder = Folder::new();
    let key = folder.file("key", [7; 32]);
    let made = finish(command().args(["list", "make", THUS, "--key"]).arg(&key));
    assert!(
        made.out.contains("# algorithms: x-hmac-sha256\n") && made.out.contains("\n# key-id: "),
        "{}",
        made.out
    );
    let list = folder.file("list", &made.out);
    let check = |key: Option<&Path>| {
        let mut command = command();
        command.args(["list", "match", "-c"]).arg(&list).arg(THUS);
        if let Some(key) = key {
            command.arg("--key").arg(key);
        }
        finish(&mut command)
    };
    check(Some(&key)).is_quiet(0, "1\n");
    for (key, message) in [
        (None, "ERR_KEY: list is keyed: found no key\nurlid: --key names the file with the key\n"),
        (Some(folder.file("other", [8; 32])), "ERR_KEY: list has another key"),
        (
            Some(folder.file("short", [7; 31])),
            "ERR_KEY: key is too short: found 31 bytes, expected 32 or more",
        ),
    ] {
        let ran = check(key.as_deref());
        assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""));
        assert!(ran.err.contains(message), "{}", ran.err);
    }
    let audit = finish(command().args(["list", "audit"]).arg(&list).arg(THUS));
    assert_eq!(audit.code, Some(0));
    assert!(
        audit.out.starts_with("1 entry, keyed: without key ")
            && audit.out.ends_with(" no guess can be tested\n")
    );
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
    let ran = finish(
        command()
            .args(["list", "match", "--only-matching"])
            .arg(compiled)
            .arg(folder.file("urls", &candidates)),
    );
    let found: Vec<&str> = ran.out.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
    assert_eq!(found, expected);
    let ran = finish(command().args(["list", "match", "-v"]).arg(compiled).arg(folder.path().join("urls")));
    assert_eq!(ran.out.lines().count(), 60_000 - expected.len());
}

#[test]
fn a_refused_url_counts_as_the_caller_says_and_is_never_silent() {
    let folder = Folder::new();
    let [list, _] = &lists(&folder, &["--intake", "rfc3986"], THUS);
    let urls = folder.file("urls", format!("{THUS}\n{BROWSER_ONLY}\n\nhttp://b.example/\n"));
    let check = |args: &[&str]| finish(command().args(["list", "match"]).args(args).arg(list).arg(&urls));
    let answers = format!("{THUS}\t{THUS_ENTRY}\n{BROWSER_ONLY}\t!ERR_NOT_URI\n\nhttp://b.example/\t\n");
    for (how, code, matched, unmatched) in [
        ("fail", 3, format!("{THUS}\t{THUS_ENTRY}\n"), "http://b.example/\n".to_owned()),
        (
            "match",
            0,
            format!("{THUS}\t{THUS_ENTRY}\n{BROWSER_ONLY}\t!ERR_NOT_URI\n"),
            "http://b.example/\n".to_owned(),
        ),
        ("no-match", 0, format!("{THUS}\t{THUS_ENTRY}\n"), format!("{BROWSER_ONLY}\nhttp://b.example/\n")),
    ] {
        for (mode, expected) in [("--stats", &answers), ("--only-matching", &matched), ("-v", &unmatched)] {
            let option = if how == "fail" { "--on-refused" } else { "--refused-as" };
            let ran = check(&[option, how, mode]);
            assert_eq!((ran.code, &ran.out), (Some(code), expected), "{how} {mode}: {}", ran.err);
            assert_eq!(ran.err.contains("urls:2: ERR_NOT_URI"), how == "fail", "{how} {mode}: {}", ran.err);
        }
    }
    let one = finish(command().args(["list", "match", "--refused-as=match"]).arg(list).arg(BROWSER_ONLY));
    one.is_quiet(0, &format!("{BROWSER_ONLY}\t!ERR_NOT_URI\n"));
}

#[test]
fn no_text_imitates_an_answer() {
    let folder = Folder::new();
    let [list, _] = &lists(&folder, &[], THUS);
    let spoof = format!("http://b.example/\t{THUS_WEB_ENTRY}\nhttp://b.example/\\t!ERR_NOT_URI\n\x1b[2K\n");
    let ran = finish(command().args(["list", "match"]).arg(list).arg(folder.file("urls", spoof)));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], format!("http://b.example/\\t{THUS_WEB_ENTRY}\t"));
    assert_eq!(lines[1..], ["http://b.example/\\\\t!ERR_NOT_URI\t", "\\x1b[2K\t!ERR_URL_PARSE"]);
}

#[test]
fn what_a_table_has_in_the_place_of_a_url_is_never_passed_unread() {
    let folder = Folder::new();
    let [list, _] = lists(&folder, &[], THUS);
    let list = list.to_str().expect("it is UTF-8");
    let csv = b"url\nhttp://www.thus.net/\xff\nhttp://www.thus.net?xxxxxxxxxxxxxxxx\nhttp://[\nhttp://h/\n";
    let answers = ["!ERR_UTF8", "!ERR_LINE_LEN", "!ERR_URL_PARSE", ""];
    let ndjson = b"{\"url\":[\"http://www.thus.net\"]}\n{\"url\":\"http://h/\"}\n";
    let members = "{\"url\":[\"http://www.thus.net\"],\"url_list_entry\":\"!ERR_COLUMN\"}\n{\"url\":\"http://h/\",\"url_list_entry\":null}\n";
    let out = folder.path().join("out");
    let out_name = out.to_str().expect("it is UTF-8");
    for (how, code) in [("fail", 3), ("match", 0), ("no-match", 1)] {
        let option = if how == "fail" { "--on-refused" } else { "--refused-as" };
        let args = ["list", "match", list, option, how, "--max-line", "30", "--column", "url", "-"];
        let ran = urlid_on(csv, args.iter().chain(&["--out", out_name]));
        let rows = std::fs::read(&out).expect("it was written");
        let rows = String::from_utf8_lossy(&rows);
        let found: Vec<&str> =
            rows.lines().skip(1).filter_map(|line| Some(line.rsplit_once(',')?.1)).collect();
        assert_eq!((found, ran.code), (answers.to_vec(), Some(code)), "{how}: {}", ran.err);
        assert_eq!(ran.err.is_empty(), how != "fail", "{}", ran.err);
        let ran = urlid_on(ndjson, args);
        assert_eq!((ran.out.as_str(), ran.code), (members, Some(code)), "{how}: {}", ran.err);
    }
    // A line without a place for an answer is refused, whatever refusals count as.
    let ran = urlid_on(
        b"{\"url\":\"http://h/\"}\nno object\n",
        ["list", "match", list, "--refused-as", "match", "--column", "url", "-"],
    );
    assert!(ran.code == Some(3) && ran.err.starts_with("-:2: ERR_TABLE: "), "{:?}: {}", ran.code, ran.err);
}

#[test]
fn a_file_of_refused_lines_needs_lines_that_are_refused() {
    let folder = Folder::new();
    let [list, refused_lines] = lists(&folder, &[], THUS);
    let paths = [list.as_path(), &refused_lines, std::path::Path::new("http://h/")];
    for how in ["match", "no-match"] {
        let ran = run(&["match", "--refused-as", how, "--refused"], &[paths[1], paths[0], paths[2]]);
        let said = "urlid: --refused: with --refused-as no line is refused\n";
        assert_eq!((ran.code, ran.err.as_str()), (Some(2), said));
    }
}

#[test]
fn a_base_that_nothing_resolves_against_is_an_error_of_the_command_line() {
    let folder = Folder::new();
    let [list, _] = lists(&folder, &[], THUS);
    let list = list.to_str().expect("it is UTF-8");
    let hashed = THUS_ENTRY;
    let verbs: [&[&str]; 6] = [
        &["list", "match", "--refused-as", "no-match", list, THUS],
        &["list", "make", "--on-refused", "report", THUS],
        &["list", "audit", list, THUS],
        &["list", "match", "--urls", hashed, THUS],
        &["id", "--kind", "hashed-uri", THUS],
        &["canon", "--as", "hashed-n", THUS],
    ];
    for verb in verbs {
        let ran = urlid(verb.iter().chain(&["--base", "nope"]));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{verb:?}");
        assert!(ran.err.starts_with("urlid: --base: ERR_"), "{verb:?}: {}", ran.err);
    }
}
