//! Tests of the reader of records.

use std::io::{self, Read};

use proptest::prelude::*;

use super::error::MAX_HEAD;
use super::reader::{STEP, WarcReader};
use super::record::Record;
use super::types::RecordType;
use crate::Records;

/// A reader that gives one byte at a time.
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let n = room.len().min(1);
        self.0.read(&mut room[..n])
    }
}

fn urls(source: impl Read) -> (Vec<String>, Option<String>) {
    let (mut reader, mut record, mut urls) = (WarcReader::new(source), Record::default(), Vec::new());
    loop {
        match reader.next_record(&mut record) {
            Ok(true) => urls.push(record.url().unwrap_or_default().escape_ascii().to_string()),
            Ok(false) => return (urls, None),
            Err(error) => {
                assert!(!reader.next_record(&mut record).expect("an error is reported once"));
                return (urls, Some(error.to_string()));
            }
        }
    }
}

fn record(url: &str, content: &str) -> String {
    format!(
        "WARC/1.0\r\nwarc-target-uri : {url}\r\nContent-Length: {}\r\n\r\n{content}\r\n\r\n",
        content.len()
    )
}

#[test]
fn records_are_read_however_they_arrive() {
    let file = [
        record("http://a/", "WARC/1.0\r\n\r\n"),
        "WARC/1.1\nContent-Length: 0\n\n\n\n".to_owned(),
        record("<http://b/\r\n c>", ""),
    ]
    .concat();
    let expected = (vec!["http://a/".to_owned(), String::new(), "http://b/ c".to_owned()], None);
    assert_eq!(urls(file.as_bytes()), expected);
    assert_eq!(urls(Slow(file.as_bytes())), expected);
}

#[test]
fn fields_are_read_by_name_and_the_first_one_counts() {
    let head = "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/warc-fields\r\nnonsense\r\n\
                WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Date: 1999\r\nWARC-Payload-Digest: sha1:X\r\n\
                Content-Length: 3\r\n\r\nabc";
    let (mut reader, mut record) = (WarcReader::new(head.as_bytes()), Record::default());
    assert!(reader.next_record(&mut record).expect("it is well-formed"));
    assert_eq!((record.record_type, record.length, record.number), (RecordType::Metadata, 3, 1));
    assert_eq!(record.date(), Some(&b"2026-01-02T03:04:05Z"[..]));
    assert_eq!((record.url(), record.payload_digest()), (None, Some(&b"sha1:X"[..])));
    assert!(!Records::default().contains(record.record_type, record.content_type()));
    assert_eq!(reader.content().expect("it is there"), b"abc");
    reader.consume(1);
    assert_eq!(reader.content().expect("it is there"), b"bc");
    assert!(!reader.next_record(&mut record).expect("content is skipped"));
}

#[test]
fn malformed_records_are_reported_with_their_place() {
    let good = record("http://a/", "x");
    let at = good.len();
    for (bad, message) in [
        ("HTTP/1.1 200".to_owned(), "expected `WARC/`, found `HTTP/1.1 200`".to_owned()),
        ("WARC/1.0\r\nContent-Length: 1".to_owned(), "the file ends in its head".to_owned()),
        ("WARC/1.0\r\n\r\n".to_owned(), "it lacks a Content-Length".to_owned()),
        (
            "WARC/1.0\r\nContent-Length: -1\r\n\r\n".to_owned(),
            "its Content-Length is `-1`, expected a number of bytes".to_owned(),
        ),
        (
            "WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n".to_owned(),
            "its Content-Length is `99999999999999999999`, expected a number of bytes".to_owned(),
        ),
        (
            format!("WARC/1.0\r\nX: {}", "x".repeat(MAX_HEAD + STEP)),
            "its head does not end: expected an empty line within 1024 KiB".to_owned(),
        ),
    ] {
        let (found, error) = urls(format!("{good}{bad}").as_bytes());
        assert_eq!(found, ["http://a/"]);
        assert_eq!(error, Some(format!("record 2 at byte {at} is malformed: {message}")));
    }
    let (found, error) = urls(&good.as_bytes()[..at - 5]);
    assert_eq!(found, ["http://a/"]);
    let message = "record 1 at byte 0 is malformed: the file ends in its content: 0 of 1 bytes are there";
    assert_eq!(error.as_deref(), Some(message));
}

#[test]
fn a_length_that_lies_is_an_error_at_the_next_record() {
    let file = record("http://a/", "content").replace("Content-Length: 7", "Content-Length: 3");
    let (found, error) = urls(format!("{file}{file}").as_bytes());
    assert_eq!(found, ["http://a/"]);
    let error = error.expect("the content is not a record");
    assert!(error.contains("expected `WARC/`, found `tent\\r\\n"), "{error}");
}

proptest! {
    #![proptest_config(urlid_testing::proptest_config())]

    #[test]
    fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), keep in 0_usize..120) {
        let file = record("http://a/", "x");
        let mixed = [&file.as_bytes()[..keep.min(file.len())], &bytes].concat();
        prop_assert_eq!(urls(&mixed[..]), urls(Slow(&mixed)));
    }
}
