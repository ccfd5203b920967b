//! Formats of archives, in files that programs of others made (`tests/files/make.py`).

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use urlid::Error;
use urlid_archives::cdxj::{IndexLayout, Visits};
use urlid_archives::{Records, Wacz, WaczPart};
use urlid_canonical::Form;
use urlid_io::lines::{Archives, Input, LineOptions, range_of};

/// The URLs of the pages in every file, as in the archives.
const PAGES: [&str; 4] = [
    "http://example.com/",
    "http://www.example.com/about?b=1&a=2",
    "https://sub.example.com/photo.jpg",
    "http://example.org/with%20space",
];

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(name)
}

/// Returns the sorted lines of the index of an archive.
fn index(name: &str) -> Result<Vec<String>, Error> {
    let form: Form = "surt-0.3.1".parse().expect("the profile is in the list");
    let (mut keys, mut lines) = (form.canonicalizer(), Vec::new());
    let file = BufReader::new(File::open(path(name)).expect("it is in the repository"));
    let mut visits = Visits::new(file, Records::default()).map_err(urlid_io::error::read)?;
    while let Some(visit) = visits.next_visit()? {
        let mut line = String::new();
        visit.write_line(&mut keys, name, IndexLayout::Cdxj, &mut line)?;
        lines.push(line);
    }
    lines.sort();
    Ok(lines)
}

/// Returns the URLs that are read of a file as lines.
fn urls(name: &str) -> Result<Vec<String>, Error> {
    urls_of(&path(name), Records::default())
}

fn urls_of(path: &Path, records: Records) -> Result<Vec<String>, Error> {
    let options = LineOptions { archives: Archives::Urls(records), ..LineOptions::default() };
    let mut lines = Input::open(path)?.lines(options);
    let mut urls = Vec::new();
    while let Some(line) = lines.next_line()? {
        urls.push(line.text.expect("it is text").replace(' ', "%20"));
    }
    Ok(urls)
}

/// Compares the index of a file with that which cdxj-indexer made, and its URLs with the pages.
fn check(name: &str, others: &[&str]) {
    let expected = fs::read_to_string(path(&format!("{name}.cdxj"))).expect("it is in the repository");
    let expected: Vec<&str> = expected.lines().collect();
    assert_eq!(expected.len(), PAGES.len() + others.len(), "{name}");
    assert_eq!(index(name).expect("it is well-formed"), expected, "{name}");
    let all: Vec<&str> = PAGES.iter().chain(others).copied().collect();
    assert_eq!(urls(name).expect("it is well-formed"), all, "{name}");
}

#[test]
fn members_and_frames_are_read() {
    check("members.warc.gz", &[]);
    check("frames.warc.zst", &[]);
}

#[test]
fn frames_are_read_with_the_dictionary_in_front_of_them() {
    check("dictionary.warc.zst", &[]);
    check("dictionary-compressed.warc.zst", &[]);
}

#[test]
fn arc_files_are_read() {
    for name in ["plain.arc", "members.arc.gz", "heritrix.arc.gz"] {
        check(name, &["dns:www.example.com"]);
    }
}

#[test]
fn line_ends_before_the_first_record_are_skipped() {
    check("line-ends.warc", &[]);
}

#[test]
fn dates_may_lack_their_end() {
    let name = "dates.warc";
    let times: Vec<String> = index(name)
        .expect("it is well-formed")
        .iter()
        .map(|line| line.split(' ').nth(1).expect("a line has a time").to_owned())
        .collect();
    assert_eq!(times, ["20260101000000", "20260201000000", "20260203040000", "20260203040500"]);
    assert_eq!(urls(name).expect("it is well-formed"), PAGES);
}

#[test]
fn a_member_of_all_records_gives_urls_but_no_index() {
    assert_eq!(urls("whole.warc.gz").expect("it is well-formed"), PAGES);
    let error = index("whole.warc.gz").expect_err("its records have no place");
    assert!(error.is(urlid_archives::error::RECORD));
    assert!(error.to_string().ends_with("as after `warcio recompress FILE NEW.warc.gz`"), "{error}");
}

#[test]
fn a_wacz_file_gives_the_urls_of_its_warc_files() {
    assert_eq!(urls("crawl.wacz").expect("it is well-formed"), PAGES);
    let indexed = urls_of(&path("crawl.wacz"), Records::default().of_part(WaczPart::Indexes));
    let mut sorted = PAGES;
    sorted.sort_by_key(|url| url.contains("sub."));
    sorted.sort_by_key(|url| url.contains("org"));
    assert_eq!(indexed.expect("it is well-formed"), sorted);
}

#[test]
fn the_files_of_a_wacz_file_have_their_names() {
    let file = File::open(path("crawl.wacz")).expect("it is in the repository");
    let mut wacz = Wacz::open(range_of(file, 0).expect("it has a length")).expect("it is well-formed");
    let names = |wacz: &mut Wacz, part| -> Vec<String> {
        let entries = wacz.entries(part).expect("there are some");
        entries.iter().map(|entry| entry.file_name().to_owned()).collect()
    };
    assert_eq!(names(&mut wacz, WaczPart::Archive), ["members.warc.gz"]);
    assert_eq!(names(&mut wacz, WaczPart::Indexes), ["index.cdx.gz"]);
    assert_eq!(names(&mut wacz, WaczPart::Pages), ["pages.jsonl"]);
}
