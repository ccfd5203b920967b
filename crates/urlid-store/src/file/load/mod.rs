//! Loading URLs into an index: parse, sort and insert, on two threads.
//!
//! The caller's thread parses lines and fills one batch while a second thread sorts and stores the previous
//! one. A load into a new name sorts everything first and publishes a complete file. A load into an existing
//! index sorts and commits some million lines at a time.

pub(crate) mod parse;
mod sorted_batches;
pub(crate) mod writer;

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use urlid::suffix::SuffixList;
use urlid::{Error, ErrorCode};
use urlid_canonical::Form;

use crate::file::create::NewFile;
use crate::file::database::Access;
use crate::file::error;
use crate::file::meta::Basis;
use crate::file::open::{IndexFile, check_form};
use crate::sort::RowBatch;
use parse::{Counts, EncoderOptions, LineOutcome, Lines, Parser};
use writer::Writer;

/// Limits and the canonical form of a load.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// The bytes of memory for batches and merge buffers together, in addition to SQLite's cache of 64 MiB.
    pub memory: usize,
    /// The number of lines after which a load into an existing index commits. A commit may include up to one
    /// batch more. A transaction rewrites most pages of an index that is not much larger, so fewer
    /// transactions are faster, but a killed load keeps fewer lines.
    pub transaction_lines: usize,
    /// Settings of the encoder, which do not affect the identifiers.
    pub encoder: EncoderOptions,
    /// The canonical form in which URLs are stored. It must give URLs, not keys. An index has one form for
    /// all URLs. `None` uses the form of an existing index, and stores URLs unchanged in a new one.
    pub form: Option<Form>,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            memory: 256 << 20,
            transaction_lines: 5_000_000,
            encoder: EncoderOptions::default(),
            form: None,
        }
    }
}

/// The least memory of a load, in bytes. Smaller options are raised to it.
const LEAST_MEMORY: usize = 1 << 20;
/// The most bytes of one batch, because its texts are addressed with 32 bits.
const MOST_BATCH: usize = 2 << 30;
/// The most rows of one batch. Larger batches are not sorted faster.
const MOST_ROWS: usize = 1_000_000;

/// The progress of a load.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The lines that were passed to the load.
    pub lines: u64,
    /// The number of first lines with URLs that are committed. A killed load keeps them.
    pub committed: u64,
    /// The rows that were not in the index before.
    pub new: u64,
    /// The rows that were written into the new file so far.
    pub written: u64,
    /// The rows to be written into the new file, including repeated ones.
    pub to_write: u64,
}

/// The result of a load.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// The lines that were passed to the load.
    pub lines: u64,
    /// The lines that were empty.
    pub blank: u64,
    /// The lines that are URLs.
    pub taken: u64,
    /// The rows that were not in the index before. The remaining lines of `taken` were known or repeated.
    pub new: u64,
    /// The lines of `taken` that lack an SXURL.
    pub without_sxurl: u64,
    /// The URLs with credentials, which were left out.
    pub credentials: u64,
    /// The rejected lines, by error code.
    pub rejected: BTreeMap<ErrorCode, u64>,
}

#[derive(Debug, Default)]
struct Shared {
    committed: AtomicU64,
    new: AtomicU64,
    /// Whether the load was dropped.
    is_over: AtomicBool,
}

/// A batch and the number of the last line in it.
type NumberedBatch = (RowBatch, u64);

/// A load in progress. Dropping it keeps the committed rows of an existing index, and removes a new file.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use urlid::suffix::SuffixList;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("urls.db");
/// use urlid_store::file::{Load, LoadOptions};
///
/// let mut load = Load::begin(&path, SuffixList::compiled(), LoadOptions::default())?;
/// load.push("https://docs.rs/")?;
/// load.finish_with(&mut |progress| {
///     eprintln!("{} of {} rows", progress.written, progress.to_write);
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Load {
    options: LoadOptions,
    parser: Parser,
    shared: Arc<Shared>,
    /// Whether the target is an existing index. It keeps its committed rows if the load fails.
    keeps: bool,
    work: Option<Work>,
}

#[derive(Debug)]
struct Work {
    full: SyncSender<NumberedBatch>,
    empty: Receiver<RowBatch>,
    thread: JoinHandle<Result<Writer, Error>>,
}

impl Load {
    /// Starts a load into an existing index, or into a new one if the path does not exist. If a different
    /// load is making the index, waits for it, at most 10 seconds.
    ///
    /// # Errors
    /// If the path is not an index, or if the index has a different snapshot than `list` or a different
    /// canonical form than the given one. [`MAKING`](crate::file::error::MAKING) if a different load is still
    /// making the index.
    pub fn begin(path: &Path, list: &SuffixList, options: LoadOptions) -> Result<Self, Error> {
        Self::begin_with(path, list, options, Lines::AsGiven)
    }

    pub(crate) fn begin_with(
        path: &Path,
        list: &SuffixList,
        options: LoadOptions,
        lines: Lines,
    ) -> Result<Self, Error> {
        check_form(options.form.as_ref(), list)?;
        let options = LoadOptions {
            memory: options.memory.max(LEAST_MEMORY),
            transaction_lines: options.transaction_lines.max(1),
            ..options
        };
        let basis = Basis { list: list.clone(), form: options.form.clone() };
        let (writer, basis, keeps) = match NewFile::unless_there(path, &basis)? {
            Some(new) => (Writer::new(new, path, options.memory), basis, false),
            None => {
                let file = IndexFile::open(path, Access::Write)?;
                let basis = file.begin_adding(list, options.form.clone())?;
                (Writer::present(file, &basis, path, options.memory, options.transaction_lines), basis, true)
            }
        };
        let shared = Arc::new(Shared::default());
        let work = start(writer, Arc::clone(&shared));
        let work = work.map_err(|source| error::UNUSABLE.error().with_path(path).with_source(source))?;
        Ok(Self {
            parser: Parser::new(&basis, options.encoder, lines),
            options,
            keeps,
            work: Some(work),
            shared,
        })
    }

    /// Adds one line, which is a URL without its line end.
    ///
    /// # Errors
    /// Fails if a batch before this line could not be stored. The load cannot continue then.
    pub fn push(&mut self, line: &str) -> Result<LineOutcome, Error> {
        let taken = self.parser.push(line);
        // Two batches exist at the same time: one is being filled, and one is being stored.
        let limit = (self.options.memory / 2).min(MOST_BATCH);
        let rows = self.parser.rows();
        // A batch is never longer than a transaction, so a commit exceeds `transaction_lines` by at most one
        // batch.
        if rows.bytes() >= limit || rows.len() >= self.options.transaction_lines.min(MOST_ROWS) {
            self.hand_on()?;
        }
        Ok(taken)
    }

    /// Returns whether the load makes a new index. A new index appears when the load is finished.
    #[must_use]
    pub fn is_new(&self) -> bool {
        !self.keeps
    }

    /// Returns the error of stopping the load now, with the number of lines that are kept.
    #[must_use]
    pub fn stopped(&self) -> Error {
        error::load_stopped(self.keeps.then(|| self.progress().committed))
    }

    /// Returns the progress of the load.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            lines: self.parser.counts.lines,
            // `committed` is stored after `new` and loaded before it, so `new` covers at least the committed
            // lines.
            committed: self.shared.committed.load(Ordering::Acquire),
            new: self.shared.new.load(Ordering::Acquire),
            written: 0,
            to_write: 0,
        }
    }

    /// Stores the remaining rows and ends the load.
    ///
    /// # Errors
    /// Fails if the rows cannot be stored. A new file is not created then, and an existing index keeps its
    /// committed rows.
    pub fn finish(self) -> Result<Loaded, Error> {
        self.finish_with(&mut |_| ControlFlow::Continue(()))
    }

    /// Does the same as [`finish`](Self::finish), and calls `tick` from time to time, which returns whether
    /// to continue.
    ///
    /// # Errors
    /// Fails if the rows cannot be stored. A new file is not created then, and an existing index keeps its
    /// committed rows. When `tick` returns `Break`, the error is
    /// [`LOAD_STOPPED`](crate::file::error::LOAD_STOPPED).
    pub fn finish_with(mut self, tick: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Loaded, Error> {
        let Work { full, empty, thread } = self.work.take().ok_or(error::OVER)?;
        // Dropping the sender ends the thread's loop, and the thread then returns the writer.
        drop(full);
        drop(empty);
        let writer = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let before = self.progress();
        if tick(before).is_break() {
            return Err(self.stopped());
        }
        let rows = self.parser.take_batch();
        let finished =
            writer.finish(rows, &mut |written, to_write| tick(Progress { written, to_write, ..before }));
        let new = finished.map_err(|e| if e.is(error::LOAD_STOPPED) { self.stopped() } else { e })?;
        let Counts { lines, blank, taken, without_sxurl, credentials, rejected } =
            std::mem::take(&mut self.parser.counts);
        let new = before.new + new;
        Ok(Loaded { lines, blank, taken, new, without_sxurl, credentials, rejected })
    }

    /// Passes the full batch to the storing thread and receives an empty one.
    fn hand_on(&mut self) -> Result<(), Error> {
        let rows = self.parser.take_batch();
        let Some(work) = &self.work else { return Err(error::OVER.error()) };
        if work.full.send((rows, self.parser.counts.lines)).is_ok()
            && let Ok(empty) = work.empty.recv()
        {
            self.parser.reuse(empty);
            return Ok(());
        }
        // The thread ends early only with an error.
        let Some(work) = self.work.take() else { return Err(error::OVER.error()) };
        match work.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
            Ok(_) => Err(error::OVER.error()),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        if let Some(Work { full, empty, thread }) = self.work.take() {
            // This ends a transaction at its next look. Closing only the channels would let it run to its end
            // in vain.
            self.shared.is_over.store(true, Ordering::Release);
            drop(full);
            drop(empty);
            // The thread is joined so that the new file has been removed when this returns. Errors have no
            // receiver here.
            let _ = thread.join();
        }
    }
}

/// Starts the thread that sorts and stores.
fn start(mut writer: Writer, shared: Arc<Shared>) -> io::Result<Work> {
    // The channel has no queue. The caller waits until the thread receives the batch, so a third batch never
    // uses memory.
    let (full, batches) = sync_channel::<NumberedBatch>(0);
    // The channel has room for both batches, so the thread never waits for the caller.
    let (send_empty, empty) = sync_channel::<RowBatch>(2);
    let thread = thread::Builder::new().spawn(move || {
        // The first batch is exchanged for this one before it is stored, so that two batches circulate from
        // then on.
        let mut spare = Some(RowBatch::default());
        while let Ok((mut rows, last_line)) = batches.recv() {
            if let Some(spare) = spare.take() {
                // If the caller is gone, the loop ends at the next receive.
                let _ = send_empty.send(spare);
            }
            let mut tick = |_, _| {
                if shared.is_over.load(Ordering::Acquire) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            // Only a commit returns a number. It covers all waiting batches, which are all lines up to the
            // last one of this batch.
            if let Some(new) = writer.take(&mut rows, &mut tick)? {
                shared.new.fetch_add(new, Ordering::AcqRel);
                shared.committed.store(last_line, Ordering::Release);
            }
            rows.clear();
            let _ = send_empty.send(rows);
        }
        Ok(writer)
    })?;
    Ok(Work { full, empty, thread })
}
