//! Compares the claims of a Parquet file about its columns with their values.
//!
//! Readers skip row groups and pages by statistics, page indexes and Bloom filters, and find columns and
//! pages by the footer. A wrong claim makes an answer short, and nothing else shows it. Claims that only cost
//! time, such as a range that is too wide or an index that is missing, are accepted.

use std::cmp::Ordering;
use std::fs::File;
use std::ops::{ControlFlow, Range};

use parquet::basic::Encoding;
use parquet::bloom_filter::Sbbf;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use urlid::Error;

use super::footer::{self, End, Statistics};
use super::group_values;
use super::pages::{Page, encoding};
use super::shapes::{COLUMN_INDEX, FILTER_HEADER, FOOTER, OFFSET_INDEX};
use super::thrift::{Seen, Shape, walk};
use super::values::{Kind, ValueShape};
use crate::files::read_exact_at;

/// The most bytes of a Bloom filter or an index of pages.
const MOST_INDEX: i64 = 128 << 20;
/// The type of dictionaries among the pages that a footer counts.
const DICTIONARY_PAGE: i64 = 2;
/// The orders that the pages of a column can have.
const BOUNDARY_ORDERS: [Option<Ordering>; 3] = [None, Some(Ordering::Less), Some(Ordering::Greater)];

/// A Parquet file of texts and integers that is checked.
#[derive(Debug)]
pub struct ParquetCheck {
    file: File,
    footer: Vec<u8>,
    metadata: ParquetMetaData,
}

/// The result of reading some rows.
#[derive(Default)]
struct Found {
    rows: i64,
    nulls: i64,
    /// The least and the greatest value.
    ends: Option<(Vec<u8>, Vec<u8>)>,
}

/// A page that was read.
struct FoundPage {
    place: Range<u64>,
    has_statistics: bool,
    encoding: Encoding,
    first_row: i64,
    found: Found,
}

impl ParquetCheck {
    /// Reads the footer, and checks its claims about row groups.
    ///
    /// # Errors
    /// If the footer is malformed, or wrong.
    pub fn open(file: File) -> Result<Self, Error> {
        let (footer, _) = footer::bytes_of(&file)?;
        let metadata = footer::decode(&footer, Statistics::Kept)?;
        let claims = FooterClaims::read(&footer).map_err(footer::damaged)?;
        let columns = metadata.file_metadata().schema_descr().num_columns();
        // A file has no orders, or one for each column. Any order but that of the type gives statistics
        // another meaning.
        if claims.orders != claims.typed_orders || ![0, columns].contains(&claims.orders) {
            return Err(footer::damaged("its columns have other orders than their types".to_owned()));
        }
        // The counts are untrusted; 128 bits hold any sum of them.
        let rows = metadata.row_groups().iter().map(|group| i128::from(group.num_rows())).sum::<i128>();
        if i128::from(metadata.file_metadata().num_rows()) != rows {
            return Err(footer::damaged("its rows are not those of its row groups".to_owned()));
        }
        for (number, group) in claims.groups.iter().enumerate() {
            check_group(number, group).map_err(|what| End::Damaged(what).into_error(number, 0))?;
        }
        Ok(Self { file, footer, metadata })
    }

    /// Returns the footer.
    #[must_use]
    pub fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }

    /// Calls `each` with the value of every row of a column, in order, until it returns `Break`; nulls are
    /// `None`, and integers the bytes of the file. At the end of each row group it has checked every claim of
    /// the file about the values.
    ///
    /// # Errors
    /// If the file is malformed, cannot be read or says something wrong, or lacks a Bloom filter where one is
    /// needed. The values before that are what the column holds.
    pub fn each_value(
        &self,
        column: usize,
        needs_filter: bool,
        each: &mut dyn FnMut(Option<&[u8]>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let claims = FooterClaims::read(&self.footer).map_err(footer::damaged)?;
        let mut rows = 0;
        for (number, (group, said)) in self.metadata.row_groups().iter().zip(&claims.groups).enumerate() {
            let Some(said) = said.columns.get(column) else {
                return Err(footer::damaged("it has row groups of fewer columns".to_owned()));
            };
            let check = Check { file: &self.file, chunk: group.column(column), said };
            match check.run(group.num_rows(), needs_filter, &mut rows, each) {
                Ok(()) => {}
                Err(End::Stopped) => return Ok(()),
                Err(end) => return Err(end.into_error(number, rows)),
            }
        }
        Ok(())
    }
}

/// Checks the place of a row group: engines divide a file among their tasks by it.
fn check_group(number: usize, group: &GroupClaims<'_>) -> Result<(), String> {
    // The offset of the dictionary, which comes first, or else that of the first data page.
    let start = |column: &Fields<'_>| column.number(&[3, 11]).or(column.number(&[3, 9]));
    let len =
        group.columns.iter().map(|column| i128::from(column.number(&[3, 7]).unwrap_or(-1))).sum::<i128>();
    is_right(
        "offset",
        group.own.number(&[5]).is_none_or(|offset| group.columns.first().and_then(start) == Some(offset)),
    )?;
    is_right("length", group.own.number(&[6]).is_none_or(|found| i128::from(found) == len))?;
    is_right("number", group.own.number(&[7]).is_none_or(|found| usize::try_from(found) == Ok(number)))
}

/// A column of a row group, and the claims of the footer about it.
struct Check<'c> {
    file: &'c File,
    chunk: &'c ColumnChunkMetaData,
    said: &'c Fields<'c>,
}

impl Check<'_> {
    fn run(
        &self,
        rows: i64,
        needs_filter: bool,
        read: &mut u64,
        each: &mut dyn FnMut(Option<&[u8]>) -> ControlFlow<()>,
    ) -> Result<(), End> {
        let shape = Kind::new(self.chunk.column_descr()).shape;
        let filter = self.filter()?;
        is_right("missing Bloom filter", filter.is_some() || !needs_filter)?;
        let mut pages: Vec<FoundPage> = Vec::new();
        let mut last: Option<Vec<u8>> = None;
        group_values(self.file, rows, self.chunk, &mut |page, value| {
            *read += 1;
            let page = match pages.last_mut() {
                Some(last) if last.place == page.place => last,
                _ => {
                    last = None;
                    let first_row = pages.last().map_or(0, |page| page.first_row + page.found.rows);
                    pages.push(FoundPage::new(page, first_row));
                    // One was pushed.
                    let end = pages.len() - 1;
                    &mut pages[end]
                }
            };
            page.found.rows += 1;
            match value {
                None => page.found.nulls += 1,
                // Neighbours are often equal.
                Some(value) if last.as_deref() == Some(value) => {}
                Some(value) => {
                    is_right("Bloom filter", filter.as_ref().is_none_or(|filter| filter.check(value)))?;
                    page.found.widen(shape, value);
                    let last = last.get_or_insert_with(Vec::new);
                    last.clear();
                    last.extend_from_slice(value);
                }
            }
            if each(value).is_break() { Err(End::Stopped) } else { Ok(()) }
        })?;
        let mut whole = Found::default();
        for FoundPage { found, .. } in &pages {
            whole.rows += found.rows;
            whole.nulls += found.nulls;
            for end in found.ends.iter().flat_map(|(least, greatest)| [least, greatest]) {
                whole.widen(shape, end);
            }
        }
        self.check_chunk(&pages)?;
        self.check_statistics(shape, &whole)?;
        self.check_offsets(&pages)?;
        self.check_ranges(shape, &pages)
    }

    /// Checks where the column is, and how it is written.
    fn check_chunk(&self, pages: &[FoundPage]) -> Result<(), String> {
        let Self { chunk, said, .. } = self;
        // Engines would read the column from the file that is named here.
        is_right("file", !said.has(&[1]))?;
        let path = chunk.column_descr().path().parts().iter().map(String::as_bytes);
        is_right("path", said.texts(&[3, 3, 0]).into_iter().eq(path))?;
        is_right("type", said.number(&[3, 1]) == Some(chunk.column_type() as i64))?;
        is_right(
            "number of values",
            said.number(&[3, 5]) == pages.last().map(|page| page.first_row + page.found.rows),
        )?;
        is_right(
            "offset of pages",
            said.number(&[3, 9]).map(i64::unsigned_abs) == pages.first().map(|page| page.place.start),
        )?;
        is_right("index of pages", !said.has(&[3, 10]))?;
        is_right("statistics of a page", !pages.iter().any(|page| page.has_statistics))?;
        // Engines answer from the dictionary alone if no page is said to have another encoding.
        let encodings: Vec<_> = said.numbers(&[3, 2, 0]).into_iter().map(encoding).collect();
        is_right("encoding", pages.iter().all(|page| encodings.contains(&Some(page.encoding))))?;
        let [kinds, encodings, counts] = [1, 2, 3].map(|field| said.numbers(&[3, 13, 0, field]));
        is_right("list of encodings", kinds.len() == encodings.len() && kinds.len() == counts.len())?;
        let data =
            kinds.iter().zip(encodings.iter().zip(&counts)).filter(|(kind, _)| **kind != DICTIONARY_PAGE);
        let mut left: i64 = 0;
        for (_, (number, count)) in data {
            let pages = pages.iter().filter(|page| encoding(*number) == Some(page.encoding)).count() as i64;
            is_right("number of pages", pages == *count)?;
            left += pages;
        }
        is_right("number of pages", kinds.is_empty() || left == pages.len() as i64)
    }

    /// Checks the statistics of all values.
    fn check_statistics(&self, shape: ValueShape, whole: &Found) -> Result<(), String> {
        let said = self.said;
        is_right("number of nulls", said.number(&[3, 12, 3]).is_none_or(|nulls| nulls == whole.nulls))?;
        // Distinct values are not counted, so a claim about them could not be checked.
        is_right("number of distinct values", !said.has(&[3, 12, 4]))?;
        let is_exact = |field| said.number(&[3, 12, field]) == Some(1);
        let [old_greatest, old_least, greatest, least] = [1, 2, 5, 6].map(|field| said.text(&[3, 12, field]));
        whole.check_ends(shape, (least, is_exact(8)), (greatest, is_exact(7)))?;
        // The older statistics are ranges of signed bytes, which texts are not.
        is_right("old range", shape != ValueShape::Text || (old_least, old_greatest) == (None, None))?;
        whole.check_ends(shape, (old_least, true), (old_greatest, true))?;
        let levels = said.numbers(&[3, 16, 3, 0]);
        is_right("histogram", levels.is_empty() || levels == [whole.nulls, whole.rows - whole.nulls])
    }

    /// Checks the index of the places of pages, if there is one.
    fn check_offsets(&self, pages: &[FoundPage]) -> Result<(), End> {
        let Some(bytes) =
            self.bytes_at("index of offsets", [4, 5].map(|field| self.said.number(&[field])))?
        else {
            return Ok(());
        };
        let (said, _) = Fields::read(&bytes, OFFSET_INDEX)?;
        let len = |page: &FoundPage| (page.place.end - page.place.start) as i64;
        let is_all = [
            said.numbers(&[1, 0, 1]).into_iter().eq(pages.iter().map(|page| page.place.start as i64)),
            said.numbers(&[1, 0, 2]).into_iter().eq(pages.iter().map(len)),
            said.numbers(&[1, 0, 3]).into_iter().eq(pages.iter().map(|page| page.first_row)),
        ];
        Ok(is_right("index of offsets", is_all == [true; 3])?)
    }

    /// Checks the index of the ranges of pages, if there is one.
    fn check_ranges(&self, shape: ValueShape, pages: &[FoundPage]) -> Result<(), End> {
        let Some(bytes) = self.bytes_at("index of ranges", [6, 7].map(|field| self.said.number(&[field])))?
        else {
            return Ok(());
        };
        let (said, _) = Fields::read(&bytes, COLUMN_INDEX)?;
        let (least, greatest) = (said.texts(&[2, 0]), said.texts(&[3, 0]));
        let are_null = said.numbers(&[1, 0]);
        is_right("index of ranges", [least.len(), greatest.len(), are_null.len()] == [pages.len(); 3])?;
        let mut ranges = Vec::new();
        for (number, FoundPage { found, .. }) in pages.iter().enumerate() {
            let has_values = found.ends.is_some();
            is_right("list of pages of nulls", (are_null[number] == 1) != has_values)?;
            if has_values {
                found.check_ends(shape, (Some(least[number]), false), (Some(greatest[number]), false))?;
                ranges.push((least[number], greatest[number]));
            }
        }
        let order = usize::try_from(said.number(&[4]).unwrap_or(-1))
            .ok()
            .and_then(|order| BOUNDARY_ORDERS.get(order));
        let is_in = |order, a, b| {
            compare(shape, a, b).is_some_and(|found| found == order || found == Ordering::Equal)
        };
        is_right(
            "order of pages",
            order.is_some_and(|order| {
                order.is_none_or(|order| {
                    ranges
                        .windows(2)
                        .all(|pair| is_in(order, pair[0].0, pair[1].0) && is_in(order, pair[0].1, pair[1].1))
                })
            }),
        )?;
        let counts = said.numbers(&[5, 0]);
        is_right(
            "numbers of nulls",
            counts.is_empty() || counts.into_iter().eq(pages.iter().map(|page| page.found.nulls)),
        )?;
        let levels = said.numbers(&[7, 0]);
        let expected = pages.iter().flat_map(|page| [page.found.nulls, page.found.rows - page.found.nulls]);
        Ok(is_right("histograms", levels.is_empty() || levels.into_iter().eq(expected))?)
    }

    /// Reads the Bloom filter, if there is one.
    fn filter(&self) -> Result<Option<Sbbf>, End> {
        let Some(bytes) =
            self.bytes_at("Bloom filter", [14, 15].map(|field| self.said.number(&[3, field])))?
        else {
            return Ok(None);
        };
        let (said, len) = Fields::read(&bytes, FILTER_HEADER)?;
        let blocks = &bytes[len..];
        is_right("method of Bloom filters", [2, 3, 4].iter().all(|method| said.has(&[*method, 1])))?;
        // Some readers take the length of the header, and some what the footer leaves.
        let is_whole =
            said.number(&[1]) == Some(blocks.len() as i64) && !blocks.is_empty() && blocks.len() % 32 == 0;
        is_right("length of its Bloom filter", is_whole)?;
        Ok(Some(Sbbf::new(blocks)))
    }

    /// Returns the bytes at an offset, if the footer gives it and their length.
    fn bytes_at(&self, what: &str, place: [Option<i64>; 2]) -> Result<Option<Vec<u8>>, End> {
        let (offset, len) = match place {
            [None, None] => return Ok(None),
            [Some(offset), Some(len @ 0..=MOST_INDEX)] if offset >= 0 => {
                (offset.unsigned_abs(), len.unsigned_abs())
            }
            _ => return Err(wrong(what).into()),
        };
        // Compared before so many bytes are allocated.
        let file_len = self.file.metadata()?.len();
        is_right(what, offset.checked_add(len).is_some_and(|end| end <= file_len))?;
        let mut bytes = vec![0; len as usize];
        read_exact_at(self.file, &mut bytes, offset)?;
        Ok(Some(bytes))
    }
}

impl FoundPage {
    fn new(page: &Page, first_row: i64) -> Self {
        let Page { encoding, has_statistics, place, .. } = page;
        let (place, found) = (place.clone(), Found::default());
        Self { place, has_statistics: *has_statistics, encoding: *encoding, first_row, found }
    }
}

impl Found {
    /// Includes a value in the range.
    fn widen(&mut self, shape: ValueShape, value: &[u8]) {
        let is = |order, end: &[u8]| compare(shape, value, end) == Some(order);
        match &mut self.ends {
            None => self.ends = Some((value.to_vec(), value.to_vec())),
            Some((least, _)) if is(Ordering::Less, least) => value.clone_into(least),
            Some((_, greatest)) if is(Ordering::Greater, greatest) => value.clone_into(greatest),
            Some(_) => {}
        }
    }

    /// Checks bounds, each with whether it is claimed to be exact.
    fn check_ends(
        &self,
        shape: ValueShape,
        least: (Option<&[u8]>, bool),
        greatest: (Option<&[u8]>, bool),
    ) -> Result<(), String> {
        let ends = self.ends.as_ref().map(|(least, greatest)| [least, greatest]);
        for ((bound, is_exact), (index, outward)) in
            [least, greatest].into_iter().zip([(0, Ordering::Less), (1, Ordering::Greater)])
        {
            let Some(bound) = bound else { continue };
            let order = ends.and_then(|ends| compare(shape, bound, ends[index]));
            is_right("range", order == Some(Ordering::Equal) || order == Some(outward) && !is_exact)?;
        }
        Ok(())
    }
}

/// Compares two values of a column in its order, which is signed for integers.
fn compare(shape: ValueShape, a: &[u8], b: &[u8]) -> Option<Ordering> {
    let number = |bytes: &[u8]| match bytes.len() {
        4 => Some(i64::from(i32::from_le_bytes(bytes.try_into().ok()?))),
        _ => Some(i64::from_le_bytes(bytes.try_into().ok()?)),
    };
    match shape {
        ValueShape::Text => Some(a.cmp(b)),
        ValueShape::Number(len) if a.len() == len && b.len() == len => Some(number(a)?.cmp(&number(b)?)),
        ValueShape::Number(_) => None,
    }
}

fn is_right(what: &str, is_right: bool) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(wrong(what)) }
}

fn wrong(what: &str) -> String {
    format!("it says something wrong of its values: {what}")
}

/// The values of a structure that are read, in its order, each with the path of its field.
#[derive(Debug, Default)]
pub(super) struct Fields<'b>(Vec<(Vec<i16>, Seen<'b>)>);

impl<'b> Fields<'b> {
    /// Reads a structure, and returns its length too.
    pub(super) fn read(bytes: &'b [u8], fields: &'static [(i16, Shape)]) -> Result<(Self, usize), String> {
        let mut found = Self::default();
        let len = walk(bytes, fields, &mut |path, seen| found.push(path, seen))?;
        Ok((found, len))
    }

    fn push(&mut self, path: &[i16], seen: Seen<'b>) {
        self.0.push((path.to_vec(), seen));
    }

    /// Returns the values of a field; of a list, `path` ends in 0 for its elements.
    fn all(&self, path: &[i16]) -> impl Iterator<Item = Seen<'b>> {
        self.0.iter().filter(move |(found, _)| found == path).map(|(_, seen)| *seen)
    }

    /// Returns whether a structure is there.
    pub(super) fn has(&self, path: &[i16]) -> bool {
        self.all(path).next().is_some()
    }

    /// Returns all numbers of a field; truth values are 0 or 1.
    pub(super) fn numbers(&self, path: &[i16]) -> Vec<i64> {
        let number = |seen| match seen {
            Seen::Integer(number) => Some(number),
            Seen::Bool(is_true) => Some(i64::from(is_true)),
            _ => None,
        };
        self.all(path).filter_map(number).collect()
    }

    /// Returns the number of a field.
    pub(super) fn number(&self, path: &[i16]) -> Option<i64> {
        self.numbers(path).first().copied()
    }

    /// Returns all texts of a field.
    pub(super) fn texts(&self, path: &[i16]) -> Vec<&'b [u8]> {
        let text = |seen| if let Seen::Binary(bytes) = seen { Some(bytes) } else { None };
        self.all(path).filter_map(text).collect()
    }

    /// Returns the text of a field.
    pub(super) fn text(&self, path: &[i16]) -> Option<&'b [u8]> {
        self.texts(path).first().copied()
    }
}

/// A row group: its own fields, and those of its columns.
#[derive(Debug, Default)]
pub(super) struct GroupClaims<'b> {
    pub(super) own: Fields<'b>,
    pub(super) columns: Vec<Fields<'b>>,
}

/// The claims of a footer about its file.
#[derive(Debug, Default)]
pub(super) struct FooterClaims<'b> {
    pub(super) groups: Vec<GroupClaims<'b>>,
    /// The number of columns whose order is named, and of those whose order is that of their type.
    pub(super) orders: usize,
    pub(super) typed_orders: usize,
}

impl<'b> FooterClaims<'b> {
    /// Reads the bytes of a footer.
    pub(super) fn read(footer: &'b [u8]) -> Result<Self, String> {
        let (mut claims, mut group, mut column) =
            (Self::default(), GroupClaims::default(), Fields::default());
        // Field 4 has the row groups, 1 in each its columns; 7 has the orders of columns, of which 1 is that
        // of the type.
        walk(footer, FOOTER, &mut |path, seen| match (path, seen) {
            ([4, 0, 1, 0], Seen::End) => group.columns.push(std::mem::take(&mut column)),
            ([4, 0, 1, 0, rest @ ..], seen) => column.push(rest, seen),
            ([4, 0], Seen::End) => claims.groups.push(std::mem::take(&mut group)),
            ([4, 0, rest @ ..], seen) => group.own.push(rest, seen),
            ([7, 0], Seen::End) => claims.orders += 1,
            ([7, 0, 1], Seen::End) => claims.typed_orders += 1,
            _ => {}
        })?;
        Ok(claims)
    }
}
