//! Building a dataset. Lines are parsed and sorted in batches, batches become runs in memory or in unnamed
//! files, and ranges of keys of all runs are merged and encoded in parallel.

pub(crate) mod adder;
mod batch;
mod encode;
mod write;

use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use parquet::errors::ParquetError;
use urlid::Error;
use urlid::suffix::SuffixList;
use urlid_canonical::{Form, Rules};
use urlid_io::files::NewFolder;
use urlid_io::threads::numbers_in_order;

use crate::dataset::error::{DATASET, EXISTS, STOPPED};
use crate::dataset::key::PlaceRow;
use crate::dataset::layout::{GROUP_ROWS, properties, schema};
use crate::dataset::manifest::Manifest;
use crate::description::Description;
use crate::sort::{RowRange, SortedRows, SortedRun};
use adder::{AddedCounts, Adder, AdderRows, AllAdded, BuildState, RunMemory, lock};
use encode::{EncodedGroup, Encoder, Format};
use write::Files;

/// The rows that one thread merges and encodes at a time: four row groups. With larger ranges, threads would
/// be idle at the end.
const RANGE_ROWS: u64 = 4 * GROUP_ROWS as u64;
/// The least memory of a batch. Smaller batches would give more runs than can be merged at once.
const LEAST_BATCH: usize = 8 << 20;
/// The least and the largest buffer of a run that is read, in bytes.
const BUFFER: (usize, usize) = (16 << 10, 1 << 20);

/// The form of the stored URLs, and limits of a build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// The canonical form of the URLs; `None` stores them as they come.
    pub form: Option<Form>,
    /// Whether to add columns of identifiers and their slices, which need about 24 bytes a row.
    pub with_ids: bool,
    /// The bytes of memory for sorting. Encoding uses about 64 MiB a thread in addition.
    pub memory: usize,
    /// The number of threads that merge and encode, and the largest number of adders that work at the same
    /// time.
    pub threads: NonZeroUsize,
}

impl Default for BuildOptions {
    /// Returns options without a canonical form and without identifiers, with 1 GiB and a thread for each
    /// core.
    fn default() -> Self {
        let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self { form: None, with_ids: false, memory: 1 << 30, threads }
    }
}

/// The result of a build.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// The lines that were passed to adders.
    pub lines: u64,
    /// The lines that are empty.
    pub blank: u64,
    /// The lines that are not stored.
    pub rejected: u64,
    /// The lines that are URLs.
    pub taken: u64,
    /// The number of rows of the dataset, which are different URLs.
    pub rows: u64,
    /// The lines with a user or a password, which was left out.
    pub credentials: u64,
    /// The length of all files in bytes.
    pub bytes: u64,
}

/// Builds a dataset. Dropping it before [`finish`](Self::finish) leaves no files.
///
/// ```
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls");
/// use urlid::suffix::SuffixList;
/// use urlid_store::dataset::{BuildOptions, Builder};
///
/// let builder = Builder::begin(&path, SuffixList::compiled(), BuildOptions::default())?;
/// std::thread::scope(|scope| {
///     for part in [["https://docs.rs/a", "https://docs.rs/b"], ["https://docs.rs/c", "https://docs.rs/a"]] {
///         let mut adder = builder.adder();
///         scope.spawn(move || part.map(|line| adder.push(line).map(drop)));
///     }
/// });
/// assert!(!path.exists());
/// assert_eq!(builder.finish()?.rows, 3);
/// assert!(path.join("part-00000.parquet").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    shared: BuildState,
    threads: NonZeroUsize,
    memory: usize,
}

impl Builder {
    /// Starts a dataset at `path`, which must not exist. Temporary files are in the same folder as the
    /// dataset.
    ///
    /// # Errors
    /// If the name exists, its folder cannot be written to, or an alias of the rules of sites leaves a
    /// registered domain of `list`.
    pub fn begin(path: &Path, list: &SuffixList, options: BuildOptions) -> Result<Self, Error> {
        // This is checked again when the folder is published. A dangling link also counts as existing, and
        // `exists` would miss it.
        if path.symlink_metadata().is_ok() {
            return Err(EXISTS.error().with_subject(path.display().to_string()));
        }
        let BuildOptions { form, with_ids, memory, threads } = options;
        // The dataset carries the rules, and reads them with its own list.
        if let Some(rules) = form.as_ref().and_then(Form::rules) {
            Rules::parse_with(rules.text(), list)?;
        }
        let failed = |error| DATASET.unwritten(path, error);
        let folder = NewFolder::create(path).map_err(failed)?;
        let failed_by = |error: ParquetError| failed(io::Error::other(error));
        let schema = schema(with_ids).map_err(failed_by)?;
        let properties = Arc::new(properties().map_err(failed_by)?);
        // Batches get half of the memory. Buffers grow by doubling, but the part without rows is never
        // written to, and therefore not allocated by the system.
        let batch_memory = (memory / 2 / threads.get()).max(LEAST_BATCH);
        let shared = BuildState {
            folder,
            form,
            format: Format { schema, properties, list: list.clone(), with_ids },
            batch_memory,
            // Runs in memory get the other half. When runs are read, the batches have been freed, and the
            // buffers of runs in files use their memory.
            run_memory: RunMemory::new(memory / 2),
            target: path.to_owned(),
            added: Mutex::default(),
        };
        Ok(Self { shared, threads, memory })
    }

    /// Returns an adder. Each adder uses its share of the memory, so there should be at most one for each
    /// thread.
    #[must_use]
    pub fn adder(&self) -> Adder<'_> {
        let idle = lock(&self.shared.added).idle.pop();
        Adder::new(&self.shared, idle.unwrap_or_default())
    }

    /// Returns the number of lines of the adders that were dropped.
    #[must_use]
    pub fn lines(&self) -> u64 {
        lock(&self.shared.added).idle.iter().map(|rows| rows.counts.lines).sum()
    }

    /// Returns the first error of an adder, so that the caller can stop reading lines.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn check(&self) -> Result<(), Error> {
        lock(&self.shared.added).failed.clone().map_or(Ok(()), Err)
    }

    /// Merges the rows of all adders and gives the dataset its name.
    ///
    /// # Errors
    /// If a file cannot be written, or the name exists by now. Then the dataset is removed. A complete one
    /// remains only if syncing its name failed.
    pub fn finish(self) -> Result<Built, Error> {
        self.finish_with(&mut |_, _| ControlFlow::Continue(()))
    }

    /// Does the same as [`finish`](Self::finish), and calls `tick` with the number of rows written and the
    /// approximate total. `tick` returns whether to continue.
    ///
    /// # Errors
    /// The same as [`finish`](Self::finish), and [`STOPPED`] when `tick` returns `Break`.
    pub fn finish_with(self, tick: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Result<Built, Error> {
        self.finish_by(RANGE_ROWS, tick)
    }

    fn finish_by(
        self,
        range_rows: u64,
        tick: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Built, Error> {
        let shared = &self.shared;
        let AllAdded { idle, failed } = std::mem::take(&mut *lock(&shared.added));
        if let Some(error) = failed {
            return Err(error);
        }
        let (runs, counts) = last_runs(shared, idle)?;
        let folder = shared.folder.path();
        let mut files = Files::new(folder, &shared.format, describe(shared));
        let (mut rows, total) = (0, runs.iter().map(SortedRun::rows).sum());
        let mut take = |group: EncodedGroup| {
            rows += group.rows;
            files.push(group)?;
            if tick(rows, total).is_break() { Err(STOPPED.error()) } else { Ok(()) }
        };
        self.encode(&runs, &RowRange::divide::<PlaceRow>(&runs, range_rows), &mut take)?;
        let parts = files.finish()?;
        // Syncing the files is slow, so `tick` is called once more before the dataset gets its name.
        if tick(rows, total).is_break() {
            return Err(STOPPED.error());
        }
        // The runs are unnamed files. Closing them frees their space before the dataset is synced.
        drop(runs);
        let (list, has_ids) = (&shared.format.list, shared.format.with_ids);
        let manifest = Manifest { description: describe(shared), has_ids, parts };
        // `Files` syncs its files and `write` the description. The folder gets its name last, so a folder
        // with this name is complete.
        let publish = || {
            manifest.write(folder, list, shared.form.as_ref().and_then(Form::rules))?;
            shared.folder.publish(&shared.target)
        };
        publish().map_err(|error| shared.unwritten(error))?;
        let bytes = manifest.bytes();
        let AddedCounts { lines, blank, rejected, taken, credentials } = counts;
        Ok(Built { lines, blank, rejected, taken, rows, credentials, bytes })
    }

    /// Encodes ranges of keys on all threads, and passes their row groups to `take` in order.
    fn encode(
        &self,
        runs: &[SortedRun],
        ranges: &[RowRange],
        take: &mut dyn FnMut(EncodedGroup) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let threads = self.threads.get().min(ranges.len());
        // Each thread reads every run through its own buffer. Together the buffers use the half of the memory
        // that the batches had.
        let buffer = (self.memory / 2 / threads.max(1) / runs.len().max(1)).clamp(BUFFER.0, BUFFER.1);
        let encode = |(): &mut (), number: usize| encode(&self.shared.format, runs, &ranges[number], buffer);
        numbers_in_order(vec![(); threads], ranges.len(), &encode, &mut |encoded| {
            let groups = encoded.map_err(|error| self.shared.unwritten(error))?;
            groups.into_iter().try_for_each(&mut *take)
        })
    }
}

/// Writes the last run of each adder in parallel, and returns all runs.
fn last_runs(shared: &BuildState, idle: Vec<AdderRows>) -> Result<(Vec<SortedRun>, AddedCounts), Error> {
    let finish = |rows: AdderRows| rows.finish(&shared.run_memory, shared.folder.path());
    let finished: Vec<io::Result<_>> = thread::scope(|scope| {
        let begin = |rows| thread::Builder::new().spawn_scoped(scope, move || finish(rows));
        let threads: Vec<_> = idle.into_iter().map(begin).collect();
        let panicked = |_| Err(io::Error::other("a thread that sorts has panicked"));
        threads.into_iter().map(|thread| thread?.join().unwrap_or_else(panicked)).collect()
    });
    let (mut runs, mut counts) = (Vec::new(), AddedCounts::default());
    for rows in finished {
        let (more, of_rows) = rows.map_err(|error| shared.unwritten(error))?;
        runs.extend(more);
        counts.add(of_rows);
    }
    Ok((runs, counts))
}

fn encode(
    format: &Format,
    runs: &[SortedRun],
    range: &RowRange,
    buffer: usize,
) -> io::Result<Vec<EncodedGroup>> {
    let mut encoder = Encoder::new(format);
    let mut rows = SortedRows::<PlaceRow>::open(runs, range, buffer)?;
    while let Some(place) = rows.next_row()? {
        encoder.push(place)?;
    }
    encoder.finish()
}

fn describe(shared: &BuildState) -> Description {
    Description::new(DATASET.format, &shared.format.list, shared.form.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;
    use crate::question::Question;

    #[test]
    fn ranges_that_are_encoded_side_by_side_are_one_dataset_wherever_runs_are() {
        // All runs in files, some, and none.
        let [in_files, mixed, in_memory] = [0, 1 << 20, 1 << 30].map(bytes_of_a_dataset);
        assert!(in_files == mixed && mixed == in_memory, "other bytes");
    }

    /// Builds a dataset of many runs and ranges with so much memory, and returns its file.
    fn bytes_of_a_dataset(memory: usize) -> Vec<u8> {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("urls");
        let threads = NonZeroUsize::new(3).expect("is not 0");
        let options = BuildOptions { threads, memory, ..BuildOptions::default() };
        let builder = Builder::begin(&path, SuffixList::compiled(), options).expect("begins");
        // Every URL is in two of five runs, and each run has several samples.
        let url = |number: u32| format!("https://h{}.example.com/{number:05}", number % 7);
        let mut adders: Vec<_> = (0..5).map(|_| builder.adder()).collect();
        for (first, adder) in (0..).zip(&mut adders) {
            for number in (0..20_000).filter(|number| number % 5 == first || (number + 1) % 5 == first) {
                adder.push(&url(number)).expect("there is room");
            }
        }
        drop(adders);
        assert_eq!(builder.lines(), 40_000);
        let mut ticks = Vec::new();
        let mut tick = |rows, total| {
            ticks.push((rows, total));
            ControlFlow::Continue(())
        };
        let built = builder.finish_by(2_048, &mut tick).expect("is built");
        assert_eq!((built.lines, built.taken, built.rows), (40_000, 40_000, 20_000));
        assert!(ticks.len() > 10 && ticks.last() == Some(&(20_000, 40_000)), "{ticks:?}");

        let dataset = Dataset::open(&path, &[]).expect("opens");
        assert_eq!(dataset.verify_rows(), (20_000, Vec::new()));
        let mut found = Vec::new();
        let mut each = |row: crate::question::Row<'_>| {
            found.push(row.url.to_owned());
            ControlFlow::Continue(())
        };
        assert_eq!(dataset.find(&Question::default(), false, &mut each).expect("is whole").rows, 20_000);
        let mut expected: Vec<String> = (0..20_000).map(url).collect();
        // Hosts differ in one digit, so texts sort as keys do.
        expected.sort_unstable();
        assert!(found == expected, "another order or other rows");
        std::fs::read(path.join("part-00000.parquet")).expect("is there")
    }

    #[test]
    fn a_stopped_or_dropped_build_leaves_no_files() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("urls");
        let begin = || {
            let builder =
                Builder::begin(&path, SuffixList::compiled(), BuildOptions::default()).expect("begins");
            builder.adder().push("https://docs.rs/").expect("there is room");
            builder
        };
        drop(begin());
        let stopped = begin().finish_with(&mut |_, _| ControlFlow::Break(())).expect_err("it was stopped");
        assert!(stopped.is(STOPPED));
        let names = || std::fs::read_dir(directory.path()).expect("lists").count();
        assert_eq!(names(), 0);
        // Two builds of one name: the second to end finds the name taken, and the first stays as it is.
        let (first, second) = (begin(), begin());
        first.finish().expect("is the first");
        assert_eq!(second.finish().expect_err("is the second").code(), urlid::ErrorCode::Io);
        assert_eq!((names(), Dataset::open(&path, &[]).and_then(|first| first.rows())), (1, Ok(1)));
        let taken = Builder::begin(&path, SuffixList::compiled(), BuildOptions::default());
        assert!(taken.expect_err("the name is taken").is(EXISTS));
    }
}
