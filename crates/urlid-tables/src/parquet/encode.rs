//! New columns of a row group: values encoded to pages in memory, by the `parquet` crate.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, LargeStringArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type, TypePtr};

use crate::column::TextColumn;

/// A column that is added.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewColumn {
    /// Texts.
    Text(String),
    /// Whole numbers of 32 bits, given in decimal digits.
    Number(String),
}

impl NewColumn {
    /// Returns the name of the column.
    pub fn name(&self) -> &str {
        match self {
            NewColumn::Text(name) | NewColumn::Number(name) => name,
        }
    }

    /// Returns the element of a schema.
    pub(super) fn schema(&self) -> Result<TypePtr, ParquetError> {
        let (physical, logical) = match self {
            NewColumn::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            NewColumn::Number(_) => (Physical::INT32, None),
        };
        Type::primitive_type_builder(self.name(), physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(logical)
            .build()
            .map(Arc::new)
    }

    /// Returns the column of the arrays that are encoded.
    fn field(&self) -> Field {
        let kind = match self {
            NewColumn::Text(_) => DataType::LargeUtf8,
            NewColumn::Number(_) => DataType::Int32,
        };
        Field::new(self.name(), kind, true)
    }

    /// Takes values.
    fn array(&self, values: &mut TextColumn) -> Result<ArrayRef, ParquetError> {
        if let NewColumn::Number(_) = self {
            let number = |text: Option<&str>| text.map(str::parse).transpose();
            let numbers = values.iter().map(number).collect::<Result<Int32Array, _>>();
            return Ok(Arc::new(numbers.map_err(|error| ParquetError::General(error.to_string()))?));
        }
        let (texts, ends, are_there) = std::mem::take(values).into_parts();
        let offsets: Vec<i64> = std::iter::once(0).chain(ends.into_iter().map(|end| end as i64)).collect();
        let nulls = Some(NullBuffer::from(are_there));
        let texts =
            LargeStringArray::try_new(OffsetBuffer::new(offsets.into()), texts.into_bytes().into(), nulls)?;
        Ok(Arc::new(texts))
    }
}

/// The encoded pages of the new columns of a row group.
pub(super) struct EncodedColumns {
    /// A Parquet file that has them and nothing else.
    pub(super) file: Vec<u8>,
    pub(super) columns: Vec<ColumnChunkMetaData>,
}

/// Encodes the new columns of a row group.
pub(super) struct Encoder<'c> {
    columns: &'c [NewColumn],
    file: SerializedFileWriter<Vec<u8>>,
    writers: Vec<ArrowColumnWriter>,
}

impl<'c> Encoder<'c> {
    /// Begins with no values. `compression` returns that of a column by its number.
    pub(super) fn new(
        columns: &'c [NewColumn],
        compression: impl Fn(usize) -> Compression,
    ) -> Result<Self, ParquetError> {
        let mut properties = WriterProperties::builder()
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true);
        for (number, column) in columns.iter().enumerate() {
            let path = ColumnPath::from(column.name());
            properties = properties.set_column_compression(path, compression(number));
        }
        let elements = columns.iter().map(NewColumn::schema).collect::<Result<_, _>>()?;
        let schema = Arc::new(Type::group_type_builder("schema").with_fields(elements).build()?);
        let file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build()))?;
        let fields: Vec<Field> = columns.iter().map(NewColumn::field).collect();
        let factory = ArrowRowGroupWriterFactory::new(&file, Arc::new(Schema::new(fields)));
        let writers = factory.create_column_writers(0)?;
        Ok(Encoder { columns, file, writers })
    }

    /// Takes values of the columns from `first` on.
    pub(super) fn push(&mut self, first: usize, values: &mut [TextColumn]) -> Result<(), ParquetError> {
        let columns = self.columns.iter().zip(&mut self.writers).skip(first);
        for ((column, writer), values) in columns.zip(values) {
            let array = column.array(values)?;
            values.clear();
            for leaf in compute_leaves(&column.field(), &array)? {
                writer.write(&leaf)?;
            }
        }
        Ok(())
    }

    /// Ends the row group.
    pub(super) fn finish(mut self) -> Result<EncodedColumns, ParquetError> {
        let mut group = self.file.next_row_group()?;
        for writer in self.writers {
            writer.close()?.append_to_row_group(&mut group)?;
        }
        let columns = group.close()?.columns().to_vec();
        Ok(EncodedColumns { file: self.file.into_inner()?, columns })
    }
}
