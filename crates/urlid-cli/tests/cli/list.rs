//! Hidden lists: made, compiled, checked and audited.

use std::path::Path;

use urlid_testing::gzip;

use crate::support::{Folder, Ran, command, finish, urlid, urlid_on};

/// A header of format 1, which states no digest.
fn header(count: usize) -> String {
    format!(
        "# urlid-list: 1\n# variant: n\n# algorithms: sha1\n# keep: none\n# ladder: none\n# count: {count}\n# snapshot: none\n"
    )
}

/// The draft's own example, section 4.4.
const THUS: &str = "http://www.thus.net";
const THUS_ENTRY: &str = "hashed:sha1=87ed28009f511ed7ef630180a229ba257180a481";
/// The entry of the URL that a browser makes of it, `http://www.thus.net/`.
const THUS_WEB_ENTRY: &str = "hashed:sha1=de86ab265088244d3fa72d968a77236a125cd78d";

/// The list of that entry, as `urlid list make` writes it without options.
fn thus_list() -> String {
    let unicode = urlid::snapshot::Snapshot::of(Default::default()).unicode;
    format!(
        "# urlid-list: 2\n# variant: n\n# intake: web\n# algorithms: sha1\n# keep: none\n# ladder: none\n# count: 1\n\
         # digest: 424c30d99495933123772e4e96e9e9b257a7eb602987059186c3c159677a3354\n# snapshot: none\n\
         # unicode: {unicode}\n{THUS_WEB_ENTRY}\n"
    )
}

fn run(args: &[&str], paths: &[&Path]) -> Ran {
    finish(command().arg("list").args(args).args(paths))
}

/// Makes a list of `urls` in `folder`, in both forms.
fn lists(folder: &Folder, args: &[&str], urls: &str) -> [std::path::PathBuf; 2] {
    let made = urlid_on(urls.as_bytes(), ["list", "make"].iter().chain(args));
    assert_eq!(made.code, Some(0), "{}", made.err);
    let text = folder.file("text", &made.out);
    let compiled = folder.path().join("compiled");
    assert_eq!(run(&["compile"], &[&text, &compiled]).code, Some(0));
    [text, compiled]
}

#[test]
fn equal_urls_make_equal_lists() {
    let expected = thus_list();
    for input in [
        "http://www.thus.net\n",
        "HTTP://www.Thus.net#end\r\n\nhttp://www.thus.net:80",
        "http://www.thus.net?q\n",
    ] {
        urlid_on(input.as_bytes(), ["list", "make"]).is(0, &expected, "urlid: made a list of 1 entries\n");
    }
    urlid(["list", "make", THUS]).is(0, &expected, "urlid: made a list of 1 entries\n");
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
        "--date",
        "2026-11-21",
        "http://h.example/A?b",
    ]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[..7],
        [
            "# urlid-list: 2",
            "# variant: p",
            "# intake: rfc3986",
            "# algorithms: md5,x-sha256",
            "# keep: query,fragment",
            "# ladder: hosts",
            "# count: 2"
        ]
    );
    let snapshot = urlid(["--version", "--json"]).out;
    assert!(lines[7].starts_with("# digest: "));
    let sha256 = lines[8]
        .split(' ')
        .find_map(|pair| pair.strip_prefix("psl_sha256="))
        .expect("a snapshot names its list");
    assert!(lines[8].starts_with("# snapshot: psl_version=") && snapshot.contains(sha256));
    assert_eq!(lines[9], "# date: 2026-11-21");
    assert!(lines[10].starts_with("hashed:md5=") && lines[10].ends_with("+query"));
    assert!(lines[11].starts_with("hashed:x-sha256=") && lines[11].ends_with("+query"));
    assert_eq!(lines.len(), 12);
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
        (&["--date", "2026-02-30"], "expected a date"),
        (&["--ladder=up"], "invalid value"),
    ] {
        let ran = urlid(["list", "make"].iter().chain(args).chain(&[THUS]));
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(ran.err.contains(message), "{args:?}: {}", ran.err);
    }
}

#[test]
fn check_says_of_each_url_whether_and_by_which_entry() {
    let folder = Folder::new();
    for list in &lists(&folder, &["--intake", "rfc3986"], "http://www.thus.net\nhttp://h.example/a\n") {
        let urls = "HTTP://www.THUS.net#end\n\nhttp://other.example/\na b\nhttp://h.example/a?q";
        let ran = finish(
            command().args(["list", "check"]).arg(list).arg(folder.file("urls.gz", gzip(urls.as_bytes()))),
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
            ["list", "check"].iter().chain(args).map(std::ffi::OsStr::new).chain([list.as_os_str()]),
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

    let one = |args: &[&str]| finish(command().args(["list", "check"]).arg(list).args(args));
    one(&["-o", "http://a.example/"]).is_quiet(1, "");
    one(&["-v", THUS]).is_quiet(1, "");
    one(&["-c", "http://a.example/"]).is_quiet(1, "0\n");
    assert_eq!(one(&["-o", "-v", THUS]).code, Some(2));
}

#[test]
fn the_ladder_matches_children_and_subdomains() {
    let folder = Folder::new();
    for list in
        &lists(&folder, &["--ladder=hosts", "--keep", "query"], "http://b.example/1/\nhttp://c.example/p?q\n")
    {
        let urls = ["http://a.b.example/1/2.html?param=1", "http://b.example/1/", "http://x.c.example/p?q"];
        let misses =
            ["http://b.example/1", "http://b.example/", "https://b.example/1/", "http://c.example/p?z"];
        let ran = finish(command().args(["list", "check", "-o"]).arg(list).args(urls).args(misses));
        let matched: Vec<&str> = ran.out.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
        assert_eq!((matched, ran.code), (urls.to_vec(), Some(0)));
        let ran = finish(command().args(["list", "check", "--stats", "-c"]).arg(list).arg(urls[0]));
        assert!(ran.err.contains("at most 170 for a URL"), "{}", ran.err);
    }
}

#[test]
fn what_was_made_with_another_suffix_list_is_told() {
    let folder = Folder::new();
    let [list, _] = lists(&folder, &["--ladder=hosts"], "http://b.example/");
    let own = folder.file("own.dat", "// VERSION: own\nb.example\n");
    let ran = finish(
        command().args(["list", "check", "-c"]).arg(&list).arg("--psl").arg(&own).arg("http://a.b.example/"),
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "0\n"));
    assert!(ran.err.contains("made with psl_version") && ran.err.contains("checked with own"), "{}", ran.err);
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
        command.args(["list", "check", "-c"]).arg(&list).arg(THUS);
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
        audit.out.starts_with("1 entries, keyed: without key ")
            && audit.out.ends_with(" no guess can be tested\n")
    );
}

#[test]
fn bad_lists_are_told_by_line_or_as_a_whole() {
    let folder = Folder::new();
    let broken = folder.file("broken", header(2) + "hashed:sha1=xyz\n" + THUS_ENTRY + "\n");
    let ran = finish(command().args(["list", "check", "-c"]).arg(&broken).arg(THUS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), "1\n"));
    assert!(
        ran.err.contains("broken:8: ERR_LIST_LINE: hashed URI breaks its grammar at byte 12"),
        "{}",
        ran.err
    );

    let [_, compiled] = lists(&folder, &[], THUS);
    let mut damaged = std::fs::read(&compiled).expect("it was written");
    *damaged.last_mut().expect("it is not empty") ^= 1;
    for (content, message) in [
        ((header(3) + THUS_ENTRY + "\n").into_bytes(), "found 1 entries, expected 3"),
        (THUS_ENTRY.into(), "list header lacks `urlid-list`"),
        (Vec::new(), "list header lacks `urlid-list`"),
        (b"urlidlst".to_vec(), "compiled list ends too early"),
        (damaged, "compiled list is damaged"),
    ] {
        let list = folder.file("list", content);
        for args in [&["check", "-c"][..], &["audit"]] {
            let ran = finish(command().arg("list").args(args).arg(&list).arg(THUS));
            assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{message}");
            assert!(ran.err.contains("ERR_LIST_HEADER") && ran.err.contains(message), "{}", ran.err);
        }
    }
    let unknown = header(1).replace("sha1", "x-other") + "hashed:x-other=00\n";
    let ran = finish(command().args(["list", "check", "-c"]).arg(folder.file("unknown", unknown)).arg(THUS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "0\n"));
    assert!(
        ran.err.contains("1 entry by unknown algorithms cannot be checked, the first by x-other"),
        "{}",
        ran.err
    );
}

#[test]
fn a_compiled_list_replaces_an_older_one_and_leaves_nothing_beside_it() {
    let folder = Folder::new();
    let [text, compiled] = lists(
        &folder,
        &["--alg", "md5,x-sha512", "--keep", "query"],
        "http://a.example/?q\nhttp://b.example/\n",
    );
    let before = std::fs::read(&compiled).expect("it was written");
    let ran = run(&["compile"], &[&text, &compiled]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.ends_with("compiled: 4 entries\n"), "{}", ran.err);
    assert_eq!(std::fs::read(&compiled).expect("it was written"), before);
    let again = folder.path().join("again");
    assert_eq!(run(&["compile"], &[&compiled, &again]).code, Some(0));
    assert_eq!(std::fs::read(&again).expect("it was written"), before);
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .expect("it is there")
        .map(|entry| entry.expect("it is there").file_name())
        .collect();
    names.sort();
    assert_eq!(names, ["again", "compiled", "text"]);
    assert_eq!(run(&["compile"], &[&text, &folder.path().join("no/where")]).code, Some(4));
}

#[test]
fn an_audit_shows_what_a_dictionary_reveals() {
    let folder = Folder::new();
    let [list, _] = lists(
        &folder,
        &["--alg", "md5", "--intake", "rfc3986"],
        "http://www.thus.net\nhttp://h.example/secret\n",
    );
    let ran = finish(
        command().args(["list", "audit", "--rate", "1000"]).arg(&list).args([THUS, "http://a.example/"]),
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "hashed:md5=be96302a0468481aca954431cf293e05\thttp://www.thus.net",
            "1 of 2 entries revealed (50.0 %), 1 of them home pages like http://www.domain/",
            "2 URLs tried, 2 digests: less than 0.1 seconds at 1e3 digests a second",
        ]
    );
    // 37 + 37^2 + … + 37^6 names, four forms each, at a thousand a second.
    assert_eq!(lines[4], "  names of up to 6 characters: 122 days");
    let ran = finish(command().args(["list", "audit", "--summary"]).arg(&list).arg("http://a.example/"));
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.starts_with("0 of 2 entries revealed (0.0 %)"));
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
    let ran =
        finish(command().args(["list", "check", "-o"]).arg(compiled).arg(folder.file("urls", &candidates)));
    let found: Vec<&str> = ran.out.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
    assert_eq!(found, expected);
    let ran = finish(command().args(["list", "check", "-v"]).arg(compiled).arg(folder.path().join("urls")));
    assert_eq!(ran.out.lines().count(), 60_000 - expected.len());
}

/// What a browser opens and RFC 3986 refuses.
const BROWSER_ONLY: &str = "http://evil.example/malware/?|";

#[test]
fn a_url_that_only_a_browser_opens_is_listed_and_found() {
    let folder = Folder::new();
    for list in &lists(&folder, &["--ladder", "http://evil.example/malware/"], "") {
        let ran = finish(command().args(["list", "check", "-o"]).arg(list).arg(BROWSER_ONLY));
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
            assert_eq!(finish(command().args(["list", "check", "-c"]).arg(list).arg(url)).code, Some(0));
        }
    }
}

#[test]
fn a_refused_url_counts_as_the_caller_says_and_is_never_silent() {
    let folder = Folder::new();
    let [list, _] = &lists(&folder, &["--intake", "rfc3986"], THUS);
    let urls = folder.file("urls", format!("{THUS}\n{BROWSER_ONLY}\n\nhttp://b.example/\n"));
    let check = |args: &[&str]| finish(command().args(["list", "check"]).args(args).arg(list).arg(&urls));
    let answers = format!("{THUS}\t{THUS_ENTRY}\n{BROWSER_ONLY}\t!ERR_NOT_URI\n\nhttp://b.example/\t\n");
    for (how, code, matched, unmatched) in [
        ("fail", 3, format!("{THUS}\t{THUS_ENTRY}\n"), "http://b.example/\n".to_owned()),
        (
            "block",
            0,
            format!("{THUS}\t{THUS_ENTRY}\n{BROWSER_ONLY}\t!ERR_NOT_URI\n"),
            "http://b.example/\n".to_owned(),
        ),
        ("pass", 0, format!("{THUS}\t{THUS_ENTRY}\n"), format!("{BROWSER_ONLY}\nhttp://b.example/\n")),
    ] {
        for (mode, expected) in [("--stats", &answers), ("-o", &matched), ("-v", &unmatched)] {
            let ran = check(&["--on-refused", how, mode]);
            assert_eq!((ran.code, &ran.out), (Some(code), expected), "{how} {mode}: {}", ran.err);
            assert_eq!(ran.err.contains("urls:2: ERR_NOT_URI"), how == "fail", "{how} {mode}: {}", ran.err);
        }
    }
    let one = finish(command().args(["list", "check", "--on-refused=block"]).arg(list).arg(BROWSER_ONLY));
    one.is_quiet(0, &format!("{BROWSER_ONLY}\t!ERR_NOT_URI\n"));
}

#[test]
fn no_text_imitates_an_answer() {
    let folder = Folder::new();
    let [list, _] = &lists(&folder, &[], THUS);
    let spoof = format!("http://b.example/\t{THUS_WEB_ENTRY}\nhttp://b.example/\\t!ERR_NOT_URI\n\x1b[2K\n");
    let ran = finish(command().args(["list", "check"]).arg(list).arg(folder.file("urls", spoof)));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], format!("http://b.example/\\t{THUS_WEB_ENTRY}\t"));
    assert_eq!(lines[1..], ["http://b.example/\\\\t!ERR_NOT_URI\t", "\\x1b[2K\t!ERR_URL_PARSE"]);
}

#[test]
fn lists_are_recognised_in_every_form_and_from_every_source() {
    let folder = Folder::new();
    for list in &lists(&folder, &[], THUS) {
        let bytes = std::fs::read(list).expect("it was written");
        let packed = folder.file("packed", gzip(&bytes));
        finish(command().args(["list", "check", "-c"]).arg(&packed).arg(THUS)).is_quiet(0, "1\n");
        for input in [bytes, gzip(&std::fs::read(list).expect("it was written"))] {
            urlid_on(&input, ["list", "check", "-c", "-", THUS]).is_quiet(0, "1\n");
            urlid_on(&input, ["list", "show", "-"]).is_quiet(0, &thus_list());
        }
    }
    let ran = urlid_on(b"", ["list", "check", "-"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("standard input cannot be both the list and the URLs"), "{}", ran.err);
}

#[test]
fn a_list_with_a_flipped_digit_is_refused() {
    let folder = Folder::new();
    let flipped = folder.file("flipped", thus_list().replace(":sha1=de", ":sha1=df"));
    let ran = finish(command().args(["list", "check", "-c"]).arg(flipped).arg(THUS));
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""));
    assert!(ran.err.contains("ERR_LIST_HEADER: list has other entries than its header says"), "{}", ran.err);
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
        "urlid: made a list of 1 entries\n",
    );
    let ran = urlid(["list", "make", "--ladder", "hosts", THUS]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("--ladder=hosts chooses the ladder, ./hosts names the file"), "{}", ran.err);
}

#[test]
fn lists_are_shown_compared_and_merged_in_either_form() {
    let folder = Folder::new();
    let [text, compiled] = &lists(&folder, &[], THUS);
    let shown = run(&["show"], &[compiled]);
    shown.is_quiet(0, &thus_list());
    assert_eq!(std::fs::read_to_string(text).expect("it was written"), shown.out);
    let header = run(&["show", "--header"], &[compiled]);
    assert_eq!((header.code, header.out + THUS_WEB_ENTRY + "\n"), (Some(0), thus_list()));

    let other = urlid(["list", "make", "http://b.example/"]).out;
    let other_entry = other.lines().last().expect("a list has lines").to_owned();
    let other = folder.file("other", &other);
    run(&["diff"], &[text, compiled]).is_quiet(0, "");
    let differences = run(&["diff"], &[compiled, &other]);
    let mut lines: Vec<&str> = differences.out.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        (differences.code, lines),
        (Some(1), vec![&*format!("+{other_entry}"), &*format!("-{THUS_WEB_ENTRY}")])
    );

    let merged = run(&["merge", "--date", "2026-11-22"], &[compiled, &other]);
    let both = urlid(["list", "make", "--date", "2026-11-22", THUS, "http://b.example/"]);
    assert_eq!((merged.code, merged.out), (Some(0), both.out));
    let p = folder.file("p", urlid(["list", "make", "--variant", "p", THUS]).out);
    let ran = run(&["merge"], &[text, &p]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""));
    assert!(ran.err.contains("lists have different `variant`: found p, expected n"), "{}", ran.err);
}

#[test]
fn an_audit_takes_domains() {
    let folder = Folder::new();
    let [list, _] = &lists(&folder, &[], "http://www.a.example/\nhttps://b.example/\nhttp://c.example/x\n");
    let domains = folder.file("domains", "a.example\nb.example\nc.example\n");
    let ran = finish(command().args(["list", "audit", "--domains"]).arg(list).arg(&domains));
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("2 of 3 entries revealed") && ran.out.contains("12 URLs tried"), "{}", ran.out);
}
