//! New Parquet files from encoded row groups and their columns: values for the writer of the `parquet` crate,
//! and pages in memory.
//!
//! That writer is generic over its output, and each crate that names it compiles a copy.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

use bytes::Bytes;
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, get_column_writer};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor};
use sha2::{Digest, Sha256};

use super::PagesInMemory;

/// The values of a column: the values that exist, and for each row whether it has one.
#[derive(Debug)]
pub struct WrittenColumn {
    values: ColumnValues,
    /// 1 for a row with a value, 0 for null.
    levels: Vec<i16>,
}

#[derive(Debug)]
enum ColumnValues {
    Bytes(Vec<ByteArray>),
    Narrow(Vec<i32>),
    Wide(Vec<i64>),
}

impl WrittenColumn {
    /// Returns a column of byte arrays without rows.
    #[must_use]
    pub fn of_bytes() -> Self {
        Self { values: ColumnValues::Bytes(Vec::new()), levels: Vec::new() }
    }

    /// Returns a column of integers without rows, of 32 bits if it is narrow and else of 64.
    #[must_use]
    pub fn of_numbers(is_narrow: bool) -> Self {
        let values =
            if is_narrow { ColumnValues::Narrow(Vec::new()) } else { ColumnValues::Wide(Vec::new()) };
        Self { values, levels: Vec::new() }
    }

    /// Appends a row to a column of byte arrays. To any other column, appends null.
    pub fn push_bytes(&mut self, value: Option<ByteArray>) {
        match &mut self.values {
            ColumnValues::Bytes(values) => {
                self.levels.push(i16::from(value.is_some()));
                values.extend(value);
            }
            ColumnValues::Narrow(_) | ColumnValues::Wide(_) => self.levels.push(0),
        }
    }

    /// Appends rows with the same value to a column of byte arrays. To any other column, appends nulls.
    pub fn push_bytes_times(&mut self, value: Option<ByteArray>, rows: usize) {
        let is_there = matches!(self.values, ColumnValues::Bytes(_)) && value.is_some();
        self.levels.resize(self.levels.len() + rows, i16::from(is_there));
        if let (ColumnValues::Bytes(values), Some(value)) = (&mut self.values, value) {
            values.extend(std::iter::repeat_n(value, rows));
        }
    }

    /// Appends a row to a column of integers. To any other column, appends null. The number must fit into the
    /// bits of the column, less the sign.
    pub fn push_number(&mut self, value: Option<u64>) {
        match &mut self.values {
            ColumnValues::Narrow(values) => values.extend(value.map(|value| value as i32)),
            ColumnValues::Wide(values) => values.extend(value.map(|value| value as i64)),
            ColumnValues::Bytes(_) => return self.levels.push(0),
        }
        self.levels.push(i16::from(value.is_some()));
    }

    /// Writes all rows and empties the column.
    ///
    /// # Errors
    /// If the writer belongs to a column of a different type, or fails.
    pub fn write(&mut self, writer: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(self.levels.as_slice());
        let written = match (&mut self.values, writer) {
            (ColumnValues::Bytes(values), ColumnWriter::ByteArrayColumnWriter(writer)) => {
                // Required columns lack levels.
                let levels = levels.filter(|_| writer.get_descriptor().max_def_level() > 0);
                writer.write_batch(&std::mem::take(values), levels, None)
            }
            (ColumnValues::Narrow(values), ColumnWriter::Int32ColumnWriter(writer)) => {
                let written = writer.write_batch(values, levels, None);
                values.clear();
                written
            }
            (ColumnValues::Wide(values), ColumnWriter::Int64ColumnWriter(writer)) => {
                let written = writer.write_batch(values, levels, None);
                values.clear();
                written
            }
            _ => Err(ParquetError::General("a column of a different type".to_owned())),
        };
        self.levels.clear();
        written.map(drop)
    }
}

/// The column of a row group that is being written to memory.
pub struct ColumnInMemory {
    writer: ColumnWriter<'static>,
    pages: PagesInMemory,
}

impl ColumnInMemory {
    /// Starts a column.
    #[must_use]
    pub fn begin(column: &ColumnDescPtr, properties: &WriterPropertiesPtr) -> Self {
        let pages = PagesInMemory::default();
        let sink = Box::new(pages.clone());
        Self { writer: get_column_writer(Arc::clone(column), Arc::clone(properties), sink), pages }
    }

    /// Returns the writer for [`WrittenColumn::write`].
    pub fn writer(&mut self) -> &mut ColumnWriter<'static> {
        &mut self.writer
    }

    /// Ends the column, and returns its bytes with their description, to be appended to a file.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(self) -> Result<EncodedColumn, ParquetError> {
        let closed = self.writer.close()?;
        Ok((Bytes::from(self.pages.take()?), closed))
    }
}

/// A column of a row group: its bytes, and their description with offsets in these bytes.
pub type EncodedColumn = (Bytes, ColumnCloseResult);

/// A file, and the SHA-256 of the bytes written to it.
#[derive(Debug)]
struct HashedFile {
    file: File,
    sha256: Sha256,
}

impl Write for HashedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sha256.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns the SHA-256 of the rest of a file.
///
/// # Errors
/// If it cannot be read.
pub fn sha256_of(file: &mut File) -> io::Result<[u8; 32]> {
    let (mut sha256, mut buffer) = (Sha256::new(), vec![0; 1 << 17]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(sha256.finalize().into()),
            read => sha256.update(&buffer[..read]),
        }
    }
}

/// A Parquet file that is being written, and hashed.
pub struct NewParquetFile {
    writer: SerializedFileWriter<HashedFile>,
}

impl NewParquetFile {
    /// Starts an empty file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(
        file: File,
        schema: &SchemaDescriptor,
        properties: &WriterPropertiesPtr,
    ) -> io::Result<Self> {
        let file = HashedFile { file, sha256: Sha256::new() };
        let writer = SerializedFileWriter::new(file, schema.root_schema_ptr(), Arc::clone(properties));
        Ok(Self { writer: writer.map_err(cause)? })
    }

    /// Appends a row group.
    ///
    /// # Errors
    /// If the columns do not match the schema, or the file cannot be written.
    pub fn push(&mut self, columns: Vec<EncodedColumn>) -> io::Result<()> {
        let write = || {
            let mut writer = self.writer.next_row_group()?;
            for (bytes, closed) in columns {
                writer.append_column(&bytes, closed)?;
            }
            writer.close()
        };
        write().map(drop).map_err(cause)
    }

    /// Returns the number of bytes written, including the bytes in the buffer.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.writer.bytes_written() as u64
    }

    /// Returns the file with all that is written so far, without a footer.
    ///
    /// # Errors
    /// If the buffer cannot be written.
    pub fn flushed(&mut self) -> io::Result<&File> {
        self.writer.flush()?;
        Ok(&self.writer.inner().file)
    }

    /// Writes the footer, with facts about the file in its metadata, and returns the file with its SHA-256.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(
        mut self,
        facts: impl IntoIterator<Item = (String, String)>,
    ) -> io::Result<(File, [u8; 32])> {
        for (key, value) in facts {
            self.writer.append_key_value_metadata(KeyValue::new(key, value));
        }
        let HashedFile { file, sha256 } = self.writer.into_inner().map_err(cause)?;
        Ok((file, sha256.finalize().into()))
    }
}

/// Returns the cause that a Parquet error carries, so that a full disk is reported as one.
pub(super) fn cause(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(cause) => io::Error::other(cause),
        },
        other => io::Error::other(other),
    }
}
