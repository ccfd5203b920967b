//! A file of a dataset and its pages.

use std::fs::File;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use parquet::file::metadata::ParquetMetaData;
use urlid::Error;
use urlid_io::files::read_exact_at;
use urlid_io::tables::{ColumnChoice, ParquetColumn};

use crate::dataset::error::DATASET;
use crate::dataset::layout::{ENTRY_PREFIX, PAGES};
use crate::dataset::manifest::PartEntry;
use crate::dataset::pages::{self, KEY_LEN, PageEntry};
use crate::description::Description;

/// The number of a file, and the number of a page in it.
pub(super) type PageNumber = (usize, usize);

/// An open file of a dataset.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) path: PathBuf,
    file: File,
    urls: ParquetColumn,
    pub(super) pages: Vec<PageEntry>,
}

impl Part {
    pub(super) fn open(folder: &Path, described: &PartEntry) -> Result<Self, Error> {
        let path = folder.join(&described.name);
        let urls = column(&path, "url")?;
        let file = File::open(&path).map_err(|error| DATASET.unread(&path, error))?;
        let pages = urls
            .fact(PAGES)
            .and_then(pages::decode)
            .ok_or_else(|| DATASET.damaged(&path, "no list of pages"))?;
        let len = file.metadata().map_err(|error| DATASET.unread(&path, error))?.len();
        // This is checked before a page is read. The buffer has the length that the list claims, which may be
        // 4 GiB.
        let ends = |page: &PageEntry| page.offset.checked_add(u64::from(page.len));
        if let Some(number) = pages.iter().position(|page| ends(page).is_none_or(|end| end > len)) {
            return Err(DATASET.damaged(&path, format_args!("page {number} after the end of the file")));
        }
        let rows: u64 = pages.iter().map(|page| u64::from(page.rows)).sum();
        if rows != described.rows || urls.rows() != described.rows {
            let what =
                format!("{rows} rows in pages and {} in all, expected {}", urls.rows(), described.rows);
            return Err(DATASET.damaged(&path, &what));
        }
        Ok(Self { path, file, urls, pages })
    }

    /// Returns the footer, without statistics.
    pub(super) fn metadata(&self) -> &ParquetMetaData {
        self.urls.metadata()
    }

    /// Compares the file with the description of its dataset. Readers trust the description, and skip the
    /// file in questions about keys before its first.
    pub(super) fn check(&self, entry: &PartEntry, description: &Description) -> Result<(), Error> {
        let first = self.pages.first().map_or(&[][..], |page| &page.first);
        let mut entries = description.entries();
        // Files that different programs wrote can be joined.
        let is_other = |(name, value): &(&str, String)| {
            *name != "tool" && self.urls.fact(&format!("{ENTRY_PREFIX}{name}")) != Some(value)
        };
        let other = match first == entry.first {
            true => entries.find(is_other).map(|(name, _)| name),
            false => Some("first key"),
        };
        other.map_or(Ok(()), |other| {
            let what = format!("a {other} that differs from the dataset's description");
            Err(DATASET.damaged(&self.path, what))
        })
    }

    /// Calls `each` with the texts of a page until it returns `Break`.
    pub(super) fn each_text(
        &self,
        page: &PageEntry,
        each: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.each_text_of(page, &|_| true, each)
    }

    /// Calls `each` with the wanted texts of a page until it returns `Break`.
    // Unwanted texts are not validated as UTF-8, which would cost an eighth of the time of a scan. The
    // checksum shows that they are unchanged.
    pub(super) fn each_text_of(
        &self,
        page: &PageEntry,
        is_wanted: &dyn Fn(&[u8]) -> bool,
        each: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let place = || format!("the page at byte {}", page.offset);
        let mut bytes = vec![0; page.len as usize];
        read_exact_at(&self.file, &mut bytes, page.offset).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                DATASET.damaged(&self.path, format_args!("the end of the file before {}", place()))
            }
            _ => DATASET.unread(&self.path, error),
        })?;
        // The checksum is compared before decoding, so that damage is reported as damage and not as an error
        // of the decoder.
        if crc32fast::hash(&bytes) != page.checksum {
            return Err(DATASET.damaged(&self.path, format_args!("a wrong checksum of {}", place())));
        }
        let mut is_text = true;
        let read = self.urls.each_value_of_page(Bytes::from(bytes), page.rows, &mut |value| match value {
            Some(value) if !is_wanted(value) => ControlFlow::Continue(()),
            value => match value.map(str::from_utf8) {
                Some(Ok(text)) => each(text),
                _ => {
                    is_text = false;
                    ControlFlow::Break(())
                }
            },
        });
        read.map_err(|error| DATASET.damaged(&self.path, place()).with_source(error))?;
        if is_text {
            Ok(())
        } else {
            Err(DATASET.damaged(&self.path, format_args!("no text in {}", place())))
        }
    }
}

/// Opens a column of a file.
fn column(path: &Path, name: &str) -> Result<ParquetColumn, Error> {
    let file = File::open(path).map_err(|error| DATASET.unread(path, error))?;
    let column = ParquetColumn::open(file, &ColumnChoice::Name(name.to_owned()));
    column
        .map_err(|error| DATASET.damaged(path, format_args!("no readable column {name}")).with_source(error))
}

/// Returns the places of a sorted list that can hold keys of a range. `begins_before` returns whether the
/// first key of a place, cut to [`KEY_LEN`] bytes, is less than a given key.
pub(super) fn places_of<T>(
    places: &[T],
    begins_before: impl Fn(&T, &[u8]) -> bool,
    from: &[u8],
    behind: Option<&[u8]>,
) -> Range<usize> {
    // A key that is less than the cut key is also less than the whole one. If the cut keys are equal, the
    // whole keys may be in either order, so the place before is read as well.
    let cut = &from[..from.len().min(KEY_LEN)];
    let start = places.partition_point(|place| begins_before(place, cut)).saturating_sub(1);
    // A cut first key may be less than the end although the whole key is not. This costs at most one extra
    // page.
    let end =
        behind.map_or(places.len(), |behind| places.partition_point(|place| begins_before(place, behind)));
    // A range that ends before its start must be empty here, because slices with `end < start` panic.
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_hold_every_key_of_a_range_however_keys_are_cut() {
        let long = |end: &str| "a".repeat(KEY_LEN) + end;
        let keys = ["".to_owned(), "b".to_owned(), long("1"), long("2"), long("3"), "c".to_owned()];
        let mut sorted: Vec<&[u8]> = keys.iter().map(|key| key.as_bytes()).collect();
        sorted.sort_unstable();
        for size in 1..4 {
            let places: Vec<&[&[u8]]> = sorted.chunks(size).collect();
            let cut = |place: &&[&[u8]]| -> usize { place[0].len().min(KEY_LEN) };
            for from in &sorted {
                for behind in sorted.iter().map(|key| Some(*key)).chain([None]) {
                    let range = places_of(&places, |place, key| &place[0][..cut(place)] < key, from, behind);
                    let wanted = |key: &&&[u8]| **key >= *from && behind.is_none_or(|behind| **key < behind);
                    let found = places[range].iter().flat_map(|place| place.iter()).filter(wanted).count();
                    assert_eq!(found, sorted.iter().filter(wanted).count());
                }
            }
        }
    }
}
