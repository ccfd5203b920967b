//! Footers and pages that claim more than they hold, or something else.

use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use urlid::ErrorCode;

use super::{PLAIN, ParquetColumn, Shape, file_of, read, written};

/// A footer whose lengths are wrong, with the bytes of a field after `version`.
fn footer(field: &[u8]) -> Vec<u8> {
    let mut bytes = b"PAR1\x15\x02".to_vec();
    bytes.extend_from_slice(field);
    bytes.push(0);
    let len = bytes.len() as u32 - 4;
    bytes.extend_from_slice(&len.to_le_bytes());
    bytes.extend_from_slice(b"PAR1");
    bytes
}

/// A footer with a schema of these elements: a name, and the number of children where it is not 0.
fn footer_of_schema(elements: &[(&str, usize)]) -> Vec<u8> {
    let mut field = vec![0x19, 0xfc];
    push_varint(&mut field, elements.len());
    for (name, children) in elements {
        field.extend_from_slice(&[0x48, name.len() as u8]);
        field.extend_from_slice(name.as_bytes());
        if *children > 0 {
            field.push(0x15);
            push_varint(&mut field, children << 1);
        }
        field.push(0);
    }
    footer(&field)
}

fn push_varint(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[test]
fn lies_are_rejected_before_room_is_made_for_them() {
    let two_to_the_31 = [0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07];
    let row_groups = [&[0x39][..], &two_to_the_31[1..]].concat();
    // The same behind the header of an integer, which ends where the list would begin.
    let as_integer = [&[0x35][..], &two_to_the_31[1..], &[0]].concat();
    // A schema element whose number of children, 127, is said to be one byte.
    let as_byte = [0x19, 0x1c, 0x48, 1, b'a', 0x13, 0xfe, 0];
    // A list of 40,000 empty row groups, each one byte.
    let many = [&[0x39, 0xfc, 0xc0, 0xb8, 0x02][..], &[0; 40_000]].concat();
    let pairs = [&[0x49, 0xfc, 0xc0, 0xb8, 0x06][..], &[0; 105_536]].concat();
    let deep = [[("a", 1)].repeat(101), vec![("b", 0)]].concat();
    let long = "a".repeat(100);
    let paths = [vec![(&*long, 1); 99], vec![(&*long, 5_000)], vec![("b", 0); 5_000]].concat();
    let table = [
        (footer(&row_groups), "footer is damaged: it claims 2147483647 elements in 1 bytes"),
        (footer(&two_to_the_31), "footer is damaged: it claims 2147483647 elements in 1 bytes"),
        (footer(&as_integer), "footer is damaged: its field 4 is of the type 5, expected 9"),
        (footer(&as_byte), "footer is damaged: its field 5 is of the type 3, expected 5"),
        // Field 8, the algorithm of an encryption.
        (footer(&[0x7c, 0]), "file is encrypted, which is not supported"),
        (b"PARE\x15\x02\0\x03\0\0\0PARE".to_vec(), "file is encrypted, which is not supported"),
        (footer(&[0x05, 2, 0]), "footer is damaged: it has the field 1 twice"),
        (footer(&many), "footer is damaged: it has 40000 row groups, expected at most 32767"),
        (footer(&pairs), "footer is damaged: it has 105536 elements in a list, expected at most 100000"),
        (
            footer_of_schema(&[("a", 100), ("b", 0)]),
            "footer is damaged: it has 100 children of groups, expected at most 2",
        ),
        (footer_of_schema(&deep), "footer is damaged: it has 101 groups within groups, expected at most 100"),
        (
            footer_of_schema(&paths),
            "footer is damaged: it has 74245000 bytes of column paths, expected at most 67108864",
        ),
        (footer(&[&[0xfc][..], &[0x1c; 100]].concat()), "footer is damaged: it is nested more than 32 deep"),
        (
            b"PAR1\xff\xff\xff\xffPAR1".to_vec(),
            "footer is damaged: it claims 4294967295 bytes in a file of 12",
        ),
        (b"PAR1PAR2".to_vec(), "not a complete Parquet file: expected `PAR1` at its end"),
        (Vec::new(), "not a complete Parquet file: expected `PAR1` at its end"),
    ];
    for (bytes, message) in table {
        let error = read(&bytes).expect_err(message);
        assert_eq!((error.code(), error.to_string().as_str()), (ErrorCode::Table, message));
    }
}

/// Where the first page of the texts begins: with 15 00, the kind of the page, then 15 and its length
/// unpacked, 15 and packed.
fn first_page(bytes: &[u8]) -> usize {
    let column = ParquetColumn::open(file_of(bytes), &"url".into()).expect("opens");
    column.metadata.row_group(0).column(1).data_page_offset() as usize
}

#[test]
fn lies_of_a_page_are_rejected_before_room_is_made_for_them() {
    // A text of 20 bytes is a page of 24: each length takes one byte.
    let good = written(&[Some("https://example.com/".to_owned())], Shape { has_nulls: false, ..PLAIN });
    let page = first_page(&good);
    assert_eq!(good[page..page + 6], [0x15, 0, 0x15, 48, 0x15, 48], "the header of a page");
    let table: [(&[u8], &str); 4] = [
        (&[0x15, 0, 0x13, 48, 0x15, 48], "its header is malformed: its field 2 is of the type 3, expected 5"),
        (&[0x15, 0, 0x15, 48, 0x13, 48], "its header is malformed: its field 3 is of the type 3, expected 5"),
        (&[0x15, 0, 0x15, 46, 0x15, 48], "it takes 24 bytes, expected the 23 that it unpacks to"),
        (&[0x15, 0, 0x15, 47, 0x15, 48], "its header has a negative length"),
    ];
    for (header, message) in table {
        let mut bytes = good.clone();
        bytes[page..page + 6].copy_from_slice(header);
        let error = read(&bytes).expect_err(message).to_string();
        let expected =
            format!("row group 0 cannot be read: page at {page}: {message}: 0 rows were read before");
        assert_eq!(error, expected);
    }
}

#[test]
fn a_page_that_unpacks_to_more_than_it_claims_is_an_error() {
    // The decoder of GZIP of the `parquet` crate would unpack all of it.
    for (compression, name) in [
        (Compression::GZIP(GzipLevel::default()), "GZIP"),
        (Compression::ZSTD(ZstdLevel::default()), "ZSTD"),
        (Compression::LZ4_RAW, "LZ4_RAW"),
        (Compression::SNAPPY, "SNAPPY"),
    ] {
        let mut bytes = written(&[Some("a".repeat(60))], Shape { has_nulls: false, compression, ..PLAIN });
        let page = first_page(&bytes);
        assert_eq!(bytes[page..page + 3], [0x15, 0, 0x15], "the header of a page");
        let claimed = u16::from_le_bytes([bytes[page + 3], bytes[page + 4]]);
        // 64 bytes are 128 in zigzag, a varint of two bytes; 80 01 becomes 80 00, an odd way to write 0, or
        // 82 01.
        assert_eq!(claimed, 0x0180, "the length of the text and its own");
        for claim in [[0x9e, 0x00], [0x82, 0x01]] {
            bytes[page + 3..page + 5].copy_from_slice(&claim);
            let message = read(&bytes).expect_err(name).to_string();
            assert!(message.contains("claims") || message.contains(name), "{name}: {message}");
        }
    }
}
