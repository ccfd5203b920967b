//! Parquet files with new columns: all that was there stays as it is, byte for byte.

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, ByteArrayType, FixedLenByteArray, Int64Type, Int96};
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::{ColumnPath, SchemaDescriptor};
use urlid::{Error, ErrorCode};
use urlid_io::tables::{
    ChosenRows, ColumnChoice, NewColumn, NoRows, ParquetColumn, ParquetRows, ParquetTable, TextColumn,
};

const SCHEMA: &str = "message rows {
    required int64 n;
    optional binary url (STRING);
    optional group tags (LIST) { repeated group list { optional binary element (STRING); } }
}";

/// The URL of a row.
fn url(row: usize) -> Option<String> {
    match row % 10 {
        3 => None,
        4 => Some(String::new()),
        5 => Some(format!("https://h/{}", "x".repeat(5000 + row))),
        _ => Some(format!("https://h/{}", row % 7)),
    }
}

/// Writes row groups of `group` rows, with page indexes and a Bloom filter.
fn written(rows: usize, group: usize, compression: Compression, version: WriterVersion) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).expect("is a schema"));
    let facts = ["own", "ARROW:schema"].map(|key| KeyValue::new(key.to_owned(), "kept".to_owned()));
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .set_writer_version(version)
        .set_data_page_row_count_limit(50)
        .set_write_batch_size(50)
        .set_bloom_filter_enabled(true)
        .set_key_value_metadata(Some(facts.to_vec()));
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties.build())).expect("begins");
    let all: Vec<usize> = (0..rows).collect();
    for rows in all.chunks(group) {
        let mut group = writer.next_row_group().expect("begins");
        let mut column = group.next_column().expect("begins").expect("is the first");
        let numbers: Vec<i64> = rows.iter().map(|&row| row as i64).collect();
        column.typed::<Int64Type>().write_batch(&numbers, None, None).expect("writes");
        column.close().expect("ends");
        let mut column = group.next_column().expect("begins").expect("is the second");
        let levels: Vec<i16> = rows.iter().map(|&row| i16::from(url(row).is_some())).collect();
        let urls: Vec<ByteArray> =
            rows.iter().filter_map(|&row| url(row)).map(|url| url.into_bytes().into()).collect();
        column.typed::<ByteArrayType>().write_batch(&urls, Some(&levels), None).expect("writes");
        column.close().expect("ends");
        let mut column = group.next_column().expect("begins").expect("is the third");
        // No list, an empty one, one of a null and a text.
        let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
        for &row in rows {
            match row % 3 {
                0 => definitions.push(0),
                1 => definitions.push(1),
                _ => {
                    definitions.extend([2, 3]);
                    values.push(ByteArray::from(format!("tag {row}").into_bytes()));
                    repetitions.push(0);
                }
            }
            repetitions.push(i16::from(row % 3 == 2));
        }
        column
            .typed::<ByteArrayType>()
            .write_batch(&values, Some(&definitions), Some(&repetitions))
            .expect("writes");
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

/// Adds the length of each URL as a text and as a number.
fn extended(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let mut table = ParquetTable::open(file_of(bytes), &["url".into()])?;
    assert_eq!(table.names(), ["url"]);
    table.add(&[NewColumn::Text("text".to_owned()), NewColumn::Number("number".to_owned())])?;
    let mut out = Vec::new();
    let mut extension = table.extend(&mut out).expect("writes");
    for number in 0..table.groups() {
        let mut rows = table.rows_before(number);
        let group = table.make_group(number, &mut |before, urls, columns| {
            assert_eq!(before, rows);
            rows += urls.len() as u64;
            let [texts, numbers] = columns else { panic!("there are two") };
            for url in urls {
                texts.push(url.map(|url| format!("is {}", url.len())).as_deref());
                numbers.push(url.filter(|url| !url.is_empty()).map(|url| url.len().to_string()).as_deref());
            }
        })?;
        extension.push(group, &mut out).expect("writes");
    }
    extension.finish(&[("made".to_owned(), "here".to_owned())], &mut out).expect("writes");
    Ok(out)
}

/// Returns where the footer of a file begins.
fn footer(bytes: &[u8]) -> usize {
    let tail = bytes.last_chunk::<8>().expect("is there");
    let length = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]);
    bytes.len() - 8 - length as usize
}

fn metadata(bytes: &[u8]) -> ParquetMetaData {
    SerializedFileReader::new(file_of(bytes)).expect("is Parquet").metadata().clone()
}

#[test]
fn columns_are_added_and_nothing_else_is_changed() {
    let zstd = Compression::ZSTD(ZstdLevel::default());
    for (rows, group) in [(0, 1), (1, 1), (1000, 300), (20_000, 20_000)] {
        for (compression, version) in [
            (Compression::UNCOMPRESSED, WriterVersion::PARQUET_1_0),
            (Compression::SNAPPY, WriterVersion::PARQUET_2_0),
            (zstd, WriterVersion::PARQUET_1_0),
            (Compression::GZIP(GzipLevel::default()), WriterVersion::PARQUET_2_0),
            (Compression::LZ4, WriterVersion::PARQUET_1_0),
            (Compression::LZ4_RAW, WriterVersion::PARQUET_2_0),
        ] {
            let bytes = written(rows, group, compression, version);
            let out = extended(&bytes).expect("is a table");
            let start = footer(&bytes);
            assert!(out[..start] == bytes[..start], "all bytes before the footer are there");

            let (before, after) = (metadata(&bytes), metadata(&out));
            assert_eq!(after.num_row_groups(), before.num_row_groups());
            for (before, after) in before.row_groups().iter().zip(after.row_groups()) {
                assert_eq!(&after.columns()[..3], before.columns(), "statistics, indexes and offsets stay");
                assert_eq!((after.num_columns(), after.num_rows()), (5, before.num_rows()));
                assert_eq!(after.column(3).compression(), before.column(1).compression());
            }
            let facts = after.file_metadata().key_value_metadata().expect("there are some");
            let facts: Vec<_> = facts.iter().map(|fact| fact.key.as_str()).collect();
            assert_eq!(facts, ["own", "made"], "what describes the columns otherwise is left out");
            assert_eq!(after.file_metadata().created_by(), before.file_metadata().created_by());

            let rows_of = |bytes: &[u8]| -> Vec<String> {
                let reader = SerializedFileReader::new(file_of(bytes)).expect("is Parquet");
                reader
                    .get_row_iter(None)
                    .expect("has rows")
                    .map(|row| row.expect("is a row").to_string())
                    .collect()
            };
            let expected: Vec<String> = rows_of(&bytes)
                .iter()
                .enumerate()
                .map(|(row, before)| {
                    let length = url(row).map(|url| url.len());
                    let text = length.map_or("null".to_owned(), |length| format!("\"is {length}\""));
                    let number =
                        length.filter(|length| *length > 0).map_or("null".to_owned(), |n| n.to_string());
                    format!("{}, text: {text}, number: {number}}}", before.trim_end_matches('}'))
                })
                .collect();
            // The last brace of a row may follow that of a list.
            let found: Vec<String> = rows_of(&out);
            assert_eq!(found.len(), rows);
            for (found, expected) in found.iter().zip(&expected) {
                assert!(
                    found == expected || found.replace("]}", "]") == expected.replace("]}", "]"),
                    "{found} {expected}"
                );
            }
        }
    }
}

#[test]
fn an_extended_file_can_be_extended() {
    let bytes = written(100, 30, Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    let once = extended(&bytes).expect("is a table");
    let error = extended(&once).expect_err("the columns are there");
    assert_eq!(
        (error.code(), error.to_string().as_str()),
        (ErrorCode::Column, "column `text` exists already")
    );
    let mut table = ParquetTable::open(file_of(&once), &[ColumnChoice::Number(4)]).expect("is a table");
    assert_eq!(table.names(), ["text"]);
    table.add(&[NewColumn::Text("again".to_owned())]).expect("is another");
    let mut out = Vec::new();
    let mut extension = table.extend(&mut out).expect("writes");
    for number in 0..table.groups() {
        let make = &mut |_, texts: &[Option<&[u8]>], columns: &mut [TextColumn]| {
            let upper = |text: &[u8]| String::from_utf8_lossy(text).to_uppercase();
            texts.iter().for_each(|text| columns[0].push(text.map(upper).as_deref()));
        };
        extension.push(table.make_group(number, make).expect("is read"), &mut out).expect("writes");
    }
    extension.finish(&[], &mut out).expect("writes");
    let mut rows = 0;
    let column = ParquetColumn::open(file_of(&out), &"again".into()).expect("is there");
    column
        .each_value(&mut |value| {
            let expected = url(rows).map(|url| format!("IS {}", url.len()));
            assert_eq!(value, expected.as_deref().map(str::as_bytes));
            rows += 1;
            ControlFlow::Continue(())
        })
        .expect("is read");
    assert_eq!(rows, 100);
}

#[test]
fn files_that_lie_are_errors() {
    let bytes = written(1000, 300, Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    for (choice, code, message) in [
        (
            ColumnChoice::from("URL"),
            ErrorCode::Column,
            "no column `URL`: found `n`, `url`, `tags.list.element`",
        ),
        ("n".into(), ErrorCode::Column, "column `n` does not hold texts: found INT64"),
        (
            "tags.list.element".into(),
            ErrorCode::Column,
            "column `tags.list.element` does not hold texts: found a list",
        ),
        (ColumnChoice::Number(9), ErrorCode::Column, "no column `9`"),
    ] {
        let error = ParquetTable::open(file_of(&bytes), &[choice]).expect_err(message);
        assert!(error.code() == code && error.to_string().starts_with(message), "{error}");
    }
    // Whatever is cut or overwritten: an error or a file of whole rows, and no panic.
    let start = footer(&bytes);
    let mut damaged = 0;
    for at in (start..bytes.len()).chain((4..start).step_by(997)) {
        for value in [0, 0x7f, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] = value;
            damaged += u32::from(extended(&bytes).is_err());
        }
    }
    assert!(damaged > 500, "{damaged}");
    assert!((0..bytes.len()).rev().step_by(491).all(|len| extended(&bytes[..len]).is_err()));
}

#[test]
fn an_output_that_fails_is_an_error() {
    let bytes = written(10, 10, Compression::SNAPPY, WriterVersion::PARQUET_1_0);
    let table = ParquetTable::open(file_of(&bytes), &["url".into()]).expect("is a table");
    let mut full = [0; 10];
    assert!(table.extend(&mut &mut full[..]).is_err());
}

/// A column of every type, of those without values, and of those with several in a row.
const ALL_TYPES: &str = "message rows {
    required int64 n;
    optional binary url (STRING);
    optional boolean truth;
    required boolean fact;
    optional int32 small;
    optional int64 large;
    optional int96 time;
    optional float part;
    required double share;
    optional fixed_len_byte_array(5) fixed;
    repeated int32 many;
    optional group lists (LIST) {
        repeated group list { optional group element (LIST) { repeated group list { optional binary element; } } }
    }
}";

/// Writes a column of every type. The levels are any that the schema allows.
fn written_all(
    rows: usize,
    group: usize,
    compression: Compression,
    version: WriterVersion,
    plain: bool,
) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(ALL_TYPES).expect("is a schema"));
    let columns = SchemaDescriptor::new(Arc::clone(&schema));
    let mut properties = WriterProperties::builder()
        .set_compression(compression)
        .set_writer_version(version)
        .set_data_page_row_count_limit(20)
        .set_write_batch_size(20)
        .set_dictionary_enabled(!plain);
    for (column, encoding) in [
        ("url", Encoding::DELTA_LENGTH_BYTE_ARRAY),
        ("truth", Encoding::RLE),
        ("small", Encoding::DELTA_BINARY_PACKED),
        ("large", Encoding::DELTA_BINARY_PACKED),
        ("part", Encoding::BYTE_STREAM_SPLIT),
        ("share", Encoding::BYTE_STREAM_SPLIT),
        ("fixed", Encoding::DELTA_BYTE_ARRAY),
    ] {
        if plain && version == WriterVersion::PARQUET_2_0 {
            properties = properties.set_column_encoding(ColumnPath::from(column), encoding);
        }
    }
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties.build())).expect("begins");
    let all: Vec<usize> = (0..rows).collect();
    for rows in all.chunks(group) {
        let mut group = writer.next_row_group().expect("begins");
        for descriptor in columns.columns() {
            let mut column = group.next_column().expect("begins").expect("is there");
            let (most, most_repeated) = (descriptor.max_def_level(), descriptor.max_rep_level());
            let (mut levels, mut repetitions) = (Vec::new(), Vec::new());
            for &row in rows {
                let values = if most_repeated == 0 { 1 } else { 1 + row % 4 };
                for at in 0..values {
                    let level =
                        if values > 1 { most } else { (row as i16 * 7 + row as i16 / 5) % (most + 1) };
                    levels.push(level);
                    repetitions.push(if at == 0 { 0 } else { 1 + (row + at) as i16 % most_repeated.max(1) });
                }
            }
            let there = (0..levels.len()).filter(|index| levels[*index] == most);
            let there: Vec<i64> = there.map(|index| (index as i64 * 0x9e37_79b9) % 1_000).collect();
            let levels = Some(levels.as_slice()).filter(|_| most > 0);
            let repetitions = Some(repetitions.as_slice()).filter(|_| most_repeated > 0);
            macro_rules! put {
                ($writer:ident, $value:expr) => {
                    $writer.write_batch(
                        &there.iter().map(|number| $value(*number)).collect::<Vec<_>>(),
                        levels,
                        repetitions,
                    )
                };
            }
            let fixed =
                |number: i64| FixedLenByteArray::from(ByteArray::from(format!("{number:05}").into_bytes()));
            let written = match column.untyped() {
                ColumnWriter::BoolColumnWriter(writer) => put!(writer, |number: i64| number % 2 == 0),
                ColumnWriter::Int32ColumnWriter(writer) => put!(writer, |number: i64| number as i32 - 500),
                ColumnWriter::Int64ColumnWriter(writer) => put!(writer, |number: i64| number << 40),
                ColumnWriter::Int96ColumnWriter(writer) => {
                    put!(writer, |number: i64| Int96::from(vec![number as u32, 7, 2_450_000 + number as u32]))
                }
                ColumnWriter::FloatColumnWriter(writer) => put!(writer, |number: i64| number as f32 / 7.0),
                ColumnWriter::DoubleColumnWriter(writer) => put!(writer, |number: i64| number as f64 / 7.0),
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    put!(writer, |number: i64| ByteArray::from(format!("https://h/{number}").into_bytes()))
                }
                ColumnWriter::FixedLenByteArrayColumnWriter(writer) => put!(writer, fixed),
            };
            written.expect("writes");
            column.close().expect("ends");
        }
        group.close().expect("ends");
    }
    writer.close().expect("ends");
    bytes
}

/// Writes the rows of a file that a condition chooses to a new one.
fn copied(bytes: &[u8], is_chosen: impl Fn(u64) -> bool) -> Result<Vec<u8>, NoRows> {
    let table = ParquetTable::open(file_of(bytes), &["url".into()]).map_err(NoRows::Read)?;
    let mut out = Vec::new();
    let mut rows = ParquetRows::begin(&table, &mut out)?;
    for group in 0..table.groups() {
        let (start, end) = (table.rows_before(group), table.rows_before(group + 1));
        let chosen: Vec<u64> = (start..end).filter(|row| is_chosen(*row)).map(|row| row - start).collect();
        if !chosen.is_empty() {
            rows.push(&table, ChosenRows { group, rows: &chosen, counts: &[] })?;
        }
    }
    rows.finish().map_err(NoRows::Write)?;
    Ok(out)
}

fn shown(bytes: &[u8]) -> Vec<String> {
    let reader = SerializedFileReader::new(file_of(bytes)).expect("is Parquet");
    reader.get_row_iter(None).expect("has rows").map(|row| row.expect("is whole").to_string()).collect()
}

#[test]
fn some_rows_are_written_with_all_their_columns() {
    let zstd = Compression::ZSTD(ZstdLevel::default());
    for (compression, version) in [
        (Compression::UNCOMPRESSED, WriterVersion::PARQUET_1_0),
        (Compression::SNAPPY, WriterVersion::PARQUET_2_0),
        (zstd, WriterVersion::PARQUET_1_0),
        (Compression::GZIP(GzipLevel::default()), WriterVersion::PARQUET_2_0),
    ] {
        for plain in [false, true] {
            for (count, group) in [(1, 1), (300, 70), (300, 300)] {
                let bytes = written_all(count, group, compression, version, plain);
                let all = shown(&bytes);
                assert_eq!(all.len(), count);
                let choices: [&dyn Fn(u64) -> bool; 4] =
                    [&|_| true, &|row| row % 3 == 1, &|row| row == 299, &|row| row / 20 % 2 == 0];
                for is_chosen in choices {
                    let made = copied(&bytes, is_chosen).expect("is whole");
                    let expected: Vec<&String> =
                        (0..).zip(&all).filter(|(row, _)| is_chosen(*row)).map(|(_, text)| text).collect();
                    assert_eq!(
                        shown(&made).iter().collect::<Vec<_>>(),
                        expected,
                        "{compression} {version:?} {plain}"
                    );
                    if let Some(first) = metadata(&made).row_groups().first() {
                        assert_eq!(
                            first.column(1).compression(),
                            metadata(&bytes).row_group(0).column(1).compression()
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn damage_in_any_column_is_an_error_and_no_panic() {
    for (version, plain) in [(WriterVersion::PARQUET_1_0, false), (WriterVersion::PARQUET_2_0, true)] {
        let bytes = written_all(60, 30, Compression::UNCOMPRESSED, version, plain);
        let end = footer(&bytes);
        let mut failed = 0;
        for at in (4..end).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            match copied(&damaged, |row| row % 2 == 0) {
                // What is written can be read, whatever its values are.
                Ok(made) => assert_eq!(metadata(&made).file_metadata().num_rows(), 30),
                Err(NoRows::Read(_)) => failed += 1,
                Err(NoRows::Write(error)) => panic!("{at}: {error}"),
            }
        }
        assert!(failed > 10, "{failed}");
    }
}
