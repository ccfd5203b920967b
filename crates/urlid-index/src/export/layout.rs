//! The layout of an exported Parquet file: its columns, row groups, encodings, filters and metadata (docs/index-format.md).

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type, TypePtr};
use urlid_plan::{SLICE_COLUMNS, is_narrow};

use crate::file::meta::Description;

/// Rows of a row group: the size that DuckDB uses itself.
///
/// With 1,048,576 rows the file is as large, and a query for a domain of 1,001 rows takes 26 ms in DuckDB instead of 5.
pub(super) const GROUP_ROWS: usize = 122_880;
/// Bytes of URLs that also end a row group, because a group is in memory until it is written.
pub(super) const GROUP_BYTES: usize = 64 << 20;
/// Rows of a data page. DataFusion and Spark skip pages, DuckDB only groups. With 1,024 rows a lookup by page index takes 0.38
/// ms instead of 0.68, for 0.3 bytes more a row.
const PAGE_ROWS: usize = 8_192;
/// The columns of host parts, for grouping; null where a URL lacks the part.
pub(super) const HOSTS: [&str; 3] = ["host", "tld", "registered_domain"];

/// What all row groups and files of an export share.
#[derive(Clone, Debug)]
pub(super) struct Format {
    pub(super) schema: SchemaDescriptor,
    pub(super) properties: WriterPropertiesPtr,
}

impl Format {
    pub(super) fn of(index: &Description, with_id: bool) -> Result<Self, ParquetError> {
        let properties = Arc::new(properties(index)?);
        Ok(Self { schema: SchemaDescriptor::new(schema(with_id)?), properties })
    }
}

/// Returns the columns of a file.
fn schema(with_id: bool) -> Result<TypePtr, ParquetError> {
    let column = |name: &str, physical, logical, repetition| {
        Type::primitive_type_builder(name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    };
    let mut columns = Vec::new();
    if with_id {
        // Not FIXED_LEN_BYTE_ARRAY, on which Spark does not prune.
        columns.push(column("id", Physical::BYTE_ARRAY, None, Repetition::OPTIONAL)?);
    }
    let text = Some(LogicalType::String);
    columns.push(column("url", Physical::BYTE_ARRAY, text.clone(), Repetition::REQUIRED)?);
    for (name, field) in SLICE_COLUMNS {
        let physical = if is_narrow(field) { Physical::INT32 } else { Physical::INT64 };
        columns.push(column(name, physical, None, Repetition::OPTIONAL)?);
    }
    for name in HOSTS {
        columns.push(column(name, Physical::BYTE_ARRAY, text.clone(), Repetition::OPTIONAL)?);
    }
    Type::group_type_builder("urlid").with_fields(columns).build().map(Arc::new)
}

/// Returns the writer's settings and the metadata of a file.
fn properties(index: &Description) -> Result<WriterProperties, ParquetError> {
    let fact = |key: &str, value: String| KeyValue::new(format!("urlid.{key}"), value);
    let facts = vec![
        fact("format", "2".to_owned()),
        fact("identifier", "sxurl".to_owned()),
        fact("tool", concat!("urlid ", env!("CARGO_PKG_VERSION")).to_owned()),
        fact("snapshot", index.snapshot.to_string()),
    ];
    let form = index.canonical_form.iter().map(|form| fact("canonical_form", form.clone()));
    let facts = facts.into_iter().chain(form).collect();
    let path = |name: &str| ColumnPath::from(name);
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("urlid ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(facts))
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_write_batch_size(PAGE_ROWS)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_dictionary_enabled(false)
        // Neighbours share a host and often a path: 15.6 bytes a URL, against 17.9 without the shared prefixes (both with
        // ZSTD).
        .set_column_encoding(path("url"), Encoding::DELTA_BYTE_ARRAY)
        .set_column_statistics_enabled(path("url"), EnabledStatistics::Chunk);
    // These slices repeat and take 0.9 bytes a row together. Slices of paths and queries hardly do: 6.3 bytes a row of paths
    // are their entropy.
    for name in ["sx_header", "sx_tld", "sx_domain", "sx_sub", "sx_port", "sx_frag"].into_iter().chain(HOSTS)
    {
        properties = properties.set_column_dictionary_enabled(path(name), true);
    }
    for name in ["sx_domain", "sx_path"] {
        // For questions by path, or by domain alone, for which least and greatest values exclude hardly a group. DuckDB then
        // reads 1 of 40 groups for a path. Both filters together take 1.1 bytes a row.
        properties = properties
            .set_column_bloom_filter_enabled(path(name), true)
            .set_column_bloom_filter_fpp(path(name), 0.01)
            .set_column_bloom_filter_max_ndv(path(name), GROUP_ROWS as u64);
    }
    Ok(properties.build())
}
