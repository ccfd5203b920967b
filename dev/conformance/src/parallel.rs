//! Work on as many threads as there are CPUs.

use std::sync::Mutex;

/// Calls `work` for each item. A panic in a thread is propagated to the caller.
///
/// # Panics
/// Panics if `work` panics.
pub fn for_each<T: Send>(items: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let queue = Mutex::new(items);
    let next = || queue.lock().expect("no thread panics while it has the lock").next();
    let work_on_all = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work_on_all))));
}
