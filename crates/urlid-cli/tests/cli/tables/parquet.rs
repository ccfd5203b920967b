//! Parquet files keep their columns and get new ones.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use urlid_io::tables::ParquetColumn;

use super::run;
use crate::support::{DOCS, DOCS_ID, Folder, dataset, urlid_on};

/// Returns a Parquet file with these URLs in a column `url`: that of a dataset.
fn table(folder: &Folder, urls: &str) -> PathBuf {
    dataset(folder, "urls", urls).join("part-00000.parquet")
}

fn values(path: &Path, column: &str) -> Vec<Option<String>> {
    let mut values = Vec::new();
    let column =
        ParquetColumn::open(File::open(path).expect("it is there"), &column.into()).expect("it has texts");
    column
        .each_value(&mut |value| {
            values.push(value.map(|text| String::from_utf8_lossy(text).into_owned()));
            ControlFlow::Continue(())
        })
        .expect("it is whole");
    values
}

#[test]
fn new_columns_come_after_the_columns_of_the_file() {
    let folder = Folder::new();
    let urls: String = (0..3000).map(|n| format!("https://www.example{}.co.uk/{n}\n", n % 9)).collect();
    let path = table(&folder, &urls);
    let out = folder.path().join("out.parquet");
    let out_name = out.to_str().expect("it is UTF-8");
    run(&["id", "-k", "sxurl,url-hash"], &["--column", "url", "--out", out_name], &path).is_quiet(0, "");
    let urls = values(&path, "url");
    assert_eq!(values(&out, "url"), urls);
    let lines: String = urls.iter().flatten().map(|url| format!("{url}\n")).collect();
    for (kind, column) in [("sxurl", "url_sxurl"), ("url-hash", "url_url_hash")] {
        let expected = urlid_on(lines.as_bytes(), ["id", "-k", kind, "-"]).out;
        let found: String = values(&out, column).iter().flatten().map(|id| format!("{id}\n")).collect();
        assert!(found == expected, "{kind}");
    }
    // Standard output is a file too, and the columns are there now.
    let ran = run(&["id"], &["--column", "url"], &out);
    assert!(
        ran.code == Some(4) && ran.err.contains("ERR_COLUMN: column `url_sxurl` exists already"),
        "{}",
        ran.err
    );
    let script = format!(
        "'{}' parts --column-number 1 '{}' > '{}'",
        env!("CARGO_BIN_EXE_urlid"),
        path.display(),
        out.display()
    );
    let status = std::process::Command::new("sh").args(["-c", &script]).status().expect("there is a shell");
    assert!(status.success());
    let domains = values(&out, "url_registered_domain");
    assert!(domains.len() == 3000 && domains.iter().flatten().all(|name| name.starts_with("example")));
}

#[test]
fn rejected_rows_have_nulls_and_are_reported_by_row() {
    let folder = Folder::new();
    let path = table(&folder, "https://a.com:99/\nhttps://a.com/\nhttps://b.com/#x\n");
    let out = folder.path().join("out.parquet");
    let out_name = out.to_str().expect("it is UTF-8");
    // The second run reads what the first one made: the decimal words of an identifier are not a URL.
    let split = run(&["parts", "--get", "{query:none}"], &["--column", "url", "--out", out_name], &path);
    assert_eq!((split.code, split.err.as_str()), (Some(0), ""));
    assert_eq!(values(&out, "url_get"), vec![Some(String::new()); 3]);
    let again = folder.path().join("again.parquet");
    let again_name = again.to_str().expect("it is UTF-8");
    run(&["id"], &["--column", "url_get", "--out", again_name], &out).is_quiet(0, "");
    assert_eq!(values(&again, "url_get_sxurl"), [None, None, None], "an empty value has none");

    run(&["id", "-k", "url-very-short-hash"], &["--column", "url", "--out", out_name], &path).is_quiet(0, "");
    let column = ["--column", "url_url_very_short_hash", "--column", "url"];
    let ran = run(&["id"], &[&column[..], &["--out", again_name]].concat(), &out);
    assert_eq!(ran.code, Some(3));
    let said = format!("{}:3: ERR_INVALID_SCHEME: ", out.display());
    assert!(ran.err.lines().nth(2).is_some_and(|line| line.starts_with(&said)), "{}", ran.err);
    assert_eq!(values(&again, "url_url_very_short_hash_sxurl"), [None, None, None]);
    assert!(values(&again, "url_sxurl").iter().all(Option::is_some));
    let skip = ["--prefix", "x", "--invalid", "skip", "--out", again_name];
    let ran = run(&["id"], &[&column[..2], &skip].concat(), &out);
    assert_eq!((ran.code, &*ran.err), (Some(0), "urlid: 3 lines skipped: 3 ERR_INVALID_SCHEME\n"));
    assert_eq!(values(&again, "url"), Vec::<Option<String>>::new());
    let report = ["--prefix", "x", "--invalid", "ignore", "--out", again_name];
    assert_eq!(run(&["id"], &[&column[..2], &report].concat(), &out).code, Some(0));
}

#[test]
fn a_column_by_an_unknown_compression_is_an_error() {
    let folder = Folder::new();
    let bytes = std::fs::read(table(&folder, &format!("{DOCS}\n"))).expect("it is there");
    let out = folder.path().join("out.parquet");
    let out_name = out.to_str().expect("it is UTF-8");
    // The footer has the number of the compression after the path of the column: 6 is ZSTD, twice that as it
    // is written.
    let place = memchr::memmem::rfind(&bytes, b"\x03url\x15\x0c").expect("it is ZSTD") + 5;
    // LZO, and a method that is not the one of the page.
    for (number, message) in [
        (3, "it is compressed by LZO, expected no compression, SNAPPY, GZIP, ZSTD, BROTLI, LZ4 or LZ4_RAW"),
        (2, "its GZIP data is damaged: "),
        (4, "its BROTLI data is damaged: "),
        (7, "its LZ4_RAW data is damaged: "),
    ] {
        let mut bytes = bytes.clone();
        bytes[place] = number * 2;
        let path = folder.file("unknown.parquet", &bytes);
        let ran = run(&["id"], &["--column", "url", "--out", out_name], &path);
        assert!(ran.code == Some(4) && ran.err.contains(message), "{:?}: {}", ran.code, ran.err);
        assert!(!out.exists());
    }
}

#[test]
fn a_damaged_file_leaves_no_output() {
    let folder = Folder::new();
    let path = table(&folder, &format!("{DOCS}\n"));
    let whole = std::fs::read(&path).expect("it is there");
    let mut bytes = whole.clone();
    bytes[6..40].fill(0xff);
    let bad = folder.file("bad.parquet", &bytes);
    let cut = folder.file("cut.parquet", &whole[..whole.len() - 1]);
    let out = folder.path().join("out.parquet");
    let out_name = out.to_str().expect("it is UTF-8");
    for path in [&bad, &cut] {
        let ran = run(&["id"], &["--column", "url", "--out", out_name], path);
        assert!(ran.code == Some(4) && ran.err.contains(": ERR_TABLE: ") && !out.exists(), "{}", ran.err);
    }
    run(&["id"], &["--column", "url", "--out", out_name], &path).is_quiet(0, "");
    assert_eq!(values(&out, "url_sxurl"), [Some(DOCS_ID.to_owned())]);
    let ran = urlid_on(&whole, ["id", "--column", "url", "--input-format", "parquet", "-"]);
    assert!(ran.code == Some(2) && ran.err.contains("a Parquet file must be given by name"), "{}", ran.err);
    let index = folder.path().join("index.db");
    for verb in [&["id"][..], &["index", "add", index.to_str().expect("it is UTF-8")]] {
        let ran = urlid_on(&whole, verb.iter().chain(&["--column", "url", "-"]));
        assert!(
            ran.code == Some(4) && ran.err.contains(": ERR_TABLE: stream has a Parquet file"),
            "{}",
            ran.err
        );
    }
}

/// Returns the path of a file that `make.py` made by pyarrow.
fn made(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/tables").join(name)
}

#[test]
fn the_index_of_common_crawl_is_read_unchanged() {
    let folder = Folder::new();
    let out = folder.path().join("out.parquet");
    let out_name = out.to_str().expect("it is UTF-8");
    // In the nested schema the parts are in groups, in the flat one they have the names that the new columns
    // would have.
    for (file, column, prefix, index_has) in [
        ("crawl-nested.parquet", "url.url", "url_url", "url.host."),
        ("crawl-flat.parquet", "url", "own", "url_host_"),
    ] {
        let mut options = vec!["--column", column, "--out", out_name];
        if prefix == "own" {
            options.extend(["--prefix", prefix]);
        }
        run(&["parts", "--as", "cc-host-2026-05"], &options, &made(file)).is_quiet(0, "");
        for part in ["name", "registry_suffix", "registered_domain", "private_suffix", "private_domain"] {
            let expected = values(&made(file), &format!("{index_has}{part}"));
            assert_eq!(expected.len(), 3);
            assert_eq!(values(&out, &format!("{prefix}_host_{part}")), expected, "{file} {part}");
        }
    }
    let ran = run(&["parts", "--as", "cc-host-2026-05"], &["--column", "url"], &made("crawl-flat.parquet"));
    assert_eq!(ran.code, Some(4), "{}", ran.err);
    assert!(ran.err.contains("column `url_host_name` exists already"), "{}", ran.err);
}

#[test]
fn pages_by_other_writers_are_read_and_extended() {
    let folder = Folder::new();
    let out = folder.path().join("out.parquet");
    let out_name = out.to_str().expect("it is UTF-8");
    let urls: Vec<_> = (0..40).map(|number| Some(format!("https://example.com/{}", number % 7))).collect();
    for name in ["brotli.parquet", "lz4.parquet"] {
        assert_eq!(values(&made(name), "url"), urls, "{name}");
        run(&["canon", "--as", "web"], &["--column", "url", "--out", out_name], &made(name)).is_quiet(0, "");
        assert_eq!(values(&out, "url_canonical"), urls, "{name}");
        assert_eq!(values(&out, "url"), urls, "{name}");
    }
}
