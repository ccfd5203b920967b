//! Work on several threads whose results are taken in order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Results beyond one for each thread that may wait until they are taken, so that the others can work while one is slow.
const SPARE: usize = 2;

/// Calls `work` with the numbers below `count`, on a thread for each worker, and passes the results to `take` in the order of the
/// numbers and on this thread, until that fails. Few results wait, whatever their number.
///
/// A single worker, or a single number, is worked on here.
///
/// # Errors
/// The first error of `take`.
pub fn in_order<W: Send, R: Send, E>(
    mut workers: Vec<W>,
    count: usize,
    work: &(impl Fn(&mut W, usize) -> R + Sync),
    take: &mut dyn FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    workers.truncate(count);
    if let [worker] = workers.as_mut_slice() {
        return (0..count).try_for_each(|number| take(work(worker, number)));
    }
    let (next, results, most) = (AtomicUsize::new(0), InOrder::default(), workers.len() + SPARE);
    thread::scope(|scope| {
        // Threads that wait for their turn end when nothing is taken any more, also if `take` panics.
        let _close = results.close_on_drop();
        for mut worker in workers {
            let (next, results) = (&next, &results);
            scope.spawn(move || {
                // Else a panic would leave the taking thread waiting; the scope passes it on.
                let close = results.close_on_drop();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || !results.wait_for_turn(number, most) {
                        break;
                    }
                    results.put(number, work(&mut worker, number));
                }
                std::mem::forget(close);
            });
        }
        for number in 0..count {
            let Some(result) = results.take(number) else { break };
            take(result)?;
        }
        Ok(())
    })
}

/// Results that are made in any order and taken in that of their numbers.
#[derive(Debug)]
pub struct InOrder<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<R> {
    taken: usize,
    ready: BTreeMap<usize, R>,
    is_closed: bool,
}

impl<R> Default for InOrder<R> {
    fn default() -> Self {
        let state = State { taken: 0, ready: BTreeMap::new(), is_closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<R> InOrder<R> {
    fn lock(&self) -> MutexGuard<'_, State<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until fewer than `most` results before this one are not taken yet; returns false if none is taken any more.
    pub fn wait_for_turn(&self, number: usize, most: usize) -> bool {
        let is_early = |state: &mut State<R>| !state.is_closed && number >= state.taken + most;
        let state = self.changed.wait_while(self.lock(), is_early).unwrap_or_else(PoisonError::into_inner);
        !state.is_closed
    }

    /// Puts a result.
    pub fn put(&self, number: usize, result: R) {
        self.lock().ready.insert(number, result);
        self.changed.notify_all();
    }

    /// Waits for the result with the next number and takes it; `None` if it is missing and the queue is closed.
    pub fn take(&self, number: usize) -> Option<R> {
        let is_missing = |state: &mut State<R>| !state.is_closed && !state.ready.contains_key(&number);
        let mut state =
            self.changed.wait_while(self.lock(), is_missing).unwrap_or_else(PoisonError::into_inner);
        state.taken = number + 1;
        let result = state.ready.remove(&number);
        self.changed.notify_all();
        result
    }

    /// Closes the queue: nobody waits any more.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Returns what closes the queue when it is dropped.
    pub fn close_on_drop(&self) -> CloseOnDrop<'_, R> {
        CloseOnDrop(self)
    }
}

/// Closes a queue when it is dropped.
#[derive(Debug)]
pub struct CloseOnDrop<'q, R>(&'q InOrder<R>);

impl<R> Drop for CloseOnDrop<'_, R> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_few_wait() {
        for (threads, count) in [(1, 10), (3, 0), (3, 1), (3, 2), (4, 1_000)] {
            let (begun, mut taken) = (AtomicUsize::new(0), Vec::new());
            let work = |worker: &mut usize, number: usize| {
                *worker += 1;
                begun.fetch_max(number + 1, Ordering::Relaxed);
                // The order in which they end is another one.
                thread::sleep(std::time::Duration::from_micros((number % 7 * 50) as u64));
                number
            };
            let done: Result<(), ()> = in_order(vec![0; threads], count, &work, &mut |number| {
                assert!(begun.load(Ordering::Relaxed) <= taken.len() + 1 + threads + SPARE);
                taken.push(number);
                Ok(())
            });
            assert!(done.is_ok() && taken.into_iter().eq(0..count));
        }
    }

    #[test]
    fn an_error_and_a_panic_end_all_threads() {
        let mut taken = 0;
        let result = in_order(vec![(); 3], 1_000, &|(), number| number, &mut |number| {
            taken += 1;
            if number < 5 { Ok(()) } else { Err("enough") }
        });
        assert_eq!((result, taken), (Err("enough"), 6));
        let panicked = std::panic::catch_unwind(|| {
            let work = |(): &mut (), number: usize| assert!(number < 20, "on purpose");
            in_order(vec![(); 3], 1_000, &work, &mut |()| Ok::<(), ()>(()))
        });
        assert!(panicked.is_err());
    }
}
