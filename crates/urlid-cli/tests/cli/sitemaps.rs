//! Sitemaps and bookmarks, wherever lines are read.

use urlid_testing::gzip;

use crate::support::{DOCS, DOCS_ID, Folder, urlid, urlid_on};

/// A sitemap of three locations, of which the second has an unknown entity.
const SITEMAP: &str = "<?xml version='1.0' encoding='UTF-8'?>\n\
    <urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n\
    <url><loc>https://docs.rs/</loc></url>\n\
    <url><loc>https://docs.rs/&nbsp;</loc></url>\n\
    <url><loc>https://docs.rs/?a&amp;b</loc></url>\n\
    </urlset>\n";

const BOOKMARKS: &str = "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n    <DT><A HREF=\"https://docs.rs/\">Docs</A>\n\
    <DT><A HREF=\"place:sort=8\">Most</A>\n</DL><p>\n";

const REJECTED: &str =
    "2: ERR_ARCHIVE: location is not a text: found a tag or an entity that XML does not define";

#[test]
fn every_verb_reads_the_locations_of_a_sitemap() {
    let folder = Folder::new();
    let plain = folder.file("sitemap.xml", SITEMAP);
    let stored = folder.file("map.xml.gz", gzip(SITEMAP.as_bytes()));
    let good = "https://docs.rs/\nhttps://docs.rs/?a&b\n";
    for path in [&plain, &stored] {
        let path = path.to_str().expect("it is UTF-8");
        let check = |args: &[&str], out: &str| {
            let ran = urlid([args, &["--invalid", "skip", path]].concat());
            assert_eq!((ran.code, ran.out.as_str()), (Some(0), out), "{args:?}: {}", ran.err);
        };
        check(&["canon", "--as", "web"], good);
        check(&["uniq"], good);
        check(&["parts", "--get", "{host}"], "docs.rs\ndocs.rs\n");
        check(&["count", "--by", "host"], "docs.rs\t2\n");
        let ran = urlid(["id", "--format", "csv", path]);
        assert_eq!(ran.code, Some(3), "{}", ran.err);
        assert!(ran.out.contains(&format!("{DOCS},{DOCS_ID},\n")), "{}", ran.out);
        assert!(ran.err.starts_with(&format!("{path}:{REJECTED}\n")), "{}", ran.err);
        // The way without chunks rejects the same.
        let ran = urlid(["id", "--kind", "sxurl,sxurl", "--format", "ndjson", path]);
        assert!(ran.code == Some(3) && ran.err.starts_with(&format!("{path}:{REJECTED}\n")), "{}", ran.err);
        let index = folder.path().join("urls.db");
        let index = index.to_str().expect("it is UTF-8");
        let ran = urlid(["index", "add", index, path]);
        let said = "3 lines, 0 blank, 1 rejected, 2 taken";
        assert!(ran.code == Some(3) && ran.out.contains(said), "{}", ran.out);
    }
    let ran = urlid_on(SITEMAP.as_bytes(), ["canon", "--as", "web"]);
    assert!(ran.code == Some(3) && ran.out.contains("?a&b"), "{}", ran.out);
    assert!(ran.err.starts_with(&format!("-:{REJECTED}\n")), "{}", ran.err);
}

#[test]
fn the_links_of_bookmarks_are_judged_like_lines() {
    let ran = urlid_on(BOOKMARKS.as_bytes(), ["id"]);
    assert!(ran.code == Some(3) && ran.out.starts_with(&format!("{DOCS_ID}\n")), "{ran:?}");
    assert!(ran.err.starts_with("-:2: ERR_INVALID_SCHEME: "), "{}", ran.err);
    urlid_on(BOOKMARKS.as_bytes(), ["canon", "--as", "web"]).is_quiet(0, "https://docs.rs/\nplace:sort=8\n");
}

#[test]
fn a_malformed_sitemap_is_reported_after_its_locations_and_the_next_file_is_read() {
    let folder = Folder::new();
    let bad = folder.file("bad.xml", SITEMAP.replace("&nbsp;</loc>", "</url>"));
    let good = folder.file("good.html", BOOKMARKS);
    let args = ["canon", "--as", "web"].map(std::ffi::OsStr::new);
    let ran = urlid(args.into_iter().chain([bad.as_os_str(), good.as_os_str()]));
    let out = "https://docs.rs/\nhttps://docs.rs/\nplace:sort=8\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), out), "{}", ran.err);
    let said =
        "bad.xml: ERR_ARCHIVE: sitemap is malformed at byte 171: an end tag is not that of the open element";
    assert!(ran.err.contains(said), "{}", ran.err);
}

#[test]
fn a_sitemap_is_not_a_table_and_can_be_read_as_text() {
    for (text, name) in [(SITEMAP, "a sitemap"), (BOOKMARKS, "a list of bookmarks")] {
        let ran = urlid_on(text.as_bytes(), ["id", "--column", "loc"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(4), ""), "{}", ran.err);
        let said = format!("ERR_FILE_KIND: not lines of text: found {name}");
        assert!(ran.err.contains(&said) && ran.err.contains("(without --column, the URLs of"), "{}", ran.err);
        let lines = ["canon", "--as", "web", "--records", "none", "--invalid", "skip"];
        let ran = urlid_on(format!("{text}{DOCS}\n").as_bytes(), lines);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "https://docs.rs/\n"), "{}", ran.err);
    }
}
