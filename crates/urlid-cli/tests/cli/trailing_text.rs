//! Text after a URL on its line, and inputs that are not what their giver means (docs/spec/lines.md).

use std::fs;

use tempfile::tempdir;

use crate::support::{urlid, urlid_on};

const ROWS: &str = "http://a.example\t5\nhttp://b.example/ 200 5120 -\nhttp://c.example/\nhttp://d.example/ https://e.example/\n";

/// All verbs that read lines of URLs, with a list and an index that they need.
#[test]
fn a_table_row_is_not_a_url() {
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
        &["uniq", "--counts", rows],
        &["count", rows],
        &["index", "add", &db, rows],
        &["index", "build", &set, rows],
        &["list", "make", rows],
    ];
    for verb in verbs {
        let ran = urlid(verb);
        assert_eq!(ran.code, Some(3), "{verb:?}: {ran:?}");
        assert!(ran.err.contains("3 lines rejected: 3 ERR_NOT_URI"), "{verb:?}: {ran:?}");
        assert!(
            ran.err.contains(":1: ERR_NOT_URI: line has text next to the URL: found it after byte 16"),
            "{ran:?}"
        );
        assert_eq!(ran.err.matches("--column-number 1").count(), 1, "{ran:?}");
        assert!(!ran.out.contains("example5") && !ran.out.contains("%20"), "{ran:?}");
    }
    // By pipe and by file, in one thread and in several, and with a scheme that is assumed.
    let canon = ["canon", "--as", "web", "--invalid", "skip"];
    let kept = "http://c.example/\n";
    assert_eq!(urlid_on(ROWS.as_bytes(), canon).out, kept);
    assert_eq!(urlid([&canon[..], &[rows]].concat()).out, kept);
    let bare = ROWS.replace("http://", "");
    let assumed = [&canon[..], &["--assume", "http"]].concat();
    assert_eq!(urlid_on(bare.as_bytes(), &assumed).out, kept);
    assert_eq!(urlid_on(ROWS.as_bytes(), &assumed).out, kept);
    // As a browser reads them.
    let keep = ["canon", "--as", "web", "--trailing-text", "keep", rows];
    assert_eq!(urlid(keep).out.lines().next(), Some("http://a.example5/"));
    // Arguments and columns are URLs as a whole.
    urlid(["canon", "--as", "web", "http://a.example\t5", "http://b.example/ 200"])
        .is_quiet(0, "http://a.example5/\nhttp://b.example/%20200\n");
    let table = urlid_on(b"url,n\nhttp://b.example/ 200,1\n", ["canon", "--as", "web", "--column", "url"]);
    table.is_quiet(0, "url,n,url_canonical\nhttp://b.example/ 200,1,http://b.example/%20200\n");
    let warc = b"WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://b.example/ 200\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
    assert_eq!(urlid_on(warc, ["canon", "--as", "web"]).out, "http://b.example/%20200\n");
}

/// Lines that begin otherwise than with `scheme://`, but are read as URLs.
#[test]
fn a_table_row_without_slashes_or_scheme_is_not_a_url() {
    let rejected = |line: &str, verb: &[&str]| {
        let ran = urlid_on(format!("{line}\n").as_bytes(), verb);
        assert!(ran.code == Some(3) && !ran.out.contains(['5', '7']), "{line}: {verb:?}: {ran:?}");
        assert!(
            ran.err.contains(":1: ERR_NOT_URI: line has text next to the URL"),
            "{line}: {verb:?}: {ran:?}"
        );
        assert_eq!(ran.err.matches("--column-number 1").count(), 1, "{line}: {verb:?}: {ran:?}");
        assert!(!ran.err.contains("has no scheme"), "{line}: {verb:?}: {ran:?}");
    };
    let folder = tempdir().expect("there is room");
    let set = folder.path().join("set").display().to_string();
    let verbs: [&[&str]; 9] = [
        &["canon", "--as", "web"],
        &["uniq"],
        &["id", "--kind", "url-hash"],
        &["parts"],
        &["uniq", "--as", "surt-0.3.1"],
        &["uniq", "--as", "w3lib-2.5", "--seen", &set],
        &["canon", "diff", "--from", "web", "--to", "crawlee-1.11"],
        &["canon", "expressions"],
        &["explain", "--as", "stix-url-2.1", "-"],
    ];
    for verb in verbs {
        for line in [
            "example.com:80\t7",
            "http:a.example\t5",
            "https:a.example/ 5",
            "http:/a.example -",
            "0\ta.example",
        ] {
            rejected(line, verb);
        }
    }
    for verb in &verbs[4..] {
        rejected("a.example 7", verb);
        rejected("example.com:80 7 http://a.example/", verb);
    }
    for form in [
        "surt-0.3.1",
        "ia-surt-1.3",
        "ia-surt-1.3-keep-www",
        "w3lib-2.4",
        "w3lib-2.5",
        "crawlee-1.11",
        "normalize-url-9",
        "normalize-url-10",
        "url-normalize-3.1",
    ] {
        rejected("a.example\t5", &["canon", "--as", form]);
        rejected("a.example 5", &["canon", "--as", form]);
        let keep = urlid_on(b"a.example/ 5\n", ["canon", "--as", form, "--trailing-text", "keep"]);
        assert!(keep.code == Some(0) && keep.out.contains('5') && keep.err.is_empty(), "{form}: {keep:?}");
        let hint = urlid_on(b"a.example/ b\n", ["canon", "--as", form]);
        assert!(
            hint.code == Some(0) && hint.err.contains("line 1 has text after its URL"),
            "{form}: {hint:?}"
        );
    }
    // URLs of other schemes may have blanks, and references are no URLs.
    urlid_on(b"tel:+1 201 555\n", ["canon", "--as", "web"]).is_quiet(0, "tel:+1 201 555\n");
    urlid_on(b"a\t5\nb 7\n", ["resolve", "https://h.example/"])
        .is_quiet(0, "https://h.example/a5\nhttps://h.example/b%207\n");
}

#[test]
fn an_input_that_is_not_a_list_gets_one_hint() {
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
    warned(b"https:a.example/ b\n", "line 1 has text after");
    warned(b"\n<!DOCTYPE html>\n<html>\n", "starts like HTML or XML");
    warned(b"<?xml version='1.0'?>\n", "starts like HTML or XML");
    warned(b"<urlset xmlns='x'>\n", "starts like HTML or XML");
    warned(b"[\n{\"url\": \"http://a.example/\"}\n]\n", "starts like JSON");
    warned(b"{\"url\": \"http://a.example/\"}\n", "starts like JSON");
    warned(
        "http://a.example/\n\u{feff}http://b.example/\n".as_bytes(),
        "line 2 starts with a byte order mark",
    );
    let late = "http://a.example/\n".repeat(2_000) + "\u{feff}http://b.example/\n";
    warned(late.as_bytes(), "line 2001 starts with a byte order mark");
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
    // Archives, their indexes and sitemaps are what they are recognised as.
    for recognised in [
        "filedesc://x.arc 0.0.0.0 20000101000000 text/plain 0\n\n\nhttp://a.example/ b 0.0.0.0 20000101000000 text/html 0\n",
        "<urlset><url><loc>http://a.example/ \u{1}b</loc></url></urlset>",
        "com,a)/ 20260102030405 {\"url\":\"http://a.example/ b\"}\n",
        "{\"format\":\"json-pages-1.0\"}\n{\"id\":\"http://a.example/\"}\n",
        "[[\"urlkey\",\"original\"],\n[\"http://a.example/ b\"]]\n",
    ] {
        let ran = urlid_on(recognised.as_bytes(), ["uniq"]);
        assert!(!ran.err.contains("hint"), "{recognised}: {ran:?}");
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
