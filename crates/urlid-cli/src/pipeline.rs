//! Chunks of lines through several threads, and back in order.
//!
//! Each worker takes a chunk for itself, so there is no thread that only reads: a stream is read by one worker at a time,
//! a regular file by all of them. What they make comes back in the order of the input. Knows nothing about what is
//! made of lines.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{JoinHandle, available_parallelism};

use urlid::ErrorCode;
use urlid_lines::{Chunk, ChunkReader, Input, Line, Options, Pieces, ReadError};

use crate::exit::Failure;
use crate::input::LineRules;
use crate::progress::Progress;
use crate::refusals::Refusals;

/// The bytes of a chunk: large enough that nothing but the lines themselves takes time.
const CHUNK: usize = 512 << 10;

/// The most threads.
const MOST_WORKERS: usize = 16;

/// Chunks that are under way beyond one for each worker: what the others can do while one is slow.
const SPARE: usize = 2;

/// Does something with the lines of a chunk.
pub(crate) trait Worker: Send + 'static {
    /// Fills the empty `made` with what comes of the chunk.
    fn work(&mut self, chunk: &Chunk, made: &mut Made);
}

/// What comes of a chunk.
#[derive(Default)]
pub(crate) struct Made {
    /// Bytes to be written.
    pub(crate) out: Vec<u8>,
    /// The lines that were refused, by ascending index in the chunk.
    pub(crate) refused: Vec<(usize, ErrorCode)>,
    /// The number of lines.
    pub(crate) lines: u64,
}

/// A chunk and what came of it; recycled.
#[derive(Default)]
pub(crate) struct Slot {
    pub(crate) chunk: Chunk,
    pub(crate) made: Made,
}

impl Slot {
    /// Refuses the lines that the worker refused; the chunk comes after `before` lines. Those whose text and reason are needed
    /// are given to `tell`, with the code, the others are counted.
    pub(crate) fn refuse(
        &self,
        before: u64,
        refusals: &mut Refusals,
        mut tell: impl FnMut(&mut Refusals, &Line<'_>, ErrorCode) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut lines = self.chunk.lines(before + 1);
        let mut passed = 0;
        for &(index, code) in &self.made.refused {
            if !refusals.wants_text() {
                refusals.count(code);
                continue;
            }
            let Some(line) = lines.nth(index - passed) else { continue };
            passed = index + 1;
            tell(refusals, &line, code)?;
        }
        Ok(())
    }
}

/// Gives every chunk of `input` to one of the workers, of which `make` makes one for each core, and what came of it to `each`,
/// in order and with the number of lines before it.
///
/// Returns why the input could not be read to its end, if it could not. Does not wait for a worker that reads when
/// `each` fails: the program is about to end then.
pub(crate) fn run<W: Worker>(
    input: Input,
    rules: &LineRules,
    make: impl FnMut() -> W,
    progress: &Progress,
    mut each: impl FnMut(&Slot, u64) -> Result<(), Failure>,
) -> Result<Option<ReadError>, Failure> {
    let options = Options { chunk: CHUNK, ..rules.options() };
    let cores = available_parallelism().map_or(1, usize::from).min(MOST_WORKERS);
    let workers: Vec<W> = std::iter::repeat_with(make).take(cores).collect();
    let read = input.bytes_read();
    let source = Arc::new(Source::of(input, options));
    let (give_free, free) = channel();
    let free = Arc::new(Mutex::new(free));
    for _ in 0..workers.len() + SPARE {
        // The receiver is alive until the end of this function.
        let _ = give_free.send(Slot::default());
    }
    let (give_done, done) = channel();
    let threads = workers
        .into_iter()
        .map(|worker| {
            let (source, free, give_done) = (Arc::clone(&source), Arc::clone(&free), give_done.clone());
            std::thread::Builder::new()
                .name("urlid-worker".to_owned())
                .spawn(move || serve(worker, &source, &free, &give_done))
        })
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Failure::failed(format!("cannot start a thread: {error}")))?;
    drop(give_done);

    let mut early = BTreeMap::new();
    let (mut next, mut lines, mut bytes) = (0, 0, 0);
    for (number, result) in &done {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            next += 1;
            match result {
                Ok(slot) => {
                    each(&slot, lines)?;
                    lines += slot.made.lines;
                    bytes += slot.chunk.bytes().len() as u64;
                    progress.set(read.get().max(bytes));
                    // A worker that has ended needs no more slots.
                    let _ = give_free.send(slot);
                }
                Err(error) => return Ok(Some(error)),
            }
        }
    }
    join(threads);
    Ok(None)
}

/// Waits for threads that have nothing left to do, and passes a panic on.
fn join(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

type Finished = (u64, Result<Slot, ReadError>);

/// Works until the input ends or nobody wants the results.
fn serve<W: Worker>(
    mut worker: W,
    source: &Source,
    free: &Mutex<Receiver<Slot>>,
    give_done: &Sender<Finished>,
) {
    loop {
        // A slot comes before a chunk, so that the chunk which is next in order always has one.
        let Ok(mut slot) = free.lock().unwrap_or_else(PoisonError::into_inner).recv() else { return };
        let finished = match source.next(&mut slot.chunk) {
            None => return,
            Some((number, Err(error))) => (number, Err(error)),
            Some((number, Ok(()))) => {
                let Made { out, refused, lines } = &mut slot.made;
                out.clear();
                refused.clear();
                *lines = 0;
                worker.work(&slot.chunk, &mut slot.made);
                (number, Ok(slot))
            }
        };
        if give_done.send(finished).is_err() {
            return;
        }
    }
}

/// Where workers take chunks from.
enum Source {
    /// A stream, which one worker reads at a time.
    Stream(Mutex<Stream>),
    /// A regular file, of which each worker takes the next piece.
    Pieces { pieces: Pieces, next: AtomicU64 },
}

struct Stream {
    reader: ChunkReader,
    /// The number of the next chunk.
    next: u64,
}

impl Source {
    fn of(input: Input, options: Options) -> Self {
        match input.pieces(options) {
            Ok(pieces) => Source::Pieces { pieces, next: AtomicU64::new(0) },
            Err(input) => Source::Stream(Mutex::new(Stream { reader: input.chunks(options), next: 0 })),
        }
    }

    /// Reads the next chunk and returns its number, from 0 on without gaps; `None` at the end.
    fn next(&self, chunk: &mut Chunk) -> Option<(u64, Result<(), ReadError>)> {
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
            Source::Pieces { pieces, next } => {
                let number = next.fetch_add(1, Ordering::Relaxed);
                (number < pieces.count()).then(|| (number, pieces.read(number, chunk)))
            }
        }
    }
}
