//! The border between C and Rust: no panic crosses it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::code::Code;

/// Runs the body of an exported function; a panic becomes [`Code::URLID_PANIC`].
///
/// A body takes what it changes out of its handle first, so that nothing is used again that a panic has left half changed.
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Code>) -> Code {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Code::URLID_OK,
        Ok(Err(code)) => code,
        Err(_) => Code::URLID_PANIC,
    }
}

/// Runs the body of an exported function that returns a value; a panic becomes `otherwise`.
pub(crate) fn guard_or<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_code() {
        assert_eq!(guard(|| panic!("of a test")), Code::URLID_PANIC);
        assert_eq!(guard_or(7, || panic!("of a test")), 7);
        assert_eq!(guard(|| Err(Code::URLID_ERR_PORT)), Code::URLID_ERR_PORT);
    }
}
