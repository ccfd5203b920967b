//! The byte of an escape, counted in tests: the work of a rule is how often it looks for one.

/// Returns the byte that the two digits after a `%` stand for.
pub(crate) fn escaped_byte(after_percent: &[u8]) -> Option<u8> {
    #[cfg(test)]
    looks::add();
    urlid::internal::escape::escaped_byte(after_percent)
}

/// How many escapes a thread has looked for: work that tests compare, since times differ.
#[cfg(test)]
pub(crate) mod looks {
    use std::cell::Cell;

    std::thread_local! {
        static COUNT: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn add() {
        COUNT.set(COUNT.get() + 1);
    }

    pub(crate) fn count() -> usize {
        COUNT.get()
    }
}
