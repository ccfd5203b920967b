//! Rows in batches: one thread reads them from SQLite, all others work on them, and the results come back in order.
//!
//! A connection of SQLite belongs to one thread at a time, and its state to one transaction. Reading is a third of what `verify`
//! costs and two thirds of a count; the rest is parsing, which the other threads do (docs/decisions/0036).

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

use urlid_plan::{EachCandidate, Table, Value};

/// Rows of the first batch. Each next one has eight times as many, so that a question with few answers, or with a limit, is
/// answered without threads and without reading far.
const FIRST: usize = if cfg!(test) { 1 } else { 64 };
/// Rows of a full batch, which goes to a thread.
const FULL: usize = if cfg!(test) { 3 } else { 1 << 14 };
/// Bytes after which a batch is full with fewer rows.
const FULL_BYTES: usize = 1 << 20;

/// Rows of one table, in their order.
#[derive(Debug)]
pub(crate) struct Batch {
    table: Table,
    /// The number of rows of the table before these.
    before: u64,
    bytes: Vec<u8>,
    /// The type of each value, two for a row, and where its bytes end.
    values: Vec<(Type, usize)>,
}

#[derive(Clone, Copy, Debug)]
enum Type {
    Blob,
    Text,
    Other,
}

impl Batch {
    fn new(table: Table, before: u64) -> Self {
        Self { table, before, bytes: Vec::new(), values: Vec::new() }
    }

    fn push(&mut self, row: [Value<'_>; 2]) {
        for value in row {
            let (kind, bytes) = match value {
                Value::Blob(bytes) => (Type::Blob, bytes),
                Value::Text(bytes) => (Type::Text, bytes),
                Value::Other => (Type::Other, &[][..]),
            };
            self.bytes.extend_from_slice(bytes);
            self.values.push((kind, self.bytes.len()));
        }
    }

    fn is_full(&self, rows: usize) -> bool {
        self.len() >= rows || self.bytes.len() >= FULL_BYTES
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.values.len() / 2
    }

    /// Returns the table of the rows.
    pub(crate) fn table(&self) -> Table {
        self.table
    }

    /// Returns the number of rows of the table before these.
    pub(crate) fn before(&self) -> u64 {
        self.before
    }

    /// Returns the two values of a row: the key and the text.
    pub(crate) fn row(&self, row: usize) -> [Value<'_>; 2] {
        [2 * row, 2 * row + 1].map(|value| {
            let start = value.checked_sub(1).map_or(0, |last| self.values[last].1);
            let (kind, end) = self.values[value];
            let bytes = &self.bytes[start..end];
            match kind {
                Type::Blob => Value::Blob(bytes),
                Type::Text => Value::Text(bytes),
                Type::Other => Value::Other,
            }
        })
    }

    /// Returns the two values of each row, in the order in which they were read.
    pub(crate) fn rows(&self) -> impl Iterator<Item = [Value<'_>; 2]> {
        (0..self.len()).map(|row| self.row(row))
    }
}

/// Passes the rows that `read` reads to `work`, batch by batch, on all cores; passes each batch with its result to `take`, in the
/// order of the rows and on this thread, until that returns `Break`.
pub(crate) fn in_batches<S: Send, E>(
    read: impl FnOnce(&mut EachCandidate<'_>) -> Result<(), E>,
    work: &(impl Fn(&Batch) -> S + Sync),
    take: &mut dyn FnMut(&Batch, S) -> ControlFlow<()>,
) -> Result<(), E> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    // One core has nothing to gain. The tests are about the threads.
    let threads = if threads == 1 && !cfg!(test) { 0 } else { threads };
    let crew = Crew { jobs: Mutex::default(), changed: Condvar::new() };
    thread::scope(|scope| {
        let _end = EndOnDrop(&crew);
        let mut line = Line { crew: &crew, scope, threads, work, take, sent: 0, taken: 0, is_begun: false };
        let mut batch = Batch::new(Table::Url, 0);
        let mut rows = FIRST;
        let mut flow = ControlFlow::Continue(());
        read(&mut |table, row| {
            let is_next = table != batch.table;
            if is_next || batch.is_full(rows) {
                let before = if is_next { 0 } else { batch.before + batch.len() as u64 };
                let full = std::mem::replace(&mut batch, Batch::new(table, before));
                flow = line.send(full, rows);
                rows = FULL.min(rows * 8);
            }
            batch.push(row);
            flow
        })?;
        if flow.is_continue() && batch.len() > 0 {
            flow = line.send(batch, rows);
        }
        while flow.is_continue() && line.taken < line.sent {
            flow = line.take_next();
        }
        Ok(())
    })
}

/// The batches between the thread that reads and those that work.
struct Line<'l, 'scope, 'env, S, W> {
    crew: &'scope Crew<S>,
    scope: &'scope Scope<'scope, 'env>,
    threads: usize,
    work: &'scope W,
    take: &'l mut dyn FnMut(&Batch, S) -> ControlFlow<()>,
    sent: u64,
    taken: u64,
    is_begun: bool,
}

impl<S: Send, W: Fn(&Batch) -> S + Sync> Line<'_, '_, '_, S, W> {
    /// Sends a batch to the threads, and takes results while too many are on their way. A batch of fewer than `rows` full ones is
    /// worked on here.
    fn send(&mut self, batch: Batch, rows: usize) -> ControlFlow<()> {
        if self.threads == 0 || !self.is_begun && rows < FULL {
            let result = (self.work)(&batch);
            return (self.take)(&batch, result);
        }
        if !self.is_begun {
            self.is_begun = true;
            let (crew, work) = (self.crew, self.work);
            for _ in 0..self.threads {
                self.scope.spawn(move || crew.work(work));
            }
        }
        self.crew.lock().waiting.insert(self.sent, batch);
        self.crew.changed.notify_all();
        self.sent += 1;
        while self.sent - self.taken > 2 * self.threads as u64 {
            self.take_next()?;
        }
        ControlFlow::Continue(())
    }

    /// Takes the next result, and waits for it.
    fn take_next(&mut self) -> ControlFlow<()> {
        let jobs = self.crew.lock();
        let is_missing = |jobs: &mut Jobs<S>| !jobs.is_ended && !jobs.done.contains_key(&self.taken);
        let mut jobs = self.crew.changed.wait_while(jobs, is_missing).unwrap_or_else(PoisonError::into_inner);
        // Missing only if a thread has panicked, which the scope passes on.
        let Some((batch, result)) = jobs.done.remove(&self.taken) else { return ControlFlow::Break(()) };
        drop(jobs);
        self.taken += 1;
        (self.take)(&batch, result)
    }
}

/// The threads' work.
struct Crew<S> {
    jobs: Mutex<Jobs<S>>,
    changed: Condvar,
}

struct Jobs<S> {
    waiting: BTreeMap<u64, Batch>,
    done: BTreeMap<u64, (Batch, S)>,
    is_ended: bool,
}

impl<S> Default for Jobs<S> {
    fn default() -> Self {
        Self { waiting: BTreeMap::new(), done: BTreeMap::new(), is_ended: false }
    }
}

impl<S> Crew<S> {
    fn lock(&self) -> MutexGuard<'_, Jobs<S>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works on batches until all are taken or nobody wants them.
    fn work(&self, work: &impl Fn(&Batch) -> S) {
        // A panic ends the others too, which would wait for ever.
        let _end = EndOnDrop(self);
        loop {
            let is_idle = |jobs: &mut Jobs<S>| !jobs.is_ended && jobs.waiting.is_empty();
            let jobs = self.changed.wait_while(self.lock(), is_idle);
            let mut jobs = jobs.unwrap_or_else(PoisonError::into_inner);
            if jobs.is_ended {
                return;
            }
            let Some((number, batch)) = jobs.waiting.pop_first() else { continue };
            drop(jobs);
            let result = work(&batch);
            self.lock().done.insert(number, (batch, result));
            self.changed.notify_all();
        }
    }
}

/// Ends the work of all threads when it is dropped.
struct EndOnDrop<'c, S>(&'c Crew<S>);

impl<S> Drop for EndOnDrop<'_, S> {
    fn drop(&mut self) {
        self.0.lock().is_ended = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads `rows` rows of each table.
    fn rows_of(rows: u32) -> impl Fn(&mut EachCandidate<'_>) -> Result<(), ()> {
        move |each| {
            for table in [Table::Url, Table::Other] {
                for row in 0..rows {
                    let (key, text) = (row.to_le_bytes(), row.to_string());
                    let values = [Value::Blob(&key[..row as usize % 5]), Value::Text(text.as_bytes())];
                    if each(table, values).is_break() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_rows() {
        for rows in [0, 1, 2, 9, 10, 100, 1_000] {
            let mut found = Vec::new();
            let work = |batch: &Batch| -> Vec<Option<u32>> {
                batch
                    .rows()
                    .map(|[_, text]| {
                        if let Value::Text(text) = text {
                            str::from_utf8(text).ok()?.parse().ok()
                        } else {
                            None
                        }
                    })
                    .collect()
            };
            let mut take = |batch: &Batch, texts: Vec<Option<u32>>| {
                assert_eq!(batch.len(), texts.len());
                let before = u32::try_from(batch.before()).expect("there are few rows");
                found.extend((before..).zip(texts).map(|(row, text)| (batch.table(), row, text)));
                ControlFlow::Continue(())
            };
            in_batches(rows_of(rows), &work, &mut take).expect("reads");
            let expected = [Table::Url, Table::Other]
                .into_iter()
                .flat_map(|table| (0..rows).map(move |row| (table, row, Some(row))));
            assert!(found.into_iter().eq(expected), "{rows}");
        }
    }

    #[test]
    fn what_is_not_wanted_is_not_read_to_the_end() {
        let mut read = 0;
        let mut taken = 0;
        let source = |each: &mut EachCandidate<'_>| {
            while each(Table::Url, [Value::Other, Value::Other]).is_continue() {
                read += 1;
            }
            Ok::<(), ()>(())
        };
        let mut take = |_: &Batch, rows: usize| {
            taken += rows;
            if taken < 50 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        in_batches(source, &|batch: &Batch| batch.len(), &mut take).expect("reads");
        assert!((50..60).contains(&taken) && read < 1_000, "{taken} {read}");
    }

    #[test]
    fn an_error_and_a_panic_end_all_threads() {
        let failing = |each: &mut EachCandidate<'_>| {
            (0..100).for_each(|_| _ = each(Table::Url, [Value::Other, Value::Other]));
            Err("failed")
        };
        let result = in_batches(failing, &|batch: &Batch| batch.len(), &mut |_, _| ControlFlow::Continue(()));
        assert_eq!(result, Err("failed"));
        let panicked = std::panic::catch_unwind(|| {
            let work = |batch: &Batch| assert!(batch.before() < 20, "on purpose");
            in_batches(rows_of(1_000), &work, &mut |_, ()| ControlFlow::Continue(()))
        });
        assert!(panicked.is_err());
    }
}
