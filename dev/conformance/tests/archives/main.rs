//! Compares indexes of web archives with the live packages. cdxj-indexer makes the same bytes, also for
//! requests. pywb serves pages and answers to POST from the indexes, including some that were recorded in a
//! browser.
//!
//! `cargo xtask oracles` installs the packages. The long form is `cargo xtask proof archives`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use urlid_archives::cdxj::{BodyRules, IndexLayout, Visits, ZipNumWriter};
use urlid_archives::error;
use urlid_archives::{Records, Wacz, WaczPart};
use urlid_canonical::Form;
use urlid_generators::{cases, seed};
use urlid_io::lines::range_of;
use urlid_store::sort::LineSorter;
use urlid_testing::oracle;

/// Returns the path of a script of this test.
fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives").join(name)
}

/// Runs a program to its end and returns its output.
fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

/// Returns the lines of the index of some files, and the number of records that were rejected for their
/// bodies.
fn index(files: &[PathBuf], layout: IndexLayout, rules: Option<BodyRules>) -> (Vec<String>, usize) {
    let form: Form = "surt-0.3.1".parse().expect("the profile is in the list");
    let (mut keys, mut sorter) = (form.canonicalizer(), LineSorter::new(std::env::temp_dir(), 1 << 20));
    let mut rejected = 0;
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are text");
        let file = BufReader::new(File::open(path).expect("it was made"));
        let mut visits = Visits::new(file, Records::default()).expect("it can be read");
        if let Some(rules) = rules {
            visits = visits.with_requests(rules);
        }
        while let Some(visit) = visits.next_visit().expect("it is well-formed") {
            let mut line = String::new();
            match visit.write_line(&mut keys, name, layout, &mut line) {
                Ok(()) => sorter.push(&line).expect("there is room"),
                Err(found) if found.is(error::BODY) => rejected += 1,
                Err(found) => panic!("every record has a date, and no field a space: {found}"),
            }
        }
    }
    let mut sorted = sorter.finish().expect("there is room");
    let mut lines = Vec::new();
    while let Some(line) = sorted.next_line().expect("it can be read again") {
        lines.push(line.to_owned());
    }
    (lines, rejected)
}

/// Compares lines one by one, so that the first difference is shown.
fn check_lines(lines: &[String], expected: &str, what: &str) {
    for (line, expected) in lines.iter().zip(expected.lines()) {
        assert_eq!(line, expected, "{what}");
    }
    assert_eq!(lines.len(), expected.lines().count(), "{what}");
}

/// Returns the sorted lines with missing fields as `cdx make` writes them. cdxj-indexer writes empty fields.
fn without_empty_fields(lines: &str) -> String {
    let lines = lines.replace("\"status\": \"\", ", "").replace("\"mime\": \"\", ", "");
    let lines = lines.replace("  ", " - ").replace("  ", " - ");
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}

/// Makes a WARC file with the kinds of records that crawlers write.
fn make_warc(python: &Path, path: &Path, seed: u64, records: u64) {
    let numbers = [seed, records].map(|number| number.to_string());
    output(Command::new(python).arg(script("make_warcs.py")).arg(path).args(numbers));
}

#[test]
#[ignore = "at length: .ci/run"]
fn cdxj_indexer_makes_the_same_index() {
    let Some(python) = oracle("archives") else { return };
    let folder = tempfile::tempdir().expect("there is room");
    let files = ["a.warc.gz", "b.warc.gz", "c.warc"].map(|name| folder.path().join(name));
    for (number, path) in (0..).zip(&files) {
        make_warc(&python, path, seed() + number, cases(300) / 3);
    }
    let indexer = python.with_file_name("cdxj-indexer");
    let layouts =
        [(&[][..], IndexLayout::Cdxj), (&["-9"][..], IndexLayout::Cdx9), (&["-11"][..], IndexLayout::Cdx11)];
    for (options, layout) in layouts {
        let expected = output(Command::new(&indexer).arg("--sort").args(options).args(&files));
        let expected = without_empty_fields(&expected);
        // The header is written once for each file, and sorted.
        let header = layout.header().map(str::to_owned);
        let lines: Vec<String> = header.into_iter().chain(index(&files, layout, None).0).collect();
        check_lines(&lines, &expected, &options.concat());
        assert!(lines.len() > 50, "the files have visits");
    }
}

/// Makes the files of `make_posts.py` in a folder.
fn make_posts(python: &Path, folder: &Path, requests: u64) {
    let numbers = [seed(), requests].map(|number| number.to_string());
    output(Command::new(python).arg(script("make_posts.py")).arg(folder).args(numbers));
}

#[test]
#[ignore = "at length: .ci/run"]
fn cdxj_indexer_makes_the_same_index_with_requests() {
    let Some(python) = oracle("archives") else { return };
    let folder = tempfile::tempdir().expect("there is room");
    make_posts(&python, folder.path(), cases(3000));
    let files = ["posts.warc", "posts.warc.gz"].map(|name| folder.path().join(name));
    let indexer = python.with_file_name("cdxj-indexer");
    for (options, layout) in [(&[][..], IndexLayout::Cdxj), (&["-11"][..], IndexLayout::Cdx11)] {
        let expected = output(Command::new(&indexer).args(["--sort", "-p"]).args(options).args(&files));
        let (lines, rejected) = index(&files, layout, Some(BodyRules::CdxjIndexer));
        assert_eq!(rejected, 0);
        let lines: Vec<String> = layout.header().map(str::to_owned).into_iter().chain(lines).collect();
        check_lines(&lines, &expected, &options.concat());
        assert!(lines.iter().filter(|line| line.contains("__wb_method=p")).count() > 50);
    }
    // One record is rejected for which cdxj-indexer ends with an error.
    let stops = folder.path().join("stops.warc");
    let text = std::fs::read(&stops).expect("it was made");
    let requests = text.windows(18).filter(|window| *window == b"WARC-Type: request").count();
    let (lines, rejected) = index(&[stops], IndexLayout::Cdxj, Some(BodyRules::CdxjIndexer));
    assert_eq!((lines, rejected), (Vec::new(), requests));
    assert!(requests > 5);
}

#[test]
#[ignore = "at length: .ci/run"]
fn pywb_makes_the_same_keys_of_requests() {
    let Some(python) = oracle("archives") else { return };
    let folder = tempfile::tempdir().expect("there is room");
    make_posts(&python, folder.path(), cases(3000));
    let file = folder.path().join("pywb.warc");
    let indexer = python.with_file_name("cdx-indexer");
    let expected = output(Command::new(indexer).args(["--sort", "--cdxj", "--postappend"]).arg(&file));
    // The fields next to the key differ, such as the name of the digest.
    let places = |lines: &[String]| -> BTreeMap<u64, [String; 3]> {
        let place = |line: &String| {
            let (key, rest) = line.split_once(' ').expect("a key and a space");
            let json: serde_json::Value = serde_json::from_str(&rest[15..]).expect("a time and JSON");
            let text = |name: &str| json[name].as_str().unwrap_or_default().to_owned();
            (text("offset").parse().expect("a number"), [key.to_owned(), text("method"), text("requestBody")])
        };
        lines.iter().map(place).collect()
    };
    let expected: Vec<String> = expected.lines().map(str::to_owned).collect();
    let (lines, rejected) = index(&[file], IndexLayout::Cdxj, Some(BodyRules::Pywb));
    assert_eq!((rejected, lines.len()), (0, expected.len()));
    let expected = places(&expected);
    for (place, found) in places(&lines) {
        assert_eq!(found, expected[&place], "record at byte {place}");
    }
    assert!(expected.len() > 50);
}

/// A folder of collections of pywb.
struct Collections(tempfile::TempDir);

impl Collections {
    fn new() -> Self {
        Collections(tempfile::tempdir().expect("there is room"))
    }

    /// Writes a file of a collection, and returns its path.
    fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.path().join("collections").join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("there is room");
        std::fs::write(&path, content).expect("there is room");
        path
    }

    /// Adds a collection of one archive, with an index of the same name.
    fn add(&self, name: &str, archive: &str, content: &[u8], rules: Option<BodyRules>) -> Vec<String> {
        let path = self.write(&format!("{name}/archive/{archive}"), content);
        let (lines, rejected) = index(&[path], IndexLayout::Cdxj, rules);
        assert_eq!(rejected, 0);
        self.write(&format!("{name}/indexes/index.cdxj"), (lines.join("\n") + "\n").as_bytes());
        lines
    }

    /// Runs a script with the collections as its folder, and returns its output.
    fn run(&self, python: &Path, name: &str, arguments: &[&str]) -> String {
        output(Command::new(python).arg(script(name)).args(arguments).current_dir(self.0.path()))
    }
}

/// Returns a file that a program of a third party made.
fn made_file(name: &str) -> PathBuf {
    urlid_testing::root().join("crates/urlid-io/tests/files").join(name)
}

#[test]
#[ignore = "at length: .ci/run"]
fn pywb_serves_pages_of_every_format() {
    let Some(python) = oracle("archives") else { return };
    let collections = Collections::new();
    let page = |number: u32| {
        let content = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page {number}");
        let url = format!("http://www.example.com/{number}?b&a");
        urlid_testing::gzip(&urlid_testing::warc_record_of("response", &url, content.as_bytes()))
    };
    let pages: Vec<u8> = (0..60).flat_map(page).collect();
    let lines = collections.add("plain", "pages.warc.gz", &pages, None);
    assert_eq!(lines.len(), 60);
    collections.write("zipnum/archive/pages.warc.gz", &pages);
    let mut writer = ZipNumWriter::new(Vec::new(), Vec::new(), "index.cdxj.gz".to_owned(), 7);
    lines.iter().for_each(|line| writer.push(line).expect("there is room"));
    let (blocks, places) = writer.finish().expect("there is room");
    collections.write("zipnum/indexes/index.cdxj.gz", &blocks);
    collections.write("zipnum/indexes/index.idx", &places);
    collections.write("zipnum/indexes/index.loc", b"index.cdxj.gz\tindex.cdxj.gz\n");
    for (name, archive) in
        [("arc", "members.arc.gz"), ("arc-1.1", "heritrix.arc.gz"), ("arc-plain", "plain.arc")]
    {
        collections.add(name, archive, &std::fs::read(made_file(archive)).expect("it is there"), None);
    }
    // pywb reads the WARC files of an unpacked WACZ, and lines name them accordingly.
    let file = File::open(made_file("crawl.wacz")).expect("it is there");
    let mut wacz = Wacz::open(range_of(file, 0).expect("it has a length")).expect("it is well-formed");
    let entry = wacz.entries(WaczPart::Archive).expect("it has a WARC file").remove(0);
    let mut content = Vec::new();
    wacz.content(&entry).read_to_end(&mut content).expect("it is well-formed");
    collections.add("wacz", entry.file_name(), &content, None);

    let (other, text) = ("http://www.example.com/about?a=2&b=1", "<title>Page</title>");
    let (page, page_text) = ("https://example.com/33?a&b", "<p>page 33");
    let arguments = [
        "20260102030405",
        other,
        text,
        other,
        text,
        other,
        text,
        page,
        page_text,
        other,
        text,
        page,
        page_text,
    ];
    let served = collections.run(&python, "serve.py", &arguments);
    assert_eq!(served, "arc\narc-1.1\narc-plain\nplain\nwacz\nzipnum\n");
}

#[test]
#[ignore = "at length: .ci/run"]
fn pywb_answers_the_requests_that_a_browser_made() {
    let Some(python) = oracle("archives") else { return };
    let (collections, archive) = (Collections::new(), made_file("browser.warc.gz"));
    let content = std::fs::read(&archive).expect("it is there");
    let expected = std::fs::read_to_string(made_file("browser.warc.gz.cdxj")).expect("it is there");
    let rules = [
        ("cdxj-indexer", Some(BodyRules::CdxjIndexer)),
        ("no-requests", None),
        ("pywb", Some(BodyRules::Pywb)),
    ];
    for (name, rules) in rules {
        let lines = collections.add(name, "browser.warc.gz", &content, rules);
        if rules == Some(BodyRules::CdxjIndexer) {
            check_lines(&lines, &expected, name);
        }
    }
    let archive = archive.to_str().expect("it is text");
    // All 19 by pywb's rules. By cdxj-indexer's rules, PATCH and DELETE are looked up with their methods but
    // have keys without them. Without rules, only the two pages that were requested by GET.
    let found = collections.run(&python, "replay.py", &[archive]);
    assert_eq!(found, "cdxj-indexer: 17\nno-requests: 2\npywb: 19\n");
}
