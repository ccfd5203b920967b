//! The column reader against the writer of the `parquet` crate, and against files whose lengths and types are
//! wrong.

mod claims;
mod delta;

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use parquet::basic::{
    Compression, Encoding, GzipLevel, LogicalType, Repetition, Type as Physical, ZstdLevel,
};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};
use proptest::prelude::*;
use urlid_testing::proptest_config;

use super::{End, ParquetColumn};
use urlid::{Error, ErrorCode};

/// How a file is written.
#[derive(Clone, Copy, Debug)]
struct Shape {
    encoding: Encoding,
    compression: Compression,
    version: WriterVersion,
    has_nulls: bool,
    page_rows: usize,
    group_rows: usize,
}

const PLAIN: Shape = Shape {
    encoding: Encoding::PLAIN,
    compression: Compression::UNCOMPRESSED,
    version: WriterVersion::PARQUET_1_0,
    has_nulls: true,
    page_rows: 1000,
    group_rows: 1000,
};

/// Writes a number and a text a row.
fn written(values: &[Option<String>], shape: Shape) -> Vec<u8> {
    let repetition = if shape.has_nulls { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let text = Type::primitive_type_builder("url", Physical::BYTE_ARRAY)
        .with_repetition(repetition)
        .with_logical_type(Some(LogicalType::String));
    let number = Type::primitive_type_builder("n", Physical::INT64).with_repetition(Repetition::REQUIRED);
    let columns =
        vec![Arc::new(number.build().expect("is a column")), Arc::new(text.build().expect("is a column"))];
    let schema = Type::group_type_builder("rows").with_fields(columns).build().expect("is a schema");
    let properties = WriterProperties::builder()
        .set_compression(shape.compression)
        .set_writer_version(shape.version)
        .set_data_page_row_count_limit(shape.page_rows)
        .set_write_batch_size(shape.page_rows)
        .set_dictionary_enabled(shape.encoding == Encoding::RLE_DICTIONARY);
    let properties = match shape.encoding {
        // However long it gets: the writer would leave it.
        Encoding::RLE_DICTIONARY => properties.set_dictionary_page_size_limit(1 << 30),
        encoding => properties.set_column_encoding(ColumnPath::from("url"), encoding),
    };
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties.build()))
        .expect("begins");
    for values in values.chunks(shape.group_rows) {
        let mut group = writer.next_row_group().expect("begins");
        let mut column = group.next_column().expect("begins").expect("is the first");
        let numbers: Vec<i64> = (0..values.len() as i64).collect();
        column.typed::<Int64Type>().write_batch(&numbers, None, None).expect("writes");
        column.close().expect("ends");
        let mut column = group.next_column().expect("begins").expect("is the second");
        let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
        let levels = shape.has_nulls.then_some(levels.as_slice());
        let texts: Vec<ByteArray> =
            values.iter().flatten().map(|text| ByteArray::from(text.as_bytes().to_vec())).collect();
        column.typed::<ByteArrayType>().write_batch(&texts, levels, None).expect("writes");
        column.close().expect("ends");
        group.close().expect("ends");
    }
    writer.close().expect("ends");
    bytes
}

fn file_of(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a file");
    file.write_all(bytes).expect("writes");
    file
}

fn read(bytes: &[u8]) -> Result<Vec<Option<String>>, Error> {
    let column = ParquetColumn::open(file_of(bytes), &"url".into())?;
    let mut values = Vec::new();
    column.each_value(&mut |value| {
        values.push(value.map(|text| String::from_utf8_lossy(text).into_owned()));
        ControlFlow::Continue(())
    })?;
    Ok(values)
}

fn shapes() -> impl Strategy<Value = Shape> {
    let encodings = [
        Encoding::PLAIN,
        Encoding::RLE_DICTIONARY,
        Encoding::DELTA_LENGTH_BYTE_ARRAY,
        Encoding::DELTA_BYTE_ARRAY,
    ];
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(ZstdLevel::default()),
        Compression::GZIP(GzipLevel::default()),
        Compression::LZ4,
        Compression::LZ4_RAW,
    ];
    let versions = [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0];
    let choices = (0..encodings.len(), 0..compressions.len(), 0..versions.len());
    (choices, any::<bool>(), 1_usize..300, 1_usize..700).prop_map(
        move |((encoding, compression, version), has_nulls, page_rows, group_rows)| Shape {
            encoding: encodings[encoding],
            compression: compressions[compression],
            version: versions[version],
            has_nulls,
            page_rows,
            group_rows,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..proptest_config() })]

    #[test]
    fn files_of_every_writer_setting_are_read(
        shape in shapes(),
        values in prop::collection::vec(prop::option::of("(https://[a-c]\\.com/)?[a-z/\u{fc}]{0,12}"), 0..900),
    ) {
        let values: Vec<Option<String>> = if shape.has_nulls {
            values
        } else {
            values.into_iter().map(|value| Some(value.unwrap_or_default())).collect()
        };
        let bytes = written(&values, shape);
        prop_assert_eq!(read(&bytes).expect("is read"), values);
    }

    #[test]
    fn a_changed_byte_is_an_error_or_other_texts_and_nothing_worse(
        shape in shapes(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let values: Vec<Option<String>> =
            (0..600).map(|n| (n % 5 > 0).then(|| format!("https://example.com/{}", n % 60))).collect();
        let values: Vec<Option<String>> = if shape.has_nulls {
            values
        } else {
            values.into_iter().map(|value| Some(value.unwrap_or_default())).collect()
        };
        let mut bytes = written(&values, shape);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(found) = read(&bytes) {
            prop_assert_eq!(found.len(), values.len());
        }
    }
}

fn some(count: usize) -> Vec<Option<String>> {
    (0..count).map(|n| Some(format!("https://example.com/{n}"))).collect()
}

#[test]
fn a_reader_that_has_enough_stops() {
    let column = ParquetColumn::open(file_of(&written(&some(50), PLAIN)), &"url".into()).expect("opens");
    assert_eq!(column.rows(), 50);
    let mut rows = 0;
    let stopped = column.each_value(&mut |_| {
        rows += 1;
        if rows == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(stopped.is_ok() && rows == 7, "{rows}");
}

#[test]
fn unsuitable_columns_are_named_in_the_error() {
    let bytes = written(&some(3), PLAIN);
    let table = [
        (
            "n",
            ErrorCode::Column,
            "column `n` does not hold texts: found INT64, expected one UTF-8 text per row",
        ),
        ("URL", ErrorCode::Column, "no column `URL`: found `n`, `url`"),
    ];
    for (column, code, message) in table {
        let error = ParquetColumn::open(file_of(&bytes), &column.into()).expect_err("is no such column");
        assert_eq!((error.code(), error.to_string().as_str()), (code, message));
    }
}

#[test]
fn every_cut_is_an_error() {
    let bytes = written(&some(40), PLAIN);
    for len in 0..bytes.len() {
        let error = read(&bytes[..len]).expect_err("is cut");
        assert_eq!(error.code(), ErrorCode::Table, "{len}: {error}");
    }
}

#[test]
fn a_page_that_unpacks_to_too_much_is_not_unpacked() {
    let shape = Shape { compression: Compression::ZSTD(ZstdLevel::default()), ..PLAIN };
    let bytes = written(&[Some("https://h/".to_owned()), Some("a".repeat(129 << 20))], shape);
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    let message = read(&bytes).expect_err("is too much").to_string();
    let end = "it unpacks to 135266328 bytes, expected at most 134217728: 0 rows were read before";
    assert!(
        message.starts_with("row group 0 cannot be read: page at ") && message.ends_with(end),
        "{message}"
    );
}

#[test]
fn a_dictionary_is_bounded_and_its_values_are_not_copied() {
    let shape = Shape {
        encoding: Encoding::RLE_DICTIONARY,
        compression: Compression::ZSTD(ZstdLevel::default()),
        page_rows: 10_000,
        group_rows: 10_000,
        ..PLAIN
    };
    let bytes = written(&[Some("https://h/".to_owned()), Some("a".repeat(129 << 20))], shape);
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    let message = read(&bytes).expect_err("is too much").to_string();
    assert!(message.contains("it unpacks to 135266") && message.contains("expected at most"), "{message}");

    // Every row that has the long value has the same bytes of the dictionary.
    let bytes = written(&vec![Some("b".repeat(8 << 20)); 20], shape);
    let column = ParquetColumn::open(file_of(&bytes), &"url".into()).expect("has the column");
    let mut values = std::collections::BTreeSet::new();
    let each = &mut |value: Option<&[u8]>| {
        values.insert(value.map(|text| (text.as_ptr() as usize, text.len())));
        ControlFlow::Continue(())
    };
    column.each_value(each).expect("is whole");
    assert_eq!(
        values.iter().map(|value| value.map(|(_, length)| length)).collect::<Vec<_>>(),
        [Some(8 << 20)]
    );
}

#[test]
fn a_row_group_that_claims_other_rows_is_damaged() {
    // The number of rows of the group, 40, is the only 80 in zigzag that stands before its column's end.
    let bytes = written(&some(40), Shape { has_nulls: false, ..PLAIN });
    let mut found = std::collections::BTreeSet::new();
    for place in bytes.len() / 2..bytes.len() - 8 {
        let mut bytes = bytes.clone();
        if bytes[place] == 80 {
            bytes[place] = 90;
            if let Err(error) = read(&bytes) {
                found.insert(error.to_string());
            }
        }
    }
    let message = "row group 0 cannot be read: it declares 45 rows but has 40: 40 rows were read before";
    assert!(found.contains(message), "{found:?}");
}

#[test]
fn an_io_error_is_not_damage() {
    let rejected: End = std::io::Error::from_raw_os_error(5).into();
    assert!(matches!(&rejected, End::Io(error) if error.raw_os_error() == Some(5)), "{rejected:?}");
    let malformed: End = ParquetError::General("unknown frame descriptor".to_owned()).into();
    assert!(
        matches!(&malformed, End::Damaged(detail) if detail.contains("unknown frame descriptor")),
        "{malformed:?}"
    );
}
