//! The driver of all verbs that read URLs. It reads each source in batches, passes each batch to one of the
//! workers, one per core, and passes the results to the sink of the verb, in the order of the source.
//!
//! Workers read their own batches, so no thread only reads. A stream is read by one worker at a time, and a
//! regular file by all of them.

use std::fs::File;
use std::io::Read;
use std::mem;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::available_parallelism;

use urlid::Error;
use urlid_archives::WarcReader;
use urlid_io::error;
use urlid_io::lines::{BytesRead, Chunk, ChunkReader, FileSplits, Input, LineOptions};
use urlid_io::tables::{Dialect, ParquetColumn, ParquetPages, RecordChunk, RecordReader, TableLayout};
use urlid_io::threads::{SPARE, in_order};

use crate::input::batch::{
    Batch, BatchContent, BatchText, Origin, RejectedRow, RejectedTexts, RowsMade, references_of,
};
use crate::input::columns::{ColumnArgs, SeenColumns, TableFormat};
use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Source};
use crate::output::Output;
use crate::report::exit::Failure;
use crate::report::rejections::{Ended, Place};
use crate::report::signals;

/// The bytes of a batch. It is large enough that the time for locks and channels is negligible compared with
/// its texts.
const CHUNK: usize = 512 << 10;

/// The number of batches that wait while a worker pauses: 16 MiB of lines.
pub(crate) const SPARE_IN_PAUSES: usize = 32;

/// The work on a batch. It replaces the result of an earlier batch, and appends to the empty list of rejected
/// texts.
pub(crate) type Work<'w, M> = Box<dyn FnMut(&Batch, &mut M, &mut RejectedTexts) + Send + 'w>;

/// Makes the work of a thread.
pub(crate) type MakeWork<'w, M> = dyn Fn() -> Work<'w, M> + 'w;

/// Receives a batch with the result of its processing.
pub(crate) type TakeBatch<'t, M> = dyn FnMut(&mut LineRun, &Batch, &mut M) -> Result<(), Ended> + 't;

/// Returns an error about the first line of a table without its text, which may be the text of a row.
fn without_first_line(error: Error) -> Error {
    if error.is(error::MISSING) {
        error.with_shown("other names, or a row in place of names, which --no-header reads")
    } else if error.is(error::NO_TABLE) && error.found().is_some_and(|found| found.contains('`')) {
        error.with_shown("a line that is not shown")
    } else {
        error
    }
}

/// A source that is open, to be read in batches.
pub(crate) struct BatchSource {
    origin: Arc<Origin>,
    reader: BatchReader,
    read: BytesDone,
    /// Batches that wait for their turn, beyond one for each worker.
    spare: usize,
}

/// How many bytes of a source were read, for progress.
enum BytesDone {
    /// The number of bytes that its reader counts.
    Counted(Box<dyn Fn() -> u64>),
    /// A share of the size of a Parquet file, in proportion to its rows or its row groups.
    Share { size: u64, whole: u64 },
}

/// A batch and the result of its processing. Slots are recycled.
#[derive(Default)]
struct Slot<M> {
    batch: Batch,
    made: M,
    rejected: RejectedTexts,
    /// The reason that the batch could not be read.
    failed: Option<Error>,
}

impl LineRun {
    /// Processes all batches of all sources. `make` makes the work of each thread, and `take` receives the
    /// results in the order of the sources.
    pub(crate) fn each_batch<M: Default + Send>(
        &mut self,
        make: &MakeWork<'_, M>,
        take: &mut TakeBatch<'_, M>,
    ) -> Result<(), Failure> {
        self.each_source(&mut |run, source| {
            let mut batches = run.open_batches(source)?;
            // Batches of a source without spare slots are too large to wait for their turn.
            if batches.spare > 0 {
                batches.spare = batches.spare.max(run.spare);
            }
            run.drive(batches, make, take)
        })
    }

    /// Writes the bytes that workers make of batches.
    pub(crate) fn each_output(&mut self, make: &MakeWork<'_, Vec<u8>>) -> Result<(), Failure> {
        self.each_batch(make, &mut |run, _, made| Ok(run.out.write(made)?))
    }

    /// Passes every text to `take`, one by one, and rejects it if `take` returns a rejection.
    pub(crate) fn each_record(
        &mut self,
        take: &mut dyn FnMut(&mut LineRun, BatchText<'_>) -> Result<(), Ended>,
    ) -> Result<(), Failure> {
        self.each_source(&mut |run, source| {
            let batches = run.open_batches(source)?;
            run.drive_records(batches, take)
        })
    }

    /// Passes every text of a source to `take`, like [`each_record`](Self::each_record).
    pub(crate) fn drive_records(
        &mut self,
        batches: BatchSource,
        take: &mut dyn FnMut(&mut LineRun, BatchText<'_>) -> Result<(), Ended>,
    ) -> Result<u64, Ended> {
        let make = || -> Work<'_, ()> { Box::new(|_, (), _| {}) };
        self.drive(batches, &make, &mut |run, batch, ()| {
            // Hints come before the messages about texts.
            run.examine(batch);
            for text in batch.texts() {
                if signals::is_stopping() {
                    return Err(Failure::Stopped.into());
                }
                let place = Place { column: text.column, ..batch.place(text.number) };
                let bytes = text.bytes;
                match take(run, text) {
                    Ok(()) => {}
                    Err(Ended::Failed(failure)) => return Err(failure.into()),
                    Err(Ended::Rejected(rejection)) => run.reject(place, bytes, &rejection)?,
                }
            }
            Ok(())
        })
    }

    /// Passes every text that is not empty to `take`, like [`each_record`](Self::each_record).
    pub(crate) fn each_text(
        &mut self,
        take: &mut dyn FnMut(&mut Output, &str) -> Result<(), Ended>,
    ) -> Result<(), Failure> {
        self.each_record(&mut |run, text| match &*text.text? {
            "" => Ok(()),
            text => take(&mut run.out, text),
        })
    }

    /// Opens a source.
    pub(crate) fn open_batches(&mut self, source: &Source) -> Result<BatchSource, Ended> {
        if let Some(columns) = self.columns.clone() {
            let dialect = match (source, columns.format_of(source.path())) {
                (Source::File(path), Some(TableFormat::Parquet)) => return self.open_pages(path, &columns),
                (_, Some(TableFormat::Text(dialect))) => Some(dialect),
                _ => None,
            };
            let (reader, read, layout, _) = self.open_rows(source, &columns, dialect)?;
            let origin = Origin { layout: Some(layout), ..self.origin(source.name()) };
            return Ok(BatchSource::of_rows(origin, reader, read));
        }
        match self.open(source)? {
            Opened::Input(mut input) => {
                // In HTML and XML, in all lines. In other text, only in lines that contain a tag.
                let references = if self.is_prose { Some(references_of(&mut input)?) } else { None };
                let mut origin = self.origin(source.name());
                match references {
                    Some(references) if self.options.as_written => origin.references_in_lines = references,
                    references => origin.references = references,
                }
                let lines = self.lines_of(input, source.name(), self.options);
                Ok(BatchSource { origin: Arc::new(origin), ..lines })
            }
            Opened::Texts(texts) => {
                let origin = Origin { are_arguments: true, limit: usize::MAX, ..self.origin(source.name()) };
                let reader = BatchReader::Arguments(Mutex::new(Some(texts.to_vec())));
                Ok(BatchSource::new(origin, reader, BytesDone::Counted(Box::new(|| 0))))
            }
        }
    }

    /// Returns the lines of an input.
    pub(crate) fn lines_of(&self, input: Input, name: &Path, options: LineOptions) -> BatchSource {
        let read = input.bytes_read();
        let lines = ChunkSource::new(input, LineOptions { chunk: CHUNK, ..options });
        let reader = BatchReader::Lines(lines, LineNumbers::default());
        BatchSource::new(self.origin(name), reader, BytesDone::of_input(read))
    }

    /// Opens a table of text. Also returns its columns, and its first record if that names them.
    pub(crate) fn open_rows(
        &mut self,
        source: &Source,
        columns: &ColumnArgs,
        dialect: Option<Dialect>,
    ) -> Result<(RecordReader, BytesRead, TableLayout, Vec<u8>), Ended> {
        let Opened::Input(input) = self.open(source)? else {
            // With --column, all arguments are files.
            return Err(Failure::usage("--column: expected a file").into());
        };
        let read = input.bytes_read();
        let opened = RecordReader::open(input, dialect, columns.header(), &columns.choices());
        let (reader, mut layout, first) =
            opened.map_err(|error| if self.hides_texts { without_first_line(error) } else { error })?;
        match (&self.log_base, layout.dialect()) {
            (Some(base), Dialect::Log(_)) => layout.set_base(base),
            (Some(_), _) => return Err(Failure::usage("--base: expected a log of requests").into()),
            (None, _) => {}
        }
        Ok((reader, read, layout, first))
    }

    /// Opens columns of a Parquet file, whose values come one column after the other.
    fn open_pages(&self, path: &Path, columns: &ColumnArgs) -> Result<BatchSource, Ended> {
        let size = File::open(path).and_then(|file| file.metadata()).map_err(error::file)?.len();
        let open = |choice| {
            ParquetColumn::open(File::open(path).map_err(error::file)?, choice).map(ParquetColumn::pages)
        };
        let pages = columns.choices().iter().rev().map(open).collect::<Result<Vec<_>, Error>>()?;
        let whole = pages.iter().map(ParquetPages::rows).max().unwrap_or(0);
        let reader = BatchReader::Pages(Mutex::new((pages, 0)));
        let pages = BatchSource::new(self.origin(path), reader, BytesDone::Share { size, whole });
        // Pages may be large, so they do not wait for their turn.
        Ok(BatchSource { spare: 0, ..pages })
    }

    /// Returns the properties that the batches of a source share.
    pub(crate) fn origin(&self, name: &Path) -> Origin {
        Origin {
            name: name.to_owned(),
            completion: self.completion.clone(),
            schemes: self.schemes.clone(),
            limit: self.options.max_line,
            ..Origin::default()
        }
    }

    /// Processes all batches of a source. Returns its size in bytes.
    pub(crate) fn drive<M: Default + Send>(
        &mut self,
        batches: BatchSource,
        make: &MakeWork<'_, M>,
        take: &mut TakeBatch<'_, M>,
    ) -> Result<u64, Ended> {
        let BatchSource { origin, reader, read, spare } = batches;
        // Starting a thread that never receives a batch would only cost time.
        let workers = (0..cores().min(reader.most_batches())).map(|_| make()).collect();
        let (mut seen, mut done) = (SeenColumns::default(), 0);
        in_order(
            workers,
            spare,
            &|slot: &mut Slot<M>| {
                slot.batch.origin = Arc::clone(&origin);
                let (number, result) = reader.next(&mut slot.batch)?;
                slot.failed = result.err();
                Some(number)
            },
            &|work: &mut Work<'_, M>, slot| {
                slot.rejected.clear();
                if slot.failed.is_none() {
                    slot.batch.decode();
                    if !slot.batch.is_large() {
                        work(&slot.batch, &mut slot.made, &mut slot.rejected);
                    }
                }
            },
            &mut |Slot { batch, made, rejected, failed }| {
                or_interrupt(|| {
                    failed.take().map_or(Ok(()), Err)?;
                    done = batch.rows_done().unwrap_or(done);
                    self.show_progress(read.get(done));
                    if !batch.is_large() {
                        return self.take_batch(batch, made, rejected, take, &mut seen);
                    }
                    let mut work = make();
                    mem::take(batch).each_piece(&mut |piece| {
                        work(piece, made, rejected);
                        self.take_batch(piece, made, rejected, take, &mut seen)
                    })
                })
            },
        )?;
        origin.layout.as_ref().map_or(Ok(()), |layout| seen.check(layout))?;
        Ok(read.get(u64::MAX))
    }

    /// Passes a batch and its result to `take`, then rejects texts.
    fn take_batch<M>(
        &mut self,
        batch: &mut Batch,
        made: &mut M,
        rejected: &mut RejectedTexts,
        take: &mut TakeBatch<'_, M>,
        seen: &mut SeenColumns,
    ) -> Result<(), Ended> {
        if signals::is_stopping() {
            return Err(Failure::Stopped.into());
        }
        take(self, batch, made)?;
        if !batch.origin.are_arguments {
            // A batch of a pipe may be short because its writer waits for the results.
            self.out.flush()?;
        }
        self.examine(batch);
        self.unselected += batch.count_unselected();
        self.reject_texts(batch, rejected)?;
        let (columns, failed) = batch.end();
        seen.take(columns);
        failed.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Processes the rows of a table of text with these columns. Returns its size in bytes.
    pub(crate) fn drive_rows<T: Default + Send>(
        &mut self,
        rows: BatchSource,
        layout: &TableLayout,
        make: &MakeWork<'_, RowsMade<T>>,
        take: &mut dyn FnMut(&mut LineRun, &mut T) -> Result<(), Failure>,
    ) -> Result<u64, Ended> {
        let mut seen = SeenColumns::default();
        let size = self.drive(rows, make, &mut |run, batch, rows| {
            take(run, &mut rows.made)?;
            run.out.flush()?;
            run.reject_rows(batch, &mut rows.rejected)?;
            seen.take(&rows.seen);
            // After the rows before the error, which are made.
            rows.failed.take().map_or(Ok(()), |error| Err(error.into()))
        })?;
        seen.check(layout)?;
        Ok(size)
    }

    /// Rejects rows of a batch.
    pub(crate) fn reject_rows(&mut self, batch: &Batch, rows: &mut Vec<RejectedRow>) -> Result<(), Failure> {
        rows.drain(..).try_for_each(|row| self.reject(batch.place(row.number), &row.text, &row.rejection))
    }

    /// Rejects texts of a batch.
    fn reject_texts(&mut self, batch: &Batch, rejected: &mut RejectedTexts) -> Result<(), Failure> {
        let (mut texts, mut passed) = (batch.texts(), 0);
        for (index, rejection) in rejected.drain(..) {
            if let (BatchContent::Lines(_, first), false) = (&batch.content, self.rejections.needs_text()) {
                self.count_for_warning(batch.place(first + index as u64));
                self.rejections.count(rejection.code());
                continue;
            }
            let Some(text) = texts.nth(index - passed) else { continue };
            passed = index + 1;
            let place = Place { column: text.column, ..batch.place(text.number) };
            self.reject(place, text.bytes, &rejection)?;
        }
        Ok(())
    }
}

impl BytesDone {
    fn of_input(read: BytesRead) -> Self {
        BytesDone::Counted(Box::new(move || read.get()))
    }

    /// Returns the number of bytes after `done` rows or row groups.
    fn get(&self, done: u64) -> u64 {
        match self {
            BytesDone::Counted(count) => count(),
            // The product may not fit in 64 bits. The share does, because it is at most `size`.
            BytesDone::Share { size, whole } => {
                let whole = (*whole).max(1);
                (u128::from(*size) * u128::from(done.min(whole)) / u128::from(whole)) as u64
            }
        }
    }
}

impl BatchSource {
    fn new(origin: Origin, reader: BatchReader, read: BytesDone) -> Self {
        BatchSource { origin: Arc::new(origin), reader, read, spare: SPARE }
    }

    /// Returns the rows of a table of text. `read` counts the bytes of its input.
    pub(crate) fn of_rows(origin: Origin, reader: RecordReader, read: BytesRead) -> Self {
        let reader = BatchReader::Rows(Mutex::new((reader, 0)));
        BatchSource::new(origin, reader, BytesDone::of_input(read))
    }

    /// Returns the row groups of a Parquet file of `size` bytes.
    pub(crate) fn of_groups(origin: Origin, groups: usize, size: u64) -> Self {
        let read = BytesDone::Share { size, whole: groups as u64 };
        BatchSource::new(origin, BatchReader::Groups { next: AtomicUsize::new(0), count: groups }, read)
    }

    /// Returns the records of an archive. `bytes_read` returns the number of bytes read from it.
    pub(crate) fn of_captures(
        origin: Origin,
        stream: Box<dyn Read + Send>,
        bytes_read: Box<dyn Fn() -> u64>,
    ) -> Self {
        let reader = BatchReader::Captures(Mutex::new((WarcReader::new(stream), 0)));
        // A record is a small batch.
        BatchSource { spare: SPARE * 4, ..BatchSource::new(origin, reader, BytesDone::Counted(bytes_read)) }
    }
}

/// The reader of the batches of a source, on the threads of the workers.
enum BatchReader {
    Arguments(Mutex<Option<Vec<std::ffi::OsString>>>),
    Lines(ChunkSource, LineNumbers),
    Rows(Mutex<(RecordReader, usize)>),
    /// The columns that are not read to their ends, in reverse order.
    Pages(Mutex<(Vec<ParquetPages>, usize)>),
    Groups {
        next: AtomicUsize,
        count: usize,
    },
    Captures(Mutex<(WarcReader<Box<dyn Read + Send>>, usize)>),
}

impl BatchReader {
    /// Returns the most batches that the source has, if that is known.
    fn most_batches(&self) -> usize {
        match self {
            BatchReader::Arguments(_) => 1,
            BatchReader::Lines(ChunkSource::File { splits, .. }, _) => splits.count() as usize,
            BatchReader::Groups { count, .. } => *count,
            _ => usize::MAX,
        }
        .max(1)
    }

    /// Reads the next batch and returns its number, from 0 on without gaps. Returns `None` at the end.
    fn next(&self, batch: &mut Batch) -> Option<(usize, Result<(), Error>)> {
        let content = mem::take(&mut batch.content);
        let (number, content, result) = match self {
            BatchReader::Arguments(arguments) => {
                (0, BatchContent::Arguments(lock(arguments).take()?), Ok(()))
            }
            BatchReader::Lines(lines, numbers) => {
                let mut chunk =
                    if let BatchContent::Lines(chunk, _) = content { chunk } else { Chunk::new() };
                let (number, result) = lines.next(&mut chunk)?;
                // Waits until the chunks before this one are counted.
                let first = numbers.first(number, chunk.count_lines() as u64);
                (number as usize, BatchContent::Lines(chunk, first), result)
            }
            // The number is assigned under the lock of the reader, so that numbers are in the order of the
            // batches. After an error other threads may continue to read. Their batches come after this one
            // and are dropped.
            BatchReader::Rows(reader) => {
                let mut records =
                    if let BatchContent::Rows(records) = content { records } else { RecordChunk::default() };
                let (reader, next) = &mut *lock(reader);
                let result = match reader.read(&mut records) {
                    Ok(false) => return None,
                    read => read.map(drop),
                };
                (take_number(next), BatchContent::Rows(records), result)
            }
            BatchReader::Pages(columns) => {
                let (columns, next) = &mut *lock(columns);
                let (page, result) = loop {
                    match columns.last_mut()?.next_page() {
                        Ok(Some(page)) => break (page, Ok(())),
                        Ok(None) => drop(columns.pop()),
                        Err(error) => break (Default::default(), Err(error)),
                    }
                };
                (take_number(next), BatchContent::Page(page), result)
            }
            BatchReader::Groups { next, count } => {
                // Each number is given out once, and it does not order any other data between threads.
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= *count {
                    return None;
                }
                (number, BatchContent::Group(number), Ok(()))
            }
            BatchReader::Captures(reader) => {
                let mut capture =
                    if let BatchContent::Capture(capture) = content { capture } else { Box::default() };
                let (reader, next) = &mut *lock(reader);
                let result = match capture.read(reader) {
                    Ok(false) => return None,
                    read => read.map(drop),
                };
                (take_number(next), BatchContent::Capture(capture), result)
            }
        };
        batch.content = content;
        Some((number, result))
    }
}

fn take_number(next: &mut usize) -> usize {
    *next += 1;
    *next - 1
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number of cores that the process may use.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Calls `take` with a result. If that fails, threads must stop waiting for input, because the caller waits
/// for the threads.
fn or_interrupt(take: impl FnOnce() -> Result<(), Ended>) -> Result<(), Ended> {
    let taken = take();
    // A thread may block in a read of a pipe. The interrupt is final, so an error of one source does not
    // trigger it: the other sources are still to be read.
    if matches!(taken, Err(Ended::Failed(_))) {
        signals::interrupt_reads();
    }
    taken
}

/// The numbers of lines of chunks that workers read at the same time. A chunk gets its numbers when all chunks
/// before it are counted. Each worker counts its own chunk, even one that cannot be read, and then waits for the
/// others. Chunks are handed out in order, so the worker of the first uncounted chunk never waits.
#[derive(Default)]
struct LineNumbers {
    counted: Mutex<Counted>,
    grew: Condvar,
}

/// The chunks that were counted, and their lines.
#[derive(Default)]
struct Counted {
    chunks: u64,
    lines: u64,
}

impl LineNumbers {
    /// Returns the number of the first line of a chunk, when all chunks before it are counted.
    fn first(&self, chunk: u64, lines: u64) -> u64 {
        let counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = |counted: &mut Counted| counted.chunks < chunk;
        let mut counted = self.grew.wait_while(counted, is_early).unwrap_or_else(PoisonError::into_inner);
        let first = counted.lines + 1;
        *counted = Counted { chunks: chunk + 1, lines: counted.lines + lines };
        self.grew.notify_all();
        first
    }
}

/// The source from which workers read chunks.
enum ChunkSource {
    /// A stream, which one worker reads at a time.
    Stream(Mutex<Stream>),
    /// A regular file. Each worker reads its next split.
    File { splits: FileSplits, next: AtomicU64 },
}

struct Stream {
    reader: ChunkReader,
    /// The number of the next chunk.
    next: u64,
}

impl ChunkSource {
    fn new(input: Input, options: LineOptions) -> Self {
        match if options.as_written { Err(input) } else { input.splits(options) } {
            Ok(splits) => ChunkSource::File { splits, next: AtomicU64::new(0) },
            Err(input) => ChunkSource::Stream(Mutex::new(Stream { reader: input.chunks(options), next: 0 })),
        }
    }

    /// Reads the next chunk and returns its number, from 0 on without gaps. Returns `None` at the end.
    fn next(&self, chunk: &mut Chunk) -> Option<(u64, Result<(), Error>)> {
        match self {
            ChunkSource::Stream(stream) => {
                let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                let result = match stream.reader.read(chunk) {
                    Ok(true) => Ok(()),
                    Ok(false) => return None,
                    Err(error) => Err(error),
                };
                let number = stream.next;
                stream.next += 1;
                Some((number, result))
            }
            ChunkSource::File { splits, next } => {
                // Each number is given out once, and it does not order any other data between threads.
                let number = next.fetch_add(1, Ordering::Relaxed);
                (number < splits.count()).then(|| (number, splits.read(number, chunk)))
            }
        }
    }
}
