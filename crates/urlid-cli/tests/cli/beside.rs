//! Text beside a URL on its line, and inputs that are not what their giver means (docs/spec/lines.md).

use std::fs;

use tempfile::tempdir;

use crate::support::{urlid, urlid_on};

const ROWS: &str = "http://a.example\t5\nhttp://b.example/ 200 5120 -\nhttp://c.example/\nhttp://d.example/ https://e.example/\n";

/// All verbs that read lines of URLs, with a list and an index that they need.
#[test]
fn a_row_of_a_table_is_no_url() {
    let folder = tempdir().expect("there is room");
    let rows = folder.path().join("rows");
    fs::write(&rows, ROWS).expect("there is room");
    let rows = rows.to_str().expect("it is text");
    let [db, set] = ["x.db", "set"].map(|name| folder.path().join(name).display().to_string());
    let verbs: [&[&str]; 11] = [
        &["canon", "--as", "web", rows],
        &["canon", "--as", "surt-0.3.1", rows],
        &["id", rows],
        &["id", "--kind", "url-hash,hashed-uri", rows],
        &["parts", rows],
        &["uniq", rows],
        &["uniq", "--count", rows],
        &["count", rows],
        &["index", "add", &db, rows],
        &["index", "build", &set, rows],
        &["list", "make", rows],
    ];
    for verb in verbs {
        let ran = urlid(verb);
        assert_eq!(ran.code, Some(3), "{verb:?}: {ran:?}");
        assert!(ran.err.contains("3 lines refused: 3 ERR_NOT_URI"), "{verb:?}: {ran:?}");
        assert!(
            ran.err.contains(":1: ERR_NOT_URI: text is beside the URL: found it after byte 16"),
            "{ran:?}"
        );
        assert_eq!(ran.err.matches("--column-number 1").count(), 1, "{ran:?}");
        assert!(!ran.out.contains("example5") && !ran.out.contains("%20"), "{ran:?}");
    }
    // By pipe and by file, in one thread and in several, and with a scheme that is assumed.
    let canon = ["canon", "--as", "web", "--on-refused", "skip"];
    let kept = "http://c.example/\n";
    assert_eq!(urlid_on(ROWS.as_bytes(), canon).out, kept);
    assert_eq!(urlid([&canon[..], &[rows]].concat()).out, kept);
    let bare = ROWS.replace("http://", "");
    let assumed = [&canon[..], &["--assume", "http"]].concat();
    assert_eq!(urlid_on(bare.as_bytes(), &assumed).out, kept);
    assert_eq!(urlid_on(ROWS.as_bytes(), &assumed).out, kept);
    // As a browser reads them.
    let keep = ["canon", "--as", "web", "--text-beside", "keep", rows];
    assert_eq!(urlid(keep).out.lines().next(), Some("http://a.example5/"));
    // Arguments and columns are URLs as a whole.
    urlid(["canon", "--as", "web", "http://a.example\t5", "http://b.example/ 200"])
        .is_quiet(0, "http://a.example5/\nhttp://b.example/%20200\n");
    let table = urlid_on(b"url,n\nhttp://b.example/ 200,1\n", ["canon", "--as", "web", "--column", "url"]);
    table.is_quiet(0, "url,n,url_canonical\nhttp://b.example/ 200,1,http://b.example/%20200\n");
    let warc = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://b.example/ 200\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    assert_eq!(urlid_on(warc, ["canon", "--as", "web"]).out, "http://b.example/%20200\n");
}

#[test]
fn a_list_matches_both_readings() {
    let folder = tempdir().expect("there is room");
    let list = folder.path().join("list");
    let list = list.to_str().expect("it is text");
    let domains = "bad.example\nworse.example5\n";
    assert_eq!(
        urlid_on(domains.as_bytes(), ["list", "make", "--from", "domains", "-o", list, "-"]).code,
        Some(0)
    );
    let lines = "http://bad.example\t1\nhttp://bad.example/ 200\nhttp://worse.example\t5\nhttp://ok.example\t1\n\
                 http://ok.example 7\nhttp://ok.example/ http://bad.example/\n";
    let ran = urlid_on(lines.as_bytes(), ["list", "match", "--only-matching", "--urls", list]);
    ran.is_quiet(0, "http://bad.example\t1\nhttp://bad.example/ 200\nhttp://worse.example\t5\n");
    let ran = urlid_on(lines.as_bytes(), ["list", "match", "--count", list]);
    ran.is_quiet(0, "3\n");
    let bare = lines.replace("http://", "");
    let ran = urlid_on(bare.as_bytes(), ["list", "match", "--count", "--assume", "http", list]);
    ran.is_quiet(0, "3\n");
    let keep = ["list", "match", "--only-matching", "--urls", "--text-beside", "keep", list];
    let ran = urlid_on(lines.as_bytes(), keep);
    assert_eq!(ran.out, "http://bad.example/ 200\nhttp://worse.example\t5\n");
    assert_eq!(ran.code, Some(3), "a host with a blank has no canonical form: {ran:?}");
}

#[test]
fn what_is_not_a_list_is_said_once() {
    let warned = |input: &[u8], reason: &str| {
        let ran = urlid_on(input, ["uniq"]);
        let hints: Vec<&str> = ran.err.lines().filter(|line| line.contains("hint: ")).collect();
        assert_eq!(hints.len(), 1, "{ran:?}");
        assert!(hints[0].contains(reason), "{ran:?}");
    };
    let wpull =
        "http://h.example/1.gif 1459376733 - - WQ26 1092 219055 h.warc.gz <urn:uuid:f66d>\n".repeat(20);
    warned(wpull.as_bytes(), "line 1 has text after its URL");
    warned(b"http://a.example/\nhttp://a.example/ # a\nhttp://a.example/ # b\n", "line 2 has text after");
    warned(b"\n<!DOCTYPE html>\n<html>\n", "begins like HTML or XML");
    warned(b"<?xml version='1.0'?>\n", "begins like HTML or XML");
    warned(b"<urlset xmlns='x'>\n", "begins like HTML or XML");
    warned(b"[\n{\"url\": \"http://a.example/\"}\n]\n", "begins like JSON");
    warned(b"{\"url\": \"http://a.example/\"}\n", "begins like JSON");
    warned(
        "http://a.example/\n\u{feff}http://b.example/\n".as_bytes(),
        "line 2 begins with a byte order mark",
    );
    let late = "http://a.example/\n".repeat(2_000) + "\u{feff}http://b.example/\n";
    warned(late.as_bytes(), "line 2001 begins with a byte order mark");
    warned(
        b"http://a.example/\nbad.example:8080/x\nworse.example:443\n",
        "with --assume https it is read as",
    );
    for fine in
        ["<http://a.example/>", "[::1]/", "tel:911", "C:\\a", "http://a.example:80/", "\u{feff}http://a/"]
    {
        let ran = urlid_on(format!("{fine}\nhttp://b.example/\n").as_bytes(), ["uniq"]);
        assert!(!ran.err.contains("hint"), "{fine}: {ran:?}");
    }
    let ran = urlid(["canon", "--as", "web", "bad.example:8080/x"]);
    assert!(ran.err.contains("with --assume https it is read as https://bad.example:8080/x"), "{ran:?}");
}

/// Line ends and encodings, as a file and as a pipe, in all sizes of its parts.
#[test]
fn a_list_of_any_system_is_a_list() {
    let folder = tempdir().expect("there is room");
    let path = folder.path().join("list");
    let urls: Vec<String> =
        (0..20_000).map(|n| format!("https://h{n}.example/{}", "x".repeat(n % 60))).collect();
    let expected = urls.join("\n") + "\n";
    let utf16 = |bytes: fn(u16) -> [u8; 2]| {
        let text = format!("\u{feff}{}\r\n", urls.join("\r\n"));
        text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()
    };
    for list in [
        urls.join("\r").into_bytes(),
        (urls.join("\r") + "\r").into_bytes(),
        (urls.join("\r\n") + "\r\n").into_bytes(),
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
    ] {
        fs::write(&path, &list).expect("there is room");
        let file = path.to_str().expect("it is text");
        urlid(["canon", "--as", "web", file]).is_quiet(0, &expected);
        urlid_on(&list, ["canon", "--as", "web"]).is_quiet(0, &expected);
        urlid(["count", "--records", "none", file]).is_quiet(0, "20000\n");
        fs::write(&path, [urlid_testing::gzip(&list), vec![0; 512]].concat()).expect("there is room");
        urlid(["canon", "--as", "web", file]).is_quiet(0, &expected);
    }
    let table = urlid_on(
        b"url,n\rhttps://a.example/,1\rhttps://b.example/,2",
        ["canon", "--as", "web", "--column", "url"],
    );
    table.is_quiet(0, "url,n,url_canonical\nhttps://a.example/,1,https://a.example/\nhttps://b.example/,2,https://b.example/");
    let utf32: Vec<u8> =
        "\u{feff}https://a.example/\n".chars().flat_map(|it| u32::from(it).to_le_bytes()).collect();
    let ran = urlid_on(&utf32, ["uniq"]);
    assert!(ran.code == Some(4) && ran.err.contains("UTF-32"), "{ran:?}");
}

#[test]
fn a_table_that_is_none_says_so() {
    let id = |input: &str, more: &[&str]| {
        let ran = urlid_on(input.as_bytes(), [&["id", "--column", "url"], more].concat());
        assert_eq!(ran.code, Some(4), "{ran:?}");
        ran.err
    };
    for (input, expected) in [
        (
            "url;n\r\nhttps://a.example/;1\r\n",
            "no column `url` with the delimiter `,`: expected the delimiter `;`",
        ),
        ("n|url\n1|https://a.example/\n", "expected the delimiter `|`"),
        ("sep=;\r\nurl;n\r\n", "found the line `sep=;`"),
        (
            "[\n {\"url\": \"https://a.example/\"}\n]\n",
            "found a JSON array, expected an object on each line (ndjson)",
        ),
        ("[{\"url\": \"https://a.example/\"}]\n", "found a JSON array"),
        ("<table><tr><td>url\n", "found HTML or XML"),
        ("[url],n\n", "no column `url`: found `[url]`, `n`"),
    ] {
        let err = id(input, &[]);
        assert!(err.contains(expected), "{err}");
    }
    assert!(id("sep=;\r\nurl;n\r\n", &["--delimiter", ";"]).contains("found the line `sep=`"));
    assert!(id("a,url\n", &["--delimiter", ";"]).contains("expected the delimiter `,`"));
}
