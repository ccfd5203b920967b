//! What the arguments of `index add` are: URLs, files and `-`; and what is left of those that cannot be read.

use super::Index;
use crate::support::{DOCS, Folder, Ran, command, finish, urlid_on};

fn new() -> Index {
    let folder = Folder::new();
    let path = folder.path().join("urls.db");
    Index { folder, path }
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).expect("it is there");
    entries.map(|entry| entry.expect("it is there").file_name().to_string_lossy().into_owned()).collect()
}

/// Runs `index add` in the folder of the index.
fn add_there(index: &Index, args: &[&str]) -> Ran {
    finish(command().current_dir(index.folder.path()).args(index.args("add", args)))
}

#[test]
fn urls_files_and_standard_input_can_be_mixed() {
    let index = new();
    let file = index.folder.file("urls.txt", "https://b.com/\n");
    let file = file.to_str().expect("is text");
    let args = ["https://a.com/", file, "-", "mailto:x", "HTTPS://A.com"];
    let ran = urlid_on(b"https://c.com/\n", index.args("add", &args));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    index.run("count", &[]).is_quiet(0, "4\n");
    let index = new();
    let ran = index.run("add", &["https://a.com/", "http://[", "--quiet"]);
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    index.run("count", &[]).is_quiet(0, "1\n");
}

#[test]
fn a_url_comes_before_a_file_of_its_name_and_says_so() {
    let index = new();
    index.folder.file("http:urls", DOCS);
    let ran = add_there(&index, &["http:urls"]);
    let said = "urlid: http:urls: read as a URL; the file of this name is ./http:urls\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), said));
    index.run("find", &[]).is_quiet(0, "http://urls/\n");
    let index = new();
    index.folder.file("http:urls", DOCS);
    assert_eq!(add_there(&index, &["./http:urls"]).code, Some(0));
    index.run("find", &[]).is_quiet(0, &format!("{DOCS}\n"));
    // A table is a file in any case.
    let ran = add_there(&index, &["https://a.com/", "--column", "url"]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.err.starts_with("urlid: https://a.com/: ERR_IO: cannot read: "), "{}", ran.err);
    assert!(!ran.err.contains("scheme"), "{}", ran.err);
}

#[test]
fn of_a_file_that_cannot_be_read_no_index_is_left() {
    for more in [&[][..], &["--index", "path"], &["--column", "url"]] {
        let index = new();
        let ran = index.run("add", &[&["no-such-file", "."], more].concat());
        assert_eq!(ran.code, Some(4), "{more:?}: {}", ran.err);
        assert!(ran.err.contains("urlid: no-such-file: ERR_IO: cannot read: "), "{}", ran.err);
        assert!(names(&index.folder).is_empty(), "{more:?}: {:?}", names(&index.folder));
    }
    // What can be read beside it is done, and an index that is there stays.
    let index = new();
    assert_eq!(index.run("add", &["no-such-file", DOCS]).code, Some(4));
    assert_eq!(index.run("add", &["no-such-file"]).code, Some(4));
    index.run("count", &[]).is_quiet(0, "1\n");
    // An input without lines makes an index without rows.
    let index = new();
    assert_eq!(index.add(b"", &[]).code, Some(0));
    index.run("count", &[]).is_quiet(1, "0\n");
}

#[test]
fn what_is_missing_is_told_by_how_it_is_written() {
    let index = new();
    for (argument, hint) in [
        ("no-such-file", " (a URL begins with its scheme; a reference is read from a file or `-`)\n"),
        ("docs.rs/a", " (no scheme: did you mean https://docs.rs/a?)\n"),
        ("c:/urls.txt", "No such file or directory (os error 2)\n"),
    ] {
        let ran = index.run("add", &[argument]);
        assert!(ran.code == Some(4) && ran.err.ends_with(hint), "{argument}: {}", ran.err);
    }
    let ran = crate::support::urlid(["id", "-f", "https://docs.rs/"]);
    assert!(ran.code == Some(4) && !ran.err.contains("scheme"), "{}", ran.err);
}
