//! New Parquet files from row groups that were encoded before.
//!
//! The writer of the `parquet` crate is generic in what it writes to, and each crate that names it compiles a
//! copy.

use std::fs::File;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;

/// A column of a row group: its bytes, and their description with offsets in these bytes.
pub type EncodedColumn = (Bytes, ColumnCloseResult);

/// A Parquet file that is being written.
pub struct NewParquetFile {
    writer: SerializedFileWriter<File>,
}

impl NewParquetFile {
    /// Begins an empty file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(
        file: File,
        schema: &SchemaDescriptor,
        properties: &WriterPropertiesPtr,
    ) -> io::Result<Self> {
        let writer = SerializedFileWriter::new(file, schema.root_schema_ptr(), Arc::clone(properties));
        Ok(Self { writer: writer.map_err(cause)? })
    }

    /// Appends a row group.
    ///
    /// # Errors
    /// If the columns are not those of the schema, or the file cannot be written.
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

    /// Returns the number of bytes written, those in the buffer included.
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
        Ok(self.writer.inner())
    }

    /// Writes the footer, with facts about the file in its metadata, and returns the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, facts: impl IntoIterator<Item = (&'static str, String)>) -> io::Result<File> {
        for (key, value) in facts {
            self.writer.append_key_value_metadata(KeyValue::new(key.to_owned(), value));
        }
        self.writer.into_inner().map_err(cause)
    }
}

/// Returns the cause that a Parquet error carries, so that a full disk is reported as one.
fn cause(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(cause) => io::Error::other(cause),
        },
        other => io::Error::other(other),
    }
}
