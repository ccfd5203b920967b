//! New columns of a row group: values encoded to pages in memory, by the `parquet` crate.

use std::sync::{Arc, Mutex, PoisonError};

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::column::page::{CompressedPage, PageWriteSpec, PageWriter};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::{ColumnDescPtr, Type, TypePtr};

/// Values that are encoded together.
const TOGETHER: usize = 4_096;

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
}

/// The encoded pages of a column of a row group.
pub(super) struct EncodedColumn {
    pub(super) pages: Vec<u8>,
    pub(super) close: ColumnCloseResult,
}

/// Encodes the values of a column.
pub(super) struct Encoder {
    writer: ColumnWriter<'static>,
    pages: Arc<Mutex<TrackedWrite<Vec<u8>>>>,
    levels: Vec<i16>,
    texts: Vec<ByteArray>,
    numbers: Vec<i32>,
}

impl Encoder {
    pub(super) fn new(column: ColumnDescPtr, compression: Compression) -> Self {
        let properties = WriterProperties::builder()
            .set_compression(compression)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true);
        let pages = Arc::new(Mutex::new(TrackedWrite::new(Vec::new())));
        let writer = Box::new(Pages(Arc::clone(&pages)));
        let writer = get_column_writer(column, Arc::new(properties.build()), writer);
        Encoder { writer, pages, levels: Vec::new(), texts: Vec::new(), numbers: Vec::new() }
    }

    /// Appends a value.
    pub(super) fn push(&mut self, value: Option<String>) -> Result<(), ParquetError> {
        self.levels.push(i16::from(value.is_some()));
        match (value, &self.writer) {
            (None, _) => {}
            (Some(text), ColumnWriter::Int32ColumnWriter(_)) => {
                let number =
                    text.parse().map_err(|_| ParquetError::General(format!("`{text}` is no number")))?;
                self.numbers.push(number);
            }
            (Some(text), _) => self.texts.push(ByteArray::from(text.into_bytes())),
        }
        if self.levels.len() < TOGETHER { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        match &mut self.writer {
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                writer.write_batch(&self.texts, Some(&self.levels), None)?;
            }
            ColumnWriter::Int32ColumnWriter(writer) => {
                writer.write_batch(&self.numbers, Some(&self.levels), None)?;
            }
            _ => return Err(ParquetError::General("a new column has another type".to_owned())),
        }
        self.levels.clear();
        self.texts.clear();
        self.numbers.clear();
        Ok(())
    }

    /// Ends the column.
    pub(super) fn finish(mut self) -> Result<EncodedColumn, ParquetError> {
        self.flush()?;
        let close = self.writer.close()?;
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(EncodedColumn { pages: std::mem::take(pages.inner_mut()), close })
    }
}

/// Takes pages into memory.
struct Pages(Arc<Mutex<TrackedWrite<Vec<u8>>>>);

impl PageWriter for Pages {
    fn write_page(&mut self, page: CompressedPage) -> Result<PageWriteSpec, ParquetError> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        SerializedPageWriter::new(&mut pages).write_page(page)
    }

    fn close(&mut self) -> Result<(), ParquetError> {
        // The buffer of the writer that counts.
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(std::io::Write::flush(&mut *pages)?)
    }
}
