//! Tables out of an index and into one: what was exported and is added again is the same.

use std::ffi::OsStr;
use std::path::Path;

use super::{Index, PAIR};
use urlid_testing::gzip;

use crate::support::{DOCS, Folder, dataset, urlid};

/// URLs that differ in every part, two that share an identifier, and texts that need care in a table.
fn lines() -> String {
    let mut lines: String = (0..2_000)
        .map(|n| format!("http://h{}.example{}.com:{}/{n}?{}#{}\n", n % 3, n % 17, 80 + n % 2, n % 7, n % 11))
        .collect();
    lines.push_str(&PAIR.join("\n"));
    lines.push_str("\nhttps://a.com/\"quoted\",\"\"\nhttps://a.com/a,b\nhttps://a.com/\u{fc}x\n");
    lines
}

fn add(index: &Path, files: &[&Path], args: &[&str]) -> crate::support::Ran {
    let verb = [OsStr::new("index"), "add".as_ref(), index.as_os_str()];
    let files = files.iter().map(|file| file.as_os_str());
    urlid(verb.into_iter().chain(files).chain(args.iter().map(OsStr::new)))
}

/// Asserts that an index made of files is the one that they came from.
#[track_caller]
fn same(index: &Index, files: &[&Path], args: &[&str]) {
    let again = index.folder.path().join("again");
    let ran = add(&again, files, &[args, &["--quiet"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{}", ran.out);
    let rows =
        |path: &Path| urlid([OsStr::new("index"), "find".as_ref(), path.as_os_str(), "--ids".as_ref()]);
    assert_eq!(rows(&again), rows(&index.path));
    std::fs::remove_file(&again).expect("it is there");
}

#[test]
fn exported_and_added_again_is_the_same() {
    let index = Index::new(&lines());
    for (format, args) in [("csv", &["--column", "url"][..]), ("urls", &[])] {
        let ran = index.run("export", &["--format", format]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{format}");
        same(&index, &[&index.folder.file(format, &ran.out)], args);
        same(&index, &[&index.folder.file(format, gzip(ran.out.as_bytes()))], args);
    }
    // A dataset of the index is a table too, by its folder and by its file.
    let dataset = index.folder.path().join("dataset");
    let build = |more: &[&str]| {
        let args = [OsStr::new("index"), "build".as_ref(), dataset.as_os_str()];
        let more = more.iter().map(OsStr::new);
        urlid(args.into_iter().chain([index.path.as_os_str()]).chain(more))
    };
    for more in [&[][..], &["--ids"]] {
        assert_eq!(build(more).code, Some(0));
        same(&index, &[&dataset], &["--column", "url"]);
        same(&index, &[&dataset.join("part-00000.parquet")], &["--column", "url"]);
        std::fs::remove_dir_all(&dataset).expect("it is there");
    }
    // A CR, which ends a line.
    let with_cr = Index::new("");
    assert_eq!(with_cr.run("add", &["https://a.com/\rx"]).code, Some(0));
    let csv = with_cr.run("export", &["--format", "csv"]).out;
    same(&with_cr, &[&with_cr.folder.file("csv", &csv)], &["--column", "url"]);
    let ran = index.run("export", &["--format", "ndjson"]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(0), 2005));
}

#[test]
fn a_sqlite_file_has_readable_columns_and_does_not_replace_a_file() {
    let index = Index::new("https://www.example.co.uk:8443/a?q#f\nhttp://1.2.3.4/\nmailto:a@b\n");
    let out = index.folder.path().join("readable.db");
    let name = out.to_str().expect("is text");
    let export = || index.run("export", &["--format", "sqlite", "--out", name]);
    export().is_quiet(0, &format!("{name}: 3 rows\n"));
    let before = std::fs::read(&out).expect("it is there");
    let ran = export();
    assert!(
        ran.code == Some(4) && ran.err.starts_with("urlid: ERR_IO: file cannot be created"),
        "{}",
        ran.err
    );
    assert_eq!(std::fs::read(&out).expect("it is there"), before);
    let ran = index.run("export", &["--format", "sqlite", "--out", "/dev/null"]);
    assert!(ran.code == Some(4) && ran.err.contains("found a device"), "{}", ran.err);
}

#[test]
fn a_table_that_cannot_be_read_is_named_and_the_next_one_is_read() {
    let folder = Folder::new();
    let whole =
        std::fs::read(dataset(&folder, "urls", DOCS).join("part-00000.parquet")).expect("it is there");
    let good = folder.file("good.csv", "url\nhttps://good.com/\n");
    let mut claims = whole.clone();
    let end = claims.len() - 8;
    claims[end..end + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let table: [(&str, &[u8], &str, &str); 6] = [
        ("id", &whole, "url ", "no column `url `: found `url`, `host_key`, `host`"),
        (
            "cut",
            &whole[..whole.len() - 1],
            "url",
            "ERR_TABLE: not a complete Parquet file: expected `PAR1` at its end",
        ),
        ("claims", &claims, "url", "ERR_TABLE: footer is damaged: it claims 4294967295 bytes in a file of"),
        ("kind", &whole, "sx_port", "ERR_COLUMN: column `sx_port` does not hold texts: found INT32"),
        ("empty", b"", "url", "ERR_TABLE: names of columns are missing"),
        (
            "quote",
            b"url\nhttps://first.com/\n\"x",
            "url",
            "ERR_TABLE: quote is not closed: found the end of the input in the record of line 3",
        ),
    ];
    for (name, bytes, column, message) in table {
        let (index, bad) = (folder.path().join("index"), folder.file(name, bytes));
        let ran = add(&index, &[&bad, &good], &["--column", column, "--format", "csv"]);
        assert_eq!(ran.code, Some(4), "{name}: {}", ran.err);
        let place = format!("urlid: {}: ", bad.display());
        let line = ran.err.lines().next().unwrap_or_default();
        assert!(line.starts_with(&place) && line.contains(message), "{name}: {}", ran.err);
        let rows = 1 + usize::from(name == "quote");
        let expected = if column == "url" {
            format!("{rows},0,0,{rows},{rows},0,0")
        } else {
            "0,0,0,0,0,0,0".to_owned()
        };
        assert_eq!(ran.out.lines().nth(1), Some(expected.as_str()), "{name}");
        // Of a column that is not there no index is left.
        assert_eq!(index.exists(), column == "url", "{name}");
        if index.exists() {
            std::fs::remove_file(&index).expect("it is there");
        }
    }
}

#[test]
fn a_damaged_page_is_an_error_after_the_rows_before_it() {
    let folder = Folder::new();
    let file = dataset(&folder, "urls", &lines()).join("part-00000.parquet");
    let mut bytes = std::fs::read(&file).expect("it is there");
    // The first page begins behind the magic number, with the lengths of its texts.
    bytes[200..260].fill(0xff);
    let bad = folder.file("bad.parquet", bytes);
    let again = folder.path().join("again");
    let ran = add(&again, &[&bad], &["--column", "url"]);
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    let message = ran.err.lines().find(|line| line.contains("ERR_TABLE: row group 0 cannot be read: "));
    assert!(message.is_some_and(|line| line.ends_with(" rows were read before")), "{}", ran.err);
}

#[test]
fn an_index_is_not_read_as_lines_into_itself() {
    let index = Index::new(&lines());
    let ran = add(&index.path, &[&index.path], &[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.ends_with(": found an index, expected lines of URLs\n"), "{}", ran.err);
}
