//! The value of a slice. Tests of collisions weaken it.

use urlid::sxurl::Slice;

/// Returns the value of a slice for the text of its part.
pub(crate) fn slice_value(slice: Slice, text: &str) -> u64 {
    let value = slice.hash(text);
    #[cfg(all(test, feature = "sqlite"))]
    let value = if weak::is_on() { value & 0xf } else { value };
    value
}

/// Slices with only the low four bits of each hash, on the threads where [`turn_on`](weak::turn_on) was
/// called.
#[cfg(all(test, feature = "sqlite"))]
pub(crate) mod weak {
    use std::cell::Cell;

    thread_local! {
        static IS_ON: Cell<bool> = const { Cell::new(false) };
    }

    pub(crate) fn turn_on() {
        IS_ON.set(true);
    }

    pub(crate) fn is_on() -> bool {
        IS_ON.get()
    }
}
