//! Web archives as lines: recognised by content, however they are stored, read and cut.

use std::io::{Cursor, Write};

use urlid::{Coded, Error, ErrorCode};
use urlid_archives::Records;
use urlid_io::lines::{Archives, Chunk, Input, LineOptions};
use urlid_testing::{gzip, warc_record, warc_record_of, zstd};

/// The lines of an input, a code where one is refused, and the error after them.
type Seen = (Vec<Result<String, ErrorCode>>, Option<String>);

fn lines_of(input: Result<Input, Error>, options: LineOptions) -> Seen {
    let mut seen = Vec::new();
    let read = || -> Result<(), Error> {
        let mut lines = input?.lines(options);
        while let Some(line) = lines.next_line()? {
            assert_eq!(line.number as usize, seen.len() + 1);
            seen.push(line.text.map(str::to_owned).map_err(|error| error.code()));
        }
        Ok(())
    };
    let error = read().err().map(|error| format!("{}: {error}", error.code()));
    (seen, error)
}

/// Reads bytes as a stream with chunks of every size, and as a file in splits; returns what all of them see.
fn seen(bytes: &[u8]) -> Seen {
    let memory = || Input::from_reader(Cursor::new(bytes.to_vec()));
    let expected = lines_of(memory(), LineOptions::default());
    for chunk in [0, 1, 7, 100, 4096] {
        assert_eq!(lines_of(memory(), LineOptions { chunk, ..LineOptions::default() }), expected);
        let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
        file.write_all(bytes).expect("there is room");
        let input = Input::open(file.path()).expect("it is there");
        let options = LineOptions { chunk, ..LineOptions::default() };
        let Ok(splits) = input.splits(options) else { continue };
        let (mut lines, mut chunk) = (Vec::new(), Chunk::new());
        for index in 0..splits.count() {
            splits.read(index, &mut chunk).expect("it is there");
            lines.extend(
                chunk.lines(1).map(|line| line.text.map(str::to_owned).map_err(|error| error.code())),
            );
        }
        assert_eq!((lines, None), expected);
    }
    expected
}

fn is(lines: &[&str]) -> Seen {
    (lines.iter().map(|line| Ok((*line).to_owned())).collect(), None)
}

fn archive() -> [Vec<u8>; 5] {
    let fields = [
        ("WARC-Type", "metadata"),
        ("WARC-Target-URI", "http://m/"),
        ("Content-Type", "application/warc-fields"),
    ];
    [
        warc_record(&[("WARC-Type", "warcinfo")], b"software: none\r\n"),
        warc_record_of("response", "<http://a/ x>", b"HTTP/1.1 200 OK\r\n\r\nWARC/1.0\r\n\r\n"),
        warc_record_of("request", "http://a/", b"GET / HTTP/1.1\r\n\r\n"),
        warc_record(&fields, b"via: http://b/\r\n"),
        warc_record_of("revisit", "dns:b.example", b""),
    ]
}

#[test]
fn a_warc_file_gives_the_urls_of_its_records() {
    let records = archive();
    let expected = is(&["http://a/ x", "dns:b.example"]);
    assert_eq!(seen(&records.concat()), expected);
    let members: Vec<u8> = records.iter().flat_map(|record| gzip(record)).collect();
    assert_eq!(seen(&members), expected);
    let frames: Vec<u8> = records.iter().flat_map(|record| zstd(record)).collect();
    assert_eq!(seen(&frames), expected);
    assert_eq!(seen(&gzip(&records.concat())), expected);
}

#[test]
fn the_types_of_records_can_be_chosen() {
    let file = archive().concat();
    let of = |records: &str| {
        let records: Records = records.parse().expect("they are types");
        lines_of(
            Input::from_reader(Cursor::new(file.clone())),
            LineOptions { archives: Archives::Urls(records), ..LineOptions::default() },
        )
    };
    assert_eq!(of("request,metadata"), is(&["http://a/", "http://m/"]));
    assert_eq!(of("all"), is(&["http://a/ x", "http://a/", "http://m/", "dns:b.example"]));
    assert_eq!(of("warcinfo"), is(&[]));
}

#[test]
fn a_malformed_record_is_an_error_after_the_good_ones() {
    let mut file = archive()[1].clone();
    let at = file.len();
    file.extend_from_slice(b"WARC/1.0\r\nWARC-Type: response\r\n\r\n");
    let (lines, error) = seen(&file);
    assert_eq!(lines, [Ok("http://a/ x".to_owned())]);
    let expected = format!("ERR_ARCHIVE: record 2 at byte {at} is malformed: it has no Content-Length");
    assert_eq!(error, Some(expected));
}

#[test]
fn a_warc_file_that_is_cut_is_an_error() {
    let stored: Vec<u8> = archive().iter().flat_map(|record| gzip(record)).collect();
    let (lines, error) = seen(&stored[..stored.len() - 1]);
    assert_eq!(lines[0], Ok("http://a/ x".to_owned()));
    assert!(error.expect("it is cut").starts_with("ERR_COMPRESSED: gzip data ends too early"));
    let plain = archive()[1].clone();
    let (lines, error) = seen(&plain[..plain.len() - 9]);
    assert_eq!(lines.len(), 1);
    assert!(error.expect("it is cut").contains("the file ends in its content"));
}

#[test]
fn an_index_gives_the_url_of_each_line() {
    let cdx = " CDX N b a m s k r M S V g\n\
               com,a)/ 20260102030405 http://a.com/ text/html 200 SHA - - 120 0 a.warc.gz\r\n\
               com,b)/ 20260102030405 http://b.com/ text/html 200 SHA - - 120 x\n\
               \n\
               com,c)/ 20260102030405 http://c.com/ text/html 200 SHA - - 120 0 a.warc.gz";
    let expected = (
        vec![
            Ok(String::new()),
            Ok("http://a.com/".to_owned()),
            Err(ErrorCode::Archive),
            Ok(String::new()),
            Ok("http://c.com/".to_owned()),
        ],
        None,
    );
    assert_eq!(seen(cdx.as_bytes()), expected);
    assert_eq!(seen(&gzip(cdx.as_bytes())), expected);
    let without_header = cdx.split_once('\n').expect("there is a header").1;
    assert_eq!(seen(without_header.as_bytes()).0, expected.0[1..]);
    let nine = "com,a)/ 20260102030405 http://a.com/ text/html 200 SHA - 0 a.warc.gz\n";
    assert_eq!(seen(nine.as_bytes()), is(&["http://a.com/"]));
}

#[test]
fn zipnum_blocks_give_the_url_of_each_line() {
    let line = |n: u32| format!("com,a)/{n} 20260102030405 {{\"url\": \"http://a.com/{n}\\u00e9\"}}\n");
    let blocks: Vec<u8> =
        (0..3).flat_map(|block| gzip((line(2 * block) + &line(2 * block + 1)).as_bytes())).collect();
    let urls: Vec<String> = (0..6).map(|n| format!("http://a.com/{n}é")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    assert_eq!(seen(&blocks), is(&urls));
}

#[test]
fn a_malformed_last_line_without_an_end_is_refused_too() {
    let first = "com,a)/ 20260102030405 {\"url\": \"http://a.com/\"}\n";
    let (lines, _) = seen(format!("{first}x").as_bytes());
    assert_eq!(lines, [Ok("http://a.com/".to_owned()), Err(ErrorCode::Archive)]);
}

#[test]
fn lines_that_only_resemble_an_archive_stay_lines() {
    for text in ["WARC", "WAR\nWARC/1.0", "http://a/ 20260102030405 {", " CDX N b", "a 20260102030405 b c"] {
        let lines: Vec<&str> = text.lines().collect();
        let expected = is(&lines);
        match text {
            // A JSON object follows a key and a time: this is an index, and a malformed one.
            "http://a/ 20260102030405 {" => assert_eq!(seen(text.as_bytes()).0, [Err(ErrorCode::Archive)]),
            _ => assert_eq!(seen(text.as_bytes()), expected, "{text}"),
        }
    }
}

#[test]
fn an_archive_can_be_read_as_text() {
    let options = LineOptions { archives: Archives::Text, ..LineOptions::default() };
    for text in ["WARC/1.0\nx", "com,a)/ 20260102030405 {\"url\": \"http://a.com/\"}\nx"] {
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines_of(Input::from_reader(Cursor::new(text)), options), is(&lines));
    }
}
