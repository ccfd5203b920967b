//! Indexes of web archives beside the live packages: cdxj-indexer makes the same bytes, and pywb serves pages from them.
//!
//! `cargo xtask oracles` installs the packages; at length: `cargo xtask proof archives`.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use urlid_canonical::Form;
use urlid_generators::{cases, seed};
use urlid_io::archives::Records;
use urlid_io::archives::cdxj::{CdxColumns, Visits, ZipNumWriter};
use urlid_io::sort::LineSorter;
use urlid_testing::oracle;

/// Returns the path of a script of this test.
fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/archives").join(name)
}

/// Runs a program to its end and returns what it printed.
fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints text")
}

/// Returns the lines of the index of some files.
fn index(files: &[PathBuf], columns: Option<CdxColumns>) -> Vec<String> {
    let form: Form = "surt-0.3.1".parse().expect("the profile is in the list");
    let (mut keys, mut sorter) = (form.canonicalizer(), LineSorter::new(std::env::temp_dir(), 1 << 20));
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are text");
        let file = BufReader::new(File::open(path).expect("it was made"));
        let mut visits = Visits::new(file, Records::default()).expect("it can be read");
        while let Some(visit) = visits.next_visit().expect("it is well-formed") {
            let mut line = String::new();
            let written = match columns {
                None => visit.write_line(&mut keys, name, &mut line),
                Some(columns) => visit.write_cdx_line(&mut keys, name, columns, &mut line),
            };
            written.expect("every record has a date, and no field a space");
            sorter.push(&line).expect("there is room");
        }
    }
    let mut sorted = sorter.finish().expect("there is room");
    let mut lines = Vec::new();
    while let Some(line) = sorted.next_line().expect("it can be read again") {
        lines.push(line.to_owned());
    }
    lines
}

/// Makes a WARC file of the kinds that crawlers write.
fn make_warc(python: &Path, path: &Path, seed: u64, records: u64) {
    let numbers = [seed, records].map(|number| number.to_string());
    output(Command::new(python).arg(script("make_warcs.py")).arg(path).args(numbers));
}

#[test]
fn cdxj_indexer_makes_the_same_index() {
    let Some(python) = oracle("archives") else { return };
    let folder = tempfile::tempdir().expect("there is room");
    let files = ["a.warc.gz", "b.warc.gz", "c.warc"].map(|name| folder.path().join(name));
    for (number, path) in (0..).zip(&files) {
        make_warc(&python, path, seed() + number, cases(300) / 3);
    }
    let indexer = python.with_file_name("cdxj-indexer");
    let layouts =
        [(&[][..], None), (&["-9"][..], Some(CdxColumns::Nine)), (&["-11"][..], Some(CdxColumns::Eleven))];
    for (options, columns) in layouts {
        let expected = output(Command::new(&indexer).arg("--sort").args(options).args(&files));
        // The header is written once for each file, and sorted.
        let header = columns.map(|columns| columns.header().to_owned());
        let lines: Vec<String> = header.into_iter().chain(index(&files, columns)).collect();
        for (line, expected) in lines.iter().zip(expected.lines()) {
            assert_eq!(line, expected, "{options:?}");
        }
        assert_eq!(lines.len(), expected.lines().count(), "{options:?}");
        assert!(lines.len() > 50, "the files have visits");
    }
}

#[test]
fn pywb_serves_a_page_from_a_plain_and_from_a_zipnum_index() {
    let Some(python) = oracle("archives") else { return };
    let folder = tempfile::tempdir().expect("there is room");
    let page = |number: u32| {
        let content = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>page {number}");
        let url = format!("http://www.example.com/{number}?b&a");
        urlid_testing::gzip(&urlid_testing::warc_record_of("response", &url, content.as_bytes()))
    };
    let pages: Vec<u8> = (0..60).flat_map(page).collect();
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join("collections").join(name);
        std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("there is room");
        std::fs::write(&path, content).expect("there is room");
        path
    };
    write("zipnum/archive/pages.warc.gz", &pages);
    let lines = index(&[write("plain/archive/pages.warc.gz", &pages)], None);
    assert_eq!(lines.len(), 60);
    write("plain/indexes/index.cdxj", (lines.join("\n") + "\n").as_bytes());
    let mut writer = ZipNumWriter::new(Vec::new(), Vec::new(), "index.cdxj.gz".to_owned(), 7);
    lines.iter().for_each(|line| writer.push(line).expect("there is room"));
    let (blocks, places) = writer.finish().expect("there is room");
    write("zipnum/indexes/index.cdxj.gz", &blocks);
    write("zipnum/indexes/index.idx", &places);
    let mut locations =
        File::create(folder.path().join("collections/zipnum/indexes/index.loc")).expect("there is room");
    locations.write_all(b"index.cdxj.gz\tindex.cdxj.gz\n").expect("there is room");

    let arguments = ["https://example.com/33?a&b", "20260102030405", "<p>page 33"];
    let served =
        output(Command::new(&python).arg(script("serve.py")).args(arguments).current_dir(folder.path()));
    assert_eq!(served, "plain\nzipnum\n");
}
