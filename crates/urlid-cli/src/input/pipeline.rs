//! Chunks of lines through several threads, and back in order.
//!
//! Each worker takes a chunk for itself, so no thread only reads: a stream is read by one worker at a time, a regular file
//! by all of them. What they make comes back in the order of the input.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::available_parallelism;

use urlid::Error;
use urlid_io::lines::{Chunk, ChunkReader, FileSplits, Input, Line, LineOptions};
use urlid_io::threads::{SPARE, in_order};

use crate::output::Output;
use crate::report::exit::Failure;
use crate::report::refusals::{Ended, Refusal};
use crate::report::signals;

/// The bytes of a chunk: large enough that locks and channels take no time beside the lines.
const CHUNK: usize = 512 << 10;

/// Chunks that wait while a worker pauses: 16 MiB of lines.
const SPARE_IN_PAUSES: usize = 32;

/// Makes the output of lines. Each thread has a worker of its own.
pub(crate) trait Worker: Send {
    /// Fills the empty `made` with the result of the lines of a chunk, the first of which has the number `first`.
    fn chunk(&mut self, chunk: &Chunk, first: u64, made: &mut Made) {
        each_line(self, chunk, first, made);
    }

    /// Returns whether a chunk now and then takes as long as many, so that the others should go on meanwhile.
    fn pauses(&self) -> bool {
        false
    }

    /// Appends the result of one line, nothing if the rows of refused lines are left out; returns why the line is refused, if it
    /// is. A blank line is one of a file, not an empty argument.
    fn line(&mut self, line: &Line<'_>, is_blank: bool, out: &mut Vec<u8>) -> Result<(), Refusal>;
}

/// Appends the results of the lines of a chunk one by one.
pub(crate) fn each_line(worker: &mut (impl Worker + ?Sized), chunk: &Chunk, first: u64, made: &mut Made) {
    for (index, line) in chunk.lines(first).enumerate() {
        if let Err(refusal) = worker.line(&line, line.text == Ok(""), &mut made.out) {
            made.refused.push((index, refusal));
        }
    }
}

/// A worker of any command. Each is called for many lines at once, so the call costs nothing, and the pipeline is compiled once.
pub(crate) type BoxedWorker<'w> = Box<dyn Worker + 'w>;

/// Makes a worker for a thread.
pub(crate) type MakeWorker<'w> = dyn Fn() -> BoxedWorker<'w> + 'w;

/// The result of a chunk.
#[derive(Default)]
pub(crate) struct Made {
    /// Bytes to be written.
    pub(crate) out: Vec<u8>,
    /// The lines that were refused, by ascending index in the chunk.
    pub(crate) refused: Vec<(usize, Refusal)>,
}

/// What a worker made its result of.
pub(crate) enum Taken<'a> {
    /// All lines of a chunk.
    Chunk(&'a Chunk),
    /// One line, which may have line ends in it if it is an argument.
    Line(Line<'a>),
}

/// Takes what workers made of lines, with the lines.
pub(crate) type TakeMade<'t> = dyn FnMut(&mut Output, &[u8], &Taken<'_>) -> Result<(), Failure> + 't;

/// A chunk and its result; recycled.
#[derive(Default)]
pub(crate) struct Slot {
    pub(crate) chunk: Chunk,
    /// The number of the chunk's first line.
    pub(crate) first: u64,
    pub(crate) made: Made,
    /// Why the chunk could not be read.
    failed: Option<Error>,
}

/// Passes every chunk of `input` to one of the workers, of which `make` makes one for each core, and its result to `each`, in
/// order.
pub(crate) fn run(
    input: Input,
    options: LineOptions,
    make: &MakeWorker<'_>,
    each: &mut dyn FnMut(&mut Slot) -> Result<(), Failure>,
) -> Result<(), Ended> {
    let source = Source::of(input, LineOptions { chunk: CHUNK, ..options });
    let numbers = LineNumbers::default();
    let workers = for_each_core(make);
    let spare = if workers.iter().any(|worker| worker.pauses()) { SPARE_IN_PAUSES } else { SPARE };
    in_order(
        workers,
        spare,
        &|slot: &mut Slot| {
            let (number, read) = source.next(&mut slot.chunk)?;
            // Waits for the chunks before this one. Other threads have taken all of them, and the first waits for none, so it
            // ends.
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

/// Takes a result by `take`. If that fails, no thread may go on waiting for input: the threads are waited for.
pub(crate) fn or_interrupt(take: impl FnOnce() -> Result<(), Ended>) -> Result<(), Ended> {
    let taken = take();
    // A thread may block in a read of a pipe. Not after an error of the source: the interrupt is final, and the other sources are
    // still to be read.
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
        // The splits of a file are read at the same time, so chunks are counted in any order. Those that cannot be read are counted
        // too, or the chunks after them would wait forever.
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
enum Source {
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

impl Source {
    fn of(input: Input, options: LineOptions) -> Self {
        match input.splits(options) {
            Ok(splits) => Source::File { splits, next: AtomicU64::new(0) },
            Err(input) => Source::Stream(Mutex::new(Stream { reader: input.chunks(options), next: 0 })),
        }
    }

    /// Reads the next chunk and returns its number, from 0 on without gaps; `None` at the end.
    fn next(&self, chunk: &mut Chunk) -> Option<(u64, Result<(), Error>)> {
        match self {
            Source::Stream(stream) => {
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
            Source::File { splits, next } => {
                // Each number is given once, and nothing else is passed between threads by it.
                let number = next.fetch_add(1, Ordering::Relaxed);
                (number < splits.count()).then(|| (number, splits.read(number, chunk)))
            }
        }
    }
}
