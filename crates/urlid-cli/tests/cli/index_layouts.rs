//! `cdx make --layout` and `--dir-root`: indexes of CDX, and files that are named by paths.

use urlid_testing::warc_record;

use crate::support::{Folder, urlid};

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

#[test]
fn an_index_has_the_columns_of_its_layout_and_every_verb_reads_it() {
    let folder = Folder::new();
    let bytes = crawl("sha1:ABC");
    let warc = folder.file("crawl.warc", &bytes);
    let warc = warc.to_str().expect("UTF-8");
    // Without the two empty lines behind the record.
    let length = bytes.len() - 4;
    let lines = [
        ("cdx-9", " CDX N b a m s k r V g", "ABC - 0 crawl.warc".to_owned()),
        ("cdx-11", " CDX N b a m s k r M S V g", format!("ABC - - {length} 0 crawl.warc")),
    ];
    for (layout, header, rest) in lines {
        let out = folder.path().join(layout);
        let out = out.to_str().expect("UTF-8");
        let line = format!("com,example)/a 20260102030405 http://example.com/a text/html 200 {rest}");
        urlid(["cdx", "make", "--layout", layout, warc]).is_quiet(0, &format!("{header}\n{line}\n"));
        urlid(["cdx", "make", "--layout", layout, warc, "--out", out]).is_quiet(0, "");
        assert_eq!(urlid(["cdx", "verify", out]).code, Some(0), "{layout}");
        urlid(["cdx", "find", out, "http://example.com/a"]).is_quiet(0, &format!("{line}\n"));
        urlid(["canon", "--as", "web", out]).is_quiet(0, "\nhttp://example.com/a\n");
    }
}

#[test]
fn a_field_that_cdx_cannot_hold_is_refused_and_cdxj_holds_it() {
    let folder = Folder::new();
    let warc = folder.file("crawl.warc", crawl("sha1:A B"));
    let warc = warc.to_str().expect("UTF-8");
    let ran = urlid(["cdx", "make", "--layout", "cdx-11", warc]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), " CDX N b a m s k r M S V g\n"), "{ran:?}");
    assert!(ran.err.contains("ERR_ARCHIVE: field has a space or a line end"), "{}", ran.err);
    assert_eq!(urlid(["cdx", "make", warc]).code, Some(0));
}

#[test]
fn files_are_named_by_their_paths_from_a_directory() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path().join("a/b")).expect("there is room");
    let warc = folder.file("a/b/crawl.warc", crawl("sha1:ABC"));
    let warc = warc.to_str().expect("UTF-8");
    for (root, expected) in [("", "a/b/crawl.warc"), ("a", "b/crawl.warc"), ("c/d", "../../a/b/crawl.warc")] {
        let root = folder.path().join(root);
        let ran = urlid(["cdx", "make", "--dir-root", root.to_str().expect("UTF-8"), warc]);
        assert!(ran.out.contains(&format!("\"filename\": \"{expected}\"")), "{}", ran.out);
    }
}
