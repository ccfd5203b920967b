//! Loading URLs into an index: parse, sort and insert, on two threads.
//!
//! The caller's thread parses lines and fills one batch while a second thread sorts and stores the one
//! before. A load into a new name sorts everything first and publishes a complete file. A load into an
//! existing index sorts and commits some million lines at a time.

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
    /// Bytes of memory for batches and merge buffers together, in addition to SQLite's cache of 64 MiB.
    pub memory: usize,
    /// The number of lines, plus up to one batch, after which a load into an existing index commits. A
    /// transaction rewrites most pages of an index that is not much larger, so fewer transactions are faster,
    /// but a killed load keeps less.
    pub transaction_lines: usize,
    /// Settings of the encoder, which do not affect the identifiers.
    pub encoder: EncoderOptions,
    /// The canonical form in which URLs are stored; it must give URLs, not keys. An index has one form for
    /// all URLs. `None` means that of an existing index, and none for a new one.
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

/// The least memory of a load, in bytes; smaller options are raised to it.
const LEAST_MEMORY: usize = 1 << 20;
/// The most bytes of one batch: its texts are addressed with 32 bits.
const MOST_BATCH: usize = 2 << 30;
/// The most rows of one batch: more are not sorted faster.
const MOST_ROWS: usize = 1_000_000;

/// The progress of a load.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Lines given to the load.
    pub lines: u64,
    /// The number of lines, from the first on, whose URLs are committed. A killed load keeps them.
    pub committed: u64,
    /// Rows that were not in the index before.
    pub new: u64,
    /// Rows written into the new file, while it is filled.
    pub written: u64,
    /// Rows to be written into the new file, repeats included.
    pub to_write: u64,
}

/// The result of a load.
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Lines given to the load.
    pub lines: u64,
    /// Lines that were empty.
    pub blank: u64,
    /// Lines that are URLs.
    pub taken: u64,
    /// Rows that were not in the index before. The rest of `taken` was known or repeated.
    pub new: u64,
    /// Those of `taken` that lack an SXURL.
    pub without_sxurl: u64,
    /// URLs with credentials, which were left out.
    pub credentials: u64,
    /// Lines rejected, by error code.
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

/// A load in progress. Dropping it keeps committed rows of an existing index, and removes a new file.
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
    /// Whether the target is an existing index, whose committed rows are kept if the load fails.
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
    /// Begins a load into an existing index, or a new one if nothing has that name. If another load is making
    /// the index, waits for it, 10 seconds at most.
    ///
    /// # Errors
    /// Rejects what is not an index, and an index of another snapshot than that of `list` or of another
    /// canonical form than the one given. [`MAKING`](crate::file::error::MAKING) if another load is still
    /// making it.
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

    /// Adds one line: a URL without its line end.
    ///
    /// # Errors
    /// Fails when a batch before this line could not be stored; the load is then over.
    pub fn push(&mut self, line: &str) -> Result<LineOutcome, Error> {
        let taken = self.parser.push(line);
        // Two batches exist at once: one is filled, one is stored.
        let limit = (self.options.memory / 2).min(MOST_BATCH);
        let rows = self.parser.rows();
        // A batch is never longer than a transaction, so a commit exceeds `transaction_lines` by one batch at
        // most.
        if rows.bytes() >= limit || rows.len() >= self.options.transaction_lines.min(MOST_ROWS) {
            self.hand_on()?;
        }
        Ok(taken)
    }

    /// Returns whether the load makes a new index, which appears when the load is finished.
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
            // Stored after `new` and loaded before it, so `new` covers at least the committed lines.
            committed: self.shared.committed.load(Ordering::Acquire),
            new: self.shared.new.load(Ordering::Acquire),
            written: 0,
            to_write: 0,
        }
    }

    /// Stores the remaining rows and ends the load.
    ///
    /// # Errors
    /// Fails when the rows cannot be stored; a new file then does not appear, and an index that exists keeps
    /// what was committed.
    pub fn finish(self) -> Result<Loaded, Error> {
        self.finish_with(&mut |_| ControlFlow::Continue(()))
    }

    /// Does what [`finish`](Self::finish) does, and calls `tick` from time to time, which returns whether to
    /// continue.
    ///
    /// # Errors
    /// Fails when the rows cannot be stored; a new file then does not appear, and an index that exists keeps
    /// what was committed. When `tick` returns `Break`, the error is
    /// [`LOAD_STOPPED`](crate::file::error::LOAD_STOPPED).
    pub fn finish_with(mut self, tick: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Loaded, Error> {
        let Work { full, empty, thread } = self.work.take().ok_or(error::OVER)?;
        // Dropping the sender ends the thread's loop, after which it returns the writer.
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
            // Ends a transaction at its next look. Closing the channels alone would let it run to its end,
            // for nothing.
            self.shared.is_over.store(true, Ordering::Release);
            drop(full);
            drop(empty);
            // Joined so that the new file is removed when this returns. Errors have no receiver here.
            let _ = thread.join();
        }
    }
}

/// Starts the thread that sorts and stores.
fn start(mut writer: Writer, shared: Arc<Shared>) -> io::Result<Work> {
    // Without a queue: the caller waits until the thread takes the batch, so no third batch piles up in
    // memory.
    let (full, batches) = sync_channel::<NumberedBatch>(0);
    // Room for both batches, so the thread never waits for the caller to take one back.
    let (send_empty, empty) = sync_channel::<RowBatch>(2);
    let thread = thread::Builder::new().spawn(move || {
        // The first batch is exchanged before it is stored, so that two circulate from then on.
        let mut spare = Some(RowBatch::default());
        while let Ok((mut rows, last_line)) = batches.recv() {
            if let Some(spare) = spare.take() {
                // A caller that is gone ends the loop at the next receive.
                let _ = send_empty.send(spare);
            }
            let mut tick = |_, _| {
                if shared.is_over.load(Ordering::Acquire) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            // Only a commit returns a number. It covers all batches that waited, so all lines up to the last
            // of this one.
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
