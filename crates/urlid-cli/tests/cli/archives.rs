//! Web archives: wherever lines are read, and the verbs for their indexes.

use urlid_testing::{gzip, warc_record_of};

use crate::support::{DOCS, DOCS_ID, Folder, urlid, urlid_on};

/// A WARC file with a member for each record: two pages, a request, a visit of an address, and a name lookup.
fn crawl() -> Vec<u8> {
    let page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>hello";
    [
        warc_record_of("warcinfo", "", b"software: none\r\n"),
        warc_record_of("response", DOCS, page),
        warc_record_of("request", DOCS, b"GET / HTTP/1.1\r\n\r\n"),
        warc_record_of("response", "<https://www.debian.org/>", page),
        warc_record_of("revisit", "http://[::1]/", b""),
    ]
    .iter()
    .flat_map(|record| gzip(record))
    .collect()
}

const INDEX: &str = "org,rust-lang)/ 20260102030405 {\"url\": \"https://rust-lang.org/\"}\n\
                     org,rust-lang)/x 20260102030405 {\"mime\": \"text/html\"}\n";

#[test]
fn every_verb_reads_the_urls_of_an_archive() {
    let folder = Folder::new();
    let crawl = folder.file("crawl.warc.gz", crawl());
    let crawl = crawl.to_str().expect("it is UTF-8");
    urlid(["canon", "--as", "web", crawl])
        .is_quiet(0, "https://docs.rs/\nhttps://www.debian.org/\nhttp://[::1]/\n");
    urlid(["canon", "--as", "web", "--records", "request", crawl]).is_quiet(0, "https://docs.rs/\n");
    let ran = urlid_on(&self::crawl(), ["id", "--format", "csv"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.out.contains(&format!("{DOCS},{DOCS_ID},\n")), "{}", ran.out);
    assert!(ran.err.starts_with("-:3: ERR_HOST_NOT_DNS: "), "{}", ran.err);
    let ran = urlid(["id", "--records", "page", crawl]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("expected `all`, or some of warcinfo, response"), "{}", ran.err);
}

#[test]
fn archives_and_their_indexes_fill_an_index() {
    let folder = Folder::new();
    let (crawl, blocks) =
        (folder.file("crawl.warc.gz", crawl()), folder.file("cdx-00000.gz", gzip(INDEX.as_bytes())));
    let index = folder.path().join("urls.db");
    let path = |path: &std::path::Path| path.to_str().expect("it is UTF-8").to_owned();
    let ran = urlid(["index", "add", &path(&index), &path(&crawl), &path(&blocks)].map(str::to_owned));
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let refused = format!("{}:2: ERR_ARCHIVE: line of a CDXJ index has no text `url`\n", blocks.display());
    assert!(ran.err.contains(&refused), "{}", ran.err);
    for host in ["docs.rs", "www.debian.org", "rust-lang.org"] {
        let found = urlid(["index", "find", &path(&index), "--host", host].map(str::to_owned));
        found.is_quiet(0, &format!("https://{host}/\n"));
    }
}

#[test]
fn every_way_to_read_refuses_the_same_lines_of_an_index() {
    let folder = Folder::new();
    let path = folder.file("index.cdxj", INDEX);
    let path = path.to_str().expect("it is UTF-8");
    let fast = urlid(["id", "--format", "csv", path]);
    let plain = urlid(["id", "--kind", "sxurl,sxurl", "--format", "ndjson", path]);
    assert_eq!((fast.code, &fast.err), (Some(3), &plain.err));
    assert!(fast.out.ends_with(",,ERR_ARCHIVE\n") && plain.out.contains("ERR_ARCHIVE"), "{}", fast.out);
}

#[test]
fn a_damaged_archive_is_reported_after_its_good_records_and_the_next_file_is_read() {
    let folder = Folder::new();
    let bad = folder
        .file("bad.warc", [warc_record_of("response", DOCS, b""), b"WARC/1.0\r\n\r\n".to_vec()].concat());
    let good = folder.file("good.warc.gz", crawl());
    let args = ["canon", "--as", "web"].map(std::ffi::OsStr::new);
    let ran = urlid(args.into_iter().chain([bad.as_os_str(), good.as_os_str()]));
    assert_eq!(ran.code, Some(4));
    let message = "ERR_ARCHIVE: record 2 at byte 124 is malformed: it has no Content-Length";
    assert!(ran.err.contains(message), "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 4);
}

/// What cdxj-indexer 1.5 writes for [`crawl`] (`dev/conformance/archives` compares the two on more).
fn index_of_crawl(members: &[(u64, u64)]) -> String {
    let line = |key: &str, rest: &str, (offset, length): (u64, u64)| {
        format!(
            "{key} 20260102030405 {{{rest}, \"length\": \"{length}\", \"offset\": \"{offset}\", \
             \"filename\": \"crawl.warc.gz\"}}\n"
        )
    };
    let page =
        "\"mime\": \"text/html\", \"status\": \"200\", \"digest\": \"sha1:6VMT7HTE2K745SIQUUYG3CKPEJVFD5GH\"";
    [
        line("::1)/", "\"url\": \"http://[::1]/\", \"mime\": \"warc/revisit\"", members[4]),
        line("org,debian)/", &format!("\"url\": \"https://www.debian.org/\", {page}"), members[3]),
        line("rs,docs)/", &format!("\"url\": \"{DOCS}\", {page}"), members[1]),
    ]
    .concat()
}

#[test]
fn an_index_of_an_archive_is_that_of_cdxj_indexer() {
    let folder = Folder::new();
    let path = folder.file("crawl.warc.gz", crawl());
    let text = |path: &std::path::Path| path.to_str().expect("it is UTF-8").to_owned();
    let mut members = vec![(0, 0); 5];
    // Every member begins with the magic bytes and an empty time.
    let starts: Vec<u64> = crawl()
        .windows(8)
        .enumerate()
        .filter(|(_, w)| w.starts_with(b"\x1f\x8b\x08\0\0\0\0\0"))
        .map(|(at, _)| at as u64)
        .collect();
    let ends = starts.iter().skip(1).copied().chain([crawl().len() as u64]);
    members
        .iter_mut()
        .zip(starts.iter().zip(ends))
        .for_each(|(member, (start, end))| *member = (*start, end - start));
    let expected = index_of_crawl(&members);
    urlid(["cdx".to_owned(), "make".to_owned(), text(&path)]).is_quiet(0, &expected);

    let out = folder.path().join("index.cdxj");
    urlid(["cdx", "make", &text(&path), &text(&path), "--memory", "1", "-o", &text(&out)].map(str::to_owned))
        .is_quiet(0, "");
    assert_eq!(std::fs::read_to_string(&out).expect("it was written"), expected);

    urlid(["cdx", "make", &text(&path), "--zipnum", "2", "-o", &text(&out)].map(str::to_owned))
        .is_quiet(0, "");
    let urls = urlid([
        "canon".to_owned(),
        "--as".to_owned(),
        "web".to_owned(),
        text(&folder.path().join("index.cdxj.gz")),
    ]);
    urls.is_quiet(0, "http://[::1]/\nhttps://www.debian.org/\nhttps://docs.rs/\n");
    let index = std::fs::read_to_string(folder.path().join("index.idx")).expect("it was written");
    let rows: Vec<Vec<&str>> = index.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!((rows.len(), rows[0][..3].to_vec()), (2, vec!["::1)/ 20260102030405", "index.cdxj.gz", "0"]));
    assert_eq!((rows[1][0], rows[1][2], rows[1][4]), ("rs,docs)/ 20260102030405", rows[0][3], "2"));
    let locations = std::fs::read_to_string(folder.path().join("index.loc")).expect("it was written");
    assert_eq!(locations, "index.cdxj.gz\tindex.cdxj.gz\n");
}

#[test]
fn an_index_has_the_good_records_and_refuses_the_others() {
    let folder = Folder::new();
    let no_date = urlid_testing::warc_record(&[("WARC-Type", "response"), ("WARC-Target-URI", DOCS)], b"");
    let records =
        [warc_record_of("response", "http://a/", b""), no_date, b"WARC/1.0\r\n\r\n".to_vec()].concat();
    let path = folder.file("bad.warc", records);
    let ran = urlid(["cdx".as_ref(), "make".as_ref(), path.as_os_str()]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(
        ran.err.contains("bad.warc:2: ERR_ARCHIVE: record has the WARC-Date ``, expected"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("ERR_ARCHIVE: record 3 at byte "), "{}", ran.err);
    assert!(
        ran.out.starts_with("a)/ 20260102030405 {\"url\": \"http://a/\"") && ran.out.lines().count() == 1
    );
    let whole = folder.file(
        "whole.warc.gz",
        gzip(
            &[warc_record_of("response", "http://a/", b""), warc_record_of("response", "http://b/", b"")]
                .concat(),
        ),
    );
    let ran = urlid(["cdx".as_ref(), "make".as_ref(), whole.as_os_str()]);
    assert!(
        ran.err.contains("record 1 at byte 0 is malformed: its compressed member has another record"),
        "{}",
        ran.err
    );
    let cut = folder.file("cut.warc.gz", &crawl()[..crawl().len() - 3]);
    let ran = urlid(["cdx".as_ref(), "make".as_ref(), cut.as_os_str()]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(4), 2));
    assert!(ran.err.contains("ERR_COMPRESSED: compressed member at byte "), "{}", ran.err);
}

#[test]
fn an_index_never_replaces_what_it_is_made_of() {
    let folder = Folder::new();
    let path = folder.file("crawl.warc.gz", crawl());
    let ran = urlid(["cdx".as_ref(), "make".as_ref(), path.as_os_str(), "-o".as_ref(), path.as_os_str()]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    assert_eq!(std::fs::read(&path).expect("it is there"), crawl());
}

/// Visits of pages in the order of their keys by `surt-0.3.1`.
fn sorted_index() -> String {
    let urls = [
        "http://[::1]/",
        "http://example.com/",
        "http://example.com/a?y&x",
        "http://sub.example.com/",
        "http://example.com:81/b",
        "http://www.example.org:0/",
    ];
    let form: urlid_canonical::Form = "surt-0.3.1".parse().expect("it is a form");
    let line = |url: &&str| {
        let key = form.canonicalize(url).expect("it has a key");
        format!("{key} 20260102030405 {{\"url\": \"{url}\", \"status\": \"200\"}}\n")
    };
    urls.iter().map(line).collect()
}

fn run(args: &[&str], files: &[&std::path::Path]) -> crate::support::Ran {
    urlid(args.iter().map(std::ffi::OsStr::new).chain(files.iter().map(|file| file.as_os_str())))
}

#[test]
fn an_index_without_a_line_has_a_report() {
    let ran = urlid_on(b"", ["cdx", "verify", "--as", "surt-0.3.1"]);
    ran.is_quiet(0, "-: 0 lines, sorted\n-: surt-0.3.1: 0 keys agree, 0 differ\n");
}

#[test]
fn verbs_of_indexes_have_no_option_for_records_of_archives() {
    for verb in ["verify", "rekey"] {
        let ran = urlid(["cdx", verb, "--records", "all", "index.cdxj"]);
        assert!(ran.code == Some(2) && ran.err.contains("unexpected argument '--records'"), "{}", ran.err);
    }
}

#[test]
fn an_index_is_checked_for_its_order_and_its_keys() {
    let folder = Folder::new();
    let index = sorted_index();
    let good = folder.file("good.cdxj", &index);
    let name = good.display();
    let ran = run(&["cdx", "verify"], &[&good]);
    let expected = [
        format!("{name}: CDXJ, 6 lines, sorted"),
        format!("{name}: surt-0.3.1: 6 keys agree, 0 differ"),
        format!("{name}: ia-surt-1.3: 5 keys agree, 1 differ, the first is line 6"),
    ];
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(expected.iter().all(|line| ran.out.contains(line.as_str())), "{}", ran.out);

    let mut lines: Vec<&str> = index.lines().collect();
    lines.swap(1, 2);
    let unsorted = folder.file("unsorted.cdxj.gz", gzip(lines.join("\n").as_bytes()));
    let ran = run(&["cdx", "verify", "--as", "surt-0.3.1", "--format", "csv"], &[&good, &unsorted]);
    assert_eq!(ran.code, Some(1));
    let rows: Vec<_> =
        ran.out.lines().skip(1).map(|row| row.split_once(',').map_or("", |(_, row)| row)).collect();
    assert_eq!(rows, ["surt-0.3.1,6,0,,6,0,,CDXJ", "surt-0.3.1,6,1,3,6,0,,CDXJ"]);
    let ran = run(&["cdx", "verify", "--as", "web"], &[&good]);
    assert_eq!(ran.code, Some(1), "{}", ran.out);
    let ran = urlid_on(b"https://docs.rs/\n", ["cdx", "verify"]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.err.contains("ERR_ARCHIVE: first line is not that of a CDX or CDXJ index"), "{}", ran.err);
}

#[test]
fn an_index_gets_other_keys_and_gets_them_back() {
    let folder = Folder::new();
    let index = sorted_index();
    let (old, new, back) =
        (folder.file("old.cdxj", &index), folder.path().join("new.cdxj"), folder.path().join("back.cdxj"));
    let ran = run(&["cdx", "rekey", "--from", "surt-0.3.1", "--to", "ia-surt-1.3", "-o"], &[&new, &old]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "urlid: 6 lines, 1 key changed\n"));
    let check = run(&["cdx", "verify", "--as", "ia-surt-1.3"], &[&new]);
    assert!(check.code == Some(0) && check.out.contains("6 keys agree, 0 differ"), "{}", check.out);
    let ran = run(&["cdx", "rekey", "--from", "ia-surt-1.3", "--to", "surt-0.3.1", "-o"], &[&back, &new]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(std::fs::read_to_string(&back).expect("it was written"), index);

    let ran = run(&["cdx", "rekey", "--from", "ia-surt-1.3", "--to", "surt-0.3.1"], &[&old]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(3), 5));
    assert!(
        ran.err.contains("old.cdxj:6: ERR_ARCHIVE: key is `org,example)/`, expected `org,example:0)/`"),
        "{}",
        ran.err
    );
}

#[test]
fn indexes_with_a_header_keep_it() {
    let folder = Folder::new();
    let header = " CDX N b a m s k r V g";
    let line = |host: &str| {
        format!("com,{host})/ 20260102030405 http://{host}.com/ text/html 200 SHA - 0 a.warc.gz\n")
    };
    let first = folder.file("a.cdx", format!("{header}\n{}", line("b")));
    let second = folder.file("b.cdx", format!("{header}\n{}{}", line("a"), line("b")));
    let ran = run(&["cdx", "rekey", "--from", "surt-0.3.1", "--to", "surt-0.3.1"], &[&first, &second]);
    assert_eq!((ran.code, ran.out), (Some(0), format!("{header}\n{}{}", line("a"), line("b"))));
    let other = folder.file("c.cdxj", sorted_index());
    let ran = run(&["cdx", "rekey", "--from", "surt-0.3.1", "--to", "surt-0.3.1"], &[&first, &other]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(3), 2));
}

#[test]
fn a_plan_names_bytes_of_blocks_that_are_elsewhere() {
    let folder = Folder::new();
    let place = |key: &str, part: &str, offset: u64| format!("{key} 2026\t{part}\t{offset}\t10\t1\n");
    let index =
        [place("com,a)/", "cdx-0.gz", 0), place("com,b)/", "cdx-0.gz", 10), place("com,c)/", "cdx-1.gz", 0)]
            .concat();
    let whole = folder.file("cluster.idx", &index);
    let damaged = folder.file("damaged.idx", index.replace("cdx-1.gz\t0", "cdx-1.gz\tx"));
    let plain = folder.file("index.cdxj", sorted_index());
    for (args, code, expected) in [
        (&["http://b.com/x"][..], 0, "cdx-0.gz\t10\t10\n"),
        (&["http://c.com/", "http://a.com/z"], 0, "cdx-0.gz\t0\t20\ncdx-1.gz\t0\t10\n"),
        (&["com", "http://b.com/", "--match", "domain"], 0, "cdx-0.gz\t0\t20\ncdx-1.gz\t0\t10\n"),
        (&["http://a.aa/"], 1, ""),
    ] {
        let args = [&["cdx", "find", "--plan", whole.to_str().expect("it is UTF-8")], args].concat();
        urlid(args).is_quiet(code, expected);
    }
    let ran = run(&["cdx", "find", "--plan", "--match", "domain"], &[&damaged, "com".as_ref()]);
    let message =
        "ERR_ARCHIVE: line of a ZipNum index has no block: expected file, offset and length, found `com,c)/";
    assert!(ran.code == Some(4) && ran.err.contains(message), "{ran:?}");
    assert_eq!(ran.out, "cdx-0.gz\t0\t20\n");
    let ran = run(&["cdx", "find", "--plan"], &[&plain, "http://example.com/".as_ref()]);
    assert!(ran.code == Some(4) && ran.out.is_empty(), "{ran:?}");

    let lines: Vec<String> = sorted_index().lines().map(|line| format!("{line}\n")).collect();
    let ran =
        run(&["cdx", "find"], &[&plain, "https://example.com/A?x&y".as_ref(), "http://[::1]/".as_ref()]);
    ran.is_quiet(0, &[&*lines[2], &lines[0]].concat());
}

#[test]
fn lines_are_found_by_url_prefix_host_and_domain() {
    let folder = Folder::new();
    let index = sorted_index();
    let plain = folder.file("index.cdxj", &index);
    let zipnum = folder.path().join("index.idx");
    let ran = run(
        &["cdx", "rekey", "--from", "surt-0.3.1", "--to", "surt-0.3.1", "--zipnum", "2", "-o"],
        &[&plain, &plain],
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let lines: Vec<&str> = index.lines().collect();
    for file in [&plain, &zipnum] {
        let file = file.to_str().expect("it is UTF-8");
        for (url, how, expected) in [
            ("http://www.example.com", "exact", &lines[1..2]),
            ("https://example.com/A?x&y", "exact", &lines[2..3]),
            ("http://example.com/a", "prefix", &lines[2..3]),
            ("http://example.com/", "host", &lines[1..3]),
            ("http://example.com/", "domain", &lines[1..4]),
            ("com", "domain", &lines[1..5]),
            ("http://[::1]/", "exact", &lines[..1]),
        ] {
            let found = urlid(["cdx", "find", file, url, "--match", how]);
            let expected: String = expected.iter().map(|line| format!("{line}\n")).collect();
            assert_eq!(
                (found.code, found.out.as_str(), found.err.as_str()),
                (Some(0), expected.as_str(), ""),
                "{url} {how}"
            );
        }
        urlid(["cdx", "find", file, "http://example.net/"]).is_quiet(1, "");
        urlid(["cdx", "find", file, "com", "--match", "domain", "--limit", "1"])
            .is_quiet(0, &format!("{}\n", lines[1]));
        for (urls, code) in [(["http://example.net/", "com"], 0), (["http://example.net/", "net"], 1)] {
            urlid([&["cdx", "find", file, "--match", "domain", "--limit", "0"][..], &urls].concat())
                .is_quiet(code, "");
        }
    }
    for (text, message) in [
        (
            "http://example.com/\n",
            "ERR_ARCHIVE: first line is not that of a CDX, CDXJ or ZipNum index: found",
        ),
        (
            "[[\"urlkey\",\"original\"],[\"com,example)/\",\"http://example.com/\"]]",
            "urlid: `urlid cdx rekey` writes rows of JSON that are on one line as lines",
        ),
        ("com,example)/ 2026\tx.gz\t-1\t9\t1\n", "ERR_ARCHIVE: first line is not that of a CDX"),
        ("com,example)/ 2026\tx.gz\t0\t9\t1\n", "ERR_IO: cannot read the blocks in x.gz: "),
    ] {
        let file = folder.file("no.idx", text);
        let ran = urlid(["cdx", "find", file.to_str().expect("it is UTF-8"), "http://example.com/"]);
        assert!(
            ran.code == Some(4) && ran.out.is_empty() && ran.err.contains(message),
            "{text}: {}",
            ran.err
        );
    }
    let blocks = folder.path().join("index.cdxj.gz");
    let ran = urlid(["cdx", "find", blocks.to_str().expect("it is UTF-8"), "http://example.com/"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_full_disk_and_a_closed_pipe_end_an_index_as_they_end_everything() {
    let folder = Folder::new();
    let (crawl, index) = (folder.file("crawl.warc.gz", crawl()), folder.file("index.cdxj", sorted_index()));
    let shell = |script: &str| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_urlid")]).args([&crawl, &index]);
        crate::support::finish(&mut command)
    };
    for verb in [
        "cdx make \"$1\"",
        "cdx verify \"$2\"",
        "cdx rekey --from surt-0.3.1 --to surt-0.3.1 \"$2\"",
        "cdx find \"$2\" com --match domain",
    ] {
        let ran = shell(&format!("\"$0\" {verb} > /dev/full"));
        assert_eq!(ran.code, Some(4), "{verb}: {}", ran.err);
        assert!(ran.err.contains("ERR_IO: cannot write"), "{verb}: {}", ran.err);
        let ran = shell(&format!("{{ sleep 0.05; \"$0\" --quiet {verb}; echo $? >&2; }} | true"));
        assert_eq!(ran.err, "0\n", "{verb}");
    }
    let ran = shell("\"$0\" cdx make \"$1\" -o /dev/full");
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("/dev/full: ERR_IO: cannot write"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_part_of_an_index() {
    let folder = Folder::new();
    let input = folder.path().join("input.cdxj");
    let made = std::process::Command::new("mkfifo").arg(&input).status().expect("there is mkfifo");
    assert!(made.success());
    let mut command = crate::support::command();
    let out = folder.path().join("out.cdxj");
    command.args(["cdx", "rekey", "--from", "surt-0.3.1", "--to", "surt-0.3.1", "-o"]).args([&out, &input]);
    let mut child = command.stderr(std::process::Stdio::null()).spawn().expect("it is there");
    // The input is opened when both ends are, and stays open.
    let mut writer = std::fs::File::options().write(true).open(&input).expect("it is read");
    std::io::Write::write_all(&mut writer, sorted_index().as_bytes()).expect("it is read");
    let script = format!("kill -INT {}", child.id());
    let killed = std::process::Command::new("sh").args(["-c", &script]).status().expect("there is a shell");
    assert!(killed.success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let names: Vec<_> = std::fs::read_dir(folder.path()).expect("it is there").collect();
    assert_eq!(names.len(), 1, "{names:?}");
}
