//! Reads columns of texts of Parquet files, row by row, from any writer.
//!
//! Files are untrusted: a footer of twenty bytes can claim two thousand million row groups, and a page header
//! two gigabytes. `footer` and `pages` therefore walk over them first (`thrift`, by the `shapes` of their
//! fields) and reject claims that exceed the bytes. Then the `parquet` crate reads the footer, `unpack`
//! decompresses pages, and `values` decodes values one by one (by `bits`). Memory is bounded by the footer,
//! one dictionary and one page at a time. The last two decompress to at most 128 MiB each. This module does
//! not depend on URLs.

mod bits;
mod delta_column;
mod encode;
mod extend;
mod footer;
mod other_schemas;
mod pages;
mod range;
mod rows;
mod shapes;
mod thrift;
mod unpack;
mod values;
mod written;

#[cfg(test)]
mod tests;

use std::fs::File;
use std::ops::ControlFlow;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{ConvertedType, LogicalType, Type as Physical};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

pub use self::delta_column::DeltaColumn;
pub use self::encode::NewColumn;
pub use self::extend::{Extension, MakeValues, NewGroup, ParquetTable};
use self::footer::{End, Statistics};

use self::pages::{PackedPage, Pages, PagesInMemory};
pub use self::rows::{ChosenRows, NoRows, ParquetRows};
use self::values::{Dictionary, Kind, Take, each_value};
pub use self::written::{ColumnInMemory, EncodedColumn, NewParquetFile, WrittenColumn, sha256_of};
use crate::error;
use crate::tables::text::ColumnChoice;
use urlid::Error;

/// A column of texts or numbers in a Parquet file.
#[derive(Debug)]
pub struct ParquetColumn {
    file: File,
    metadata: ParquetMetaData,
    column: usize,
}

impl ParquetColumn {
    /// Opens a column by its name, or by its path with dots if columns are grouped.
    ///
    /// # Errors
    /// If the file is not Parquet, its footer is malformed, or the column is missing or does not hold texts.
    pub fn open(file: File, choice: &ColumnChoice) -> Result<Self, Error> {
        let (metadata, _) = footer::read(&file, Statistics::Skipped)?;
        let column = find(&metadata, choice, &no_text)?;
        Ok(Self { file, metadata, column })
    }

    /// Returns the number of rows as stated in the footer, which is checked only while reading.
    #[must_use]
    pub fn rows(&self) -> u64 {
        u64::try_from(self.metadata.file_metadata().num_rows()).unwrap_or(0)
    }

    /// Returns the pages of the column.
    #[must_use]
    pub fn pages(self) -> ParquetPages {
        let claimed = self.rows();
        let ParquetColumn { file, metadata, column } = self;
        ParquetPages {
            file: Arc::new(file),
            metadata,
            column,
            claimed,
            group: None,
            next_group: 0,
            rows_before: 0,
        }
    }

    /// Calls `each` with the value of every row, in order, until it returns `Break`. Nulls are `None`.
    ///
    /// # Errors
    /// If the file is malformed or cannot be read. The values before the error are valid.
    pub fn each_value(&self, each: &mut dyn FnMut(Option<&[u8]>) -> ControlFlow<()>) -> Result<(), Error> {
        let mut rows = 0;
        for (row_group, group) in self.metadata.row_groups().iter().enumerate() {
            let done = group_values(&self.file, group.num_rows(), group.column(self.column), &mut |value| {
                rows += 1;
                if each(value).is_break() { Err(End::Stopped) } else { Ok(()) }
            });
            match done {
                Ok(()) => {}
                Err(End::Stopped) => return Ok(()),
                Err(end) => return Err(end.into_error(row_group, rows)),
            }
        }
        Ok(())
    }

    /// Returns the footer, without statistics.
    #[must_use]
    pub fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }

    /// Returns a text of the file's metadata.
    #[must_use]
    pub fn fact(&self, key: &str) -> Option<&str> {
        let facts = self.metadata.file_metadata().key_value_metadata()?;
        facts.iter().find(|fact| fact.key == key)?.value.as_deref()
    }

    /// Calls `each` with every value of a page of the column, given as its bytes in the file, until it
    /// returns `Break`.
    ///
    /// # Errors
    /// If the bytes are not a page of `rows` rows without a dictionary. The values before that are valid.
    pub fn each_value_of_page(
        &self,
        page: Bytes,
        rows: u32,
        each: &mut dyn FnMut(Option<&[u8]>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let read = || -> Result<(), End> {
            let group = self.metadata.row_groups().first();
            let group = group.ok_or_else(|| "the file has no rows".to_owned())?;
            let chunk = group.column(self.column);
            let (mut pages, kind) = (Pages::of_bytes(page, chunk)?, Kind::new(chunk.column_descr()));
            let page = pages.next()?.ok_or_else(|| "it has no page".to_owned())?;
            if page.values != rows {
                return Err(format!("it has {} rows, expected {rows}", page.values).into());
            }
            if pages.next()?.is_some() {
                return Err("it has a second page".to_owned().into());
            }
            each_value(&page, None, kind, &mut |value| {
                if each(value).is_break() { Err(End::Stopped) } else { Ok(()) }
            })
        };
        match read() {
            Ok(()) | Err(End::Stopped) => Ok(()),
            Err(end) => Err(end.into_error(0, 0)),
        }
    }
}

/// Calls `each` with the value of every row of a column of a row group, until it returns an error.
fn group_values(
    file: &File,
    rows: i64,
    chunk: &ColumnChunkMetaData,
    each: &mut Take<'_, End>,
) -> Result<(), End> {
    let mut pages = GroupPages::new(Pages::open(file, chunk)?, rows, chunk)?;
    while let Some(mut page) = pages.next()? {
        page.each_value(each)?;
    }
    Ok(())
}

/// The data pages of a column of a row group.
struct GroupPages<'f> {
    pages: Pages<'f>,
    kind: Kind,
    dictionary: Option<Arc<Dictionary>>,
    rows: usize,
    /// The rows that the group has by the footer.
    claimed: usize,
}

impl<'f> GroupPages<'f> {
    fn new(pages: Pages<'f>, rows: i64, chunk: &ColumnChunkMetaData) -> Result<Self, End> {
        let claimed = usize::try_from(rows).map_err(|_| "it has a negative number of rows".to_owned())?;
        Ok(GroupPages { pages, kind: Kind::new(chunk.column_descr()), dictionary: None, rows: 0, claimed })
    }

    /// Returns the next page with values, or `None` after the last.
    fn next(&mut self) -> Result<Option<DataPage>, End> {
        let Self { kind, claimed, .. } = *self;
        while let Some(mut page) = self.pages.next_packed()? {
            // A second dictionary is passed to `each_value`, where it is an error.
            if self.dictionary.is_none() && page.is_dictionary() {
                page.unpack()?;
                self.dictionary = Some(Arc::new(Dictionary::new(page.into_page(), kind.shape)?));
                continue;
            }
            self.rows += page.values() as usize;
            // Checked before the values are used, because a page of nulls describes any number of rows in a
            // few bytes.
            if self.rows > claimed {
                return Err(format!("it has more than the {claimed} rows that it claims").into());
            }
            return Ok(Some(DataPage { page, dictionary: self.dictionary.clone(), kind }));
        }
        if self.rows < claimed {
            return Err(format!("it declares {claimed} rows but has {}", self.rows).into());
        }
        Ok(None)
    }
}

/// A page with values and the data to decode it.
struct DataPage {
    page: PackedPage,
    dictionary: Option<Arc<Dictionary>>,
    kind: Kind,
}

impl DataPage {
    fn each_value(&mut self, each: &mut Take<'_, End>) -> Result<(), End> {
        each_value(self.page.unpack()?, self.dictionary.as_deref(), self.kind, each)
    }
}

/// Reads the pages of a column one after the other. Any thread can decode them.
pub struct ParquetPages {
    file: Arc<File>,
    metadata: ParquetMetaData,
    column: usize,
    /// The rows that the file has by its footer.
    claimed: u64,
    group: Option<GroupPages<'static>>,
    /// The index of the next row group.
    next_group: usize,
    /// The rows of the file before the next page.
    rows_before: u64,
}

impl std::fmt::Debug for ParquetPages {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ParquetPages").field("rows_before", &self.rows_before).finish_non_exhaustive()
    }
}

/// A page of a column.
#[derive(Default)]
pub struct ParquetPage {
    /// The number of rows of the file before it.
    pub rows_before: u64,
    row_group: usize,
    page: Option<DataPage>,
}

impl std::fmt::Debug for ParquetPage {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ParquetPage").field("rows_before", &self.rows_before).finish_non_exhaustive()
    }
}

impl ParquetPages {
    /// Returns the number of rows of the file, as its footer states it.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.claimed
    }

    /// Reads the next page, or `None` after the last.
    ///
    /// # Errors
    /// If the file is malformed or cannot be read. The pages before the error are valid.
    pub fn next_page(&mut self) -> Result<Option<ParquetPage>, Error> {
        loop {
            let row_group = self.next_group.saturating_sub(1);
            let page = self.group.as_mut().map_or(Ok(None), GroupPages::next);
            let rows_before = self.rows_before;
            if let Some(page) = page.map_err(|end| end.into_error(row_group, rows_before))? {
                self.rows_before += u64::from(page.page.values());
                return Ok(Some(ParquetPage { rows_before, row_group, page: Some(page) }));
            }
            let Some(group) = self.metadata.row_groups().get(self.next_group) else { return Ok(None) };
            let chunk = group.column(self.column);
            let pages = Pages::open_shared(&self.file, chunk)
                .and_then(|pages| GroupPages::new(pages, group.num_rows(), chunk));
            self.group = Some(pages.map_err(|end| end.into_error(self.next_group, rows_before))?);
            self.next_group += 1;
        }
    }
}

impl ParquetPage {
    /// Calls `each` with every value of the page, nulls as `None`, until it returns `Break`. The page is kept
    /// decompressed for the next call.
    ///
    /// A page of a few bytes may have any number of values, each as long as its dictionary.
    ///
    /// # Errors
    /// If the page is malformed. The values before the error are valid.
    pub fn each_value(
        &mut self,
        each: &mut dyn FnMut(Option<&[u8]>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let Some(page) = &mut self.page else { return Ok(()) };
        let mut rows = self.rows_before;
        let read = page.each_value(&mut |value| {
            rows += 1;
            if each(value).is_break() { Err(End::Stopped) } else { Ok(()) }
        });
        match read {
            Ok(()) | Err(End::Stopped) => Ok(()),
            Err(end) => Err(end.into_error(self.row_group, rows)),
        }
    }
}

/// Finds a column, and returns its index among the leaves. `other_type` returns the type of a column that
/// does not fit.
fn find(
    metadata: &ParquetMetaData,
    choice: &ColumnChoice,
    other_type: &dyn Fn(&ColumnDescriptor) -> Option<String>,
) -> Result<usize, Error> {
    let columns = metadata.file_metadata().schema_descr().columns();
    let (index, column) = match choice {
        ColumnChoice::Name(name) => {
            (columns.iter().position(|found| found.path().string() == *name), name.clone())
        }
        ColumnChoice::Number(number) => {
            (number.checked_sub(1).filter(|index| *index < columns.len()), number.to_string())
        }
    };
    let Some(index) = index else {
        let found: Vec<_> = columns.iter().map(|column| column.path().string()).collect();
        return Err(error::missing(column, &found));
    };
    let descriptor = &columns[index];
    let has_name =
        |other: &ColumnDescPtr| matches!(choice, ColumnChoice::Name(name) if other.path().string() == *name);
    // The format allows several columns of one name. Such a choice is ambiguous.
    if columns.iter().skip(index + 1).any(has_name) {
        return Err(error::TWICE.error().with_subject(column));
    }
    if let Some(found) = other_type(descriptor) {
        return Err(error::NO_TEXTS.error().with_subject(column).with_shown(found));
    }
    Ok(index)
}

/// Returns the type of a column that does not hold texts, for the message. Byte arrays without an annotation
/// count as texts, and their reader checks the UTF-8.
fn no_text(column: &ColumnDescriptor) -> Option<String> {
    if column.max_rep_level() > 0 {
        return Some("a list".to_owned());
    }
    if column.physical_type() != Physical::BYTE_ARRAY {
        return Some(column.physical_type().to_string());
    }
    match (column.logical_type_ref(), column.converted_type()) {
        (None | Some(LogicalType::String), ConvertedType::NONE | ConvertedType::UTF8) => None,
        (Some(logical), _) => Some(format!("{logical:?}")),
        (None, converted) => Some(converted.to_string()),
    }
}
