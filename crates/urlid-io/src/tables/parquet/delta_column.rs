//! Columns of texts of new Parquet files in DELTA_BYTE_ARRAY. Each text is stored without the prefix that it
//! shares with the previous one, so repeated texts cost almost no space.
//!
//! The `parquet` crate writes the same bytes, but counts, compares, hashes and copies every row as if its
//! text were unique. It still makes the statistics here, from the least and the greatest text of each page
//! (decision 5).

use parquet::basic::{Compression, Encoding};
use parquet::bloom_filter::Sbbf;
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::{ColumnCloseResult, ColumnWriter, ColumnWriterImpl, get_column_writer};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnIndexBuilder, LevelHistogram, OffsetIndexBuilder};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::properties::{EnabledStatistics, WriterPropertiesPtr};
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::pages::PagesInMemory;
use super::written::EncodedColumn;

/// A column of texts of a row group, which is written to memory.
pub struct DeltaColumn {
    page: OpenPage,
    /// The body of a page before it is compressed. Kept because it is as long for every page.
    body: Vec<u8>,
    compressor: zstd::bulk::Compressor<'static>,
    written: TrackedWrite<Vec<u8>>,
    offsets: OffsetIndexBuilder,
    pages: Vec<WrittenPage>,
    /// The length of the pages with their heads as if they were not compressed.
    unpacked_len: usize,
    filter: Option<(Sbbf, f64)>,
    has_statistics: bool,
    is_nullable: bool,
    /// The writer of the crate, which gets the least and the greatest text of each page.
    ends: ColumnWriterImpl<'static, ByteArrayType>,
}

/// The rows of a page.
#[derive(Default)]
struct OpenPage {
    rows: usize,
    /// The definition level of each row: 1, or 0 for a null. Empty if the column lacks nulls.
    levels: Vec<u8>,
    /// For each text, the length of the prefix that it shares with the previous text, and the length of its
    /// rest.
    shared: Vec<i32>,
    lengths: Vec<i32>,
    rests: Vec<u8>,
    last: Vec<u8>,
    /// The least and the greatest text, if the column has statistics.
    ends: Option<(Vec<u8>, Vec<u8>)>,
    text_bytes: usize,
}

/// The numbers of a page that the crate puts into statistics.
struct WrittenPage {
    rows: usize,
    nulls: usize,
    text_bytes: usize,
}

impl DeltaColumn {
    /// Starts a column. Its properties must set zstd, DELTA_BYTE_ARRAY, and one page for each call of the
    /// crate's writer.
    ///
    /// # Errors
    /// If the properties differ, if the column does not hold texts or is repeated, or if memory is exhausted.
    pub fn begin(column: &ColumnDescPtr, properties: &WriterPropertiesPtr) -> Result<Self, ParquetError> {
        let path = column.path();
        let other = |what: &str| Err(ParquetError::General(format!("a column of a different {what}")));
        let Compression::ZSTD(level) = properties.compression(path) else { return other("compression") };
        if properties.encoding(path) != Some(Encoding::DELTA_BYTE_ARRAY)
            || properties.dictionary_enabled(path)
        {
            return other("encoding");
        }
        let ends = get_column_writer(column.clone(), properties.clone(), Box::<PagesInMemory>::default());
        let (ColumnWriter::ByteArrayColumnWriter(ends), 0, 0..=1) =
            (ends, column.max_rep_level(), column.max_def_level())
        else {
            return other("type");
        };
        let filter = properties.bloom_filter_properties(path).map(|filter| {
            let empty = Sbbf::new_with_ndv_fpp(filter.ndv(), filter.fpp());
            empty.map(|empty| (empty, filter.fpp()))
        });
        Ok(Self {
            page: OpenPage::default(),
            body: Vec::new(),
            compressor: zstd::bulk::Compressor::new(level.compression_level())?,
            written: TrackedWrite::new(Vec::new()),
            offsets: OffsetIndexBuilder::new(),
            pages: Vec::new(),
            unpacked_len: 0,
            filter: filter.transpose()?,
            has_statistics: properties.statistics_enabled(path) != EnabledStatistics::None,
            is_nullable: column.max_def_level() > 0,
            ends,
        })
    }

    /// Appends a row.
    pub fn push(&mut self, text: &[u8]) {
        self.push_times(Some(text), 1);
    }

    /// Appends rows that all have one text, or are null.
    pub fn push_times(&mut self, text: Option<&[u8]>, rows: usize) {
        if rows == 0 {
            return;
        }
        let page = &mut self.page;
        page.rows += rows;
        if self.is_nullable {
            page.levels.resize(page.rows, u8::from(text.is_some()));
        }
        let Some(text) = text else { return };
        let shared = shared_len(&page.last, text);
        let rest = &text[shared..];
        page.rests.extend_from_slice(rest);
        page.last.truncate(shared);
        page.last.extend_from_slice(rest);
        page.shared.push(shared as i32);
        page.lengths.push(rest.len() as i32);
        if rows > 1 {
            // The others share the whole text with it.
            page.shared.resize(page.shared.len() + rows - 1, text.len() as i32);
            page.lengths.resize(page.shared.len(), 0);
        }
        if let Some((filter, _)) = &mut self.filter {
            filter.insert(text);
        }
        if self.has_statistics {
            page.text_bytes += text.len() * rows;
            page.widen(text);
        }
    }

    /// Ends the page, if it has rows.
    ///
    /// # Errors
    /// If the writer of the crate fails.
    pub fn end_page(&mut self) -> Result<(), ParquetError> {
        let Self { page, body, written, .. } = self;
        if page.rows == 0 {
            return Ok(());
        }
        body.clear();
        if self.is_nullable {
            write_levels(&page.levels, body);
        }
        write_deltas(&page.shared, body);
        write_deltas(&page.lengths, body);
        body.extend_from_slice(&page.rests);
        let data = Page::DataPage {
            buf: self.compressor.compress(body)?.into(),
            num_values: page.rows as u32,
            encoding: Encoding::DELTA_BYTE_ARRAY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            // The column index has the ranges of pages, so a reader finds them without reading the pages.
            statistics: None,
        };
        let spec = SerializedPageWriter::new(written).write_page(CompressedPage::new(data, body.len()))?;
        self.unpacked_len += spec.uncompressed_size;
        self.offsets.append_offset_and_size(spec.offset as i64, spec.compressed_size as i32);
        self.offsets.append_row_count(page.rows as i64);
        let text_bytes = self.has_statistics.then_some(page.text_bytes as i64);
        self.offsets.append_unencoded_byte_array_data_bytes(text_bytes);
        let ends: Vec<_> =
            page.ends.take().into_iter().flat_map(|(least, greatest)| [least, greatest]).collect();
        self.write_ends(ends)?;
        let page = &mut self.page;
        // A null lacks an entry, so the entries count the texts.
        let nulls = page.rows - page.shared.len();
        self.pages.push(WrittenPage { rows: page.rows, nulls, text_bytes: page.text_bytes });
        page.clear();
        Ok(())
    }

    /// Passes the least and the greatest text of a page to the crate. A page that lacks them, because it has
    /// only nulls or its column has no statistics, is passed as one null or one empty text.
    fn write_ends(&mut self, ends: Vec<Vec<u8>>) -> Result<(), ParquetError> {
        let mut values: Vec<ByteArray> = ends.into_iter().map(ByteArray::from).collect();
        let levels = if values.is_empty() { vec![0] } else { vec![1; values.len()] };
        if values.is_empty() && !self.is_nullable {
            values.push(ByteArray::from(Vec::new()));
        }
        self.ends.write_batch(&values, self.is_nullable.then_some(&levels), None).map(drop)
    }

    /// Ends the column, and returns its bytes and their description with offsets in them, to be appended to a
    /// file.
    ///
    /// # Errors
    /// If the writer of the crate fails.
    pub fn finish(mut self) -> Result<EncodedColumn, ParquetError> {
        self.end_page()?;
        let Self { written, offsets, pages, unpacked_len, filter, has_statistics, is_nullable, ends, .. } =
            self;
        let sum = |number: fn(&WrittenPage) -> usize| pages.iter().map(number).sum::<usize>();
        let (rows, nulls) = (sum(|page| page.rows), sum(|page| page.nulls));
        let bytes = written.into_inner()?;
        let closed = ends.close()?;
        let column_index = closed.column_index.map(|index| index_with_counts(&index, &pages, is_nullable));
        let counts = histogram(rows, nulls, is_nullable && has_statistics);
        let statistics = closed.metadata.statistics().map(|ends| with_nulls(ends, nulls));
        let mut metadata = closed.metadata.into_builder();
        if let Some(statistics) = statistics {
            metadata = metadata.set_statistics(statistics);
        }
        let has_text_bytes = has_statistics && !pages.is_empty();
        let text_bytes = has_text_bytes.then(|| sum(|page| page.text_bytes) as i64);
        let metadata = metadata
            .set_total_compressed_size(bytes.len() as i64)
            .set_total_uncompressed_size(unpacked_len as i64)
            .set_num_values(rows as i64)
            .set_data_page_offset(0)
            .set_unencoded_byte_array_data_bytes(text_bytes)
            .set_definition_level_histogram(counts)
            .build()?;
        let filter = filter.map(|(mut filter, rate)| {
            filter.fold_to_target_fpp(rate);
            filter
        });
        let closed = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: rows as u64,
            metadata,
            bloom_filter: filter,
            column_index: column_index.transpose()?,
            offset_index: Some(offsets.build()),
        };
        Ok((bytes.into(), closed))
    }
}

impl OpenPage {
    /// Includes a text in the range of the page.
    fn widen(&mut self, text: &[u8]) {
        match &mut self.ends {
            None => self.ends = Some((text.to_vec(), text.to_vec())),
            Some((least, _)) if text < least.as_slice() => text.clone_into(least),
            Some((_, greatest)) if text > greatest.as_slice() => text.clone_into(greatest),
            Some(_) => {}
        }
    }

    /// Prepares the buffers for the next page.
    fn clear(&mut self) {
        let Self { rows, levels, shared, lengths, rests, last, ends, text_bytes } = self;
        (*rows, *text_bytes, *ends) = (0, 0, None);
        levels.clear();
        shared.clear();
        lengths.clear();
        rests.clear();
        // Pages are decoded separately, so the first text of each page has an empty shared prefix.
        last.clear();
    }
}

/// Returns the length of the common prefix of two texts.
fn shared_len(a: &[u8], b: &[u8]) -> usize {
    // Eight bytes at a time while both texts have them, then byte by byte.
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let start = words.take_while(|(a, b)| a == b).count() * 8;
    start + a[start..].iter().zip(&b[start..]).take_while(|(a, b)| a == b).count()
}

/// Returns the numbers of nulls and of texts, for a column that has nulls and statistics.
fn histogram(rows: usize, nulls: usize, is_needed: bool) -> Option<LevelHistogram> {
    // The crate leaves out histograms of levels that are at most 0.
    let mut counts = LevelHistogram::try_new(i16::from(is_needed))?;
    counts.increment_by(0, nulls as i64);
    counts.increment_by(1, (rows - nulls) as i64);
    Some(counts)
}

/// Returns the index of the pages, with their own numbers of nulls.
fn index_with_counts(
    ends: &ColumnIndexMetaData,
    pages: &[WrittenPage],
    is_nullable: bool,
) -> Result<ColumnIndexMetaData, ParquetError> {
    let ColumnIndexMetaData::BYTE_ARRAY(texts) = ends else { return Ok(ends.clone()) };
    let mut index = ColumnIndexBuilder::new(parquet::basic::Type::BYTE_ARRAY);
    for (number, page) in pages.iter().enumerate() {
        let end = |text: Option<&[u8]>| text.unwrap_or_default().to_vec();
        // The writer of the crate has a page for each of these, since `write_ends` was called for each.
        let (least, greatest) = (end(texts.min_value(number)), end(texts.max_value(number)));
        index.append(texts.is_null_page(number), least, greatest, page.nulls as i64);
        index.append_histograms(&None, &histogram(page.rows, page.nulls, is_nullable));
    }
    if let Some(order) = ends.get_boundary_order() {
        index.set_boundary_order(order);
    }
    index.build()
}

/// Returns statistics of a column with its own number of nulls.
fn with_nulls(ends: &Statistics, nulls: usize) -> Statistics {
    let Statistics::ByteArray(ends) = ends else { return ends.clone() };
    let (least, greatest) = (ends.min_opt().cloned(), ends.max_opt().cloned());
    let statistics = ValueStatistics::new(least, greatest, None, Some(nulls as u64), false);
    Statistics::ByteArray(
        statistics.with_min_is_exact(ends.min_is_exact()).with_max_is_exact(ends.max_is_exact()),
    )
}

/// Numbers of a miniblock, which have one width.
const MINIBLOCK: usize = 32;
/// Miniblocks of a block, which have one least delta.
const MINIBLOCKS: usize = 4;
/// Levels that are packed together, and the least that are written as a run.
const GROUP: usize = 8;
/// The most groups after one head, which is one byte.
const MOST_GROUPS: usize = 63;

/// Appends numbers in DELTA_BINARY_PACKED.
fn write_deltas(numbers: &[i32], page: &mut Vec<u8>) {
    let first = numbers.first().copied().unwrap_or_default();
    for number in [MINIBLOCK * MINIBLOCKS, MINIBLOCKS, numbers.len()] {
        write_varint(number as u64, page);
    }
    write_zigzag(first, page);
    let mut last = first;
    let mut deltas = [0; MINIBLOCK * MINIBLOCKS];
    for block in numbers.get(1..).unwrap_or_default().chunks(deltas.len()) {
        for (delta, number) in deltas.iter_mut().zip(block) {
            // The difference wraps, like the sums of readers (`bits`).
            *delta = number.wrapping_sub(last);
            last = *number;
        }
        let deltas = &deltas[..block.len()];
        let least = deltas.iter().copied().min().unwrap_or_default();
        write_zigzag(least, page);
        let widths = page.len();
        // Unused miniblocks keep the width 0 and stay empty.
        page.extend_from_slice(&[0; MINIBLOCKS]);
        for (number, deltas) in deltas.chunks(MINIBLOCK).enumerate() {
            page[widths + number] = pack(deltas, least, page);
        }
    }
}

/// Appends a miniblock, filled with zeros, and returns the width of its numbers in bits.
fn pack(deltas: &[i32], least: i32, page: &mut Vec<u8>) -> u8 {
    // A difference of more than 31 bits wraps in `i32`, but is right as `u32`, because `least` is the least
    // delta.
    let above = |delta: &i32| delta.wrapping_sub(least) as u32;
    let width = u32::BITS - deltas.iter().map(above).fold(0, u32::max).leading_zeros();
    let end = page.len() + MINIBLOCK / 8 * width as usize;
    if width > 0 {
        // The lowest bits come first. At most 31 + 32 bits are pending.
        let (mut bits, mut count) = (0_u64, 0);
        for delta in deltas {
            bits |= u64::from(above(delta)) << count;
            count += width;
            if count >= u32::BITS {
                page.extend_from_slice(&(bits as u32).to_le_bytes());
                bits >>= u32::BITS;
                count -= u32::BITS;
            }
        }
        page.extend_from_slice(&bits.to_le_bytes()[..count.div_ceil(8) as usize]);
        page.resize(end, 0);
    }
    width as u8
}

/// Appends levels that are 0 or 1, with their length. Eight or more equal levels are a run, and others are
/// packed by eight.
fn write_levels(levels: &[u8], page: &mut Vec<u8>) {
    let start = page.len();
    page.extend_from_slice(&[0; 4]);
    let mut rest = levels;
    // The head of the packed groups that are open, and their number.
    let mut packed: Option<(usize, usize)> = None;
    while let [level, ..] = rest {
        let alike = rest.iter().take_while(|other| *other == level).count();
        // An equal rest is also a run, unless it can be packed with the levels before it.
        if alike >= GROUP || (alike == rest.len() && packed.is_none()) {
            packed = None;
            write_varint((alike as u64) << 1, page);
            page.push(*level);
            rest = &rest[alike..];
            continue;
        }
        let (group, after) = rest.split_at(rest.len().min(GROUP));
        rest = after;
        let (head, groups) = packed.unwrap_or_else(|| {
            page.push(0);
            (page.len() - 1, 0)
        });
        // The first level is the lowest bit. A last group of fewer than eight is filled with zeros.
        page.push(group.iter().rev().fold(0, |bits, level| bits << 1 | level));
        // At most 127, for 63 groups, which is the greatest varint of one byte.
        page[head] = (groups as u8 + 1) << 1 | 1;
        packed = (groups + 1 < MOST_GROUPS).then_some((head, groups + 1));
    }
    let len = (page.len() - start - 4) as u32;
    page[start..start + 4].copy_from_slice(&len.to_le_bytes());
}

fn write_varint(mut number: u64, page: &mut Vec<u8>) {
    while number >= 0x80 {
        page.push(number as u8 | 0x80);
        number >>= 7;
    }
    page.push(number as u8);
}

fn write_zigzag(number: i32, page: &mut Vec<u8>) {
    // Zigzag moves the sign to the lowest bit, so that small numbers of either sign are short.
    write_varint((i64::from(number) << 1 ^ i64::from(number) >> 63) as u64, page);
}
