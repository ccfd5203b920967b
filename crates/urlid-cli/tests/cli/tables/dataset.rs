//! The folder of a dataset is a table, its files one after the other.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use urlid_store::dataset::{DESCRIPTION_FILE, SUFFIX_LIST_FILE, join};

use super::run;
use crate::support::{Folder, dataset, urlid};

const COM: &str = "http://a.com/\nhttps://www.a.com/x\nhttp://b.com/\n";
const ORG: &str = "http://a.org/\nhttps://www.a.org/x\n";

/// Makes a dataset of two files.
fn of_two_files(folder: &Folder) -> PathBuf {
    let folders = [dataset(folder, "com", COM), dataset(folder, "org", ORG)];
    let texts = folders.each_ref().map(|path| fs::read(path.join(DESCRIPTION_FILE)).expect("it is there"));
    let joined = join(&texts).expect("they are alike");
    let target = folder.path().join("both");
    fs::create_dir(&target).expect("its name is free");
    for file in &joined.files {
        let old = folders[file.dataset].join(&file.old_name);
        fs::rename(old, target.join(&file.new_name)).expect("it is there");
    }
    fs::copy(folders[0].join(SUFFIX_LIST_FILE), target.join(SUFFIX_LIST_FILE)).expect("it is there");
    fs::write(target.join(DESCRIPTION_FILE), &joined.description).expect("there is room");
    target
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a temporary name is UTF-8")
}

#[test]
fn lines_are_taken_from_all_files_in_order() {
    let folder = Folder::new();
    let both = of_two_files(&folder);
    let url = ["--column", "url"];
    run(&["uniq", "--values"], &url, &both).is_quiet(0, &[COM, ORG].concat());
    run(&["count"], &url, &both).is_quiet(0, "5\n");
    let by = ["--by", "tld", "--column", "url"];
    run(&["count"], &by, &both).is_quiet(0, "com\t3\norg\t2\n");
    let (index, seen) = (folder.path().join("urls.db"), folder.path().join("seen"));
    assert_eq!(run(&["index", "add", text(&index)], &url, &both).code, Some(0));
    assert_eq!(urlid(["index", "count", text(&index)]).out, "5\n");
    run(&["uniq", "--seen", text(&seen), "--values"], &url, &both).is_quiet(0, &[COM, ORG].concat());
    let ran = run(&["uniq", "--seen", text(&seen)], &url, &both);
    assert_eq!((ran.code, ran.err.contains("rows of Parquet")), (Some(2), true), "{}", ran.err);
    let other = folder.path().join("other");
    assert_eq!(run(&["index", "build", text(&other)], &url, &both).code, Some(0));
    assert_eq!(urlid(["index", "find", text(&other)]).out, [COM, ORG].concat());
    // A table beside it is read too, and a row is named by its file.
    let table = folder.file("more.csv", "url\nhttp://c.com/\n");
    let ran = urlid(["count", "--column", "url", text(&both), text(&table)]);
    ran.is_quiet(0, "6\n");
}

#[test]
fn new_columns_match_those_of_a_single_file() {
    let folder = Folder::new();
    let (both, out) = (of_two_files(&folder), folder.path().join("out.parquet"));
    let one = dataset(&folder, "one", COM);
    for verb in [&["parts"][..], &["canon", "--as", "web"], &["id"], &["id", "-k", "url-hash"]] {
        let options = ["--column", "url", "--out", text(&out)];
        run(verb, &options, &one).is_quiet(0, "");
        let made = fs::read(&out).expect("it is written");
        run(verb, &options, &one.join("part-00000.parquet")).is_quiet(0, "");
        assert!(made == fs::read(&out).expect("it is written"), "{verb:?}");
        fs::remove_file(&out).expect("it is there");

        let said = format!(
            "urlid: --column: expected one table, found 2\nurlid: name the files of the dataset one by one, or read all as CSV: \
             urlid index export {} --format csv, piped to `-`\n",
            both.display()
        );
        run(verb, &options, &both).is(2, "", &said);
        assert!(!out.exists());
    }
    // What the hint says.
    let script = "\"$0\" index export \"$1\" --format csv | \"$0\" parts --get '{host}' --column url -";
    let mut shell = std::process::Command::new("sh");
    shell.args([OsStr::new("-c"), script.as_ref(), env!("CARGO_BIN_EXE_urlid").as_ref(), both.as_os_str()]);
    let out = String::from_utf8(shell.output().expect("there is a shell").stdout).expect("it is text");
    let hosts: Vec<_> = out.lines().filter_map(|line| line.rsplit_once(',')).map(|(_, host)| host).collect();
    assert_eq!(hosts, ["url_host", "a.com", "www.a.com", "b.com", "a.org", "www.a.org"]);
}

#[test]
fn a_dataset_that_is_damaged_or_read_as_lines_is_an_error() {
    let folder = Folder::new();
    let both = of_two_files(&folder);
    let ran = urlid(["count", text(&both)]);
    assert_eq!(ran.code, Some(4));
    assert!(ran.err.contains("(it is a dataset: --column url reads its URLs)"), "{}", ran.err);
    // No output is a file that is read.
    let part = both.join("part-00001.parquet");
    let ran = run(&["count"], &["--column", "url", "--out", text(&part)], &both);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    fs::write(both.join("more.parquet"), "").expect("there is room");
    for verb in [&["count"][..], &["id"], &["uniq"]] {
        let ran = run(verb, &["--column", "url"], &both);
        assert!(
            ran.code == Some(4) && ran.err.contains("ERR_INDEX_DAMAGED") && ran.out.is_empty(),
            "{}",
            ran.err
        );
    }
    fs::remove_file(both.join("more.parquet")).expect("it is there");
    // A file that is damaged inside is named, and the next one is read.
    let part = both.join("part-00000.parquet");
    let mut bytes = fs::read(&part).expect("it is there");
    bytes[6..40].fill(0xff);
    fs::write(&part, bytes).expect("there is room");
    let ran = run(&["uniq", "--values"], &["--column", "url"], &both);
    assert_eq!((ran.code, ran.out.as_str()), (Some(4), ORG));
    assert!(ran.err.starts_with(&format!("urlid: {}: ERR_TABLE: ", part.display())), "{}", ran.err);
}
