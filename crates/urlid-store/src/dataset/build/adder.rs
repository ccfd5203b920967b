//! Adding lines: each thread has an adder with a batch and a file of runs, which the next adder takes over.

use crate::question::StoredUrl;
use urlid::Error;

use super::rows::Rows;
use super::shared::Shared;
use crate::dataset::error::EMPTY_FORM;
use crate::dataset::key::Split;

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

/// Adds lines to a dataset that is being built. Its rows are kept when it is dropped.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls");
/// use urlid::suffix::SuffixList;
/// use urlid_store::dataset::{Added, BuildOptions, Builder};
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
    rows: Rows,
    /// The buffer for the canonical form of the current line.
    canonical: String,
}

impl<'b> Adder<'b> {
    pub(super) fn new(shared: &'b Shared, rows: Rows) -> Self {
        Self { shared, rows, canonical: String::new() }
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

    /// Adds a URL of an index or a dataset of the same form. It is not converted again, because not every
    /// form is idempotent.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn push_stored(&mut self, text: &str) -> Result<Added, Error> {
        let Rows { batch, counts, .. } = &mut self.rows;
        if text.is_empty() {
            counts.lines += 1;
            counts.blank += 1;
            return Ok(Added::Blank);
        }
        // Fast path: a plain text is its own stored text, so only other lines are parsed.
        if let Some((split, host)) = Split::of_plain(text) {
            batch.push(text, host, split);
        } else {
            let read = StoredUrl::read(text, &self.shared.format.list, |url, has_userinfo| {
                let text = url.to_text();
                batch.push(&text, url.host(), Split::new(url, &text));
                has_userinfo
            });
            match read {
                Ok(has_userinfo) => counts.credentials += u64::from(has_userinfo),
                Err(error) => return Ok(self.refuse(error)),
            }
        }
        counts.lines += 1;
        counts.taken += 1;
        if batch.is_full(self.shared.batch_memory) {
            let Shared { run_memory, folder, .. } = self.shared;
            // `fail` also records the error for `Builder::finish`: a caller that drops a failed adder must
            // not get a dataset that lacks rows.
            self.rows.write_run(run_memory, folder.path()).map_err(|error| self.shared.fail(error))?;
        }
        Ok(Added::Taken)
    }

    /// Counts a line that was refused before it could be added, for example because it is not UTF-8.
    pub fn count_refused(&mut self) {
        self.rows.counts.lines += 1;
        self.rows.counts.refused += 1;
    }

    fn refuse(&mut self, error: Error) -> Added {
        self.count_refused();
        Added::Refused(error)
    }
}

impl Drop for Adder<'_> {
    fn drop(&mut self) {
        self.shared.take(std::mem::take(&mut self.rows));
    }
}
