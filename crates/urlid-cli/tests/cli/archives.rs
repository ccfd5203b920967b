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
