//! The rows of a row group, column by column.

use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use urlid::sxurl::Sxurl;
use urlid_io::tables::{ColumnInMemory, EncodedColumn, WrittenColumn};
use urlid_plan::{SLICE_COLUMNS, StoredUrl, is_narrow};

use super::layout::{Format, HOSTS};

/// The columns of a row group under construction, in memory.
pub(super) struct RowGroup {
    ids: Option<WrittenColumn>,
    urls: WrittenColumn,
    slices: [WrittenColumn; SLICE_COLUMNS.len()],
    hosts: [WrittenColumn; HOSTS.len()],
}

impl RowGroup {
    pub(super) fn new(with_id: bool) -> Self {
        Self {
            ids: with_id.then(WrittenColumn::of_bytes),
            urls: WrittenColumn::of_bytes(),
            slices: SLICE_COLUMNS.map(|(_, field)| WrittenColumn::of_numbers(is_narrow(field))),
            hosts: HOSTS.map(|_| WrittenColumn::of_bytes()),
        }
    }

    pub(super) fn push(&mut self, text: ByteArray, url: &StoredUrl<'_>, id: Option<&Sxurl>) {
        if let Some(ids) = &mut self.ids {
            ids.push_bytes(id.map(|id| ByteArray::from(id.as_bytes().to_vec())));
        }
        self.urls.push_bytes(Some(text));
        for (column, (_, field)) in self.slices.iter_mut().zip(SLICE_COLUMNS) {
            // The longest slice has 60 bits, and those of narrow columns 24, so the sign is never set.
            column.push_number(id.map(|id| id.field(field)));
        }
        for (column, part) in self.hosts.iter_mut().zip([url.host(), url.tld(), url.registered_domain()]) {
            column.push_bytes((!part.is_empty()).then(|| ByteArray::from(part.as_bytes().to_vec())));
        }
    }

    /// Returns the columns as they are appended to a file.
    pub(super) fn encode(self, format: &Format) -> Result<Vec<EncodedColumn>, ParquetError> {
        let values = self.ids.into_iter().chain([self.urls]).chain(self.slices).chain(self.hosts);
        let encode = |(column, mut values): (_, WrittenColumn)| {
            let mut column = ColumnInMemory::begin(column, &format.properties);
            values.write(column.writer())?;
            column.finish()
        };
        format.schema.columns().iter().zip(values).map(encode).collect()
    }
}
