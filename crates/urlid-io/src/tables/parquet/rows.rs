//! Writes some rows of Parquet files to a new file, with all their columns.
//!
//! The columns are decoded and encoded again value by value, because a page also has rows that are left out.
//! Readers see the same types, nulls, lists, compression and metadata of the first file. Statistics and page
//! indexes are made anew, and the new file lacks Bloom filters.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Type as Physical, ZstdLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, DataType, FixedLenByteArray, Int96};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use urlid::Error;

use super::ParquetTable;
use super::encode::NewColumn;
use super::footer::End;
use super::other_schemas::{Kept, kept};
use super::pages::{PageKind, Pages, is_supported};
use super::values::{Dictionary, Kind, each_slot};
use super::written::cause;

/// The levels, and the bytes of texts, that are encoded together, apart from the last row.
const MOST_LEVELS: usize = 16_384;
const MOST_BYTES: usize = 4 << 20;

/// A Parquet file that is being written from rows of others.
pub struct ParquetRows<'w> {
    writer: SerializedFileWriter<&'w mut (dyn Write + Send)>,
    has_counts: bool,
}

impl std::fmt::Debug for ParquetRows<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ParquetRows").field("has_counts", &self.has_counts).finish_non_exhaustive()
    }
}

/// The rows of a row group that are written.
#[derive(Clone, Copy, Debug)]
pub struct ChosenRows<'r> {
    /// The index of the row group.
    pub group: usize,
    /// The indexes of the rows in it, ascending.
    pub rows: &'r [u64],
    /// The value of each row in the [new column](ParquetRows::begin), if the file has one.
    pub counts: &'r [u64],
}

/// Why rows are not written.
#[derive(Debug)]
pub enum NoRows {
    /// A file cannot be read, or is damaged.
    Read(Error),
    /// The new file cannot be written.
    Write(io::Error),
}

impl<'w> ParquetRows<'w> {
    /// Starts a file with the columns of a table, followed by the columns that were
    /// [added](ParquetTable::add) to it: either none, or one of numbers.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(first: &ParquetTable, out: &'w mut (dyn Write + Send)) -> Result<Self, NoRows> {
        let mut properties = WriterProperties::builder();
        let columns = first.metadata.row_groups().first().map(|group| group.columns());
        for chunk in columns.unwrap_or_default() {
            is_supported(chunk).map_err(|end| NoRows::Read(end.into_error(0, 0)))?;
            // The encoder of BROTLI is left out, because it is larger than all others together.
            let compression = match chunk.compression() {
                Compression::BROTLI(_) => Compression::ZSTD(ZstdLevel::default()),
                like => like,
            };
            properties = properties.set_column_compression(chunk.column_path().clone(), compression);
        }
        let file = first.metadata.file_metadata();
        let names: Vec<&str> =
            file.schema_descr().root_schema().get_fields().iter().map(|field| field.name()).collect();
        let facts = file.key_value_metadata().into_iter().flatten().filter_map(|fact| {
            match kept(&fact.key, fact.value.as_deref(), &names, &first.added) {
                Kept::Extended(value) if !first.added.is_empty() => {
                    value.map(|value| KeyValue::new(fact.key.clone(), value))
                }
                _ => Some(fact.clone()),
            }
        });
        let facts = facts.collect();
        let properties = Arc::new(properties.set_key_value_metadata(Some(facts)).build());
        let writer = SerializedFileWriter::new(out, first.schema.root_schema_ptr(), properties);
        let has_counts = matches!(first.added[..], [NewColumn::Number(_)]);
        Ok(ParquetRows { writer: writer.map_err(|error| NoRows::Write(cause(error)))?, has_counts })
    }

    /// Writes rows of a row group of a table with the same columns.
    ///
    /// # Errors
    /// If the table is damaged or cannot be read, or the file not be written. It is not usable then.
    pub fn push(&mut self, table: &ParquetTable, chosen: ChosenRows<'_>) -> Result<(), NoRows> {
        let write = |error| NoRows::Write(cause(error));
        let old = table.metadata.row_group(chosen.group);
        let rows_before = table.rows_before(chosen.group);
        let read = |end: End| match end {
            End::Io(source) => NoRows::Write(source),
            end => NoRows::Read(end.into_error(chosen.group, rows_before)),
        };
        let mut group = self.writer.next_row_group().map_err(write)?;
        for chunk in old.columns() {
            let Some(mut column) = group.next_column().map_err(write)? else { break };
            copy(&table.file, old.num_rows(), chunk, chosen.rows, column.untyped()).map_err(read)?;
            column.close().map_err(write)?;
        }
        if self.has_counts
            && let Some(mut column) = group.next_column().map_err(write)?
        {
            if let ColumnWriter::Int32ColumnWriter(writer) = column.untyped() {
                let counts =
                    chosen.counts.iter().map(|count| i32::try_from(*count)).collect::<Result<Vec<_>, _>>();
                let counts = counts.map_err(|error| NoRows::Write(io::Error::other(error)))?;
                writer.write_batch(&counts, Some(&vec![1; counts.len()]), None).map_err(write)?;
            }
            column.close().map_err(write)?;
        }
        group.close().map(drop).map_err(write)
    }

    /// Writes the footer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<()> {
        self.writer.close().map(drop).map_err(cause)
    }
}

/// Copies the values of some rows of a column of a row group, which has `claimed` rows by the footer. An error
/// of the writer is one of `End::Io`.
fn copy(
    file: &File,
    claimed: i64,
    chunk: &ColumnChunkMetaData,
    rows: &[u64],
    writer: &mut ColumnWriter<'_>,
) -> Result<(), End> {
    let kind = Kind::new(chunk.column_descr());
    let (mut pages, mut dictionary) = (Pages::open(file, chunk)?, None);
    let (mut batch, mut wanted) = (Batch::new(chunk), rows.iter().peekable());
    let (mut begun, mut is_wanted) = (0_u64, false);
    while let Some(page) = pages.next()? {
        // A second dictionary is passed to `each_slot`, where it is an error.
        if dictionary.is_none() && page.kind == PageKind::Dictionary {
            dictionary = Some(Dictionary::new(page, kind.shape)?);
            continue;
        }
        each_slot(&page, dictionary.as_ref(), kind, &mut |repetition, level, value| -> Result<(), End> {
            if repetition == 0 {
                is_wanted = wanted.next_if_eq(&&begun).is_some();
                begun += 1;
                if i64::try_from(begun).is_ok_and(|begun| begun > claimed) {
                    return Err(format!("it has more than the {claimed} rows that it claims").into());
                }
                if batch.is_full() {
                    batch.write(writer)?;
                }
            } else if begun == 0 {
                return Err("its first value continues a row".to_owned().into());
            }
            if is_wanted { Ok(batch.push(repetition, level, value)?) } else { Ok(()) }
        })?;
    }
    if i64::try_from(begun) != Ok(claimed) {
        return Err(format!("it declares {claimed} rows but has {begun}").into());
    }
    batch.write(writer)
}

/// Levels and values that wait to be encoded.
struct Batch {
    levels: Vec<i16>,
    repetitions: Vec<i16>,
    /// The values as stored in a page, one after the other, and the end offset of each.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The length of every value, if the type has one.
    value_len: Option<usize>,
    has_levels: bool,
    has_repetitions: bool,
}

impl Batch {
    fn new(chunk: &ColumnChunkMetaData) -> Self {
        let column = chunk.column_descr();
        Batch {
            levels: Vec::new(),
            repetitions: Vec::new(),
            bytes: Vec::new(),
            ends: Vec::new(),
            value_len: match column.physical_type() {
                Physical::FIXED_LEN_BYTE_ARRAY => usize::try_from(column.type_length()).ok(),
                _ => None,
            },
            has_levels: column.max_def_level() > 0,
            has_repetitions: column.max_rep_level() > 0,
        }
    }

    fn push(&mut self, repetition: u32, level: u32, value: Option<&[u8]>) -> Result<(), String> {
        let level_of =
            |level| i16::try_from(level).map_err(|_| "it has a level of more than 15 bits".to_owned());
        self.levels.push(level_of(level)?);
        self.repetitions.push(level_of(repetition)?);
        if let Some(value) = value {
            // The other encodings of texts have texts of any length.
            if self.value_len.is_some_and(|len| value.len() != len) {
                return Err(format!("it has a value of {} bytes", value.len()));
            }
            self.bytes.extend_from_slice(value);
            self.ends.push(self.bytes.len());
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.levels.len() >= MOST_LEVELS || self.bytes.len() >= MOST_BYTES
    }

    /// Encodes the pending values.
    fn write(&mut self, writer: &mut ColumnWriter<'_>) -> Result<(), End> {
        let failed = |error: ParquetError| End::Io(cause(error));
        let written = match writer {
            ColumnWriter::BoolColumnWriter(writer) => self.write_to(writer, |value| value == [1]),
            ColumnWriter::Int32ColumnWriter(writer) => {
                self.write_to(writer, |value| i32::from_le_bytes(fixed(value)))
            }
            ColumnWriter::Int64ColumnWriter(writer) => {
                self.write_to(writer, |value| i64::from_le_bytes(fixed(value)))
            }
            ColumnWriter::Int96ColumnWriter(writer) => self.write_to(writer, |value| {
                let word = |at: usize| u32::from_le_bytes(fixed(value.get(at..).unwrap_or_default()));
                Int96::from(vec![word(0), word(4), word(8)])
            }),
            ColumnWriter::FloatColumnWriter(writer) => {
                self.write_to(writer, |value| f32::from_le_bytes(fixed(value)))
            }
            ColumnWriter::DoubleColumnWriter(writer) => {
                self.write_to(writer, |value| f64::from_le_bytes(fixed(value)))
            }
            // The texts are slices of one buffer, because allocating each value would cost more time than all
            // other work.
            ColumnWriter::ByteArrayColumnWriter(writer) => {
                let values = self.slices().map(ByteArray::from).collect::<Vec<_>>();
                writer.write_batch(&values, self.levels(), self.repetitions())
            }
            ColumnWriter::FixedLenByteArrayColumnWriter(writer) => {
                let values = self.slices().map(|bytes| FixedLenByteArray::from(ByteArray::from(bytes)));
                writer.write_batch(&values.collect::<Vec<_>>(), self.levels(), self.repetitions())
            }
        };
        written.map_err(failed)?;
        self.levels.clear();
        self.repetitions.clear();
        self.bytes.clear();
        self.ends.clear();
        Ok(())
    }

    fn write_to<T: DataType>(
        &self,
        writer: &mut parquet::column::writer::ColumnWriterImpl<'_, T>,
        read: impl Fn(&[u8]) -> T::T,
    ) -> Result<usize, ParquetError> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let values: Vec<T::T> =
            starts.zip(&self.ends).map(|(start, end)| read(&self.bytes[start..*end])).collect();
        writer.write_batch(&values, self.levels(), self.repetitions())
    }

    fn slices(&mut self) -> impl Iterator<Item = Bytes> + use<'_> {
        let buffer = Bytes::from(std::mem::take(&mut self.bytes));
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(move |(start, end)| buffer.slice(start..*end))
    }

    fn levels(&self) -> Option<&[i16]> {
        self.has_levels.then_some(&self.levels)
    }

    fn repetitions(&self) -> Option<&[i16]> {
        self.has_repetitions.then_some(&self.repetitions)
    }
}

/// Returns the first bytes of a value, which has that many by its type.
fn fixed<const N: usize>(value: &[u8]) -> [u8; N] {
    value.first_chunk().copied().unwrap_or([0; N])
}
