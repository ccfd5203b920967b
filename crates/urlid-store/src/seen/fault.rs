//! The places where the disk may fail. Tests make the n-th of them fail.

use std::io;

#[cfg(not(test))]
/// Returns without an error.
pub(crate) fn point() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(crate) use injected::{Faults, inherit, point};

#[cfg(test)]
mod injected {
    use std::cell::RefCell;
    use std::ops::Range;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::io;

    thread_local! {
        static FAULTS: RefCell<Option<Faults>> = const { RefCell::new(None) };
    }

    /// The places that fail, numbered as they are passed, by a thread and those that it starts.
    #[derive(Clone, Debug)]
    pub(crate) struct Faults {
        passed: Arc<AtomicU64>,
        failing: Range<u64>,
    }

    impl Faults {
        /// Begins to count places in this thread.
        pub(crate) fn begin(failing: Range<u64>) -> Self {
            let faults = Self { passed: Arc::default(), failing };
            inherit(Some(faults.clone()));
            faults
        }

        pub(crate) fn of_thread() -> Option<Self> {
            FAULTS.with_borrow(Clone::clone)
        }

        /// Returns whether a place has failed.
        pub(crate) fn have_happened(&self) -> bool {
            self.passed.load(Ordering::Relaxed) > self.failing.start
        }
    }

    /// Takes the faults of the thread that started this one, or none.
    pub(crate) fn inherit(faults: Option<Faults>) {
        FAULTS.set(faults);
    }

    pub(crate) fn point() -> io::Result<()> {
        FAULTS.with_borrow(|faults| {
            let Some(faults) = faults else { return Ok(()) };
            let number = faults.passed.fetch_add(1, Ordering::Relaxed);
            if faults.failing.contains(&number) { Err(io::Error::other("the disk fails")) } else { Ok(()) }
        })
    }
}
