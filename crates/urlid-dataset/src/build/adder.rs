//! Adding lines: each thread has an adder with a batch and a file of runs of its own.

use std::io;

use urlid::Error;
use urlid_plan::StoredUrl;

use super::batch::Batch;
use super::builder::Shared;
use super::runs::{Run, RunFile};
use crate::error::EMPTY_FORM;
use crate::key::Split;

/// The outcome of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Added {
    /// An absolute URL, which will be in the dataset.
    Taken,
    /// An empty line, which was skipped.
    Blank,
    /// A line that is not stored, and why.
    Refused(Error),
}

/// The numbers of lines by outcome.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) lines: u64,
    pub(super) taken: u64,
    pub(super) credentials: u64,
}

/// Adds lines to a dataset that is being built. Dropping it hands its rows to the [`Builder`](crate::Builder).
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls");
/// use urlid::suffix::SuffixList;
/// use urlid_dataset::{Added, BuildOptions, Builder};
///
/// let builder = Builder::begin(&path, SuffixList::compiled(), BuildOptions::default())?;
/// let mut adder = builder.adder();
/// assert_eq!(adder.push("https://docs.rs/")?, Added::Taken);
/// assert_eq!(adder.push("")?, Added::Blank);
/// assert!(matches!(adder.push("no URL")?, Added::Refused(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Adder<'b> {
    shared: &'b Shared,
    batch: Batch,
    file: Option<RunFile>,
    runs: Vec<Run>,
    counts: Counts,
    /// The buffer for the canonical form of the current line.
    canonical: String,
}

impl<'b> Adder<'b> {
    pub(super) fn new(shared: &'b Shared) -> Self {
        Self {
            shared,
            batch: Batch::default(),
            file: None,
            runs: Vec::new(),
            counts: Counts::default(),
            canonical: String::new(),
        }
    }

    /// Adds a line, converted to the canonical form of the dataset.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, line: &str) -> Result<Added, Error> {
        let form = self.shared.form.as_ref().filter(|_| !line.is_empty());
        let Some(form) = form else { return self.push_stored(line) };
        // Taken out because `push_stored` needs all of `self`; the buffer goes back below.
        let mut canonical = std::mem::take(&mut self.canonical);
        canonical.clear();
        let added = match form.canonicalize_into(line, &mut canonical) {
            Err(error) => Ok(self.refuse(error)),
            Ok(()) if canonical.is_empty() => Ok(self.refuse(EMPTY_FORM.error())),
            Ok(()) => self.push_stored(&canonical),
        };
        self.canonical = canonical;
        added
    }

    /// Adds a URL of an index or a dataset of the same form, which is in that form already: not every form gives the same again.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_stored(&mut self, text: &str) -> Result<Added, Error> {
        if text.is_empty() {
            self.counts.lines += 1;
            return Ok(Added::Blank);
        }
        if let Some((split, host)) = Split::of_plain(text) {
            self.batch.push(text, host, split);
        } else {
            let batch = &mut self.batch;
            let read = StoredUrl::read(text, &self.shared.format.list, |url, has_userinfo| {
                let text = url.to_text();
                batch.push(&text, url.host(), Split::of(url, &text));
                has_userinfo
            });
            match read {
                Ok(has_userinfo) => self.counts.credentials += u64::from(has_userinfo),
                Err(error) => return Ok(self.refuse(error)),
            }
        }
        self.counts.lines += 1;
        self.counts.taken += 1;
        if self.batch.is_full(self.shared.batch_memory) {
            self.write_run().map_err(|error| self.shared.unwritten(error))?;
        }
        Ok(Added::Taken)
    }

    fn refuse(&mut self, error: Error) -> Added {
        self.counts.lines += 1;
        Added::Refused(error)
    }

    fn write_run(&mut self) -> io::Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(RunFile::create(self.shared.folder.path())?),
        };
        let mut run = file.begin();
        self.batch.drain_sorted(|place| run.push(place))?;
        self.runs.push(run.finish()?);
        Ok(())
    }
}

impl Drop for Adder<'_> {
    fn drop(&mut self) {
        let written = self.write_run().map_err(|error| self.shared.unwritten(error));
        self.shared.take(std::mem::take(&mut self.runs), self.counts, written);
    }
}
