//! Adds columns to a Parquet file: copies the bytes of the file, then writes the pages of the new columns and
//! a new footer.
//!
//! The chunks of a row group need not be adjacent. The file is therefore copied unchanged, and only the
//! columns from which the new ones are made are decompressed and read. Page indexes, Bloom filters and pages
//! in any encoding stay where they are.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::schema::types::{SchemaDescPtr, SchemaDescriptor, Type};
use urlid::Error;

use super::encode::{Encoded, Encoder, NewColumn};
use super::footer::{self, End, Statistics};
use super::other_schemas::{Kept, kept};
use super::pages::is_supported;
use super::{find, group_values, no_text};
use crate::error;
use crate::tables::column::TextColumn;
use crate::tables::text::ColumnChoice;

/// The rows whose new values are made together. They are few enough that the dictionary of each column stays
/// in the processor's cache.
const BATCH_ROWS: usize = 16_384;
/// The most bytes of their texts, apart from the last one.
const BATCH_BYTES: usize = 4 << 20;

/// A Parquet file with the columns to add.
#[derive(Debug)]
pub struct ParquetTable {
    pub(super) file: File,
    pub(super) metadata: ParquetMetaData,
    /// The offset of the footer.
    end: u64,
    /// The leaves that are read, by index.
    columns: Vec<usize>,
    /// All columns, the new ones last.
    pub(super) schema: SchemaDescPtr,
    pub(super) added: Vec<NewColumn>,
}

/// Makes the values of new columns. It is called with the number of preceding rows, some values of a column
/// that is read (nulls as `None`), and its new columns, which are empty. It appends a value for each to every
/// new column, and missing values become null.
pub type MakeValues<'m> = dyn FnMut(u64, &[Option<&[u8]>], &mut [TextColumn]) + 'm;

/// The new columns of a row group.
pub struct NewGroup {
    number: usize,
    encoded: Vec<Encoded>,
}

impl std::fmt::Debug for NewGroup {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("NewGroup").field("number", &self.number).finish_non_exhaustive()
    }
}

impl ParquetTable {
    /// Opens a file and finds the columns to read.
    ///
    /// # Errors
    /// Like [`ParquetColumn::open`](super::ParquetColumn::open).
    pub fn open(file: File, choices: &[ColumnChoice]) -> Result<Self, Error> {
        let (metadata, end) = footer::read(&file, Statistics::Kept)?;
        let columns =
            choices.iter().map(|choice| find(&metadata, choice, &no_text)).collect::<Result<_, _>>()?;
        let schema = metadata.file_metadata().schema_descr_ptr();
        Ok(ParquetTable { file, metadata, end, columns, schema, added: Vec::new() })
    }

    /// Returns the names of the columns that are read.
    pub fn names(&self) -> Vec<String> {
        let columns = self.metadata.file_metadata().schema_descr().columns();
        self.columns.iter().map(|index| columns[*index].path().string()).collect()
    }

    /// Returns whether rows of the other file can follow the rows of this one. Both must have the same
    /// columns in the same order, with the same types.
    pub fn has_same_columns(&self, other: &ParquetTable) -> bool {
        let fields = |table: &ParquetTable| table.metadata.file_metadata().schema_descr().root_schema_ptr();
        fields(self).get_fields() == fields(other).get_fields()
    }

    /// Adds columns, as many for each column that is read.
    ///
    /// # Errors
    /// If the table already has one of them.
    ///
    /// # Panics
    /// If their number is not a multiple of the number of columns that are read.
    pub fn add(&mut self, columns: &[NewColumn]) -> Result<(), Error> {
        let is_multiple =
            columns.len().checked_rem(self.columns.len()).map_or(columns.is_empty(), |rest| rest == 0);
        assert!(is_multiple, "{} new columns of {}", columns.len(), self.columns.len());
        let root = self.metadata.file_metadata().schema_descr().root_schema();
        let mut fields = root.get_fields().to_vec();
        for column in columns {
            if fields.iter().any(|field| field.name() == column.name()) {
                return Err(error::EXISTS.error().with_subject(column.name().to_owned()));
            }
            fields.push(column.schema().map_err(no_schema)?);
        }
        let root = Type::group_type_builder(root.name()).with_fields(fields).build().map_err(no_schema)?;
        self.schema = Arc::new(SchemaDescriptor::new(Arc::new(root)));
        self.added = columns.to_vec();
        Ok(())
    }

    /// Returns the number of row groups.
    pub fn groups(&self) -> usize {
        self.metadata.num_row_groups()
    }

    /// Returns the number of rows before a row group, as stated in the footer.
    pub fn rows_before(&self, group: usize) -> u64 {
        let groups = self.metadata.row_groups().iter().take(group);
        groups.map(|group| u64::try_from(group.num_rows()).unwrap_or(0)).sum()
    }

    /// Encodes the new columns of a row group. Calls `make` for all rows of the first column that is read,
    /// then for all rows of the next.
    ///
    /// # Errors
    /// If the file is malformed or cannot be read.
    pub fn make_group(&self, number: usize, make: &mut MakeValues<'_>) -> Result<NewGroup, Error> {
        // The new columns of the first column that is read come first, then as many of the next.
        let each = self.added.len() / self.columns.len().max(1);
        let mut encoded = Vec::with_capacity(self.added.len());
        for (place, column) in self.columns.iter().enumerate() {
            let added = &self.added[place * each..][..each];
            let mut batch = Batch { before: self.rows_before(number), ..Batch::default() };
            let made = self.make_columns(number, *column, added, make, &mut batch);
            encoded.extend(made.map_err(|end| end.into_error(number, batch.before + batch.len() as u64))?);
        }
        Ok(NewGroup { number, encoded })
    }

    /// Encodes the new columns of a column of a row group. After an error, `batch` has the place.
    fn make_columns(
        &self,
        number: usize,
        column: usize,
        added: &[NewColumn],
        make: &mut MakeValues<'_>,
        batch: &mut Batch,
    ) -> Result<Vec<Encoded>, End> {
        let group = self.metadata.row_group(number);
        let chunk = group.column(column);
        // Checked before the encoder is made, because the `parquet` crate panics on a compression that is not
        // linked.
        is_supported(chunk)?;
        // New columns have the compression of their source column, which its readers support. The encoder of
        // BROTLI is left out, because it is larger than all others together.
        let compression = match chunk.compression() {
            Compression::BROTLI(_) => Compression::ZSTD(ZstdLevel::default()),
            like => like,
        };
        let mut encoder = Encoder::new(added, compression)?;
        let mut new = vec![TextColumn::default(); added.len()];
        let mut encode = |batch: &mut Batch| {
            make(batch.before, &batch.values(), &mut new);
            new.iter_mut().for_each(|column| column.resize(batch.len()));
            batch.clear();
            encoder.push(&mut new)
        };
        group_values(&self.file, group.num_rows(), chunk, &mut |value| {
            batch.push(value);
            if batch.is_full() { Ok(encode(batch)?) } else { Ok(()) }
        })?;
        encode(batch)?;
        Ok(encoder.finish()?)
    }

    /// Copies the file up to its footer, and returns the writer of the new columns.
    ///
    /// # Errors
    /// If the file cannot be read or `out` not be written.
    pub fn extend(&self, out: &mut dyn Write) -> io::Result<Extension<'_>> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        let copied = io::copy(&mut file.take(self.end), out)?;
        if copied < self.end {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Extension { table: self, offset: self.end, groups: Vec::new() })
    }
}

/// The values whose new values are made together.
#[derive(Default)]
struct Batch {
    /// The number of rows of the file before these.
    before: u64,
    bytes: Vec<u8>,
    /// The range of each value in `bytes`, or `None` for a null.
    places: Vec<Option<Range<usize>>>,
}

impl Batch {
    fn push(&mut self, value: Option<&[u8]>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(value.unwrap_or_default());
        self.places.push(value.map(|_| start..self.bytes.len()));
    }

    fn len(&self) -> usize {
        self.places.len()
    }

    fn is_full(&self) -> bool {
        self.places.len() >= BATCH_ROWS || self.bytes.len() >= BATCH_BYTES
    }

    fn values(&self) -> Vec<Option<&[u8]>> {
        self.places.iter().map(|place| place.clone().map(|place| &self.bytes[place])).collect()
    }

    /// Empties the buffers for the next batch.
    fn clear(&mut self) {
        self.before += self.len() as u64;
        self.bytes.clear();
        self.places.clear();
    }
}

fn no_schema(error: ParquetError) -> Error {
    error::FOOTER.error().with_shown(error)
}

/// A Parquet file that is being written with its new columns.
#[derive(Debug)]
pub struct Extension<'t> {
    table: &'t ParquetTable,
    /// The number of bytes written.
    offset: u64,
    groups: Vec<RowGroupMetaData>,
}

impl Extension<'_> {
    /// Writes the new columns of the next row group.
    ///
    /// # Errors
    /// If `out` cannot be written, or the groups are out of order.
    pub fn push(&mut self, group: NewGroup, out: &mut dyn Write) -> io::Result<()> {
        let number = self.groups.len();
        let row_groups = self.table.metadata.row_groups();
        let Some(old) = row_groups.get(number).filter(|_| group.number == number) else {
            return Err(io::Error::other("row groups come in a different order"));
        };
        let mut columns = old.columns().to_vec();
        let mut size = old.total_byte_size();
        for (pages, metadata) in group.encoded {
            out.write_all(&pages)?;
            // The sum cannot overflow, because both are lengths of files.
            let at = |offset: i64| offset + self.offset as i64;
            let (data, dictionary) =
                (at(metadata.data_page_offset()), metadata.dictionary_page_offset().map(at));
            size = size.saturating_add(metadata.uncompressed_size());
            let moved =
                metadata.into_builder().set_data_page_offset(data).set_dictionary_page_offset(dictionary);
            columns.push(moved.build().map_err(io::Error::other)?);
            self.offset += pages.len() as u64;
        }
        let mut new = RowGroupMetaData::builder(Arc::clone(&self.table.schema))
            .set_column_metadata(columns)
            .set_num_rows(old.num_rows())
            .set_total_byte_size(size)
            // New columns come last, so the indexes of the old ones stay right.
            .set_sorting_columns(old.sorting_columns().cloned());
        if let Some(ordinal) = old.ordinal() {
            new = new.set_ordinal(ordinal);
        }
        if let Some(offset) = old.file_offset() {
            new = new.set_file_offset(offset);
        }
        self.groups.push(new.build().map_err(io::Error::other)?);
        Ok(())
    }

    /// Writes the footer, with `facts` added to the metadata of the file.
    ///
    /// # Errors
    /// If `out` cannot be written, or a row group is missing.
    pub fn finish(self, facts: &[(String, String)], out: &mut dyn Write) -> io::Result<()> {
        let old = self.table.metadata.file_metadata();
        if self.groups.len() != self.table.groups() {
            return Err(io::Error::other("a row group is missing"));
        }
        let names: Vec<&str> =
            old.schema_descr().root_schema().get_fields().iter().map(|field| field.name()).collect();
        let old_facts = old.key_value_metadata().into_iter().flatten();
        let old_facts = old_facts.filter_map(|fact| {
            match kept(&fact.key, fact.value.as_deref(), &names, &self.table.added) {
                Kept::Whole => Some(fact.clone()),
                Kept::Extended(value) => value.map(|value| KeyValue::new(fact.key.clone(), value)),
            }
        });
        let facts = facts.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
        let rows = self.groups.iter().map(RowGroupMetaData::num_rows).sum();
        let file = FileMetaData::new(
            old.version(),
            rows,
            old.created_by().map(str::to_owned),
            Some(old_facts.chain(facts).collect()),
            Arc::clone(&self.table.schema),
            None,
        );
        let metadata = ParquetMetaData::new(file, self.groups);
        ParquetMetaDataWriter::new(&mut *out, &metadata).finish().map_err(io::Error::other)?;
        out.flush()
    }
}
