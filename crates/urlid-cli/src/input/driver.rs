//! The lines of a run, passed to the command: one by one, or a chunk at a time to workers on all cores, and
//! back in order.
//!
//! Each worker takes a chunk for itself, so no thread only reads: a stream is read by one worker at a time, a
//! regular file by all of them. The lines of a table are the values of its columns (docs/spec/lines.md,
//! "Columns").

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::available_parallelism;

use urlid::Error;
use urlid::web::assume_scheme;
use urlid_io::error;
use urlid_io::lines::{Chunk, ChunkReader, FileSplits, Input, Line, LineOptions};
use urlid_io::tables::{Cell, ColumnChoice, Dialect, ParquetColumn, RecordChunk, RecordReader};
use urlid_io::threads::{SPARE, in_order};

use crate::input::columns::{ColumnArgs, SeenColumns, TableFormat, line_of};
use crate::input::line_run::LineRun;
use crate::input::sources::{Opened, Source};
use crate::output::Output;
use crate::report::exit::Failure;
use crate::report::hints::FIRST_LINES;
use crate::report::refusals::{Ended, Place, Refusal};
use crate::report::signals;

/// Rows between two updates of the progress bar.
const ROWS_BETWEEN_UPDATES: u64 = 4_096;

/// Takes the lines of a run.
pub(crate) trait LineSink {
    /// Takes a line, which may not be readable as text.
    fn line(&mut self, run: &mut LineRun, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure>;

    /// Is called before a read that may wait for the next line.
    fn before_wait(&mut self, run: &mut LineRun) -> Result<(), Failure> {
        // A program that writes a line and waits for its answer would otherwise wait forever.
        run.out.flush()
    }
}

impl<F> LineSink for F
where
    F: FnMut(&mut LineRun, Place<'_>, &Line<'_>) -> Result<(), Failure>,
{
    fn line(&mut self, run: &mut LineRun, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        self(run, place, line)
    }
}

impl LineRun {
    /// Passes a line to `sink`, with the assumed scheme if it lacks one.
    fn pass(&mut self, sink: &mut dyn LineSink, place: Place<'_>, line: &Line<'_>) -> Result<(), Failure> {
        match (&self.assumed_scheme, line.text) {
            (Some(scheme), Ok(text)) => {
                let text = assume_scheme(text, scheme);
                sink.line(self, place, &Line { text: Ok(&text), ..*line })
            }
            _ => sink.line(self, place, line),
        }
    }

    /// Passes every line of the sources to `sink`.
    pub(crate) fn each_line(&mut self, sink: &mut dyn LineSink) -> Result<(), Failure> {
        self.each_source(&mut |run, source| run.read_lines(source, sink))
    }

    /// Passes every line of a source to `sink`; returns its size in bytes.
    fn read_lines(&mut self, source: &Source, sink: &mut dyn LineSink) -> Result<u64, Ended> {
        if let Some(columns) = self.columns.clone() {
            return each_value(self, source, &columns, sink);
        }
        let input = match self.open(source)? {
            Opened::Input(input) => input,
            Opened::Texts(texts) => {
                source.lines_of(texts).try_for_each(|(place, line)| {
                    self.examine(source, [line]);
                    self.pass(sink, place, &line)
                })?;
                return Ok(0);
            }
        };
        let read = input.bytes_read();
        let mut lines = input.lines(self.options);
        loop {
            if !lines.has_line() {
                self.show_progress(read.get());
                sink.before_wait(self)?;
            }
            if signals::is_stopping() {
                return Err(Failure::Stopped.into());
            }
            let Some(line) = lines.next_line()? else { return Ok(read.get()) };
            self.examine(source, [line]);
            self.pass(sink, Place::in_file(source.name(), line.number), &line)?;
        }
    }

    /// Passes the text of every line that is not blank to `take`, and refuses the line if that returns a
    /// refusal.
    pub(crate) fn each_text(
        &mut self,
        take: &mut dyn FnMut(&mut Output, &str) -> Result<(), Ended>,
    ) -> Result<(), Failure> {
        self.each_text_or_blank(&mut |out, text| if text.is_empty() { Ok(()) } else { take(out, text) })
    }

    /// As [`each_text`](Self::each_text), with the empty text of blank lines: a URL of the Theory without
    /// tokens.
    pub(crate) fn each_text_or_blank(
        &mut self,
        take: &mut dyn FnMut(&mut Output, &str) -> Result<(), Ended>,
    ) -> Result<(), Failure> {
        self.each_line(&mut |run: &mut LineRun, place: Place<'_>, line: &Line<'_>| {
            let result = match line.text {
                Ok(text) => take(&mut run.out, text),
                Err(error) => Err(error.into()),
            };
            match result {
                Ok(()) => Ok(()),
                Err(Ended::Failed(failure)) => Err(failure),
                Err(Ended::Refused(refusal)) => run.refuse(place, line.bytes, &refusal),
            }
        })
    }

    /// Passes the lines of the sources to workers, of which `make` makes one for each core, a chunk at a
    /// time. The results are printed in the order of the lines.
    pub(crate) fn each_chunk(&mut self, make: &MakeWorker<'_>) -> Result<(), Failure> {
        self.each_output(make, &mut |out, made, _| out.write(made))
    }

    /// As [`each_chunk`](Self::each_chunk), but passes what a worker made of lines to `take`, with the lines.
    pub(crate) fn each_output(
        &mut self,
        make: &MakeWorker<'_>,
        take: &mut OutputSink<'_>,
    ) -> Result<(), Failure> {
        let (mut own, mut made) = (make(), Vec::new());
        self.each_source(&mut |run, source| {
            // A worker receives the bytes of a chunk as they are in a file. Values of tables, arguments, and
            // texts that get a scheme are not there.
            if run.is_by_line || matches!(source, Source::Arguments(_)) {
                let mut each = |run: &mut LineRun, place: Place<'_>, line: &Line<'_>| {
                    run.take_line(&mut *own, &mut made, place, line, take)
                };
                return run.read_lines(source, &mut each);
            }
            let Opened::Input(input) = run.open(source)? else { return Ok(0) };
            let read = input.bytes_read();
            run_workers(input, run.options, make, &mut |slot| {
                take(&mut run.out, &slot.made.out, &ChunkOrLine::Chunk(&slot.chunk))?;
                // A chunk of a pipe may be short because its writer waits for the results.
                run.out.flush()?;
                run.show_progress(read.get());
                if slot.first <= FIRST_LINES {
                    run.examine(source, slot.chunk.lines(slot.first));
                }
                run.refuse_lines(source, slot)
            })?;
            Ok(read.get())
        })
    }

    /// Passes the result of one line to `take`; `made` is a reused buffer.
    fn take_line(
        &mut self,
        worker: &mut dyn Worker,
        made: &mut Vec<u8>,
        place: Place<'_>,
        line: &Line<'_>,
        take: &mut OutputSink<'_>,
    ) -> Result<(), Failure> {
        made.clear();
        let is_blank = line.text == Ok("") && !place.is_argument;
        let result = worker.line(line, is_blank, made);
        take(&mut self.out, made, &ChunkOrLine::Line(*line))?;
        match result {
            Ok(()) => Ok(()),
            Err(refusal) => self.refuse(place, line.bytes, &refusal),
        }
    }

    /// Refuses the lines of a chunk that a worker refused.
    pub(crate) fn refuse_lines(&mut self, source: &Source, slot: &mut Slot) -> Result<(), Failure> {
        let refused = std::mem::take(&mut slot.made.refused);
        let mut lines = slot.chunk.lines(slot.first);
        let mut passed = 0;
        for (index, refusal) in refused {
            if !self.refusals.needs_text() {
                self.count_for_warning(Place::in_file(source.name(), slot.first + index as u64));
                self.refusals.count(refusal.code());
                continue;
            }
            let Some(line) = lines.nth(index - passed) else { continue };
            passed = index + 1;
            self.refuse(Place::in_file(source.name(), line.number), line.bytes, &refusal)?;
        }
        Ok(())
    }
}

/// Passes the values of columns of a table to `sink`; returns its size in bytes.
fn each_value(
    run: &mut LineRun,
    source: &Source,
    columns: &ColumnArgs,
    sink: &mut dyn LineSink,
) -> Result<u64, Ended> {
    match (source, columns.format_of(source.path())) {
        (Source::File(path), Some(TableFormat::Parquet)) => {
            let choices = columns.choices();
            // Each column returns the size of the whole file, which is to count once.
            choices.iter().try_fold(0, |_, choice| each_parquet_value(run, path, choice, sink))
        }
        (_, Some(TableFormat::Text(dialect))) => each_text_value(run, source, columns, Some(dialect), sink),
        _ => each_text_value(run, source, columns, None, sink),
    }
}

fn each_text_value(
    run: &mut LineRun,
    source: &Source,
    columns: &ColumnArgs,
    dialect: Option<Dialect>,
    sink: &mut dyn LineSink,
) -> Result<u64, Ended> {
    // With --column, all arguments are files.
    let Opened::Input(input) = run.open(source)? else { return Ok(0) };
    let read = input.bytes_read();
    let limit = run.options.max_line;
    let (mut reader, layout, _) = RecordReader::open(input, dialect, columns.header(), &columns.choices())?;
    let (mut chunk, mut seen) = (RecordChunk::default(), SeenColumns::default());
    loop {
        run.show_progress(read.get());
        if !reader.is_ready() {
            sink.before_wait(run)?;
        }
        if !reader.read(&mut chunk)? {
            break;
        }
        chunk.each_row(&layout, |row| {
            let place = Place::in_file(source.name(), row.line);
            seen.row(row.cells);
            // An empty line counts as a blank one.
            let cells = if row.cells.is_empty() { &[Cell::Null][..] } else { row.cells };
            for cell in cells {
                if signals::is_stopping() {
                    return Err(Ended::from(Failure::Stopped));
                }
                match cell {
                    Cell::Text(text) => run.pass(sink, place, &line_of(row.line, text, limit))?,
                    Cell::Missing | Cell::Null => run.pass(sink, place, &Line::new(row.line, b""))?,
                    Cell::Bad(error) | Cell::Number(_, error) => {
                        run.refuse(place, row.text, &error.clone().into())?;
                    }
                }
            }
            Ok(())
        })?;
    }
    seen.check(&layout)?;
    Ok(read.get())
}

fn each_parquet_value(
    run: &mut LineRun,
    path: &Path,
    column: &ColumnChoice,
    sink: &mut dyn LineSink,
) -> Result<u64, Ended> {
    let file = File::open(path).map_err(error::file)?;
    let size = file.metadata().map_err(error::file)?.len();
    let values = ParquetColumn::open(file, column)?;
    let limit = run.options.max_line;
    let (rows, mut number, mut taken) = (values.rows().max(1), 0_u64, Ok(()));
    values.each_value(&mut |value| {
        number += 1;
        if number.is_multiple_of(ROWS_BETWEEN_UPDATES) {
            // The product may not fit in 64 bits. The share does: it is at most `size`, because `number` is
            // at most `rows` here.
            let share = u128::from(size) * u128::from(number.min(rows)) / u128::from(rows);
            run.show_progress(share as u64);
        }
        let line = line_of(number, value.unwrap_or_default(), limit);
        taken = if signals::is_stopping() {
            Err(Failure::Stopped)
        } else {
            run.pass(sink, Place::in_file(path, number), &line)
        };
        if taken.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    taken?;
    Ok(size)
}

/// The bytes of a chunk: large enough that locks and channels take no time beside the lines.
const CHUNK: usize = 512 << 10;

/// Chunks that wait while a worker pauses: 16 MiB of lines.
const SPARE_IN_PAUSES: usize = 32;

/// Makes the output of lines. Each thread has a worker of its own.
pub(crate) trait Worker: Send {
    /// Fills the empty `made` with the result of the lines of a chunk, the first of which has the number
    /// `first`.
    fn chunk(&mut self, chunk: &Chunk, first: u64, made: &mut ChunkOutput) {
        each_line(self, chunk, first, made);
    }

    /// Returns whether a chunk now and then takes as long as many, so that the others should go on meanwhile.
    fn pauses(&self) -> bool {
        false
    }

    /// Appends the result of one line, nothing if the rows of refused lines are left out; returns why the
    /// line is refused, if it is. A blank line is one of a file, not an empty argument.
    fn line(&mut self, line: &Line<'_>, is_blank: bool, out: &mut Vec<u8>) -> Result<(), Refusal>;
}

/// Appends the results of the lines of a chunk one by one.
pub(crate) fn each_line(
    worker: &mut (impl Worker + ?Sized),
    chunk: &Chunk,
    first: u64,
    made: &mut ChunkOutput,
) {
    for (index, line) in chunk.lines(first).enumerate() {
        if let Err(refusal) = worker.line(&line, line.text == Ok(""), &mut made.out) {
            made.refused.push((index, refusal));
        }
    }
}

/// A worker of any command. Each is called for many lines at once, so the call costs nothing, and the
/// pipeline is compiled once.
pub(crate) type BoxedWorker<'w> = Box<dyn Worker + 'w>;

/// Makes a worker for a thread.
pub(crate) type MakeWorker<'w> = dyn Fn() -> BoxedWorker<'w> + 'w;

/// The result of a chunk.
#[derive(Default)]
pub(crate) struct ChunkOutput {
    /// Bytes to be written.
    pub(crate) out: Vec<u8>,
    /// The lines that were refused, by ascending index in the chunk.
    pub(crate) refused: Vec<(usize, Refusal)>,
}

/// The lines that a worker made its output of.
pub(crate) enum ChunkOrLine<'a> {
    /// All lines of a chunk.
    Chunk(&'a Chunk),
    /// One line, which may have line ends in it if it is an argument.
    Line(Line<'a>),
}

/// Takes what workers made of lines, with the lines.
pub(crate) type OutputSink<'t> = dyn FnMut(&mut Output, &[u8], &ChunkOrLine<'_>) -> Result<(), Failure> + 't;

/// A chunk and its result; recycled.
#[derive(Default)]
pub(crate) struct Slot {
    pub(crate) chunk: Chunk,
    /// The number of the chunk's first line.
    pub(crate) first: u64,
    pub(crate) made: ChunkOutput,
    /// Why the chunk could not be read.
    failed: Option<Error>,
}

/// Passes every chunk of `input` to one of the workers, of which `make` makes one for each core, and its
/// result to `each`, in order.
pub(crate) fn run_workers(
    input: Input,
    options: LineOptions,
    make: &MakeWorker<'_>,
    each: &mut dyn FnMut(&mut Slot) -> Result<(), Failure>,
) -> Result<(), Ended> {
    let source = ChunkSource::new(input, LineOptions { chunk: CHUNK, ..options });
    let numbers = LineNumbers::default();
    let workers = for_each_core(make);
    let spare = if workers.iter().any(|worker| worker.pauses()) { SPARE_IN_PAUSES } else { SPARE };
    in_order(
        workers,
        spare,
        &|slot: &mut Slot| {
            let (number, read) = source.next(&mut slot.chunk)?;
            // Waits for the chunks before this one. Other threads have taken all of them, and the first waits
            // for none, so it ends.
            slot.first = numbers.first(number, slot.chunk.count_lines() as u64);
            slot.failed = read.err();
            Some(number as usize)
        },
        &|worker, slot| {
            slot.made.out.clear();
            slot.made.refused.clear();
            if slot.failed.is_none() {
                worker.chunk(&slot.chunk, slot.first, &mut slot.made);
            }
        },
        &mut |slot| {
            or_interrupt(|| {
                slot.failed.take().map_or(Ok(()), Err)?;
                Ok(each(slot)?)
            })
        },
    )
}

/// Makes a worker for each core.
pub(crate) fn for_each_core<W>(make: &dyn Fn() -> W) -> Vec<W> {
    let cores = available_parallelism().map_or(1, usize::from);
    (0..cores).map(|_| make()).collect()
}

/// Takes a result by `take`. If that fails, no thread may go on waiting for input: the threads are waited
/// for.
pub(crate) fn or_interrupt(take: impl FnOnce() -> Result<(), Ended>) -> Result<(), Ended> {
    let taken = take();
    // A thread may block in a read of a pipe. Not after an error of the source: the interrupt is final, and
    // the other sources are still to be read.
    if matches!(taken, Err(Ended::Failed(_))) {
        signals::interrupt_reads();
    }
    taken
}

/// The numbers of lines of chunks that workers read at the same time.
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
        // The splits of a file are read at the same time, so chunks are counted in any order. Those that
        // cannot be read are counted too, or the chunks after them would wait forever.
        let counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = |counted: &mut Counted| counted.chunks < chunk;
        let mut counted = self.grew.wait_while(counted, is_early).unwrap_or_else(PoisonError::into_inner);
        let first = counted.lines + 1;
        *counted = Counted { chunks: chunk + 1, lines: counted.lines + lines };
        self.grew.notify_all();
        first
    }
}

/// Where workers take chunks from.
enum ChunkSource {
    /// A stream, which one worker reads at a time.
    Stream(Mutex<Stream>),
    /// A regular file, of which each worker takes the next split.
    File { splits: FileSplits, next: AtomicU64 },
}

struct Stream {
    reader: ChunkReader,
    /// The number of the next chunk.
    next: u64,
}

impl ChunkSource {
    fn new(input: Input, options: LineOptions) -> Self {
        match input.splits(options) {
            Ok(splits) => ChunkSource::File { splits, next: AtomicU64::new(0) },
            Err(input) => ChunkSource::Stream(Mutex::new(Stream { reader: input.chunks(options), next: 0 })),
        }
    }

    /// Reads the next chunk and returns its number, from 0 on without gaps; `None` at the end.
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
                // Each number is given once, and nothing else is passed between threads by it.
                let number = next.fetch_add(1, Ordering::Relaxed);
                (number < splits.count()).then(|| (number, splits.read(number, chunk)))
            }
        }
    }
}
