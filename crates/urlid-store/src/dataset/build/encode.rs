//! Encodes rows as row groups in memory, column by column.

use std::io;
use std::sync::Arc;

use crate::question::{SLICE_COLUMNS, StoredUrl, is_narrow};
use parquet::basic::Encoding;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor};
use urlid::suffix::SuffixList;
use urlid::sxurl::{Components, Sxurl};
use urlid_io::tables::{ColumnInMemory, DeltaColumn, EncodedColumn, WrittenColumn};

use crate::dataset::key::UrlPlace;
use crate::dataset::layout::{COLUMNS, GROUP_BYTES, GROUP_ROWS, PAGE_BYTES, PAGE_ROWS};
use crate::dataset::pages::{KEY_LEN, PageEntry};

/// A row group that is ready to be appended to a file.
pub(super) struct EncodedGroup {
    pub(super) rows: u64,
    pub(super) columns: Vec<EncodedColumn>,
    /// The pages of the URLs, with offsets in the bytes of the first column.
    pub(super) pages: Vec<PageEntry>,
}

/// The settings that all encoders share.
#[derive(Clone, Debug)]
pub(super) struct Format {
    pub(super) schema: Arc<SchemaDescriptor>,
    pub(super) properties: Arc<WriterProperties>,
    pub(super) list: SuffixList,
    pub(super) with_ids: bool,
}

/// Encodes rows, which must come in order.
pub(super) struct Encoder<'f> {
    format: &'f Format,
    alike: Alike,
    open: Option<OpenGroup>,
    groups: Vec<EncodedGroup>,
}

/// The last rows, which are equal in all columns after `url`. Neighbouring rows share their host.
#[derive(Default)]
struct Alike {
    values: [Option<ByteArray>; COLUMNS.len()],
    /// The rows that are not yet in the columns.
    rows: usize,
    /// Everything before the path of these rows. If the next row has the same origin, its columns are the
    /// same as well.
    origin: Vec<u8>,
}

/// A row group that is being encoded.
struct OpenGroup {
    urls: DeltaColumn,
    /// The columns of [`Alike`].
    shared: Vec<SharedColumn>,
    /// Identifiers and their slices. Empty if the dataset has no identifiers.
    ids: Vec<PlainColumn>,
    rows: usize,
    url_bytes: usize,
    page_rows: usize,
    page_bytes: usize,
    /// The first row of each page, and its key.
    firsts: Vec<(i64, Vec<u8>)>,
}

/// A column of texts that neighbouring rows share.
enum SharedColumn {
    Delta(Box<DeltaColumn>),
    Dictionary(Box<PlainColumn>),
}

/// A column that the `parquet` crate encodes, and its rows of the page.
struct PlainColumn {
    rows: WrittenColumn,
    column: ColumnInMemory,
}

impl<'f> Encoder<'f> {
    pub(super) fn new(format: &'f Format) -> Self {
        Self { format, alike: Alike::default(), open: None, groups: Vec::new() }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, place: UrlPlace<'_>) -> io::Result<()> {
        let Self { format, alike, open, .. } = self;
        let group = match open {
            Some(group) => group,
            None => open.insert(OpenGroup::new(format).map_err(io::Error::other)?),
        };
        if group.page_rows == 0 {
            group.begin_page(place);
        }
        let origin = &place.text[..place.split.path[0] as usize];
        // `describe` has not run before the first row, and `alike.origin` is empty then.
        if alike.origin != origin || origin.is_empty() {
            group.push_alike(alike);
            alike.describe(place, &format.list)?;
            origin.clone_into(&mut alike.origin);
        }
        alike.rows += 1;
        group.urls.push(place.text);
        if format.with_ids {
            group.push_id(id_of(place.text, &format.list));
        }
        group.page_rows += 1;
        group.page_bytes += place.text.len();
        if group.page_rows >= PAGE_ROWS || group.page_bytes >= PAGE_BYTES {
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
        let Some(group) = &mut self.open else { return Ok(()) };
        // All rows are written before a page or a group ends, so the values of `alike` stay valid for the
        // rows after it.
        group.push_alike(&mut self.alike);
        group.end_page().map_err(io::Error::other)?;
        if group.rows >= GROUP_ROWS || group.url_bytes >= GROUP_BYTES { self.end_group() } else { Ok(()) }
    }

    fn end_group(&mut self) -> io::Result<()> {
        if let Some(group) = self.open.take() {
            self.groups.push(group.finish().map_err(io::Error::other)?);
        }
        Ok(())
    }
}

impl Alike {
    /// Sets the column values of a row, which the next rows with the same origin share.
    fn describe(&mut self, place: UrlPlace<'_>, list: &SuffixList) -> io::Result<()> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, "a run of the sort holds no URL");
        let text = str::from_utf8(place.text).map_err(|_| wrong())?;
        let url = StoredUrl::of_text(text, list).ok_or_else(wrong)?;
        let values = [
            Some(place.host_key),
            part(url.host()),
            part(url.registered_domain()),
            part(url.tld()),
            Some(url.scheme().as_bytes()),
        ];
        for (last, value) in self.values.iter_mut().zip(values) {
            if last.as_ref().map(ByteArray::data) != value {
                *last = value.map(|value| ByteArray::from(value.to_vec()));
            }
        }
        Ok(())
    }
}

impl OpenGroup {
    fn new(format: &Format) -> Result<Self, ParquetError> {
        let columns = format.schema.columns();
        let (texts, ids) = columns.split_at(1 + COLUMNS.len());
        let begin = |column: &ColumnDescPtr| ColumnInMemory::begin(column, &format.properties);
        let begin_shared = |column: &ColumnDescPtr| match format.properties.encoding(column.path()) {
            Some(Encoding::DELTA_BYTE_ARRAY) => {
                Ok(SharedColumn::Delta(Box::new(DeltaColumn::begin(column, &format.properties)?)))
            }
            _ => {
                let (rows, column) = (WrittenColumn::of_bytes(), begin(column));
                Ok(SharedColumn::Dictionary(Box::new(PlainColumn { rows, column })))
            }
        };
        let ids = id_columns().zip(ids).map(|(rows, column)| PlainColumn { rows, column: begin(column) });
        Ok(Self {
            urls: DeltaColumn::begin(&texts[0], &format.properties)?,
            shared: texts[1..].iter().map(begin_shared).collect::<Result<_, ParquetError>>()?,
            ids: ids.collect(),
            rows: 0,
            url_bytes: 0,
            page_rows: 0,
            page_bytes: 0,
            firsts: Vec::new(),
        })
    }

    /// Starts a page with a row.
    fn begin_page(&mut self, place: UrlPlace<'_>) {
        let mut key = Vec::new();
        place.write(&mut key);
        key.truncate(KEY_LEN);
        self.firsts.push((self.rows as i64, key));
    }

    /// Appends the rows that share these columns.
    fn push_alike(&mut self, alike: &mut Alike) {
        let rows = std::mem::take(&mut alike.rows);
        for (column, value) in self.shared.iter_mut().zip(&alike.values) {
            match column {
                SharedColumn::Delta(column) => column.push_times(value.as_ref().map(ByteArray::data), rows),
                SharedColumn::Dictionary(column) => column.rows.push_bytes_times(value.clone(), rows),
            }
        }
    }

    /// Appends an identifier and its slices.
    fn push_id(&mut self, id: Option<Sxurl>) {
        let [whole, slices @ ..] = self.ids.as_mut_slice() else { return };
        whole.rows.push_bytes(id.map(|id| ByteArray::from(id.as_bytes().to_vec())));
        for (column, (_, field)) in slices.iter_mut().zip(SLICE_COLUMNS) {
            column.rows.push_number(id.map(|id| id.field(field)));
        }
    }

    fn end_page(&mut self) -> Result<(), ParquetError> {
        self.rows += std::mem::take(&mut self.page_rows);
        self.url_bytes += std::mem::take(&mut self.page_bytes);
        self.urls.end_page()?;
        for column in &mut self.shared {
            match column {
                SharedColumn::Delta(column) => column.end_page()?,
                SharedColumn::Dictionary(column) => column.end_page()?,
            }
        }
        self.ids.iter_mut().try_for_each(PlainColumn::end_page)
    }

    fn finish(self) -> Result<EncodedGroup, ParquetError> {
        let shared = self.shared.into_iter().map(|column| match column {
            SharedColumn::Delta(column) => column.finish(),
            SharedColumn::Dictionary(column) => column.column.finish(),
        });
        let ids = self.ids.into_iter().map(|column| column.column.finish());
        let columns = std::iter::once(self.urls.finish()).chain(shared).chain(ids);
        let columns = columns.collect::<Result<Vec<_>, _>>()?;
        let pages = pages_of(&columns, self.rows as i64, &self.firsts)
            .ok_or_else(|| ParquetError::General("pages do not begin where their rows do".to_owned()))?;
        Ok(EncodedGroup { rows: self.rows as u64, columns, pages })
    }
}

impl PlainColumn {
    fn end_page(&mut self) -> Result<(), ParquetError> {
        self.rows.write(self.column.writer())
    }
}

/// Returns the columns of identifiers and their slices.
fn id_columns() -> impl Iterator<Item = WrittenColumn> {
    let slices = SLICE_COLUMNS.map(|(_, field)| WrittenColumn::of_numbers(is_narrow(field)));
    std::iter::once(WrittenColumn::of_bytes()).chain(slices)
}

/// Returns the identifier of a stored text, if it has one.
fn id_of(text: &[u8], list: &SuffixList) -> Option<Sxurl> {
    Some(Components::parse(str::from_utf8(text).ok()?, list).ok()?.encode())
}

/// Returns the bytes of a part, or `None` if it is empty.
fn part(text: &str) -> Option<&[u8]> {
    (!text.is_empty()).then_some(text.as_bytes())
}

/// Returns the pages of the first column.
fn pages_of(columns: &[EncodedColumn], rows: i64, firsts: &[(i64, Vec<u8>)]) -> Option<Vec<PageEntry>> {
    let (bytes, closed) = columns.first()?;
    let places = closed.offset_index.as_ref()?.page_locations();
    let mut pages = Vec::with_capacity(places.len());
    for (index, place) in places.iter().enumerate() {
        let next = places.get(index + 1).map_or(rows, |next| next.first_row_index);
        // The writer ends pages where `end_page` was called. A page that ended elsewhere would lack a key
        // here, which is an error.
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
