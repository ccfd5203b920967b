//! The layout of the files: columns, row groups, encodings, filters and metadata (docs/datasets.md).

use std::sync::Arc;

use crate::description::TOOL;
use crate::question::{SLICE_COLUMNS, is_narrow};
use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type};

/// The key of a file's metadata that holds its pages.
pub(crate) const PAGES: &str = "urlid.pages";
/// The prefix of the names of the description's entries in a file's metadata.
pub(crate) const ENTRY_PREFIX: &str = "urlid.";

/// The rows of a row group, as many as DuckDB uses itself. Larger groups would not make files smaller, and
/// engines that prune by groups would read more of them.
pub(crate) const GROUP_ROWS: usize = 122_880;
/// The bytes of URLs that also end a row group. A group is in memory until it is written.
pub(crate) const GROUP_BYTES: usize = 32 << 20;
/// The rows of a data page, which a lookup decodes as a whole. Larger pages make smaller files and slower
/// lookups (decision 5).
pub(crate) const PAGE_ROWS: usize = 8_192;
/// The bytes of URLs that also end a page.
pub(crate) const PAGE_BYTES: usize = 1 << 20;
/// The columns with Bloom filters, and the false-positive probability of each. A probability of one in a
/// hundred would double the filters of hosts and of identifiers, and would save an engine one row group in
/// twenty-five. Slices are queried together. Slices with few values have small filters, because a filter is
/// folded to the number of its values.
const FILTERS: [(&str, f64); 6] = [
    ("host", 0.05),
    ("registered_domain", 0.05),
    (ID, 0.05),
    ("sx_tld", 0.01),
    ("sx_domain", 0.01),
    ("sx_path", 0.01),
];
/// A limit in bytes that a page never reaches.
const NO_LIMIT: usize = 1 << 40;
/// The row groups of a file. Files of about 300 MB suit object stores, and their footers stay small.
pub(crate) const FILE_GROUPS: usize = 128;

/// The columns of text after `url`, in the order of the file; null where a URL lacks the part.
pub(crate) const COLUMNS: [&str; 5] = ["host_key", "host", "registered_domain", "tld", "scheme"];

/// The column of identifiers, which is followed by the columns of their slices.
pub(crate) const ID: &str = "id";

/// Returns the columns of a file, with identifiers and slices if `with_ids` is set.
pub(crate) fn schema(with_ids: bool) -> Result<Arc<SchemaDescriptor>, ParquetError> {
    let typed = |name: &str, physical, logical, repetition| {
        let column = Type::primitive_type_builder(name, physical).with_repetition(repetition);
        column.with_logical_type(logical).build().map(Arc::new)
    };
    let column = |name, repetition| typed(name, Physical::BYTE_ARRAY, Some(LogicalType::String), repetition);
    let mut columns = vec![column("url", Repetition::REQUIRED)?];
    for name in COLUMNS {
        let is_always_there = matches!(name, "host_key" | "scheme");
        let repetition = if is_always_there { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        columns.push(column(name, repetition)?);
    }
    if with_ids {
        // The type is not FIXED_LEN_BYTE_ARRAY, because Spark does not prune on it.
        columns.push(typed(ID, Physical::BYTE_ARRAY, None, Repetition::OPTIONAL)?);
        for (name, field) in SLICE_COLUMNS {
            let physical = if is_narrow(field) { Physical::INT32 } else { Physical::INT64 };
            columns.push(typed(name, physical, None, Repetition::OPTIONAL)?);
        }
    }
    let root = Type::group_type_builder("urlid").with_fields(columns).build()?;
    Ok(Arc::new(SchemaDescriptor::new(Arc::new(root))))
}

/// Returns the order of the rows of a file.
pub(crate) fn sorting() -> Vec<SortingColumn> {
    // `host_key` is the only column with the same order as the rows.
    vec![SortingColumn { column_idx: 1, descending: false, nulls_first: false }]
}

/// Returns the settings of the writer.
pub(crate) fn properties() -> Result<WriterProperties, ParquetError> {
    let path = |name: &str| ColumnPath::from(name);
    let mut properties = WriterProperties::builder()
        .set_created_by(TOOL.to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        // Each write becomes one page, whatever its length. A limit of one row ends the page after the write,
        // and the limit of bytes never splits it before. The list of pages has the first key of each write.
        .set_data_page_row_count_limit(1)
        .set_write_batch_size(PAGE_ROWS)
        .set_data_page_size_limit(NO_LIMIT)
        .set_sorting_columns(Some(sorting()))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_dictionary_enabled(true)
        // Neighbouring rows share a host and often a path, which delta encoding uses.
        .set_column_dictionary_enabled(path("url"), false)
        .set_column_encoding(path("url"), Encoding::DELTA_BYTE_ARRAY)
        // URLs are not in the order of their texts, so ranges of texts exclude nothing.
        .set_column_statistics_enabled(path("url"), EnabledStatistics::None);
    // Each text of a sorted column is stored once a run, without the prefix that it shares with the previous
    // text. A dictionary would hold nearly as many texts.
    for name in ["host_key", "host", "registered_domain"] {
        properties = properties
            .set_column_dictionary_enabled(path(name), false)
            .set_column_encoding(path(name), Encoding::DELTA_BYTE_ARRAY);
    }
    // Hosts are not in the order of the rows. Nearly every row group has hosts that start with `a` and hosts
    // that start with `www`.
    properties = properties.set_column_statistics_enabled(path("host"), EnabledStatistics::None);
    // Identifiers and the slices of paths and queries rarely repeat.
    for name in [ID, "sx_path", "sx_params"] {
        properties = properties.set_column_dictionary_enabled(path(name), false);
    }
    // Rows are in the order of hosts, so ranges of identifiers exclude nothing.
    properties = properties.set_column_statistics_enabled(path(ID), EnabledStatistics::None);
    for (name, false_hits) in FILTERS {
        properties = properties
            .set_column_bloom_filter_enabled(path(name), true)
            .set_column_bloom_filter_fpp(path(name), false_hits)
            .set_column_bloom_filter_max_ndv(path(name), GROUP_ROWS as u64);
    }
    Ok(properties.build())
}
