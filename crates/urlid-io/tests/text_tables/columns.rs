//! Which columns are read: by number, by path, with any separator; and the longest records.

use std::io::Cursor;

use urlid::ErrorCode;
use urlid_io::error;
use urlid_io::tables::{Cell, ColumnChoice, Dialect, HeaderRow, Separator};

use super::{read, read_from, table_of, text};

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
