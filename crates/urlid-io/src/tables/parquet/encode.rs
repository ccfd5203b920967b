//! Encodes the new columns of a row group to pages in memory, by the `parquet` crate.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::{ColumnPath, SchemaDescriptor, Type, TypePtr};

use super::range::TextRange;
use super::written::ColumnInMemory;
use crate::tables::column::TextColumn;

/// A column to be added, with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewColumn {
    /// A column of texts.
    Text(String),
    /// Whole numbers of 32 bits, given in decimal digits.
    Number(String),
    /// Whole numbers of 64 bits, given in decimal digits.
    Long(String),
}

impl NewColumn {
    /// Returns the name of the column.
    pub fn name(&self) -> &str {
        match self {
            NewColumn::Text(name) | NewColumn::Number(name) | NewColumn::Long(name) => name,
        }
    }

    /// Returns the schema element of the column.
    pub(super) fn schema(&self) -> Result<TypePtr, ParquetError> {
        let (physical, logical) = match self {
            NewColumn::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            NewColumn::Number(_) => (Physical::INT32, None),
            NewColumn::Long(_) => (Physical::INT64, None),
        };
        Type::primitive_type_builder(self.name(), physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    }
}

/// The pages of a new column of a row group, and their entry in a footer, with offsets relative to them.
pub(super) type Encoded = (Bytes, ColumnChunkMetaData);

/// Encodes together all new columns that a row group gets for one of its columns.
pub(super) struct Encoder {
    columns: Vec<OpenColumn>,
    // Buffers that every batch reuses: the values without nulls, and for each row 1, or 0 for a null.
    texts: Vec<ByteArray>,
    numbers: Vec<i32>,
    longs: Vec<i64>,
    levels: Vec<i16>,
}

/// A new column of a row group that is being encoded.
struct OpenColumn {
    column: ColumnInMemory,
    range: TextRange,
}

impl Encoder {
    /// Starts with empty columns.
    pub(super) fn new(columns: &[NewColumn], compression: Compression) -> Result<Self, ParquetError> {
        let mut properties =
            WriterProperties::builder().set_offset_index_disabled(true).set_compression(compression);
        for column in columns {
            let path = ColumnPath::from(column.name());
            // The range of texts is computed here, because the crate looks up the order of their type at each
            // comparison.
            let statistics = match column {
                NewColumn::Text(_) => EnabledStatistics::None,
                NewColumn::Number(_) | NewColumn::Long(_) => EnabledStatistics::Chunk,
            };
            properties = properties.set_column_statistics_enabled(path, statistics);
        }
        let properties = Arc::new(properties.build());
        let elements = columns.iter().map(NewColumn::schema).collect::<Result<_, _>>()?;
        let schema = SchemaDescriptor::new(Arc::new(
            Type::group_type_builder("schema").with_fields(elements).build()?,
        ));
        let begin = |column| OpenColumn {
            column: ColumnInMemory::begin(column, &properties),
            range: TextRange::default(),
        };
        let columns = schema.columns().iter().map(begin).collect();
        Ok(Encoder { columns, texts: Vec::new(), numbers: Vec::new(), longs: Vec::new(), levels: Vec::new() })
    }

    /// Encodes values of the columns.
    pub(super) fn push(&mut self, values: &mut [TextColumn]) -> Result<(), ParquetError> {
        let Encoder { columns, texts, numbers, longs, levels } = self;
        let malformed = |error| ParquetError::External(Box::new(error));
        for (OpenColumn { column, range }, values) in columns.iter_mut().zip(values) {
            levels.clear();
            levels.extend(values.are_there().iter().map(|&is_there| i16::from(is_there)));
            match column.writer() {
                ColumnWriter::Int32ColumnWriter(writer) => {
                    numbers.clear();
                    for text in values.iter().flatten() {
                        numbers.push(text.parse().map_err(malformed)?);
                    }
                    writer.write_batch(numbers, Some(levels), None)?;
                    values.clear();
                }
                ColumnWriter::Int64ColumnWriter(writer) => {
                    longs.clear();
                    for text in values.iter().flatten() {
                        longs.push(text.parse().map_err(malformed)?);
                    }
                    writer.write_batch(longs, Some(levels), None)?;
                    values.clear();
                }
                ColumnWriter::ByteArrayColumnWriter(writer) => {
                    range.include(values);
                    // The texts are slices of one buffer, because allocating each value would cost more time
                    // than all other work. The dictionary of the chunk keeps the buffers that it refers to,
                    // until it is full at a mebibyte.
                    texts.clear();
                    texts.reserve(values.len());
                    values.take(|text| texts.push(ByteArray::from(text)));
                    writer.write_batch(texts, Some(levels), None)?;
                }
                _ => return Err(ParquetError::General("a new column of a different type".to_owned())),
            }
        }
        Ok(())
    }

    /// Ends the row group.
    pub(super) fn finish(self) -> Result<Vec<Encoded>, ParquetError> {
        let end = |OpenColumn { mut column, range }: OpenColumn| {
            let is_text = matches!(column.writer(), ColumnWriter::ByteArrayColumnWriter(_));
            let (pages, ColumnCloseResult { mut metadata, .. }) = column.finish()?;
            if is_text {
                metadata = metadata.into_builder().set_statistics(range.statistics()).build()?;
            }
            Ok((pages, metadata))
        };
        self.columns.into_iter().map(end).collect()
    }
}
