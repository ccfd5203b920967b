//! Errors of files: lines, compressed input, tables, indexes.

use std::fs::File;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::Path;

use urlid::suffix::SuffixList;
use urlid::{Coded, Error};
use urlid_archives::cdx::{CdxError, CdxLayout, LineRange, MatchType, find};
use urlid_archives::cdxj::{BodyRules, IndexLayout, Visits};
use urlid_archives::{Record, Records, Wacz, WaczPart, WarcReader};
use urlid_canonical::Form;
use urlid_io::error;
use urlid_io::lines::{Input, LineOptions, range_of};
use urlid_io::tables::{HeaderRow, ParquetColumn, RecordChunk, RecordReader};
use urlid_store::dataset::{BuildOptions, Builder};
use urlid_store::file::{Finding, Index, Load, LoadOptions, RowNumber, export_sqlite, merge};
use urlid_store::question::{Condition, Question};
use urlid_store::seen::{Keys, SeenFile, SeenSet};

use crate::example::{Example, example};

pub(crate) fn examples() -> Vec<Example> {
    let mut examples =
        [lines(), archives(), csv(), questions(), findings()].into_iter().flatten().collect::<Vec<_>>();
    let folder = tempfile::tempdir().expect("there is room for a small file");
    let path = folder.path().join("urls.db");
    examples.extend(indexes(&path));
    examples.extend(seen_sets(folder.path()));
    for example in &mut examples {
        example.message = example.message.replace(&path.display().to_string(), "FILE");
        example.message = example.message.replace(&folder.path().display().to_string(), "FOLDER");
    }
    examples
}

fn lines() -> Vec<Example> {
    let first_line = |from, bytes: &'static [u8], max_line| {
        let input = Input::from_reader(Cursor::new(bytes)).expect("memory can be read");
        let mut reader = input.lines(LineOptions { max_line, ..LineOptions::default() });
        let line = reader.next_line().expect("memory can be read").expect("there is a line");
        example!(from, line.text)
    };
    let read_all = |bytes: &'static [u8]| -> Result<(), Error> {
        let mut reader = Input::from_reader(Cursor::new(bytes))?.lines(LineOptions::default());
        while reader.next_line()?.is_some() {}
        Ok(())
    };
    vec![
        first_line("a line with the byte ff", b"ab\xff\n", 10),
        first_line("a line of 11 bytes where 10 are allowed", b"hello world\n", 10),
        example!("a gzip input that ends after its header", read_all(b"\x1f\x8b\x08\0\0\0\0\0\0\xff")),
        example!("a zstd input whose window is 2 GiB", read_all(b"\x28\xb5\x2f\xfd\x00\xa8\x01\0\0")),
        example!("a missing input", Input::open("no/such/file")),
        example!("a PDF file as lines", read_all(b"%PDF-1.7\n")),
        example!("a ZIP archive from a pipe as lines", read_all(b"PK\x03\x04\x14\0")),
        first_line("an entity in a location of a sitemap", b"<urlset><url><loc>http://a/&b;</loc>", 20),
        example!("a sitemap that is cut", read_all(b"<urlset><url><loc>http://a/")),
        example!(
            "a sitemap in the encoding ISO-8859-1",
            read_all(b"<?xml version='1.0' encoding='ISO-8859-1'?><urlset/>")
        ),
        example!(
            "bookmarks that are cut in a tag",
            read_all(b"<!DOCTYPE NETSCAPE-Bookmark-file-1><A HREF='http://a/")
        ),
    ]
}

fn archives() -> Vec<Example> {
    let records = |bytes: &[u8]| -> Result<(), Error> {
        let (mut reader, mut record) = (WarcReader::new(bytes), Record::default());
        while reader.next_record(&mut record)? {}
        Ok(())
    };
    let written = |file: &[u8], name: &str, layout: IndexLayout| -> Result<Result<(), Error>, Error> {
        let visits = Visits::new(file, Records::default()).map_err(error::read)?;
        let mut visits = visits.with_requests(BodyRules::CdxjIndexer);
        let visit = visits.next_visit()?.expect("the file has a visit");
        let form = "surt-0.3.1".parse::<Form>().expect("it is a form");
        let (mut keys, mut out) = (form.canonicalizer(), String::new());
        Ok(visit.write_line(&mut keys, name, layout, &mut out))
    };
    let line = |file: &[u8]| written(file, "a.warc", IndexLayout::Cdxj);
    let cdx_line = |file: &[u8]| written(file, "a warc", IndexLayout::Cdx9);
    let posted = |media_type: &str| {
        let fields = |kind, id, to| {
            [
                ("WARC-Type", kind),
                ("WARC-Target-URI", "http://a/"),
                ("WARC-Date", "2026-01-02T03:04:05Z"),
                ("WARC-Record-ID", id),
                ("WARC-Concurrent-To", to),
            ]
        };
        let request = format!("POST / HTTP/1.1\r\nContent-Type: {media_type}\r\nContent-Length: 1\r\n\r\nx");
        [
            urlid_testing::warc_record(&fields("response", "1", "0"), b"HTTP/1.1 200 OK\r\n\r\n"),
            urlid_testing::warc_record(&fields("request", "2", "1"), request.as_bytes()),
        ]
        .concat()
    };
    let record = urlid_testing::warc_record(&[("WARC-Type", "response"), ("WARC-Date", "yesterday")], b"");
    let dated =
        urlid_testing::warc_record(&[("WARC-Type", "response"), ("WARC-Date", "2026-01-02T03:04:05Z")], b"");
    let arc = b"filedesc://a 0.0.0.0 20260102030405 text/plain 0\nhttp://a/ 192.0.2.1 today text/html 0\n";
    let form = "surt-0.3.1".parse::<Form>().expect("it is a form");
    let wacz = |bytes: &[u8]| -> Result<(), Error> {
        let mut file = tempfile::tempfile().expect("there is room");
        std::io::Write::write_all(&mut file, bytes).expect("there is room");
        Wacz::open(range_of(file, 0).expect("it has a length"))?.entries(WaczPart::Archive).map(|_| ())
    };
    let search = |index: &str| {
        let range = LineRange { start: b"a".to_vec(), end: b"z".to_vec() };
        let mut open = |_: &str| Ok(Cursor::new(urlid_testing::gzip(b"a 1\n")));
        find(Cursor::new(index.as_bytes()), &range, &mut open, &mut |_| ControlFlow::Continue(()))
    };
    let cdx = CdxLayout::Cdx { fields: 11, url: 2, separator: b' ' };
    let endless = [b"WARC/1.0\r\n".to_vec(), vec![b'x'; 2 << 20]].concat();
    vec![
        example!(
            "a WARC file with other text between two records",
            records(b"WARC/1.0\r\nContent-Length: 0\r\n\r\nHTTP/1.1")
        ),
        example!("a record whose head does not end", records(&endless)),
        example!("a WARC file that is cut in a head", records(b"WARC/1.0\r\n")),
        example!("a record without a length", records(b"WARC/1.0\r\n\r\n")),
        example!(
            "a record whose length is not a number",
            records(b"WARC/1.0\r\nContent-Length: 1e3\r\n\r\n")
        ),
        example!("a WARC file that is cut in a content", records(b"WARC/1.0\r\nContent-Length: 3\r\n\r\nab")),
        example!("two records in one gzip member", line(&urlid_testing::gzip(&record.repeat(2)))),
        example!(
            "a line of ARC without an IP address",
            records(
                b"filedesc://a 0.0.0.0 20260102030405 text/plain 0\nhttp://a/ 20260102030405 text/html 1\n"
            )
        ),
        example!("a gzip member that is cut", line(&urlid_testing::gzip(&record)[..20])),
        example!("a record without a date", line(&record).expect("the record can be read")),
        example!(
            "a file name with a space in an index of CDX",
            cdx_line(&dated).expect("the record can be read")
        ),
        example!("a WACZ file that is cut", wacz(b"PK\x03\x04")),
        example!("a ZIP archive without WARC files", wacz(&[b"PK\x05\x06".to_vec(), vec![0; 18]].concat())),
        example!(
            "a POST whose body is AMF",
            line(&posted("application/x-amf")).expect("the record can be read")
        ),
        example!(
            "a POST whose body has no part",
            line(&posted("multipart/form-data; boundary=b")).expect("the record can be read")
        ),
        example!("a record of ARC with a word as its date", line(arc).expect("the record can be read")),
        example!("a line of a CDX index that is cut", cdx.url(b"com,a)/ 20260102030405 http://a.com/")),
        example!("a line of a CDXJ index that is cut", CdxLayout::Cdxj.url(b"com,a)/ 20260102030405 {")),
        example!(
            "a row of an index in JSON that is cut",
            CdxLayout::Rows { fields: 3, url: 2 }.url(b"[\"com,a)/\",")
        ),
        example!("a line of a CDXJ index without a URL", CdxLayout::Cdxj.url(b"com,a)/ 20260102030405 {}")),
        example!("a file of URLs where an index is expected", Err::<(), _>(CdxError::NoIndex)),
        example!("indexes with other fields merged into one", Err::<(), _>(CdxError::OtherLayout)),
        example!("a `.idx` file without the places of blocks", search("a 1\tx\t0\t99\t1\nb 1\n")),
        example!("a `.idx` file whose blocks are not gzip", search("a 1\tx\t5\t99\t1\n")),
        example!(
            "a query for the host of a URL without a host",
            LineRange::parse("mailto:a@b", &form, MatchType::Host)
        ),
        example!("a URL of two lines in a CDXJ index", CdxLayout::Cdxj.url(br#"k 1 {"url": "a\nb"}"#)),
    ]
}

fn csv() -> Vec<Example> {
    let read_all = |bytes: &'static [u8]| -> Result<(), Error> {
        let input = Input::from_reader(Cursor::new(bytes))?;
        let (mut reader, mut layout, _) = RecordReader::open(input, None, HeaderRow::Names, &["url".into()])?;
        layout.add(&["id".to_owned()])?;
        let mut chunk = RecordChunk::default();
        while reader.read(&mut chunk)? {
            chunk.each_row(&layout, |_| Ok::<(), Error>(()))?;
        }
        Ok(())
    };
    vec![
        example!("an empty CSV file", read_all(b"")),
        example!("a CSV file without a column `url`", read_all(b"id,page\n")),
        example!("a CSV file with two columns `url`", read_all(b"url,url\n")),
        example!("a CSV file that ends in quotes", read_all(b"url\n\"https://h/\n")),
        example!("a CSV file with `\"a\"b` as a field", read_all(b"url\n\"a\"b\n")),
        example!("a CSV file with a short record", read_all(b"n,url\n1\n")),
        example!("a CSV file with a column `id` before one is added", read_all(b"id,url\n")),
    ]
}

fn questions() -> Vec<Example> {
    let of = |conditions: &[(Condition, &str)]| Question::new(conditions.iter().copied());
    vec![
        example!(
            "the slice of the domain `google.com`",
            Question::check_part(Condition::Domain, "google.com")
        ),
        example!("a query for the tld `a^b`", of(&[(Condition::Tld, "a^b")])),
        example!("a query for the scheme `ws:`", of(&[(Condition::Scheme, "ws:")])),
        example!("a query for an empty tld", of(&[(Condition::Tld, "")])),
        example!(
            "a query for a host and a tld",
            of(&[(Condition::Host, "example.com"), (Condition::Tld, "com")])
        ),
    ]
}

fn findings() -> Vec<Example> {
    let url = || "https://example.com/".to_owned();
    let row = RowNumber::Url(7);
    let source = urlid::sxurl::Sxurl::encode("ws://h/").expect_err("it has no identifier");
    [
        ("a verified row with a short key", Finding::Key { row }),
        ("a verified row that is not UTF-8", Finding::Text { row }),
        (
            "a verified row with a URL that lacks an SXURL",
            Finding::Url { row, url: "ws://h/".to_owned(), source },
        ),
        ("a verified row with a spelling that is not stored", Finding::NotNormal { row, url: url() }),
        ("a verified row with a wrong id", Finding::Id { row, url: url() }),
        ("a verified row in the wrong order", Finding::Order { row }),
        (
            "a verified row of `other` with an SXURL",
            Finding::OtherTable { row: RowNumber::Other(7), url: url() },
        ),
        (
            "a verified row with the key of a different host",
            Finding::Id { row: RowNumber::Other(7), url: "ws://h/".to_owned() },
        ),
        ("a verified index with a missing row", Finding::Rows { found: 6, recorded: 7 }),
        ("a verified index with a different suffix list", Finding::List),
    ]
    .into_iter()
    .map(|(from, finding)| Example { code: finding.code(), from, message: finding.to_string() })
    .collect()
}

fn seen_sets(folder: &Path) -> Vec<Example> {
    let keys = |name: &str| Keys::of_form(&name.parse().expect("a canonical form"));
    let path = folder.join("urls.seen");
    let set = SeenSet::open(&path, &keys("web")).expect("there is room for a small file");
    let mut examples = vec![
        example!("a seen-set that another program writes to", SeenSet::open(&path, &keys("web"))),
        example!("a folder that is not a seen-set", SeenFile::open(folder)),
    ];
    set.close().expect("there is room for a small file");
    examples.push(example!(
        "a seen-set of the form `web`, opened with the form `surt-0.3.1`",
        SeenSet::open(&path, &keys("surt-0.3.1"))
    ));
    examples
}

fn indexes(path: &Path) -> Vec<Example> {
    let list = SuffixList::compiled();
    let open = |from: &'static str, bytes: &[u8]| {
        std::fs::write(path, bytes).expect("there is room for a small file");
        example!(from, Index::open(path))
    };
    let mut examples = vec![example!("a missing index", Index::open(path))];
    examples.push(open("an empty file as an index", b""));
    examples.push(open("a text as an index", b"hello, this is not a database"));
    examples.push(example!("a directory as an index", Index::open(path.parent().expect("it has a folder"))));
    std::fs::remove_file(path).expect("it was written");

    let mut load = Load::begin(path, list, LoadOptions::default()).expect("it is new");
    load.push("https://example.com/").expect("it is a URL");
    load.finish().expect("there is room for a small file");
    let good = std::fs::read(path).expect("the index was written");

    // The header of a SQLite file has the user_version at byte 60 and the application_id at byte 68.
    let changed = |offset: usize, value: u32| {
        let mut bytes = good.clone();
        bytes[offset..offset + 4].copy_from_slice(&value.to_be_bytes());
        bytes
    };
    examples.push(open("a database of a different program as an index", &changed(68, 7)));
    examples.push(open("an index of format 0", &changed(60, 0)));
    examples.push(open("an index of format 99", &changed(60, 99)));

    std::fs::write(path, &good).expect("there is room for a small file");
    let index = Index::open(path).expect("it is an index");
    examples.push(example!("a lookup of `h/` in an index", index.get_url("h/", None)));
    let form = |name: &str| LoadOptions { form: Some(name.parse().expect(name)), ..LoadOptions::default() };
    examples.push(example!(
        "a load with a form into an index without a form",
        Load::begin(path, list, form("web"))
    ));
    examples.push(example!("an index of keys", Load::begin(path, list, form("surt-0.3.1"))));
    examples.push(example!("an index merged with itself", merge(path, &[path], LoadOptions::default())));
    examples.extend(tables(&index, path.parent().expect("it has a folder")));
    examples
}

/// Exports an index, and damages the file of a dataset.
fn tables(index: &Index, folder: &Path) -> Vec<Example> {
    let export = || export_sqlite(index, &folder.join("readable.db"));
    export().expect("there is room for a small file");
    let (dataset, path) = (folder.join("dataset"), folder.join("urls.parquet"));
    let options = BuildOptions { with_ids: true, ..BuildOptions::default() };
    let builder = Builder::begin(&dataset, SuffixList::compiled(), options).expect("its name is free");
    builder.finish().expect("there is room for a small file");
    let good = std::fs::read(dataset.join("part-00000.parquet")).expect("it was written");
    let open = |bytes: &[u8], column: &str| {
        std::fs::write(&path, bytes).expect("there is room for a small file");
        ParquetColumn::open(File::open(&path).expect("it is there"), &column.into())
    };
    let footer = good.len() - 8;
    let claim = [&good[..footer], &u32::MAX.to_le_bytes(), b"PAR1"].concat();
    let cut = [&good[..footer], &4_u32.to_le_bytes(), b"PAR1"].concat();
    let encrypted = [&good[..footer + 4], b"PARE"].concat();
    vec![
        example!("an export to a file that exists", export()),
        example!("a Parquet file that is cut", open(&good[..good.len() - 1], "url")),
        example!("a Parquet file whose footer claims 4 GiB", open(&claim, "url")),
        example!("a Parquet file whose footer is cut", open(&cut, "url")),
        example!("a Parquet file whose footer is encrypted", open(&encrypted, "url")),
        example!("a column that a Parquet file does not have", open(&good, "page")),
        example!("a column of a Parquet file that is a number", open(&good, "sx_tld")),
    ]
}
