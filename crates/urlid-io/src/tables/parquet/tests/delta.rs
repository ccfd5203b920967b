//! Columns that are encoded here, compared with those of the writer of the `parquet` crate.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor, Type};
use proptest::prelude::*;
use urlid_testing::proptest_config;

use crate::tables::{ColumnInMemory, DeltaColumn, WrittenColumn};

/// Rows with one text, or null.
type Rows = (Option<String>, usize);

fn properties(statistics: EnabledStatistics, has_filter: bool) -> WriterPropertiesPtr {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).expect("a level")))
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::DELTA_BYTE_ARRAY)
        .set_data_page_row_count_limit(1)
        .set_write_batch_size(1 << 20)
        .set_data_page_size_limit(1 << 40)
        .set_statistics_enabled(statistics)
        .set_bloom_filter_enabled(has_filter)
        .set_bloom_filter_max_ndv(10_000);
    Arc::new(properties.build())
}

fn column(repetition: Repetition) -> ColumnDescPtr {
    let column = Type::primitive_type_builder("text", Physical::BYTE_ARRAY)
        .with_repetition(repetition)
        .with_logical_type(Some(LogicalType::String))
        .build()
        .expect("a column");
    let root = Type::group_type_builder("root").with_fields(vec![Arc::new(column)]).build().expect("a group");
    SchemaDescriptor::new(Arc::new(root)).column(0)
}

fn by_the_crate(
    column: &ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    pages: &[Vec<Rows>],
) -> (Bytes, ColumnCloseResult) {
    let mut written = ColumnInMemory::begin(column, properties);
    let mut rows = WrittenColumn::of_bytes();
    for page in pages {
        for (text, count) in page {
            rows.push_bytes_times(text.as_deref().map(ByteArray::from), *count);
        }
        rows.write(written.writer()).expect("is written");
    }
    written.finish().expect("ends")
}

fn by_us(
    column: &ColumnDescPtr,
    properties: &WriterPropertiesPtr,
    pages: &[Vec<Rows>],
) -> (Bytes, ColumnCloseResult) {
    let mut written = DeltaColumn::begin(column, properties).expect("begins");
    for page in pages {
        for (text, count) in page {
            written.push_times(text.as_deref().map(str::as_bytes), *count);
        }
        written.end_page().expect("ends");
    }
    written.finish().expect("ends")
}

fn pages() -> impl Strategy<Value = Vec<Vec<Rows>>> {
    // Long texts are cut in statistics; long runs and many short ones end the groups of levels in all ways.
    let text = prop_oneof![
        4 => "[a-c]{0,20}".prop_map(Some),
        1 => "[aü]{60,70}".prop_map(Some),
        2 => Just(None),
    ];
    let count = prop_oneof![8 => 1..4_usize, 4 => 5..12_usize, 1 => 200..600_usize];
    let page = prop_oneof![
        8 => prop::collection::vec((text.clone(), count), 1..40),
        1 => prop::collection::vec((text, 1..3_usize), 300..900),
        1 => (1..20_usize).prop_map(|rows| vec![(None, rows)]),
    ];
    prop::collection::vec(page, 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..proptest_config() })]

    #[test]
    fn columns_match_the_parquet_crate(
        pages in pages(),
        statistics in prop_oneof![Just(EnabledStatistics::None), Just(EnabledStatistics::Chunk), Just(EnabledStatistics::Page)],
        has_filter: bool,
    ) {
        let properties = properties(statistics, has_filter);
        for repetition in [Repetition::OPTIONAL, Repetition::REQUIRED] {
            let column = column(repetition);
            let mut pages = pages.clone();
            if repetition == Repetition::REQUIRED {
                pages.iter_mut().flatten().for_each(|(text, _)| _ = text.get_or_insert_default());
            }
            let (expected, found) = (by_the_crate(&column, &properties, &pages), by_us(&column, &properties, &pages));
            prop_assert_eq!(expected.0, found.0);
            prop_assert_eq!(format!("{:?}", expected.1), format!("{:?}", found.1));
        }
    }
}

#[test]
fn a_column_with_other_properties_is_an_error() {
    let column = column(Repetition::REQUIRED);
    let mut others = [properties(EnabledStatistics::None, false), Arc::new(WriterProperties::new())];
    assert!(DeltaColumn::begin(&column, &others[0]).is_ok());
    assert!(DeltaColumn::begin(&column, &others[1]).is_err());
    let plain = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
    others[1] = Arc::new(plain.set_dictionary_enabled(false).build());
    assert!(DeltaColumn::begin(&column, &others[1]).is_err());
}
