//! Chunks of lines through several threads, and back in order.
//!
//! Each worker takes a chunk for itself, so no thread only reads: a stream is read by one worker at a time, a regular file
//! by all of them. What they make comes back in the order of the input.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{self, available_parallelism};

use urlid::Error;
use urlid_io::lines::{Chunk, ChunkReader, FileSplits, Input, Line, LineOptions};

use crate::exit::Failure;
use crate::refusals::{Ended, Refusal};
use crate::signals;

/// The bytes of a chunk: large enough that locks and channels take no time beside the lines.
const CHUNK: usize = 512 << 10;

/// The most threads.
const MOST_WORKERS: usize = 16;

/// Chunks in flight beyond one for each worker, so that the others can work while one is slow.
const SPARE: usize = 2;

/// Makes the output of lines. Each thread has a worker of its own.
pub(crate) trait Worker: Send {
    /// Fills the empty `made` with the result of the lines of a chunk, the first of which has the number `first`.
    fn chunk(&mut self, chunk: &Chunk, first: u64, made: &mut Made);

    /// Appends the result of one line, the same as in a chunk; returns why the line is refused, if it is. A blank line
    /// is one of a file, not an empty argument.
    fn line(&mut self, line: &Line<'_>, is_blank: bool, out: &mut Vec<u8>) -> Result<(), Refusal>;
}

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

/// A chunk and its result; recycled.
#[derive(Default)]
pub(crate) struct Slot {
    pub(crate) chunk: Chunk,
    /// The number of the chunk's first line.
    pub(crate) first: u64,
    pub(crate) made: Made,
}

/// Passes every chunk of `input` to one of the workers, of which `make` makes one for each core, and its result to `each`, in
/// order.
pub(crate) fn run<W: Worker>(
    input: Input,
    options: LineOptions,
    make: impl Fn() -> W,
    mut each: impl FnMut(&mut Slot) -> Result<(), Failure>,
) -> Result<(), Ended> {
    let source = Source::of(input, LineOptions { chunk: CHUNK, ..options });
    let numbers = LineNumbers::default();
    in_order(
        &|slot: &mut Slot| {
            let next = source.next(&mut slot.chunk);
            if let Some((number, _)) = next {
                slot.first = numbers.first(number, slot.chunk.count_lines() as u64);
            }
            next
        },
        make,
        &|worker: &mut W, slot: &mut Slot| {
            slot.made.out.clear();
            slot.made.refused.clear();
            worker.chunk(&slot.chunk, slot.first, &mut slot.made);
        },
        |slot| Ok(each(slot)?),
    )
}

/// Fills slots by `next`, passes them to `work` on every core, each with a worker of its own, and then to `each` in order.
/// `next` returns the number of the slot, from 0 on without gaps; `None` is the end.
pub(crate) fn in_order<T, W, E>(
    next: &(impl Fn(&mut T) -> Option<(u64, Result<(), E>)> + Sync),
    make: impl Fn() -> W,
    work: &(impl Fn(&mut W, &mut T) + Sync),
    mut each: impl FnMut(&mut T) -> Result<(), Ended>,
) -> Result<(), Ended>
where
    T: Default + Send,
    W: Send,
    E: Send + Into<Ended>,
{
    let cores = available_parallelism().map_or(1, usize::from).min(MOST_WORKERS);
    let (give_free, free) = channel();
    let free = Mutex::new(free);
    thread::scope(|scope| {
        let (give_done, done) = channel();
        for _ in 0..cores {
            let (mut worker, give_done, free) = (make(), give_done.clone(), &free);
            thread::Builder::new()
                .name("urlid-worker".to_owned())
                .spawn_scoped(scope, move || serve(&mut worker, next, work, free, &give_done))
                .map_err(|error| Failure::failed(format!("ERR_IO: cannot start a thread: {error}")))?;
        }
        drop(give_done);
        for _ in 0..cores + SPARE {
            // A worker that has ended needs no slot.
            let _ = give_free.send(T::default());
        }
        let result = receive(&done, &give_free, &mut each);
        // Workers that wait for a slot or send a result end now.
        drop((done, give_free));
        // The scope waits for its threads, and one may block in a read of a pipe. Not after an error of the source: the interrupt
        // is final, and the other sources are still to be read.
        if matches!(result, Err(Ended::Failed(_))) {
            signals::interrupt_reads();
        }
        result
    })
}

/// Receives results until there are no more, and passes them to `each` in their order.
fn receive<T, E: Into<Ended>>(
    done: &Receiver<Finished<T, E>>,
    give_free: &Sender<T>,
    each: &mut impl FnMut(&mut T) -> Result<(), Ended>,
) -> Result<(), Ended> {
    let mut early = BTreeMap::new();
    // As large as the number of slots at most: a result that waits here keeps its slot.
    let mut next = 0;
    for (number, result) in done {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            next += 1;
            let mut slot = result.map_err(Into::into)?;
            each(&mut slot)?;
            let _ = give_free.send(slot);
        }
    }
    Ok(())
}

type Finished<T, E> = (u64, Result<T, E>);

/// Works until the input ends or the results are no longer taken.
fn serve<T, W, E>(
    worker: &mut W,
    next: &impl Fn(&mut T) -> Option<(u64, Result<(), E>)>,
    work: &impl Fn(&mut W, &mut T),
    free: &Mutex<Receiver<T>>,
    give_done: &Sender<Finished<T, E>>,
) {
    loop {
        // The slot is taken before the chunk. A worker with the next chunk in order and no slot would be a deadlock: the
        // results after it wait in `early` with all the slots.
        let Ok(mut slot) = free.lock().unwrap_or_else(PoisonError::into_inner).recv() else { return };
        let finished = match next(&mut slot) {
            None => return,
            Some((number, Err(error))) => (number, Err(error)),
            Some((number, Ok(()))) => {
                work(worker, &mut slot);
                (number, Ok(slot))
            }
        };
        if give_done.send(finished).is_err() {
            return;
        }
    }
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
