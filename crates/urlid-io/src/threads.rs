//! Work on several threads with results in order.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The usual number of slots beyond one for each thread, so that the others can work while one is slow.
pub const SPARE: usize = 2;

/// Fills slots with `next`, passes each to `work` on a thread for each worker, and then to `take`, in order
/// and on this thread, until `take` fails. Slots are reused. There are `spare` more slots than workers, so
/// few results wait.
///
/// `next` is called on all threads. It returns the number of the slot, from 0 on without gaps, and `None`
/// from the end on.
///
/// A single worker runs on this thread, and so does the first of many if no thread can be started.
///
/// # Errors
/// The first error of `take`.
// Each call does much work, so inlining these functions is not needed. This function is compiled once for
// each kind of slot and worker.
pub fn in_order<T: Default + Send, W: Send, E>(
    mut workers: Vec<W>,
    spare: usize,
    next: &(dyn Fn(&mut T) -> Option<usize> + Sync),
    work: &(dyn Fn(&mut W, &mut T) + Sync),
    take: &mut dyn FnMut(&mut T) -> Result<(), E>,
) -> Result<(), E> {
    if workers.len() > 1
        && let Some(taken) = on_threads(&mut workers, spare, next, work, take)
    {
        return taken;
    }
    let (Some(worker), mut slot) = (workers.first_mut(), T::default()) else { return Ok(()) };
    while next(&mut slot).is_some() {
        work(worker, &mut slot);
        take(&mut slot)?;
    }
    Ok(())
}

/// Does the work of [`in_order`]. Returns `None` if a thread cannot be started.
fn on_threads<T: Default + Send, W: Send, E>(
    workers: &mut [W],
    spare: usize,
    next: &(dyn Fn(&mut T) -> Option<usize> + Sync),
    work: &(dyn Fn(&mut W, &mut T) + Sync),
    take: &mut dyn FnMut(&mut T) -> Result<(), E>,
) -> Option<Result<(), E>> {
    let slots = Slots::new(workers.len(), spare);
    thread::scope(|scope| {
        // Dropped at the end, even if `take` panics, so that threads that wait for a slot also end.
        let _close = OnDrop(|| slots.close());
        let mut started = 0;
        for worker in workers {
            let slots = &slots;
            let serve = move || slots.serve(&mut |slot| next(slot), &mut |slot| work(worker, slot));
            match thread::Builder::new().name("urlid-worker".to_owned()).spawn_scoped(scope, serve) {
                Ok(_) => started += 1,
                // Counted as ended, or the queue would never close.
                Err(_) => slots.leave(),
            }
        }
        if started == 0 {
            return None;
        }
        while let Some(mut slot) = slots.ready.take() {
            if let Err(error) = take(&mut slot) {
                return Some(Err(error));
            }
            slots.give_back(slot);
        }
        Some(Ok(()))
    })
}

/// Calls `work` with the numbers below `count`, on a thread for each worker, and passes the results to `take`
/// in the order of the numbers and on this thread, until `take` fails. Few results wait, however many there
/// are.
///
/// A single worker, or a single number, is processed on this thread.
///
/// # Errors
/// The first error of `take`.
pub fn numbers_in_order<W: Send, R: Send, E>(
    mut workers: Vec<W>,
    count: usize,
    work: &(dyn Fn(&mut W, usize) -> R + Sync),
    take: &mut dyn FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    // More workers would only start threads without work.
    workers.truncate(count);
    let begun = AtomicUsize::new(0);
    in_order(
        workers,
        SPARE,
        &|(number, _): &mut (usize, Option<R>)| {
            // Each number is given out once, and it does not order any other data between threads.
            *number = begun.fetch_add(1, Ordering::Relaxed);
            (*number < count).then_some(*number)
        },
        &|worker, (number, result)| *result = Some(work(worker, *number)),
        &mut |(_, result)| result.take().map_or(Ok(()), &mut *take),
    )
}

/// The slots of threads: free, in work, or ready.
struct Slots<T> {
    free: Mutex<Free<T>>,
    freed: Condvar,
    ready: InOrder<T>,
    /// The threads that have not ended.
    working: AtomicUsize,
}

struct Free<T> {
    slots: Vec<T>,
    is_closed: bool,
}

impl<T: Default> Slots<T> {
    fn new(threads: usize, spare: usize) -> Self {
        let slots = (0..threads + spare).map(|_| T::default()).collect();
        let free = Mutex::new(Free { slots, is_closed: false });
        Slots { free, freed: Condvar::new(), ready: InOrder::default(), working: AtomicUsize::new(threads) }
    }
}

impl<T> Slots<T> {
    /// Works until the input ends or the receiver stops.
    fn serve(&self, next: &mut dyn FnMut(&mut T) -> Option<usize>, work: &mut dyn FnMut(&mut T)) {
        let _leave = OnDrop(|| self.leave());
        // The slot is acquired before its number. A thread with the next number in order but without a slot
        // would cause a deadlock, because the results after it would hold all the slots and wait for it.
        while let Some(mut slot) = self.take_free() {
            let Some(number) = next(&mut slot) else { break };
            work(&mut slot);
            self.ready.put(number, slot);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Free<T>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a free slot. Returns `None` when the receiver has stopped.
    fn take_free(&self) -> Option<T> {
        let is_missing = |free: &mut Free<T>| !free.is_closed && free.slots.is_empty();
        let free = self.freed.wait_while(self.lock(), is_missing);
        let mut free = free.unwrap_or_else(PoisonError::into_inner);
        if free.is_closed { None } else { free.slots.pop() }
    }

    fn give_back(&self, slot: T) {
        self.lock().slots.push(slot);
        self.freed.notify_one();
    }

    /// Ends the waiting for free slots.
    fn close(&self) {
        self.lock().is_closed = true;
        self.freed.notify_all();
    }

    /// Counts a thread that has ended. After the last one further results cannot arrive, and after a panic
    /// one is missing.
    fn leave(&self) {
        // Release and acquire make the results of the other threads visible before the last one closes the
        // queue.
        if self.working.fetch_sub(1, Ordering::AcqRel) == 1 || thread::panicking() {
            self.ready.close();
        }
    }
}

/// Calls a function when it is dropped.
#[derive(Debug)]
struct OnDrop<F: Fn()>(F);

impl<F: Fn()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Results that are made in any order and returned in the order of their numbers.
#[derive(Debug)]
pub struct InOrder<R> {
    state: Mutex<Queue<R>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Queue<R> {
    taken: usize,
    /// The results that are not returned yet, by their numbers from `taken` on.
    ready: VecDeque<Option<R>>,
    is_closed: bool,
}

impl<R> Default for InOrder<R> {
    fn default() -> Self {
        let state = Queue { taken: 0, ready: VecDeque::new(), is_closed: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<R> InOrder<R> {
    fn lock(&self) -> MutexGuard<'_, Queue<R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a result.
    pub fn put(&self, number: usize, result: R) {
        let mut state = self.lock();
        // The subtraction cannot underflow: a number is put once, before it is taken.
        let place = number - state.taken;
        if place >= state.ready.len() {
            state.ready.resize_with(place + 1, || None);
        }
        state.ready[place] = Some(result);
        self.changed.notify_all();
    }

    /// Waits for the next result and returns it, or `None` if it is missing and the queue is closed.
    pub fn take(&self) -> Option<R> {
        let is_missing =
            |state: &mut Queue<R>| !state.is_closed && !matches!(state.ready.front(), Some(Some(_)));
        let mut state =
            self.changed.wait_while(self.lock(), is_missing).unwrap_or_else(PoisonError::into_inner);
        let result = state.ready.front_mut()?.take()?;
        state.ready.pop_front();
        state.taken += 1;
        Some(result)
    }

    /// Closes the queue, which ends all waiting.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
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
            let done: Result<(), ()> = numbers_in_order(vec![0; threads], count, &work, &mut |number| {
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
        let result = numbers_in_order(vec![(); 3], 1_000, &|(), number| number, &mut |number| {
            taken += 1;
            if number < 5 { Ok(()) } else { Err("enough") }
        });
        assert_eq!((result, taken), (Err("enough"), 6));
        let panicked = std::panic::catch_unwind(|| {
            let work = |(): &mut (), number: usize| assert!(number < 20, "on purpose");
            numbers_in_order(vec![(); 3], 1_000, &work, &mut |()| Ok::<(), ()>(()))
        });
        assert!(panicked.is_err());
    }
}
