//! Columns of comma-separated values: what is written is read, and what is no table is named.

use std::io::Cursor;
use urlid::{Coded, ErrorCode};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use urlid_lines::{CsvError, Input, LineError, Options};

/// The line of a field, and the field.
type Numbered = (u64, Result<String, LineError>);

fn column(bytes: &[u8], name: &str, options: Options) -> Result<Vec<Numbered>, CsvError> {
    let input = Input::from_reader(Cursor::new(bytes.to_vec())).expect("memory can be read");
    let mut column = input.column(name, options)?;
    let mut fields = Vec::new();
    while let Some(line) = column.next_line()? {
        fields.push((line.number, line.text.map(str::to_owned)));
    }
    assert!(column.next_line().is_ok_and(|line| line.is_none()), "the end stays");
    Ok(fields)
}

/// Checks the fields of the column `url`, and the numbers of their lines.
#[track_caller]
fn check(bytes: &[u8], expected: &[(u64, &str)]) {
    let fields = column(bytes, "url", Options::default()).expect("is a table");
    let fields: Vec<(u64, String)> =
        fields.into_iter().map(|(line, text)| (line, text.expect("is text"))).collect();
    let expected: Vec<(u64, String)> =
        expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
    assert_eq!(fields, expected);
}

#[test]
fn fields_are_those_of_their_column() {
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
}

#[test]
fn what_is_no_table_is_named_with_its_line() {
    let table: [(&[u8], ErrorCode, &str); 10] = [
        (b"", ErrorCode::Table, "no column is named: found an empty input, expected a line of names"),
        (b"id,URL\n", ErrorCode::Column, "no column `url`: found `id`, `URL`"),
        (b"url,url\n", ErrorCode::Column, "column `url` is named twice"),
        (
            b"url\na\n\"b\n\n",
            ErrorCode::Table,
            "quote is not closed: found the end of the input in a field of line 3",
        ),
        (b"\"url", ErrorCode::Table, "quote is not closed: found the end of the input in a field of line 1"),
        (
            b"url\n\"a\nb\"c\n",
            ErrorCode::Table,
            "field goes on after its quotes in line 3: expected a comma or the line's end",
        ),
        (
            b"url\n\"a\"\rb\n",
            ErrorCode::Table,
            "field goes on after its quotes in line 2: expected a comma or the line's end",
        ),
        (
            b"id,url\n1,a\n2\n",
            ErrorCode::Table,
            "record has 1 fields in line 3: expected 2, as the first has",
        ),
        (
            b"id,url\n\n\"\"\n",
            ErrorCode::Table,
            "record has 1 fields in line 3: expected 2, as the first has",
        ),
        (b"id,url\n1,a,b", ErrorCode::Table, "record has 3 fields in line 2: expected 2, as the first has"),
    ];
    for (bytes, code, message) in table {
        let error = column(bytes, "url", Options::default()).expect_err(message);
        assert_eq!((error.code(), error.to_string().as_str()), (code, message));
    }
    let wide = [b"a,".repeat(10_000), b"url\n".to_vec()].concat();
    let long = [vec![b'a'; 5000], b",url\n".to_vec()].concat();
    for bytes in [wide, long] {
        let error = column(&bytes, "url", Options::default()).expect_err("is no header");
        assert!(matches!(error, CsvError::Header), "{error}");
    }
}

#[test]
fn fields_over_the_cap_are_refused_alone() {
    let options = Options { max_line: 3, ..Options::default() };
    let long: Result<String, _> = Err(LineError::TooLong { limit: 3 });
    let bytes = b"id,url\n1,abcd\n2222222,abc\n3,abc\r\n4,\"abcd\"\n5,abcd\r\n6,\xff\n";
    let fields = column(bytes, "url", options).expect("is a table");
    let expected = [
        (2, long.clone()),
        (3, Ok("abc".to_owned())),
        (4, Ok("abc".to_owned())),
        (5, long.clone()),
        (6, long),
        (7, Err(LineError::Utf8 { offset: 0 })),
    ];
    assert_eq!(fields, expected);
}

/// A record may have line ends, and a line end alone says nothing of whether it is there.
#[test]
fn a_record_is_at_hand_if_all_of_it_was_read() {
    let table = [
        ("", false),
        ("a,1", false),
        ("a,1\n", true),
        ("a\",1\n", true),
        ("\"a\n", false),
        ("\"a\n\"\"\n", false),
        ("\"a\n\",1\n", true),
        ("\"a\"", false),
        ("\"a\"\r", false),
        ("\"a\"\r\n", true),
        ("\"a\"b", true),
        ("a,\"\n", false),
        ("a,\"\"\"\n\"\n", true),
    ];
    for (bytes, is_there) in table {
        let written = format!("url,n\nx,0\n{bytes}");
        let input = Input::from_reader(Cursor::new(written.clone())).expect("memory can be read");
        let mut column = input.column("url", Options::default()).expect("is there");
        assert_eq!(column.next_line().expect("is read").expect("is there").text, Ok("x"));
        assert_eq!(column.has_line(), is_there, "{written:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(urlid_generators::seed()),
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_written_is_read(
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
        let input = Input::from_reader(Slow { bytes: bytes.into_bytes(), offset: 0, chunk }).expect("memory can be read");
        let mut column = input.column("url", Options::default()).expect("is there");
        for (url, ..) in &records {
            let line = column.next_line().expect("is read").expect("is there");
            prop_assert_eq!(line.text, Ok(url.as_str()));
        }
        prop_assert!(column.next_line().expect("is read").is_none());
    }
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
