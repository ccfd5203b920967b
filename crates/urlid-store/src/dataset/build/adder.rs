//! Adding lines. Each thread has an adder with a batch and a file of runs, which a later adder reuses.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use urlid::Error;
use urlid_canonical::Form;
use urlid_io::files::NewFolder;

use super::batch::Batch;
use super::encode::Format;
use crate::dataset::error::{DATASET, EMPTY_FORM};
use crate::dataset::key::{PlaceRow, UrlSplit};
use crate::question::StoredUrl;
use crate::sort::{RunWriter, SortedRun};

/// The outcome of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Added {
    /// An absolute URL, which will be in the dataset.
    Taken,
    /// An empty line, which was skipped.
    Blank,
    /// A line that is not stored, and the reason.
    Rejected(Error),
}

/// Adds lines to a dataset that is being built. Dropping the adder keeps its rows.
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
/// assert!(matches!(adder.push("no URL")?, Added::Rejected(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Adder<'b> {
    shared: &'b BuildState,
    rows: AdderRows,
    /// The buffer for the canonical form of the current line.
    canonical: String,
}

impl<'b> Adder<'b> {
    pub(super) fn new(shared: &'b BuildState, rows: AdderRows) -> Self {
        Self { shared, rows, canonical: String::new() }
    }

    /// Adds a line, converted to the canonical form of the dataset.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, line: &str) -> Result<Added, Error> {
        let form = self.shared.form.as_ref().filter(|_| !line.is_empty());
        let Some(form) = form else { return self.push_stored(line) };
        // The buffer is moved out because `push_stored` needs all of `self`. It goes back below.
        let mut canonical = std::mem::take(&mut self.canonical);
        canonical.clear();
        let added = match form.canonicalize_into(line, &mut canonical) {
            Err(error) => Ok(self.reject(error)),
            Ok(()) if canonical.is_empty() => Ok(self.reject(EMPTY_FORM.error())),
            Ok(()) => self.push_stored(&canonical),
        };
        self.canonical = canonical;
        added
    }

    /// Adds a URL of an index or a dataset with the same form. It is not converted again, because not every
    /// form is idempotent.
    ///
    /// # Errors
    /// The same as [`push`](Self::push).
    pub fn push_stored(&mut self, text: &str) -> Result<Added, Error> {
        let AdderRows { batch, counts, .. } = &mut self.rows;
        if text.is_empty() {
            counts.lines += 1;
            counts.blank += 1;
            return Ok(Added::Blank);
        }
        // Fast path: a plain text is its own stored text. All other lines are parsed.
        if let Some((split, host)) = UrlSplit::of_plain(text) {
            batch.push(text, host, split);
        } else {
            let read = StoredUrl::read(text, &self.shared.format.list, |url, has_userinfo| {
                let text = url.to_text();
                batch.push(&text, url.host(), UrlSplit::new(url, &text));
                has_userinfo
            });
            match read {
                Ok(has_userinfo) => counts.credentials += u64::from(has_userinfo),
                Err(error) => return Ok(self.reject(error)),
            }
        }
        counts.lines += 1;
        counts.taken += 1;
        if batch.is_full(self.shared.batch_memory) {
            let BuildState { run_memory, folder, .. } = self.shared;
            // `fail` also records the error for `Builder::finish`. A caller that drops a failed adder must
            // not get a dataset that lacks rows.
            self.rows.write_run(run_memory, folder.path()).map_err(|error| self.shared.fail(error))?;
        }
        Ok(Added::Taken)
    }

    /// Counts a line that was rejected before it could be added, for example because it is not UTF-8.
    pub fn count_rejected(&mut self) {
        self.rows.counts.lines += 1;
        self.rows.counts.rejected += 1;
    }

    fn reject(&mut self, error: Error) -> Added {
        self.count_rejected();
        Added::Rejected(error)
    }
}

impl Drop for Adder<'_> {
    fn drop(&mut self) {
        self.shared.take(std::mem::take(&mut self.rows));
    }
}

/// The numbers of lines by outcome.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AddedCounts {
    pub(super) lines: u64,
    pub(super) blank: u64,
    pub(super) rejected: u64,
    pub(super) taken: u64,
    pub(super) credentials: u64,
}

impl AddedCounts {
    pub(super) fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.blank += other.blank;
        self.rejected += other.rejected;
        self.taken += other.taken;
        self.credentials += other.credentials;
    }
}

/// The bytes of memory that are left for runs.
#[derive(Debug)]
pub(super) struct RunMemory(AtomicUsize);

impl RunMemory {
    pub(super) fn new(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Reserves bytes for a run. If fewer are left, returns false and reserves nothing.
    fn take(&self, bytes: usize) -> bool {
        // Relaxed is enough, because the number is only a budget and does not publish other memory.
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

/// The rows that one adder has not handed over: a batch, and its sorted runs.
#[derive(Debug, Default)]
pub(super) struct AdderRows {
    pub(super) batch: Batch,
    /// The runs that did not fit in memory.
    file: Option<RunWriter<PlaceRow>>,
    in_memory: Vec<SortedRun>,
    pub(super) counts: AddedCounts,
}

impl AdderRows {
    /// Makes a run of the batch. It stays in memory if there is room for it.
    pub(super) fn write_run(&mut self, memory: &RunMemory, folder: &Path) -> io::Result<()> {
        let bytes = self.batch.run_bytes();
        if memory.take(bytes) {
            let mut run = RunWriter::<PlaceRow>::in_memory(bytes);
            self.batch.drain_sorted(|place| run.push(place))?;
            self.in_memory.extend(run.finish()?);
            return Ok(());
        }
        let runs = match &mut self.file {
            Some(runs) => runs,
            None => self.file.insert(RunWriter::create(folder)?),
        };
        self.batch.drain_sorted(|place| runs.push(place))?;
        runs.end_run();
        Ok(())
    }

    /// Makes the last run, and returns all runs with the numbers of lines.
    pub(super) fn finish(
        mut self,
        memory: &RunMemory,
        folder: &Path,
    ) -> io::Result<(Vec<SortedRun>, AddedCounts)> {
        self.write_run(memory, folder)?;
        let Self { batch: _, file, in_memory: mut runs, counts } = self;
        if let Some(file) = file {
            runs.extend(file.finish()?);
        }
        Ok((runs, counts))
    }
}

/// The state that adders and the builder share.
#[derive(Debug)]
pub(super) struct BuildState {
    pub(super) folder: NewFolder,
    pub(super) form: Option<Form>,
    pub(super) format: Format,
    pub(super) batch_memory: usize,
    pub(super) run_memory: RunMemory,
    pub(super) target: PathBuf,
    pub(super) added: Mutex<AllAdded>,
}

/// The rows of dropped adders, and their first error.
#[derive(Debug, Default)]
pub(super) struct AllAdded {
    /// The next adders continue with these rows, so that there are as few runs as memory allows.
    pub(super) idle: Vec<AdderRows>,
    pub(super) failed: Option<Error>,
}

impl BuildState {
    pub(super) fn take(&self, rows: AdderRows) {
        lock(&self.added).idle.push(rows);
    }

    /// Records that rows could not be written, and returns the error.
    pub(super) fn fail(&self, error: io::Error) -> Error {
        lock(&self.added).failed.get_or_insert_with(|| self.unwritten(error)).clone()
    }

    pub(super) fn unwritten(&self, error: io::Error) -> Error {
        DATASET.unwritten(&self.target, error)
    }
}

/// Locks a mutex and ignores poisoning. Only whole values are pushed under the lock, so a panic leaves a
/// consistent state.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
