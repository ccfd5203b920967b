//! Checks every row of a dataset: its page, order and text, and that other columns, the description and the
//! files agree with it.

use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::num::NonZeroUsize;
use std::ops::{ControlFlow, Range};

use crate::question::{SLICE_COLUMNS, StoredUrl, host_key, is_narrow};
use urlid::Error;
use urlid_io::tables::ParquetCheck;

use super::Dataset;
use super::folder::DatasetFolder;
use super::part::Part;
use super::scan::all_of;
use crate::dataset::error::DATASET;
use crate::dataset::key::key_of;
use crate::dataset::layout::{COLUMNS, has_filter, schema, sorting};
use crate::dataset::pages::KEY_LEN;

/// Damage: something that no builder writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetFault(
    /// The damage and its place.
    pub Error,
);

/// Pages that one thread checks at a time: about a row group.
const PAGES_TOGETHER: usize = 16;

/// The result of checking some pages.
#[derive(Default)]
struct Checked {
    rows: u64,
    faults: Vec<DatasetFault>,
    /// The first and the last key.
    ends: Option<(Vec<u8>, Vec<u8>)>,
    /// Hashes of the expected values of the columns, those of identifiers and their slices at the end if
    /// there are any.
    hashes: Vec<u64>,
}

impl Dataset {
    /// Reads every row, on all threads, and returns their number and all faults.
    #[must_use]
    pub fn verify(&self) -> (u64, Vec<DatasetFault>) {
        let (mut rows, mut faults) = (0, Vec::new());
        for folder in &self.folders {
            let (more, found) = folder.verify(self.threads);
            rows += more;
            faults.extend(found);
        }
        (rows, faults)
    }
}

impl DatasetFolder {
    fn verify(&self, threads: NonZeroUsize) -> (u64, Vec<DatasetFault>) {
        let numbers: Vec<usize> = (0..self.manifest.parts.len()).collect();
        let parts = all_of(threads, &numbers, &|number| self.part(*number));
        let pages_of = |(part, pages): &(&Part, Range<usize>)| Checker::new(self, part).run(pages.clone());
        let work: Vec<(&Part, Range<usize>)> = parts
            .iter()
            .flatten()
            .flat_map(|part| {
                let starts = (0..part.pages.len()).step_by(PAGES_TOGETHER);
                starts.map(|start| (*part, start..part.pages.len().min(start + PAGES_TOGETHER)))
            })
            .collect();
        let mut checked = all_of(threads, &work, &pages_of).into_iter();

        let (mut rows, mut faults) = (0, Vec::new());
        // Readers load the stored list only if their compiled one differs, so its damage would stay hidden
        // until then.
        faults.extend(self.check_suffix_list().err().map(DatasetFault));
        faults.extend(self.site_rules().err().map(DatasetFault));
        let mut last: Option<Vec<u8>> = None;
        for (part, described) in parts.into_iter().zip(&self.manifest.parts) {
            let part = match part {
                Ok(part) => part,
                Err(error) => {
                    faults.push(DatasetFault(error));
                    continue;
                }
            };
            faults.extend(part.check(described, &self.manifest.description).err().map(DatasetFault));
            // `checked` has the pieces of the files that could be opened, in this order.
            let before = faults.len();
            let mut hashes = Vec::new();
            for (number, pages) in
                checked.by_ref().take(part.pages.len().div_ceil(PAGES_TOGETHER)).enumerate()
            {
                rows += pages.rows;
                faults.extend(pages.faults);
                hashes.push((pages.rows, pages.hashes));
                let Some((first, end)) = pages.ends else { continue };
                // Equal keys are a fault too: a builder writes each URL once.
                if last.is_some_and(|last| last >= first) {
                    faults.push(DatasetFault(match number {
                        0 => DATASET
                            .damaged(&self.manifest_path(), "files that are not in the order of their rows"),
                        _ => DATASET.damaged(&part.path, &not_in_order(number * PAGES_TOGETHER)),
                    }));
                }
                last = Some(end);
            }
            // A page that was not read leaves the hashes short, so a difference would not prove damage of the
            // columns.
            if faults.len() == before {
                faults.extend(self.verify_columns(part, &hashes, threads));
            }
        }
        if rows != self.manifest.rows() && faults.is_empty() {
            faults.push(DatasetFault(DATASET.damaged(
                &self.manifest_path(),
                &format!("{} rows, and {rows} were read", self.manifest.rows()),
            )));
        }
        (rows, faults)
    }

    /// Compares all columns, and the metadata of the file, with the hashes of consecutive rows.
    fn verify_columns(
        &self,
        part: &Part,
        hashes: &[(u64, Vec<u64>)],
        threads: NonZeroUsize,
    ) -> Vec<DatasetFault> {
        let file = match self.open_to_check(part) {
            Ok(file) => file,
            Err(error) => return vec![DatasetFault(error)],
        };
        let columns = file.metadata().file_metadata().schema_descr().columns();
        let columns: Vec<_> = columns.iter().map(|column| column.name()).enumerate().collect();
        let check = |(index, name): &(usize, &str)| {
            let expected = hashes.iter().map(|(rows, hashes)| (*rows, hashes[*index]));
            verify_column(part, &file, (*index, name), expected).err().map(DatasetFault)
        };
        all_of(threads, &columns, &check).into_iter().flatten().collect()
    }

    /// Opens a file whose columns are those of the dataset.
    fn open_to_check(&self, part: &Part) -> Result<ParquetCheck, Error> {
        let file = File::open(&part.path).map_err(|error| DATASET.unread(&part.path, error))?;
        let file = ParquetCheck::open(file)
            .map_err(|error| DATASET.damaged(&part.path, "a wrong footer").with_source(error))?;
        let metadata = file.metadata();
        let is_ours = schema(self.manifest.has_ids)
            .is_ok_and(|schema| schema.root_schema() == metadata.file_metadata().schema());
        if !is_ours {
            return Err(DATASET.damaged(&part.path, "other columns than the description of the dataset has"));
        }
        if metadata.row_groups().iter().any(|group| group.sorting_columns() != Some(&sorting())) {
            return Err(DATASET.damaged(&part.path, "another order than that of its rows"));
        }
        Ok(file)
    }
}

/// Compares a column with hashes, each of a number of rows.
fn verify_column(
    part: &Part,
    file: &ParquetCheck,
    (index, name): (usize, &str),
    expected: impl Iterator<Item = (u64, u64)>,
) -> Result<(), Error> {
    let mut expected = expected.filter(|(rows, _)| *rows > 0);
    let (mut hash, mut rows, mut next) = (DefaultHasher::new(), 0, expected.next());
    let read = file.each_value(index, has_filter(name), &mut |value| {
        write(&mut hash, value);
        rows += 1;
        if next.is_some_and(|next| next.0 == rows) {
            if next.is_some_and(|next| next.1 != hash.finish()) {
                return ControlFlow::Break(());
            }
            // `new` gives every hasher the same key, so hashes of equal values are equal in both passes.
            (hash, rows, next) = (DefaultHasher::new(), 0, expected.next());
        }
        ControlFlow::Continue(())
    });
    read.map_err(|error| {
        DATASET.damaged(&part.path, &format!("a damaged column {name}")).with_source(error)
    })?;
    // All rows were equal, and none follow.
    if (rows, next) == (0, None) {
        Ok(())
    } else {
        Err(DATASET.damaged(&part.path, &format!("other values of {name} than its URLs have")))
    }
}

fn not_in_order(page: usize) -> String {
    format!("a row that is not in order in page {page}")
}

/// Checks the rows of some pages.
struct Checker<'d> {
    dataset: &'d DatasetFolder,
    part: &'d Part,
    /// Hashes of the URLs and of the expected values of the columns of their parts.
    hashes: [DefaultHasher; 1 + COLUMNS.len()],
    /// The same of identifiers and their slices, if there are columns of them.
    ids: Option<[DefaultHasher; 1 + SLICE_COLUMNS.len()]>,
    checked: Checked,
}

impl<'d> Checker<'d> {
    fn new(dataset: &'d DatasetFolder, part: &'d Part) -> Self {
        let ids = dataset.manifest.has_ids.then(Default::default);
        let (hashes, checked) = Default::default();
        Self { dataset, part, hashes, ids, checked }
    }

    fn run(mut self, pages: Range<usize>) -> Checked {
        for (number, page) in pages.clone().zip(&self.part.pages[pages]) {
            let mut is_first = true;
            let read = self.part.each_text(page, &mut |text| {
                if let Err(what) = self.row(text, is_first.then_some(&page.first)) {
                    let what = format!("{what} in page {number}");
                    self.checked.faults.push(DatasetFault(DATASET.damaged(&self.part.path, &what)));
                }
                is_first = false;
                ControlFlow::Continue(())
            });
            self.checked.faults.extend(read.err().map(DatasetFault));
        }
        let hashes = self.hashes.iter().chain(self.ids.iter().flatten());
        self.checked.hashes = hashes.map(DefaultHasher::finish).collect();
        self.checked
    }

    fn row(&mut self, text: &str, first: Option<&Vec<u8>>) -> Result<(), &'static str> {
        self.checked.rows += 1;
        let list = &self.dataset.suffixes;
        let url = StoredUrl::of_text(text, list).ok_or("a text that is no URL")?;
        let is_stored = StoredUrl::read(text, list, |url, _| url.to_text() == text).unwrap_or(false);
        let key = key_of(&url, text);
        let is_first = first.is_none_or(|first| *first == key[..key.len().min(KEY_LEN)]);
        let [whole, parts @ ..] = &mut self.hashes;
        write(whole, Some(text.as_bytes()));
        for (hash, value) in parts.iter_mut().zip(values(&url)) {
            write(hash, value.as_deref().map(str::as_bytes));
        }
        if let Some([whole, slices @ ..]) = &mut self.ids {
            let id = url.id();
            write(whole, id.as_ref().map(|id| id.as_bytes().as_slice()));
            for (hash, (_, field)) in slices.iter_mut().zip(SLICE_COLUMNS) {
                // The column of a narrow slice is INT32, whose values are read as 4 bytes.
                let slice = id.map(|id| id.field(field).to_le_bytes());
                let len = if is_narrow(field) { 4 } else { 8 };
                write(hash, slice.as_ref().map(|slice| &slice[..len]));
            }
        }
        let is_in_order = match &mut self.checked.ends {
            // The left side is evaluated first: the key before is compared with this one, which has taken its
            // place.
            Some((_, last)) => std::mem::replace(last, key) < *last,
            None => {
                self.checked.ends = Some((key.clone(), key));
                true
            }
        };
        match (is_stored, is_first, is_in_order) {
            (false, _, _) => Err("a URL that is not as it is stored"),
            (_, false, _) => Err("another first row than the list of pages says"),
            (_, _, false) => Err("a row that is not in order"),
            (true, true, true) => Ok(()),
        }
    }
}

/// Returns the values of the columns of parts for a URL.
fn values(url: &StoredUrl<'_>) -> [Option<String>; COLUMNS.len()] {
    let part = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    [
        Some(host_key(url.host())),
        part(url.host()),
        part(url.registered_domain()),
        part(url.tld()),
        Some(url.scheme().to_owned()),
    ]
}

fn write(hash: &mut DefaultHasher, value: Option<&[u8]>) {
    // The length, and one more than any for null, so that no two sequences of values are one.
    hash.write_u64(value.map_or(u64::MAX, |value| value.len() as u64));
    hash.write(value.unwrap_or_default());
}
