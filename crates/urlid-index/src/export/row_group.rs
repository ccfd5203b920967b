//! The rows of a row group, column by column, as the writer of the `parquet` crate takes them.

use std::fs::File;

use parquet::data_type::{ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use urlid::sxurl::Sxurl;
use urlid_plan::StoredUrl;

use super::layout::{COLUMNS, LARGE, SMALL};

/// The columns of a row group under construction, in memory.
pub(super) struct RowGroup {
    with_id: bool,
    url_bytes: usize,
    urls: Vec<ByteArray>,
    ids: Nullable<ByteArray>,
    small: [Nullable<i32>; 4],
    large: [Nullable<i64>; 4],
    hosts: [Nullable<ByteArray>; 3],
}

/// A nullable column as Parquet stores it: the values that exist, and a definition level for each row.
struct Nullable<T> {
    values: Vec<T>,
    /// One for each row: 1 if it has a value, 0 for null.
    levels: Vec<i16>,
}

impl<T> Default for Nullable<T> {
    fn default() -> Self {
        Self { values: Vec::new(), levels: Vec::new() }
    }
}

impl<T> Nullable<T> {
    fn push(&mut self, value: Option<T>) {
        self.levels.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn clear(&mut self) {
        self.values.clear();
        self.levels.clear();
    }
}

impl RowGroup {
    pub(super) fn new(with_id: bool) -> Self {
        Self {
            with_id,
            url_bytes: 0,
            urls: Vec::new(),
            ids: Nullable::default(),
            small: Default::default(),
            large: Default::default(),
            hosts: Default::default(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.urls.len()
    }

    /// Returns the total length of the URLs in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.url_bytes
    }

    pub(super) fn push(&mut self, text: &str, url: &StoredUrl<'_>, id: Option<&Sxurl>) {
        if self.with_id {
            self.ids.push(id.map(|id| ByteArray::from(id.as_bytes().to_vec())));
        }
        self.url_bytes += text.len();
        self.urls.push(ByteArray::from(text.as_bytes().to_vec()));
        for (column, (_, field)) in self.small.iter_mut().zip(SMALL) {
            // A slice of this array has at most 24 bits, so the sign is never set.
            column.push(id.map(|id| id.field(field) as i32));
        }
        for (column, (_, field)) in self.large.iter_mut().zip(LARGE) {
            column.push(id.map(|id| id.field(field) as i64));
        }
        for (column, part) in self.hosts.iter_mut().zip([url.host(), url.tld(), url.registered_domain()]) {
            column.push((!part.is_empty()).then(|| ByteArray::from(part.as_bytes().to_vec())));
        }
    }

    pub(super) fn clear(&mut self) {
        self.url_bytes = 0;
        self.urls.clear();
        self.ids.clear();
        self.small.iter_mut().for_each(Nullable::clear);
        self.large.iter_mut().for_each(Nullable::clear);
        self.hosts.iter_mut().for_each(Nullable::clear);
    }

    pub(super) fn write(&self, writer: &mut SerializedFileWriter<File>) -> Result<(), ParquetError> {
        let mut group = writer.next_row_group()?;
        if self.with_id {
            put_nullable::<ByteArrayType>(&mut group, &self.ids)?;
        }
        put::<ByteArrayType>(&mut group, &self.urls, None)?;
        for name in COLUMNS {
            if let Some(number) = SMALL.iter().position(|(small, _)| *small == name) {
                put_nullable::<Int32Type>(&mut group, &self.small[number])?;
            } else if let Some(number) = LARGE.iter().position(|(large, _)| *large == name) {
                put_nullable::<Int64Type>(&mut group, &self.large[number])?;
            }
        }
        self.hosts.iter().try_for_each(|column| put_nullable::<ByteArrayType>(&mut group, column))?;
        group.close()?;
        Ok(())
    }
}

fn put_nullable<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    column: &Nullable<T::T>,
) -> Result<(), ParquetError> {
    put::<T>(group, &column.values, Some(&column.levels))
}

fn put<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("the schema has fewer columns than the rows".to_owned()));
    };
    column.typed::<T>().write_batch(values, levels, None)?;
    column.close()
}
