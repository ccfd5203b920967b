//! Tables of text: what is written is read and kept, and what is not a table is named.

use std::io::Cursor;

use proptest::prelude::*;
use urlid::{Error, ErrorCode};
use urlid_io::error;
use urlid_io::lines::Input;
use urlid_io::tables::{
    Cell, ColumnChoice, Dialect, HeaderRow, RecordChunk, RecordReader, Separator, TableLayout,
};
use urlid_testing::proptest_config;

/// A table that was read.
struct Table {
    layout: TableLayout,
    /// The line of each row, and the values of its columns.
    rows: Vec<(u64, Vec<Cell<'static>>)>,
    /// The first record and all rows as they are written.
    written: Vec<u8>,
}

fn read_from(
    reader: impl std::io::Read + Send + 'static,
    dialect: Option<Dialect>,
    header: HeaderRow,
    choices: &[ColumnChoice],
) -> Result<Table, Error> {
    let input = Input::from_reader(reader).expect("memory can be read");
    let (mut reader, layout, mut written) = RecordReader::open(input, dialect, header, choices)?;
    let (mut chunk, mut rows) = (RecordChunk::default(), Vec::new());
    while reader.read(&mut chunk)? {
        chunk.each_row(&layout, |row| {
            let owned = |cell: &Cell<'_>| match cell {
                Cell::Text(text) => Cell::Text(text.to_vec().into()),
                Cell::Missing => Cell::Missing,
                Cell::Null => Cell::Null,
                Cell::Number(number, error) => Cell::Number(number.to_string().leak(), error.clone()),
                Cell::Bad(error) => Cell::Bad(error.clone()),
            };
            rows.push((row.line, row.cells.iter().map(owned).collect()));
            written.extend_from_slice(row.text);
            written.extend_from_slice(row.end);
            Ok::<(), Error>(())
        })?;
    }
    assert!(reader.read(&mut chunk).is_ok_and(|is_there| !is_there), "the end stays");
    Ok(Table { layout, rows, written })
}

fn read(bytes: &[u8], choices: &[ColumnChoice]) -> Result<Table, Error> {
    read_from(Cursor::new(bytes.to_vec()), None, HeaderRow::Names, choices)
}

fn table_of(bytes: &[u8], choices: &[ColumnChoice]) -> Result<Table, Error> {
    read(bytes, choices)
}

fn text(value: &str) -> Cell<'static> {
    Cell::Text(value.as_bytes().to_vec().into())
}

/// Checks the fields of the column `url`, and the numbers of their lines.
#[track_caller]
fn check(bytes: &[u8], expected: &[(u64, &str)]) {
    let table = read(bytes, &["url".into()]).expect("is a table");
    let of_line = |(line, value): &(u64, &str)| (*line, vec![text(value)]);
    let rows: Vec<_> = table
        .rows
        .into_iter()
        .map(|(line, cells)| (line, if cells.is_empty() { vec![text("")] } else { cells }))
        .collect();
    assert_eq!(rows, expected.iter().map(of_line).collect::<Vec<_>>());
    assert_eq!(table.written, bytes, "all bytes are kept");
}

#[test]
fn fields_come_from_the_named_column() {
    check(b"url\na\nb\n", &[(2, "a"), (3, "b")]);
    check(b"id,url,n\r\n1,a,2\r\n3,b,4", &[(2, "a"), (3, "b")]);
    check(
        b"\xef\xbb\xbf\"url\",id\n\"a,\"\"b\"\"\",1\n\"c\nd\r\ne\",2\nf,3\n",
        &[(2, "a,\"b\""), (3, "c\nd\r\ne"), (6, "f")],
    );
    check(b"id,url\n1,\n2,\"\"\n\n3,a\r\r\n", &[(2, ""), (3, ""), (4, ""), (5, "a\r")]);
    check(b"url\r\na\"b\n\"\"\n", &[(2, "a\"b"), (3, "")]);
    check(b"url", &[]);
    check(b"url\n", &[]);
    check(b"url\n\n", &[(2, "")]);
    check(b"id,url\n1,\"a\"", &[(2, "a")]);
    // A CR at the very end is what is left of a line end.
    check(b"id,url\r\n1,a\r", &[(2, "a")]);
    check(b"id,url\r\n1,\"a\"\r", &[(2, "a")]);
    check(b"id\turl\r\n1\ta\r", &[(2, "a")]);
    check(b"{\"url\":\"a\"}\r", &[(1, "a")]);
    check(b"url\r", &[]);
}

#[test]
fn malformed_tables_are_named_with_their_line() {
    let table: [(&[u8], ErrorCode, &str); 11] = [
        (
            b"",
            ErrorCode::Table,
            "names of columns are missing: found an empty input, expected a line of names",
        ),
        (b"id,URL\n", ErrorCode::Column, "no column `url`: found `id`, `URL`"),
        (b"url,url\n", ErrorCode::Column, "column `url` is named twice"),
        (
            b"url\na\n\"b\n\n",
            ErrorCode::Table,
            "quote is not closed: found the end of the input in the record of line 3",
        ),
        (
            b"\"url",
            ErrorCode::Table,
            "quote is not closed: found the end of the input in the record of line 1",
        ),
        (
            b"url\n\"a\nb\"c\n",
            ErrorCode::Table,
            "field continues after its closing quote in the record of line 2: expected a comma or the line's end",
        ),
        (
            b"url\n\"a\"\rb\n",
            ErrorCode::Table,
            "field continues after its closing quote in the record of line 2: expected a comma or the line's end",
        ),
        (
            b"id,url\n1,a\n2\n",
            ErrorCode::Table,
            "record of line 3 has 1 fields: expected 2, like the first record",
        ),
        (
            b"id,url\n\n\"\"\n",
            ErrorCode::Table,
            "record of line 3 has 1 fields: expected 2, like the first record",
        ),
        (
            b"url\tn\n1\t2\t3",
            ErrorCode::Table,
            "record of line 2 has 3 fields: expected 2, like the first record",
        ),
        (
            b"id,url\n1,a,b",
            ErrorCode::Table,
            "record of line 2 has 3 fields: expected 2, like the first record",
        ),
    ];
    for (bytes, code, message) in table {
        let error = read(bytes, &["url".into()]).err().expect(message);
        assert_eq!((error.code(), error.to_string().as_str()), (code, message));
    }
    let wide = [b"a,".repeat(10_000), b"url\n".to_vec()].concat();
    let long = [vec![b'a'; 5000], b",url\n".to_vec()].concat();
    for bytes in [wide, long] {
        let error = read(&bytes, &["url".into()]).err().expect("is no header");
        assert!(error.is(error::HEADER), "{error}");
    }
}

#[test]
fn tables_are_recognised_by_their_first_line() {
    let of = |bytes: &[u8]| read(bytes, &["url".into()]).expect("is a table").layout.dialect();
    assert_eq!(of(b"id,url\n1,\ta\n"), Dialect::CSV);
    assert_eq!(of(b"url\n"), Dialect::CSV);
    assert_eq!(of(b"id\turl\n1\ta\n"), Dialect::Tsv);
    assert_eq!(of(b"\xef\xbb\xbf {\"url\":\"a\"}"), Dialect::Ndjson);
}

#[test]
fn values_of_tsv_are_unescaped_and_have_no_quotes() {
    let bytes = b"url\tn\r\na\\tb\\\\c\\d\t1\r\n\"x\t2\n\n\t";
    let table = read(bytes, &["url".into(), "n".into()]).expect("is a table");
    let expected = vec![
        (2, vec![text("a\tb\\c\\d"), text("1")]),
        (3, vec![text("\"x"), text("2")]),
        (4, vec![]),
        (5, vec![text(""), text("")]),
    ];
    assert_eq!((table.rows, table.written.as_slice()), (expected, &bytes[..]));
}

#[test]
fn members_are_read_and_each_value_that_is_not_an_object_is_one_row() {
    let bytes = b"{\"url\": \"a\\u0062\", \"x\": [{\"url\": 1}]}\r\n\n{}\n{\"url\":null}\n{\"url\":-5e3}\n{\"url\":true}\n[1]\n{\"url\":\"a\",\"url\":\"b\"}\n{\"url\":\"c\"} \n{\"new\":1}";
    let choices = ["url".into()];
    let input = Input::from_reader(Cursor::new(bytes.to_vec())).expect("memory can be read");
    let (mut reader, mut layout, first) =
        RecordReader::open(input, None, HeaderRow::Names, &choices).expect("is a table");
    layout.add(&["new".to_owned()]).expect("is another");
    assert!(first.is_empty());
    let (mut chunk, mut seen) = (RecordChunk::default(), Vec::new());
    while reader.read(&mut chunk).expect("is read") {
        chunk
            .each_row(&layout, |row| {
                seen.push(match row.cells {
                    [] => "blank".to_owned(),
                    [Cell::Missing] => "missing".to_owned(),
                    [Cell::Null] => "null".to_owned(),
                    [Cell::Text(text)] => String::from_utf8_lossy(text).into_owned(),
                    [Cell::Number(number, error)] if error.is(error::NO_TEXT) => format!("number {number}"),
                    [Cell::Bad(error)] if error.is(error::NO_TEXT) => "no text".to_owned(),
                    [Cell::Bad(error)] if error.is(error::NO_OBJECT) => "no object".to_owned(),
                    [Cell::Bad(error)] if error.is(error::MEMBER_TWICE) => {
                        format!("{} twice", error.subject().unwrap_or_default())
                    }
                    other => panic!("{other:?}"),
                });
                Ok::<(), Error>(())
            })
            .expect("are rows");
    }
    let expected = [
        "ab",
        "blank",
        "missing",
        "null",
        "number -5e3",
        "no text",
        "no object",
        "url twice",
        "c",
        "new twice",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn records_may_be_longer_than_a_buffer_but_not_endless() {
    let long = "x".repeat(3 << 20);
    let bytes = format!("id,url\n1,\"{long}\n{long}\"\n2,a\n");
    let table = read(bytes.as_bytes(), &["url".into()]).expect("is a table");
    assert_eq!(table.rows, [(2, vec![text(&format!("{long}\n{long}"))]), (4, vec![text("a")])]);
    assert!(table.written == bytes.as_bytes());
    struct Endless;
    impl std::io::Read for Endless {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            room.fill(b'x');
            Ok(room.len())
        }
    }
    use std::io::Read;
    for start in [&b"url\n\""[..], b"url\n", b"{\"url\":\"", b"\"", b""] {
        let error = read_from(start.chain(Endless), None, HeaderRow::Names, &["url".into()])
            .err()
            .expect("has no end");
        assert_eq!(error.code(), ErrorCode::Table, "{error}");
    }
}

proptest! {
    #![proptest_config(proptest_config())]

    #[test]
    fn written_records_are_read_back(
        records in prop::collection::vec(("[a,\"\r\n\u{fc} ]{0,6}", "[a,\"\r\n ]{0,4}", any::<bool>()), 0..20),
        is_first in any::<bool>(),
        chunk in 1_usize..9,
    ) {
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let written = |text: &str, is_quoted: bool| {
            let must = text.contains(['"', ',', '\n', '\r']);
            if must || is_quoted { quoted(text) } else { text.to_owned() }
        };
        let mut bytes = if is_first { "url,other\n".to_owned() } else { "other,url\r\n".to_owned() };
        for (url, other, is_quoted) in &records {
            let (url, other) = (written(url, *is_quoted), written(other, *is_quoted));
            let (one, two) = if is_first { (url, other) } else { (other, url) };
            bytes.push_str(&format!("{one},{two}{}", if *is_quoted { "\r\n" } else { "\n" }));
        }
        let written = bytes.clone().into_bytes();
        let slow = Slow { bytes: bytes.into_bytes(), offset: 0, chunk };
        let table = read_from(slow, Some(Dialect::CSV), HeaderRow::Names, &["url".into()]).expect("is a table");
        let found: Vec<Vec<Cell<'_>>> = table.rows.into_iter().map(|(_, cells)| cells).collect();
        let expected: Vec<Vec<Cell<'_>>> = records.iter().map(|(url, ..)| vec![text(url)]).collect();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(table.written, written);
    }
}

proptest! {
    #![proptest_config(proptest_config())]

    /// Of any bytes, what is read before an error is what is written, and no row is lost or changed.
    #[test]
    fn any_bytes_are_rows_or_an_error(
        start in prop::sample::select(vec!["", "url,n\n", "n\turl\n", "{\"url\":1}\n", "\u{feff}url\r\n", "\"url\"\n"]),
        rest in prop::collection::vec(
            prop::sample::select(b"\"\"\"{{}}[],,::\n\n\r\t\\ urlnae01\xff\xc3\xa9\0".to_vec()),
            0..60,
        ),
        is_numbered in any::<bool>(),
        chunk in 1_usize..9,
    ) {
        let bytes = [start.as_bytes(), &rest].concat();
        let choice = if is_numbered { ColumnChoice::Number(1) } else { "url".into() };
        for dialect in [None, Some(Dialect::CSV), Some(Dialect::Tsv), Some(Dialect::Ndjson)] {
            for header in [HeaderRow::Names, HeaderRow::None] {
                let slow = Slow { bytes: bytes.clone(), offset: 0, chunk };
                match read_from(slow, dialect, header, std::slice::from_ref(&choice)) {
                    // Where a CR alone ends the first line, it is a line end, and written as LF.
                    Ok(table) if ends_at_cr(&bytes) => {
                        let or_lf = bytes.iter().map(|byte| if *byte == b'\r' { b'\n' } else { *byte });
                        prop_assert!(table.written == bytes || or_lf.eq(table.written.iter().copied()));
                    }
                    Ok(table) => prop_assert_eq!(&table.written, &bytes),
                    Err(error) => {
                        let is_of_tables = matches!(error.code(), ErrorCode::Table | ErrorCode::Column);
                        prop_assert!(is_of_tables, "{}", error);
                    }
                }
            }
        }
    }
}

/// Returns whether the first line end is a CR alone.
fn ends_at_cr(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
    end.is_some_and(|end| bytes[end] == b'\r' && bytes.get(end + 1).is_some_and(|next| *next != b'\n'))
}

/// Gives a few bytes at a time.
struct Slow {
    bytes: Vec<u8>,
    offset: usize,
    chunk: usize,
}

impl std::io::Read for Slow {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let rest = &self.bytes[self.offset..];
        let len = rest.len().min(self.chunk).min(room.len());
        room[..len].copy_from_slice(&rest[..len]);
        self.offset += len;
        Ok(len)
    }
}

#[test]
fn fields_have_other_separators_and_quotes() {
    let read = |bytes: &'static [u8], separator| {
        let dialect = Dialect::Csv(Separator::new(separator).expect("is a separator"));
        read_from(Cursor::new(bytes), Some(dialect), HeaderRow::Names, &["url".into()])
    };
    // As DuckDB writes a table: COPY t TO 't.tsv' (DELIMITER '\t').
    let tabs = b"url\tnote\n\"a\tb\"\t\"say \"\"x\"\"\"\nc\t\\t\n";
    let table = read(tabs, '\t').expect("is a table");
    assert_eq!(table.rows, [(2, vec![text("a\tb")]), (3, vec![text("c")])]);
    assert_eq!(table.written, tabs);
    let table = read(b"n;url\n1,5;\"a;b\"\r\n2;c", ';').expect("is a table");
    assert_eq!(table.rows, [(2, vec![text("a;b")]), (3, vec![text("c")])]);
    for (bytes, separator, message) in [
        (&b"url;n\n\"a\"b;1\n"[..], ';', "expected `;` or the line's end"),
        (b"url\tn\n\"a\"b\t1\n", '\t', "expected a tab or the line's end"),
    ] {
        let error = read(bytes, separator).err().expect(message);
        assert!(error.is(error::AFTER_QUOTE) && error.to_string().ends_with(message), "{error}");
    }
    for none in ['"', '\n', '\r', '\0', '\u{fc}'] {
        assert_eq!(Separator::new(none), None);
    }
}

#[test]
fn members_of_members_are_read_by_their_path() {
    let bytes = br#"{"page":{"url":"a","x":1},"n":1}
{"page.url":"b","page":{"url":"c"}}
{"page":null}
{"page":"text"}
{"page":{"url":null}}
{"page":{}}
{"page":{"url":{"of":"d"}}}
{"page":{"url":"a","url":"b"}}
{"page":{"url":"a"},"page":{"url":"b"}}
{"page":[{"url":"a"}]}
{}
"#;
    let choices = ["page.url".into(), "n".into(), "page.url.of".into()];
    let table = read(bytes, &choices).expect("is a table");
    assert_eq!(table.written, bytes);
    let found: Vec<String> = table
        .rows
        .iter()
        .map(|(_, cells)| match &cells[0] {
            Cell::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Cell::Bad(error) if error.is(error::MEMBER_TWICE) => "twice".to_owned(),
            Cell::Bad(error) if error.is(error::NO_TEXT) => "no text".to_owned(),
            other => format!("{other:?}").to_lowercase(),
        })
        .collect();
    let expected =
        ["a", "b", "null", "missing", "null", "missing", "no text", "twice", "twice", "missing", "missing"];
    assert_eq!(found, expected);
    assert_eq!(table.rows[6].1[2], text("d"));
}

#[test]
fn columns_have_numbers() {
    let choices = [ColumnChoice::Number(2), ColumnChoice::Number(1)];
    let table = read(b"url,url\na,b\n", &choices).expect("is a table");
    assert_eq!(table.rows, [(2, vec![text("b"), text("a")])]);
    let read = |header| {
        read_from(Cursor::new(&b"a,\"b\"\nc,d"[..]), None, header, &[ColumnChoice::Number(2)])
            .expect("is a table")
    };
    assert_eq!(
        (read(HeaderRow::Names).rows, read(HeaderRow::None).rows),
        (vec![(2, vec![text("d")])], vec![(1, vec![text("b")]), (2, vec![text("d")])])
    );
    assert_eq!(read(HeaderRow::None).layout.names(), ["column2"]);
    for (bytes, choices, message) in [
        (&b"a,b\n"[..], &[ColumnChoice::Number(3)][..], "no column `3`: found `a`, `b`"),
        (b"a,b\n", &[ColumnChoice::Number(0)], "no column `0`: found `a`, `b`"),
        (b"a,b\n", &[ColumnChoice::Number(2), "b".into()], "column `b` is named twice"),
        (
            b"{}",
            &[ColumnChoice::Number(1)],
            "columns of ndjson have no numbers: expected the name of a member",
        ),
    ] {
        let error = table_of(bytes, choices).err().expect(message);
        assert_eq!((error.code(), error.to_string().as_str()), (ErrorCode::Column, message));
    }
}

#[test]
fn a_record_has_at_most_64_mebibytes() {
    const MOST: usize = 64 << 20;
    for (start, end) in [("", ""), ("", "\n"), ("", "\r\n"), ("\"", "\"\r\n"), ("\"\n", "\"")] {
        for (len, is_read) in [(MOST, true), (MOST + 1, false)] {
            let quotes = start.len() + end.trim_end().len();
            let record = format!("{start}{}{end}", "x".repeat(len - quotes));
            let bytes = format!("url\n{record}").into_bytes();
            // Whichever way the bytes arrive.
            let read = read_from(Cursor::new(bytes), None, HeaderRow::Names, &["url".into()]);
            match read {
                Ok(table) => assert!(is_read && table.rows.len() == 1, "{start:?} {end:?} {len}"),
                Err(error) => {
                    assert!(!is_read && error.is(error::RECORD_LENGTH), "{start:?} {end:?} {len}: {error}");
                    assert_eq!(error.to_string(), "record of line 2 is too long: expected at most 64 MiB");
                }
            }
        }
    }
    let first = format!("{}\n", "x".repeat(MOST + 1)).into_bytes();
    let read = read_from(Cursor::new(first), None, HeaderRow::None, &[ColumnChoice::Number(1)]);
    assert!(read.is_err_and(|error| error.is(error::RECORD_LENGTH)));
}

/// Reads columns of a log that is recognised by its first line.
fn log(lines: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let choices: Vec<ColumnChoice> = columns.iter().map(|&column| column.into()).collect();
    let table = read_from(Cursor::new(lines.to_owned().into_bytes()), None, HeaderRow::Names, &choices);
    let table = table.expect("it is a log");
    assert_eq!(String::from_utf8_lossy(&table.written), lines, "lines are kept");
    let text = |cell: &Cell<'_>| match cell {
        Cell::Text(text) => String::from_utf8_lossy(text).into_owned(),
        Cell::Bad(error) if error.is(error::LOG_LINE) => "bad".to_owned(),
        _ => "null".to_owned(),
    };
    table.rows.iter().map(|(_, cells)| cells.iter().map(text).collect()).collect()
}

#[test]
fn logs_of_servers_are_tables() {
    let lines = concat!(
        r#"192.0.2.1 - me [28/Nov/2026:10:00:00 +0000] "GET /a b?q=\"x\"\xE9 HTTP/1.1" 200 5 "https://r.example/" "UA \"x\"" "9.9.9.9" rt=0.1"#,
        "\n",
        r#"h.example:443 ::1 - me [t] "GET /a HTTP/2.0" 304 -"#,
        "\r\n\n",
        r#"h.example:8080 ::1 - - [t] "GET http://o.example/a HTTP/1.1" 200 1 "-" "-""#,
        "\n",
        r#"1.1.1.1 - - [t] "\x16\x03" 400 0 "-" "-""#,
        "\nno log\n",
        r#"1.1.1.1 - - [t] "CONNECT h:443 HTTP/1.1" 200 0"#,
    );
    let rows = log(lines, &["host", "user", "target", "url", "status", "referer", "user_agent"]);
    let expected: [&[&str]; 7] = [
        &[
            "192.0.2.1",
            "me",
            r#"/a b?q=\"x\"\xE9"#,
            "/a b?q=%22x%22%E9",
            "200",
            "https://r.example/",
            r#"UA \"x\""#,
        ],
        &["::1", "me", "/a", "https://h.example/a", "304", "null", "null"],
        &[],
        &["::1", "null", "http://o.example/a", "http://o.example/a", "200", "null", "null"],
        &["1.1.1.1", "null", r"\x16\x03", "null", "400", "null", "null"],
        &["bad"; 7],
        &["1.1.1.1", "null", "h:443", "null", "200", "null", "null"],
    ];
    assert_eq!(rows, expected);
}

#[test]
fn an_address_is_not_a_virtual_host() {
    let lines = concat!(
        "::1 - a b [t] \"GET /a HTTP/1.1\" 200 5\n",
        "2001:db8::1:80 - a b [t] \"GET /a HTTP/1.1\" 200 5\n",
        "[::1]:8080 ::1 - a [t] \"GET /a HTTP/1.1\" 200 5\n",
        "h.example:80 ::1 - a b [t] \"GET /a HTTP/1.1\" 200 5\n",
        "h.example 192.0.2.1 - - [t] \"GET /a HTTP/1.1\" 200 5\n",
        "h.example:x 192.0.2.1 - a b [t] \"GET /a HTTP/1.1\" 200 5\n",
        "192.0.2.1:5555 - a b [t] \"GET /a HTTP/1.1\" 200 5\n",
        "192.0.2.1 id a b [t] \"GET /a HTTP/1.1\" 200 5\n",
        "192.0.2.1 - [a] [t] \"GET /a HTTP/1.1\" 200 5",
    );
    let rows = log(lines, &["vhost", "host", "ident", "user", "url"]);
    let expected: [&[&str]; 9] = [
        &["null", "::1", "null", "a b", "/a"],
        &["null", "2001:db8::1:80", "null", "a b", "/a"],
        &["[::1]:8080", "::1", "null", "a", "http://[::1]:8080/a"],
        &["h.example:80", "::1", "null", "a b", "http://h.example/a"],
        &["h.example", "192.0.2.1", "null", "null", "http://h.example/a"],
        &["h.example:x", "192.0.2.1", "null", "a b", "http://h.example:x/a"],
        &["null", "192.0.2.1:5555", "null", "a b", "/a"],
        &["null", "192.0.2.1", "id", "a b", "/a"],
        &["null", "192.0.2.1", "null", "[a]", "/a"],
    ];
    assert_eq!(rows, expected);
}

#[test]
fn logs_of_proxies_and_crawlers_are_tables() {
    let squid = "1286536309.450    180 192.0.2.1 TCP_MISS/200 411 GET http://h.example/a?b - HIER_DIRECT/1.1.1.1 text/html\n";
    assert_eq!(
        log(squid, &["result", "url", "type"]),
        [["TCP_MISS/200", "http://h.example/a?b", "text/html"]]
    );
    let crawl = "2026-11-28T10:00:00.000Z   200       5312 https://h.example/a L https://h.example/ text/html #012 20261128100000000+12 sha1:X - -\n\
                 20261128100000000 -2 - dns:h.example P https://h.example/ text/dns #1 - - - -\n";
    let rows = log(crawl, &["status", "url", "via"]);
    assert_eq!(
        rows,
        [["200", "https://h.example/a", "https://h.example/"], ["-2", "null", "https://h.example/"]]
    );
    let zeek = "#separator \\x09\n#fields\tid.resp_h\tid.resp_p\thost\turi\n#types\taddr\tport\tstring\tstring\n\
                1.1.1.1\t8080\th.example\t/a\\x09b\n1.1.1.1\t80\t-\t/\n1.1.1.1\t80\th.example\t-\n1.1.1.1\t80\n#close\t2026\n";
    let rows = log(zeek, &["host", "url"]);
    let expected: [&[&str]; 5] = [
        &["h.example", "http://h.example:8080/a%09b"],
        &["null", "http://1.1.1.1/"],
        &["h.example", "null"],
        &["bad", "bad"],
        &[],
    ];
    assert_eq!(rows, expected);
}

#[test]
fn targets_of_logs_are_named() {
    use urlid_io::tables::LogFormat;
    let line = br#"1.1.1.1 - - [t] "GET /a?b HTTP/1.1" 200 1 "https://r.example/" "UA""#;
    let targets = LogFormat::Combined.targets(line).expect("it is of the format");
    let texts: Vec<&[u8]> = targets.iter().map(|target| &line[target.clone()]).collect();
    assert_eq!(texts, [&b"/a?b"[..], b"https://r.example/"]);
    assert_eq!(LogFormat::Combined.targets(b"no log"), None);
    for format in [LogFormat::Combined, LogFormat::Squid, LogFormat::CrawlLog, LogFormat::Zeek] {
        for line in [
            "",
            "\"",
            "[",
            "[]",
            "[] \"",
            "[] \"\"",
            "[] \"\\",
            "- - - [] \"\\\" 200 1",
            "#",
            "\t\t",
            "a:1 b c d [] \" HTTP/\" 200 5",
        ] {
            _ = format.targets(line.as_bytes());
        }
    }
}
