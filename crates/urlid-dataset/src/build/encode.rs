//! Rows to row groups in memory, column by column.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use parquet::column::writer::ColumnCloseResult;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::SchemaDescriptor;
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Sxurl};
use urlid_io::tables::{ColumnInMemory, WrittenColumn};
use urlid_plan::{Condition, SLICE_COLUMNS, StoredUrl, is_narrow};

use crate::key::Place;
use crate::layout::{COLUMNS, GROUP_BYTES, GROUP_ROWS, PAGE_BYTES, PAGE_ROWS};
use crate::pages::{KEY_LEN, PageEntry};

/// A row group that is ready to be appended to a file.
pub(super) struct EncodedGroup {
    pub(super) rows: u64,
    /// The bytes of each column, and their description with offsets in these bytes.
    pub(super) columns: Vec<(Bytes, ColumnCloseResult)>,
    /// The pages of the URLs, with offsets in the bytes of the first column.
    pub(super) pages: Vec<PageEntry>,
}

/// What all encoders share.
#[derive(Clone, Debug)]
pub(super) struct Format {
    pub(super) schema: Arc<SchemaDescriptor>,
    pub(super) properties: Arc<WriterProperties>,
    pub(super) list: SuffixList,
    pub(super) with_ids: bool,
}

/// Encodes rows, which come in order.
pub(super) struct Encoder<'f> {
    format: &'f Format,
    page: Page,
    open: Option<OpenGroup>,
    pub(super) groups: Vec<EncodedGroup>,
}

/// The rows of a page.
struct Page {
    texts: Vec<u8>,
    ends: Vec<usize>,
    urls: WrittenColumn,
    /// The columns that neighbours share, without the last `alike` rows.
    columns: [Column; COLUMNS.len()],
    /// The rows that have the last values of all these columns.
    alike: usize,
    /// Identifiers and their slices, in the order of the columns; empty without them.
    ids: Vec<WrittenColumn>,
    /// The key of the first row.
    first: Vec<u8>,
    /// Everything before the path of the last row; the columns of the next row are the same if it is.
    origin: Vec<u8>,
}

/// A column of texts that neighbours share.
struct Column {
    rows: WrittenColumn,
    last: Option<ByteArray>,
}

impl Default for Column {
    fn default() -> Self {
        Self { rows: WrittenColumn::of_bytes(), last: None }
    }
}

/// Returns the columns of identifiers and their slices.
fn id_columns() -> Vec<WrittenColumn> {
    let slices = SLICE_COLUMNS.map(|(_, field)| WrittenColumn::of_numbers(is_narrow(field)));
    std::iter::once(WrittenColumn::of_bytes()).chain(slices).collect()
}

/// A row group that is being encoded.
struct OpenGroup {
    columns: Vec<ColumnInMemory>,
    rows: usize,
    url_bytes: usize,
    /// The first row of each page, and its key.
    firsts: Vec<(i64, Vec<u8>)>,
}

impl<'f> Encoder<'f> {
    pub(super) fn new(format: &'f Format) -> Self {
        let page = Page {
            texts: Vec::new(),
            ends: Vec::new(),
            urls: WrittenColumn::of_bytes(),
            columns: Default::default(),
            alike: 0,
            ids: if format.with_ids { id_columns() } else { Vec::new() },
            first: Vec::new(),
            origin: Vec::new(),
        };
        Self { format, page, open: None, groups: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, place: Place<'_>) -> io::Result<()> {
        let page = &mut self.page;
        if page.ends.is_empty() {
            page.first.clear();
            place.write(&mut page.first);
            page.first.truncate(KEY_LEN);
        }
        let origin = &place.text[..place.split.path[0] as usize];
        if page.origin != origin || origin.is_empty() {
            page.describe(place, &self.format.list)?;
            origin.clone_into(&mut page.origin);
        }
        page.texts.extend_from_slice(place.text);
        page.ends.push(page.texts.len());
        page.alike += 1;
        if let [whole, slices @ ..] = page.ids.as_mut_slice() {
            let id = id_of(place.text, &self.format.list);
            whole.push_bytes(id.map(|id| ByteArray::from(id.as_bytes().to_vec())));
            for (column, (_, field)) in slices.iter_mut().zip(SLICE_COLUMNS) {
                column.push_number(id.map(|id| id.field(field)));
            }
        }
        if page.ends.len() >= PAGE_ROWS || page.texts.len() >= PAGE_BYTES {
            self.end_page()?;
        }
        Ok(())
    }

    /// Ends the last row group and returns all.
    pub(super) fn finish(mut self) -> io::Result<Vec<EncodedGroup>> {
        self.end_page()?;
        self.end_group()?;
        Ok(self.groups)
    }

    fn end_page(&mut self) -> io::Result<()> {
        let Self { format, page, open, .. } = self;
        if page.ends.is_empty() {
            return Ok(());
        }
        let group = open.get_or_insert_with(|| OpenGroup::new(format));
        group.firsts.push((group.rows as i64, page.first.clone()));
        group.rows += page.ends.len();
        group.url_bytes += page.texts.len();
        page.push_alike();
        // Slices of one buffer: an allocation for each URL would take more time than everything else.
        let texts = ByteArray::from(std::mem::take(&mut page.texts));
        let mut start = 0;
        for end in page.ends.drain(..) {
            page.urls.push_bytes(Some(texts.slice(start, end - start)));
            start = end;
        }
        let others = page.columns.iter_mut().map(|column| &mut column.rows).chain(&mut page.ids);
        for (rows, column) in std::iter::once(&mut page.urls).chain(others).zip(&mut group.columns) {
            rows.write(column.writer()).map_err(io::Error::other)?;
        }
        if group.rows >= GROUP_ROWS || group.url_bytes >= GROUP_BYTES { self.end_group() } else { Ok(()) }
    }

    fn end_group(&mut self) -> io::Result<()> {
        if let Some(group) = self.open.take() {
            self.groups.push(group.finish().map_err(io::Error::other)?);
        }
        Ok(())
    }
}

impl Page {
    /// Appends the rows that are alike.
    fn push_alike(&mut self) {
        let rows = std::mem::take(&mut self.alike);
        self.columns.iter_mut().for_each(|column| column.rows.push_bytes_times(column.last.clone(), rows));
    }

    /// Sets what the columns hold for a row, and those after it with the same host.
    fn describe(&mut self, place: Place<'_>, list: &SuffixList) -> io::Result<()> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "a run of the sort holds no URL");
        let text = str::from_utf8(place.text).map_err(|_| wrong())?;
        let url = StoredUrl::of_text(text, list).ok_or_else(wrong)?;
        let values = [
            Some(place.host_key),
            part(url.host()),
            url.part(Condition::RegisteredDomain).map(|_| url.registered_domain().as_bytes()),
            part(url.tld()),
            Some(url.scheme().as_bytes()),
        ];
        self.push_alike();
        for (column, value) in self.columns.iter_mut().zip(values) {
            if column.last.as_ref().map(ByteArray::data) != value {
                column.last = value.map(|value| ByteArray::from(value.to_vec()));
            }
        }
        Ok(())
    }
}

/// Returns the identifier of a stored text, if it has one.
fn id_of(text: &[u8], list: &SuffixList) -> Option<Sxurl> {
    Some(Components::parse(str::from_utf8(text).ok()?, list).ok()?.encode())
}

/// Returns the bytes of a part, if it is there.
fn part(text: &str) -> Option<&[u8]> {
    (!text.is_empty()).then_some(text.as_bytes())
}

impl OpenGroup {
    fn new(format: &Format) -> Self {
        let begin = |column| ColumnInMemory::begin(column, &format.properties);
        let columns = format.schema.columns().iter().map(begin).collect();
        Self { columns, rows: 0, url_bytes: 0, firsts: Vec::new() }
    }

    fn finish(self) -> Result<EncodedGroup, ParquetError> {
        let columns = self.columns.into_iter().map(ColumnInMemory::finish).collect::<Result<Vec<_>, _>>()?;
        let pages = pages_of(&columns, self.rows as i64, &self.firsts)
            .ok_or_else(|| ParquetError::General("pages do not begin where their rows do".to_owned()))?;
        Ok(EncodedGroup { rows: self.rows as u64, columns, pages })
    }
}

/// Returns the pages of the first column. A page may hold the rows of several calls, because it ends by its encoded size.
fn pages_of(
    columns: &[(Bytes, ColumnCloseResult)],
    rows: i64,
    firsts: &[(i64, Vec<u8>)],
) -> Option<Vec<PageEntry>> {
    let (bytes, closed) = columns.first()?;
    let places = closed.offset_index.as_ref()?.page_locations();
    let mut pages = Vec::with_capacity(places.len());
    for (index, place) in places.iter().enumerate() {
        let next = places.get(index + 1).map_or(rows, |next| next.first_row_index);
        let first = firsts.binary_search_by_key(&place.first_row_index, |(row, _)| *row).ok()?;
        let (offset, len) =
            (usize::try_from(place.offset).ok()?, usize::try_from(place.compressed_page_size).ok()?);
        pages.push(PageEntry {
            offset: offset as u64,
            len: u32::try_from(len).ok()?,
            rows: u32::try_from(next - place.first_row_index).ok()?,
            checksum: crc32fast::hash(bytes.get(offset..offset + len)?),
            first: firsts[first].1.clone(),
        });
    }
    Some(pages)
}
