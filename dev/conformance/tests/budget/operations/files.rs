//! Operations on files: lines, archives and their indexes, tables.

use std::io::Cursor;
use std::ops::ControlFlow;

use urlid::Error;
use urlid_archives::cdx::{CdxLayout, LineRange, find, key_text};
use urlid_archives::cdxj::{BodyRules, IndexLayout, Visits};
use urlid_archives::{Record, Records, WarcReader};
use urlid_canonical::Form;
use urlid_generators::shapes::{ARCHIVES, BODIES, CSV_TABLES, JSON_TABLES, LINES};
use urlid_io::lines::{Input, LineOptions};
use urlid_io::tables::{ColumnChoice, Dialect, HeaderRow, RecordChunk, RecordReader};

use super::operation::Operation;
use crate::law::Order;

pub(super) fn operations() -> Vec<Operation> {
    vec![
        Operation::linear("lines", LINES, lines),
        Operation::linear("lines of an archive", ARCHIVES, lines),
        Operation::linear("compressed lines", LINES, |text| lines_of(urlid_testing::gzip(text.as_bytes()))),
        Operation::linear("records", ARCHIVES, |text| {
            let (mut reader, mut record, mut urls) = (WarcReader::new(text.as_bytes()), Record::default(), 0);
            while let Ok(true) = reader.next_record(&mut record) {
                urls += record.url().map_or(0, <[u8]>::len);
            }
            urls
        }),
        Operation::linear("visits", ARCHIVES, |text| visits(text.as_bytes())),
        Operation::prepared("bodies of requests", BODIES, Order::Linear, |text| {
            let file = requests(&text);
            Box::new(move || visits(&file))
        })
        // The output grows with shorter texts until it fills a key.
        .from(4 << 10),
        Operation::linear("lines of an index", ARCHIVES, |text| {
            let Some(layout) = text.lines().next().and_then(|line| CdxLayout::recognise(line.as_bytes()))
            else {
                return 0;
            };
            text.lines().map(|line| key_text(layout, line).ok().flatten().map_or(0, |key| key.len())).sum()
        }),
        Operation::linear("search in an index", ARCHIVES, |text| {
            let range = LineRange { start: b"com,".to_vec(), end: b"com-".to_vec() };
            let (mut found, bytes) = (0, text.as_bytes());
            // An error is also an answer.
            let _ = find(Cursor::new(bytes), &range, &mut |_| Ok(Cursor::new(bytes)), &mut |line| {
                found += line.len();
                ControlFlow::Continue(())
            });
            found
        }),
        Operation::linear("rows of CSV", CSV_TABLES, |text| rows(text, Dialect::CSV)),
        Operation::linear("rows of JSON", JSON_TABLES, |text| rows(text, Dialect::Ndjson)),
    ]
}

fn lines(text: &str) -> usize {
    lines_of(text.as_bytes().to_vec())
}

/// Makes the index of an archive, with requests as parts of keys.
fn visits(file: &[u8]) -> usize {
    let form: Form = "surt-0.3.1".parse().expect("it is the name of a form");
    let (mut keys, mut out) = (form.canonicalizer(), String::new());
    let Ok(visits) = Visits::new(file, Records::ALL) else { return 0 };
    let mut visits = visits.with_requests(BodyRules::CdxjIndexer);
    while let Ok(Some(visit)) = visits.next_visit() {
        // A rejected record is also an answer.
        let _ = visit.write_line(&mut keys, "a.warc", IndexLayout::Cdxj, &mut out);
    }
    out.len()
}

/// Makes an archive of requests with this body, as each type of body.
fn requests(body: &str) -> Vec<u8> {
    let types = [
        "application/x-www-form-urlencoded",
        "application/json",
        "text/plain",
        "multipart/form-data; boundary=b",
        "video/mp4\r\nTransfer-Encoding: chunked",
    ];
    let request = |media_type: &&str| {
        let length = body.len();
        let head =
            format!("POST / HTTP/1.1\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n");
        let response =
            urlid_testing::warc_record_of("response", "http://a.example/", b"HTTP/1.1 200 OK\r\n\r\n");
        let request =
            urlid_testing::warc_record_of("request", "http://a.example/", [&head, body].concat().as_bytes());
        [response, request].concat()
    };
    types.iter().flat_map(request).collect()
}

fn lines_of(bytes: Vec<u8>) -> usize {
    let Ok(input) = Input::from_reader(Cursor::new(bytes)) else { return 0 };
    let (mut lines, mut count) = (input.lines(LineOptions::default()), 0);
    while let Ok(Some(line)) = lines.next_line() {
        count += line.bytes.len();
    }
    count
}

/// Reads the rows of a table and returns their number of bytes.
fn rows(text: &str, dialect: Dialect) -> usize {
    let mut bytes = 0;
    let mut read = || -> Result<(), Error> {
        let input = Input::from_reader(Cursor::new(text.as_bytes().to_vec()))?;
        let choice = ColumnChoice::from("url");
        let (mut reader, layout, _) = RecordReader::open(input, Some(dialect), HeaderRow::Names, &[choice])?;
        let mut chunk = RecordChunk::default();
        while reader.read(&mut chunk)? {
            chunk.each_row(&layout, |row| {
                bytes += row.text.len();
                Ok::<(), Error>(())
            })?;
        }
        Ok(())
    };
    // An error is also an answer.
    let _ = read();
    bytes
}
