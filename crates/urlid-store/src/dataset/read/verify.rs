//! Verification of a dataset: the hash of every file, the footers and the accompanying files, and on request
//! every row.
//!
//! The hashes in the description find every change of a file. The other checks find a description that does
//! not match its files, and rows that overlap because overlapping datasets were joined.

use std::ops::{ControlFlow, Range};

use urlid::Error;
use urlid_io::tables::sha256_of;

use super::Dataset;
use super::folder::DatasetFolder;
use super::part::Part;
use super::scan::all_of;
use crate::dataset::error::DATASET;
use crate::dataset::key::key_of;
use crate::dataset::layout::{schema, sorting};
use crate::dataset::manifest::{Manifest, PartEntry};
use crate::dataset::pages::{KEY_LEN, PageEntry};
use crate::description::open_regular;
use crate::question::StoredUrl;

/// Damage in a dataset: content that no builder writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetFault(
    /// The damage and its place.
    pub Error,
);

/// The pages that one thread checks at a time, about a row group.
const PAGES_TOGETHER: usize = 16;

/// The result of checking the rows of some pages.
#[derive(Default)]
struct CheckedPages {
    rows: u64,
    faults: Vec<Error>,
    /// The first and the last key.
    ends: Option<(Vec<u8>, Vec<u8>)>,
}

impl Dataset {
    /// Compares every file with its SHA-256, and the description with the footers of the files and with the
    /// suffix list and rules in the folder. Returns all faults.
    #[must_use]
    pub fn verify(&self) -> Vec<DatasetFault> {
        let faults = self.folders.iter().flat_map(|folder| self.verify_folder(folder));
        faults.map(DatasetFault).collect()
    }

    /// Does the same as [`verify`](Self::verify), and also reads every row and checks its text, its key and
    /// its place in the order. Returns the number of rows that were read, and all faults.
    #[must_use]
    pub fn verify_rows(&self) -> (u64, Vec<DatasetFault>) {
        let (mut rows, mut faults) = (0, self.verify());
        for folder in &self.folders {
            let (read, found) = self.verify_rows_of(folder);
            rows += read;
            // A file that cannot be read has been reported above.
            faults.extend(
                found
                    .into_iter()
                    .map(DatasetFault)
                    .filter(|fault| !faults.contains(fault))
                    .collect::<Vec<_>>(),
            );
        }
        (rows, faults)
    }

    fn verify_folder(&self, folder: &DatasetFolder) -> Vec<Error> {
        let Manifest { description, parts, .. } = &folder.manifest;
        let path = folder.manifest_path();
        let mut faults = Vec::new();
        match folder.manifest_text() {
            Ok(text) if text == folder.manifest.to_text().as_bytes() => {}
            Ok(_) => faults.push(DATASET.damaged(&path, "a description that is not in canonical form")),
            Err(error) => faults.push(error),
        }
        // Readers load the stored list only if their compiled one differs. Until then they would not notice
        // damage in it.
        faults.extend(folder.check_suffix_list().err());
        faults.extend(folder.site_rules().err());
        let numbers: Vec<usize> = (0..parts.len()).collect();
        let check = |number: &usize| {
            check_hash(folder, &parts[*number])?;
            let part = folder.part(*number)?;
            part.check(&parts[*number], description)?;
            check_layout(part, folder.manifest.has_ids)?;
            Ok(part)
        };
        let mut last: Option<&PageEntry> = None;
        for checked in all_of(self.threads, &numbers, &check) {
            match checked {
                Ok(part) => {
                    if last.zip(part.pages.first()).is_some_and(|(last, first)| !is_before(last, first)) {
                        faults.push(DATASET.damaged(&path, "files that are not in the order of their rows"));
                    }
                    last = part.pages.last().or(last);
                }
                Err(error) => faults.push(error),
            }
        }
        faults
    }

    fn verify_rows_of(&self, folder: &DatasetFolder) -> (u64, Vec<Error>) {
        let numbers = 0..folder.manifest.parts.len();
        let (mut rows, mut faults, mut work) = (0, Vec::new(), Vec::new());
        for part in numbers.map(|number| folder.part(number)) {
            match part {
                Ok(part) => {
                    let starts = (0..part.pages.len()).step_by(PAGES_TOGETHER);
                    let end = |start: usize| part.pages.len().min(start + PAGES_TOGETHER);
                    work.extend(starts.map(|start| (part, start..end(start))));
                }
                Err(error) => faults.push(error),
            }
        }
        let check = |(part, pages): &(&Part, Range<usize>)| check_pages(folder, part, pages.clone());
        let mut last: Option<Vec<u8>> = None;
        for ((part, pages), checked) in work.iter().zip(all_of(self.threads, &work, &check)) {
            rows += checked.rows;
            faults.extend(checked.faults);
            let Some((first, end)) = checked.ends else { continue };
            // Equal keys are also a fault, because a builder writes each URL once.
            if last.is_some_and(|last| last >= first) {
                faults.push(DATASET.damaged(&part.path, not_in_order(pages.start)));
            }
            last = Some(end);
        }
        (rows, faults)
    }
}

/// Compares a file with its hash in the description.
fn check_hash(folder: &DatasetFolder, entry: &PartEntry) -> Result<(), Error> {
    let path = folder.path_of(entry);
    let sha256 = open_regular(&path).and_then(|mut file| sha256_of(&mut file));
    match sha256.map_err(|error| DATASET.unread(&path, error))? == entry.sha256 {
        true => Ok(()),
        false => Err(DATASET.damaged(&path, "a SHA-256 that differs from the dataset's description")),
    }
}

/// Checks the columns of a file, and the order of its pages by their first keys.
fn check_layout(part: &Part, has_ids: bool) -> Result<(), Error> {
    let metadata = part.metadata();
    let is_ours =
        schema(has_ids).is_ok_and(|schema| schema.root_schema() == metadata.file_metadata().schema());
    if !is_ours {
        return Err(DATASET.damaged(&part.path, "columns that differ from the dataset's description"));
    }
    if metadata.row_groups().iter().any(|group| group.sorting_columns() != Some(&sorting())) {
        return Err(DATASET.damaged(&part.path, "a declared order that differs from its rows"));
    }
    match part.pages.windows(2).position(|pair| !is_before(&pair[0], &pair[1])) {
        None => Ok(()),
        Some(page) => Err(DATASET.damaged(&part.path, not_in_order(page + 1))),
    }
}

/// Returns whether the first key of a page can be before the first key of the next one. Keys that were cut
/// may be equal.
fn is_before(page: &PageEntry, next: &PageEntry) -> bool {
    page.first < next.first || (page.first == next.first && page.first.len() == KEY_LEN)
}

fn not_in_order(page: usize) -> String {
    format!("a row that is not in order in page {page}")
}

/// Checks the rows of some pages of a file.
fn check_pages(folder: &DatasetFolder, part: &Part, pages: Range<usize>) -> CheckedPages {
    let mut checked = CheckedPages::default();
    for (number, page) in pages.clone().zip(&part.pages[pages]) {
        let mut first = Some(&page.first);
        let read = part.each_text(page, &mut |text| {
            if let Err(what) = checked.row(folder, text, first.take()) {
                checked.faults.push(DATASET.damaged(&part.path, format_args!("{what} in page {number}")));
            }
            ControlFlow::Continue(())
        });
        checked.faults.extend(read.err());
    }
    checked
}

impl CheckedPages {
    /// Checks a row. `first` is the key of the page if this is its first row.
    fn row(
        &mut self,
        folder: &DatasetFolder,
        text: &str,
        first: Option<&Vec<u8>>,
    ) -> Result<(), &'static str> {
        self.rows += 1;
        let list = &folder.suffixes;
        let url = StoredUrl::of_text(text, list).ok_or("a text that is not a URL")?;
        let is_stored = StoredUrl::read(text, list, |url, _| url.to_text() == text).unwrap_or(false);
        let key = key_of(&url, text);
        let is_first = first.is_none_or(|first| *first == key[..key.len().min(KEY_LEN)]);
        let is_in_order = match &mut self.ends {
            // The left side is evaluated first. It compares the previous key with the new one, which has
            // replaced it.
            Some((_, last)) => std::mem::replace(last, key) < *last,
            None => {
                self.ends = Some((key.clone(), key));
                true
            }
        };
        match (is_stored, is_first, is_in_order) {
            (false, _, _) => Err("a URL that is not in its stored form"),
            (_, false, _) => Err("a first row that differs from the list of pages"),
            (_, _, false) => Err("a row that is not in order"),
            (true, true, true) => Ok(()),
        }
    }
}
