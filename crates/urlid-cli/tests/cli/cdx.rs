//! Indexes of web archives: each dialect is named, searched, given other keys and read as URLs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use urlid_testing::warc_record;

use crate::support::{Folder, Ran, urlid};

/// Each file with the name of its layout (`crates/urlid-io/tests/files/make.py`).
const DIALECTS: [(&str, &str); 6] = [
    ("members.warc.gz.cdxj", "CDXJ"),
    ("wayback.cdx", "CDX of 7 fields"),
    ("wayback.json", "CDX of 7 fields in rows of JSON"),
    ("tabs.cdx", "CDX of 11 fields with tabs"),
    ("openwayback.cdxj", "CDXJ of OpenWayback"),
    ("ipwb.cdxj", "CDXJ of ipwb"),
];

fn made(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../urlid-io/tests/files").join(name)
}

fn run<'a>(args: impl IntoIterator<Item = &'a OsStr>) -> Ran {
    urlid(args)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(made(name)).expect("it is in the repository")
}

#[test]
fn each_dialect_is_named_and_its_keys_agree() {
    for (name, layout) in DIALECTS {
        let path = made(name);
        let ran = run(["cdx", "verify", "--as", "surt-0.3.1"]
            .map(OsStr::new)
            .into_iter()
            .chain([path.as_os_str()]));
        let file = path.display();
        let expected =
            format!("{file}: {layout}, 4 lines, sorted\n{file}: surt-0.3.1: 4 keys agree, 0 differ\n");
        ran.is_quiet(0, &expected);
    }
}

#[test]
fn each_dialect_is_searched() {
    for (name, _) in DIALECTS {
        let text = text(name);
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("http")).collect();
        let lines = &lines[lines.len() - 4..];
        let path = made(name);
        for (url, how, expected) in [
            ("https://example.com", "exact", &lines[..1]),
            ("http://example.com/about", "prefix", &lines[1..2]),
            ("http://example.com/x", "host", &lines[..2]),
            ("http://example.com/x", "domain", &lines[..3]),
            ("com", "domain", &lines[..3]),
            ("http://example.org/with space", "exact", &lines[3..]),
            ("http://example.net/", "exact", &[]),
        ] {
            let ran = urlid([
                "cdx".as_ref(),
                "find".as_ref(),
                path.as_os_str(),
                url.as_ref(),
                "--match".as_ref(),
                how.as_ref(),
            ]);
            let expected: String = expected.iter().map(|line| format!("{line}\n")).collect();
            assert_eq!((ran.out.as_str(), ran.err.as_str()), (expected.as_str(), ""), "{name} {url} {how}");
        }
    }
}

#[test]
fn each_dialect_gets_other_keys_and_gets_them_back() {
    let folder = Folder::new();
    let rekey = |from: &str, to: &str, file: &Path, out: &Path| {
        let args = ["cdx", "rekey", "--from", from, "--to", to, "-o"].map(OsStr::new);
        let ran = run(args.into_iter().chain([out.as_os_str(), file.as_os_str()]));
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        std::fs::read_to_string(out).expect("it was written")
    };
    for (name, _) in DIALECTS {
        let (other, back) = (folder.path().join(name), folder.path().join(format!("{name}.back")));
        let rekeyed = rekey("surt-0.3.1", "web", &made(name), &other);
        let restored = rekey("web", "surt-0.3.1", &other, &back);
        let has_key = |line: &str| line.starts_with("http://www.example.com/about?b=1&a=2");
        assert!(rekeyed.lines().any(has_key), "{name}: {rekeyed}");
        match name {
            // Rows of JSON become lines, with a header that names their columns.
            "wayback.json" => assert_eq!(restored, format!(" CDX N b a m s k S\n{}", text("wayback.cdx"))),
            _ => assert_eq!(restored, text(name), "{name}"),
        }
    }
}

#[test]
fn each_dialect_is_read_as_urls() {
    let expected = run(["uniq".as_ref(), made("members.warc.gz.cdxj").as_os_str()]).out;
    assert_eq!(expected.lines().count(), 4);
    for (name, _) in DIALECTS {
        let ran = run(["uniq".as_ref(), made(name).as_os_str()]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), expected.as_str()), "{name}: {}", ran.err);
    }
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    for args in [vec![made("pages.jsonl")], vec!["--records".into(), "pages".into(), made("crawl.wacz")]] {
        let ran = run(["uniq".as_ref()].into_iter().chain(args.iter().map(|arg| arg.as_os_str())));
        assert_eq!(sorted(&ran.out), sorted(&expected), "{args:?}: {}", ran.err);
    }
}

#[test]
fn rows_of_json_may_be_on_one_line_or_on_many() {
    let folder = Folder::new();
    let server = text("wayback.json");
    let merge = |path: &Path| run(["cdx", "merge"].map(OsStr::new).into_iter().chain([path.as_os_str()])).out;
    let expected = merge(&made("wayback.json"));
    assert_eq!(expected, format!(" CDX N b a m s k S\n{}", text("wayback.cdx")));
    let (names, rows) = server.split_once('\n').expect("there are rows");
    let wide = format!("{names}{}", rows.replace("\",\"", "\",\n  \""));
    for (name, rows) in [("one.json", server.replace('\n', "")), ("many.json", wide)] {
        let path = folder.file(name, &rows);
        assert_eq!(merge(&path), expected, "{name}");
        let ran = run(["uniq".as_ref(), path.as_os_str()]);
        assert_eq!(
            (ran.code, ran.out),
            (Some(0), run(["uniq".as_ref(), made("wayback.json").as_os_str()]).out)
        );
        let ran = run(["cdx", "verify", "--as", "surt-0.3.1"]
            .map(OsStr::new)
            .into_iter()
            .chain([path.as_os_str()]));
        assert!(
            ran.out.contains(": CDX of 7 fields in rows of JSON, 4 lines, sorted"),
            "{} {}",
            ran.out,
            ran.err
        );
    }
}

/// A WARC file with a page, whose digest may have a space.
fn crawl(digest: &str) -> Vec<u8> {
    let fields = [
        ("WARC-Type", "response"),
        ("WARC-Target-URI", "http://example.com/a"),
        ("WARC-Date", "2026-01-02T03:04:05Z"),
        ("WARC-Payload-Digest", digest),
    ];
    warc_record(&fields, b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>hello")
}

#[cfg(unix)]
#[test]
fn a_name_that_an_index_cannot_hold_is_an_error() {
    use std::os::unix::ffi::OsStrExt;

    let folder = Folder::new();
    let odd = folder.path().join(OsStr::from_bytes(b"\xff"));
    std::fs::create_dir(&odd).expect("there is room");
    let warc = folder.file("crawl.warc", crawl("sha1:ABC"));
    let [in_odd, named_odd] = [odd.join("crawl.warc"), odd.join(OsStr::from_bytes(b"\xff.warc"))];
    std::fs::copy(&warc, &in_odd).and(std::fs::copy(&warc, &named_odd)).expect("there is room");
    let make = |args: &[&OsStr]| run([&["cdx".as_ref(), "make".as_ref()], args].concat());
    let root = ["--dir-root".as_ref(), folder.path().as_os_str()];
    let zipnum = |out: &'static [u8]| {
        ["--zipnum", "2", "-o"].map(OsStr::new).into_iter().chain([OsStr::from_bytes(out)])
    };
    for args in [
        vec![named_odd.as_os_str()],
        [&root[..], &[in_odd.as_os_str()]].concat(),
        zipnum(b"b\xff").chain([warc.as_os_str()]).collect(),
        zipnum(b"b\t").chain([warc.as_os_str()]).collect(),
    ] {
        let ran = make(&args);
        assert!(ran.code == Some(2) && ran.out.is_empty() && ran.err.contains("expected a name"), "{ran:?}");
    }
    // The name of the folder is not in the index.
    assert_eq!(make(&[in_odd.as_os_str()]).code, Some(0));
}
