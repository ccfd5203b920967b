//! WACZ files that are damaged or hostile: an error or the whole answer, and never a short answer.

use std::io::Write;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use urlid::Error;
use urlid_archives::cdxj::Visits;
use urlid_archives::{Lost, Records, Wacz, WaczPart};
use urlid_io::error;
use urlid_io::lines::{Archives, Input, LineOptions, range_of};
use urlid_testing::{gzip, warc_record_of};

/// Returns the lines of a part of a WACZ file, and the error after them.
fn read(file: &[u8], part: WaczPart) -> (Vec<String>, Option<Error>) {
    let mut lines = Vec::new();
    let mut stored = tempfile::NamedTempFile::new().expect("there is room");
    stored.write_all(file).expect("there is room");
    let archives = Archives::Urls(Records::default().of_part(part));
    let mut read = || -> Result<(), Error> {
        let mut reader =
            Input::open(stored.path())?.lines(LineOptions { archives, ..LineOptions::default() });
        while let Some(line) = reader.next_line()? {
            lines.push(line.text.map_err(|_| error::KIND.error())?.to_owned());
        }
        Ok(())
    };
    let error = read().err();
    (lines, error)
}

/// A file of a ZIP archive.
#[derive(Clone)]
struct File {
    name: &'static str,
    data: Vec<u8>,
    is_deflated: bool,
    /// The size that the directory states.
    size: Option<u32>,
    flags: u16,
    method: Option<u16>,
}

fn stored(name: &'static str, data: &[u8]) -> File {
    File { name, data: data.to_vec(), is_deflated: false, size: None, flags: 0, method: None }
}

fn deflated(name: &'static str, data: &[u8]) -> File {
    File { is_deflated: true, ..stored(name, data) }
}

/// Writes a ZIP archive (APPNOTE 6.3, sections 4.3.7, 4.3.12 and 4.3.16). `share` lets all entries have the
/// place of the first.
fn zip(files: &[File], share: bool) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let mut crc = flate2::Crc::new();
        crc.update(&file.data);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&file.data).expect("memory has room");
        let data =
            if file.is_deflated { encoder.finish().expect("memory has room") } else { file.data.clone() };
        let method = file.method.unwrap_or(if file.is_deflated { 8 } else { 0 });
        let size = file.size.unwrap_or(file.data.len() as u32);
        let mut fields: Vec<u8> =
            [20, file.flags, method, 0, 0].iter().flat_map(|n: &u16| n.to_le_bytes()).collect();
        fields.extend([crc.sum(), data.len() as u32, size].iter().flat_map(|n| n.to_le_bytes()));
        fields.extend([file.name.len() as u16, 0].iter().flat_map(|n| n.to_le_bytes()));
        let place = if share { 0 } else { out.len() as u32 };
        if !share || out.is_empty() {
            out.extend([b"PK\x03\x04", &fields[..], file.name.as_bytes(), &data].concat());
        }
        directory.extend(
            [b"PK\x01\x02\x14\0", &fields[..], &[0; 10], &place.to_le_bytes(), file.name.as_bytes()].concat(),
        );
    }
    let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
    end.extend([files.len() as u16; 2].iter().flat_map(|n| n.to_le_bytes()));
    end.extend([directory.len() as u32, out.len() as u32].iter().flat_map(|n| n.to_le_bytes()));
    end.extend([0, 0]);
    [out, directory, end].concat()
}

fn page(url: &str) -> Vec<u8> {
    gzip(&warc_record_of("response", url, b"HTTP/1.1 200 OK\r\n\r\n"))
}

#[test]
fn a_changed_or_missing_byte_is_an_error_or_changes_nothing() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files/crawl.wacz");
    let file = std::fs::read(path).expect("it is in the repository");
    let (pages, error) = read(&file, WaczPart::Archive);
    assert_eq!((pages.len(), error), (4, None));
    for at in 0..file.len() {
        for bit in [1 << (at % 8)] {
            let mut other = file.clone();
            other[at] ^= bit;
            if at < 4 {
                // Not a ZIP archive any more.
                continue;
            }
            let (lines, error) = read(&other, WaczPart::Archive);
            assert!(lines == pages || error.is_some(), "{at} {bit}: {lines:?}");
        }
        if at % 7 > 0 {
            continue;
        }
        let (lines, error) = read(&file[..at], WaczPart::Archive);
        assert!(at < 4 || error.is_some(), "{at}: {lines:?}");
    }
}

#[test]
fn files_are_read_stored_and_deflated_and_the_others_after_a_damaged_one() {
    let (a, b) = (page("http://a/"), page("http://b/"));
    let archive = zip(&[stored("archive/a.warc.gz", &a), deflated("archive/b.warc.gz", &b)], false);
    assert_eq!(
        read(&archive, WaczPart::Archive),
        (vec!["http://a/".to_owned(), "http://b/".to_owned()], None)
    );
    let archive =
        zip(&[stored("archive/a.warc.gz", &a[..a.len() - 9]), stored("archive/b.warc.gz", &b)], false);
    let (lines, error) = read(&archive, WaczPart::Archive);
    assert_eq!(lines, ["http://a/", "http://b/"]);
    assert!(error.expect("the first is cut").is(error::TRUNCATED));
}

/// Whatever the layout and the line ends of the others are.
#[test]
fn each_index_in_a_wacz_file_starts_like_a_separate_file() {
    let cdx = " CDX N b a\nk 20260102030405 http://a/\n";
    let cdxj = "com,b)/ 20260102030405 {\"url\": \"http://b/\"}";
    let rows = "[[\"urlkey\",\"original\"],[\"k\",\"http://c/\"]]";
    let utf16: Vec<u8> = "\u{feff}com,d)/ 20260102030405 {\"url\": \"http://d/\"}\r"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let files = [
        stored("indexes/1.cdx", cdx.as_bytes()),
        deflated("indexes/2.cdxj", format!("\u{feff}{cdxj}").as_bytes()),
        stored("indexes/3.cdx.gz", &gzip(cdxj.as_bytes())),
        stored("indexes/4.cdx", b""),
        stored("indexes/5.cdx", rows.as_bytes()),
        stored("indexes/6.cdx", &utf16),
        stored("indexes/7.cdx", cdx.replace('\n', "\r").as_bytes()),
    ];
    let (lines, error) = read(&zip(&files, false), WaczPart::Indexes);
    assert_eq!(error, None);
    assert_eq!(
        lines,
        ["", "http://a/", "http://b/", "http://b/", "", "http://c/", "http://d/", "", "http://a/"]
    );
    let backwards: Vec<File> = files.iter().rev().cloned().collect();
    assert_eq!(read(&zip(&backwards, false), WaczPart::Indexes).0.len(), lines.len());
    // An error of one comes after the lines of the others, once.
    let cut = gzip(cdxj.as_bytes());
    let cut =
        [stored("indexes/1.cdx.gz", &cut[..cut.len() - 9]), files[1].clone(), stored("indexes/x", b"%PDF-1")];
    let (lines, error) = read(&zip(&cut, false), WaczPart::Indexes);
    assert!(lines == ["http://b/"] && error.is_some_and(|error| error.is(error::TRUNCATED)), "{lines:?}");
}

#[test]
fn names_are_not_paths() {
    let archive = zip(
        &[
            stored("archive/../../../etc/x.warc.gz", &page("http://a/")),
            stored("/archive/b.warc.gz", b"no archive"),
            stored("archive\\c.warc.gz", b"no archive"),
            stored("archive/", b""),
        ],
        false,
    );
    assert_eq!(read(&archive, WaczPart::Archive), (vec!["http://a/".to_owned()], None));
}

#[test]
fn unsupported_wacz_files_are_errors() {
    let name = "archive/a.warc.gz";
    let page = page("http://a/");
    let (smaller, larger) = (page.len() as u32 - 1, page.len() as u32 + 1);
    for (file, kind, message) in [
        (File { flags: 1, ..stored(name, &page) }, urlid_archives::error::ENTRY, "it is encrypted"),
        (
            File { method: Some(12), ..stored(name, &page) },
            urlid_archives::error::ENTRY,
            "expected it stored or deflated",
        ),
        (
            File { size: Some(smaller), ..deflated(name, &page) },
            urlid_archives::error::ENTRY,
            "it is larger than stated",
        ),
        (
            File { size: Some(larger), ..deflated(name, &page) },
            urlid_archives::error::ENTRY,
            "it is smaller than stated",
        ),
        (File { method: Some(8), ..stored(name, &page) }, urlid_archives::error::ENTRY, ""),
        (stored("data/a.warc.gz", &page), urlid_archives::error::NO_WACZ, "WARC files in `archive/`"),
        (
            stored(name, &zip(&[stored(name, &page)], false)),
            urlid_archives::error::RECORD,
            "expected `WARC/`",
        ),
    ] {
        let (_, error) = read(&zip(&[file], false), WaczPart::Archive);
        let error = error.expect("it is not read");
        assert!(error.is(kind) && error.to_string().contains(message), "{error}");
    }
    let (_, error) = read(&zip(&[stored(name, &page)], false), WaczPart::Pages);
    assert!(error.expect("there are no pages").is(urlid_archives::error::NO_WACZ));
    let two = [stored(name, &page), stored("archive/b.warc.gz", &page)];
    for (archive, message) in [
        (zip(&two, true), "two entries overlap"),
        (zip(&[two[0].clone(), two[0].clone()], false), "two entries have the same name"),
        (b"PK\x03\x04".to_vec(), ""),
    ] {
        let (_, error) = read(&archive, WaczPart::Archive);
        let error = error.expect("it is hostile");
        assert!(error.is(urlid_archives::error::ZIP) && error.to_string().contains(message), "{error}");
    }
}

#[test]
fn wacz_files_in_a_package_are_read_one_after_the_other() {
    let [a, b] = ["http://a/", "http://b/"].map(|url| zip(&[stored("archive/x.warc.gz", &page(url))], false));
    let package = br#"{"profile":"multi-wacz-package","resources":[{"name":"a.wacz","path":"a.wacz"}]}"#;
    let all = [stored("datapackage.json", package), stored("a.wacz", &a), stored("b.wacz", &b)];
    let lines = vec!["http://a/".to_owned(), "http://b/".to_owned()];
    assert_eq!(read(&zip(&all, false), WaczPart::Archive), (lines, None));
    for (files, kind) in [
        (&all[..1], urlid_archives::error::MULTI_WACZ),
        (&[all[0].clone(), deflated("a.wacz", &a)], urlid_archives::error::ENTRY),
        (&[all[0].clone(), stored("a.wacz", &a[1..])], urlid_archives::error::ZIP),
        // Packages within packages are none.
        (&[all[0].clone(), stored("m.wacz", &zip(&all, false))], urlid_archives::error::NO_WACZ),
    ] {
        let (lines, error) = read(&zip(files, false), WaczPart::Archive);
        assert!(lines.is_empty() && error.as_ref().is_some_and(|error| error.is(kind)), "{error:?}");
    }
    let (lines, error) = read(&zip(&all, false), WaczPart::Pages);
    assert!(lines.is_empty() && error.is_some_and(|error| error.is(urlid_archives::error::NO_WACZ)));
}

#[test]
fn a_pipe_is_an_error() {
    let input = Input::from_reader(std::io::Cursor::new(zip(&[], false))).expect("memory can be read");
    let error = input.lines(LineOptions::default()).next_line().expect_err("it has no end");
    assert!(error.is(error::ZIP_PIPE));
}

#[test]
fn recovery_of_a_file_with_a_false_checksum_ends() {
    let page = page("http://a/");
    let mut archive = zip(&[stored("archive/a.warc.gz", &page)], false);
    // The checksum in the directory, 16 bytes behind its magic number.
    let directory = archive.windows(4).position(|bytes| bytes == b"PK\x01\x02").expect("it has one");
    archive[directory + 16] ^= 1;
    let mut file = tempfile::tempfile().expect("there is room");
    file.write_all(&archive).expect("there is room");
    let mut wacz =
        Wacz::open(range_of(file, 0).expect("it has a length")).expect("its directory is well-formed");
    let entry = wacz.entries(WaczPart::Archive).expect("it has a WARC file").remove(0);
    let content = std::io::BufReader::new(wacz.content(&entry));
    let mut visits = Visits::new(content, Records::default()).expect("it can be read");
    assert!(visits.next_visit().is_ok_and(|visit| visit.is_some()));
    let error = visits.next_visit().expect_err("the checksum is false");
    assert!(error.is(urlid_archives::error::ENTRY), "{error}");
    let end = page.len() as u64;
    assert_eq!(visits.recover(), Ok(Lost { start: end, end }));
    assert!(visits.next_visit().is_ok_and(|visit| visit.is_none()));
}
