//! Checks every row of a dataset: its page, its order, its text, and what the other columns say of it.

use std::hash::{DefaultHasher, Hasher};
use std::ops::ControlFlow;
use std::path::Path;

use urlid::Error;
use urlid_io::tables::ParquetColumn;
use urlid_plan::{Condition, SLICE_COLUMNS, StoredUrl, host_key, is_narrow};

use super::dataset::Dataset;
use super::part::{Part, column, number_column};
use super::scan::all_of;
use crate::error::damaged;
use crate::key::key_of;
use crate::layout::{COLUMNS, ID};
use crate::pages::KEY_LEN;

/// Something that no builder wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(
    /// What was found, and where.
    pub Error,
);

/// What was read of a file.
#[derive(Default)]
struct Checked {
    rows: u64,
    faults: Vec<Fault>,
    /// The first and the last key.
    ends: Option<(Vec<u8>, Vec<u8>)>,
}

impl Dataset {
    /// Reads every row, and returns their number and all faults.
    ///
    /// # Errors
    /// None but those of the description, which is read again.
    pub fn verify(&self) -> Result<(u64, Vec<Fault>), Error> {
        let numbers: Vec<usize> = (0..self.parts()).collect();
        let checked = all_of(self.threads(), &numbers, &|number| self.verify_part(*number));
        let (mut rows, mut faults) = (0, Vec::new());
        let mut last: Option<Vec<u8>> = None;
        for part in checked {
            rows += part.rows;
            faults.extend(part.faults);
            let Some((first, end)) = part.ends else { continue };
            if last.is_some_and(|last| last >= first) {
                faults.push(Fault(damaged(
                    &self.manifest_path(),
                    "files that are not in the order of their rows",
                )));
            }
            last = Some(end);
        }
        if rows != self.rows() && faults.is_empty() {
            faults.push(Fault(damaged(
                &self.manifest_path(),
                &format!("{} rows, and {rows} were read", self.rows()),
            )));
        }
        Ok((rows, faults))
    }

    fn verify_part(&self, number: usize) -> Checked {
        match self.part(number) {
            Ok(part) => {
                let ids = self.describe().has_ids.then(Default::default);
                let (hashes, checked) = Default::default();
                Checker { dataset: self, part, hashes, ids, checked }.run()
            }
            Err(error) => Checked { faults: vec![Fault(error)], ..Checked::default() },
        }
    }
}

/// Checks the rows of a file.
struct Checker<'d> {
    dataset: &'d Dataset,
    part: &'d Part,
    /// Hashes of what the other columns should hold.
    hashes: [DefaultHasher; COLUMNS.len()],
    /// The same of identifiers and their slices, if there are columns of them.
    ids: Option<[DefaultHasher; 1 + SLICE_COLUMNS.len()]>,
    checked: Checked,
}

impl Checker<'_> {
    fn run(mut self) -> Checked {
        for (number, page) in self.part.pages.iter().enumerate() {
            let mut is_first = true;
            let read = self.part.each_text(page, &mut |text| {
                if let Err(what) = self.row(text, is_first.then_some(&page.first)) {
                    let what = format!("{what} in page {number}");
                    self.checked.faults.push(Fault(damaged(&self.part.path, &what)));
                }
                is_first = false;
                ControlFlow::Continue(())
            });
            self.checked.faults.extend(read.err().map(Fault));
        }
        // A page that was not read leaves the hashes short, which says nothing of the other columns.
        if self.checked.faults.is_empty() {
            self.columns();
        }
        self.checked
    }

    fn row(&mut self, text: &str, first: Option<&Vec<u8>>) -> Result<(), &'static str> {
        self.checked.rows += 1;
        let list = self.dataset.list();
        let url = StoredUrl::of_text(text, list).ok_or("a text that is no URL")?;
        let is_stored = StoredUrl::read(text, list, |url, _| url.to_text() == text).unwrap_or(false);
        let key = key_of(&url, text);
        let is_first = first.is_none_or(|first| *first == key[..key.len().min(KEY_LEN)]);
        for (hash, value) in self.hashes.iter_mut().zip(values(&url)) {
            write(hash, value.as_deref().map(str::as_bytes));
        }
        if let Some([whole, slices @ ..]) = &mut self.ids {
            let id = match &url {
                StoredUrl::Sxurl(components) => Some(components.encode()),
                StoredUrl::Other(_) => None,
            };
            write(whole, id.as_ref().map(|id| id.as_bytes().as_slice()));
            for (hash, (_, field)) in slices.iter_mut().zip(SLICE_COLUMNS) {
                let slice = id.map(|id| id.field(field).to_le_bytes());
                let len = if is_narrow(field) { 4 } else { 8 };
                write(hash, slice.as_ref().map(|slice| &slice[..len]));
            }
        }
        let is_in_order = match &mut self.checked.ends {
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

    fn columns(&mut self) {
        let [ids, slices] = match &self.ids {
            Some([whole, slices @ ..]) => [std::slice::from_ref(whole), slices],
            None => [&[][..]; 2],
        };
        let texts = COLUMNS.iter().zip(&self.hashes).chain(std::iter::once(&ID).zip(ids));
        let numbers = SLICE_COLUMNS.iter().map(|(name, _)| name).zip(slices);
        let all = texts.map(|text| (text, column as OpenColumn));
        for ((name, expected), open) in all.chain(numbers.map(|number| (number, number_column as OpenColumn)))
        {
            let mut hash = DefaultHasher::new();
            let read = open(&self.part.path, name).and_then(|values| {
                let read = values.each_value(&mut |value| {
                    write(&mut hash, value);
                    ControlFlow::Continue(())
                });
                read.map_err(|error| {
                    damaged(&self.part.path, &format!("no readable column {name}")).with_source(error)
                })
            });
            let fault = match read {
                Err(error) => Some(error),
                Ok(()) if hash.finish() != expected.finish() => {
                    Some(damaged(&self.part.path, &format!("other values of {name} than its URLs have")))
                }
                Ok(()) => None,
            };
            self.checked.faults.extend(fault.map(Fault));
        }
    }
}

/// Opens a column of a file.
type OpenColumn = fn(&Path, &str) -> Result<ParquetColumn, Error>;

/// Returns what the other columns hold for a URL.
fn values(url: &StoredUrl<'_>) -> [Option<String>; COLUMNS.len()] {
    let part = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    [
        Some(host_key(url.host())),
        part(url.host()),
        url.part(Condition::RegisteredDomain).map(std::borrow::Cow::into_owned),
        part(url.tld()),
        Some(url.scheme().to_owned()),
    ]
}

fn write(hash: &mut DefaultHasher, value: Option<&[u8]>) {
    // The length, and one more than any for null, so that no two sequences of values are one.
    hash.write_u64(value.map_or(u64::MAX, |value| value.len() as u64));
    hash.write(value.unwrap_or_default());
}
